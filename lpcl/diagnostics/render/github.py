"""Findings as workflow commands, which GitHub shows beside the lines of a pull request."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from lpcl.diagnostics.diagnostic import Diagnostic, Location, Severity
from lpcl.diagnostics.places import Places

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


@dataclass(frozen=True, slots=True)
class Annotation:
    """What is shown beside a place: how grave it is, a title, and a message of one line or more."""

    severity: Severity
    location: Location
    title: str
    message: str


def render(diagnostics: Iterable[Diagnostic], texts: Mapping[str, str]) -> str:
    """One command a finding, each a line."""
    return document(
        (
            Annotation(item.severity, item.location, f"{item.severity.value}[{item.code}]", _message(item))
            for item in diagnostics
        ),
        texts,
    )


def document(annotations: Iterable[Annotation], texts: Mapping[str, str]) -> str:
    """One command an annotation, each a line; `texts` are those of the files, for lines and columns."""
    places = Places(texts)
    return "\n".join(_command(places, item) for item in annotations)


def _command(places: Places, item: Annotation) -> str:
    properties = {"file": item.location.path.replace("\\", "/")}
    region = places.region(item.location)
    if region is not None:
        properties["line"] = str(region.line)
        if region.line == region.end_line:  # columns mean something on one line alone
            properties |= {
                "endLine": str(region.end_line),
                "col": str(region.column),
                "endColumn": str(max(region.end_column, region.column + 1)),
            }
        else:
            properties |= {"endLine": str(region.end_line), "col": str(region.column)}
    properties["title"] = item.title
    listed = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{_COMMANDS[item.severity]} {listed}::{_data(item.message)}"


def _message(item: Diagnostic) -> str:
    lines = [item.headline, *(f"note: {note}" for note in item.notes)]
    if item.help:
        lines.append(f"help: {item.help}")
    return "\n".join(lines)


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
