"""Braces judged by the lines' indentation, and words by their letters."""

from __future__ import annotations

import pytest

from lpcl.syntax.effort import Effort
from lpcl.syntax.layout import layout
from lpcl.syntax.lines import Lines
from lpcl.syntax.spelling import distance, nearest

GOOD = """\
contract a {
  pool p { size 4 }
  control c: count {
    default 4
  }
  demand memory = 3
}
"""


def marks(text: str) -> list[tuple[str, int]]:
    """What is found, with the line (from 1) where it is."""
    lines = Lines(text)
    found = layout(text, lines, 0, len(text), Effort())
    kinds = {"closing": found.closing, "opening": found.opening, "stray": found.stray}
    return sorted((kind, lines.line(offset) + 1) for kind, offsets in kinds.items() for offset in offsets)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("size", "size", []),
        ("size 4 }", "size 4", [("closing", 3)]),
        ("    default 4\n  }", "    default 4", [("closing", 5)]),
        ("3\n}", "3", [("closing", 7)]),
        ("size 4 }", "size 4 } }", [("stray", 2)]),
        ("default 4\n", "default 4\n  }\n    read at load\n", [("stray", 5)]),
        ("  pool", "  }\n  pool", [("stray", 2)]),
        ("3\n}", "3\n}\n}", [("stray", 8)]),
        ("count {", "count", [("opening", 4)]),
        ("a {\n", "a\n", [("opening", 2)]),
        ("a {\n", "a\n{\n", []),
        ("demand memory = 3", 'demand memory = 3 // {\n  let t = "{"\n  let u = """\n{\n"""', []),
    ],
)
def test_layout(old: str, new: str, expected: list[tuple[str, int]]) -> None:
    assert GOOD.count(old) == 1
    assert marks(GOOD.replace(old, new)) == expected


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("demnad", "demand"), ("dmand", "demand"), ("demandd", "demand"), ("DEMAND", "demand"),
        ("demand", None),
        ("dmnd", None), ("xyz", None), ("lt", "let"), ("e", None), ("polo", "pool"), ("x" * 50, None),
    ],
)  # fmt: skip
def test_nearest(word: str, expected: str | None) -> None:
    assert nearest(word, ("demand", "let", "pool", "boot")) == expected


def test_two_equally_near_words_are_none() -> None:
    assert nearest("boo", ("boot", "book")) is None


@pytest.mark.parametrize(
    ("left", "right", "steps"),
    [("", "", 0), ("ab", "ba", 1), ("abc", "abd", 1), ("abc", "xyz", 3)],
)
def test_distance(left: str, right: str, steps: int) -> None:
    assert distance(left, right, 9) == steps
    assert distance(left, right, 1) == min(steps, 1)
