"""Any snapshot at all, as a placement whose counts are knobs of their own."""

from __future__ import annotations

from dataclasses import dataclass

from lpcl.compose.placement import AtOnce, Either, Passed, Placement, Spread, Stand
from lpcl.compose.structure import (
    Activity,
    PoolUse,
    Process,
    Sequence,
    Statement,
    Variant,
    activities,
    own_activities,
    processes,
)
from lpcl.compose.terms import Value, apply, choose, knob, total


@dataclass(frozen=True, slots=True)
class _Behind:
    """Pools left behind, as (pool, place) pairs: an executor's own teams, and its process's other pools."""

    teams: tuple[tuple[str, str], ...] = ()
    pools: tuple[tuple[str, str], ...] = ()

    def passed(self, without: frozenset[str] = frozenset()) -> Passed:
        return Passed(
            tuple(place for key, place in self.teams if key not in without),
            tuple(place for _, place in self.pools),
        )


class Freedom:
    """The free placement of every process of an application, with the knobs it brings and what binds them.

    `placements` are by the id of the place that starts the process. `truths` are the names of the knobs that
    say which activity a contested pool serves; `guards` say that it serves one block, or else no block.
    """

    def __init__(self, root: Process, prefix: str = "") -> None:
        self.placements: dict[str, Placement | None] = {}
        self.truths: set[str] = set()
        self.guards: list[Value] = []
        for process in processes(root):
            key = process.starter.id if process.starter is not None else ""
            free = _FreeProcess(process, prefix + key)
            self.placements[key] = free.placement
            self.truths.update(name for servers in free.servers.values() for name, _ in servers)
            self.guards.extend(free.guards())


class _FreeProcess:
    def __init__(self, process: Process, key: str) -> None:
        self._key = key
        self._count = 0
        self._contested = {
            activity.pool.pool.key
            for activity in activities(process.body)
            if activity.pool is not None and activity.body is not None and activity.pool.pool.policy != "fork"
        }
        self.servers: dict[str, list[tuple[str, bool]]] = {}
        self.placement = self._sequence(process.body, _Behind())

    def guards(self) -> list[Value]:
        """Each contested pool serves one block, or else activities without a block."""
        found: list[Value] = []
        for servers in self.servers.values():
            blocks = total([choose(knob(name), 1, 0) for name, block in servers if block])
            found.append(apply("<=", blocks, 1))
            found.extend(
                apply("implies", knob(name), apply("==", blocks, 0)) for name, block in servers if not block
            )
        return found

    def _fresh(self, kind: str) -> str:
        self._count += 1
        return f"{kind}:{self._key}#{self._count}"

    def _sequence(self, sequence: Sequence, behind: _Behind) -> Placement | None:
        parts: list[Placement] = []
        for statement in sequence.statements:
            part = self._statement(statement, behind)
            if part is not None:
                parts.append(part)
            behind = _left(statement, behind)
        if not parts:
            return None
        if len(parts) == 1:
            return parts[0]
        return Spread(tuple(parts), tuple(self._fresh("at") for _ in parts))

    def _statement(self, statement: Statement, behind: _Behind) -> Placement | None:
        if isinstance(statement, Sequence):
            return self._sequence(statement, behind)
        if isinstance(statement, Activity):
            return self._activity(statement, behind)
        if isinstance(statement, Variant):
            then = self._statement(statement.then, behind)
            return Either(statement.condition, then, self._statement(statement.otherwise, behind))
        used = frozenset(key for a in own_activities(statement) for key in _teams_of(a))
        parts = [self._statement(member, _Behind()) for member in statement.members]
        return AtOnce(tuple(part for part in parts if part is not None), behind.passed(used))

    def _activity(self, activity: Activity, behind: _Behind) -> Placement:
        use, body = activity.pool, activity.body
        place = activity.place.id
        if activity.workers is None and (use is None or use.own_thread) and body is not None:
            return Stand(place, Passed(), inner=self._sequence(body, behind))
        passed = behind.passed(_teams_of(activity))
        inner = None if body is None else self._sequence(body, _Behind())
        return Stand(place, passed, self._serving(activity, use), inner)

    def _serving(self, activity: Activity, use: PoolUse | None) -> Value:
        if use is None or use.own_thread or use.pool.key not in self._contested:
            return True
        name = self._fresh("serves")
        self.servers.setdefault(use.pool.key, []).append((name, activity.body is not None))
        return knob(name)


def _teams_of(activity: Activity) -> frozenset[str]:
    """The pools of which the activity's callers have teams of their own at work."""
    use = activity.pool
    if use is None or use.own_thread or use.pool.policy != "fork":
        return frozenset()
    return frozenset((use.pool.key,))


def _left(statement: Statement, behind: _Behind) -> _Behind:
    own = {activity.place.id for activity in own_activities(statement)}
    teams, pools = list(behind.teams), list(behind.pools)
    for activity in activities(statement):
        use = activity.pool
        if use is None or use.own_thread:
            continue
        item = (use.pool.key, activity.place.id)
        if use.pool.policy != "fork":
            pools.append(item)
        elif activity.place.id in own:
            teams.append(item)
    return _Behind(tuple(teams), tuple(pools))
