"""Exact quantities: units, dimensions, and how a person likes to read a figure."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Dimension:
    """Powers of bytes and of seconds; both 0 for a plain number."""

    bytes: int = 0
    time: int = 0

    def __mul__(self, other: Dimension) -> Dimension:
        return Dimension(self.bytes + other.bytes, self.time + other.time)

    def __truediv__(self, other: Dimension) -> Dimension:
        return Dimension(self.bytes - other.bytes, self.time - other.time)

    def __str__(self) -> str:
        known = {
            (0, 0): "a plain number",
            (1, 0): "bytes",
            (0, 1): "time",
            (1, -1): "bandwidth",
            (0, -1): "a rate",
        }
        return known.get((self.bytes, self.time)) or f"bytes^{self.bytes} * time^{self.time}"


PLAIN = Dimension()
BYTES = Dimension(bytes=1)
TIME = Dimension(time=1)
BANDWIDTH = BYTES / TIME

_BYTE_STEPS = (("TiB", 2**40), ("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10))
_DECIMAL_BYTE_STEPS = (("TB", 10**12), ("GB", 10**9), ("MB", 10**6), ("kB", 10**3))
_TIME_STEPS = (("h", 3600), ("min", 60), ("s", 1), ("ms", Fraction(1, 10**3)), ("us", Fraction(1, 10**6)))


def show(value: int | Fraction, dimension: Dimension = PLAIN) -> str:
    """A figure with its unit, exact where three decimals are enough, else rounded and marked with `~`.

    Bytes are shown in binary units unless a decimal one is exact and the binary one is not.
    """
    value = Fraction(value)
    if dimension == BYTES:
        return _in_bytes(value)
    if dimension == BANDWIDTH:
        return _in_bytes(value) + "/s"
    if dimension == TIME:
        for unit, factor in _TIME_STEPS:
            if abs(value) >= factor:
                return f"{_decimal(value / factor)} {unit}"
        return f"{_decimal(value)} s"
    return _decimal(value)


def span(low: int | Fraction, high: int | Fraction, dimension: Dimension = PLAIN) -> str:
    """Two bounds of a figure, as one where they are the same."""
    return show(low, dimension) if low == high else f"{show(low, dimension)} to {show(high, dimension)}"


def ratio(demand: int | Fraction, capacity: int | Fraction) -> str:
    """How many times the capacity is asked for, such as `8x`, and `of nothing` where there is none.

    A ratio just over 1 has as many decimals as show that it is.
    """
    if capacity <= 0:
        return "of nothing"
    times = Fraction(demand) / Fraction(capacity)
    places = 2
    while 1 < times < 1 + Fraction(1, 2 * 10**places) and places < 12:
        places += 1
    return f"{_decimal(times, places)}x"


def _in_bytes(value: Fraction) -> str:
    size = abs(value)
    for unit, factor in _BYTE_STEPS:
        if size >= factor:
            if not _is_short(value / factor):
                name, decimal = next(step for step in _DECIMAL_BYTE_STEPS if size >= step[1])
                if _is_short(value / decimal):
                    return f"{_decimal(value / decimal)} {name}"
            return f"{_decimal(value / factor)} {unit}"
    return f"{_decimal(value)} B"


def _is_short(value: Fraction) -> bool:
    return (value * 1000).denominator == 1


def _decimal(value: Fraction, places: int = 3) -> str:
    scaled = value * 10**places
    exact = scaled.denominator == 1
    digits = f"{round(scaled) / 10**places:.{places}f}" if abs(value) < 10**12 else None
    text = digits.rstrip("0").rstrip(".") if digits is not None else str(round(value))
    return text if exact else f"~{text}"
