"""The configurations of one shape that have no finding, component by component.

What can be wrong is known as conditions on the knobs wherever stances are closed (`lpcl.compose.stances`).
Where they are open, the solver proposes settings, `assess` finds what is wrong with them, and what that
teaches becomes a further condition, until a proposal is right or none is left.
See `docs/decisions/0005-questions.md`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from lpcl.compose.alternatives import Figure, shape_of
from lpcl.compose.assess import Assessment
from lpcl.compose.components import Component, Components, Entangled
from lpcl.compose.knobs import Configuration, Setting, assignment, differs
from lpcl.compose.lessons import Learnt, Lessons
from lpcl.compose.meaning import number, peak
from lpcl.compose.measures import CpuMeasure
from lpcl.compose.paths import Path
from lpcl.compose.placement import amount, snapshot
from lpcl.compose.solver import Solver, Verdict
from lpcl.compose.space import Space
from lpcl.compose.stances import stances
from lpcl.compose.suspects import Suspect, Suspects
from lpcl.compose.terms import (
    Term,
    Value,
    apply,
    choose,
    conjunction,
    holds,
    knob,
    largest,
    negation,
    settle,
    total,
    truth,
)

MOST_PROPOSALS = 2_000
AT_WORK = CpuMeasure("low", spinning=False)

Settings = Mapping[str, Setting]
"""What the knobs of one component are set to, by their ids."""


class Search:
    """The right configurations of one shape, `whole` where its components are not told apart.

    `shape` is its figures as terms, and `learnt` what assessments have taught. Its methods raise `Entangled`
    where components do not suffice.
    """

    def __init__(self, space: Space, path: Path, *, whole: bool = False) -> None:
        self.space = space
        self.path = path
        self.whole = whole
        self.shape: tuple[Figure, ...] = shape_of(path.elaborated.root)
        self.learnt: list[Learnt] = []
        self.undecided = False
        self.lessons = Lessons(space, path)
        self._base: dict[str, Setting] | None = None
        self._beside: Solver | None = None
        required = (*path.conditions, *path.elaborated.requirements)
        self.suspects = tuple(
            one for one in Suspects(path, space.sums_of(path), space.background) if one.alarm
        )
        self.components = Components(
            space.knobs, required, self.suspects, self._uses(), self.shape, whole=whole
        )
        self.parts = tuple(Part(self, one) for one in self.components.all)
        self.fixed = Part(self, self.components.fixed)
        self._part = {item.id: part for part in self.parts for item in part.component.knobs}

    def _uses(self) -> Iterator[tuple[Value, Sequence[Value]]]:
        """The CPUs at work in each way to stand, with what binds an open placement."""
        root = self.path.elaborated.root
        for stance in stances(root, "use "):
            guards: list[Value] = list(stance.guards)
            shot = snapshot(root, stance.placements, guards=guards, some=False)
            use = amount(shot, AT_WORK)
            if stance.closed:
                use, guards = choose(conjunction(*guards), use, 0), []
            yield use, [guard for guard in guards if guard is not True]

    def solver(self, component: Component) -> Solver:
        """A solver of the settings of a component that are accepted, right or not."""
        solver = self.space.solver(component.truths, component.knobs, self._beside)
        self._beside = self._beside or solver
        for condition in (*component.required, *component.guards):
            solver.add(condition)
        return solver

    def right(self) -> Configuration | Verdict:
        """A configuration without a finding; NO or UNDECIDED where none is known."""
        if self._base is not None:
            return self._base
        settings: dict[int, Settings] = {}
        for _ in range(MOST_PROPOSALS):
            if self.components.hopeless:
                return Verdict.NO
            for place, part in enumerate(self.parts):
                if place not in settings:
                    found = part.first()
                    if isinstance(found, Verdict):
                        return found
                    settings[place] = found
            candidate = self._merged(settings)
            assessment = self.space.assessed(candidate)
            if assessment is not None and not assessment.alarms:
                self._base = candidate
                return candidate
            changed = self.learn(candidate, assessment)
            settings = {n: mine for n, mine in settings.items() if self.parts[n] not in changed}
        self.undecided = True
        return Verdict.UNDECIDED

    def _merged(self, settings: Mapping[int, Settings]) -> dict[str, Setting]:
        together = {name: value for mine in settings.values() for name, value in mine.items()}
        return {item.id: together[item.id] for item in self.space.knobs}

    def beside(self, settings: Settings) -> Configuration:
        """A configuration with these settings of some components that is right elsewhere, if any is."""
        other = {one.id: one.domain()[0] if one.foreign else one.current for one in self.space.knobs}
        return {**(self._base or other), **settings}

    def learn(self, candidate: Configuration, assessment: Assessment | None) -> list[Part]:
        """Rule out what is wrong with a configuration, as generally as can be said; the parts that it
        concerns.
        """
        values = assignment(self.space.knobs, candidate)
        concerned: list[Part] = []
        if assessment is not None:
            elaborated = self.space.elaborated(candidate)
            for finding in assessment.alarms:
                for lesson in self.lessons.conditions(finding, elaborated):
                    if lesson.condition is True:
                        continue
                    self.learnt.append(lesson)
                    ruled_out = truth(lesson.condition, values) is False
                    if lesson.condition is False:
                        self.components.hopeless = True
                    elif (component := self.components.of(lesson.condition)) is not None:
                        part = self._part[component.knobs[0].id]
                        part.add(lesson.condition)
                        concerned += [part] if ruled_out and part not in concerned else []
        if not concerned and not self.components.hopeless:
            if not self.whole:
                raise Entangled
            for part in self.parts:
                part.add(negation(conjunction(*(apply("==", knob(name), v) for name, v in values.items()))))
            self.components.hopeless = not self.parts
            return list(self.parts)
        return concerned

    # -------------------------------------------------------------- the constraints of a plan

    def constraints(self) -> bool:
        """Learn all that keeps anything from being over-committed; False where the work did not suffice."""
        self.right()
        if self.components.hopeless:
            self.learnt.append(Learnt(False, "something is wrong whatever is set", None))
        complete = True
        by_component: dict[int, list[Suspect]] = {}
        for suspect in self.suspects:
            component = self.components.of(*suspect.conditions)
            if component is not None:
                by_component.setdefault(id(component), []).append(suspect)
        for part in self.parts:
            mine = by_component.get(id(part.component), [])
            solver = self.solver(part.component)
            for suspect in mine:
                if suspect.closed and solver.check(suspect.happens) is not Verdict.NO:
                    condition = negation(suspect.happens)
                    self.learnt.append(Learnt(condition, suspect.text, suspect.resource))
                    solver.add(condition)
            for suspect in mine:
                if not suspect.closed and suspect.resource is not None and not self.components.hopeless:
                    complete = part.rule_out(suspect) and complete
        return complete


class Part:
    """One component of a shape while it is searched."""

    def __init__(self, search: Search, component: Component) -> None:
        self.component = component
        self.changes = total([differs(item) for item in component.knobs])
        self.use: Value = largest([0, *component.uses])
        self.sure = component.closed and not search.whole
        self._search = search
        self._conditions = [negation(one.happens) for one in component.suspects if one.closed]
        self._solver: Solver | None = None

    @property
    def today(self) -> Settings:
        """What is set at present."""
        return {item.id: item.current for item in self.component.knobs}

    def of(self, configuration: Configuration) -> Settings:
        """Its share of a configuration."""
        return {item.id: configuration[item.id] for item in self.component.knobs}

    def add(self, condition: Value) -> None:
        """From now on only settings that meet it are right."""
        self._conditions.append(condition)
        if self._solver is not None:
            self._solver.add(condition)

    def _asked(self) -> Solver:
        if self._solver is None:
            self._solver = self._search.solver(self.component)
            for condition in self._conditions:
                self._solver.add(condition)
        return self._solver

    def accepts(self, settings: Settings) -> bool:
        """Whether the application has this shape under settings, and none of their values is refused."""
        values = assignment(self.component.knobs, settings)
        return all(holds(condition, values) for condition in self.component.required)

    def meets(self, settings: Settings, *wanted: Value) -> bool:
        """Whether nothing that is known is wrong with settings, and they are as wanted."""
        values = assignment(self.component.knobs, settings)
        conditions = (*self.component.required, *self._conditions, *wanted)
        known: dict[Term, Value] = {}
        return all(holds(condition, values, known) for condition in conditions)

    def first(self) -> Settings | Verdict:
        """Settings that are right as far as is known, today's where these are."""
        if not any(item.foreign for item in self.component.knobs) and self.meets(self.today):
            return self.today
        return self._proposed()

    def _proposed(self, *wanted: Value) -> Settings | Verdict:
        verdict = self._asked().check(*wanted)
        if verdict is Verdict.YES:
            return self._search.space.read(self._asked(), self.component.knobs)
        self._search.undecided = self._search.undecided or verdict is Verdict.UNDECIDED
        return verdict

    def propose(self, *wanted: Value) -> Settings | Verdict:
        """Right settings that are also as `wanted`; NO or UNDECIDED where none are known."""
        for _ in range(MOST_PROPOSALS):
            found = self._proposed(*wanted)
            if isinstance(found, Verdict) or self.right(found):
                return found
            candidate = self._search.beside(found)
            self._search.learn(candidate, self._search.space.assessed(candidate))
        self._search.undecided = True
        return Verdict.UNDECIDED

    def right(self, settings: Settings) -> bool:
        """Whether settings lead to this shape and have no finding, with what is right elsewhere."""
        if self.sure:
            return self.meets(settings)
        if not self.accepts(settings):
            return False
        assessment = self._search.space.assessed(self._search.beside(settings))
        return assessment is not None and not assessment.alarms

    def used(self, settings: Settings) -> int:
        """The CPUs that settings have at work, those at work elsewhere among them where that is open."""
        if self.sure:
            use = settle(self.use, assignment(self.component.knobs, settings))
            return math.floor(number(use))
        tree = self._search.space.elaborated(self._search.beside(settings))
        return math.floor(peak(tree.root, AT_WORK).amount)

    def carries(self, settings: Settings, use: int) -> bool:
        """Whether settings have so many CPUs at work by themselves."""
        reached = apply(">=", self.use, use)
        if isinstance(reached, bool):
            return reached
        values = assignment(self.component.knobs, settings)
        settled = settle(reached, values)
        if isinstance(settled, bool):
            return settled
        same = (apply("==", knob(name), value) for name, value in values.items())
        return self._search.solver(self.component).check(reached, *same) is Verdict.YES

    def rule_out(self, suspect: Suspect) -> bool:
        """Learn until nothing shows a suspect any more; False where the work did not suffice."""
        for _ in range(MOST_PROPOSALS):
            found = self._proposed(*suspect.conditions)
            if isinstance(found, Verdict):
                return found is Verdict.NO
            candidate = self._search.beside(found)
            concerned = self._search.learn(candidate, self._search.space.assessed(candidate))
            if self._search.components.hopeless:
                return True
            if self not in concerned:
                raise Entangled
        return False
