"""Fixes applied to texts."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass

from lpcl.diagnostics.diagnostic import Edit, Fix, FixGrade


@dataclass(frozen=True, slots=True)
class Applied:
    """The texts that have become others, by path, and how many fixes were applied."""

    texts: Mapping[str, str]
    number: int


SAFE = frozenset({FixGrade.SAFE})
UNSAFE = frozenset({FixGrade.SAFE, FixGrade.UNSAFE})
"""The grades that are applied where those that may change the meaning are wanted, too."""


def apply(fixes: Iterable[Fix], texts: Mapping[str, str], grades: Set[FixGrade] = SAFE) -> Applied:
    """Apply the fixes of some grades, in order; one that touches what an earlier one changes waits.

    A fix is applied as a whole or not at all, and only to files that are in `texts`.
    """
    taken: dict[str, list[Edit]] = {}
    number = 0
    for fix in fixes:
        if fix.grade in grades and fix.edits and _fits(fix, taken, texts):
            number += 1
            for edit in fix.edits:
                held = taken.setdefault(edit.location.path, [])
                held.insert(_behind(held, edit), edit)
    return Applied({path: edited(texts[path], edits) for path, edits in taken.items()}, number)


def edited(text: str, edits: Iterable[Edit]) -> str:
    """A text with some edits, which do not overlap."""
    parts: list[str] = []
    end = 0
    for edit in sorted(edits, key=lambda edit: edit.location):
        parts += text[end : edit.location.start], edit.text
        end = edit.location.end
    return "".join((*parts, text[end:]))


def _fits(fix: Fix, taken: Mapping[str, list[Edit]], texts: Mapping[str, str]) -> bool:
    for number, edit in enumerate(fix.edits):
        place = edit.location
        text = texts.get(place.path)
        if text is None or not 0 <= place.start <= place.end <= len(text):
            return False
        held = taken.get(place.path, [])
        behind = _behind(held, edit)  # those that are held touch nobody, so that the neighbours are enough
        if any(
            _touch(edit, other) for other in (*held[max(behind - 1, 0) : behind + 1], *fix.edits[:number])
        ):
            return False
    return True


def _behind(held: list[Edit], edit: Edit) -> int:
    return bisect_right(held, edit.location.start, key=lambda other: other.location.start)


def _touch(one: Edit, other: Edit) -> bool:
    left, right = one.location, other.location
    return left.path == right.path and left.start <= right.end and right.start <= left.end
