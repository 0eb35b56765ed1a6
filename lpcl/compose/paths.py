"""The shapes that an application can take: one tree for each way in which its guards can come out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from lpcl.compose.clauses import Decide
from lpcl.compose.elaborate import Elaborated
from lpcl.compose.refusal import Refusal
from lpcl.compose.terms import Term, Value, negation
from lpcl.model.program import Origin

MOST_PATHS = 256


class TooManyPaths(Exception):
    """More shapes than are worth following: the question is not decided."""


@dataclass(frozen=True, eq=False)
class Path:
    """A shape: its tree, with knobs open, and the conditions on the knobs under which it is the one."""

    conditions: tuple[Value, ...]
    elaborated: Elaborated


class _Oracle:
    """Answers open guards: as the prefix says, then freely, leaving the other answer to a later shape."""

    def __init__(
        self,
        prefix: tuple[bool, ...],
        feasible: Callable[[tuple[Value, ...]], bool],
        later: list[tuple[bool, ...]],
    ) -> None:
        self._prefix = prefix
        self._feasible = feasible
        self._later = later
        self._taken: list[bool] = []
        self._known: dict[Term, bool] = {}
        self.conditions: list[Value] = []

    def __call__(self, condition: Value, origin: Origin) -> bool:
        if isinstance(condition, bool):
            return condition
        if not isinstance(condition, Term):
            raise Refusal("type-mismatch", "a condition is true or false, and this is neither", origin)
        if condition not in self._known:
            self._known[condition] = self._answer(condition)
        return self._known[condition]

    def _answer(self, condition: Value) -> bool:
        if len(self._taken) < len(self._prefix):
            answer = self._prefix[len(self._taken)]
        else:
            answer = self._feasible((*self.conditions, condition))
            if answer and self._feasible((*self.conditions, negation(condition))):
                self._later.append((*self._taken, False))
        self._taken.append(answer)
        self.conditions.append(condition if answer else negation(condition))
        return answer


def paths(
    build: Callable[[Decide], Elaborated], feasible: Callable[[tuple[Value, ...]], bool]
) -> Iterator[Path]:
    """Every feasible shape, in a fixed order. A shape that is refused outright is left out.

    `build` makes the tree with the answers that `decide` gives to open guards; `feasible` tells whether
    conditions can hold together. Raises `TooManyPaths`.
    """
    waiting: list[tuple[bool, ...]] = [()]
    explored = 0
    while waiting:
        explored += 1
        if explored > MOST_PATHS:
            raise TooManyPaths
        oracle = _Oracle(waiting.pop(), feasible, waiting)
        try:
            elaborated = build(oracle)
        except Refusal:
            continue
        yield Path(tuple(oracle.conditions), elaborated)
