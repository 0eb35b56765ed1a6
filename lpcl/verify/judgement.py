"""Holds what an experiment reported against what its contract expects."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import Enum

from lpcl.compose.evaluate import evaluate
from lpcl.compose.refusal import Refusal
from lpcl.compose.terms import Value
from lpcl.model.host import HostFacts
from lpcl.model.program import SourceFile
from lpcl.model.promises import OWN, PREDICTED
from lpcl.syntax import nodes
from lpcl.verify.experiments import Experiment, Setup, Trial
from lpcl.verify.laboratory import Observation
from lpcl.verify.names import Names
from lpcl.verify.promises import Promises
from lpcl.verify.values import shown

_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")


class Verdict(Enum):
    """What came of a run, and of an experiment.

    `REFUTED`: what was seen contradicts an expectation. `FAILED`: nothing that was seen does, but the code
    could not do its work: it cannot be read, it ended badly or not at all, or it did not report what is
    expected. `UNSTEADY`: it did not hold, and did when it was made once more.
    """

    PROVED = "proved"
    REFUTED = "refuted"
    FAILED = "failed"
    UNSTEADY = "unsteady"
    NOT_TRIED = "not tried"


WRONG = (Verdict.REFUTED, Verdict.FAILED)
"""What a run that did not hold comes to; such a run is made once more before it is believed."""


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of an expectation, and its value."""

    text: str
    value: Value


@dataclass(frozen=True, slots=True)
class Expectation:
    """An `expect` and what came of it.

    `holds` is None where it could not be evaluated, for the reason in `fault`; `unheard` where that is that
    something was not reported. `left` and `right` are the
    sides of a comparison; of any other expectation, `parts` are the names in it.
    """

    text: str
    line: int
    holds: bool | None
    left: Part | None = None
    right: Part | None = None
    parts: tuple[Part, ...] = ()
    fault: str | None = None
    unheard: bool = False


