"""What a comparison finds: changes, each with what it means for who uses the contract."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from lpcl.model.program import Origin


class Level(Enum):
    """What a change does; `rank` orders them, gravest first."""

    BREAKS = "breaks"
    UNDECIDED = "not decided"
    ADDS = "adds"
    NEUTRAL = "neutral"

    @property
    def rank(self) -> int:
        """0 for what breaks."""
        return list(Level).index(self)


class Release(Enum):
    """The part of a version number that changes deserve to raise."""

    MAJOR = "major"
    MINOR = "minor"
    PATCH = "patch"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Change:
    """One difference. `rule` names its kind, `subject` the declaration, `headline` stands alone.

    `witness` are the values that show it (``threads = 32``), empty where it is so whatever they are. `old`
    and `new` are where the two versions say it.
    """

    level: Level
    rule: str
    subject: str
    headline: str
    witness: str = ""
    old: Origin | None = None
    new: Origin | None = None

    def sort_key(self) -> tuple[str, int, str, int, str, str]:
        """By declaration, then gravest first, then by place."""
        place = self.new or self.old
        path, start = ("", 0) if place is None else (place.file.path, place.span.start)
        return self.subject, self.level.rank, path, start, self.rule, self.headline


def in_order(changes: Iterable[Change]) -> tuple[Change, ...]:
    """Changes in the order in which they are told, each once."""
    return tuple(sorted(dict.fromkeys(changes), key=Change.sort_key))


def deserved(changes: Iterable[Change]) -> Release:
    """The version number that changes deserve; what is not decided may break."""
    levels = {change.level for change in changes}
    if levels & {Level.BREAKS, Level.UNDECIDED}:
        return Release.MAJOR
    if Level.ADDS in levels:
        return Release.MINOR
    return Release.PATCH if levels else Release.NONE
