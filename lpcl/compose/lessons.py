"""What a finding teaches: the conditions on the knobs under which the snapshot that shows it is harmless."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lpcl.compose.elaborate import Elaborated
from lpcl.compose.findings import Finding, Kind
from lpcl.compose.meaning import peak
from lpcl.compose.measures import Bound, CallersMeasure, Measure, PoolCallersMeasure, serves_alone
from lpcl.compose.paths import Path
from lpcl.compose.placement import amount, snapshot
from lpcl.compose.space import Space, process_of
from lpcl.compose.structure import Condition, activities, processes
from lpcl.compose.sums import Sum, starter_id
from lpcl.compose.terms import Value, apply, conjunction, disjunction, knobs_of, negation, settle


@dataclass(frozen=True, slots=True)
class Learnt:
    """A condition that every configuration without findings meets, and the finding that taught it."""

    condition: Value
    finding: Finding


class Lessons:
    """The conditions of one shape that its findings teach."""

    def __init__(self, space: Space, path: Path) -> None:
        self._space = space
        self._root = path.elaborated.root
        self.sums: dict[tuple[str, str | None, int | None], Sum] = {
            (item.resource.qualified, item.starter, item.device): item for item in space.sums_of(path)
        }

    def conditions(self, finding: Finding, elaborated: Elaborated) -> Iterator[Value]:
        """What the knobs must meet for the snapshot that shows a finding to be harmless."""
        item = self.sums.get((finding.resource or "", finding.starter, finding.device))
        if finding.kind is Kind.OVERCOMMIT and item is not None:
            bounds: tuple[Bound, ...] = ("low", "high")
            for bound in bounds:
                guards, demand = self._matched(elaborated, item.starter, item.measure(bound))
                demand = apply("+", demand, self._space.background(item))
                yield apply("implies", guards, apply("<=", demand, item.capacity))
        elif finding.kind is Kind.SERIALIZED or (finding.pool is not None and finding.effect == "aborts"):
            assert finding.pool is not None
            guards, callers = self._matched(
                elaborated, finding.starter, PoolCallersMeasure(follows=False, pool=finding.pool)
            )
            alone = [
                apply("implies", activity.condition, serves_alone(activity.pool))
                for activity in activities(process_of(self._root, finding.starter).body)
                if activity.pool is not None and activity.pool.pool.key == finding.pool
            ]
            yield apply("or", apply("implies", guards, apply("<=", callers, 1)), conjunction(*alone))
        elif finding.pool is not None:
            process = process_of(self._root, finding.starter)
            used = [
                conjunction(activity.condition, apply(">=", activity.pool.existing, 1))
                for activity in activities(process.body)
                if activity.pool is not None and activity.pool.pool.key == finding.pool
            ]
            before = process.parent_used.get(finding.pool, False)
            yield negation(conjunction(process.condition, before, disjunction(*used)))
        elif finding.condition is not None:
            yield from self._avoided(finding.condition, elaborated)

    def _matched(self, elaborated: Elaborated, starter: str | None, measure: Measure) -> tuple[Value, Value]:
        """The amount of the worst snapshot of a proposal where settings are open, and when it is possible."""
        top = peak(process_of(elaborated.root, starter), measure)
        process = process_of(self._root, starter)
        guards: list[Value] = [process.condition]
        shot = snapshot(process, top.placements, guards=guards)
        return conjunction(*guards), amount(shot, measure)

    def _avoided(self, condition: Condition, elaborated: Elaborated) -> Iterator[Value]:
        """What the knobs must meet for an assumption to hold, or a hazard not to."""
        for process in processes(self._root):
            for mine in process.conditions:
                if (mine.origin, mine.place, mine.process) != (
                    condition.origin,
                    condition.place,
                    condition.process,
                ):
                    continue
                callers: dict[str, Value] = {}
                possible: Value = True
                for name in knobs_of(mine.value):
                    if name.startswith("callers "):
                        measure = CallersMeasure(follows=False, place=name.removeprefix("callers "))
                        guards, callers[name] = self._matched(elaborated, starter_id(process), measure)
                        possible = conjunction(possible, guards)
                value = settle(mine.value, callers)
                yield apply("implies", possible, value if mine.kind == "assume" else negation(value))
