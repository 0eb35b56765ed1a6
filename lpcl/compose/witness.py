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
from lpcl.compose.suspects import Suspect, Suspects
from lpcl.compose.terms import Term, Value, holds


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
                suspects = Suspects(path, tuple(items), self._space.background)
                certain = {item: [one for one in suspects.of_sum(item) if one.key.certain] for item in items}
                shown = _Shown(
                    self._space, path, [one for some in certain.values() for one in some], resource
                )
                for item in items:
                    answer = self._reaches(path, certain[item], shown)
                    if answer.verdict is Verdict.YES:
                        return answer
                    undecided = undecided or answer.verdict is Verdict.UNDECIDED
        except (TooManyPaths, TooManyOptions):
            undecided = True
        return Answer(Verdict.UNDECIDED if undecided else Verdict.NO)

    def _reaches(self, path: Path, certain: Sequence[Suspect], shown: _Shown) -> Answer:
        required = (*path.conditions, *path.elaborated.requirements)
        components = Components(self._space.knobs, required, certain, (), ())
        if any(not one.knobs() for one in certain):  # some placement shows it, or none does, whatever is set
            return self._whole(path, certain, shown)
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
                    return shown.answer({**self._elsewhere(components, beside), **found})
                verdict = Verdict.UNDECIDED if answer is Verdict.UNDECIDED else verdict
        return Answer(verdict)

    def _elsewhere(self, components: Components, beside: Solver) -> dict[str, Setting]:
        """Settings that are accepted: today's, unless others must be chosen."""
        found: dict[str, Setting] = {}
        for component in components.all:
            today = {one.id: one.current for one in component.knobs}
            if not component.required:
                found.update(today)
                continue
            if not any(one.foreign for one in component.knobs):
                values = assignment(component.knobs, today)
                if all(holds(condition, values) for condition in component.required):
                    found.update(today)
                    continue
            solver = self._space.solver(frozenset(), component.knobs, beside)
            for condition in component.required:
                solver.add(condition)
            found.update(
                self._space.read(solver, component.knobs) if solver.check() is Verdict.YES else today
            )
        return found

    def _whole(self, path: Path, certain: Sequence[Suspect], shown: _Shown) -> Answer:
        truths: frozenset[str] = frozenset().union(*(one.truths for one in certain))
        solver = self._space.path_solver(path, truths)
        verdict = Verdict.NO
        for suspect in certain:
            answer = solver.check(*suspect.conditions)
            if answer is Verdict.YES:
                return shown.answer(self._space.read(solver))
            verdict = Verdict.UNDECIDED if answer is Verdict.UNDECIDED else verdict
        return Answer(verdict)


class _Shown:
    """Which configurations certainly over-commit a resource, by its suspects in a shape or assessed."""

    def __init__(self, space: Space, path: Path, certain: Sequence[Suspect], resource: str) -> None:
        self._space = space
        self._resource = resource
        self._required = (*path.conditions, *path.elaborated.requirements)
        self._suspects = certain
        self._closed = all(one.closed for one in certain)

    def answer(self, found: Configuration) -> Answer:
        """That it can happen, shown by the plainest configuration, which is assessed in any case."""
        witness = self._plainest(found)
        verdict = Verdict.YES if self._assessed(witness) else Verdict.UNDECIDED
        return Answer(verdict, witness, self._space.assessed(witness))

    def _plainest(self, witness: Configuration) -> Configuration:
        """The witness with each knob as it is today where that does as well, else with its least value."""
        before = None
        while before != witness:
            before = witness
            for one in self._space.knobs:
                values = one.domain() if one.foreign else (one.current, *one.domain())
                for value in values:
                    other = {**witness, one.id: value}
                    if value == witness[one.id] or self._shows(other):
                        witness = other
                        break
        return witness

    def _shows(self, configuration: Configuration) -> bool:
        """Whether a configuration certainly over-commits the resource."""
        values = assignment(self._space.knobs, configuration)
        known: dict[Term, Value] = {}

        def hold(conditions: Sequence[Value]) -> bool:
            return all(holds(one, values, known) for one in conditions)

        if not self._closed or not hold(self._required):
            return self._assessed(configuration)
        return any(hold(one.conditions) for one in self._suspects)

    def _assessed(self, configuration: Configuration) -> bool:
        assessment = self._space.assessed(configuration)
        return assessment is not None and any(
            finding.kind is Kind.OVERCOMMIT and finding.certain and finding.resource == self._resource
            for finding in assessment.findings
        )
