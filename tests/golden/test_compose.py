"""What a person and a program see of compositions; `pytest --update-golden` writes the files anew."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner

from lpcl.cli import cli
from lpcl.cli.build import command as build
from lpcl.cli.compose import command as compose
from lpcl.plan import plan_from_text, plan_schema, plan_to_text
from lpcl.plan.integrity import problems

HERE = Path(__file__).resolve().parent / "compose"
NAMES = re.findall(r"^application (\w+)", (HERE / "applications.lpcl").read_text(), re.MULTILINE)

Golden = Callable[[Path, str], None]


@pytest.fixture(autouse=True)
def _inside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(HERE)


def run(command: object, *words: str) -> tuple[int, str]:
    """A command's exit status and output."""
    name = "build" if command is build else "compose"
    result = CliRunner().invoke(cli, [name, *words], catch_exceptions=False)
    return result.exit_code, result.output


@pytest.mark.parametrize("name", NAMES)
def test_text(name: str, golden: Golden) -> None:
    status, shown = run(compose, f"applications.lpcl:{name}")
    golden(HERE / f"{name}.txt", f"{shown}exit status {status}\n")


@pytest.mark.parametrize("name", NAMES)
def test_json_says_the_same(name: str) -> None:
    status, shown = run(compose, f"applications.lpcl:{name}", "--format", "json")
    document = json.loads(shown)
    expected = (HERE / f"{name}.txt").read_text()
    assert f"exit status {status}" in expected
    for finding in document["findings"]:
        assert finding["headline"] in expected
        if finding["ledger"]:
            assert sum(Fraction(entry["total"]) for entry in finding["ledger"]) == Fraction(finding["demand"])
        for entry in finding["ledger"]:
            assert Fraction(entry["each"]) * Fraction(entry["copies"]) == Fraction(entry["total"])
    for alternative in document["alternatives"]:
        assert not alternative["settings"] or alternative["text"] in expected


def lines_of(name: str) -> range:
    """The lines of an application's declaration."""
    text = (HERE / "applications.lpcl").read_text()
    start = text[: text.index(f"application {name} {{")].count("\n") + 1
    return range(start, start + re.split(r"\n}", text.split(f"application {name} {{")[1])[0].count("\n") + 2)


@pytest.mark.parametrize("name", NAMES)
def test_github_shows_each_finding_in_the_application(name: str) -> None:
    document = json.loads(run(compose, f"applications.lpcl:{name}", "--format", "json")[1])
    status, shown = run(compose, f"applications.lpcl:{name}", "--format", "github")
    *annotations, last = shown.splitlines()
    assert last.startswith(f"{name}: ")
    commands = {"error": "error", "warning": "warning", "info": "notice"}
    told = [(commands[one["severity"]], one["headline"]) for one in document["findings"]]
    seen = []
    for line in annotations:
        found = re.fullmatch(r"::(\w+) file=applications\.lpcl,line=(\d+),[^:]*::(.*?)%0A(.*)", line)
        assert found is not None
        assert int(found[2]) in lines_of(name)
        seen.append((found[1], found[3].replace("%25", "%")))
    assert [one for one in seen if one in told] == seen
    assert bool(seen) == bool(told)
    assert status == (1 if any(one["severity"] != "info" for one in document["findings"]) else 0)


@pytest.mark.parametrize("name", ["multiplied", "crashing", "calm"])
def test_github(name: str, golden: Golden) -> None:
    golden(HERE / f"{name}.github.txt", run(compose, f"applications.lpcl:{name}", "--format", "github")[1])


def test_github_is_about_one_machine() -> None:
    status, shown = run(compose, "applications.lpcl:multiplied", "--machine", "any", "--format", "github")
    assert (status, "is told as text, json or html, not as github" in shown) == (2, True)


def test_github_shows_why_an_application_cannot_be_composed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.lpcl").write_text(
        "package p\n\nimport system.system\n\napplication a {\n  machine { cpus.online = 4 }\n"
        '  use system\n  control jobs: count in 1..8 { argument "--jobs"  default 2 }\n'
        "  run { system.threads(n = 6 div (jobs - 2)) { system.compute } }\n}\n"
    )
    monkeypatch.chdir(tmp_path)
    status, shown = run(compose, "a.lpcl", "--format", "github")
    assert (status, shown.splitlines()[0].split(",")[0]) == (2, "::error file=a.lpcl")


def test_json_shape(golden: Golden) -> None:
    golden(HERE / "multiplied.json", run(compose, "applications.lpcl:multiplied", "--format", "json")[1])


def test_plan(golden: Golden) -> None:
    golden(HERE / "multiplied.plan.json", run(build, "applications.lpcl:multiplied")[1])


