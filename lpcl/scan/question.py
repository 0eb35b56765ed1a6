"""What a search for an explanation starts from, and what comes of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from lpcl.model.contracts import Contract
from lpcl.scan.evaluation import Around, Evaluator, Predicted
from lpcl.scan.grouping import Group, Seen
from lpcl.scan.program_text import ProgramText
from lpcl.scan.recognition import UNKNOWN, Key
from lpcl.scan.steps import AnyStep, Step
from lpcl.syntax import nodes

WAIT, COMPUTE = Step("system.wait"), Step("system.compute")


@dataclass(frozen=True)
class Explained:
    """A kind of process with the steps that explain it, what is predicted then, and what else would do so.

    `others` are operations that would explain the threads of a step as well, by that step's operation.
    `unexplained` is how many threads more were seen than any contract accounts for, by whose they are.
    """

    group: Group
    before: tuple[AnyStep, ...]
    work: tuple[AnyStep, ...]
    starts: tuple[Step, ...]
    children: tuple[Explained, ...]
    predicted: Predicted
    others: Mapping[str, tuple[str, ...]]
    unexplained: Mapping[Key, int]
    reasons: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Source:
    """What a kind of process can do: the contracts that speak about it, by the names that operations are
    called by.
    """

    loads: tuple[str, ...]
    contracts: Mapping[str, Contract]
    ambient: frozenset[str]
    text: ProgramText


@dataclass(frozen=True, eq=False)
class Question:
    """A kind of process that wants an explanation: what was seen of it, and what there is to explain it with.

    `around` is what starts it, the outermost first; `inherited` are the libraries that a fork gave it.
    """

    group: Group
    evaluator: Evaluator
    source: Source
    around: tuple[Around, ...]
    inherited: frozenset[str]

    def predict(self, steps: tuple[AnyStep, ...]) -> Predicted | None:
        """What is predicted of the process where it carries out some steps; None for nonsense."""
        found = self.evaluator.predict(steps, self.around)
        return _as_mapped(found[0], self.group.mapped) if found else None

    def loads(self) -> tuple[Step, ...]:
        """The libraries that the process has loaded; those that a fork gave it are there without that."""
        return tuple(Step(f"{name}.load") for name in self.source.loads if name not in self.inherited)

    def hint(self, name: str, operation: nodes.Operation) -> int:
        """How much of what an operation is called by stands in the program's text."""
        names = self.source.text.names
        lowered = {item.lower() for item in names}
        words = set(re.findall(r"[A-Za-z_]*[A-Z_][A-Za-z_]*[a-z]\w*", operation.doc or ""))
        score = 2 * len(words & names) + (operation.name.text.replace("_", "") in lowered)
        parts = operation.name.text.split("_")
        if not self.group.python:  # what a program does may be the first word after its name
            score += 2 * (operation.name.text in self.group.process.command[1:3])
        return score + sum(part in lowered for part in parts if len(part) > 3) + (name in names)


def mismatch(seen: Seen, predicted: Predicted) -> int:
    """By how many threads a prediction and what was seen differ, runtime by runtime.

    Threads whose owner is not known stand for any that are missing.
    """
    unknown = seen.counts.get(UNKNOWN, 0)
    difference = 0
    for key in {*seen.counts, *predicted.counts} - {UNKNOWN}:
        gap = predicted.counts.get(key, 0) - seen.counts.get(key, 0)
        if gap > 0:
            taken = min(gap, unknown)
            unknown -= taken
            gap -= taken
        difference += abs(gap)
    return difference + unknown


def _as_mapped(predicted: Predicted, mapped: frozenset[Key]) -> Predicted:
    """A prediction for the copies of runtimes that are really there.

    A library that carries a runtime for itself gets another one's copy where that is loaded already under
    the same name: what is predicted for its own is then that one's.
    """
    copies: dict[str, set[Key]] = {}
    for key in mapped:
        copies.setdefault(key[0], set()).add(key)

    def real(key: Key) -> Key:
        there = copies.get(key[0], set())
        return next(iter(there)) if len(there) == 1 and key not in there else key

    counts: dict[Key, int] = {}
    for key, number in predicted.counts.items():
        counts[real(key)] = counts.get(real(key), 0) + number
    return replace(predicted, counts=counts, used=frozenset(map(real, predicted.used)))
