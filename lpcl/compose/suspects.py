"""Everything that could be wrong in a shape of an application, each as a condition on its knobs.

A suspect is one finding in one way for executors to stand (`lpcl.compose.stances`): where its conditions
hold, the finding is there; where no suspect's conditions hold, none is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from lpcl.compose.findings import Finding, Kind
from lpcl.compose.measures import Bound, CallersMeasure, Measure, PoolCallersMeasure, serves_alone
from lpcl.compose.paths import Path
from lpcl.compose.placement import ProcessSnapshot, amount, snapshot
from lpcl.compose.sound import certain
from lpcl.compose.stances import PLACING, Stance, stances
from lpcl.compose.structure import PoolUse, Process, activities, process_of, processes, starter_id
from lpcl.compose.sums import Sum
from lpcl.compose.terms import (
    Value,
    apply,
    choose,
    conjunction,
    disjunction,
    knobs_of,
    largest,
    negation,
    truth,
)
from lpcl.model.quantities import show


@dataclass(frozen=True, slots=True)
class Key:
    """What makes two findings the same one under two configurations or on two machines."""

    kind: Kind
    certain: bool
    resource: str | None = None
    starter: str | None = None
    device: int | None = None
    pool: str | None = None
    effect: str | None = None
    clause: tuple[object, ...] | None = None


def key_of(finding: Finding) -> Key:
    """The key of a finding."""
    clause = finding.condition
    mark = None if clause is None else (clause.origin, clause.place, clause.process)
    return Key(
        finding.kind,
        finding.certain,
        finding.resource,
        finding.starter if clause is None else None,
        finding.device,
        finding.pool,
        finding.effect,
        mark,
    )


@dataclass(frozen=True)
class Suspect:
    """A finding that could be; `closed` where its conditions have no knobs but those of the application.

    `truths` are knobs of its own that are true or false; `alarm` is whether it is more than information.
    `text` says what must hold for it not to be.
    """

    key: Key
    conditions: tuple[Value, ...]
    text: str
    resource: str | None = None
    truths: frozenset[str] = frozenset()
    closed: bool = True
    alarm: bool = True

    @property
    def happens(self) -> Value:
        """Its conditions as one."""
        return conjunction(*self.conditions)

    def knobs(self) -> frozenset[str]:
        """The application's knobs that it depends on."""
        names = (name for condition in self.conditions for name in knobs_of(condition))
        return frozenset(name for name in names if not name.startswith(PLACING))


