"""What an application comes to on several machines, from one tree for all of those that shape it alike.

The tree is made with the machine's figures open, and guards answered as on the machine at hand. What it says
holds for each machine on which the guards come out the same, so that few trees tell for which machines it is
worth to look closely.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from lpcl.compose.clauses import Decide
from lpcl.compose.elaborate import Elaborated
from lpcl.compose.machine import MachineView
from lpcl.compose.machines import Machines
from lpcl.compose.paths import Path
from lpcl.compose.refusal import Refusal
from lpcl.compose.resources import Resource
from lpcl.compose.sums import Sum, sums
from lpcl.compose.suspects import Suspect, Suspects
from lpcl.compose.terms import DivisionByZero, Number, Term, Value, settle
from lpcl.model.program import Origin

Figures = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Excess:
    """More of a resource than there is, which is certainly asked for."""

    resource: Resource
    demand: Number
    capacity: Number


@dataclass(frozen=True, eq=False)
class Asked:
    """What is certainly asked for of a sum: `amounts` by the ways to stand, each with when it is too much."""

    sum: Sum
    amounts: tuple[tuple[Suspect, Value], ...]

    @property
    def closed(self) -> bool:
        """Whether nothing but the machine decides whether it is too much."""
        return all(suspect.closed for suspect, _ in self.amounts)

    def excess(self, figures: Figures, memo: dict[Term, Value] | None = None) -> Excess | None:
        """The largest amount on a machine that is too much there. Raises `DivisionByZero`."""
        memo = {} if memo is None else memo
        found = [
            plain(settle(amount, figures, memo))
            for suspect, amount in self.amounts
            if all(settle(one, figures, memo) is True for one in suspect.conditions)
        ]
        if not found:
            return None
        return Excess(self.sum.resource, max(found), plain(settle(self.sum.capacity, figures, memo)))


def asked(path: Path, view: MachineView, declared: Mapping[str, Resource]) -> tuple[Asked, ...]:
    """All that a tree certainly asks for that can be too much."""
    found = []
    items = sums(path.elaborated.root, view, declared)
    suspects = Suspects(path, items, lambda _: 0)
    for item in items:
        amounts = tuple(suspects.amounts(item, ("low",)))
        if amounts:
            found.append(Asked(item, amounts))
    return tuple(found)


def plain(value: Value) -> Number:
    """A number that is no term any more."""
    assert isinstance(value, int | Fraction)
    return value


@dataclass(frozen=True, eq=False)
class Shape:
    """A tree: the guards that shape it, with their answers, and what it asks for that can be too much."""

    guards: Mapping[Term, bool]
    asked: tuple[Asked, ...]

    def is_on(self, figures: Figures) -> bool:
        """Whether this is the shape on a machine. Raises `DivisionByZero`."""
        return all(settle(guard, figures) is answer for guard, answer in self.guards.items())

    def excesses(self, figures: Figures) -> tuple[Excess, ...] | None:
        """What it asks for too much of on a machine; None where that is open. Raises `DivisionByZero`."""
        if not all(item.closed for item in self.asked):
            return None
        memo: dict[Term, Value] = {}
        found = (item.excess(figures, memo) for item in self.asked)
        return tuple(one for one in found if one is not None)


class Shapes:
    """The shapes that `build` gives on some of the `machines`, as far as they have been asked for."""

    def __init__(
        self,
        build: Callable[[MachineView, Decide], Elaborated],
        declared: Mapping[str, Resource],
        machines: Machines,
    ) -> None:
        self.machines = machines
        self._build = build
        self._declared = declared
        self._known: list[Shape] = []
        self._answers: list[tuple[Figures, tuple[Excess, ...] | None]] = []
        self._all_known = True

    def excesses(self, figures: Figures) -> tuple[Excess, ...] | None:
        """What is certainly asked for too much of on a machine; None where that is not clear."""
        for known, found in self._answers:
            if known is figures:
                return found
        answer = self._excesses(figures)
        self._answers.append((figures, answer))
        return answer

    def _excesses(self, figures: Figures) -> tuple[Excess, ...] | None:
        try:
            shape = next((one for one in self._known if one.is_on(figures)), None)
            if shape is None:
                shape = self._made(figures)
                self._known.append(shape)
            return shape.excesses(figures)
        except (Refusal, DivisionByZero):
            self._all_known = False
            return None

    def nothing_fails(self, possible: Callable[[Suspect], bool]) -> bool:
        """Whether no guard matters, and on no machine more is certainly asked for of what fails then.

        `possible` tells of an over-commit whether it may be there on one of the machines.
        """
        return self._all_known and not any(
            shape.guards
            or any(
                item.sum.resource.fails and any(possible(suspect) for suspect, _ in item.amounts)
                for item in shape.asked
            )
            for shape in self._known
        )

    @cached_property
    def _view(self) -> MachineView:
        return self.machines.open()

    def _made(self, figures: Figures) -> Shape:
        guards: dict[Term, bool] = {}

        def decide(condition: Value, origin: Origin) -> bool:
            if isinstance(condition, Term):
                if condition not in guards:
                    guards[condition] = settle(condition, figures) is True
                return guards[condition]
            if isinstance(condition, bool):
                return condition
            raise Refusal("type-mismatch", "a condition is true or false, and this is neither", origin)

        path = Path((), self._build(self._view, decide))
        return Shape(guards, asked(path, self._view, self._declared))
