"""Can it be? A condition over one contract's open values, decided exactly, with plain values that show it.

Bounds, and a few plain values that are tried, decide most conditions. The solver is asked for the rest,
within a fixed amount of work. What is shown has been evaluated anew with everything fixed.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from lpcl.compose.refusal import Refusal
from lpcl.compose.solver import Solver, Verdict
from lpcl.compose.terms import (
    DivisionByZero,
    Plain,
    Term,
    Value,
    apply,
    conjunction,
    knobs_of,
    settle,
)
from lpcl.model.quantities import show
from lpcl.ranges.space import Free, Space
from lpcl.ranges.tidy import Tidy, sound

WORK = 4_000_000
"""What the solver may do for one question, in its own count: a second or so at the most."""

Build = Callable[[Space], Value]
_NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Shown:
    """One value of a witness in the words of the contract."""

    name: str
    value: str

    def __str__(self) -> str:
        return f"{self.name} = {self.value}"


@dataclass(frozen=True, slots=True)
class Answer:
    """Whether a condition can hold. `values` are those that show it, by id, `witness` those that matter."""

    verdict: Verdict
    values: Mapping[str, Plain] | None = None
    witness: tuple[Shown, ...] = ()

    @property
    def yes(self) -> bool:
        """Whether it can."""
        return self.verdict is Verdict.YES

    @property
    def no(self) -> bool:
        """Whether it certainly cannot."""
        return self.verdict is Verdict.NO

    def __str__(self) -> str:
        return ", ".join(map(str, self.witness))


def can(build: Build, *, work: int = WORK, witness: bool = True) -> Answer:
    """Whether what `build` gives over a space can be true, and where nothing in it divides by zero.

    Without `witness` the values that show it are not worked out, and often no solver is needed. Raises what
    `build` raises.
    """
    space = Space()
    tidy = Tidy()
    asked = build(space)
    condition = tidy(asked)
    if condition is False:
        return Answer(Verdict.NO)
    usuals = _usuals(space, tidy)
    conditions = [tidy(one) for one in (sound([asked]), *space.conditions())]
    if any(one is False for one in conditions):
        return Answer(Verdict.NO)
    bounds = conjunction(*conditions)
    if not witness and _shown_by_a_sample(space, usuals, condition, bounds):
        return Answer(Verdict.YES)
    solver = _solver(space, work)
    solver.add(bounds)
    solver.add(condition)
    verdict = solver.check()
    if verdict is not Verdict.YES or not witness:
        return Answer(verdict)
    values = _plainest(space, usuals, solver)
    if not confirmed(build, values):
        return Answer(Verdict.UNDECIDED)
    named = knobs_of(condition)
    return Answer(
        Verdict.YES,
        values,
        tuple(shown(item, values[item.id]) for item in _in_order(space) if item.id in named),
    )


def _usuals(space: Space, tidy: Tidy) -> Mapping[str, Value]:
    """What each open value is where nothing sets it; what that is computed from is then open, too."""
    found: dict[str, Value] = {}
    while waiting := [item for item in space.free.values() if item.id not in found]:
        for item in waiting:
            usual = item.usual()
            found[item.id] = _NOTHING if usual is None else tidy(usual)
        space.conditions()
    return {name: value for name, value in found.items() if value is not _NOTHING}


def confirmed(build: Build, values: Mapping[str, Plain]) -> bool:
    """Whether the condition and all bounds hold when they are evaluated with these values."""
    space = Space(values)
    try:
        return build(space) is True and all(one is True for one in space.conditions())
    except (DivisionByZero, KeyError):
        return False
    except Refusal as refusal:
        if refusal.diagnostic.code == "division-by-zero":
            return False
        raise


def shown(item: Free, value: Plain) -> Shown:
    """A value in the words of the contract."""
    if isinstance(value, bool):
        return Shown(item.label, "true" if value else "false")
    if isinstance(value, str):
        return Shown(item.label, f'"{value}"' if item.text else value)
    return Shown(item.label, show(value, item.dimension))


_GROUPS = ("machine", "control", "argument", "circumstance")


def _in_order(space: Space) -> list[Free]:
    return sorted(space.free.values(), key=lambda item: (_GROUPS.index(item.group), item.id))


def _solver(space: Space, work: int) -> Solver:
    def named(kind: str) -> frozenset[str]:
        return frozenset(item.id for item in space.free.values() if item.kind == kind)

    return Solver(named("truth"), named("word"), work, named("fraction"))


# ------------------------------------------------------------------ the plainest values


def _plainest(space: Space, usuals: Mapping[str, Value], solver: Solver) -> Mapping[str, Plain]:
    """The values of the answer that the solver has just found, made as plain as they can be.

    Settings and arguments are what they are where nothing sets them, as far as that shows it, too; then the
    machine's figures, and then the rest, are the plainest of their candidates, else the least that there is.
    """
    order = _in_order(space)
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
            candidate = _least(item, solver)
        solver.add(apply("==", _term(item), candidate))
        values[item.id] = candidate
    return values


def _plain_first(
    item: Free, usuals: Mapping[str, Value], solver: Solver, settled: set[str]
) -> Iterator[Plain]:
    """The candidates; what is at its default has one value alone by now, which the solver knows."""
    follows = item.group == "machine" and item.id in usuals
    if item.id in settled and solver.check() is Verdict.YES:
        yield solver.value(item.id)
    elif follows and solver.check(apply("==", _term(item), usuals[item.id])) is Verdict.YES:
        if item.id.startswith("machine.cpus."):
            for candidate in item.candidates:
                at_once = conjunction(
                    apply("==", _term(item), candidate), apply("==", usuals[item.id], candidate)
                )
                if solver.check(at_once) is Verdict.YES:
                    yield candidate
        solver.check(apply("==", _term(item), usuals[item.id]))
        yield solver.value(item.id)
    yield from item.candidates


def _term(item: Free) -> Term:
    return Term("knob", (item.id,))


def _least(item: Free, solver: Solver) -> Plain:
    """The least whole number that an item can be, seen from 0; else what the solver has."""
    solver.check()
    high = solver.value(item.id)
    if item.kind != "whole" or isinstance(high, bool | str):
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


# ------------------------------------------------------------------ values to try


def _shown_by_a_sample(space: Space, usuals: Mapping[str, Value], condition: Value, bounds: Value) -> bool:
    """Whether some plain values make a condition true within the bounds."""
    matters = _read(condition, usuals)
    for base, others in _samples(space, usuals):
        memo: dict[Term, Value] = {}
        found = _settled(condition, base, memo)
        if found is True and _settled(bounds, base, memo) is True:
            return True
        # Where it is false, it stays so whatever becomes of values that it does not read.
        for values in others(matters if found is False else space.free):
            memo = {}
            if _settled(condition, values, memo) is True and _settled(bounds, values, memo) is True:
                return True
    return False


def _settled(condition: Value, values: Mapping[str, Plain], memo: dict[Term, Value]) -> Value | None:
    try:
        return settle(condition, values, memo)
    except DivisionByZero:
        return None


def _read(condition: Value, usuals: Mapping[str, Value]) -> frozenset[str]:
    """All open values that a condition depends on, also through what others are where nothing sets them."""
    found: set[str] = set()
    waiting = set(knobs_of(condition))
    while waiting:
        found |= waiting
        waiting = {name for one in waiting if one in usuals for name in knobs_of(usuals[one])} - found
    return frozenset(found)


_MOST_SAMPLES = 400

Values = Mapping[str, Plain]


def _samples(
    space: Space, usuals: Mapping[str, Value]
) -> Iterator[tuple[Values, Callable[[Container[str]], Iterator[Values]]]]:
    """A few assignments: everything as usual on some machines, and with each what gives those in which one of
    the items that are wanted, in turn, is something else.
    """
    order = list(space.free.values())
    number = 0

    def others(base: Values, given: dict[str, Plain], cpus: int, wanted: Container[str]) -> Iterator[Values]:
        nonlocal number
        for item in (one for one in order if one.id in wanted):
            for candidate in item.candidates:
                if candidate != base[item.id] and number < _MOST_SAMPLES:
                    number += 1
                    yield {**base, item.id: candidate}
                    if item.group in ("machine", "control"):
                        yield _filled(order, usuals, {**given, item.id: candidate}, cpus)

    for cpus, argument in ((8, None), (8, 2), (1, None), (64, 4)):
        given: dict[str, Plain] = (
            {}
            if argument is None
            else {item.id: argument for item in order if item.group == "argument" and _takes(item, argument)}
        )
        base = _filled(order, usuals, given, cpus)
        yield base, partial(others, base, given, cpus)


def _takes(item: Free, number: int) -> bool:
    """Whether a number lies within an item's bounds."""
    low, high = item.low, item.high
    is_number = item.kind in ("whole", "fraction")
    return is_number and (low is None or low <= number) and (high is None or number <= high)


def _filled(
    order: list[Free], usuals: Mapping[str, Value], fixed: Mapping[str, Plain], cpus: int
) -> dict[str, Plain]:
    """All values, those that follow from others after those others."""
    values = {"machine.cpus.online": cpus, **fixed}
    waiting = [item for item in order if item.id not in values]
    for item in waiting:
        if item.id not in usuals:
            values[item.id] = next(iter(item.candidates), 0)
    for _ in range(3):
        for item in waiting:
            if item.id not in values:
                try:
                    found = settle(usuals[item.id], values)
                except DivisionByZero:
                    continue
                if not isinstance(found, Term):
                    values[item.id] = found
    for item in waiting:
        if item.id not in values:
            values[item.id] = next(iter(item.candidates), 0)
    return values
