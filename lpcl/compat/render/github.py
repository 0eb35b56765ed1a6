"""Changes as workflow commands, which GitHub shows beside the lines of a pull request."""

from __future__ import annotations

from collections.abc import Sequence

from lpcl.compat.change import Change, Level
from lpcl.compat.render.text import where
from lpcl.diagnostics.diagnostic import Diagnostic, Location, Severity
from lpcl.diagnostics.render import github

_SEVERITY = {
    Level.BREAKS: Severity.ERROR,
    Level.UNDECIDED: Severity.WARNING,
    Level.ADDS: Severity.INFO,
    Level.NEUTRAL: Severity.INFO,
}


def render(changes: Sequence[Change]) -> str:
    """One command a change, at its place in the new version, else in the old one."""
    found: list[Diagnostic] = []
    texts: dict[str, str] = {}
    for change in changes:
        place = change.new or change.old
        if place is None:
            continue
        texts[place.file.path] = place.file.text
        at = f", at {change.witness}" if change.witness else ""
        notes = (f"before: {where(change.old)}",) if change.old is not None and change.new is not None else ()
        found.append(
            Diagnostic(
                change.rule,
                _SEVERITY[change.level],
                f"{change.subject}: {change.headline}{at}",
                Location(place.file.path, place.span.start, place.span.end),
                notes=notes,
            )
        )
    return github.render(found, texts)
