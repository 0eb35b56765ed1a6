"""Findings as workflow commands, which GitHub shows beside the lines of a pull request."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from lpcl.diagnostics.diagnostic import Diagnostic, Severity
from lpcl.diagnostics.places import Places

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def render(diagnostics: Iterable[Diagnostic], texts: Mapping[str, str]) -> str:
    """One command a finding, each a line."""
    places = Places(texts)
    return "\n".join(_command(places, item) for item in diagnostics)


def _command(places: Places, item: Diagnostic) -> str:
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
    properties["title"] = f"{item.severity.value}[{item.code}]"
    listed = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{_COMMANDS[item.severity]} {listed}::{_data(_message(item))}"


def _message(item: Diagnostic) -> str:
    lines = [item.headline, *(f"note: {note}" for note in item.notes)]
    if item.help:
        lines.append(f"help: {item.help}")
    return "\n".join(lines)


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
