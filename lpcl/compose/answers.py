"""Everything that `lpclc compose` tells about an application, gathered once for every form of output."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from lpcl.compose.advice import NotEnough, is_large, not_enough, with_others, without_idle_changes
from lpcl.compose.alternatives import Alternative
from lpcl.compose.amends import Amended, amended, sufficient
from lpcl.compose.composition import Composition
from lpcl.compose.findings import Finding, Remedy
from lpcl.compose.questions import MOST_ALTERNATIVES
from lpcl.compose.solver import Verdict
from lpcl.compose.terms import Term
from lpcl.compose.witness import Answer
from lpcl.diagnostics.diagnostic import Severity

MOST_AT_WORK = Fraction(3, 4)
"""The share of the CPUs from which on what can be set uses them well enough."""


@dataclass(frozen=True)
class Answers:
    """As it stands; whether it can be avoided and how; and of what is fine today, whether it could go wrong.

    `can_happen` holds, for each resource that is not over-committed today, the answer to whether some
    configuration would do so. `alternatives` are the configurations that would be right, and `decided` is
    what is known of them: yes, no (there is none), or undecided. `not_enough` are settings that the findings
    rest on and that do not remove them, `amended` what would have to change in the program or on the machine
    where nothing that can be set is enough, and `sufficient` such changes where something is, but leaves many
    CPUs idle, or gives way to a limit that could be raised. There are `more` alternatives
    than those.
    """

    composition: Composition
    alternatives: tuple[Alternative, ...]
    decided: Verdict
    can_happen: tuple[tuple[str, Answer], ...]
    not_enough: tuple[NotEnough, ...] = ()
    amended: tuple[Amended, ...] = ()
    sufficient: tuple[Remedy, ...] = ()
    more: bool = False

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
    every, decided = composition.questions.alternatives(MOST_ALTERNATIVES + 1)
    every = without_idle_changes(every)
    found = with_others(composition, every[:MOST_ALTERNATIVES])
    futile = not_enough(composition, found)
    small = not is_large(composition)
    return Answers(
        composition,
        found,
        decided,
        happenings(composition),
        futile,
        amended(composition) if decided is Verdict.NO and small else (),
        _sufficient(composition, found) if found and small else (),
        more=len(every) > len(found),
    )


def _sufficient(composition: Composition, found: tuple[Alternative, ...]) -> tuple[Remedy, ...]:
    cpus, used = composition.machine.fact("cpus"), found[0].cpu
    if cpus is None or isinstance(cpus, str | Term):
        return ()
    return sufficient(composition, used if used < cpus * MOST_AT_WORK else None)


def happenings(composition: Composition) -> tuple[tuple[str, Answer], ...]:
    """For each resource without a finding as it stands, whether some setting would over-commit it."""
    if not composition.questions.knobs:
        return ()
    assessment = composition.assessment
    wrong = {finding.resource for finding in assessment.findings}
    asked = dict.fromkeys(demanded.sum.resource.qualified for demanded in assessment.demands)
    return tuple((name, composition.questions.can_happen(name)) for name in asked if name not in wrong)
