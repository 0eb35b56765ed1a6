"""Findings in one line each, as editors read them: ``path:line:column: severity[code] headline``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from lpcl.diagnostics.diagnostic import Diagnostic
from lpcl.diagnostics.places import Places


def render(diagnostics: Iterable[Diagnostic], texts: Mapping[str, str]) -> str:
    """All findings. Where a file could not be read, its path stands without a line."""
    places = Places(texts)
    return "\n".join(_line(places, item) for item in diagnostics)


def _line(places: Places, item: Diagnostic) -> str:
    region = places.region(item.location)
    where = f":{region.line}:{region.column}" if region else ""
    headline = " ".join(item.headline.split())
    return f"{item.location.path}{where}: {item.severity.value}[{item.code}] {headline}"
