"""Fixes applied to texts."""

from __future__ import annotations

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
                taken.setdefault(edit.location.path, []).append(edit)
    return Applied({path: edited(texts[path], edits) for path, edits in taken.items()}, number)


def edited(text: str, edits: Iterable[Edit]) -> str:
    """A text with some edits, which do not overlap."""
    for edit in sorted(edits, key=lambda edit: edit.location, reverse=True):
        text = text[: edit.location.start] + edit.text + text[edit.location.end :]
    return text


def _fits(fix: Fix, taken: Mapping[str, list[Edit]], texts: Mapping[str, str]) -> bool:
    for number, edit in enumerate(fix.edits):
        place = edit.location
        text = texts.get(place.path)
        if text is None or not 0 <= place.start <= place.end <= len(text):
            return False
        if any(_touch(edit, other) for other in (*taken.get(place.path, ()), *fix.edits[:number])):
            return False
    return True


def _touch(one: Edit, other: Edit) -> bool:
    left, right = one.location, other.location
    return left.path == right.path and left.start <= right.end and right.start <= left.end