@dataclass(frozen=True, slots=True)
class Attempt:
    """One run that was made, or could not be: what was seen, and what came of its expectations.

    `reason` says why it was not made, or what was wrong besides expectations that do not hold. `earlier` is
    the run that did not hold, where this is the second one; `verdict` is then what the two come to.
    """

    trial: Trial
    verdict: Verdict
    reason: str | None = None
    expectations: tuple[Expectation, ...] = ()
    observation: Observation | None = None
    earlier: Attempt | None = None

    @property
    def runs(self) -> tuple[Attempt, ...]:
        """This run, after the earlier one if there is one."""
        return (self,) if self.earlier is None else (self.earlier, self)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of an experiment: of the runs that it consists of, or why it has none.

    It is refuted where one of them is, else failed where one of them failed, else unsteady where one of them
    is, else proved where at least one is. `proves` are the clauses of the contract that it would have
    refuted, had they said something else.
    """

    experiment: Experiment
    verdict: Verdict
    reason: str | None = None
    attempts: tuple[Attempt, ...] = ()
    proves: tuple[str, ...] = ()

    @property
    def expectations(self) -> tuple[Expectation, ...]:
        """The expectations of all runs, in order."""
        return tuple(item for attempt in self.attempts for item in attempt.expectations)

    @property
    def seconds(self) -> float | None:
        """How long its runs took together; None where there was none."""
        runs = [run for attempt in self.attempts for run in attempt.runs]
        seen = [run.observation.seconds for run in runs if run.observation is not None]
        return sum(seen) if seen else None


def without_trial(experiment: Experiment) -> Outcome | None:
    """The outcome of an experiment that cannot be carried out; None for one that can."""
    if experiment.obstacle is not None:
        return Outcome(experiment, Verdict.NOT_TRIED, experiment.obstacle)
    if experiment.fault is not None:
        return Outcome(experiment, Verdict.FAILED, f"the evidence is faulty: {experiment.fault}")
    return None


def judge(experiment: Experiment, observations: Sequence[Observation | None], host: HostFacts) -> Outcome:
    """The outcome of an experiment, given what was seen of each of its runs, None for one that was not made.

    A run has to end by itself with exit code 0, unless its expectations speak of `exit_code` or `timed_out`.
    """
    attempts = tuple(
        _attempt(experiment, trial, observation, host)
        for trial, observation in zip(experiment.trials, observations, strict=True)
    )
    return _together(experiment, attempts)


def _together(experiment: Experiment, attempts: tuple[Attempt, ...]) -> Outcome:
    verdicts = {attempt.verdict for attempt in attempts}
    order = (*WRONG, Verdict.UNSTEADY, Verdict.PROVED, Verdict.NOT_TRIED)
    verdict = next(item for item in order if item in verdicts)
    shared = attempts[0].reason if len(attempts) == 1 or verdict is Verdict.NOT_TRIED else None
    return Outcome(experiment, verdict, shared, attempts)


def once_more(first: Outcome, second: Outcome) -> Outcome:
    """What an experiment comes to whose runs that did not hold were made once more.

    A run is refuted where it was both times, and unsteady where it held the second time. Where the two
    went wrong in different ways it has failed: nothing that was seen was seen again.
    """
    attempts = tuple(
        _agreed(one, other) if one.verdict in WRONG else one
        for one, other in zip(first.attempts, second.attempts, strict=True)
    )
    return _together(first.experiment, attempts)


def _agreed(first: Attempt, second: Attempt) -> Attempt:
    if second.verdict is Verdict.PROVED:
        verdict = Verdict.UNSTEADY
    else:
        verdict = first.verdict if second.verdict is first.verdict else Verdict.FAILED
    return replace(second, verdict=verdict, earlier=first)


def _attempt(
    experiment: Experiment, trial: Trial, observation: Observation | None, host: HostFacts
) -> Attempt:
    if observation is None or trial.setup is None:
        return Attempt(trial, Verdict.NOT_TRIED, trial.obstacle)
    if observation.failure is not None:
        return Attempt(trial, Verdict.NOT_TRIED, observation.failure, observation=observation)
    names = names_of(experiment, trial, observation, host)
    expectations = tuple(expectation(item, names.file, names) for item in trial.expectations)
    reason = observation.fault or _bad_end(trial, trial.setup, observation)
    if any(not item.holds and not item.unheard for item in expectations):
        verdict = Verdict.REFUTED
    elif reason is not None or not all(item.holds for item in expectations):
        verdict = Verdict.FAILED
    else:
        verdict = Verdict.PROVED
    return Attempt(trial, verdict, reason, expectations, observation)


def names_of(experiment: Experiment, trial: Trial, observation: Observation | None, host: HostFacts) -> Names:
    """What names mean in the expectations of a run; without an observation nothing was reported."""
    setup, file = trial.setup, experiment.clause.file
    assert setup is not None
    reported: dict[str, Value] = {}
    if observation is not None:
        ended = {"exit_code": observation.exit_code, "timed_out": observation.timed_out}
        reported = {**observation.reported, **ended}
    promises = Promises(
        experiment.program,
        experiment.contract,
        experiment.clause,
        file,
        setup.machine,
        setup.variables,
        setup.calls,
        setup.lets,
    )
    return Names(file, setup.machine, host, reported, setup.lets, promises)


def _bad_end(trial: Trial, setup: Setup, observation: Observation) -> str | None:
    """How the run ended, where that is not as it should."""
    named = {
        node.path for item in trial.expectations for node in item.walk() if isinstance(node, nodes.Reference)
    }
    if observation.timed_out:
        took = f"it took longer than {shown(setup.seconds)} s and was ended"
        return None if "timed_out" in named else took
    if observation.exit_code == 0 or "exit_code" in named:
        return None
    return f"it ended with {_ending(observation.exit_code)}"


def _ending(exit_code: int) -> str:
    if exit_code >= 0:
        return f"exit code {exit_code}"
    known = {item.value: item.name for item in signal.Signals}
    return f"signal {known.get(-exit_code, -exit_code)}"


def expectation(node: nodes.ExpectValue, file: SourceFile, names: Names) -> Expectation:
    """What comes of an `expect` with what names mean in a run."""
    condition = node.condition
    text, line = _text(condition, file), file.line(condition.span.start)
    try:
        holds = evaluate(condition, names)
        left = right = None
        if isinstance(condition, nodes.Binary) and condition.op in _COMPARISONS:
            left, right = (_part(side, file, names) for side in (condition.left, condition.right))
        parts = tuple(_parts(condition, file, names)) if left is None else ()
    except Refusal as refusal:
        told = refusal.diagnostic
        return Expectation(text, line, None, fault=told.headline, unheard=told.code == "unknown-name")
    fault = None
    if not isinstance(holds, bool):
        fault = f"it is {shown(holds)}, which is neither true nor false"
    elif left is not None and right is not None and _kind(left.value) != _kind(right.value):
        fault = f"{_kind(left.value)} is compared with {_kind(right.value)}"
    known = holds if isinstance(holds, bool) and fault is None else None
    return Expectation(text, line, known, left, right, parts, fault)


def _parts(condition: nodes.Expression, file: SourceFile, names: Names) -> Iterator[Part]:
    """The names in a condition that have a value, each once."""
    seen: Mapping[str, nodes.Reference] = {
        node.path: node for node in condition.walk() if isinstance(node, nodes.Reference)
    }
    for path, node in seen.items():
        if path in (names.reported or {}) or path.startswith(("machine.", f"{OWN}.", f"{PREDICTED}.")):
            with suppress(Refusal):  # what a condition does not come to need not have a value
                yield _part(node, file, names)


def _part(expression: nodes.Expression, file: SourceFile, names: Names) -> Part:
    return Part(_text(expression, file), evaluate(expression, names))


def _kind(value: Value) -> str:
    if isinstance(value, bool):
        return "a truth"
    return "a text" if isinstance(value, str) else "a number"


def _text(node: nodes.Node, file: SourceFile) -> str:
    return " ".join(file.text[node.span.start : node.span.end].split())
