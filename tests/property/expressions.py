"""Random expressions as LPCL text over a few names."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from hypothesis import strategies as st

COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")


@dataclass(frozen=True)
class Words:
    """What expressions are made of: `counts` are whole numbers, `numbers` any, `truths` conditions."""

    counts: tuple[str, ...]
    numbers: tuple[str, ...] = ()
    truths: tuple[str, ...] = ()

    def with_counts(self, *names: str) -> Words:
        """The same, and further whole numbers."""
        return replace(self, counts=(*self.counts, *names))

    def with_truths(self, truths: Iterable[str]) -> Words:
        """The same, and further conditions."""
        return replace(self, truths=(*self.truths, *truths))


@st.composite
def numbers(draw: st.DrawFn, words: Words, depth: int = 2) -> str:
    """A plain number; where it divides by zero it has none."""
    kinds = ["leaf"] * 3
    if depth > 0:
        kinds += ["sum", "sum", "division", "of two", "of one", "choice"]
    kind = draw(st.sampled_from(kinds))
    if kind == "leaf":
        return draw(st.sampled_from(("0", "1", "2", "3", *words.counts * 2, *words.numbers)))
    if kind == "choice":
        condition = draw(truths(words, depth - 1))
        then, otherwise = draw(numbers(words, depth - 1)), draw(numbers(words, depth - 1))
        return f"(if {condition} then {then} else {otherwise})"
    one = draw(numbers(words, depth - 1))
    if kind == "of one":
        return f"{draw(st.sampled_from(('floor', 'ceil', 'abs')))}({one})"
    if kind == "division":
        below = draw(st.sampled_from(("2", "3", *words.counts, *(f"({name} - 1)" for name in words.counts))))
        return f"({one} {draw(st.sampled_from(('/', 'div', 'mod')))} {below})"
    other = draw(numbers(words, depth - 1))
    if kind == "of two":
        return f"{draw(st.sampled_from(('min', 'max')))}({one}, {other})"
    return f"({one} {draw(st.sampled_from(('+', '-', '*')))} {other})"


@st.composite
def wholes(draw: st.DrawFn, words: Words) -> str:
    """A whole number."""
    if draw(st.booleans()):
        return draw(st.sampled_from(("0", "1", "2", "3", *words.counts)))
    return f"floor({draw(numbers(words, 1))})"


@st.composite
def truths(draw: st.DrawFn, words: Words, depth: int = 2) -> str:
    """A condition."""
    kinds = ["comparison", "comparison"]
    if words.truths:
        kinds += ["leaf"] * 2
    if depth > 0:
        kinds += ["of two", "not"]
    kind = draw(st.sampled_from(kinds))
    if kind == "leaf":
        return draw(st.sampled_from(words.truths))
    if kind == "comparison":
        depth = max(0, depth - 1)
        one, other = draw(numbers(words, depth)), draw(numbers(words, depth))
        return f"({one} {draw(st.sampled_from(COMPARISONS))} {other})"
    if kind == "not":
        return f"(not {draw(truths(words, depth - 1))})"
    joined = draw(st.sampled_from(("and", "or", "implies")))
    return f"({draw(truths(words, depth - 1))} {joined} {draw(truths(words, depth - 1))})"


@st.composite
def guards(draw: st.DrawFn, words: Words) -> str:
    """`when` and a condition, or nothing."""
    return f" when {draw(truths(words, 1))}" if draw(st.booleans()) else ""
