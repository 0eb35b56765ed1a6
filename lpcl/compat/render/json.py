"""Changes for programs: one JSON object whose shape is in `docs/reference/breaking.md`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from lpcl.compat.change import Change, Level, Release
from lpcl.diagnostics.lines import Lines
from lpcl.model.program import Origin

VERSION = 1


def render(changes: Sequence[Change], release: Release, following: str | None, old: str, new: str) -> str:
    """All changes as one JSON text."""
    document = {
        "version": VERSION,
        "old": old,
        "new": new,
        "release": release.value,
        "next_version": following,
        "changes": [_change(item) for item in changes],
        "summary": {level.name.lower(): sum(item.level is level for item in changes) for level in Level},
    }
    return json.dumps(document, indent=2, ensure_ascii=False)


def _change(item: Change) -> dict[str, Any]:
    return {
        "level": item.level.name.lower(),
        "rule": item.rule,
        "subject": item.subject,
        "headline": item.headline,
        "witness": item.witness,
        "old": _place(item.old),
        "new": _place(item.new),
    }


def _place(place: Origin | None) -> dict[str, Any] | None:
    if place is None:
        return None
    lines = Lines(place.file.text)
    found: dict[str, Any] = {"path": place.file.path}
    for word, offset in (("start", place.span.start), ("end", place.span.end)):
        line, column = lines.place(offset)
        found[word] = {"line": line, "column": column, "offset": offset}
    return found
