"""Findings, and results of tests, as JUnit XML: a suite for each file, a case for each finding or test.

A file without findings is one case that passes. Findings that do not fail the command are cases that pass,
too, with the finding as their output.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from xml.etree import ElementTree

from lpcl.diagnostics.diagnostic import Diagnostic, Severity
from lpcl.diagnostics.places import Places

_ILLEGAL = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class Case:
    """One test case. `failure` is what went wrong in a line, None where it passed; `text` says more."""

    name: str
    line: int | None = None
    failure: str | None = None
    text: str = ""


def render(
    diagnostics: Iterable[Diagnostic],
    texts: Mapping[str, str],
    files: Iterable[str],
    failing: Severity = Severity.ERROR,
) -> str:
    """All findings. `files` are the files that were checked; findings as grave as `failing` are failures."""
    places = Places(texts)
    suites: dict[str, list[Case]] = {}
    for item in diagnostics:
        suites.setdefault(item.location.path, []).append(_case(places, item, failing))
    for path in files:
        suites.setdefault(path, [Case("check")])
    return document("lpclc check", dict(sorted(suites.items())))


def _case(places: Places, item: Diagnostic, failing: Severity) -> Case:
    region = places.region(item.location)
    where = f"{item.location.path}:{region.line}:{region.column}" if region else item.location.path
    lines = [f"{where}: {item.severity.value}[{item.code}] {item.headline}"]
    for label in item.labels:
        other = places.region(label.location)
        at = f"{label.location.path}:{other.line}:{other.column}" if other else label.location.path
        lines.append(f"{at}: {label.message}")
    lines += [f"note: {note}" for note in item.notes]
    if item.help:
        lines.append(f"help: {item.help}")
    fails = item.severity.rank <= failing.rank
    name = f"{item.code} at {region.line}:{region.column}" if region else item.code
    return Case(name, region.line if region else None, item.headline if fails else None, "\n".join(lines))


def document(name: str, suites: Mapping[str, Sequence[Case]]) -> str:
    """The XML of some suites of cases."""
    root = ElementTree.Element(
        "testsuites", _counts(name, [case for item in suites.values() for case in item])
    )
    for path, cases in suites.items():
        suite = ElementTree.SubElement(root, "testsuite", _counts(path, cases))
        for case in cases:
            attributes = {"name": _legal(case.name), "classname": _legal(path), "file": _legal(path)}
            if case.line is not None:
                attributes["line"] = str(case.line)
            element = ElementTree.SubElement(suite, "testcase", attributes)
            if case.failure is not None:
                failure = ElementTree.SubElement(element, "failure", {"message": _legal(case.failure)})
                failure.text = _legal(case.text)
            elif case.text:
                ElementTree.SubElement(element, "system-out").text = _legal(case.text)
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ElementTree.tostring(root, encoding="unicode")


def _counts(name: str, cases: Sequence[Case]) -> dict[str, str]:
    failures = sum(case.failure is not None for case in cases)
    return {"name": _legal(name), "tests": str(len(cases)), "failures": str(failures), "errors": "0"}


def _legal(text: str) -> str:
    return _ILLEGAL.sub("\ufffd", text)
