"""Rendering: whatever the places are, the marks stand below what they mean."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from lpcl.diagnostics.diagnostic import (
    Diagnostic,
    Edit,
    Fix,
    FixGrade,
    Label,
    Location,
    Severity,
    in_order,
)
from lpcl.diagnostics.render import json as as_json
from lpcl.diagnostics.render import text as as_text

TEXT = "first line\n\tsecond 行 line\n\nlast"


def finding(start: int, end: int, *labels: tuple[int, int], path: str = "a.lpcl") -> Diagnostic:
    """A finding with labels at the given places."""
    return Diagnostic(
        "unknown-name",
        Severity.ERROR,
        "headline",
        Location(path, start, end),
        label="here",
        labels=tuple(Label(Location(path, *place), f"label {place[0]}") for place in labels),
        help="help",
    )


def test_marks_stand_below_wide_characters_and_tabs() -> None:
    start = TEXT.index("行")
    shown = as_text.render([finding(start, start + 1)], {"a.lpcl": TEXT})
    lines = shown.splitlines()
    assert lines[3] == "2 |     second 行 line"
    assert lines[4] == "  |            ^^ here"


def test_a_finding_over_several_lines_marks_the_first() -> None:
    shown = as_text.render([finding(6, len(TEXT))], {"a.lpcl": TEXT})
    assert shown.splitlines()[3:5] == ["1 | first line", "  |       ^^^^ here"]


def test_a_finding_without_a_text_is_a_headline() -> None:
    shown = as_text.render([finding(0, 0, path="missing")], {})
    assert shown == "error[unknown-name]: headline\n  = help: help\n"


places = st.tuples(st.integers(0, len(TEXT) + 2), st.integers(0, len(TEXT) + 2))


@given(places, st.lists(places, max_size=4), st.booleans())
def test_any_places_can_be_shown(
    primary: tuple[int, int], labels: list[tuple[int, int]], colour: bool
) -> None:
    shown = as_text.render([finding(*primary, *labels)], {"a.lpcl": TEXT}, colour=colour)
    assert "headline" in shown
    for label in labels:
        assert f"label {label[0]}" in shown


@given(st.text(max_size=200), st.integers(0, 200), st.integers(0, 200))
def test_any_text_can_be_shown(text: str, start: int, end: int) -> None:
    shown = as_text.render([finding(start, end)], {"a.lpcl": text})
    assert all(character.isprintable() or character == "\n" for character in shown if character < "\x7f")
    json.loads(as_json.render([finding(start, end)], {"a.lpcl": text}, 1))


def test_a_line_of_megabytes_is_cut() -> None:
    text = "x + " * 1_000_000 + "wrong" + " + x" * 1_000_000
    start = text.index("wrong")
    shown = as_text.render([finding(start, start + 5)], {"a.lpcl": text})
    assert len(shown) < 1000
    marked, marks = shown.splitlines()[3:5]
    assert marked[marks.index("^") :].startswith("wrong")


def test_summary() -> None:
    warning = Diagnostic("unknown-variable", Severity.WARNING, "x", Location("b.lpcl", 0, 1))
    assert as_text.summary([], ["a.lpcl"]) == "1 file checked, nothing to report."
    found = [finding(0, 1), finding(1, 2), warning]
    three = ["a.lpcl", "b.lpcl", "c.lpcl"]
    assert as_text.summary(found, three) == "2 errors and 1 warning in 2 files; 3 files checked."
    beside = "2 errors and 1 warning in 2 files; 1 file checked, and what it leads to."
    assert as_text.summary(found, ["a.lpcl"]) == beside


def test_json_has_places_and_fixes() -> None:
    place = Location("a.lpcl", 12, 18)
    item = Diagnostic(
        "unknown-name",
        Severity.WARNING,
        "headline",
        place,
        fix=Fix("rename it", FixGrade.SAFE, (Edit(place, "other"),)),
    )
    document = as_json.document([item], {"a.lpcl": TEXT}, 1)
    (shown,) = document["findings"]
    assert shown["range"] == {
        "start": {"line": 2, "column": 2, "offset": 12},
        "end": {"line": 2, "column": 8, "offset": 18},
    }
    assert shown["fix"]["grade"] == "safe"
    assert shown["fix"]["edits"][0]["text"] == "other"
    assert document["summary"] == {"errors": 0, "warnings": 1, "remarks": 0, "files": 1}
    assert as_json.document([item], {}, 0)["findings"][0]["range"] is None


def test_findings_are_shown_once_and_by_place() -> None:
    early, late = finding(1, 2), finding(5, 6)
    assert in_order([late, early, late]) == (early, late)
