"""What an experiment proves: the clauses of its contract that it would have refuted, had they said else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Protocol

from lpcl.compose.evaluate import evaluate
from lpcl.compose.refusal import Refusal
from lpcl.compose.terms import Value
from lpcl.model.contracts import Clause, Contract
from lpcl.model.host import HostFacts
from lpcl.model.program import Program
from lpcl.model.promises import OWN, PREDICTED
from lpcl.syntax import nodes
from lpcl.verify.experiments import Experiment, Trial
from lpcl.verify.judgement import Attempt, Outcome, Verdict, expectation, names_of
from lpcl.verify.lies import Lie, Told, lies, retold, told
from lpcl.verify.names import Names
from lpcl.verify.reading import Book, Place, differing, watched

_ITSELF = (f"{OWN}.", f"{PREDICTED}.")


def speaks_of_itself(trials: Iterable[Trial]) -> bool:
    """Whether an expectation compares with what the contract says, and not with figures alone."""
    return any(True for trial in trials for item in trial.expectations for _ in asked(item.condition))


def asked(expression: nodes.Expression) -> Iterator[nodes.Reference | nodes.Call]:
    """What an expectation asks of the contract."""
    for node in expression.walk():
        if isinstance(node, nodes.Reference | nodes.Call) and _path(node).startswith(_ITSELF):
            yield node


def _path(node: nodes.Reference | nodes.Call) -> str:
    return node.path if isinstance(node, nodes.Reference) else node.function


@dataclass(frozen=True)
class Witness:
    """A contract with all the lies about it, to weigh its experiments against."""

    program: Program
    contract: Contract
    _told: dict[int, Told] = field(default_factory=dict, repr=False)

    @cached_property
    def lies(self) -> tuple[Lie, ...]:
        """All lies about the contract, in its order."""
        return tuple(lies(self.contract))

    @cached_property
    def clauses(self) -> tuple[str, ...]:
        """The contract's clauses about which something else could be said, and its signals."""
        named = dict.fromkeys(lie.clause for lie in self.lies)
        return (*named, *(f"signal {name}" for name in self.contract.signals))

    def with_lie(self, experiment: Experiment, number: int) -> Experiment:
        """The same experiment about a contract that tells the lie of that number."""
        if number not in self._told:
            self._told[number] = told(self.program, self.contract, self.lies[number])
        return _about(self._told[number], experiment)

    def changed(
        self, experiment: Experiment, questions: Iterable[Question], host: HostFacts
    ) -> frozenset[int]:
        """The lies, by number, with which one of the questions has another answer than with the truth.

        Only the lies about what the true answer is read from are told.
        """
        book, truth = self._watched
        truthful, found = _about(truth, experiment), set[int]()
        for question in questions:
            book.turn()
            answer = question.answer(truthful, host)
            concerned = {number for place in book.turn() for number in self._concerned.get(place, ())}
            found.update(
                number
                for number in concerned - found
                if question.answer(self.with_lie(experiment, number), host) != answer
            )
        return frozenset(found)

    @cached_property
    def _watched(self) -> tuple[Book, Told]:
        book = Book()
        members = {id(lie.member): lie.member for lie in self.lies}
        return book, retold(
            self.program, self.contract, {key: watched(member, book) for key, member in members.items()}
        )

    @cached_property
    def _concerned(self) -> Mapping[Place, Sequence[int]]:
        """The lies by what they say otherwise."""
        found: dict[Place, list[int]] = {}
        for number, lie in enumerate(self.lies):
            for place in differing(lie.member, lie.instead):
                found.setdefault(place, []).append(number)
        return found


def _about(made: Told, experiment: Experiment) -> Experiment:
    """The same experiment about a contract that reads otherwise."""
    clause = experiment.clause
    moved = Clause(clause.node, made.files.get(clause.file, clause.file))
    return replace(experiment, program=made.program, contract=made.contract, clause=moved)


class Question(Protocol):
    """What an experiment wants to know of its contract."""

    def answer(self, experiment: Experiment, host: HostFacts) -> object:
        """The answer that the contract of an experiment gives."""
        ...


@dataclass(frozen=True, eq=False)
class Asked:
    """What the expectations of a run compare with: parts of an expectation that the contract gives values."""

    trial: Trial
    parts: tuple[nodes.Reference | nodes.Call, ...]

    def answer(self, experiment: Experiment, host: HostFacts) -> tuple[Value | None, ...]:
        """The values; None where it says nothing."""
        names = names_of(experiment, self.trial, None, host)
        return tuple(_value(part, names) for part in self.parts)


@dataclass(frozen=True, eq=False)
class Expected:
    """Whether an expectation holds in a run that was seen."""

    attempt: Attempt
    node: nodes.ExpectValue

    def answer(self, experiment: Experiment, host: HostFacts) -> bool:
        """Whether it does; an expectation that makes no sense does not."""
        names = names_of(experiment, self.attempt.trial, self.attempt.observation, host)
        return expectation(self.node, names.file, names).holds is True


def refuted(outcome: Outcome, witness: Witness, host: HostFacts) -> frozenset[int]:
    """The lies, by number, that a proved experiment refutes with what was seen of it."""
    experiment = outcome.experiment
    if outcome.verdict is not Verdict.PROVED or not speaks_of_itself(experiment.trials):
        return frozenset()
    questions = (
        Expected(attempt, node)
        for attempt in outcome.attempts
        if attempt.verdict is Verdict.PROVED
        for node in attempt.trial.expectations
    )
    return witness.changed(experiment, questions, host)


def noticed(experiment: Experiment, witness: Witness, host: HostFacts) -> frozenset[int]:
    """The lies, by number, that change a value with which the experiment compares; nothing is run."""
    if experiment.setup is None or not speaks_of_itself(experiment.trials):
        return frozenset()
    return witness.changed(experiment, _asked_in(experiment), host)


def _asked_in(experiment: Experiment) -> Iterator[Asked]:
    """What an experiment asks: run by run, what is predicted together, as that is composed but once."""
    for trial in experiment.trials:
        if trial.setup is None:
            continue
        every = [node for item in trial.expectations for node in asked(item.condition)]
        predicted = tuple(node for node in every if _path(node).startswith(f"{PREDICTED}."))
        yield from (Asked(trial, (node,)) for node in every if node not in predicted)
        if predicted:
            yield Asked(trial, predicted)


def _value(part: nodes.Reference | nodes.Call, names: Names) -> Value | None:
    try:
        return evaluate(part, names)
    except Refusal:
        return None


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
