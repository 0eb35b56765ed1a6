"""Can it be? A condition over one contract's open values, decided exactly, with plain values that show it.

Bounds, and a few plain values that are tried, decide most conditions. The solver is asked for the rest,
within a fixed amount of work. What is shown has been evaluated anew with everything fixed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from lpcl.compose.refusal import Refusal
from lpcl.compose.solver import Verdict
from lpcl.compose.terms import (
    DivisionByZero,
    Plain,
    knobs_of,
)
from lpcl.model.quantities import show
from lpcl.ranges.plainest import plainest
from lpcl.ranges.question import WORK, Build, Question
from lpcl.ranges.space import Free, Space


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
    found = question.plainly()
    if found.verdict is Verdict.NO or (found.verdict is Verdict.YES and not witness):
        return Answer(found.verdict)
    solver = question.solver(work)
    verdict = solver.check() if found.values is None else found.verdict
    if verdict is not Verdict.YES or not witness:
        return Answer(verdict)
    order = sorted(question.space.free.values(), key=lambda item: (_GROUPS.index(item.group), item.id))
    values = plainest(order, question.usual.terms, solver) or found.values
    if values is None or not confirmed(build, values):
        return Answer(Verdict.UNDECIDED)
    named = knobs_of(question.conditions[0])
    return Answer(
        Verdict.YES, values, tuple(shown(item, values[item.id]) for item in order if item.id in named)
    )


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
