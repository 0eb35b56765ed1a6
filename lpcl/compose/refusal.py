"""The reason why an application cannot be composed at all."""

from __future__ import annotations

from lpcl.diagnostics.diagnostic import Diagnostic, Label, Location, Severity
from lpcl.model.program import Origin


def location(origin: Origin) -> Location:
    """A clause's place as diagnostics give it."""
    return Location(origin.file.path, origin.span.start, origin.span.end)


class Refusal(Exception):
    """Raised inside `lpcl.compose` and turned into a diagnostic at its door; never seen outside."""

    def __init__(
        self,
        code: str,
        headline: str,
        origin: Origin,
        *,
        label: str = "",
        labels: tuple[tuple[Origin, str], ...] = (),
        notes: tuple[str, ...] = (),
        help: str | None = None,
    ) -> None:
        super().__init__(headline)
        self.diagnostic = Diagnostic(
            code,
            Severity.ERROR,
            headline,
            location(origin),
            label=label,
            labels=tuple(Label(location(place), text) for place, text in labels),
            notes=notes,
            help=help,
        )
