"""The configurations of one shape that have no finding, asked for one at a time.

The solver proposes a configuration, `assess` finds what is wrong with it, and what that teaches becomes a
further condition, until a proposal is right or none is left. See `docs/decisions/0005-questions.md`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lpcl.compose.assess import Assessment
from lpcl.compose.free import Freedom
from lpcl.compose.knobs import Configuration, assignment
from lpcl.compose.lessons import Learnt, Lessons
from lpcl.compose.measures import CpuMeasure
from lpcl.compose.paths import Path
from lpcl.compose.placement import amount, snapshot
from lpcl.compose.solver import Verdict
from lpcl.compose.space import Space
from lpcl.compose.structure import Sequence as Statements
from lpcl.compose.terms import Value, apply, conjunction, knob, largest, negation, settle
from lpcl.compose.witness import free_amount, stands

MOST_PROPOSALS = 2_000


class Search:
    """Proposals of one shape. `use` is the CPUs at work at its busiest moment, as a term over the knobs."""

    def __init__(self, space: Space, path: Path) -> None:
        self.space = space
        self.path = path
        self.root = path.elaborated.root
        self.freedom = Freedom(self.root)
        self.parts = [
            (part, Freedom(part, f"{number}/"))
            for number, statement in enumerate(self.root.body.statements)
            for part in (replace(self.root, body=Statements((statement,))),)
        ]
        truths = [self.freedom.truths, *(freedom.truths for _, freedom in self.parts)]
        self.solver = space.path_solver(path, frozenset().union(*truths))
        self.undecided = False
        self.learnt: list[Learnt] = []
        self.lessons = Lessons(space, path)
        self.use = self._use()

    def _use(self) -> Value:
        """The CPUs at work at the busiest moment: one executor stands at one statement of the root."""
        found: list[Value] = [0]
        for part, freedom in self.parts:
            guards: list[Value] = list(freedom.guards)
            shot = snapshot(part, freedom.placements, guards=guards, some=False)
            found.append(amount(shot, CpuMeasure("low", spinning=False)))
            for guard in guards:
                self.solver.add(guard)
        return largest(found)

    def propose(self, *wanted: Value) -> Configuration | Verdict:
        """A configuration without a finding that also meets `wanted`; NO or UNDECIDED where none is known."""
        for _ in range(MOST_PROPOSALS):
            verdict = self.solver.check(*wanted)
            if verdict is not Verdict.YES:
                self.undecided = self.undecided or verdict is Verdict.UNDECIDED
                return verdict
            candidate = self.space.read(self.solver)
            assessment = self.space.assessed(candidate)
            if assessment is not None and not assessment.alarms:
                return candidate
            self._learn(candidate, assessment)
        self.undecided = True
        return Verdict.UNDECIDED

    def _learn(self, candidate: Configuration, assessment: Assessment | None) -> None:
        """Rule out what is wrong with a proposal, as generally as can be said, and the proposal in any
        case.
        """
        values = assignment(self.space.knobs, candidate)
        learnt = False
        if assessment is not None:
            elaborated = self.space.elaborated(candidate)
            for finding in assessment.alarms:
                for condition in self.lessons.conditions(finding, elaborated):
                    self.solver.add(condition)
                    self.learnt.append(Learnt(condition, finding))
                    learnt = learnt or settle(condition, values) is False
        if not learnt:
            same = [apply("==", knob(name), value) for name, value in values.items()]
            self.solver.add(negation(conjunction(*same)))

    def close(self) -> bool:
        """Learn until what is learnt rules out every over-commit of this shape; False where work did not
        suffice.
        """
        for item in self.lessons.sums.values():
            guards: list[Value] = []
            demand = free_amount(self.root, item, self.freedom, "high", guards)
            reached = apply(">", apply("+", demand, self.space.background(item)), item.capacity)
            for conditions in stands(self.freedom, item, reached, guards):
                if not self._ruled_out(conditions):
                    return False
        return True

    def _ruled_out(self, conditions: Sequence[Value]) -> bool:
        """Learn until nothing reaches it any more; False where the work did not suffice."""
        for _ in range(MOST_PROPOSALS):
            verdict = self.solver.check(*conditions)
            if verdict is not Verdict.YES:
                return verdict is Verdict.NO
            candidate = self.space.read(self.solver)
            self._learn(candidate, self.space.assessed(candidate))
        return False
