"""Can it happen? A configuration that certainly over-commits a resource, or that there is none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lpcl.compose.assess import Assessment
from lpcl.compose.findings import Kind
from lpcl.compose.free import Freedom
from lpcl.compose.knobs import Configuration
from lpcl.compose.meaning import TooManyOptions
from lpcl.compose.measures import Bound
from lpcl.compose.paths import Path, TooManyPaths
from lpcl.compose.placement import Spread, amount, snapshot
from lpcl.compose.solver import Verdict
from lpcl.compose.space import Space, process_of
from lpcl.compose.structure import Process
from lpcl.compose.sums import Sum
from lpcl.compose.terms import Plain, Value, apply, settle


@dataclass(frozen=True)
class Answer:
    """An answer with what shows it; `verdict` is undecided where the allowed work did not suffice."""

    verdict: Verdict
    witness: Configuration | None = None
    assessment: Assessment | None = None


class Witnesses:
    """Looks for configurations that over-commit."""

    def __init__(self, space: Space) -> None:
        self._space = space

    def can_happen(self, resource: str) -> Answer:
        """Is there a configuration that certainly over-commits the resource (its full name)?"""
        undecided = False
        try:
            for path in self._space.paths():
                freedom = Freedom(path.elaborated.root)
                for item in self._space.sums_of(path):
                    if item.resource.qualified != resource:
                        continue
                    answer = self._reaches(path, item, freedom)
                    if answer.verdict is Verdict.YES:
                        return answer
                    undecided = undecided or answer.verdict is Verdict.UNDECIDED
        except (TooManyPaths, TooManyOptions):
            undecided = True
        return Answer(Verdict.UNDECIDED if undecided else Verdict.NO)

    def _reaches(self, path: Path, item: Sum, freedom: Freedom) -> Answer:
        solver = self._space.path_solver(path, frozenset(freedom.truths))
        guards: list[Value] = []
        demand = free_amount(path.elaborated.root, item, freedom, "low", guards)
        reached = apply(">", apply("+", demand, self._space.background(item)), item.capacity)
        solver.add(process_of(path.elaborated.root, item.starter).condition)
        verdict = Verdict.NO
        for conditions in stands(freedom, item, reached, guards):
            answer = solver.check(*conditions)
            if answer is Verdict.YES:
                break
            verdict = Verdict.UNDECIDED if answer is Verdict.UNDECIDED else verdict
        else:
            return Answer(verdict)
        witness = self._plainest(self._space.read(solver), item)
        shown = self._shows(witness, item)
        return Answer(Verdict.YES if shown else Verdict.UNDECIDED, witness, self._space.assessed(witness))

    def _plainest(self, witness: Configuration, item: Sum) -> Configuration:
        """The witness with each knob as it is today where that does as well, else with its least value."""
        for one in self._space.knobs:
            values = one.domain() if one.foreign else (one.current, *one.domain())
            for value in values:
                other = {**witness, one.id: value}
                if value == witness[one.id] or self._shows(other, item):
                    witness = other
                    break
        return witness

    def _shows(self, configuration: Configuration, item: Sum) -> bool:
        """Whether a configuration certainly over-commits the resource of a sum."""
        assessment = self._space.assessed(configuration)
        return assessment is not None and any(
            finding.kind is Kind.OVERCOMMIT
            and finding.certain
            and finding.resource == item.resource.qualified
            for finding in assessment.findings
        )


def free_amount(root: Process, item: Sum, freedom: Freedom, bound: Bound, guards: list[Value]) -> Value:
    """What any placement at all asks for of a sum; what binds the placement is left in `guards`."""
    process = process_of(root, item.starter)
    shot = snapshot(process, freedom.placements, guards=guards, some=False)
    return amount(shot, item.measure(bound))


def stands(freedom: Freedom, item: Sum, reached: Value, guards: Sequence[Value]) -> Iterator[list[Value]]:
    """Where the one executor of a process can stand, statement by statement: what then reaches the capacity.

    Each is a list of conditions that must hold together, much simpler than all of them at once; those that
    the bounds of the knobs rule out are left out.
    """
    placement = freedom.placements.get(item.starter or "")
    names = placement.counts if isinstance(placement, Spread) else ()
    for here in names or (None,):
        counts: dict[str, Plain] = {name: 1 if name == here else 0 for name in names}
        memo: dict[int, Value] = {}
        conditions = [settle(one, counts, memo) for one in (reached, *guards, *freedom.guards)]
        if not any(one is False for one in conditions):
            yield [one for one in conditions if one is not True]
