"""What an application demands, by listing every snapshot: the definition itself, as slow as it is plain.

Written from section "What an application demands" of the language reference. It shares the tree of
`lpcl.compose.structure` with the evaluator that is held against it, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Literal

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
Bound = Literal["low", "high"]
Served = Mapping[str, Activity | str]


class TooManySnapshots(Exception):
    """More snapshots than the limit."""


@dataclass(frozen=True)
class At:
    """`callers` executors at an activity, or, where it is None, at all members of a `together`.

    `passed` are the statements that each of them has carried out before, `busy` the `fork` pools that they
    use at this level themselves.
    """

    activity: Activity | None
    callers: int
    passed: tuple[Statement, ...]
    busy: frozenset[str]


@dataclass(frozen=True)
class Snapshot:
    """Where the executors of one process are, and for each pool with a block somewhere, whom it serves.

    `served` is the activity whose block it runs, ``others`` for all activities without a block, or
    ``nobody``: its callers are about to be served.
    """

    positions: tuple[At, ...]
    served: Served


def amount_of(value: object) -> Amount:
    """A plain number."""
    assert isinstance(value, int | Fraction), value
    return value


def whole(value: object) -> int:
    """A plain whole number."""
    assert isinstance(value, int), value
    return value


def alone(use: PoolUse) -> bool:
    """Whether each caller is the whole pool: it keeps no thread and nobody waits."""
    if use.size == 0:
        return use.pool.policy != "join"
    return use.pool.policy in ("queue", "submit") and use.pool.joins and use.size == 1


def parts(statement: Statement) -> tuple[Statement, ...]:
    """What a statement consists of, in the same process."""
    if isinstance(statement, Activity):
        return () if statement.body is None else (statement.body,)
    if isinstance(statement, Together):
        return statement.members
    assert isinstance(statement, Sequence), "nothing is open"
    return statement.statements


def within(statement: Statement) -> Iterator[Activity]:
    """All activities of a statement in its process."""
    if isinstance(statement, Activity):
        yield statement
    for part in parts(statement):
        yield from within(part)


def compositions(total: int, terms: int) -> Iterator[tuple[int, ...]]:
    """Every way to write `total` as an ordered sum of so many terms that may be 0."""
    if terms == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in compositions(total - first, terms - 1):
            yield (first, *rest)


class Enumeration:
    """All snapshots of an application in which only the participants `present` are there (None: all)."""

    def __init__(self, present: Present = None, limit: int = 20_000) -> None:
        self.present = present
        self.limit = limit
        self._snapshots: dict[Process, list[Snapshot]] = {}

    # ------------------------------------------------------------------ who can be where

    def snapshots(self, process: Process) -> list[Snapshot]:
        """Every snapshot of one copy of `process`. Raises `TooManySnapshots`."""
        known = self._snapshots.get(process)
        if known is None:
            known = self._snapshots[process] = list(self._all(process))
        return known

    def _all(self, process: Process) -> Iterator[Snapshot]:
        choices: dict[str, list[Activity | str]] = {}
        for activity in within(process.body):
            use = self.shared(activity)
            if use is not None and activity.body is not None:
                choices.setdefault(use.pool.key, ["others", "nobody"]).append(activity)
        found = 0
        for choice in product(*choices.values()):
            served = dict(zip(choices, choice, strict=True))
            for positions in self._block(process.body, 1, (), served):
                found += 1
                if found > self.limit:
                    raise TooManySnapshots
                here = [at.activity for at in positions]
                if all(isinstance(one, str) or one in here for one in choice):
                    yield Snapshot(positions, served)

    def _block(
        self, block: Sequence, executors: int, passed: tuple[Statement, ...], served: Served
    ) -> Iterator[tuple[At, ...]]:
        """Every way in which so many executors, who have `passed` statements before, can be in a block."""
        if executors == 0 or not block.statements:
            yield ()
            return
        for counts in compositions(executors, len(block.statements)):
            ways = [
                self._statement(statement, count, passed + block.statements[:position], served)
                for position, (statement, count) in enumerate(zip(block.statements, counts, strict=True))
                if count
            ]
            for way in product(*ways):
                yield tuple(at for part in way for at in part)

    def _statement(
        self, statement: Statement, callers: int, passed: tuple[Statement, ...], served: Served
    ) -> Iterator[tuple[At, ...]]:
        if isinstance(statement, Activity):
            yield from self._activity(statement, callers, passed, served)
        elif isinstance(statement, Sequence):
            yield from self._block(statement, callers, passed, served)
        else:
            assert isinstance(statement, Together), "nothing is open"
            busy = frozenset(use.pool.key for activity in self.own(statement) if (use := self.team(activity)))
            mine = At(None, callers, passed, busy)
            for ways in product(*(self._statement(one, callers, (), served) for one in statement.members)):
                yield (mine, *(at for way in ways for at in way))

    def _activity(
        self, activity: Activity, callers: int, passed: tuple[Statement, ...], served: Served
    ) -> Iterator[tuple[At, ...]]:
        if activity.body is None:
            yield (At(activity, callers, passed, self._busy(activity)),)
        elif self.carries_on(activity):
            # The same threads go on inside, and what they have passed counts where they are there.
            for way in self._block(activity.body, callers, passed, served):
                yield (At(activity, callers, (), frozenset()), *way)
        else:
            mine = At(activity, callers, passed, self._busy(activity))
            for way in self._block(activity.body, self.executors(activity, callers, served), (), served):
                yield (mine, *way)

    def _busy(self, activity: Activity) -> frozenset[str]:
        use = self.team(activity)
        return frozenset() if use is None else frozenset((use.pool.key,))

    def there(self, activity: Activity) -> bool:
        """Whether the participant has not been taken out."""
        return self.present is None or activity.place.id in self.present

    def shared(self, activity: Activity) -> PoolUse | None:
        """The activity's use of a pool of which the process has one for all callers."""
        use = activity.pool
        if (
            use is None
            or use.own_thread
            or use.pool.policy == "fork"
            or alone(use)
            or not self.there(activity)
        ):
            return None
        return use

    def team(self, activity: Activity) -> PoolUse | None:
        """The activity's use of a pool that gives each caller a team of its own."""
        use = activity.pool
        if use is None or use.own_thread or use.pool.policy != "fork" or not self.there(activity):
            return None
        return use

    def carries_on(self, activity: Activity) -> bool:
        """Whether a caller goes through the activity's block as the thread that it was before."""
        if activity.workers is not None:
            return False
        return activity.pool is None or activity.pool.own_thread or not self.there(activity)

    def executors(self, activity: Activity, callers: int, served: Served) -> int:
        """How many go through the activity's block."""
        workers, use = activity.workers, activity.pool
        if isinstance(workers, ThreadWorkers):
            count = whole(workers.count)
            return callers * (count if self.there(activity) else min(count, 1))
        if use is None or use.own_thread or alone(use) or not self.there(activity):
            return callers
        size = whole(use.size)
        if use.pool.policy == "fork":
            return callers * size
        serves = served[use.pool.key] is activity
        if use.pool.policy == "join":
            return callers + (max(0, size - 1) if serves else 0)
        return size if serves else 0

    def own(self, statement: Statement) -> Iterator[Activity]:
        """The activities that an executor at the statement carries out as the thread that it is."""
        if isinstance(statement, Activity):
            yield statement
            if not self.carries_on(statement):
                return
        for part in parts(statement):
            yield from self.own(part)

    # ------------------------------------------------------------------ pools in a snapshot

    def idle_teams(self, at: At) -> dict[str, PoolUse]:
        """The teams, the largest of each pool, that a caller keeps from what it has carried out."""
        kept: dict[str, PoolUse] = {}
        for statement in at.passed:
            for activity in self.own(statement):
                use = self.team(activity)
                if use is not None and use.pool.key not in at.busy:
                    kept[use.pool.key] = max(
                        kept.get(use.pool.key, use), use, key=lambda one: whole(one.existing)
                    )
        return kept

    def used_pools(self, shot: Snapshot) -> dict[str, list[PoolUse]]:
        """The shared pools that somebody in the process has used before."""
        found: dict[str, list[PoolUse]] = {}
        for at in shot.positions:
            for statement in at.passed:
                for activity in within(statement):
                    use = self.shared(activity)
                    if use is not None:
                        found.setdefault(use.pool.key, []).append(use)
        return found

    def pools_at_work(self, shot: Snapshot) -> dict[str, list[tuple[PoolUse, bool]]]:
        """The shared pools at work now: each use that is served, and whether it is for a block."""
        found: dict[str, list[tuple[PoolUse, bool]]] = {}
        for at in shot.positions:
            use = None if at.activity is None else self.shared(at.activity)
            if use is None or at.activity is None:
                continue
            block = at.activity.body is not None
            served = shot.served.get(use.pool.key, "others")
            if served is at.activity or (served == "others" and not block):
                found.setdefault(use.pool.key, []).append((use, block))
        return found

    # ------------------------------------------------------------------ what a snapshot comes to

    def cpu(self, process: Process, bound: Bound, *, spinning: bool = True, follows: bool = True) -> Amount:
        """The most threads that are runnable."""

        def spins(use: PoolUse) -> bool:
            return spinning and (
                use.pool.spins == "always" or (use.pool.spins is not None and bound == "high")
            )

        def amount(shot: Snapshot) -> Amount:
            idle = [(at, use) for at in shot.positions for use in self.idle_teams(at).values() if spins(use)]
            found: Amount = sum(at.callers * whole(use.existing) for at, use in idle)
            found += sum(self._runnable(at, bound) for at in shot.positions)
            at_work, used = self.pools_at_work(shot), self.used_pools(shot)
            for key in at_work.keys() | used.keys():
                kept = max((whole(use.existing) for use in used.get(key, ()) if spins(use)), default=0)
                uses = at_work.get(key, [])
                if not any(block for _, block in uses):
                    found += max([kept, *(_own_threads(use) for use, _ in uses)])
            return found

        return self._most(process, lambda _: 0, amount, follows)

    def _runnable(self, at: At, bound: Bound) -> Amount:
        """The threads at work for an activity, those of a shared pool left out."""
        activity = at.activity
        if activity is None or activity.body is not None or not self.there(activity):
            return 0
        declared = activity.cpu or (1, 1)
        each = amount_of(declared[0 if bound == "low" else 1])
        use = activity.pool
        if isinstance(activity.workers, ProcessWorkers):
            return 0
        if isinstance(activity.workers, ThreadWorkers):
            return at.callers * whole(activity.workers.count) * each
        if use is None:
            return at.callers * each
        if use.own_thread or alone(use) or use.pool.policy == "join":
            return at.callers
        return at.callers * whole(use.size) if use.pool.policy == "fork" else 0

    def threads(self, process: Process, bound: Bound = "high", *, follows: bool = True) -> Amount:
        """The most threads that exist, those that are declared among them."""
        declared, each = self._declared("lpcl.core.threads", None, bound)

        def fixed(process: Process) -> Amount:
            return (
                self._itself(process)
                + declared(process)
                + sum(
                    whole(existing)
                    for library in process.loaded
                    if self._loaded(library.holders)
                    for _, existing, _ in library.pools
                )
            )

        def amount(shot: Snapshot) -> Amount:
            found = each(shot)
            for at in shot.positions:
                here = [*self.idle_teams(at).values()]
                if at.activity is not None and self.there(at.activity):
                    workers, team = at.activity.workers, self.team(at.activity)
                    if isinstance(workers, ThreadWorkers):
                        found += at.callers * max(0, whole(workers.count) - (1 if workers.joins else 0))
                    if team is not None:
                        here.append(team)
                found += at.callers * sum(_added(use) for use in here)
            existing: dict[str, int] = {}
            at_work = [use for uses in self.pools_at_work(shot).values() for use, _ in uses]
            for use in [*at_work, *(use for uses in self.used_pools(shot).values() for use in uses)]:
                existing[use.pool.key] = max(existing.get(use.pool.key, 0), _added(use))
            return found + sum(existing.values())

        return self._most(process, fixed, amount, follows)

    def processes(self, process: Process) -> Amount:
        """The most live processes, those that are declared among them."""
        declared, each = self._declared("lpcl.core.processes", None, "high")
        return self._most(process, lambda one: self._itself(one) + declared(one), each, True)

    def held(
        self, process: Process, resource: str, device: int | None, bound: Bound, *, follows: bool = True
    ) -> Amount:
        """The most of a resource that is held."""
        return self._most(process, *self._declared(resource, device, bound), follows)

    def _declared(
        self, resource: str, device: int | None, bound: Bound
    ) -> tuple[Callable[[Process], Amount], Callable[[Snapshot], Amount]]:
        """What is declared of a resource: by a process's being there, and in a snapshot of it."""

        def of(items: tuple[Held, ...]) -> Amount:
            return sum(
                amount_of(item.low if bound == "low" else item.high)
                for item in items
                if item.resource == resource
                and (device is None or item.device is None or item.device == "all" or item.device == device)
            )

        def fixed(process: Process) -> Amount:
            mine = of(process.held) if self._itself(process) else 0
            return mine + sum(of(one.demands) for one in process.loaded if self._loaded(one.holders))

        def amount(shot: Snapshot) -> Amount:
            return sum(at.callers * of(one.demands) for at in shot.positions if (one := self._at(at)))

        return fixed, amount

    def callers(self, process: Process, place: str) -> Amount:
        """The most executors at one place."""
        return self._most(
            process,
            lambda _: 0,
            lambda shot: sum(
                at.callers for at in shot.positions if (one := self._at(at)) and one.place.id == place
            ),
            False,
        )

    def pool_callers(self, process: Process, pool: str) -> Amount:
        """The most executors that want one pool."""

        def wants(activity: Activity) -> bool:
            return (
                activity.pool is not None and activity.pool.pool.key == pool and not activity.pool.own_thread
            )

        return self._most(
            process,
            lambda _: 0,
            lambda shot: sum(at.callers for at in shot.positions if (one := self._at(at)) and wants(one)),
            False,
        )

    def _at(self, at: At) -> Activity | None:
        return at.activity if at.activity is not None and self.there(at.activity) else None

    def _itself(self, process: Process) -> int:
        return int(process.starter is None or self.present is None or process.starter.id in self.present)

    def _loaded(self, holders: frozenset[str]) -> bool:
        return self.present is None or not holders or not holders.isdisjoint(self.present)

    def _most(
        self,
        process: Process,
        fixed: Callable[[Process], Amount],
        amount: Callable[[Snapshot], Amount],
        follows: bool,
    ) -> Amount:
        """The largest amount. Copies of a process are independent, so each child is at its own largest."""
        children: dict[Process, Amount] = {}

        def below(shot: Snapshot) -> Amount:
            found: Amount = 0
            for at in shot.positions:
                if at.activity is not None and isinstance(at.activity.workers, ProcessWorkers):
                    workers = at.activity.workers
                    if workers.process not in children:
                        children[workers.process] = self._most(workers.process, fixed, amount, follows)
                    count = whole(workers.count)
                    each = count if self.there(at.activity) else min(count, 1)
                    found += at.callers * each * children[workers.process]
            return found

        shots = self.snapshots(process)
        return fixed(process) + max(amount(shot) + (below(shot) if follows else 0) for shot in shots)


def _added(use: PoolUse) -> int:
    """The threads that a use adds to those that its pool has since its library was loaded."""
    return max(0, whole(use.existing) - whole(use.at_load))


def _own_threads(use: PoolUse) -> int:
    """The active threads of a shared pool at work, callers that work beside it left out."""
    return max(0, whole(use.size) - 1) if use.pool.policy == "join" else whole(use.size)
