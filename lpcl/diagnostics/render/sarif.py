"""Findings as SARIF 2.1.0, which code-scanning services take in.

Columns count code units of UTF-16, as `columnKind` says. The fingerprint of a finding holds its code, its
file, its headline and the text of its line, not the number of the line, so that it stays the same finding
while lines come and go above it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from lpcl.diagnostics.codes import CODES
from lpcl.diagnostics.diagnostic import Diagnostic, Fix, Location, Severity
from lpcl.diagnostics.pages import page
from lpcl.diagnostics.places import Places

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
FINGERPRINT = "lpclFinding/v1"

_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}


def render(diagnostics: Sequence[Diagnostic], texts: Mapping[str, str], version: str) -> str:
    """All findings as one log with one run. `version` is that of the tool."""
    return json.dumps(document(diagnostics, texts, version), indent=2, ensure_ascii=False)


def document(diagnostics: Sequence[Diagnostic], texts: Mapping[str, str], version: str) -> dict[str, Any]:
    """The log as plain lists and dictionaries."""
    places = Places(texts)
    codes = sorted({item.code for item in diagnostics})
    seen: dict[str, int] = {}
    results = []
    for item in diagnostics:
        result = _result(places, item, codes.index(item.code))
        key = _key(places, item)
        seen[key] = seen.get(key, 0) + 1
        digest = sha256(key.encode("utf-8", "surrogatepass")).hexdigest()
        result["partialFingerprints"] = {FINGERPRINT: f"{digest[:32]}:{seen[key]}"}
        results.append(result)
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "lpclc",
                        "version": version,
                        "rules": [_rule(code) for code in codes],
                    }
                },
                "columnKind": "utf16CodeUnits",
                "results": results,
            }
        ],
    }


def _rule(name: str) -> dict[str, Any]:
    code = CODES[name]
    summary = f"{code.summary[0].upper()}{code.summary[1:]}."
    text = page(name) or summary
    return {
        "id": name,
        "name": "".join(word.capitalize() for word in name.split("-")),
        "shortDescription": {"text": summary},
        "help": {"text": text, "markdown": text},
        "defaultConfiguration": {"level": _LEVELS[code.severity]},
        "properties": {"tags": [code.family]},
    }


def _result(places: Places, item: Diagnostic, index: int) -> dict[str, Any]:
    lines = [item.headline, *item.notes, *([item.help] if item.help else [])]
    result: dict[str, Any] = {
        "ruleId": item.code,
        "ruleIndex": index,
        "level": _LEVELS[item.severity],
        "message": {"text": "\n".join(lines)},
        "locations": [_location(places, item.location)],
    }
    if item.labels:
        result["relatedLocations"] = [
            {"id": number, "message": {"text": label.message}, **_location(places, label.location)}
            for number, label in enumerate(item.labels, 1)
        ]
    if item.fix is not None and item.fix.edits:
        result["fixes"] = [_fix(places, item.fix)]
    return result


def _fix(places: Places, fix: Fix) -> dict[str, Any]:
    changes: dict[str, list[dict[str, Any]]] = {}
    for edit in fix.edits:
        replacement = {
            "deletedRegion": _region(places, edit.location),
            "insertedContent": {"text": edit.text},
        }
        changes.setdefault(edit.location.path, []).append(replacement)
    return {
        "description": {"text": fix.title},
        "artifactChanges": [
            {"artifactLocation": {"uri": uri(path)}, "replacements": replacements}
            for path, replacements in changes.items()
        ],
    }


def _location(places: Places, location: Location) -> dict[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": {"uri": uri(location.path)}}
    if places.lines(location.path) is not None:
        physical["region"] = _region(places, location)
    return {"physicalLocation": physical}


def _region(places: Places, location: Location) -> dict[str, int]:
    region = places.utf16(location)
    if region is None:
        return {"startLine": 1}
    return {
        "startLine": region.line,
        "startColumn": region.column,
        "endLine": region.end_line,
        "endColumn": region.end_column,
    }


def uri(path: str) -> str:
    """A path as a URI: relative to the current folder, or with its scheme where it is absolute."""
    pure = PurePath(path)
    return pure.as_uri() if pure.is_absolute() else quote(pure.as_posix())


def _key(places: Places, item: Diagnostic) -> str:
    path = PurePath(item.location.path).as_posix()
    return "\0".join((item.code, path, item.headline, places.source_line(item.location)))
