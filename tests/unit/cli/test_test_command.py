"""`lpclc test`: results for people and for programs."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result

from lpcl.cli import cli

TEXT = """package p

import lpcl.core.*

contract solver {
  control threads: count in 1..64 { env SOLVER_THREADS  default 4 }
  pool team { size threads  callers fork }
  operation solve { runs on team }
}

application report {
  machine { cpus.online = 2 }
  use solver
  run { solver.solve }
}

test "four on two" {
  check report
  expect overcommit cpu 4 / 2
}

test "it is calm" {
  check report
  expect clean
}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with one test that passes and one that fails."""
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "a.lpcl").write_text(TEXT)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*words: str) -> Result:
    """Run the command."""
    return CliRunner().invoke(cli, ["test", *words], catch_exceptions=False)


@pytest.mark.usefixtures("folder")
def test_text() -> None:
    found = run("-v")
    assert found.exit_code == 1
    lines = found.stdout.splitlines()
    assert lines[0] == "ok    four on two"
    assert lines[1] == "FAIL  it is calm  (a.lpcl:22)"
    assert lines[2] == "      report: expect clean  (a.lpcl:24)"
    assert lines[3] == "      but found:"
    assert lines[-1] == "1 passed, 1 failed"


@pytest.mark.usefixtures("folder")
def test_json() -> None:
    found = run("--format", "json")
    assert found.exit_code == 1
    document = json.loads(found.stdout)
    assert document["summary"] == {"passed": 1, "failed": 1}
    assert [test["title"] for test in document["tests"]] == ["four on two", "it is calm"]
    failed = document["tests"][1]
    assert (failed["path"], failed["line"], failed["passed"]) == ("a.lpcl", 22, False)
    (expectation,) = failed["expectations"]
    assert expectation["expected"] == "expect clean"
    assert expectation["found"]
    assert run("--format", "json", "-k", "four").exit_code == 0


@pytest.mark.usefixtures("folder")
def test_junit() -> None:
    root = ElementTree.fromstring(run("--format", "junit").stdout)
    assert root.attrib == {"name": "lpclc test", "tests": "2", "failures": "1", "errors": "0"}
    passed, failed = root[0]
    assert (passed.get("name"), list(passed)) == ("four on two", [])
    failure = failed.find("failure")
    assert failure is not None
    assert failure.get("message") == "report: expect clean  (a.lpcl:24)"


@pytest.mark.usefixtures("folder")
def test_github_shows_what_fails_beside_the_expectation() -> None:
    found = run("--format", "github")
    assert found.exit_code == 1
    annotation, summary = found.stdout.splitlines()
    assert summary == "1 passed, 1 failed"
    place, message = annotation.removeprefix("::error ").split("::")
    assert place == "file=a.lpcl,line=24,endLine=24,col=3,endColumn=15,title=test failed%3A it is calm"
    first, but, *instead = message.split("%0A")
    assert (first, but) == ("report: expect clean", "but found:")
    assert any("4" in line and "2" in line for line in instead)
    passing = run("--format", "github", "-k", "four")
    assert (passing.exit_code, passing.stdout) == (0, "1 passed, 0 failed\n")


def test_github_shows_what_keeps_a_test_from_being_judged(folder: Path) -> None:
    (folder / "a.lpcl").write_text(TEXT.replace("  expect clean\n", "  env NO_SUCH = 1\n  expect clean\n"))
    found = run("--format", "github")
    (errors, other) = (
        [line for line in found.stdout.splitlines() if line.startswith("::error file=a.lpcl,line=")],
        [line for line in found.stdout.splitlines() if not line.startswith("::")],
    )
    assert (found.exit_code, len(errors), other) == (1, 1, ["1 passed, 1 failed"])


def test_broken_files_are_reported_in_the_format(folder: Path) -> None:
    (folder / "a.lpcl").write_text(TEXT.replace("size threads", "size thraeds"))
    found = run("--format", "json")
    assert found.exit_code == 2
    document = json.loads(found.stdout)
    assert (document["tests"], [item["code"] for item in document["findings"]]) == ([], ["unknown-name"])
    found = run("--format", "junit")
    assert found.exit_code == 2
    assert ElementTree.fromstring(found.stdout).get("failures") == "1"
    found = run("--format", "github")
    assert found.exit_code == 2
    assert [line.split(",")[0] for line in found.stdout.splitlines()] == ["::error file=a.lpcl"]
    assert "title=error[unknown-name]::" in found.stdout
    assert run().exit_code == 2


def test_without_tests(folder: Path) -> None:
    (folder / "a.lpcl").write_text("package p\n")
    found = run("--format", "json")
    assert found.exit_code == 2
    assert json.loads(found.stdout)["tests"] == []
    assert "There are no tests here." in found.stderr
    assert run("-k", "such").stderr == "There are no tests here with 'such' in their titles.\n"
    (folder / "a.lpcl").unlink()
    assert (run().exit_code, run().stderr) == (2, "There are no .lpcl files here.\n")
