"""What is left of a device's memory when something starts: the order of starts decides it.

Things start in the order in which the application names them: what its process has loaded and what encloses a
statement before the statement, the members of a `together` one after the other, applications that run at once
in the order in which they are given. What starts later finds what the earlier ones have left. Statements of a
block that are over hold nothing any more.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lpcl.compose.structure import (
    Activity,
    Held,
    Process,
    ProcessWorkers,
    Sequence,
    Statement,
    ThreadWorkers,
    Together,
    Variant,
)
from lpcl.compose.terms import Value, apply, choose, total
from lpcl.model.program import Origin

GPU_MEMORY = "lpcl.core.gpu_memory"
FREE = "gpu.memory.free"


@dataclass(frozen=True)
class Live:
    """Something that has started and goes on: each of its `copies` holds what `held` says, by the bounds."""

    copies: Value
    held: Held | Statement | Process


def taken(live: tuple[Live, ...], device: Value, *, most: bool) -> Value:
    """What is held of a device's memory, by the upper bounds or by the lower ones."""
    return total([apply("*", one.copies, _held(one.held, device, most)) for one in live])


def holders(
    live: tuple[Live, ...], device: Value, *, most: bool
) -> Iterator[tuple[str, Value, str, Origin | None]]:
    """Who holds something of a device's memory: a name, the amount, how it comes about, and its clause."""
    for one in live:
        yield from _holders(one.held, one.copies, device, most)


def _holders(
    what: Held | Statement | Process, copies: Value, device: Value, most: bool
) -> Iterator[tuple[str, Value, str, Origin | None]]:
    amount = apply("*", copies, _held(what, device, most))
    if amount == 0:
        return
    times = "" if copies == 1 else f"{copies} of them, "
    match what:
        case Held():
            clause = " ".join(what.origin.file.text[what.origin.span.start : what.origin.span.end].split())
            if clause.startswith("demand"):
                yield "what is loaded", amount, f"{times}{clause}", what.origin
            else:
                yield "others", amount, "in use on the machine before", what.origin
        case Process():
            origin = None if what.starter is None else what.starter.origin
            yield what.name, amount, f"{times}started before", origin
        case Together():
            for member in what.members:
                yield from _holders(member, copies, device, most)
        case Sequence() if len(what.statements) == 1:
            yield from _holders(what.statements[0], copies, device, most)
        case Activity():
            yield str(what.place), amount, f"{times}started before", what.place.origin
        case _:
            yield "one statement after the other", amount, f"{times}at the busiest moment", None


def _held(what: Held | Statement | Process, device: Value, most: bool) -> Value:
    """What one executor at a statement, or one process, holds at its busiest moment."""
    match what:
        case Held():
            return _amount(what, device, most)
        case Process():
            loaded = [
                choose(library.condition, _amount(held, device, most), 0)
                for library in what.loaded
                for held in library.demands
            ]
            own = [_amount(held, device, most) for held in what.held]
            return total([*loaded, *own, _held(what.body, device, most)])
        case Sequence():
            return _largest(_held(one, device, most) for one in what.statements)
        case Together():
            return total([_held(one, device, most) for one in what.members])
        case Variant():
            return choose(what.condition, _held(what.then, device, most), _held(what.otherwise, device, most))
        case Activity():
            return apply(
                "+", total([_amount(one, device, most) for one in what.demands]), _inner(what, device, most)
            )


def _inner(activity: Activity, device: Value, most: bool) -> Value:
    if isinstance(activity.workers, ProcessWorkers):
        return apply("*", activity.workers.count, _held(activity.workers.process, device, most))
    if activity.body is None:
        return 0
    inner = _held(activity.body, device, most)
    if isinstance(activity.workers, ThreadWorkers):
        return apply("*", activity.workers.count, inner)
    if activity.pool is not None and not activity.pool.own_thread:
        return apply("*", apply("max", 1, activity.pool.size), inner)
    return inner


def _amount(held: Held, device: Value, most: bool) -> Value:
    if held.resource != GPU_MEMORY:
        return 0
    amount = held.high if most else held.low
    if held.device == "all" or held.device is None:
        return amount
    return choose(apply("==", held.device, device), amount, 0)


def _largest(values: Iterator[Value]) -> Value:
    found: Value = 0
    for value in values:
        found = apply("max", found, value)
    return found
