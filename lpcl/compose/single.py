"""Some of the questions about a composition, and no others: each is answered only where it is asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lpcl.compose.advice import with_others
from lpcl.compose.alternatives import Alternative
from lpcl.compose.answers import happenings
from lpcl.compose.composition import Composition
from lpcl.compose.findings import Finding
from lpcl.compose.solver import Verdict
from lpcl.compose.witness import Answer

QUESTIONS: Mapping[str, str] = {
    "stands": "what is wrong as it stands",
    "who": "who is in each finding",
    "happen": "whether what is fine today can go wrong",
    "avoid": "whether some setting has no finding",
    "right": "what would be right",
}
"""The names of the questions, and what each asks."""


@dataclass(frozen=True)
class Told:
    """The answers to the questions that were `asked`; what was not asked is empty.

    `could` holds, for each resource that is not over-committed today, whether some setting would do so.
    """

    composition: Composition
    asked: tuple[str, ...]
    could: tuple[tuple[str, Answer], ...] = ()
    avoidable: Answer | None = None
    right: tuple[Alternative, ...] = ()
    decided: Verdict | None = None

    @property
    def alarms(self) -> tuple[Finding, ...]:
        """The findings as it stands that are more than information."""
        return self.composition.assessment.alarms


def tell(composition: Composition, asked: Sequence[str]) -> Told:
    """The answers to some of `QUESTIONS`, each once, in their order."""
    chosen = tuple(name for name in QUESTIONS if name in asked)
    right, decided = composition.questions.alternatives() if "right" in chosen else ((), None)
    right = with_others(composition, right)
    return Told(
        composition,
        chosen,
        happenings(composition) if "happen" in chosen else (),
        composition.questions.avoidable() if "avoid" in chosen else None,
        right,
        decided,
    )
