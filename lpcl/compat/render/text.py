"""Changes for people: by declaration, each with the values that show it and its places in both versions."""

from __future__ import annotations

from collections.abc import Sequence

from lpcl.cache.territory import shown_path
from lpcl.compat.change import Change, Level, Release
from lpcl.diagnostics.lines import Lines
from lpcl.model.program import Origin

_DESERVES = {
    Release.MAJOR: "a new major version",
    Release.MINOR: "a new minor version",
    Release.PATCH: "a new patch version",
    Release.NONE: "no new version",
}


def render(changes: Sequence[Change]) -> str:
    """One paragraph a declaration."""
    lines: list[str] = []
    subject = None
    for change in changes:
        if change.subject != subject:
            lines += [""] * bool(lines) + [change.subject]
            subject = change.subject
        at = f", at {change.witness}" if change.witness else ""
        headline = change.headline.removesuffix(" is not decided")
        lines.append(f"  {change.level.value}: {headline}{at}")
        for word, place in (("old", change.old), ("new", change.new)):
            if place is not None:
                lines.append(f"      {word} {where(place)}")
    return "\n".join(lines)


def where(place: Origin) -> str:
    """A place as `path:line:column`."""
    line, column = Lines(place.file.text).place(place.span.start)
    return f"{shown_path(place.file.path)}:{line}:{column}"


def summary(changes: Sequence[Change], release: Release, following: str | None, hidden: int) -> str:
    """What it comes to."""
    if not changes:
        return "Nothing has changed."
    counts = [
        (Level.BREAKS, "breaks", "break"),
        (Level.UNDECIDED, "is not decided", "are not decided"),
        (Level.ADDS, "adds", "add"),
        (Level.NEUTRAL, "changes nothing for users", "change nothing for users"),
    ]
    told = []
    for level, one, several in counts:
        number = sum(change.level is level for change in changes)
        if number:
            told.append(f"{number} {one if number == 1 else several}")
    what = f"{', '.join(told)}."
    called = f": {following}" if following is not None else ""
    lines = [f"{what} This deserves {_DESERVES[release]}{called}."]
    if hidden:
        lines.append(f"{hidden} not shown; --verbose shows {'it' if hidden == 1 else 'them'}.")
    return "\n".join(lines)
