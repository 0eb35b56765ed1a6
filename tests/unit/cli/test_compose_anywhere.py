"""`lpclc compose --machine any`, `--range` and `--question`."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from lpcl.cli import cli

APP = """package example

import lpcl.core.*

contract lib {
  control threads: count in 1..64 { env LIB_THREADS  default min(machine.cpus.online, 4)  invalid rejects }
  pool team { size threads  callers fork  caller joins  threads coupled  created at first use }
  demand memory = 1 GiB
  operation split(n: count) { workers threads n }
  operation fit { runs on team }
}
machine fleet { cpus.online in 1..8  memory.total = 4 GiB }
application app {
  machine { cpus.online = 8  memory.total = 4 GiB }
  use lib
  control jobs: count in 1..4 { argument "--jobs"  default 3 }
  run { lib.split(n = jobs) { lib.fit } }
}
contract picky {
  control n: count in 1..machine.cpus.online { env PICKY  default 1  invalid rejects }
  pool team { size n  callers fork  caller joins  threads coupled  created at first use }
  operation fit { runs on team }
}
application choosy { machine fleet  use picky  env PICKY = 6  run { picky.fit } }
application on_a_fleet { machine fleet  use lib  run { lib.split(n = 2) { lib.fit } } }
"""


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "app.lpcl").write_text(APP)
    monkeypatch.chdir(tmp_path)
    return "app.lpcl"


def run(*args: str) -> tuple[int, str, str]:
    """Exit status, output, errors."""
    result = CliRunner().invoke(cli, ["compose", *args], catch_exceptions=False)
    return result.exit_code, result.stdout, result.stderr


def found(*args: str) -> dict[str, object]:
    """Where the CPUs are over-committed."""
    _, out, _ = run(*args, "--format", "json")
    return next(one for one in json.loads(out)["findings"] if one["finding"]["resource"] == "lpcl.core.cpu")


def test_any_machine(file: str) -> None:
    status, out, _ = run(f"{file}:app", "--machine", "any")
    assert status == 1
    assert "cpu: on every machine with at most 11 CPUs" in out
    assert "memory: on every machine with less than 1 GiB of memory" in out
    assert "On no machine in range over-committed: threads, processes." in out


def test_the_range_of_a_figure(file: str) -> None:
    one = found(f"{file}:app", "--machine", "any", "--range", "cpus.online=4..64")
    assert one["ranges"] == {"cpus.online": [[4, 11]]}
    assert one["smallest"]["cpus.online"] == 4  # type: ignore[index]


def test_a_figure_with_one_value(file: str) -> None:
    _, out, _ = run(
        f"{file}:app",
        "--machine",
        "any",
        "--range",
        "cpus.online=16",
        "--range",
        "memory.total=512 MiB..2 GiB",
    )
    assert "memory: on every machine with less than 1 GiB of memory" in out
    assert "cpu:" not in out


def test_a_quota_goes_in_hundredths(file: str) -> None:
    one = found(
        f"{file}:app", "--machine", "any", "--range", "cpus.online=16", "--range", "cpus.quota=0.5..16"
    )
    assert one["ranges"] == {"cpus.quota": [["1/2", "1199/100"]]}


def test_a_machine_with_ranges(file: str) -> None:
    one = found(f"{file}:on_a_fleet")
    assert one["ranges"] == {"cpus.online": [[1, 7]]}
    assert found(f"{file}:app", "--machine", "fleet")["on"] == "everywhere"


def test_a_range_frees_a_figure_of_a_machine(file: str) -> None:
    _, out, _ = run(f"{file}:app", "--range", "memory.total=512 MiB..2 GiB")
    assert "memory: on every machine with less than 1 GiB of memory" in out
    assert "cpu: on all machines in range" in out


def test_where_it_is_refused(file: str) -> None:
    status, _, err = run(f"{file}:app", "--machine", "any", "--set", "LIB_THREADS=65")
    assert status == 2
    assert "`LIB_THREADS` = 65 is not a value" in err
    status, out, _ = run(f"{file}:choosy", "--machine", "any")
    assert status == 1
    assert (
        "error[value-rejected] `PICKY` = 6 is not a value that `picky.n` takes: on every machine with" in out
    )
    assert "at most 5 CPUs" in out


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("cpus.onlin=1..4", "did you mean cpus.online?"),
        ("cpus.online", "write FIGURE=LOW..HIGH"),
        ("cpus.online=8..4", "no cpus.online lies in 8..4"),
        ("cpus.online=0..4", "cpus.online is at least 1"),
        ("cpus.online=some", "write for instance cpus.online=1..64"),
        ("memory.total=1..x", "write for instance memory.total='1 GiB..64 GiB'"),
        ("cpus=1..4", "cpus follows from other figures"),
    ],
)
def test_what_is_no_range(file: str, text: str, expected: str) -> None:
    status, _, err = run(f"{file}:app", "--machine", "any", "--range", text)
    assert status == 2
    assert expected in err


def test_a_range_given_twice(file: str) -> None:
    twice = ("--range", "cpus.online=1..4", "--range", "machine.cpus.online=1..8")
    status, _, err = run(f"{file}:app", "--machine", "any", *twice)
    assert status == 2
    assert "twice" in err


@pytest.mark.parametrize("form", ["dot", "mermaid"])
def test_forms_that_it_does_not_have(file: str, form: str) -> None:
    status, _, err = run(f"{file}:app", "--machine", "any", "--format", form)
    assert status == 2
    assert f"not as {form}" in err


def test_the_page_says_where_and_shows_the_smallest_machine(file: str) -> None:
    status, page, _ = run(f"{file}:app", "--machine", "any", "--format", "html")
    _, text, _ = run(f"{file}:app", "--machine", "any")
    assert status == 1
    assert page.startswith("<!DOCTYPE html>")
    shown = " ".join(re.sub(r"<[^>]*>", "", page).split())
    for line in re.findall(r"\] (.*): (on every machine .*)\n  the smallest of them, (.*?): ", text):
        assert all(part in shown for part in line), line


@pytest.mark.parametrize(
    ("question", "member", "text"),
    [
        ("stands", "findings", "cpu: 12 asked for, 8 available"),
        ("who", "who", "1. lib by itself"),
        ("happen", "can_happen", "cpu: yes, as it stands"),
        ("avoid", "avoidable", "Yes, for instance with"),
        ("right", "right", "1. --jobs 2"),
    ],
)
def test_one_question(file: str, question: str, member: str, text: str) -> None:
    status, out, _ = run(f"{file}:app", "--question", question)
    assert status == 1
    assert text in out
    _, out, _ = run(f"{file}:app", "--question", question, "--format", "json")
    told = json.loads(out)
    assert told["asked"] == [question]
    others = {"findings", "who", "can_happen", "avoidable", "right"} - {member}
    assert member in told
    assert not others & set(told)


def test_figures_that_are_fixed_are_told(file: str) -> None:
    _, out, _ = run(
        file + ":app", "--machine", "any", "--range", "cpus.online=3", "--range", "memory.total=1..2GB"
    )
    assert "  cpus.online = 3\n" in out


def test_questions_are_about_one_machine(file: str) -> None:
    for words in (("--machine", "any"), ("--range", "cpus.online=1..4"), ("--machine", "fleet")):
        code, out, err = run(file + ":app", *words, "--question", "right")
        assert (code, out) == (2, "")
        assert err == (
            "lpclc compose: '--question' is about one machine: leave it out, or name a machine without "
            "ranges\n"
        )


@pytest.mark.parametrize(
    "order", [("app", "on_a_fleet"), ("on_a_fleet", "app"), ("app", "smaller"), ("smaller", "app")]
)
def test_applications_with_ranges_name_one_machine(file: str, order: tuple[str, str]) -> None:
    smaller = "application smaller { machine { cpus.online = 8  memory.total = 2 GiB }  "
    smaller += "use lib  run { lib.fit } }\n"
    Path(file).write_text(APP + smaller)
    names = [f"{file}:{name}" for name in order]
    ranges = () if "on_a_fleet" in order else ("--range", "cpus.online=1..8")
    code, out, err = run(*names, *ranges)
    assert (code, out) == (2, "")
    assert "error[impossible-machine]" in err or "error[machine-range]" in err
    assert run(*names, "--machine", "any")[0] == 1


def test_applications_that_state_one_machine_share_its_ranges(file: str) -> None:
    code, out, _ = run(f"{file}:app", f"{file}:app", "--range", "cpus.online=1..64")
    assert code == 1
    assert out.startswith("app#1 and app#2 on their own machine, with\n  cpus.online in 1..64\n")
