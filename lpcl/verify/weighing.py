"""What an experiment proves: the clauses of its contract that it would have refuted, had they said else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from lpcl.compose.evaluate import evaluate
from lpcl.compose.refusal import Refusal
from lpcl.compose.terms import Value
from lpcl.model.contracts import Clause, Contract
from lpcl.model.host import HostFacts
from lpcl.model.program import Program
from lpcl.model.promises import OWN, PREDICTED
from lpcl.syntax import nodes
from lpcl.verify.experiments import Experiment, Trial
from lpcl.verify.judgement import Outcome, Verdict, judge, names_of
from lpcl.verify.lies import Lie, lies, told


def speaks_of_itself(trials: Iterable[Trial]) -> bool:
    """Whether an expectation compares with what the contract says, and not with figures alone."""
    return any(True for trial in trials for item in trial.expectations for _ in asked(item.condition))


def asked(expression: nodes.Expression) -> Iterator[nodes.Reference | nodes.Call]:
    """What an expectation asks of the contract."""
    for node in expression.walk():
        path = node.path if isinstance(node, nodes.Reference) else ""
        path = node.function if isinstance(node, nodes.Call) else path
        if path.startswith((f"{OWN}.", f"{PREDICTED}.")):
            yield node  # type: ignore[misc]


@dataclass(frozen=True)
class Witness:
    """A contract with all the lies about it, to weigh its experiments against."""

    program: Program
    contract: Contract

    @cached_property
    def lies(self) -> tuple[Lie, ...]:
        """All lies about the contract, in its order."""
        return tuple(lies(self.contract))

    @cached_property
    def clauses(self) -> tuple[str, ...]:
        """The contract's clauses about which something else could be said, and its signals."""
        named = dict.fromkeys(lie.clause for lie in self.lies)
        return (*named, *(f"signal {name}" for name in self.contract.signals))

    def with_lie(self, experiment: Experiment, lie: Lie) -> Experiment:
        """The same experiment about a contract that lies."""
        made = told(self.program, self.contract, lie)
        clause = experiment.clause
        moved = Clause(clause.node, made.files.get(clause.file, clause.file))
        return replace(experiment, program=made.program, contract=made.contract, clause=moved)


def refuted(outcome: Outcome, witness: Witness, host: HostFacts) -> frozenset[int]:
    """The lies, by number, that a proved experiment refutes with what was seen of it."""
    experiment = outcome.experiment
    if outcome.verdict is not Verdict.PROVED or not speaks_of_itself(experiment.trials):
        return frozenset()
    seen = [attempt.observation for attempt in outcome.attempts]
    return frozenset(
        number
        for number, lie in enumerate(witness.lies)
        if judge(witness.with_lie(experiment, lie), seen, host).verdict is Verdict.REFUTED
    )


def noticed(experiment: Experiment, witness: Witness, host: HostFacts) -> frozenset[int]:
    """The lies, by number, that change a value with which the experiment compares; nothing is run."""
    if experiment.setup is None or not speaks_of_itself(experiment.trials):
        return frozenset()
    truth = list(_values(experiment, host))
    return frozenset(
        number
        for number, lie in enumerate(witness.lies)
        if list(_values(witness.with_lie(experiment, lie), host)) != truth
    )


def _values(experiment: Experiment, host: HostFacts) -> Iterator[Value | None]:
    """What the contract says where an experiment asks it; None where it says nothing."""
    for trial in experiment.trials:
        if trial.setup is None:
            continue
        names = names_of(experiment, trial, None, host)
        for item in trial.expectations:
            for node in asked(item.condition):
                try:
                    yield evaluate(node, names)
                except Refusal:
                    yield None


def signals_of(outcomes: Iterable[Outcome], witness: Witness) -> tuple[str, ...]:
    """The signals that a proved experiment is about."""
    named = {
        ref.path
        for outcome in outcomes
        if outcome.verdict is Verdict.PROVED
        for ref in outcome.experiment.clause.node.subjects
    }
    return tuple(f"signal {name}" for name in witness.contract.signals if name in named)


def clauses_of(found: Iterable[int], witness: Witness) -> tuple[str, ...]:
    """The clauses of which every lie is among those found, in the contract's order."""
    numbers = frozenset(found)
    whole: dict[str, bool] = {}
    for number, lie in enumerate(witness.lies):
        whole[lie.clause] = whole.get(lie.clause, True) and number in numbers
    return tuple(clause for clause, complete in whole.items() if complete)
