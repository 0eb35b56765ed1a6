"""On which machines is something wrong? An application on all machines in range at once.

The tree is built once with the machine's free figures open. What could be wrong is then a condition on them
(`lpcl.compose.suspects`); where it also depends on where executors stand, machines are proposed and assessed,
and what each one teaches is put together until it covers all of them. So every finding has a region: a
condition that holds on just the machines on which it is there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from lpcl.compose.assess import Assessment, Context, assess
from lpcl.compose.clauses import Decide
from lpcl.compose.elaborate import Elaborated, decide_plainly
from lpcl.compose.findings import Finding
from lpcl.compose.lessons import Lessons
from lpcl.compose.machine import MachineView
from lpcl.compose.machines import Machines
from lpcl.compose.meaning import number
from lpcl.compose.paths import Path, paths
from lpcl.compose.refusal import Refusal
from lpcl.compose.resources import Resource
from lpcl.compose.solver import Solver, Verdict
from lpcl.compose.sums import Sum, sums
from lpcl.compose.suspects import Key, Suspect, Suspects, key_of
from lpcl.compose.terms import Value, apply, conjunction, disjunction, holds, knob, knobs_of, negation

MOST_PROPOSALS = 200

Steps = Mapping[str, int]
"""A machine in range: how many steps each free figure has, by the ids of figures."""


@dataclass(frozen=True)
class Region:
    """The machines in range on which a finding is there (key), or which refuse the application (no key).

    It is `decided` where it holds on just these; else on some of them.
    """

    key: Key | None
    holds: Value
    decided: bool = True


class Fleet:
    """An application on the machines in range.

    `build` makes its tree on a machine; `background` is what others use of it.
    """

    def __init__(
        self,
        machines: Machines,
        build: Callable[[MachineView, Decide], Elaborated],
        declared: Mapping[str, Resource],
        background: Callable[[MachineView], Mapping[str, Value]],
    ) -> None:
        self.machines = machines
        self._build = build
        self._declared = declared
        self._background_on = background
        self._open = machines.open()
        self._background = background(self._open)
        self._beside: Solver | None = None
        self._shapes: tuple[Path, ...] | None = None

    def sums_of(self, path: Path) -> tuple[Sum, ...]:
        """Every sum of a shape, with what the machines have of it."""
        return sums(path.elaborated.root, self._open, self._declared)

    def background(self, item: Sum) -> Value:
        """What others use of a sum's capacity."""
        return self._background.get(item.resource.qualified, 0) if item.starter is None else 0

    def solver(self, truths: frozenset[str] = frozenset()) -> Solver:
        """A solver of the machines in range."""
        solver = Solver(truths, frozenset(), beside=self._beside)
        self._beside = self._beside or solver
        for condition in self.machines.conditions():
            solver.add(condition)
        return solver

    def machine(self, solver: Solver) -> Steps:
        """The machine that a solver has just found."""
        found: dict[str, int] = {}
        for item in self.machines.figures:
            value = solver.value(item.id)
            assert isinstance(value, int)
            found[item.id] = value
        return found

    def assessed(self, steps: Steps, *, explain: bool = False) -> Assessment | Refusal:
        """What the application comes to on one machine, or why it has no meaning there."""
        view = self.machines.at(steps)
        try:
            used = {name: number(value) for name, value in self._background_on(view).items()}
            context = Context(view, self._declared, used)
            return assess(self._build(view, decide_plainly), context, explain=explain)
        except Refusal as refusal:
            return refusal

    def shapes(self) -> tuple[Path, ...]:
        """The shapes that the application takes on machines in range. Raises `TooManyPaths`."""
        if self._shapes is None:
            solver = self.solver()
            found = paths(
                lambda decide: self._build(self._open, decide),
                lambda conditions: solver.check(*conditions) is not Verdict.NO,
            )
            self._shapes = tuple(found)
        return self._shapes

    def refuse(self) -> None:
        """Raise the `Refusal` of the least machine in range; nothing where it has a meaning there."""
        self._build(self.machines.at({item.id: item.low for item in self.machines.figures}), decide_plainly)

    def read(self, path: Path) -> frozenset[str]:
        """The free figures on which something in a shape depends, by their names in terms."""
        conditions = [*path.conditions, *path.elaborated.requirements]
        conditions += (
            one
            for suspect in Suspects(path, self.sums_of(path), self.background)
            for one in suspect.conditions
        )
        return frozenset(name for condition in conditions for name in knobs_of(condition))

    def regions(self) -> Iterator[Region]:
        """The region of each finding that could be, in the order in which findings are looked for.

        Raises `TooManyPaths` or `TooManyOptions`.
        """
        found: dict[Key, list[Region]] = {}
        covered: list[Value] = []
        for path in self.shapes():
            here = conjunction(*path.conditions, *path.elaborated.requirements)
            covered.append(here)
            by_key: dict[Key, list[Suspect]] = {}
            for suspect in Suspects(path, self.sums_of(path), self.background):
                by_key.setdefault(suspect.key, []).append(suspect)
            for key, suspects in by_key.items():
                region = self._region(path, key, suspects)
                found.setdefault(key, []).append(replace(region, holds=conjunction(here, region.holds)))
        refused = negation(disjunction(*covered))
        if refused is not False:
            yield Region(None, refused)
        joined = {key: _joined(key, regions) for key, regions in found.items()}
        for key, region in joined.items():
            certain = None if key.certain else joined.get(replace(key, certain=True))
            if certain is None:
                yield region
            else:  # what is possible by its bounds where it is not certain anyway
                holds = conjunction(region.holds, negation(certain.holds))
                yield Region(key, holds, region.decided and certain.decided)

    def _region(self, path: Path, key: Key, suspects: list[Suspect]) -> Region:
        closed = disjunction(*(one.happens for one in suspects if one.closed))
        open_ones = [one for one in suspects if not one.closed]
        if not open_ones:
            return Region(key, closed)
        known, decided = [closed], True
        lessons = Lessons(self, path)
        truths: frozenset[str] = frozenset().union(*(one.truths for one in open_ones))
        solver = self.solver(truths)
        for condition in (*path.conditions, *path.elaborated.requirements, negation(closed)):
            solver.add(condition)
        for suspect in open_ones:
            for _ in range(MOST_PROPOSALS):
                verdict = solver.check(*suspect.conditions)
                if verdict is not Verdict.YES:
                    decided = decided and verdict is Verdict.NO
                    break
                steps = self.machine(solver)
                cause = self._cause(lessons, key, steps)
                if holds(cause, steps):
                    known.append(cause)
                    solver.add(negation(cause))
                else:
                    same = conjunction(*(apply("==", knob(name), value) for name, value in steps.items()))
                    solver.add(negation(same))
                    if self.finding(key, steps) is not None:
                        known.append(same)
            else:
                decided = False
        return Region(key, disjunction(*known), decided)

    def _cause(self, lessons: Lessons, key: Key, steps: Steps) -> Value:
        """When the snapshot that shows a finding on one machine shows it; False where none does."""
        if self.finding(key, steps) is None:
            return False
        return lessons.cause(key, self._build(self.machines.at(steps), decide_plainly))

    def finding(self, key: Key | None, steps: Steps, *, explain: bool = False) -> Finding | Refusal | None:
        """The finding of a key on one machine, or for no key why it refuses; None where it is not there."""
        assessment = self.assessed(steps, explain=explain)
        if isinstance(assessment, Refusal):
            return assessment if key is None else None
        if key is None:
            return None
        mine = (key, replace(key, certain=True))
        return next((one for one in assessment.findings if key_of(one) in mine), None)


def _joined(key: Key, regions: list[Region]) -> Region:
    holds = disjunction(*(region.holds for region in regions))
    return Region(key, holds, all(region.decided for region in regions))