class Suspects:
    """The suspects of one shape. `background` is what others use of a sum's capacity."""

    def __init__(self, path: Path, sums: tuple[Sum, ...], background: Callable[[Sum], Value]) -> None:
        self._root = path.elaborated.root
        self._sums = sums
        self._background = background
        self._stances: dict[str, tuple[Stance, ...]] = {}
        self._shots: dict[tuple[str, int], tuple[Stance, tuple[Value, ...], ProcessSnapshot]] = {}

    def __iter__(self) -> Iterator[Suspect]:
        """All of them, in order."""
        for item in self._sums:
            yield from self.of_sum(item)
        for process in processes(self._root):
            if process.condition is not False:
                yield from self._of_pools(process)
                yield from self._of_forks(process)
                yield from self._of_conditions(process)

    def of_sum(self, item: Sum) -> Iterator[Suspect]:
        """The over-commits of a sum: certain by its lower bounds, possible by its upper ones."""
        for suspect, _ in self.amounts(item, ("low", "high")):
            yield suspect

    def amounts(self, item: Sum, bounds: tuple[Bound, ...]) -> Iterator[tuple[Suspect, Value]]:
        """The over-commits of a sum by these of its bounds, each with what is asked for."""
        process = process_of(self._root, item.starter)
        resource = item.resource
        limit = show_limit(item)
        seen: set[tuple[Value, ...]] = set()
        for bound in bounds:
            key = Key(Kind.OVERCOMMIT, bound == "low", resource.qualified, item.starter, item.device)
            for stance in self._ways(process):
                guards, demand = self._amount(process, stance, item.measure(bound))
                reached = apply(">", apply("+", demand, self._background(item)), item.capacity)
                suspect = _suspect(
                    key,
                    stance,
                    (process.condition, item.there, reached, *guards),
                    limit,
                    resource=resource.name,
                )
                if suspect is not None and suspect.conditions not in seen:
                    seen.add(suspect.conditions)
                    yield suspect, demand

    def _ways(self, process: Process) -> tuple[Stance, ...]:
        key = starter_id(process)
        if key not in self._stances:
            self._stances[key] = tuple(stances(process))
        return self._stances[key]

    def _amount(self, process: Process, stance: Stance, measure: Measure) -> tuple[tuple[Value, ...], Value]:
        key = (starter_id(process), id(stance))
        known = self._shots.get(key)
        if known is None:
            guards: list[Value] = list(stance.guards)
            shot = snapshot(process, stance.placements, guards=guards, some=False)
            known = self._shots[key] = (stance, tuple(guards), shot)
        _, found, shot = known
        return found, amount(shot, measure)

    def _of_pools(self, process: Process) -> Iterator[Suspect]:
        """Pools with more callers than they serve."""
        for key, uses in shared_pools(process).items():
            pool = uses[0][0].pool
            kind = Kind.HAZARD if pool.policy == "forbid" else Kind.SERIALIZED
            effect = "aborts" if pool.policy == "forbid" else None
            mark = Key(kind, True, None, starter_id(process), None, key, effect)
            text = f"{pool} has no more callers at a time than it serves"
            shared, served = shared_and_served(uses)
            seen: set[tuple[Value, ...]] = set()
            for stance in self._ways(process):
                measure = PoolCallersMeasure(follows=False, pool=key)
                guards, callers = self._amount(process, stance, measure)
                crowded = apply(">", callers, served)
                suspect = _suspect(
                    mark,
                    stance,
                    (process.condition, shared, crowded, *guards),
                    text,
                    alarm=pool.policy != "submit",
                )
                if suspect is not None and suspect.conditions not in seen:
                    seen.add(suspect.conditions)
                    yield suspect

    def _of_forks(self, process: Process) -> Iterator[Suspect]:
        """Pools that hang in a child since their threads stay with its parent."""
        if process.method != "fork" or process.starter is None:
            return
        used: dict[str, list[PoolUse]] = {}
        conditions: dict[str, list[Value]] = {}
        for activity in activities(process.body):
            use = activity.pool
            if use is not None and use.pool.fork == "unsafe":
                used.setdefault(use.pool.key, []).append(use)
                there = conjunction(activity.condition, apply(">=", use.existing, 1))
                conditions.setdefault(use.pool.key, []).append(there)
        for key, uses in used.items():
            before = process.parent_used.get(key, False)
            happens = (process.condition, before, disjunction(*conditions[key]))
            text = f"{uses[0].pool} is not used before `fork` and in the child"
            mark = Key(Kind.HAZARD, True, None, starter_id(process), None, key, "hangs")
            suspect = _suspect(mark, Stance({}), happens, text)
            if suspect is not None:
                yield suspect

    def _of_conditions(self, process: Process) -> Iterator[Suspect]:
        """Assumptions that do not hold, and hazards that do."""
        for condition in process.conditions:
            kind = Kind.ASSUMPTION if condition.kind == "assume" else Kind.HAZARD
            effect = condition.effect if kind is Kind.HAZARD else None
            mark = Key(
                kind, True, effect=effect, clause=(condition.origin, condition.place, condition.process)
            )
            text = f"not: {condition.library}: {condition.message}"
            asked = sorted(name for name in knobs_of(condition.value) if name.startswith(CALLERS))
            for stance, guards, callers in self._callers(process, asked):
                value = certain(truth(condition.value, callers))
                wrong = negation(value) if condition.kind == "assume" else value
                suspect = _suspect(mark, stance, (process.condition, wrong, *guards), text)
                if suspect is not None:
                    yield suspect

    def _callers(
        self, process: Process, names: list[str]
    ) -> Iterator[tuple[Stance, tuple[Value, ...], Mapping[str, Value]]]:
        """The most executors that are at some places at once; where that is open, whatever it can be."""
        closed: dict[str, Value] = dict.fromkeys(names, 0)
        open_ones: list[Stance] = []
        for stance in self._ways(process) if names else ():
            if not stance.closed:
                open_ones.append(stance)
                continue
            for name in names:
                guards, callers = self._amount(process, stance, _at(name))
                here = choose(conjunction(*guards), callers, 0)
                closed[name] = apply("max", closed[name], here)
        yield Stance({}, closed=not open_ones), (), closed
        for stance in open_ones:
            found: dict[str, Value] = {}
            guards = ()
            for name in names:
                guards, callers = self._amount(process, stance, _at(name))
                found[name] = apply("max", closed[name], callers)
            yield stance, guards, found


CALLERS = "callers "
"""How the names of knobs begin that stand for the executors at a place."""


def _at(name: str) -> CallersMeasure:
    return CallersMeasure(follows=False, place=name.removeprefix(CALLERS))


def show_limit(item: Sum) -> str:
    """What keeps a sum from being over-committed, in words."""
    resource = item.resource
    if isinstance(item.capacity, str | bool) or not isinstance(item.capacity, int):
        return f"{resource.name} stays within its capacity"
    return f"{resource.name} stays within {show(item.capacity, resource.dimension)}"


def shared_pools(process: Process) -> dict[str, list[tuple[PoolUse, Value]]]:
    """The uses of pools that serve one caller, or one team's worth of them, at a time, each with its
    condition.
    """
    found: dict[str, list[tuple[PoolUse, Value]]] = {}
    for activity in activities(process.body):
        use = activity.pool
        if use is not None and not use.own_thread and use.pool.policy in ("queue", "submit", "forbid"):
            found.setdefault(use.pool.key, []).append((use, activity.condition))
    return found


def shared_and_served(uses: list[tuple[PoolUse, Value]]) -> tuple[Value, Value]:
    """Whether a pool has threads of its own to share, and how many callers it serves at a time."""
    waits = [(use, conjunction(there, negation(serves_alone(use)))) for use, there in uses]
    shared = disjunction(*(there for _, there in waits))
    if uses[0][0].pool.policy != "submit":
        return shared, 1
    return shared, largest([choose(there, use.size, 0) for use, there in waits])


def _suspect(
    key: Key,
    stance: Stance,
    conditions: tuple[Value, ...],
    text: str,
    *,
    resource: str | None = None,
    alarm: bool = True,
) -> Suspect | None:
    """A suspect, unless its conditions cannot hold."""
    left = tuple(dict.fromkeys(one for one in conditions if one is not True))
    if any(one is False for one in left):
        return None
    return Suspect(key, left, text, resource, stance.truths, stance.closed, alarm)
