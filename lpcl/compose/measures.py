"""What can be counted in a snapshot: CPUs asked for, threads that exist, bytes held, callers at a place.

A measure gives amounts for what a snapshot is made of, as `Value`s, so that one definition serves a given
configuration and an open one. The rules are section "What an application demands" of the language reference.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import ClassVar, Literal

from lpcl.compose.resources import PROCESSES, THREADS
from lpcl.compose.structure import (
    Activity,
    Held,
    Loaded,
    PoolInstance,
    PoolUse,
    Process,
    ProcessWorkers,
    Resolution,
    ThreadWorkers,
    all_activities,
    processes,
)
from lpcl.compose.terms import Value, apply, choose, conjunction, disjunction, total
from lpcl.model.program import Origin

Bound = Literal["low", "high"]
Present = frozenset[str] | None


def is_present(place: str, present: Present) -> bool:
    """Whether a participant is there: `None` stands for all of them."""
    return present is None or place in present


def serves_alone(use: PoolUse) -> Value:
    """Whether the pool is its caller and nothing else, so that callers neither wait nor share.

    A pool of no threads leaves the work to its callers, and a `queue` or `submit` pool of one thread that the
    caller joins keeps no thread of its own.
    """
    if use.pool.policy in ("fork", "join"):
        return False  # their callers are at work in any case
    one = use.pool.joins and use.pool.policy in ("queue", "submit")
    return disjunction(apply("<=", use.size, 0), apply("==", use.size, 1) if one else False)


def team_size(use: PoolUse) -> Value:
    """How many threads work for each caller of a `fork` pool: the caller itself where there are none."""
    return apply("max", 1, use.size)


@dataclass(frozen=True, slots=True)
class Part:
    """What a process holds simply by being there: how much, of what, and the clause or demand that says
    so.
    """

    amount: Value
    what: str
    origin: Origin | None
    reasons: tuple[Resolution, ...] = ()
    held: Held | None = None


@dataclass(frozen=True)
class Measure:
    """Amounts that count; the base class counts nothing.

    Per caller at an activity: `running` (whatever the activity is), `leaf` (it has neither pool, workers nor
    block), `team` and `team_idle` (a `fork` pool at work, or passed and idle), `joining` (callers that work
    beside the pool), `threads` (workers in its process). Once a process: `claim` and `claim_idle` (a pool of
    another policy that has a thread of its own, at work, or passed and idle) and `process`. `follows` tells
    whether child processes count, `keeps` whether a pool's threads count for themselves while they go
    through a block.
    """

    keeps: ClassVar[bool] = False

    bound: Bound = "high"
    follows: bool = True

    def running(self, activity: Activity) -> Value:
        return 0

    def leaf(self, activity: Activity) -> Value:
        return 0

    def team(self, use: PoolUse, block: bool) -> Value:
        return 0

    def team_idle(self, use: PoolUse) -> Value:
        return 0

    def joining(self, use: PoolUse, block: bool) -> Value:
        return 0

    def claim(self, use: PoolUse, block: bool) -> Value:
        return 0

    def claim_idle(self, use: PoolUse) -> Value:
        return 0

    def threads(self, workers: ThreadWorkers) -> Value:
        return 0

    def process(self, process: Process, present: Present) -> tuple[Part, ...]:
        return ()

    def exact(self, root: Process) -> bool:
        """Whether lower and upper bounds are the same wherever this measure looks."""
        return True


@dataclass(frozen=True)
class CpuMeasure(Measure):
    """Runnable threads; without `spinning`, idle threads that spin are left out."""

    spinning: bool = True

    def leaf(self, activity: Activity) -> Value:
        if activity.cpu is None:
            return 1
        return activity.cpu.low if self.bound == "low" else activity.cpu.high

    def team(self, use: PoolUse, block: bool) -> Value:
        return 0 if block else team_size(use)

    def team_idle(self, use: PoolUse) -> Value:
        return use.existing if self._spins(use) else 0

    def joining(self, use: PoolUse, block: bool) -> Value:
        if block:
            return 0
        if use.own_thread or use.pool.policy == "join":
            return 1
        return choose(serves_alone(use), 1, 0)

    def claim(self, use: PoolUse, block: bool) -> Value:
        if block:
            return 0
        return apply("max", 0, apply("-", use.size, 1)) if use.pool.policy == "join" else use.size

    def claim_idle(self, use: PoolUse) -> Value:
        return use.existing if self._spins(use) else 0

    def exact(self, root: Process) -> bool:
        return all(
            (activity.cpu is None or activity.cpu[0] == activity.cpu[1])
            and (activity.pool is None or activity.pool.pool.spins != "for a time")
            for activity in all_activities(root)
        )

    def _spins(self, use: PoolUse) -> bool:
        if not self.spinning or use.pool.spins is None:
            return False
        return use.pool.spins == "always" or self.bound == "high"


@dataclass(frozen=True)
class HeldMeasure(Measure):
    """What is held, or used at a time, of a declared resource; on one device where it has several."""

    resource: str = ""
    device: int | None = None

    def running(self, activity: Activity) -> Value:
        return self._sum(activity.demands)

    def process(self, process: Process, present: Present) -> tuple[Part, ...]:
        found = [
            Part(self.amount(item), "each worker", item.origin, item.reasons, item)
            for item in (process.held if _is_there(process, present) else ())
            if item.resource == self.resource
        ]
        found += [
            Part(
                _if_loaded(library, self.amount(item)),
                f"{library}, loaded",
                item.origin,
                item.reasons,
                item,
            )
            for library in process.loaded
            if _is_held(library.holders, present)
            for item in library.demands
            if item.resource == self.resource
        ]
        return tuple(found)

    def exact(self, root: Process) -> bool:
        demands = chain(
            (item for activity in all_activities(root) for item in activity.demands),
            (item for process in processes(root) for item in process.held),
            (item for process in processes(root) for one in process.loaded for item in one.demands),
        )
        return all(item.low == item.high for item in demands if item.resource == self.resource)

    def _sum(self, demands: tuple[Held, ...]) -> Value:
        return total([self.amount(item) for item in demands])

    def amount(self, item: Held) -> Value:
        """How much of a demand this measure counts."""
        if item.resource != self.resource:
            return 0
        amount = item.low if self.bound == "low" else item.high
        if self.device is None or item.device == "all" or item.device is None:
            return amount
        return choose(apply("==", item.device, self.device), amount, 0)


@dataclass(frozen=True)
class ThreadMeasure(HeldMeasure):
    """Threads that exist, runnable or not: main threads, pools, workers, and those that contracts declare."""

    keeps = True

    resource: str = THREADS

    def team(self, use: PoolUse, block: bool) -> Value:
        """What a use adds to the threads that its pool has since its library was loaded."""
        return apply("max", 0, apply("-", use.existing, use.at_load))

    def team_idle(self, use: PoolUse) -> Value:
        return self.team(use, False)

    def claim(self, use: PoolUse, block: bool) -> Value:
        return self.team(use, block)

    def claim_idle(self, use: PoolUse) -> Value:
        return self.team(use, False)

    def threads(self, workers: ThreadWorkers) -> Value:
        return apply("max", 0, apply("-", workers.count, 1)) if workers.joins else workers.count

    def process(self, process: Process, present: Present) -> tuple[Part, ...]:
        pools = tuple(
            Part(
                _if_loaded(library, existing),
                f"pool {pool}, made when the library is loaded{_beside(pool)}",
                pool.origin,
                reasons,
            )
            for library in process.loaded
            if _is_held(library.holders, present)
            for pool, existing, reasons in library.pools
        )
        return _itself(process, present, "main thread") + pools + super().process(process, present)


@dataclass(frozen=True)
class ProcessMeasure(HeldMeasure):
    """Live processes, those that contracts declare among them."""

    resource: str = PROCESSES

    def process(self, process: Process, present: Present) -> tuple[Part, ...]:
        return _itself(process, present, "the process itself") + super().process(process, present)


@dataclass(frozen=True)
class CallersMeasure(Measure):
    """Executors at one place at one moment."""

    place: str = ""
    follows: bool = False

    def running(self, activity: Activity) -> Value:
        return 1 if activity.place.id == self.place else 0


@dataclass(frozen=True)
class PoolCallersMeasure(Measure):
    """Executors that want one pool of their process at one moment."""

    pool: str = ""
    follows: bool = False

    def running(self, activity: Activity) -> Value:
        use = activity.pool
        return 1 if use is not None and use.pool.key == self.pool and not use.own_thread else 0


def _beside(pool: PoolInstance) -> str:
    return ", beside its caller" if pool.joins else ""


def _is_there(process: Process, present: Present) -> bool:
    return process.starter is None or is_present(process.starter.id, present)


def _itself(process: Process, present: Present, what: str) -> tuple[Part, ...]:
    origin = process.starter.origin if process.starter is not None else None
    return (Part(1, what, origin),) if _is_there(process, present) and not process.imaginary else ()


def _if_loaded(library: Loaded, amount: Value) -> Value:
    return choose(library.condition, amount, 0)


def _is_held(holders: frozenset[str], present: Present) -> bool:
    return present is None or bool(holders & present) or not holders


def executors(activity: Activity, callers: Value, serving: Value, present: Present = None) -> Value:
    """How many executors go through the body of an activity that `callers` executors are at.

    A pool that serves another activity at the moment gives this one none; callers that join go on by
    themselves.
    """
    if not is_present(activity.place.id, present):
        if isinstance(activity.workers, ThreadWorkers):
            return apply("*", callers, apply("min", activity.workers.count, 1))
        return callers
    if isinstance(activity.workers, ThreadWorkers):
        return apply("*", callers, activity.workers.count)
    use = activity.pool
    if use is None or use.own_thread:
        return callers
    if use.pool.policy == "fork":
        return apply("*", callers, team_size(use))
    at_work = conjunction(serving, apply(">=", callers, 1))
    if use.pool.policy == "join":
        return apply("+", choose(at_work, apply("max", 0, apply("-", use.size, 1)), 0), callers)
    return choose(serves_alone(use), callers, choose(at_work, use.size, 0))


def child_copies(activity: Activity, callers: Value, present: Present = None) -> Value:
    """How many processes the callers of an activity have started between them."""
    assert isinstance(activity.workers, ProcessWorkers)
    count = activity.workers.count
    if not is_present(activity.place.id, present):
        count = apply("min", count, 1)
    return apply("*", callers, count)
