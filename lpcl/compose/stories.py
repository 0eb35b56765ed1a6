"""The statements of an application that lead to a hazard or to an assumption that fails, in order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from lpcl.compose.findings import Step
from lpcl.compose.meaning import number
from lpcl.compose.structure import (
    Activity,
    Condition,
    Place,
    PoolInstance,
    Process,
    ProcessWorkers,
    ThreadWorkers,
    activities,
    processes,
)
from lpcl.compose.terms import Number, Term, Value
from lpcl.model.program import Origin
from lpcl.model.quantities import show

MOST_STEPS = 8
_CALLED = re.compile(r"(/c\d+(~\d+)?)+$")


def is_own(place: Place) -> bool:
    """Whether the application itself makes a call, and no contract does."""
    return _CALLED.search(place.id.partition(":")[0]) is None


@dataclass(frozen=True, eq=False)
class Stories:
    """Tells what leads to a finding in the tree of processes below `root`."""

    root: Process

    def fork(self, process: Process, activity: Activity, pool: PoolInstance) -> tuple[Step, ...]:
        """How a process comes to use a pool that has lost its threads in the fork."""
        assert process.starter is not None
        parent = self._parent(process)
        before = self._starting(parent, process, pool)
        if before is not None:
            first = Step(str(before), parent.name, f"starts the threads of {pool}", self._line(before))
        else:
            first = Step(
                pool.library, parent.name, f"has the threads of {pool} since it was loaded", pool.origin
            )
        return (
            first,
            Step(
                str(process.starter),
                parent.name,
                "forks: the child has the state of the pool, and none of its threads",
                self._line(process.starter),
            ),
            Step(
                str(activity.place),
                process.name,
                "uses the pool and waits for its threads, which it does not have: without end",
                self._line(activity.place),
            ),
        )

    def entered(
        self, process: Process, starters: Sequence[Place], inside: Sequence[Place], callers: Number
    ) -> tuple[Step, ...]:
        """How several threads come to enter a pool that allows one."""
        steps = [
            Step(str(place), process.name, self._starts(process, place), self._line(place))
            for place in starters
        ]
        at_once = f"is entered by {show(callers)} threads at the same time"
        shared = at_once if len(inside) == 1 else "is one of those that are entered at the same time"
        steps += [Step(str(place), process.name, shared, self._line(place)) for place in inside]
        return tuple(steps[:MOST_STEPS])

    def condition(self, process: Process, condition: Condition) -> tuple[Step, ...]:
        """Which statement a condition is about: the call, or those through which the library is loaded."""
        if condition.place is not None:
            place = condition.place
            return (Step(str(place), process.name, "is called", self._line(place)),)
        key = condition.runtime
        holders = next((one.holders for one in process.loaded if one.key == key), frozenset())
        found = [self._places[one] for one in sorted(holders) if one in self._places]
        lines = dict.fromkeys((str(place), self._line(place)) for place in found)
        return tuple(
            Step(who, process.name, f"loads {condition.library}", origin)
            for who, origin in list(lines)[:MOST_STEPS]
        )

    # -------------------------------------------------------------- where things stand

    @cached_property
    def _places(self) -> dict[str, Place]:
        found: dict[str, Place] = {}
        for process in processes(self.root):
            for activity in activities(process.body):
                found[activity.place.id] = activity.place
            if process.starter is not None:
                found[process.starter.id] = process.starter
        return found

    @cached_property
    def _by_path(self) -> dict[str, Place]:
        return {place.partition(":")[0]: found for place, found in self._places.items()}

    def _line(self, place: Place) -> Origin:
        """The statement of the application that a place belongs to, also where a contract makes the call."""
        path = place.id.partition(":")[0]
        own = _CALLED.sub("", path)
        found = self._by_path.get(own, place)
        return found.origin

    def _parent(self, process: Process) -> Process:
        for one in processes(self.root):
            for activity in activities(one.body):
                if isinstance(activity.workers, ProcessWorkers) and activity.workers.process is process:
                    return one
        return self.root

    def _starting(self, parent: Process, child: Process, pool: PoolInstance) -> Place | None:
        """What has used the pool in the parent before it forks the child."""
        for activity in activities(parent.body):
            if isinstance(activity.workers, ProcessWorkers) and activity.workers.process is child:
                return None
            use = activity.pool
            if use is not None and use.pool.key == pool.key and number(use.existing) >= 1:
                return activity.place
        return None

    def _starts(self, process: Process, place: Place) -> str:
        activity = process.index.get(place.id)
        if activity is not None and isinstance(activity.workers, ThreadWorkers):
            return f"starts {_several(activity.workers.count, 'worker thread')}"
        if activity is not None and activity.pool is not None:
            return f"has its block carried out by {_several(activity.pool.size, 'thread')}"
        return "starts threads"


def _several(count: Value, what: str) -> str:
    if isinstance(count, Term | str):
        return f"{what}s"
    return f"1 {what}" if count == 1 else f"{show(count)} {what}s"


def told(steps: Sequence[Step]) -> Iterator[tuple[str, str]]:
    """Each step as a sentence without its full stop, and where its statement stands."""
    for step in steps:
        place = f"the {step.process}" if step.process.startswith("workers of ") else step.process
        inside = "" if step.process == "the program" else f"in {place}, "
        yield f"{inside}{step.who} {step.what}", "" if step.origin is None else str(step.origin)
