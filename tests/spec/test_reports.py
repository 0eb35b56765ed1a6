"""The field reports of `tests/reports`: each test that is written for one passes, and fits its verdict."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from lpcl import service
from lpcl.compose.expectations import all_tests
from lpcl.syntax import nodes
from tests.spec.test_reports_table import NOT_YET

ROOT = Path(__file__).resolve().parents[2]
REPORTS = ROOT / "tests" / "reports"
SECTION = re.compile(r"^// -{8,} (\S+)$", re.MULTILINE)
ALARMS = (
    nodes.ExpectOvercommit,
    nodes.ExpectSerialized,
    nodes.ExpectHazard,
    nodes.ExpectAssumption,
    nodes.ExpectUnderuse,
)
QUIET = (nodes.ExpectClean, nodes.ExpectNo, nodes.ExpectSafe)


@cache
def reports() -> list[dict[str, Any]]:
    """The reports as they were collected."""
    found: list[dict[str, Any]] = yaml.safe_load((REPORTS / "reports.yaml").read_text(encoding="utf-8"))
    return found


@cache
def workspace() -> service.Workspace:
    """All applications and tests that are written for reports."""
    return service.open_workspace([str(REPORTS)])


@cache
def written() -> dict[str, list[nodes.Test]]:
    """The tests of each report: those between the line with its id and the next such line."""
    found: dict[str, list[nodes.Test]] = {}
    for file, test in all_tests(workspace().program, workspace().targets):
        before = SECTION.findall(file.text, 0, test.span.start)
        assert before, f"{file.path}: the test {test.title.value!r} belongs to no report"
        found.setdefault(before[-1], []).append(test)
    return found


def titles() -> list[str]:
    """The titles of all tests."""
    return [test.title.value for tests in written().values() for test in tests]


def test_files_are_clean() -> None:
    assert [f"{item.location.path}: {item.headline}" for item in workspace().diagnostics] == []


def test_titles_are_unique() -> None:
    assert len(set(titles())) == len(titles())


@pytest.mark.parametrize("title", titles())
def test_report(title: str) -> None:
    (result,) = [item for item in service.run_tests(workspace(), title) if item.title == title]
    assert [item.headline for item in result.diagnostics] == []
    failed = ["\n    ".join([one.expected, *one.found]) for one in result.judgements if not one.met]
    assert failed == []


@pytest.mark.parametrize("report", reports(), ids=lambda report: str(report["id"]))
def test_verdict(report: dict[str, Any]) -> None:
    expectations = [clause for test in written().get(report["id"], []) for clause in test.clauses]
    if report["id"] in NOT_YET:
        pytest.skip(NOT_YET[report["id"]])
    assert expectations, "nothing is written for it"
    if report["verdict"] == "no_conflict":
        assert any(isinstance(clause, nodes.ExpectClean | nodes.ExpectNo) for clause in expectations)
    else:
        assert any(isinstance(clause, ALARMS) for clause in expectations), report["right_answer"]
    if report["verdict"] == "conditional":
        assert any(isinstance(clause, QUIET) for clause in expectations), report["right_answer"]


def test_every_section_is_a_report() -> None:
    assert set(written()) <= {report["id"] for report in reports()}
