"""Can it be? A condition over one contract's open values, decided exactly, with plain values that show it.

Bounds, and a few plain values that are tried, decide most conditions. The solver is asked for the rest,
within a fixed amount of work. What is shown has been evaluated anew with everything fixed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

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
from lpcl.ranges.narrow import holds, narrowed
from lpcl.ranges.space import Free, Space
from lpcl.ranges.tidy import sound

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

    Without `witness` the values that show it are not worked out, and rarely a solver is needed. Raises what
    `build` raises.
    """
    question = Question.of(build)
    verdict = question.plainly()
    if verdict is Verdict.NO or (verdict is Verdict.YES and not witness):
        return Answer(verdict)
    solver = question.solver(work)
    verdict = solver.check()
    if verdict is not Verdict.YES or not witness:
        return Answer(verdict)
    space = question.space
    values = _plainest(space, question.usuals, solver)
    if not confirmed(build, values):
        return Answer(Verdict.UNDECIDED)
    named = knobs_of(question.conditions[0])
    return Answer(
        Verdict.YES,
        values,
        tuple(shown(item, values[item.id]) for item in _in_order(space) if item.id in named),
    )


@dataclass(frozen=True, eq=False, slots=True)
class Question:
    """Whether conditions can hold together over a space: the one in question first, then all that binds it.

    `usuals` are what open values are where nothing sets them, by id.
    """

    space: Space
    conditions: tuple[Value, ...]
    usuals: Mapping[str, Value]

    @classmethod
    def of(cls, build: Build) -> Question:
        """Whether what `build` gives over a space can be true. Raises what `build` raises."""
        space = Space()
        asked = build(space)
        if asked is False:
            return cls(space, (False,), {})
        usuals = _usuals(space)
        return cls(space, (asked, sound([asked]), *space.conditions()), usuals)

    def plainly(self) -> Verdict:
        """The answer, as far as bounds and a few values that are tried decide it."""
        if any(condition is False for condition in self.conditions):
            return Verdict.NO
        items = self.space.free
        usual = _filled(items.values(), self.usuals)
        if all(item.takes(usual[name]) for name, item in items.items()) and all(
            holds(condition, usual) for condition in self.conditions
        ):
            return Verdict.YES
        return narrowed(self.conditions, items, usual).verdict

    def solver(self, work: int = WORK) -> Solver:
        """A solver that knows the conditions, and may do so much work for each question."""

        def named(kind: str) -> frozenset[str]:
            return frozenset(item.id for item in self.space.free.values() if item.kind == kind)

        solver = Solver(named("truth"), named("word"), work, named("fraction"))
        for condition in (*self.space.limits(), *self.conditions[1:], self.conditions[0]):
            solver.add(condition)
        return solver


def _usuals(space: Space) -> Mapping[str, Value]:
    """What each open value is where nothing sets it; what that is computed from is then open, too."""
    found: dict[str, Value] = {}
    while waiting := [item for item in space.free.values() if item.id not in found]:
        for item in waiting:
            usual = item.usual()
            found[item.id] = _NOTHING if usual is None else usual
        space.conditions()
    return {name: value for name, value in found.items() if value is not _NOTHING}


def confirmed(build: Build, values: Mapping[str, Plain]) -> bool:
    """Whether the condition and all bounds hold when they are evaluated with these values."""
    space = Space(values)
    try:
        made = build(space)
        return made is True and all(one is True for one in (*space.conditions(), *space.limits()))
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


# ------------------------------------------------------------------ what is usual


_CPUS = 8
"""Of a machine that is like many others."""


def _filled(items: Iterable[Free], usuals: Mapping[str, Value]) -> dict[str, Plain]:
    """What everything is where nothing sets it, on a machine that is like many others."""
    values: dict[str, Plain] = {"machine.cpus.online": _CPUS}
    waiting = [item for item in items if item.id not in values]
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
