"""The ledger of a snapshot: each thing that adds to its amount, in words and figures."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from lpcl.compose.findings import Entry
from lpcl.compose.meaning import number
from lpcl.compose.measures import HeldMeasure, Measure, ThreadMeasure
from lpcl.compose.placement import Line, ProcessSnapshot, lines
from lpcl.compose.structure import Resolution
from lpcl.compose.terms import Number
from lpcl.model.program import Origin
from lpcl.model.quantities import Dimension, show


def entries(shot: ProcessSnapshot, measure: Measure, dimension: Dimension) -> tuple[Entry, ...]:
    """Every line of the snapshot that adds something, parents before children, like lines put together."""
    merged: dict[tuple[str, str, str, Number, Origin | None], Entry] = {}
    for entry in _entries(shot, measure, dimension):
        key = (entry.process, entry.who, entry.text, entry.each, entry.origin)
        known = merged.get(key)
        if known is not None:
            entry = Entry(
                entry.process,
                entry.who,
                entry.text,
                entry.each,
                known.copies + entry.copies,
                known.total + entry.total,
                entry.origin,
                entry.reasons,
            )
        merged[key] = entry
    return tuple(merged.values())


def _entries(shot: ProcessSnapshot, measure: Measure, dimension: Dimension) -> Iterator[Entry]:
    copies = number(shot.copies)
    if copies:
        for line in lines(shot, measure):
            amount = number(line.amount)
            if amount:
                who, text, origin, reasons = _words(line, measure, dimension)
                yield Entry(shot.process.name, who, text, amount, copies, amount * copies, origin, reasons)
        if measure.follows:
            for child in shot.children:
                yield from _entries(child, measure, dimension)


def _words(
    line: Line, measure: Measure, dimension: Dimension
) -> tuple[str, str, Origin | None, tuple[Resolution, ...]]:
    if line.part is not None:
        return line.part.what, "", line.part.origin, line.part.reasons
    activity, use = line.activity, line.use
    assert activity is not None
    who, callers = str(activity.place), number(line.callers)
    times = f"{show(callers)} callers" if callers != 1 else "1 caller"
    each = show(Fraction(number(line.amount)) / Fraction(callers) if callers else 0, dimension)
    match line.kind:
        case "team":
            assert use is not None
            size = each if isinstance(measure, ThreadMeasure) else show(number(use.size))
            what = "a team with" if isinstance(measure, ThreadMeasure) else "a team of"
            extra = " more threads" if isinstance(measure, ThreadMeasure) else ""
            return who, f"{times} x {what} {size}{extra}", use.origin, use.reasons
        case "idle team":
            assert use is not None
            return (
                who,
                f"{times} x {each} threads of an idle team{_spin(measure)}",
                use.pool.origin,
                use.reasons,
            )
        case "claim":
            assert use is not None
            shared = f", shared by {times}" if callers != 1 else ""
            return (
                who,
                f"the pool {use.pool} of {show(number(use.size))}{shared}",
                (use.origin),
                use.reasons,
            )
        case "idle pool":
            assert use is not None
            return (
                who,
                f"{each} threads of the idle pool {use.pool}{_spin(measure)}",
                (use.pool.origin),
                use.reasons,
            )
        case "joining":
            return who, f"{times} at work beside the pool", activity.place.origin, ()
        case "threads":
            reasons = activity.workers.reasons if activity.workers is not None else ()
            return who, f"{times} x {each} worker threads", activity.place.origin, reasons
        case "running" if isinstance(measure, HeldMeasure):
            held = next((item for item in activity.demands if number(measure.amount(item))), None)
            origin = activity.place.origin if held is None else held.origin
            reasons = () if held is None else held.reasons
            return who, "" if callers == 1 else f"{times} x {each}", origin, reasons
        case _:
            return who, f"{times} at work", activity.place.origin, ()


def _spin(measure: Measure) -> str:
    return "" if isinstance(measure, ThreadMeasure) else " that spin"
