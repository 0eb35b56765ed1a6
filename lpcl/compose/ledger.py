"""The ledger of a snapshot: each thing that adds to its amount, in words and figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from lpcl.compose.figures import FigureKind
from lpcl.compose.findings import Entry
from lpcl.compose.meaning import number
from lpcl.compose.measures import CpuMeasure, HeldMeasure, Measure, ThreadMeasure, child_copies
from lpcl.compose.placement import Line, ProcessSnapshot, lines
from lpcl.compose.reckoning import in_figures
from lpcl.compose.said import Said
from lpcl.compose.structure import (
    Activity,
    Held,
    Process,
    ProcessWorkers,
    Resolution,
    Statement,
    ThreadWorkers,
    members,
)
from lpcl.compose.terms import Number, Value
from lpcl.model.program import Origin
from lpcl.model.quantities import PLAIN, Dimension, show


def entries(shot: ProcessSnapshot, measure: Measure, dimension: Dimension) -> tuple[Entry, ...]:
    """Every line of the snapshot that adds something, parents before children, like lines put together."""
    merged: dict[tuple[str, str, str, Number, Origin | None], tuple[Entry, list[Origin]]] = {}
    for entry, place in _entries(shot, measure, dimension, _Copies()):
        key = (entry.process, entry.who, entry.text, entry.each, entry.origin)
        if key not in merged:
            merged[key] = entry, [] if place is None else [place]
            continue
        known, places = merged[key]
        together = replace(known, copies=known.copies + entry.copies, total=known.total + entry.total)
        merged[key] = together, places if place is None else [*places, place]
    return tuple(_at_once(entry, places) for entry, places in merged.values())


def _at_once(entry: Entry, places: Sequence[Origin]) -> Entry:
    """A line that several calls of one operation share says where these calls are."""
    where = list(dict.fromkeys(str(place) for place in places))
    if len(places) < 2 or len(where) < 2:
        return entry
    calls = Resolution(
        f"calls of {entry.who}", len(places), f"at the same moment, at {_listed(where)}", given=True
    )
    return replace(entry, reasons=(calls, *entry.reasons))


def _listed(words: Sequence[str]) -> str:
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last


def _entries(
    shot: ProcessSnapshot,
    measure: Measure,
    dimension: Dimension,
    mine: _Copies,
) -> Iterator[tuple[Entry, Origin | None]]:
    copies = number(shot.copies)
    if not copies:
        return
    around = dict(_around(shot.process.body, ()))
    for line in lines(shot, measure):
        amount = number(line.amount)
        if amount:
            who, text, origin, reasons = _words(line, measure, dimension)
            grounds = (*mine.resolution(shot), *_callers(line, around), *reasons)
            entry = Entry(shot.process.name, who, text, amount, copies, amount * copies, origin, grounds)
            yield entry, None if line.activity is None else line.activity.place.origin
    if not measure.follows:
        return
    for child in shot.children:
        yield from _entries(child, measure, dimension, _started(shot, child.process, mine, around))


# ------------------------------------------------------------------ how many of it there are


@dataclass(frozen=True)
class _Copies:
    """How many copies of a process class there are: the factors in words, and what each rests on."""

    factors: tuple[str, ...] = ()
    because: tuple[Resolution, ...] = ()
    origin: Origin | None = None
    facts: tuple[tuple[str, Value], ...] = ()

    def resolution(self, shot: ProcessSnapshot) -> tuple[Resolution, ...]:
        copies = number(shot.copies)
        if copies == 1:
            return ()
        how = " x ".join(self.factors)
        name = shot.process.name
        return (
            Resolution(name, copies, how, self.origin, because=self.because, facts=self.facts, given=True),
        )


_Around = Mapping[str, tuple[Activity, ...]]


def _started(shot: ProcessSnapshot, child: Process, mine: _Copies, around: _Around) -> _Copies:
    """The copies of a process that one of the parent's activities starts."""
    for standing in shot.standings:
        activity = standing.activity
        if activity is None or not isinstance(activity.workers, ProcessWorkers):
            continue
        workers = activity.workers
        if workers.process is not child:
            continue
        callers, count = number(standing.callers), number(workers.count)
        factors, because = list(mine.factors), list(mine.because)
        if callers != 1 and number(child_copies(activity, standing.callers)):
            some, grounds = _multiplied(activity, callers, around)
            factors.append(some)
            because.extend(grounds)
        if count != 1 or not factors:
            factors.append(f"{_several(count, 'worker')} of {activity.place}")
            because.extend(_reckoned(f"workers of {activity.place}", count, workers.said, workers.reasons))
        if len(factors) == 1 and count != 1 and workers.said is not None:
            said = workers.said
            how = "always so many" if said.is_literal else said.text
            return _Copies((how,), workers.reasons, said.origin, said.facts)
        return _Copies(tuple(factors), tuple(because), workers.origin)
    return mine


