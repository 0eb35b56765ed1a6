"""Everything that `lpclc compose` tells about an application, gathered once for every form of output."""

from __future__ import annotations

from dataclasses import dataclass

from lpcl.compose.alternatives import Alternative
from lpcl.compose.composition import Composition
from lpcl.compose.findings import Finding
from lpcl.compose.solver import Verdict
from lpcl.compose.witness import Answer
from lpcl.diagnostics.diagnostic import Severity


@dataclass(frozen=True)
class Answers:
    """As it stands; whether it can be avoided and how; and of what is fine today, whether it could go wrong.

    `can_happen` holds, for each resource that is not over-committed today, the answer to whether some
    configuration would do so. `alternatives` are the configurations that would be right, and `decided` is
    what is known of them: yes, no (there is none), or undecided.
    """

    composition: Composition
    alternatives: tuple[Alternative, ...]
    decided: Verdict
    can_happen: tuple[tuple[str, Answer], ...]

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The findings under the present configuration."""
        return self.composition.assessment.findings

    @property
    def alarms(self) -> tuple[Finding, ...]:
        """Those that are more than information."""
        return tuple(f for f in self.findings if f.severity is not Severity.INFO)


def answers(composition: Composition) -> Answers:
    """Ask all questions of one composition."""
    questions = composition.questions
    assessment = composition.assessment
    wrong = {finding.resource for finding in assessment.findings}
    could: list[tuple[str, Answer]] = []
    if questions.knobs:
        for item in dict.fromkeys(demanded.sum.resource for demanded in assessment.demands):
            if item.qualified not in wrong:
                could.append((item.qualified, questions.can_happen(item.qualified)))
    found, decided = questions.alternatives()
    return Answers(composition, found, decided, tuple(could))
