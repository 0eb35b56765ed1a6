"""Compares sets of measurements without believing in any distribution: medians, ranks, exact intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from statistics import median

CONFIDENCE = 0.95

UNSTEADY = 2.0
"""Measurements are called unsteady when the largest is this many times the smallest."""


@dataclass(frozen=True, slots=True)
class RatioInterval:
    """By how much one set of positive measurements exceeds another.

    `estimate` is the median of all ratios of one value to one of the other (Hodges and Lehmann's estimator,
    on a logarithmic scale); `lower` and `upper` bound the true ratio with at least the asked-for confidence,
    whatever the distribution, as long as it is one and the same but for a factor. With too few values they
    are 0 and infinity. `confidence` is the one that was reached, exactly.
    """

    estimate: float
    lower: float
    upper: float
    confidence: float


def ratio_interval(
    above: Sequence[float], below: Sequence[float], confidence: float = CONFIDENCE
) -> RatioInterval:
    """The ratio of two independent sets of positive measurements, with the exact Mann-Whitney interval.

    The interval runs from the k-th smallest to the k-th largest of all ratios, with the largest k for which
    the statistic U of the test stays below k with a probability of (1 - confidence) / 2 at most (Lehmann,
    "Nonparametrics", section 2.5). Raises ValueError where a set is empty or a value is not positive.
    """
    if not above or not below or min(*above, *below) <= 0:
        raise ValueError("two sets of positive measurements are needed")
    ratios = sorted(a / b for a in above for b in below)
    counts = mann_whitney_counts(len(above), len(below))
    total = sum(counts)
    k, tail = 0, 0
    while k < len(counts) and 2 * (tail + counts[k]) <= (1 - confidence) * total:
        tail += counts[k]
        k += 1
    estimate = math.sqrt(ratios[(len(ratios) - 1) // 2] * ratios[len(ratios) // 2])
    if k == 0:
        return RatioInterval(estimate, 0.0, math.inf, 1.0)
    return RatioInterval(estimate, ratios[k - 1], ratios[-k], 1 - 2 * tail / total)


@cache
def mann_whitney_counts(n: int, m: int) -> tuple[int, ...]:
    """How many of the arrangements of n and m values give U = 0, 1, ..., n * m (no ties).

    These are the coefficients of the Gaussian binomial: the product over i = 1..n of (1 - q^(m+i)) / (1 -
    q^i).
    """
    size = n * m + 1
    counts = [1] + [0] * (size - 1)
    for i in range(1, n + 1):
        for power in range(size - 1, m + i - 1, -1):
            counts[power] -= counts[power - m - i]
        for power in range(i, size):
            counts[power] += counts[power - i]
    return tuple(counts)


@dataclass(frozen=True, slots=True)
class Spread:
    """A set of measurements in figures. `count` of them; all others None where there are none.

    `bistable` says that they fall into two groups of at least two values each, `unsteady` that they differ by
    a factor of two or more without doing so.
    """

    count: int
    median: float | None
    smallest: float | None
    largest: float | None
    unsteady: bool
    bistable: bool


def spread(values: Sequence[float]) -> Spread:
    """The figures of a set of positive measurements, which may be empty."""
    if not values:
        return Spread(0, None, None, None, False, False)
    ordered = sorted(values)
    wide = ordered[-1] >= UNSTEADY * ordered[0]
    two = wide and _two_groups(ordered)
    return Spread(len(ordered), median(ordered), ordered[0], ordered[-1], wide and not two, two)


def _two_groups(ordered: Sequence[float]) -> bool:
    """Whether one gap makes up half of the (logarithmic) range, with two values on each side."""
    gaps = [math.log(b / a) for a, b in pairwise(ordered)]
    widest = max(range(len(gaps)), key=gaps.__getitem__)
    return gaps[widest] >= sum(gaps) / 2 and 2 <= widest + 1 <= len(ordered) - 2
