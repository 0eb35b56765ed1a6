"""Where the executors of a process stand in a snapshot, and what that amounts to.

A placement is a tree of choices: it says which statements have how many executors at least and where all the
others go. Laid out for a number of executors it gives the callers of each activity; summed by a `Measure` it
gives the snapshot's amount. Nothing here searches: `lpcl.compose.meaning` finds the placement that asks for
most,
`lpcl.compose.patterns` sums the same placement where settings are open.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from lpcl.compose.measures import (
    Measure,
    Part,
    Present,
    child_copies,
    executors,
    is_present,
    serves_alone,
)
from lpcl.compose.structure import Activity, PoolUse, Process, ProcessWorkers, ThreadWorkers
from lpcl.compose.terms import (
    Term,
    Value,
    apply,
    choose,
    conjunction,
    disjunction,
    knob,
    largest,
    negation,
    total,
)


@dataclass(frozen=True, slots=True)
class Passed:
    """Pools that an executor has left behind, by the ids of the places that used them.

    `teams` are its own `fork` teams; `pools` are pools of its process of other policies.
    """

    teams: tuple[str, ...] = ()
    pools: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Stand:
    """Executors at an activity, and, where it has a body, at a placement in that body.

    `serving` is False where the activity's pool serves another activity at this moment.
    """

    place: str
    passed: Passed
    serving: Value = True
    inner: Placement | None = None


@dataclass(frozen=True, slots=True)
class Split:
    """Executors spread over statements: `needs[i]` at `parts[i]`, and all others at `parts[rest]`."""

    parts: tuple[Placement, ...]
    needs: tuple[int, ...]
    rest: int


@dataclass(frozen=True, slots=True)
class AtOnce:
    """Every executor at all of the parts, the members of a `together`; `passed` as for a `Stand`."""

    parts: tuple[Placement, ...]
    passed: Passed


@dataclass(frozen=True, slots=True)
class Spread:
    """Executors spread over statements in any way at all: so many at each part as the knobs of that name
    say.
    """

    parts: tuple[Placement, ...]
    counts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Either:
    """Every executor at one of the two parts, as an open condition decides."""

    condition: Value
    then: Placement | None
    otherwise: Placement | None


Placement = Stand | Split | AtOnce | Spread | Either


@dataclass(frozen=True, slots=True)
class Standing:
    """One line of a snapshot: so many callers at an activity. `activity` is None for pools left behind
    alone.
    """

    activity: Activity | None
    callers: Value
    serving: Value
    passed: Passed


def lay_out(
    placement: Placement | None,
    count: Value,
    index: Mapping[str, Activity],
    present: Present = None,
    guards: list[Value] | None = None,
    some: bool | None = True,
) -> Iterator[Standing]:
    """The callers of each activity when `count` executors are placed so.

    What must hold of `count` for the placement to be possible is left in `guards`; without `some` it may be
    0, and is 0 where an activity is not there. With None it may be 0, and what has callers must be there.
    """
    match placement:
        case None:
            return
        case Split():
            least = sum(placement.needs)
            if guards is not None:
                guards.append(apply(">=", count, least))
            spare = apply("-", count, least)
            for position, (part, need) in enumerate(zip(placement.parts, placement.needs, strict=True)):
                here = apply("+", spare, need) if position == placement.rest else need
                yield from lay_out(part, here, index, present, guards, some)
        case Spread():
            counts = [knob(name) for name in placement.counts]
            if guards is not None:
                guards.extend(apply(">=", one, 0) for one in counts)
                guards.append(apply("==", total(counts), count))
            for part, here in zip(placement.parts, counts, strict=True):
                yield from lay_out(part, here, index, present, guards, False)
        case Either():
            here, there = choose(placement.condition, count, 0), choose(placement.condition, 0, count)
            yield from lay_out(placement.then, here, index, present, guards, False)
            yield from lay_out(placement.otherwise, there, index, present, guards, False)
        case AtOnce():
            yield Standing(None, count, True, placement.passed)
            for part in placement.parts:
                yield from lay_out(part, count, index, present, guards, some)
        case Stand():
            activity = index[placement.place]
            if guards is not None and some is not False:
                anyone = apply(">=", count, 1)
                there = activity.condition
                guards.append(conjunction(there, anyone) if some else apply("implies", anyone, there))
            yield Standing(activity, count, placement.serving, placement.passed)
            if placement.inner is not None:
                inner = executors(activity, count, placement.serving, present)
                sure = None if some and placement.serving is not True else some
                yield from lay_out(placement.inner, inner, index, present, guards, sure)


@dataclass(frozen=True, eq=False)
class ProcessSnapshot:
    """The copies of a process class in a snapshot of the application, and where each copy's executors
    stand.
    """

    process: Process
    copies: Value
    standings: tuple[Standing, ...]
    children: tuple[ProcessSnapshot, ...]


def snapshot(
    process: Process,
    placements: Mapping[str, Placement | None],
    copies: Value = 1,
    present: Present = None,
    guards: list[Value] | None = None,
    some: bool = True,
) -> ProcessSnapshot:
    """The whole application laid out. `placements` are by the id of the place that starts a process, '' the
    root.
    """
    key = process.starter.id if process.starter is not None else ""
    index = process.index
    mine: list[Value] = []
    standings = tuple(lay_out(placements.get(key), 1, index, present, mine, some))
    if guards is not None:
        mine.extend(_one_block_each(standings))
        guards.extend(apply("implies", process.condition, guard) for guard in mine)
    children = tuple(
        snapshot(
            line.activity.workers.process,
            placements,
            apply("*", copies, child_copies(line.activity, line.callers, present)),
            present,
            guards,
            some,
        )
        for line in standings
        if line.activity is not None and isinstance(line.activity.workers, ProcessWorkers)
    )
    return ProcessSnapshot(process, copies, standings, children)


def _one_block_each(standings: tuple[Standing, ...]) -> Iterator[Value]:
    """A pool that serves a block serves no other activity, unless it is no pool at all."""
    served = [
        (line.activity, line.activity.pool)
        for line in standings
        if line.activity is not None
        and line.activity.pool is not None
        and line.serving is True
        and line.activity.pool.pool.policy != "fork"
        and not line.activity.pool.own_thread
    ]
    for position, (activity, use) in enumerate(served):
        for other, its_use in served[position + 1 :]:
            block = activity.body is not None or other.body is not None
            if block and other is not activity and its_use.pool.key == use.pool.key:
                yield apply("or", serves_alone(use), serves_alone(its_use))


@dataclass(frozen=True, slots=True)
class Line:
    """What one clause adds to a snapshot's amount, in one copy of its process.

    `kind` is ``process``, ``running``, ``leaf``, ``team``, ``joining``, ``claim``, ``threads``, ``idle
    team`` or
    ``idle pool``. `amount` is for all `callers` together; `busy` is whether a claimed pool serves this
    activity.
    """

    kind: str
    activity: Activity | None
    use: PoolUse | None
    callers: Value
    amount: Value
    part: Part | None = None
    busy: Value = True


def lines(
    shot: ProcessSnapshot,
    measure: Measure,
    present: Present = None,
    index: Mapping[str, Activity] | None = None,
) -> Iterator[Line]:
    """What one copy of the process asks for, line by line; child processes are not among them."""
    if index is None:
        index = shot.process.index
    for part in measure.process(shot.process, present):
        yield Line("process", None, None, 1, part.amount, part)
    claims: dict[str, list[Line]] = {}
    for line in shot.standings:
        activity, callers = line.activity, line.callers
        if activity is not None and is_present(activity.place.id, present):
            yield from _at(activity, line, measure, claims)
        teams: dict[str, list[Line]] = {}
        for place in line.passed.teams:
            use = index[place].pool
            if use is not None and is_present(place, present):
                idle = apply("*", callers, choose(index[place].condition, measure.team_idle(use), 0))
                teams.setdefault(use.pool.key, []).append(Line("idle team", index[place], use, callers, idle))
        for uses in teams.values():
            yield from _largest(uses, measure)
        for place in line.passed.pools:
            use = index[place].pool
            if use is not None and is_present(place, present):
                left = choose(index[place].condition, measure.claim_idle(use), 0)
                claims.setdefault(use.pool.key, []).append(
                    Line("idle pool", index[place], use, 1, _if_any(callers, left))
                )
    for rivals in claims.values():
        yield from _largest(rivals, measure)


def _at(
    activity: Activity, line: Standing, measure: Measure, claims: dict[str, list[Line]]
) -> Iterator[Line]:
    callers = line.callers
    yield Line("running", activity, None, callers, apply("*", callers, measure.running(activity)))
    use, block = activity.pool, activity.body is not None
    if isinstance(activity.workers, ThreadWorkers):
        yield Line("threads", activity, None, callers, apply("*", callers, measure.threads(activity.workers)))
        if not block:
            inner = executors(activity, callers, True)
            yield Line("leaf", activity, None, inner, apply("*", inner, measure.leaf(activity)))
    elif use is not None and use.pool.policy == "fork" and not use.own_thread:
        yield Line("team", activity, use, callers, apply("*", callers, measure.team(use, block)))
    elif use is not None:
        yield Line("joining", activity, use, callers, apply("*", callers, measure.joining(use, block)))
        busy = conjunction(line.serving, apply(">=", callers, 1), negation(serves_alone(use)))
        if not use.own_thread and busy is not False:
            claim = choose(busy, measure.claim(use, block), 0)
            claims.setdefault(use.pool.key, []).append(
                Line("claim", activity, use, callers, claim, busy=busy)
            )
    elif activity.workers is None and not block:
        yield Line("leaf", activity, None, callers, apply("*", callers, measure.leaf(activity)))


def _if_any(callers: Value, amount: Value) -> Value:
    return choose(apply(">=", callers, 1), amount, 0)


def _largest(rivals: list[Line], measure: Measure) -> Iterator[Line]:
    """Of the activities that want one pool, the one that takes most of it counts, the first where they are
    equal.
    """
    at_block = disjunction(
        *(
            line.busy
            for line in rivals
            if line.kind == "claim" and line.activity is not None and line.activity.body is not None
        )
    )
    amounts = [
        rival.amount if rival.kind == "claim" or measure.keeps else choose(at_block, 0, rival.amount)
        for rival in rivals
    ]
    if any(isinstance(one, Term) for one in amounts):
        yield replace(rivals[0], amount=largest(amounts))
        return
    so_far: Value = 0
    for rival, mine in zip(rivals, amounts, strict=True):
        yield replace(rival, amount=apply("max", 0, apply("-", mine, so_far)))
        so_far = apply("max", so_far, mine)


def amount(shot: ProcessSnapshot, measure: Measure, present: Present = None) -> Value:
    """What a snapshot asks for in all: each copy of each process, and where the measure follows them,
    children.
    """
    mine = total([line.amount for line in lines(shot, measure, present)])
    result = apply("*", shot.copies, mine)
    if measure.follows:
        result = total([result, *(amount(child, measure, present) for child in shot.children)])
    return result
