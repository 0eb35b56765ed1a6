"""Figures of the document as a person reads them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from lpcl.cache.territory import shown_path
from lpcl.compose.render.encode import UNITS
from lpcl.model.quantities import PLAIN, show

Document = Mapping[str, Any]
"""The document of a composition, or a part of it."""

_FRACTION = re.compile(r"-?[0-9]+/[1-9][0-9]*")
_DIMENSIONS = {unit: dimension for dimension, unit in UNITS.items()}


def figure(value: Any, unit: str = "") -> str:
    """An amount with its unit, a word, a truth, or that it is not set."""
    if value is None:
        return "not set"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str) and not _FRACTION.fullmatch(value):
        return value
    shown = show(Fraction(value), _DIMENSIONS.get(unit, PLAIN))
    return shown if unit in _DIMENSIONS else f"{shown} {unit}"


def counted(number: Any, one: str, more: str | None = None) -> str:
    """A number of things: ``1 thread``, ``8 threads``."""
    return f"{figure(number)} {one if number == 1 else more or one + 's'}"


def clause_text(clause: Mapping[str, Any] | None) -> str:
    """Where a clause stands, as ``file:line``; empty where there is none."""
    return "" if clause is None else f"{shown_path(clause['file'])}:{clause['line']}"


def is_over(demand: Document) -> str:
    """Whether a demand is ``over`` its capacity, ``possibly`` over it, or ``within`` it."""
    if demand["capacity"] is None:
        return "within"
    capacity, background = Fraction(demand["capacity"]), Fraction(demand["background"])
    if Fraction(demand["low"]) + background > capacity:
        return "over"
    return "possibly" if Fraction(demand["high"]) + background > capacity else "within"


def asked(demand: Document) -> str:
    """What a demand asks for, both bounds where they differ."""
    low, high = figure(demand["low"], demand["unit"]), figure(demand["high"], demand["unit"])
    return low if demand["low"] == demand["high"] else f"{low} to {high}"


def resource_name(document: Document, resource: str) -> str:
    """A resource's own name."""
    names = {item["id"]: str(item["name"]) for item in document["resources"]}
    return names.get(resource, resource)
