"""One question over a space: the answer where it is plain, and a solver that knows it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from lpcl.compose.solver import Solver, Verdict
from lpcl.compose.sound import sound
from lpcl.compose.terms import Value, holds
from lpcl.ranges.narrow import Found, narrowed
from lpcl.ranges.space import Space
from lpcl.ranges.usual import Usual

WORK = 4_000_000
"""What the solver may do for one question, in its own count: a second or so at the most."""

Build = Callable[[Space], Value]


@dataclass(frozen=True, eq=False, slots=True)
class Question:
    """Whether conditions can hold together over a space: the one in question, then all that binds it."""

    space: Space
    conditions: tuple[Value, ...]
    usual: Usual

    @classmethod
    def of(cls, build: Build) -> Question:
        """Whether what `build` gives over a space can be true. Raises what `build` raises."""
        space = Space()
        asked = build(space)
        if asked is False:
            return cls(space, (False,), Usual(space))
        usual = Usual(space)
        usual.learn()
        return cls(space, (asked, sound(asked), *space.conditions()), usual)

    def plainly(self) -> Found:
        """The answer, as far as bounds and a few values that are tried decide it."""
        if any(condition is False for condition in self.conditions):
            return Found(Verdict.NO)
        items = self.space.free
        usual = self.usual.values()
        if all(item.takes(usual[name]) for name, item in items.items()) and all(
            holds(condition, usual) for condition in self.conditions
        ):
            return Found(Verdict.YES, usual)
        return narrowed(self.conditions, items, usual)

    def solver(self, work: int = WORK) -> Solver:
        """A solver that knows the conditions, and may do so much work for each question."""

        def named(kind: str) -> frozenset[str]:
            return frozenset(item.id for item in self.space.free.values() if item.kind == kind)

        solver = Solver(named("truth"), named("word"), work, named("fraction"))
        for condition in (*self.space.limits(), *self.conditions[1:], self.conditions[0]):
            solver.add(condition)
        return solver
