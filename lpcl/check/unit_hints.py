"""What to write where a number has no unit, or that of something else."""

from __future__ import annotations

from fractions import Fraction

from lpcl.model.quantities import BANDWIDTH, BYTES, PLAIN, TIME, Dimension, show

_UNIT = {BYTES: "MiB", TIME: "ms", BANDWIDTH: "GB/s"}
_ONE = {BYTES: "1 MiB", TIME: "1 s", BANDWIDTH: "1 GB/s"}


def amount_hint(text: str, dimension: Dimension) -> str | None:
    """How a plain number becomes an amount."""
    one = _ONE.get(dimension)
    return f"multiply the plain number by an amount: `{text} * {one}`" if one is not None else None


def unit_hint(constant: object, found: Dimension, wanted: Dimension) -> str | None:
    """What to write where a number without a unit stands for a quantity that needs one."""
    unit = _UNIT.get(wanted)
    if found != PLAIN or not isinstance(constant, Fraction) or unit is None:
        return None
    zero = unit if unit != "MiB" else "B"
    return f"give the number a unit, such as `{show(constant)} {zero if constant == 0 else unit}`"


def other_unit_hint(constant: object, found: Dimension, wanted: Dimension) -> str | None:
    """What to write where a number has a unit of something else."""
    if found == PLAIN or not isinstance(constant, Fraction):
        return None
    written = show(constant, found).partition(" ")[0]
    if wanted == PLAIN:
        return f"write a number without a unit, such as `{written}`"
    return f"write it with a unit, such as `{written} {_UNIT[wanted]}`" if wanted in _UNIT else None
