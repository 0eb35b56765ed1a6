"""The statistics, against brute force."""

from __future__ import annotations

import math
import random
from collections import Counter
from itertools import combinations
from statistics import median

import pytest

from lpcl.tune.ranks import mann_whitney_counts, ratio_interval, spread


@pytest.mark.parametrize("n", range(1, 6))
@pytest.mark.parametrize("m", range(1, 6))
def test_the_null_distribution_is_what_enumeration_gives(n: int, m: int) -> None:
    counts = Counter(
        sum(1 for place in first for other in set(range(n + m)) - set(first) if other < place)
        for first in combinations(range(n + m), n)
    )
    assert mann_whitney_counts(n, m) == tuple(counts[u] for u in range(n * m + 1))


def test_the_interval_of_five_and_five() -> None:
    before, after = [0.5, 0.6, 0.7, 0.4, 0.9], [0.07, 0.08, 0.075, 0.09, 0.074]
    ratios = sorted(a / b for a in before for b in after)
    found = ratio_interval(before, after)
    assert found.estimate == pytest.approx(median(ratios))
    assert (found.lower, found.upper) == (pytest.approx(ratios[2]), pytest.approx(ratios[-3]))
    assert found.confidence == pytest.approx(1 - 2 * 4 / 252)
    back = ratio_interval(after, before)
    assert (back.lower, back.upper) == (pytest.approx(1 / found.upper), pytest.approx(1 / found.lower))


def test_the_interval_is_that_of_the_test_it_comes_from() -> None:
    """A ratio is inside exactly if the two-sided test, with the values scaled by it, does not reject."""
    rng = random.Random(7)
    for _ in range(50):
        n, m = rng.randint(3, 6), rng.randint(3, 6)
        above = [rng.lognormvariate(0.5, 0.5) for _ in range(n)]
        below = [rng.lognormvariate(0, 0.5) for _ in range(m)]
        found = ratio_interval(above, below)
        counts = mann_whitney_counts(n, m)
        for _ in range(40):
            ratio = rng.uniform(0.2, 8)
            u = sum(a > ratio * b for a in above for b in below)
            tail = sum(counts[: min(u, n * m - u) + 1])
            rejects = 2 * tail / sum(counts) <= 0.05
            assert rejects is not (found.lower <= ratio <= found.upper)


def test_it_covers_the_truth_as_often_as_it_says() -> None:
    rng = random.Random(11)
    hits, trials = 0, 2000
    for _ in range(trials):
        above = [3 * rng.lognormvariate(0, 0.4) for _ in range(5)]
        below = [rng.lognormvariate(0, 0.4) for _ in range(5)]
        found = ratio_interval(above, below)
        hits += found.lower <= 3 <= found.upper
    assert 0.95 <= hits / trials <= 0.98


def test_too_few_values_give_no_interval() -> None:
    found = ratio_interval([2.0, 2.1, 2.2], [1.0, 1.1, 1.2])
    assert (found.lower, found.upper, found.confidence) == (0.0, math.inf, 1.0)
    assert found.estimate == pytest.approx(2.0, rel=0.2)
    assert ratio_interval([1.0], [1.0]).lower == 0


def test_equal_values_give_one() -> None:
    found = ratio_interval([1.0] * 5, [1.0] * 5)
    assert (found.estimate, found.lower, found.upper) == (1.0, 1.0, 1.0)


@pytest.mark.parametrize(("above", "below"), [([], [1.0]), ([1.0], []), ([0.0], [1.0]), ([1.0], [-1.0])])
def test_values_must_be_positive(above: list[float], below: list[float]) -> None:
    with pytest.raises(ValueError, match="positive"):
        ratio_interval(above, below)


@pytest.mark.parametrize(
    ("values", "unsteady", "bistable"),
    [
        ([1.0, 1.1, 1.2, 1.3, 1.4], False, False),
        ([0.07, 0.08, 0.07, 1.5, 1.4], False, True),
        ([0.07, 0.08, 0.07, 0.075, 1.4], True, False),
        ([1.0, 1.5, 2.2, 3.3, 5.0], True, False),
        ([1.0, 10.0], True, False),
        ([1.0, 1.0, 10.0, 10.0], False, True),
        ([3.0], False, False),
        ([], False, False),
    ],
)
def test_bistable_and_unsteady(values: list[float], unsteady: bool, bistable: bool) -> None:
    found = spread(values)
    assert (found.count, found.unsteady, found.bistable) == (len(values), unsteady, bistable)
    if values:
        assert (found.median, found.smallest, found.largest) == (median(values), min(values), max(values))
    else:
        assert (found.median, found.smallest, found.largest) == (None, None, None)
