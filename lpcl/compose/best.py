"""What would be right: of the configurations without a finding, those that use the CPUs best.

The best use is found by bisection. Of the configurations that reach it, one is shown for each shape (workers
and sizes of pools) that no other one of as few changes equals or exceeds everywhere.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from lpcl.compose.alternatives import ABSENT, Alternative, Figure, shape_of
from lpcl.compose.knobs import Configuration, Knob, assignment, differs
from lpcl.compose.meaning import number, peak
from lpcl.compose.measures import CpuMeasure
from lpcl.compose.paths import Path
from lpcl.compose.resources import CPU
from lpcl.compose.search import Search
from lpcl.compose.solver import Verdict
from lpcl.compose.space import Space
from lpcl.compose.terms import Number, Value, apply, conjunction, disjunction, negation, settle, total


class Best:
    """The best configurations of one shape of an application."""

    def __init__(self, space: Space, path: Path) -> None:
        self._space = space
        self._search = Search(space, path)
        self._changes = total([differs(item) for item in space.knobs])
        self._shape = shape_of(path.elaborated.root)

    @property
    def undecided(self) -> bool:
        """Whether some proposal has been left undecided."""
        return self._search.undecided

    def best_use(self) -> Value | None:
        """The most CPUs that a configuration without a finding has at work; -1 if there is none, None if
        unknown.
        """
        found = self._search.propose()
        if not isinstance(found, dict):
            return -1 if found is Verdict.NO else None
        low = math.floor(self._use_of(found))
        high = self._most()
        while low < high:
            middle = (low + high + 1) // 2
            better = self._search.propose(apply(">=", self._search.use, middle))
            if isinstance(better, dict):
                low = max(middle, math.floor(self._use_of(better)))
            else:
                high = middle - 1
        return low

    def _use_of(self, configuration: Configuration) -> Number:
        return peak(self._space.elaborated(configuration).root, CpuMeasure("low", spinning=False)).amount

    def _most(self) -> int:
        cpu = self._search.lessons.sums.get((CPU, None, None))
        capacity = self._space.context.machine.fact("cpus") if cpu is None else cpu.capacity
        return math.floor(number(capacity)) if capacity is not None else 0

    def alternatives(self, use: Value, most: int) -> Iterator[Alternative]:
        """The distinct shapes that have `use` CPUs at work, each with the fewest changes."""
        seen: list[Value] = [apply(">=", self._search.use, use)]
        found = 0
        fewest = 0
        while found < most and fewest <= len(self._space.knobs):
            candidate = self._search.propose(*seen, apply("<=", self._changes, fewest))
            if not isinstance(candidate, dict):
                fewest += 1
                continue
            candidate = self._canonical(self._largest(candidate, seen, fewest))
            found += 1
            values = assignment(self._space.knobs, candidate)
            shape = tuple(replace(item, value=settle(item.value, values)) for item in self._shape)
            there = tuple(item for item in shape if item.value != ABSENT)
            changes = tuple(item for item in self._space.knobs if candidate[item.id] != item.current)
            yield Alternative(candidate, changes, self._use_of(candidate), there)
            seen.append(negation(self._at_most(shape)))

    def _largest(self, candidate: Configuration, wanted: Sequence[Value], fewest: int) -> Configuration:
        """A configuration of as few changes whose workers and pools no other one of these exceeds."""
        while True:
            values = assignment(self._space.knobs, candidate)
            pairs = [(item.value, settle(item.value, values)) for item in self._shape]
            larger = [apply("==" if value == ABSENT else ">=", term, value) for term, value in pairs]
            one_more = disjunction(*(apply(">", term, value) for term, value in pairs if value != ABSENT))
            found = self._search.propose(*wanted, apply("<=", self._changes, fewest), *larger, one_more)
            if not isinstance(found, dict):
                return candidate
            candidate = found

    def _at_most(self, shape: Sequence[Figure]) -> Value:
        """Whether no worker count or pool size exceeds that of a shape, with the same ones there."""
        return conjunction(
            *(
                apply("==", term.value, ABSENT)
                if figure.value == ABSENT
                else conjunction(apply(">=", term.value, 0), apply("<=", term.value, figure.value))
                for term, figure in zip(self._shape, shape, strict=True)
            )
        )

    def _canonical(self, candidate: Configuration) -> Configuration:
        """Of the configurations of the same shape with as few changes, always the same one.

        One knob after the other, the best one to change last, is set back to what it is today, else hands
        its value to a better one, else takes the least value that leads to the same.
        """
        shape, use = self._shape_at(candidate), self._use_of(candidate)
        for position, item in enumerate(self._space.knobs):
            for other in self._simpler(candidate, item, self._space.knobs[:position:-1]):
                assessment = self._space.assessed(other)
                right = assessment is not None and not assessment.alarms
                if right and self._shape_at(other) == shape and self._use_of(other) == use:
                    candidate = other
                    break
        return candidate

    def _simpler(
        self, candidate: Configuration, item: Knob, better: Sequence[Knob]
    ) -> Iterator[Configuration]:
        """Configurations to prefer to one, as far as one knob goes, the most preferred first."""
        value = candidate[item.id]
        if value == item.current:
            return
        if not item.foreign:
            yield {**candidate, item.id: item.current}
        for other in better:
            free = not item.foreign and candidate[other.id] == other.current
            if free and other.kind == item.kind and value in other.domain():
                yield {**candidate, item.id: item.current, other.id: value}
        for least in item.domain():
            if least == value:
                return
            if least != item.current:
                yield {**candidate, item.id: least}

    def _shape_at(self, configuration: Configuration) -> tuple[Value, ...]:
        values = assignment(self._space.knobs, configuration)
        return tuple(settle(item.value, values) for item in self._shape)
