"""Findings for programs: one JSON object whose shape is stable.

`{"version": 1, "findings": [...], "summary": {...}}`. A finding has `code`, `severity` (``error``,
``warning``, ``info``), `headline`, `path`, `range`, `label`, `labels` (each with `path`, `range` and
`message`), `notes`, `help` (a text or null) and `fix` (null, or `title`, `grade` and `edits` with `path`,
`range` and `text`). A range has a `start` and an `end`, each with `line` and `column` from 1 in characters,
and `offset` from 0; the end lies behind the last character. A range is null where the file could not be read.
The summary counts `errors`, `warnings`, `remarks` and `files`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from lpcl.diagnostics.diagnostic import Diagnostic, Location, Severity
from lpcl.diagnostics.lines import Lines

VERSION = 1


def render(diagnostics: Sequence[Diagnostic], texts: Mapping[str, str], files: int) -> str:
    """All findings as one JSON text."""
    return json.dumps(document(diagnostics, texts, files), indent=2, ensure_ascii=False)


def document(diagnostics: Sequence[Diagnostic], texts: Mapping[str, str], files: int) -> dict[str, Any]:
    """All findings as plain lists and dictionaries."""
    lines: dict[str, Lines] = {}

    def place(location: Location) -> dict[str, Any]:
        text = texts.get(location.path)
        if text is None:
            return {"path": location.path, "range": None}
        if location.path not in lines:
            lines[location.path] = Lines(text)
        ends = {}
        for name, offset in (("start", location.start), ("end", location.end)):
            line, column = lines[location.path].place(offset)
            ends[name] = {"line": line, "column": column, "offset": offset}
        return {"path": location.path, "range": ends}

    def finding(item: Diagnostic) -> dict[str, Any]:
        fix = item.fix
        return {
            "code": item.code,
            "severity": item.severity.value,
            "headline": item.headline,
            **place(item.location),
            "label": item.label,
            "labels": [{**place(label.location), "message": label.message} for label in item.labels],
            "notes": list(item.notes),
            "help": item.help,
            "fix": None
            if fix is None
            else {
                "title": fix.title,
                "grade": fix.grade.value,
                "edits": [{**place(edit.location), "text": edit.text} for edit in fix.edits],
            },
        }

    def number(severity: Severity) -> int:
        return sum(item.severity is severity for item in diagnostics)

    return {
        "version": VERSION,
        "findings": [finding(item) for item in diagnostics],
        "summary": {
            "errors": number(Severity.ERROR),
            "warnings": number(Severity.WARNING),
            "remarks": number(Severity.INFO),
            "files": files,
        },
    }
