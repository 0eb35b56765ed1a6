"""Findings for programs: one JSON object whose shape is stable.

`{"version": 1, "findings": [...], "summary": {...}}`. A finding has `code`, `severity` (``error``,
``warning``, ``info``), `headline`, `path`, `range`, `label`, `labels` (each with `path`, `range` and
`message`), `notes`, `help` (a text or null) and `fix` (null, or `title`, `grade` and `edits` with `path`,
`range` and `text`). A range has a `start` and an `end`, each with `line` and `column` from 1 in characters,
and `offset` from 0; the end lies behind the last character. A range is null where the file could not be read.
The summary counts `errors`, `warnings`, `remarks` and `files`. As JSON lines each finding stands on a line
of its own, and there is no summary.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from lpcl.diagnostics.diagnostic import Diagnostic, Location, Severity
from lpcl.diagnostics.places import Places

VERSION = 1


def render(diagnostics: Sequence[Diagnostic], texts: Mapping[str, str], files: int) -> str:
    """All findings as one JSON text."""
    return json.dumps(document(diagnostics, texts, files), indent=2, ensure_ascii=False)


def render_lines(diagnostics: Sequence[Diagnostic], texts: Mapping[str, str]) -> str:
    """One finding a line, each as in the document, without a summary."""
    places = Places(texts)
    return "\n".join(json.dumps(_finding(places, item), ensure_ascii=False) for item in diagnostics)


def document(diagnostics: Sequence[Diagnostic], texts: Mapping[str, str], files: int) -> dict[str, Any]:
    """All findings as plain lists and dictionaries."""
    places = Places(texts)

    def number(severity: Severity) -> int:
        return sum(item.severity is severity for item in diagnostics)

    return {
        "version": VERSION,
        "findings": [_finding(places, item) for item in diagnostics],
        "summary": {
            "errors": number(Severity.ERROR),
            "warnings": number(Severity.WARNING),
            "remarks": number(Severity.INFO),
            "files": files,
        },
    }


def _place(places: Places, location: Location) -> dict[str, Any]:
    region = places.region(location)
    if region is None:
        return {"path": location.path, "range": None}
    return {
        "path": location.path,
        "range": {
            "start": {"line": region.line, "column": region.column, "offset": location.start},
            "end": {"line": region.end_line, "column": region.end_column, "offset": location.end},
        },
    }


def _finding(places: Places, item: Diagnostic) -> dict[str, Any]:
    fix = item.fix
    return {
        "code": item.code,
        "severity": item.severity.value,
        "headline": item.headline,
        **_place(places, item.location),
        "label": item.label,
        "labels": [{**_place(places, label.location), "message": label.message} for label in item.labels],
        "notes": list(item.notes),
        "help": item.help,
        "fix": None
        if fix is None
        else {
            "title": fix.title,
            "grade": fix.grade.value,
            "edits": [{**_place(places, edit.location), "text": edit.text} for edit in fix.edits],
        },
    }
