"""Exact values as a person, or an environment variable, reads them."""

from __future__ import annotations

from fractions import Fraction

from lpcl.compose.terms import Value, whole

PLACES = 20
"""Decimal places that are written out; a value that needs more is written as a fraction."""


def shown(value: Value) -> str:
    """A value as a person reads it: `3`, `0.25`, `1/3`, `true`, `"text"`."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, Fraction):
        return _decimal(value)
    return str(value)


def _decimal(value: Fraction) -> str:
    """An exact decimal where there is one of at most 20 places, else the fraction."""
    number = whole(value)
    if isinstance(number, int):
        return str(number)
    for places in range(1, 21):
        scaled = value * 10**places
        if scaled.denominator == 1:
            digits = f"{abs(scaled.numerator):0{places + 1}}"
            return f"{'-' if value < 0 else ''}{digits[:-places]}.{digits[-places:]}"
    return str(value)
