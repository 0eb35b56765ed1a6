"""The one value in which every stage reports what it found in a text."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Severity(Enum):
    """How much a finding matters; `rank` orders them, gravest first."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"

    @property
    def rank(self) -> int:
        """0 for an error, 1 for a warning, 2 for information."""
        return ("error", "warning", "info").index(self.value)


@dataclass(frozen=True, slots=True, order=True)
class Location:
    """Characters `start` up to, not including, `end` (from 0) of the file `path`."""

    path: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Label:
    """A second place that belongs to a finding, with what it has to do with it."""

    location: Location
    message: str


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the text at `location` by `text`."""

    location: Location
    text: str


class FixGrade(Enum):
    """`SAFE` never changes the meaning, `UNSAFE` may, `SHOWN` is an idea that no tool applies."""

    SAFE = "safe"
    UNSAFE = "unsafe"
    SHOWN = "shown"


@dataclass(frozen=True, slots=True)
class Fix:
    title: str
    grade: FixGrade
    edits: tuple[Edit, ...]


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A finding: its code, how grave it is, a headline that stands alone, where it is, and what helps.

    `code` is the name of a `lpcl.diagnostics.codes.Code`. `label` is what the primary place says, `labels`
    are the other places that explain it, `notes` are further facts and `help` says what to do.
    """

    code: str
    severity: Severity
    headline: str
    location: Location
    label: str = ""
    labels: tuple[Label, ...] = ()
    notes: tuple[str, ...] = ()
    help: str | None = None
    fix: Fix | None = None

    def sort_key(self) -> tuple[str, int, int, int, str, str]:
        """By file and place, then by gravity: the order in which findings are shown."""
        place = self.location
        return (place.path, place.start, place.end, self.severity.rank, self.code, self.headline)


def in_order(diagnostics: list[Diagnostic]) -> tuple[Diagnostic, ...]:
    """The findings sorted by place, each once."""
    return tuple(sorted(dict.fromkeys(diagnostics), key=Diagnostic.sort_key))
