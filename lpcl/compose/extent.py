"""How far a condition on the machine's figures reaches: which figures decide it, and their ranges."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from lpcl.compose.fleet import Fleet, Steps
from lpcl.compose.machines import Free
from lpcl.compose.solver import Solver, Verdict
from lpcl.compose.terms import (
    Number,
    Value,
    apply,
    conjunction,
    disjunction,
    holds,
    knob,
    knobs_of,
    negation,
    settle,
    truth,
)

MOST_RANGES = 8
MOST_LISTED = 4_096
"""Figures of up to so many values are looked at one by one."""


class NotDecided(Exception):
    """The allowed work did not suffice."""


@dataclass(frozen=True, slots=True)
class Range:
    """A figure between two amounts, both included, in its base unit."""

    low: Number
    high: Number


@dataclass(frozen=True)
class Extent:
    """The machines on which a condition holds, among those in range.

    `holds` is ``everywhere``, ``nowhere`` or ``somewhere``; the rest is said of ``somewhere``. `figures` are
    those that decide it. It holds where each has a value in one of its `ranges`, if these are known: with one
    figure they always are, `more` telling that there are further ones. With two figures that depend on each
    other, `rows` gives the ranges of the second for some values of the first.
    """

    holds: str
    figures: tuple[Free, ...] = ()
    ranges: Mapping[str, tuple[Range, ...]] | None = None
    more: bool = False
    rows: tuple[tuple[Number, tuple[Range, ...]], ...] = ()


class Survey:
    """Finds how far conditions reach on the machines of a fleet."""

    def __init__(self, fleet: Fleet) -> None:
        self._machines = fleet.machines
        self._fleet = fleet
        self._solver: Solver = fleet.solver()

    def extent(self, condition: Value) -> Extent:
        """How far a condition reaches. Raises `NotDecided`."""
        if not self._possible(condition):
            return Extent("nowhere")
        if not self._possible(negation(condition)):
            return Extent("everywhere")
        names = knobs_of(condition)
        figures = tuple(
            item for item in self._machines.figures if item.id in names and self._matters(condition, item)
        )
        if len(figures) == 1:
            ranges, more = self._ranges(condition, figures[0])
            return Extent("somewhere", figures, {figures[0].path: ranges}, more)
        box = self._box(condition, figures)
        if box is not None:
            return Extent("somewhere", figures, box)
        rows = tuple(self._rows(condition, *figures)) if len(figures) == 2 else ()
        return Extent("somewhere", figures, rows=rows)

    def smallest(self, condition: Value) -> Steps:
        """The machine on which a condition holds that has the least first figure, of these the least second
        one, and so on. Raises `NotDecided`.
        """
        found: dict[str, int] = {}
        here = condition
        for item in self._machines.figures:
            least = self._least(here, item)
            assert least is not None
            found[item.id] = least
            here = conjunction(here, apply("==", knob(item.id), least))
        return found

    def _possible(self, *conditions: Value) -> bool:
        verdict = self._solver.check(*conditions)
        if verdict is Verdict.UNDECIDED:
            raise NotDecided
        return verdict is Verdict.YES

    def _matters(self, condition: Value, item: Free) -> bool:
        """Whether two machines that differ in this figure alone differ in the condition."""
        other = {item.id: knob(f"other {item.id}", item.low, item.high)}
        there = settle(condition, other)
        in_range = [settle(one, other) for one in self._machines.conditions()]
        differ = disjunction(conjunction(condition, negation(there)), conjunction(negation(condition), there))
        return self._possible(differ, *in_range)

    def _least(self, condition: Value, item: Free, above: int | None = None) -> int | None:
        """The least number of steps of a figure, at least `above`, with which a condition can hold."""
        steps = knob(item.id)
        low, high = item.low if above is None else above, item.high
        if not self._possible(condition, apply(">=", steps, low)):
            return None
        high = min(high, self._fleet.machine(self._solver)[item.id])
        while low < high:
            middle = (low + high) // 2
            if self._possible(condition, apply(">=", steps, low), apply("<=", steps, middle)):
                high = self._fleet.machine(self._solver)[item.id]
            else:
                low = middle + 1
        return low

    def _most(self, condition: Value, item: Free) -> int:
        """The largest number of steps of a figure with which a condition can hold, there being one."""
        steps = knob(item.id)
        low, high = self._fleet.machine(self._solver)[item.id], item.high
        while low < high:
            middle = (low + high + 1) // 2
            if self._possible(condition, apply(">=", steps, middle)):
                low = self._fleet.machine(self._solver)[item.id]
            else:
                high = middle - 1
        return low

    def _ranges(self, condition: Value, item: Free) -> tuple[tuple[Range, ...], bool]:
        """The ranges of a figure that alone decides a condition, and whether there are more of them."""
        found: list[Range] = []
        for low, high in self._runs(condition, item):
            if len(found) == MOST_RANGES:
                return tuple(found), True
            found.append(Range(item.amount(low), item.amount(high)))
        return tuple(found), False

    def _runs(self, condition: Value, item: Free) -> Iterator[tuple[int, int]]:
        if item.high - item.low < MOST_LISTED and self._by_itself(condition, item):
            yield from self._listed(condition, item)
            return
        at = self._least(condition, item)
        while at is not None:
            after = self._least(negation(condition), item, at)
            yield at, item.high if after is None else after - 1
            at = None if after is None else self._least(condition, item, after)

    def _by_itself(self, condition: Value, item: Free) -> bool:
        """Whether a condition reads one figure, which no other one bounds."""
        bound = any(
            item.id in (names := knobs_of(one)) and len(names) > 1 for one in self._machines.conditions()
        )
        return not bound and knobs_of(condition) == {item.id}

    def _listed(self, condition: Value, item: Free) -> Iterator[tuple[int, int]]:
        """The runs of values with which a condition holds that reads one figure alone."""
        began: int | None = None
        for value in range(item.low, item.high + 1):
            found = holds(condition, {item.id: value})
            if found and began is None:
                began = value
            elif not found and began is not None:
                yield began, value - 1
                began = None
        if began is not None:
            yield began, item.high

    def _box(self, condition: Value, figures: Sequence[Free]) -> Mapping[str, tuple[Range, ...]] | None:
        """A range for each figure, if a condition holds just where all of them do; else None."""
        found: dict[str, tuple[Range, ...]] = {}
        inside: list[Value] = []
        for item in figures:
            low = self._least(condition, item)
            assert low is not None
            self._possible(condition)
            high = self._most(condition, item)
            found[item.path] = (Range(item.amount(low), item.amount(high)),)
            inside += [apply(">=", knob(item.id), low), apply("<=", knob(item.id), high)]
        return None if self._possible(*inside, negation(condition)) else found

    def _rows(
        self, condition: Value, first: Free, second: Free
    ) -> Iterator[tuple[Number, tuple[Range, ...]]]:
        """The ranges of the second figure for some values of the first: its ends, and doublings between."""
        values = {first.low, first.high}
        values.update(2**power for power in range(first.low.bit_length(), first.high.bit_length()))
        for value in sorted(values):
            here = conjunction(apply("==", knob(first.id), value), truth(condition, {first.id: value}))
            if self._possible(here):
                outside = conjunction(apply("==", knob(first.id), value), negation(here))
                yield first.amount(value), self._between(here, outside, second)

    def _between(self, inside: Value, outside: Value, item: Free) -> tuple[Range, ...]:
        found: list[Range] = []
        at = self._least(inside, item)
        while at is not None and len(found) < MOST_RANGES:
            after = self._least(outside, item, at)
            most = item.high if after is None else after - 1
            found.append(Range(item.amount(at), item.amount(most)))
            at = None if after is None else self._least(inside, item, after)
        return tuple(found)
