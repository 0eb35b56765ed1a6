"""What a finding teaches: when the snapshot that shows it shows it again under other settings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Protocol

from lpcl.compose.elaborate import Elaborated
from lpcl.compose.findings import Finding, Kind
from lpcl.compose.meaning import peak
from lpcl.compose.measures import Bound, CallersMeasure, Measure, PoolCallersMeasure
from lpcl.compose.paths import Path
from lpcl.compose.placement import amount, snapshot
from lpcl.compose.sound import certain
from lpcl.compose.structure import activities, process_of, processes, starter_id
from lpcl.compose.sums import Sum
from lpcl.compose.suspects import CALLERS, Key, key_of, shared_and_served, shared_pools
from lpcl.compose.terms import Value, apply, conjunction, disjunction, knobs_of, negation, truth
from lpcl.model.quantities import show


@dataclass(frozen=True, slots=True)
class Learnt:
    """A condition that every configuration without findings meets, in words too, and its resource, if any."""

    condition: Value
    text: str
    resource: str | None


class Amounts(Protocol):
    """What sums there are in a shape, and what others use of them."""

    def sums_of(self, path: Path) -> tuple[Sum, ...]:
        """Every sum of a shape."""
        ...

    def background(self, item: Sum) -> Value:
        """What others use of a sum's capacity."""
        ...


class Lessons:
    """What the findings of one shape teach."""

    def __init__(self, space: Amounts, path: Path) -> None:
        self._space = space
        self._root = path.elaborated.root
        self._sums: dict[tuple[str, str | None, int | None], Sum] = {
            (item.resource.qualified, item.starter, item.device): item for item in space.sums_of(path)
        }

    def conditions(self, finding: Finding, elaborated: Elaborated) -> Iterator[Learnt]:
        """What the knobs must meet for the snapshot that shows a finding to be harmless."""
        key = key_of(finding)
        if finding.kind is Kind.OVERCOMMIT:
            assert finding.capacity is not None
            text = f"{finding.resource_name} stays within {show(finding.capacity, finding.dimension)}"
            for certain in (True, False):
                cause = self.cause(replace(key, certain=certain), elaborated)
                yield Learnt(negation(cause), text, finding.resource_name)
        else:
            harmless = negation(self.cause(key, elaborated))
            yield Learnt(harmless, f"not: {finding.headline}", finding.resource_name)

    def cause(self, key: Key, elaborated: Elaborated) -> Value:
        """When the worst snapshot of a tree under given settings shows a finding."""
        if key.kind is Kind.OVERCOMMIT:
            item = self._sums.get((key.resource or "", key.starter, key.device))
            if item is None:
                return False
            bound: Bound = "low" if key.certain else "high"
            guards, demand = self._matched(elaborated, item.starter, item.measure(bound))
            demand = apply("+", demand, self._space.background(item))
            return conjunction(guards, item.there, apply(">", demand, item.capacity))
        if key.clause is not None:
            return disjunction(*self._broken(key, elaborated))
        if key.pool is None:
            return False
        process = process_of(self._root, key.starter)
        if key.effect == "hangs":
            used = [
                conjunction(activity.condition, apply(">=", activity.pool.existing, 1))
                for activity in activities(process.body)
                if activity.pool is not None and activity.pool.pool.key == key.pool
            ]
            before = process.parent_used.get(key.pool, False)
            return conjunction(process.condition, before, disjunction(*used))
        uses = shared_pools(process).get(key.pool)
        if uses is None:
            return False
        shared, served = shared_and_served(uses)
        measure = PoolCallersMeasure(follows=False, pool=key.pool)
        guards, callers = self._matched(elaborated, key.starter, measure)
        return conjunction(guards, shared, apply(">", callers, served))

    def _matched(self, elaborated: Elaborated, starter: str | None, measure: Measure) -> tuple[Value, Value]:
        """When the worst snapshot of a tree is possible where settings are open, and its amount there."""
        top = peak(process_of(elaborated.root, starter), measure)
        process = process_of(self._root, starter)
        guards: list[Value] = [process.condition]
        shot = snapshot(process, top.placements, guards=guards)
        return conjunction(*guards), amount(shot, measure)

    def _broken(self, key: Key, elaborated: Elaborated) -> Iterator[Value]:
        """When an assumption does not hold, or a hazard does."""
        for process in processes(self._root):
            for mine in process.conditions:
                if (mine.origin, mine.place, mine.process) != key.clause:
                    continue
                callers: dict[str, Value] = {}
                possible: Value = process.condition
                for name in sorted(knobs_of(mine.value)):
                    if name.startswith(CALLERS):
                        measure = CallersMeasure(follows=False, place=name.removeprefix(CALLERS))
                        guards, callers[name] = self._matched(elaborated, starter_id(process), measure)
                        possible = conjunction(possible, guards)
                value = certain(truth(mine.value, callers))
                yield conjunction(possible, negation(value) if mine.kind == "assume" else value)
