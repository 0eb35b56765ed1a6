"""Can it happen? A configuration that certainly over-commits a resource, or that there is none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lpcl.compose.assess import Assessment
from lpcl.compose.components import Components
from lpcl.compose.findings import Kind
from lpcl.compose.knobs import Configuration, Setting, assignment
from lpcl.compose.meaning import TooManyOptions
from lpcl.compose.paths import Path, TooManyPaths
from lpcl.compose.solver import Solver, Verdict
from lpcl.compose.space import Space
from lpcl.compose.sums import Sum
from lpcl.compose.suspects import Suspect, Suspects
from lpcl.compose.terms import settle


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
                items = [one for one in self._space.sums_of(path) if one.resource.qualified == resource]
                for item in items:
                    answer = self._reaches(path, item)
                    if answer.verdict is Verdict.YES:
                        return answer
                    undecided = undecided or answer.verdict is Verdict.UNDECIDED
        except (TooManyPaths, TooManyOptions):
            undecided = True
        return Answer(Verdict.UNDECIDED if undecided else Verdict.NO)

    def _reaches(self, path: Path, item: Sum) -> Answer:
        suspects = Suspects(path, (item,), self._space.background).of_sum(item)
        certain = [one for one in suspects if one.key.certain]
        required = (*path.conditions, *path.elaborated.requirements)
        components = Components(self._space.knobs, required, certain, (), ())
        if any(not one.knobs() for one in certain):  # some placement shows it, or none does, whatever is set
            return self._whole(path, item, certain)
        verdict = Verdict.NO
        beside: Solver | None = None
        for component in components.all:
            if not component.suspects:
                continue
            solver = self._space.solver(component.truths, component.knobs, beside)
            beside = beside or solver
            for condition in component.required:
                solver.add(condition)
            for suspect in component.suspects:
                answer = solver.check(*suspect.conditions)
                if answer is Verdict.YES:
                    found = self._space.read(solver, component.knobs)
                    return self._answer(item, {**self._elsewhere(components, beside), **found})
                verdict = Verdict.UNDECIDED if answer is Verdict.UNDECIDED else verdict
        return Answer(verdict)

    def _elsewhere(self, components: Components, beside: Solver) -> dict[str, Setting]:
        """Settings that are accepted: today's, unless others must be chosen."""
        found: dict[str, Setting] = {}
        for component in components.all:
            today = {one.id: one.current for one in component.knobs}
            values = assignment(component.knobs, today)
            if all(settle(condition, values) is True for condition in component.required):
                found.update(today)
                continue
            solver = self._space.solver(frozenset(), component.knobs, beside)
            for condition in component.required:
                solver.add(condition)
            found.update(
                self._space.read(solver, component.knobs) if solver.check() is Verdict.YES else today
            )
        return found

    def _whole(self, path: Path, item: Sum, certain: Sequence[Suspect]) -> Answer:
        truths: frozenset[str] = frozenset().union(*(one.truths for one in certain))
        solver = self._space.path_solver(path, truths)
        verdict = Verdict.NO
        for suspect in certain:
            answer = solver.check(*suspect.conditions)
            if answer is Verdict.YES:
                return self._answer(item, self._space.read(solver))
            verdict = Verdict.UNDECIDED if answer is Verdict.UNDECIDED else verdict
        return Answer(verdict)

    def _answer(self, item: Sum, found: Configuration) -> Answer:
        witness = self._plainest(found, item)
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
