"""Where the executors of a process, and of those that it starts, can stand: one stance after the other.

Executors that each go their own way stand, where an application asks for most, all at one statement of their
block, unless a pool serves several of them at once. So there is a stance for each such statement, and its
amounts are terms over the knobs alone: it is *closed*. Where pools are shared, the block stays open: its
stance has knobs of its own that say how many stand where.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from lpcl.compose.measures import serves_alone
from lpcl.compose.placement import AtOnce, Either, Passed, Placement, Spread, Stand
from lpcl.compose.structure import (
    Activity,
    PoolUse,
    Process,
    ProcessWorkers,
    Sequence,
    Statement,
    ThreadWorkers,
    Together,
    Variant,
    activities,
    own_activities,
    starter_id,
)
from lpcl.compose.terms import Value, apply, choose, knob, total

MOST_AT_ONCE = 64
"""Ways of standing at the members of a `together` that are told apart; more of them are left open."""

PLACING = ("at:", "serves:")
"""How the names of knobs begin that say where executors stand."""


@dataclass(frozen=True)
class Stance:
    """Placements by the id of the place that starts their process.

    `truths` are knobs of its own that are true or false, which say what a contested pool serves; `guards`
    bind them.
    """

    placements: Mapping[str, Placement | None]
    guards: tuple[Value, ...] = ()
    truths: frozenset[str] = frozenset()
    closed: bool = True


def stances(process: Process, prefix: str = "") -> Iterator[Stance]:
    """Every way to stand in which an application can ask for most; at least one.

    `prefix` keeps the names of their knobs apart from those of other calls.
    """
    key = starter_id(process)
    ways = _Ways(process, _Names(prefix))
    found = False
    for way in ways.of_body():
        found = True
        guards, truths = _guards(way.servers)
        closed = not way.open and not way.servers
        yield Stance({key: way.placement, **way.children}, guards, truths, closed)
    if not found:
        yield Stance({key: None})


@dataclass(frozen=True, slots=True)
class _Server:
    """A knob that says whether a contested pool serves an activity, which may have a block."""

    pool: str
    name: str
    block: bool


@dataclass(frozen=True, slots=True)
class _Way:
    placement: Placement | None
    children: Mapping[str, Placement | None] = field(default_factory=dict)
    servers: tuple[_Server, ...] = ()
    open: bool = False

    def under(self, placement: Placement, servers: tuple[_Server, ...] = ()) -> _Way:
        return _Way(placement, self.children, (*self.servers, *servers), self.open)


def _guards(servers: Iterable[_Server]) -> tuple[tuple[Value, ...], frozenset[str]]:
    """Each contested pool serves one block, or else activities without a block."""
    found: list[Value] = []
    by_pool: dict[str, list[_Server]] = {}
    for server in servers:
        by_pool.setdefault(server.pool, []).append(server)
    for mine in by_pool.values():
        blocks = total([choose(knob(one.name), 1, 0) for one in mine if one.block])
        found.append(apply("<=", blocks, 1))
        found.extend(
            apply("implies", knob(one.name), apply("==", blocks, 0)) for one in mine if not one.block
        )
    names = frozenset(one.name for mine in by_pool.values() for one in mine)
    return tuple(one for one in found if one is not True), names


@dataclass(frozen=True, slots=True)
class _Behind:
    """Pools left behind, as (pool, place) pairs: an executor's own teams, and its process's other pools."""

    teams: Mapping[tuple[object, ...], tuple[str, str]] = field(default_factory=dict)
    pools: Mapping[tuple[object, ...], tuple[str, str]] = field(default_factory=dict)

    def passed(self, without: frozenset[str] = frozenset()) -> Passed:
        return Passed(
            tuple(place for key, place in self.teams.values() if key not in without),
            tuple(place for _, place in self.pools.values()),
        )


class _Names:
    """Names of knobs, each given once."""

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        self._count = 0

    def fresh(self, kind: str) -> str:
        self._count += 1
        return f"{kind}:{self._prefix}{self._count}"


class _Ways:
    """The ways to stand in one process."""

    def __init__(self, process: Process, names: _Names) -> None:
        self._process = process
        self._names = names
        self._contested = {
            activity.pool.pool.key
            for activity in activities(process.body)
            if activity.pool is not None and activity.body is not None and activity.pool.pool.policy != "fork"
        }

    def of_body(self) -> Iterator[_Way]:
        """Those of its one executor."""
        yield from self._at_one(self._process.body, _Behind(), single=True)

    # All executors at one place: what `at_one` gives. `single` is where there is no more than one.

    def _at_one(self, statement: Statement, behind: _Behind, *, single: bool) -> Iterator[_Way]:
        match statement:
            case Sequence():
                for one in statement.statements:
                    yield from self._at_one(one, behind, single=single)
                    behind = _left(one, behind)
            case Variant():
                for way in self._at_one(statement.then, behind, single=single):
                    yield way.under(Either(statement.condition, way.placement, None))
                for way in self._at_one(statement.otherwise, behind, single=single):
                    yield way.under(Either(statement.condition, None, way.placement))
            case Together():
                yield from self._at_once(statement, behind, single=single)
            case Activity():
                yield from self._at(statement, behind, single=single)

    def _at_once(self, statement: Together, behind: _Behind, *, single: bool) -> Iterator[_Way]:
        used = frozenset(key for a in own_activities(statement) for key in _teams_of(a))
        passed = behind.passed(used)
        combined = [_Way(AtOnce((), passed))]
        for member in statement.members:
            ways = list(self._at_one(member, _Behind(), single=single))
            if not ways:
                continue
            if len(combined) * len(ways) > MOST_AT_ONCE:
                way = self._open(member, _Behind())
                ways = [] if way is None else [way]
            combined = [_both(one, way, passed) for one in combined for way in ways]
        yield from combined

    def _at(self, activity: Activity, behind: _Behind, *, single: bool) -> Iterator[_Way]:
        use, body, place = activity.pool, activity.body, activity.place.id
        if activity.workers is None and (use is None or use.own_thread) and body is not None:
            inside = list(self._at_one(body, behind, single=single)) or [_Way(None)]
            for way in inside:
                yield way.under(Stand(place, Passed(), inner=way.placement))
            return
        passed = behind.passed(_teams_of(activity))
        for way in self._inside(activity, single=single):
            serving, servers = self._serving(activity, use)
            yield way.under(Stand(place, passed, serving, way.placement), servers)

    def _inside(self, activity: Activity, *, single: bool) -> Iterator[_Way]:
        """The ways to stand in what an activity's workers or pool go through."""
        workers, body = activity.workers, activity.body
        if isinstance(workers, ProcessWorkers):
            yield from self._child(workers.process)
        elif body is None:
            yield _Way(None)
        else:
            alone = single and isinstance(workers, ThreadWorkers) and workers.count == 1
            if alone or _independent(body):
                yield from list(self._at_one(body, _Behind(), single=alone)) or [_Way(None)]
            else:
                yield self._open(body, _Behind()) or _Way(None)

    def _child(self, process: Process) -> Iterator[_Way]:
        """The ways to stand in a process that an activity starts, which has no place in its parent."""
        for way in list(_Ways(process, self._names).of_body()) or [_Way(None)]:
            children = {starter_id(process): way.placement, **way.children}
            yield _Way(None, children, way.servers, way.open)

    def _serving(self, activity: Activity, use: PoolUse | None) -> tuple[Value, tuple[_Server, ...]]:
        if use is None or use.own_thread or use.pool.key not in self._contested:
            return True, ()
        name = self._names.fresh("serves")
        return knob(name), (_Server(use.pool.key, name, activity.body is not None),)

    # Executors anywhere: what `open` gives, with a knob for each statement.

    def _open(self, statement: Statement, behind: _Behind) -> _Way | None:
        match statement:
            case Sequence():
                return self._spread(statement, behind)
            case Variant():
                then, otherwise = self._open(statement.then, behind), self._open(statement.otherwise, behind)
                placements = [None if one is None else one.placement for one in (then, otherwise)]
                both = [one for one in (then, otherwise) if one is not None]
                return _joined(Either(statement.condition, *placements), both)
            case Together():
                used = frozenset(key for a in own_activities(statement) for key in _teams_of(a))
                ways = [self._open(member, _Behind()) for member in statement.members]
                there = [way for way in ways if way is not None]
                return _joined(AtOnce(_placements(there), behind.passed(used)), there)
            case Activity():
                return self._open_at(statement, behind)

    def _spread(self, sequence: Sequence, behind: _Behind) -> _Way | None:
        ways: list[_Way] = []
        for statement in sequence.statements:
            way = self._open(statement, behind)
            if way is not None:
                ways.append(way)
            behind = _left(statement, behind)
        if len(ways) < 2:
            return ways[0] if ways else None
        spread = Spread(_placements(ways), tuple(self._names.fresh("at") for _ in ways))
        return replace(_joined(spread, ways), open=True)

    def _open_at(self, activity: Activity, behind: _Behind) -> _Way:
        use, body, place = activity.pool, activity.body, activity.place.id
        if activity.workers is None and (use is None or use.own_thread) and body is not None:
            inside = self._open(body, behind) or _Way(None)
            return inside.under(Stand(place, Passed(), inner=inside.placement))
        passed = behind.passed(_teams_of(activity))
        if isinstance(activity.workers, ProcessWorkers):
            process = activity.workers.process
            inside = _Ways(process, self._names)._open(process.body, _Behind()) or _Way(None)
            children = {starter_id(process): inside.placement, **inside.children}
            inside = _Way(None, children, inside.servers, inside.open)
        else:
            inside = (None if body is None else self._open(body, _Behind())) or _Way(None)
        serving, servers = self._serving(activity, use)
        return inside.under(Stand(place, passed, serving, inside.placement), servers)


