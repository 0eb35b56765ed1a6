"""What an application comes to on several machines, from one tree for all of those that shape it alike.

The tree is made with the machine's figures open, and guards answered as on the machine at hand. What it says
holds for each machine on which the guards come out the same, so that few trees tell for which machines it is
worth to look closely.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

from lpcl.compose.clauses import Decide
from lpcl.compose.elaborate import Elaborated
from lpcl.compose.machine import MachineView
from lpcl.compose.machines import Machines
from lpcl.compose.meaning import TooManyOptions
from lpcl.compose.paths import Path
from lpcl.compose.refusal import Refusal
from lpcl.compose.resources import Resource
from lpcl.compose.sums import sums
from lpcl.compose.suspects import Suspects
from lpcl.compose.terms import DivisionByZero, Term, Value, settle
from lpcl.model.program import Origin

Figures = Mapping[str, int]


@dataclass(frozen=True, eq=False)
class Shape:
    """A tree: the guards that shape it, with their answers, and when it certainly asks for too much of what.

    `fails` tells whether it may do so of a resource of which too much fails.
    """

    guards: Mapping[Term, bool]
    suspects: tuple[tuple[str, tuple[Value, ...]], ...]
    fails: bool

    def is_on(self, figures: Figures) -> bool:
        """Whether this is the shape on a machine. Raises `DivisionByZero`."""
        return all(settle(guard, figures) is answer for guard, answer in self.guards.items())

    def too_much(self, figures: Figures) -> frozenset[str]:
        """The resources of which it asks for too much on a machine. Raises `DivisionByZero`."""
        return frozenset(
            resource
            for resource, conditions in self.suspects
            if all(settle(one, figures) is True for one in conditions)
        )


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
        self._all_known = True

    def too_much(self, figures: Figures) -> frozenset[str] | None:
        """The resources of which on a machine more is certainly asked for than there is; None where that is
        not clear.
        """
        try:
            shape = next((one for one in self._known if one.is_on(figures)), None)
            if shape is None:
                shape = self._made(figures)
                self._known.append(shape)
            return shape.too_much(figures)
        except (Refusal, DivisionByZero, TooManyOptions):
            self._all_known = False
            return None

    def nothing_fails(self) -> bool:
        """Whether no guard matters, and on no machine more is certainly asked for of what fails then."""
        return self._all_known and not any(shape.guards or shape.fails for shape in self._known)

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
        found: list[tuple[str, tuple[Value, ...]]] = []
        fails = False
        for item in sums(path.elaborated.root, self._view, self._declared):
            for suspect in Suspects(path, (item,), lambda _: 0).of_sum(item):
                if suspect.key.certain:
                    found.append((item.resource.qualified, suspect.conditions))
                    fails = fails or item.resource.fails
        return Shape(guards, tuple(found), fails)