@pytest.mark.parametrize("name", NAMES)
def test_every_plan_is_valid(name: str) -> None:
    """Against the published schema, and by itself; read back it is the same."""
    status, shown = run(build, f"applications.lpcl:{name}")
    assert status == 0
    jsonschema.Draft202012Validator(plan_schema()).validate(json.loads(shown))
    plan = plan_from_text(shown)
    assert problems(plan) == []
    assert plan_to_text(plan) == shown


@pytest.mark.parametrize("format_name", ["text", "json", "html", "dot", "mermaid"])
def test_the_same_in_every_process(format_name: str) -> None:
    """Output does not depend on hash seeds."""
    words = ["-m", "lpcl", "compose", "applications.lpcl:multiplied", "--format", format_name]
    seen = {
        subprocess.run(
            [sys.executable, *words],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=False,
        ).stdout
        for seed in ("0", "1", "77")
    }
    assert len(seen) == 1


BAD = {
    "an unknown variable": (("multiplied", "--set", "TEAM_THREDS=2"), "did you mean TEAM_THREADS?"),
    "a choice without a value": (("multiplied", "--set", "jobs"), "write NAME=VALUE"),
    "a word for a number": (("multiplied", "--set", "jobs=many"), "a whole number"),
    "a negative count": (("multiplied", "--set", "jobs=-1"), "lies in 1..16"),
    "an unknown library": (("multiplied", "--set", "team.threads=1"), "did you mean teams?"),
    "an unknown control": (("multiplied", "--set", "teams.size=1"), "it has threads"),
    "an unknown machine": (("multiplied", "--machine", "nine"), "eight, host"),
    "an unknown application": (("multiply",), "did you mean multiplied?"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_choices_are_explained(case: str) -> None:
    (name, *words), expected = BAD[case]
    status, shown = run(compose, f"applications.lpcl:{name}", *words)
    assert status == 2
    assert expected in shown


def test_a_file_with_several_applications_needs_a_name() -> None:
    status, shown = run(compose, "applications.lpcl")
    assert status == 2
    assert "applications.lpcl:NAME" in shown


def test_broken_files_are_not_composed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "broken.lpcl").write_text("package broken\napplication a { run { nothing.there } }\n")
    monkeypatch.chdir(tmp_path)
    status, shown = run(compose, "broken.lpcl")
    assert status == 2
    assert "nothing" in shown
    assert "cannot be composed before its errors are mended" in shown


def test_build_writes_the_plan_whole_or_not_at_all(tmp_path: Path) -> None:
    target = tmp_path / "plan.json"
    status, shown = run(build, "applications.lpcl:multiplied", "-o", str(target))
    assert status == 0
    assert "1 hypothesis, 2 knobs, 4 candidates" in shown
    assert json.loads(target.read_text())["application"]["name"] == "multiplied"
    status, shown = run(build, "applications.lpcl:multiplied", "-o", str(tmp_path / "no" / "plan.json"))
    assert status == 2
    assert "cannot be written" in shown
    assert [path.name for path in tmp_path.iterdir()] == ["plan.json"]


def test_answers_are_written_whole_or_not_at_all(tmp_path: Path) -> None:
    target = tmp_path / "page.html"
    status, shown = run(compose, "applications.lpcl:multiplied", "--format", "html", "-o", str(target))
    assert status == 1
    assert shown == f"{target}: Too many runnable threads: 64 for 8 CPUs (8x).\n"
    assert target.read_text().startswith("<!DOCTYPE html>")
    status, shown = run(compose, "applications.lpcl:multiplied", "-o", str(tmp_path / "no" / "page.html"))
    assert status == 2
    assert "cannot be written" in shown
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]


def test_the_same_whatever_was_asked_before() -> None:
    """An answer does not depend on what the process has composed already."""
    fresh = run(compose, "applications.lpcl:fitting", "--set", "QUEUE_THREADS=1")
    for name in NAMES:
        run(compose, f"applications.lpcl:{name}")
    assert run(compose, "applications.lpcl:fitting", "--set", "QUEUE_THREADS=1") == fresh


def test_several_at_once(golden: Golden) -> None:
    status, shown = run(compose, "applications.lpcl:fitting", "applications.lpcl:calm")
    golden(HERE / "together.txt", f"{shown}exit status {status}\n")


WHY = {
    "control": ("spinning", "queued.threads"),
    "pool": ("multiplied", "teams.team"),
    "variable": ("bound", "TEAM_THREADS"),
    "fact": ("bound", "machine.cpus"),
    "resource": ("many", "threads"),
    "argument": ("multiplied", "jobs"),
    "unknown": ("multiplied", "teams.thread"),
    "nothing": ("multiplied", "speed"),
}


@pytest.mark.parametrize("case", WHY)
def test_why(case: str, golden: Golden) -> None:
    name, value = WHY[case]
    result = CliRunner().invoke(cli, ["why", f"applications.lpcl:{name}", value], catch_exceptions=False)
    golden(HERE / "why" / f"{case}.txt", f"{result.output}exit status {result.exit_code}\n")
