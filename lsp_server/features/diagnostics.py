"""Findings as the editor shows them, and which of them are to be published for which file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from lsprotocol import types

import lpcl
from lpcl.diagnostics.diagnostic import Diagnostic, Location, Severity
from lpcl.syntax.span import Span
from lsp_server.positions import Positions
from lsp_server.views import View, absolute

SOURCE = "lpcl"

_SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.INFO: types.DiagnosticSeverity.Information,
}
_PACKAGE = Path(lpcl.__file__).resolve().parent
_PAGES = (_PACKAGE / "diagnostics" / "pages", _PACKAGE.parent / "docs" / "diagnostics")

Found = Mapping[str, tuple[types.Diagnostic, ...]]


def findings(view: View, uri: Callable[[str], str], *, values: bool = False) -> Found:
    """All findings of a view by the absolute path of their file; the document's own is always among them.

    With `values`, those about what values can come to are there, too, which takes longer.
    """
    writer = _Writer(view, uri)
    found: dict[str, list[types.Diagnostic]] = {view.path: []}
    workspace = view.workspace
    for item in workspace.all_diagnostics if values else workspace.diagnostics:
        found.setdefault(absolute(item.location.path), []).append(writer.diagnostic(item))
    return {path: tuple(items) for path, items in found.items()}


class _Writer:
    def __init__(self, view: View, uri: Callable[[str], str]) -> None:
        self._view = view
        self._uri = uri
        self._positions: dict[str, Positions] = {}

    def diagnostic(self, item: Diagnostic) -> types.Diagnostic:
        page = page_uri(item.code)
        return types.Diagnostic(
            range=self._range(item.location),
            message=message(item),
            severity=_SEVERITIES[item.severity],
            code=item.code,
            code_description=types.CodeDescription(page) if page else None,
            source=SOURCE,
            related_information=[
                types.DiagnosticRelatedInformation(
                    types.Location(self._uri(absolute(label.location.path)), self._range(label.location)),
                    label.message,
                )
                for label in item.labels
            ],
        )

    def _range(self, place: Location) -> types.Range:
        positions = self._positions.get(place.path)
        if positions is None:
            text = self._view.workspace.texts.get(place.path, "")
            positions = self._positions[place.path] = Positions(text, self._view.encoding)
        return positions.range(Span(place.start, place.end))


def message(item: Diagnostic) -> str:
    """The headline, what the marked place is said to be, notes and help, one a line."""
    lines = [item.headline]
    if item.label and item.label not in item.headline:
        lines.append(item.label)
    lines += [f"note: {note}" for note in item.notes]
    if item.help:
        lines.append(f"help: {item.help}")
    return "\n".join(lines)


def page_uri(code: str) -> str | None:
    """The address of a code's page, where the pages are at hand."""
    return next((page.as_uri() for folder in _PAGES if (page := folder / f"{code}.md").is_file()), None)


class Board:
    """What is published: an open document's own findings, and of another file those of all its importers."""

    def __init__(self) -> None:
        self._found: dict[str, Found] = {}

    def put(self, path: str, found: Found) -> dict[str, tuple[types.Diagnostic, ...]]:
        """Note the findings of the open document at `path`; gives what changes, itself always included."""
        return self._changes(path, found)

    def has(self, path: str, found: Found) -> bool:
        """Whether these are the findings of the open document at `path` that were noted last."""
        return self._found.get(path) == found

    def remove(self, path: str) -> dict[str, tuple[types.Diagnostic, ...]]:
        """Forget the findings of a document that was closed; gives what changes."""
        return self._changes(path, None)

    def _changes(self, path: str, found: Found | None) -> dict[str, tuple[types.Diagnostic, ...]]:
        touched = {path, *self._found.get(path, ()), *(found or ())}
        before = {item: self._of(item) for item in touched}
        if found is None:
            self._found.pop(path, None)
        else:
            self._found[path] = found
        after = {item: self._of(item) for item in sorted(touched)}
        return {item: now for item, now in after.items() if item == path or now != before[item]}

    def _of(self, path: str) -> tuple[types.Diagnostic, ...]:
        own = self._found.get(path)
        if own is not None:
            return own[path]
        merged: list[types.Diagnostic] = []
        for found in self._found.values():
            merged += (item for item in found.get(path, ()) if item not in merged)
        return tuple(merged)
