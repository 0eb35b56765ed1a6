"""Finds the number that a program prints about itself, for objectives other than time."""

from __future__ import annotations

import re
from pathlib import Path

_NUMBER = r"([-+]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d*)?(?:[eE][-+]?\d+)?)"


def find_metric(pattern: str, text: str) -> float | None:
    """The number at ``{}`` in the last place where the pattern occurs in the text; None without one.

    A space in the pattern matches any white space; numbers may have thousands separated by commas.
    """
    before, _, after = pattern.partition("{}")
    expression = re.compile(_literal(before) + r"\s*" + _NUMBER + _literal(after))
    for match in reversed(list(expression.finditer(text))):
        try:
            return float(match[1].replace(",", ""))
        except ValueError:
            continue
    return None


def metric_in_logs(pattern: str, stdout: Path, stderr: Path) -> float | None:
    """The metric that a run printed, looked for in its output first and then among its errors."""
    for path in (stdout, stderr):
        try:
            found = find_metric(pattern, path.read_text(encoding="utf-8", errors="replace"))
        except OSError:
            continue
        if found is not None:
            return found
    return None


def _literal(text: str) -> str:
    return r"\s+".join(re.escape(part) for part in re.split(r"\s+", text))
