"""The value nearest to today's for which something holds, by bisection."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from lpcl.compose.figures import FigureKind
from lpcl.compose.terms import Number, whole
from lpcl.model.quantities import BYTES

_FARTHEST = 64
_NARROWEST = 48


@dataclass(frozen=True, slots=True)
class Bound:
    """A value from which on, in the direction that was asked for, a condition holds, `itself` or not."""

    value: Number
    itself: bool


def nearest(
    now: Number,
    direction: int,
    end: Number | None,
    step: Number | None,
    holds: Callable[[Number], bool],
    gap: Callable[[Number], Number | None],
) -> Bound | None:
    """The value nearest to `now` for which a condition holds, upwards (1) or downwards (-1), no farther than
    `end`; None where there is none. It is found to the `step`, or else as closely as makes sense; `gap` is by
    how much its comparison is missed: it is 0 at the bound where that can be known exactly.
    """
    before, width = now, Fraction(step) if step is not None else abs(Fraction(now)) / 16 or Fraction(1, 64)
    for _ in range(_FARTHEST):
        reached: Fraction = now + direction * width
        last = end is not None and Fraction(reached) * direction >= Fraction(end) * direction
        after = whole(Fraction(end if last and end is not None else reached))
        if after != before and holds(after):
            if step is not None:
                return Bound(last_good(before, after, step, holds), True)
            return _between(before, after, holds, gap)
        if last:
            return None
        before, width = after, width * 2
    return None


def last_good(fails: Number, good: Number, step: Number, holds: Callable[[Number], bool]) -> Number:
    """The last multiple of `step`, from a good one towards one that fails, for which a condition holds."""
    while abs(Fraction(good - fails)) > step:
        middle = whole((good + fails) / Fraction(2) // step * step)
        if holds(middle):
            good = middle
        else:
            fails = middle
    return good


def _between(
    fails: Number,
    good: Number,
    holds: Callable[[Number], bool],
    gap: Callable[[Number], Number | None],
) -> Bound:
    for _ in range(_NARROWEST):
        root = _root(fails, good, gap)
        if root is not None:
            return Bound(root, holds(root))
        middle = whole(Fraction(good + fails) / 2)
        if holds(middle):
            good = middle
        else:
            fails = middle
    return Bound(good, True)


def _root(one: Number, other: Number, gap: Callable[[Number], Number | None]) -> Number | None:
    """Where the straight line through two points of a gap is 0, if the gap itself is 0 there."""
    first, second = gap(one), gap(other)
    if first is None or second is None or first == second:
        return None
    root = whole(Fraction(one) + Fraction(other - one) * Fraction(-first) / Fraction(second - first))
    between = min(one, other) <= root <= max(one, other)
    return root if between and gap(root) == 0 else None


def readable(bound: Bound, direction: int, kind: FigureKind) -> Bound:
    """The bound as a person can write it: where that takes too many digits, a little beyond it."""
    if not kind.show(bound.value).startswith("~"):
        return bound
    value = Fraction(bound.value)
    grain = Fraction(1, 100_000 if kind.share else 1000)
    if kind.dimension == BYTES:
        grain = Fraction(max(1, 10 ** (len(str(int(abs(value)))) - 4)))
    steps = value / grain
    rounded = (
        -(-steps.numerator // steps.denominator) if direction > 0 else steps.numerator // steps.denominator
    )
    return Bound(whole(rounded * grain), True)
