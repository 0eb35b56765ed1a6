"""What an application demands, by listing every snapshot: the definition itself, as slow as it is plain.

Written from section "What an application demands" of the language reference. It shares the tree of
`lpcl.compose.structure` with the evaluator that is held against it, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from lpcl.compose.structure import (
    Activity,
    Held,
    PoolUse,
    Process,
    ProcessWorkers,
    Sequence,
    Statement,
    ThreadWorkers,
    Together,
)

Amount = int | Fraction
Present = frozenset[str] | None


class TooManySnapshots(Exception):
    """More snapshots than the limit."""


@dataclass(frozen=True)
class At:
    """`callers` executors at an activity, or, where it is None, at all members of a `together`.

    `passed` are the statements that each of them has carried out before, `busy` the `fork` pools that they use at
    this level themselves.
    """

    activity: Activity | None
    callers: int
    passed: tuple[Statement, ...]
    busy: frozenset[str]


@dataclass(frozen=True)
class Snapshot:
    """Where the executors of one process are, and for each pool with a block somewhere, whom it serves.

    `served` is the activity whose block it runs, ``others`` for all activities without a block, or ``nobody``.
    """

    positions: tuple[At, ...]
    served: Mapping[str, Activity | str]


def _is(value: object) -> Amount:
    assert isinstance(value, int | Fraction), value
    return value


def _count(value: object) -> int:
    assert isinstance(value, int), value
    return value


def alone(use: PoolUse) -> bool:
    """Whether each caller is the whole pool: it keeps no thread and nobody waits."""
    return use.pool.policy in ("queue", "submit") and use.pool.joins and use.size == 1


def placeable(statement: Statement) -> bool:
    """Whether an executor can be there at all: an empty block takes no time."""
    if isinstance(statement, Activity):
        return True
    members = statement.members if isinstance(statement, Together) else statement.statements
    return any(placeable(member) for member in members)


def compositions(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    """Every way to write `total` as an ordered sum of `parts` terms that may be 0."""
    if parts == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in compositions(total - first, parts - 1):
            yield (first, *rest)


class Enumeration:
    """All snapshots of an application in which only the participants `present` are there (None: all)."""

    def __init__(self, root: Process, present: Present = None, limit: int = 100_000) -> None:
        self.root = root
        self.present = present
        self.limit = limit
        self._snapshots: dict[Process, list[Snapshot]] = {}

    def there(self, activity: Activity) -> bool:
        """Whether the participant has not been taken out."""
        return self.present is None or activity.place.id in self.present

    # ------------------------------------------------------------------ who can be where

    def snapshots(self, process: Process) -> list[Snapshot]:
        """Every snapshot of one copy of `process`."""
        known = self._snapshots.get(process)
        if known is None:
            known = self._snapshots[process] = list(self._all(process))
        return known

    def _all(self, process: Process) -> Iterator[Snapshot]:
        rivals: dict[str, list[Activity | str]] = {}
        for activity in self._within(process.body):
            use = self.shared(activity)
            if use is not None and activity.body is not None:
                rivals.setdefault(use.pool.key, ["others", "nobody"]).append(activity)
        found = 0
        for choice in product(*rivals.values()):
            served = dict(zip(rivals, choice, strict=True))
            for positions in self._block(process.body, 1, (), served):
                here = {at.activity for at in positions}
                if any(isinstance(one, Activity) and one not in here for one in served.values()):
                    continue
                found += 1
                if found > self.limit:
                    raise TooManySnapshots
                yield Snapshot(positions, served)

    def shared(self, activity: Activity) -> PoolUse | None:
        """The use of a pool that the process has once, where the activity is such a use."""
        use = activity.pool
        if use is None or not self.there(activity) or use.own_thread or use.pool.policy == "fork" or alone(use):
            return None
        return use

    def team(self, activity: Activity) -> PoolUse | None:
        """The use of a pool that gives each caller a team of its own, where the activity is such a use."""
        use = activity.pool
        if use is None or not self.there(activity) or use.own_thread or use.pool.policy != "fork":
            return None
        return use

    def _block(
        self, block: Sequence, executors: int, passed: tuple[Statement, ...], served: Mapping[str, Activity | str]
    ) -> Iterator[tuple[At, ...]]:
        """Every way in which `executors` executors, who have `passed` statements before, can be in a block."""
        places = [
            (statement, passed + block.statements[:position])
            for position, statement in enumerate(block.statements)
            if placeable(statement)
        ]
        if executors == 0 or not places:
            yield ()
            return
        for counts in compositions(executors, len(places)):
            taken = [(place, count) for place, count in zip(places, counts, strict=True) if count]
            ways = [list(self._statement(*place, count, served)) for place, count in taken]
            for way in product(*ways):
                yield tuple(at for part in way for at in part)

    def _statement(
        self,
        statement: Statement,
        passed: tuple[Statement, ...],
        callers: int,
        served: Mapping[str, Activity | str],
    ) -> Iterator[tuple[At, ...]]:
        if isinstance(statement, Sequence):
            yield from self._block(statement, callers, passed, served)
        elif isinstance(statement, Together):
            busy = frozenset(use.pool.key for activity in self._own(statement) if (use := self.team(activity)))
            mine = At(None, callers, passed, busy)
            members = [member for member in statement.members if placeable(member)]
            for way in product(*(list(self._statement(member, (), callers, served)) for member in members)):
                yield (mine, *(at for part in way for at in part))
        else:
            yield from self._activity(statement, passed, callers, served)

    def _activity(
        self,
        activity: Activity,
        passed: tuple[Statement, ...],
        callers: int,
        served: Mapping[str, Activity | str],
    ) -> Iterator[tuple[At, ...]]:
        team = self.team(activity)
        busy = frozenset((team.pool.key,)) if team is not None else frozenset()
        if activity.body is None or not placeable(activity.body):
            yield (At(activity, callers, passed, busy),)
        elif self._carries_on(activity):
            # The same threads go on inside, and what they have passed is counted where they stand there.
            for way in self._block(activity.body, callers, passed, served):
                yield (At(activity, callers, (), frozenset()), *way)
        else:
            for way in self._block(activity.body, self._executors(activity, callers, served), (), served):
                yield (At(activity, callers, passed, busy), *way)

    def _carries_on(self, activity: Activity) -> bool:
        """Whether a caller goes through the activity's block itself, as the thread that it was before."""
        if activity.workers is not None:
            return False
        return activity.pool is None or activity.pool.own_thread or not self.there(activity)

    def _executors(self, activity: Activity, callers: int, served: Mapping[str, Activity | str]) -> int:
        workers, use = activity.workers, activity.pool
        if isinstance(workers, ThreadWorkers):
            count = _count(workers.count)
            return callers * (count if self.there(activity) else min(count, 1))
        if use is None or use.own_thread or alone(use) or not self.there(activity):
            return callers
        size = _count(use.size)
        if use.pool.policy == "fork":
            return callers * size
        serves = served[use.pool.key] is activity
        if use.pool.policy == "join":
            return callers + (max(0, size - 1) if serves else 0)
        return size if serves else 0

    def _within(self, statement: Statement) -> Iterator[Activity]:
        """All activities of a statement that its process carries out."""
        if isinstance(statement, Activity):
            yield statement
            inner = [statement.body] if statement.body is not None else []
        else:
            inner = list(statement.members if isinstance(statement, Together) else statement.statements)
        for member in inner:
            yield from self._within(member)

    def _reached(self, statement: Statement) -> Iterator[Activity]:
        """The activities of a passed statement that anybody has carried out."""
        if isinstance(statement, Activity):
            yield statement
            nobody = isinstance(statement.workers, ThreadWorkers) and statement.workers.count == 0
            if statement.body is None or nobody or (self._pooled(statement) and statement.pool.size == 0):
                return
            inner: list[Statement] = [statement.body]
        else:
            inner = list(statement.members if isinstance(statement, Together) else statement.statements)
        for member in inner:
            yield from self._reached(member)

    def _own(self, statement: Statement) -> Iterator[Activity]:
        """The activities of a statement that the executor at it carries out as the thread that it is."""
        if isinstance(statement, Activity):
            yield statement
            inner = [statement.body] if statement.body is not None and self._carries_on(statement) else []
        else:
            inner = list(statement.members if isinstance(statement, Together) else statement.statements)
        for member in inner:
            yield from self._own(member)

    # ------------------------------------------------------------------ what a snapshot comes to

    def idle_teams(self, at: At) -> dict[str, int]:
        """Threads of the teams that each caller keeps from statements that it has carried out itself."""
        kept: dict[str, tuple[PoolUse, int]] = {}
        for statement in at.passed:
            for activity in self._own(statement):
                use = self.team(activity)
                if use is not None and use.pool.key not in at.busy:
                    size = _count(use.existing)
                    if size > kept.get(use.pool.key, (use, -1))[1]:
                        kept[use.pool.key] = (use, size)
        return kept

    def used_pools(self, shot: Snapshot) -> dict[str, list[PoolUse]]:
        """The pools of the process that executors have used before, with the uses."""
        found: dict[str, list[PoolUse]] = {}
        for at in shot.positions:
            for statement in at.passed:
                for activity in self._reached(statement):
                    use = self.shared(activity)
                    if use is not None:
                        found.setdefault(use.pool.key, []).append(use)
        return found
