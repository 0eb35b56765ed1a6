"""The plainest values that show an answer: what a person would try first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from lpcl.compose.solver import Solver, Verdict
from lpcl.compose.terms import Plain, Term, Value, apply, conjunction, knob
from lpcl.ranges.space import Free


def plainest(
    order: Sequence[Free], usuals: Mapping[str, Value], solver: Solver
) -> Mapping[str, Plain] | None:
    """Values that make all hold that a solver knows, as plain as they can be; None where it gives up.

    Settings and arguments are what they are where nothing sets them, as far as that shows it, too; then the
    machine's figures, and then the rest, are the plainest of their candidates, else the least that there is.
    """
    settled: set[str] = set()
    for item in order:
        if item.group != "machine" and item.id in usuals:
            same = apply("==", _term(item), usuals[item.id])
            if solver.check(same) is Verdict.YES:
                solver.add(same)
                settled.add(item.id)
    values: dict[str, Plain] = {}
    for item in order:
        for candidate in _plain_first(item, usuals, solver, settled):
            if solver.check(apply("==", _term(item), candidate)) is Verdict.YES:
                break
        else:
            least = _least(item, solver)
            if least is None:
                return None
            candidate = least
        solver.add(apply("==", _term(item), candidate))
        values[item.id] = candidate
    return values


def _plain_first(
    item: Free, usuals: Mapping[str, Value], solver: Solver, settled: set[str]
) -> Iterator[Plain]:
    """The candidates; what is at its default has one value alone by now, which the solver knows."""
    follows = item.group == "machine" and item.id in usuals
    if item.id in settled:
        yield from _known(item, solver)
    elif follows and solver.check(apply("==", _term(item), usuals[item.id])) is Verdict.YES:
        if item.id.startswith("machine.cpus."):
            for candidate in item.candidates:
                at_once = conjunction(
                    apply("==", _term(item), candidate), apply("==", usuals[item.id], candidate)
                )
                if solver.check(at_once) is Verdict.YES:
                    yield candidate
        yield from _known(item, solver, apply("==", _term(item), usuals[item.id]))
    yield from item.candidates


def _known(item: Free, solver: Solver, *assumed: Value) -> Iterator[Plain]:
    """What an item is in the solver's answer, if there is one."""
    if solver.check(*assumed) is Verdict.YES:
        yield solver.value(item.id)


def _term(item: Free) -> Term:
    return knob(item.id)


def _least(item: Free, solver: Solver) -> Plain | None:
    """The least whole number that an item can be, seen from 0; else what the solver has, if it has any."""
    high = next(_known(item, solver), None)
    if high is None or item.kind != "whole" or isinstance(high, bool | str):
        return high
    low = item.low if item.low is not None else (0 if high >= 0 else None)
    if low is None or not isinstance(low, int) or not isinstance(high, int):
        return high
    while low < high:
        middle = (low + high) // 2
        if solver.check(apply("<=", _term(item), middle)) is Verdict.YES:
            found = solver.value(item.id)
            assert isinstance(found, int)
            high = min(middle, found)
        else:
            low = middle + 1
    return high
