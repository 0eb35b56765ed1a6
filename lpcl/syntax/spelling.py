"""The word that was probably meant."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache


def nearest(word: str, candidates: Iterable[str], shortest: int = 3) -> str | None:
    """The candidate that `word` most likely misspells, or None where none is near or two are equally near.

    A candidate of fewer letters than `shortest` is not taken for misspelled.
    """
    return _nearest(word, tuple(candidates), shortest) if len(word) <= 40 else None


@lru_cache(maxsize=1000)
def _nearest(word: str, candidates: tuple[str, ...], shortest: int) -> str | None:
    allowed = 0 if len(word) < 2 else 1 if len(word) < 6 else 2
    best: list[str] = []
    least = allowed + 1
    for candidate in dict.fromkeys(candidates):
        if candidate == word:
            continue
        if candidate.lower() == word.lower():
            return candidate
        if abs(len(candidate) - len(word)) > allowed or len(candidate) < shortest:
            continue
        if len(word) == 2 and len(candidate) != 3:
            continue  # of two letters, one can only be missing
        steps = distance(word, candidate, least + 1)
        if steps < least:
            least, best = steps, [candidate]
        elif steps == least and steps <= allowed:
            best.append(candidate)
    return best[0] if len(best) == 1 else None


def distance(left: str, right: str, limit: int) -> int:
    """How many letters are left out, added, changed or swapped with their neighbour, at most `limit`."""
    if abs(len(left) - len(right)) >= limit:
        return limit
    before: list[int] = []
    above = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        row = [i]
        for j, b in enumerate(right, 1):
            steps = min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (a != b))
            if i > 1 and j > 1 and a == right[j - 2] and left[i - 2] == b:
                steps = min(steps, before[j - 2] + 1)
            row.append(steps)
        if min(row) >= limit:
            return limit
        before, above = above, row
    return min(above[-1], limit)