def _both(one: _Way, way: _Way, passed: Passed) -> _Way:
    assert isinstance(one.placement, AtOnce)
    assert way.placement is not None
    return _joined(AtOnce((*one.placement.parts, way.placement), passed), [one, way])


def _placements(ways: Iterable[_Way]) -> tuple[Placement, ...]:
    return tuple(way.placement for way in ways if way.placement is not None)


def _joined(placement: Placement, ways: list[_Way]) -> _Way:
    children = {key: child for way in ways for key, child in way.children.items()}
    servers = tuple(server for way in ways for server in way.servers)
    return _Way(placement, children, servers, any(way.open for way in ways))


def _independent(body: Sequence) -> bool:
    """Whether what executors ask for in a block is the sum of what each asks for by itself."""
    return all(
        activity.pool is None
        or activity.pool.own_thread
        or activity.pool.pool.policy == "fork"
        or serves_alone(activity.pool) is True
        for activity in activities(body)
    )


def _teams_of(activity: Activity) -> frozenset[str]:
    """The pools of which the activity's callers have teams of their own at work."""
    use = activity.pool
    if use is None or use.own_thread or use.pool.policy != "fork":
        return frozenset()
    return frozenset((use.pool.key,))


def _left(statement: Statement, behind: _Behind) -> _Behind:
    """What executors leave behind after a statement; of like uses of a pool, one."""
    own = {activity.place.id for activity in own_activities(statement)}
    teams, pools = behind.teams, behind.pools
    for activity in activities(statement):
        use = activity.pool
        if use is None or use.own_thread:
            continue
        kind = (use.pool.key, *map(_same, (use.existing, use.at_load, activity.condition)))
        item = (use.pool.key, activity.place.id)
        if use.pool.policy != "fork":
            if kind not in pools:
                pools = {**pools, kind: item}
        elif activity.place.id in own and kind not in teams:
            teams = {**teams, kind: item}
    return behind if teams is behind.teams and pools is behind.pools else _Behind(teams, pools)


def _same(value: Value) -> tuple[type, Value]:
    return value.__class__, value
