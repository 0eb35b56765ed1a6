"""What rules found about the items of a text, kept for as long as it holds.

A unit of work is about one item. What it found is kept under the item's piece, with the questions that it
asked about the rest of the program, and taken again where each has the answer that it had, and where the
pieces that its findings point into are still there. Their places follow the pieces.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from lpcl.check.asking import Answers, Asking, Notes
from lpcl.diagnostics.diagnostic import Diagnostic, Edit, Fix, Label, Location
from lpcl.model.program import SourceFile
from lpcl.syntax.pieces import Piece, Placed

Key = tuple[str, str, Piece, int]
"""The name of the unit, the path of the file, and the item."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What a unit found, with the questions that it asked; `places` are the pieces that locations lie in."""

    value: Any
    findings: tuple[Diagnostic, ...]
    notes: Notes
    places: tuple[tuple[Location, Placed], ...]

    def now(self, answers: Answers) -> Kept | None:
        """The same in a later program; None where it has to be found again."""
        if not answers.holds(self.notes):
            return None
        places: list[tuple[Location, Placed]] = []
        moved: dict[Location, Location] = {}
        for location, before in self.places:
            placed = answers.placed(location.path, before.piece)
            if placed is None:
                return None
            by = placed.by - before.by
            now = Location(location.path, location.start + by, location.end + by) if by else location
            places.append((now, placed))
            moved[location] = now
        if all(one is other for one, other in moved.items()):
            return self
        findings = tuple(_moved(item, moved) for item in self.findings)
        return Kept(self.value, findings, self.notes, tuple(places))


@dataclass
class Memo:
    """What was kept from one check for the next."""

    kept: Mapping[Key, Kept] = field(default_factory=dict)


def places(
    findings: Iterable[Diagnostic], files: Mapping[str, SourceFile], own: str, unit: Placed
) -> tuple[tuple[Location, Placed], ...]:
    """The pieces that locations lie in; the `unit` itself, in the file `own`, comes before its neighbours."""
    found: dict[Location, Placed] = {}
    for location in (place for item in findings for place in _locations(item)):
        if location.path == own and unit.begin <= location.start and location.end <= unit.end:
            found[location] = unit
        else:
            found[location] = Asking.piece_at(files[location.path], location.start)
    return tuple(found.items())


def _locations(item: Diagnostic) -> Iterator[Location]:
    yield item.location
    yield from (label.location for label in item.labels)
    yield from (edit.location for edit in (item.fix.edits if item.fix is not None else ()))


def _moved(item: Diagnostic, moved: Mapping[Location, Location]) -> Diagnostic:
    fix: Fix | None = item.fix
    if fix is not None:
        fix = replace(fix, edits=tuple(Edit(moved[edit.location], edit.text) for edit in fix.edits))
    labels = tuple(Label(moved[label.location], label.message) for label in item.labels)
    return replace(item, location=moved[item.location], labels=labels, fix=fix)
