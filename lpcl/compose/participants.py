"""Who is in it: all minimal sets of participants that suffice for a finding.

The property "this set of participants over-commits the resource" only grows with the set. MARCO (Liffiton and
others, "Fast, flexible MUS enumeration", Constraints 2016) enumerates the minimal sets of such a property: a
map of what is not yet decided proposes a set, which is grown to a largest one without the property or shrunk
to a least one with it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

MOST_SETS = 32
MOST_CALLS = 4_000


@dataclass(frozen=True, slots=True)
class MinimalSets:
    """The minimal sets, sorted by size and then by position; `complete` is False where the search was cut."""

    sets: tuple[tuple[str, ...], ...]
    complete: bool


def minimal_sets(
    candidates: Sequence[str],
    suffices: Callable[[frozenset[str]], bool],
    most_sets: int = MOST_SETS,
    most_calls: int = MOST_CALLS,
) -> MinimalSets:
    """All minimal subsets of `candidates` that suffice, `suffices` being monotone; none where even all do
    not.
    """
    calls = 0

    def enough(chosen: frozenset[str]) -> bool:
        nonlocal calls
        calls += 1
        return suffices(chosen)

    everyone = frozenset(candidates)
    if not enough(everyone):
        return MinimalSets((), True)
    if enough(frozenset()):
        return MinimalSets(((),), True)
    least = [frozenset((one,)) for one in candidates if enough(frozenset((one,)))]
    found: list[frozenset[str]] = list(least)
    others = [one for one in candidates if frozenset((one,)) not in least]
    maximal: list[frozenset[str]] = []
    complete = True
    while (seed := _unexplored(others, found[len(least) :], maximal)) is not None:
        if len(found) >= most_sets or calls >= most_calls:
            complete = False
            break
        if enough(seed):
            for one in others:
                if one in seed and enough(seed - {one}):
                    seed -= {one}
            found.append(seed)
        else:
            for one in others:
                if one not in seed and not enough(seed | {one}):
                    seed |= {one}
            maximal.append(seed)
    position = {one: index for index, one in enumerate(candidates)}
    ordered = sorted(found, key=lambda s: (len(s), sorted(position[one] for one in s)))
    return MinimalSets(tuple(tuple(sorted(s, key=position.__getitem__)) for s in ordered), complete)


def _unexplored(
    candidates: Sequence[str], minimal: Sequence[frozenset[str]], maximal: Sequence[frozenset[str]]
) -> frozenset[str] | None:
    """A set that holds none of `minimal` and lies in none of `maximal`, as large as comes easily; None if
    none.
    """

    def without(chosen: frozenset[str]) -> frozenset[str] | None:
        if any(chosen <= large for large in maximal):
            return None
        bad = next((least for least in minimal if least <= chosen), None)
        if bad is None:
            return chosen
        return next((found for one in sorted(bad) if (found := without(chosen - {one})) is not None), None)

    return without(frozenset(candidates))