def _callers(line: Line, around: _Around) -> tuple[Resolution, ...]:
    """Who the callers of an activity are, where there is not just one."""
    callers = number(line.callers)
    if line.activity is None or callers == 1 or line.kind == "process":
        return ()
    how, because = _multiplied(line.activity, callers, around)
    if not how:
        return ()
    outer = _outer(line.activity, around)
    origin = None
    if outer and outer[-1].workers is not None:
        origin = outer[-1].workers.origin
    elif outer and outer[-1].pool is not None:
        origin = outer[-1].pool.origin
    name = f"callers of {line.activity.place}"
    return (Resolution(name, callers, how, origin, because=because, given=True),)


def _outer(activity: Activity, around: _Around) -> tuple[Activity, ...]:
    """The activities around one, and itself where its own workers do nothing but what it does."""
    outside = around.get(activity.place.id, ())
    own = isinstance(activity.workers, ThreadWorkers) and activity.body is None
    return (*outside, activity) if own else outside


def _multiplied(activity: Activity, callers: Number, around: _Around) -> tuple[str, tuple[Resolution, ...]]:
    """The callers of an activity as a product of what is around it, and what its factors rest on."""
    factors: list[str] = []
    because: list[Resolution] = []
    product: Number = 1
    for outer in _outer(activity, around):
        place, workers, use = outer.place, outer.workers, outer.pool
        if isinstance(workers, ThreadWorkers):
            count = number(workers.count)
            factors.append(f"{_several(count, 'worker thread')} of {place}")
            because.extend(_reckoned(f"worker threads of {place}", count, workers.said, workers.reasons))
        elif use is not None and not use.own_thread:
            count = number(use.size)
            factors.append(f"{_several(count, 'thread')} of {use.pool} in {place}")
            because.extend(_reckoned(f"size of {use.pool}", count, use.said, use.reasons))
        else:
            continue
        product *= count
    how = " x ".join(factors)
    return (how if product == callers or not how else f"of the {how}"), tuple(because)


def _several(count: Number, what: str) -> str:
    return f"1 {what}" if count == 1 else f"{show(count)} {what}s"


def _around(
    statement: Statement, outside: tuple[Activity, ...]
) -> Iterator[tuple[str, tuple[Activity, ...]]]:
    """The activities around each activity of a process, the outermost first, by the id of its place."""
    if not isinstance(statement, Activity):
        for member in members(statement):
            yield from _around(member, outside)
        return
    yield statement.place.id, outside
    if statement.body is not None:
        yield from _around(statement.body, (*outside, statement))


# ------------------------------------------------------------------ what one line says


def _reckoned(
    title: str,
    value: Number,
    said: Said | None,
    reasons: tuple[Resolution, ...],
    dimension: Dimension = PLAIN,
) -> tuple[Resolution, ...]:
    """What a figure rests on, under the expression that puts it together where there is one."""
    if said is None or said.is_plain:
        return reasons
    facts = said.facts
    return (
        Resolution(
            title,
            value,
            said.text,
            said.origin,
            kind=FigureKind(dimension),
            because=reasons,
            facts=facts,
            given=True,
            figures=in_figures(said),
        ),
    )


def _words(
    line: Line, measure: Measure, dimension: Dimension
) -> tuple[str, str, Origin | None, tuple[Resolution, ...]]:
    if line.part is not None:
        part = line.part
        reasons = part.reasons
        if part.held is not None:
            reasons = _of_held(part.what.partition(", ")[0], part.held, measure, dimension)
        who, _, text = part.what.partition(", ")
        return who, text, part.origin, reasons
    activity, use = line.activity, line.use
    assert activity is not None
    who, callers, amount = str(activity.place), number(line.callers), number(line.amount)
    times = f"{show(callers)} callers" if callers != 1 else "1 caller"
    single = Fraction(amount) / Fraction(callers) if callers else 0
    each = show(single, dimension)
    size = () if use is None else _reckoned(f"size of {use.pool}", number(use.size), use.said, use.reasons)
    empty = isinstance(measure, CpuMeasure) and use is not None and use.size == 0
    if empty and line.kind in ("team", "joining"):
        assert use is not None
        return who, f"{times} at work, for the pool {use.pool} has no threads", use.origin, size
    match line.kind:
        case "team":
            assert use is not None
            if isinstance(measure, ThreadMeasure):
                return who, f"{times} x a team with {_several(single, 'more thread')}", use.origin, size
            return who, f"{times} x a team of {show(number(use.size))}", use.origin, size
        case "idle team":
            assert use is not None
            text = f"{times} x {_several(single, 'thread')} of an idle team{_spin(measure)}"
            return who, text, use.pool.origin, size
        case "claim":
            assert use is not None
            size_of_pool = _several(number(use.size), "thread")
            text = f"the pool {use.pool}, {size_of_pool}"
            if amount != number(use.size):
                text = f"{show(amount)} more of the {size_of_pool} of the pool {use.pool}"
            shared = f", shared by {times}" if callers != 1 else ""
            return who, text + shared, use.origin, size
        case "idle pool":
            assert use is not None
            text = f"{_several(amount, 'thread')} of the idle pool {use.pool}{_spin(measure)}"
            return who, text, use.pool.origin, size
        case "joining":
            return who, f"{times} at work beside the pool", activity.place.origin, ()
        case "threads":
            workers = activity.workers
            grounds: tuple[Resolution, ...] = ()
            if workers is not None:
                title = f"worker threads of {who}"
                grounds = _reckoned(title, number(workers.count), workers.said, workers.reasons)
            return who, f"{times} x {_several(single, 'worker thread')}", activity.place.origin, grounds
        case "running" if isinstance(measure, HeldMeasure):
            held = next((item for item in activity.demands if number(measure.amount(item))), None)
            text = "" if callers == 1 else f"{times} x {each}"
            if held is None:
                return who, text, activity.place.origin, ()
            return who, text, held.origin, _of_held(who, held, measure, dimension)
        case _ if activity.cpu is not None and activity.cpu.held is not None:
            held = activity.cpu.held
            text = (
                f"{times} at work" if single == 1 else f"{times} x {each} {'CPU' if single == 1 else 'CPUs'}"
            )
            return who, text, held.origin, _of_held(who, held, measure, dimension)
        case _:
            doing = f"importing {activity.place.library}" if activity.place.imports else "at work"
            return who, f"{times} {doing}", activity.place.origin, ()


def _of_held(who: str, held: Held, measure: Measure, dimension: Dimension) -> tuple[Resolution, ...]:
    """How a demand is reckoned, for the bound that counts."""
    name = held.resource.rpartition(".")[2]
    value = held.low if measure.bound == "low" else held.high
    return _reckoned(
        f"{name} of {who}", number(value), held.expression(measure.bound), held.reasons, dimension
    )


def _spin(measure: Measure) -> str:
    return "" if isinstance(measure, ThreadMeasure) else " that spin"
