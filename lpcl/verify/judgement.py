"""Holds what an experiment reported against what its contract expects."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum

from lpcl.compose.evaluate import evaluate
from lpcl.compose.refusal import Refusal
from lpcl.compose.terms import Value
from lpcl.model.host import HostFacts
from lpcl.model.program import SourceFile
from lpcl.syntax import nodes
from lpcl.verify.experiments import Experiment, Setup
from lpcl.verify.laboratory import Observation
from lpcl.verify.names import Names
from lpcl.verify.values import shown

_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")


class Verdict(Enum):
    """`REFUTED` is also what an experiment is that ended before it could show anything."""

    PROVED = "proved"
    REFUTED = "refuted"
    NOT_TRIED = "not tried"


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of an expectation, and its value."""

    text: str
    value: Value


@dataclass(frozen=True, slots=True)
class Expectation:
    """An `expect` and what came of it.

    `holds` is None where it could not be evaluated, for the reason in `fault`. `left` and `right` are the
    sides of a comparison; of any other expectation, `parts` are the names in it.
    """

    text: str
    line: int
    holds: bool | None
    left: Part | None = None
    right: Part | None = None
    parts: tuple[Part, ...] = ()
    fault: str | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of an experiment.

    `reason` says why it was not tried, or what was wrong besides expectations that do not hold. `observation`
    is None where it was not tried.
    """

    experiment: Experiment
    verdict: Verdict
    reason: str | None = None
    expectations: tuple[Expectation, ...] = ()
    observation: Observation | None = None


def without_trial(experiment: Experiment) -> Outcome | None:
    """The outcome of an experiment that cannot be carried out; None for one that can."""
    if experiment.obstacle is not None:
        return Outcome(experiment, Verdict.NOT_TRIED, experiment.obstacle)
    if experiment.fault is not None:
        return Outcome(experiment, Verdict.REFUTED, f"the evidence is faulty: {experiment.fault}")
    return None


def judge(experiment: Experiment, setup: Setup, observation: Observation, host: HostFacts) -> Outcome:
    """The outcome of an experiment that was carried out.

    It has to end by itself with exit code 0, unless its expectations speak of `exit_code` or `timed_out`.
    """
    if observation.failure is not None:
        return Outcome(experiment, Verdict.NOT_TRIED, observation.failure, observation=observation)
    reported: dict[str, Value] = {
        **observation.reported,
        "exit_code": observation.exit_code,
        "timed_out": observation.timed_out,
    }
    file = experiment.clause.file
    names = Names(file, setup.machine, host, reported)
    expectations = tuple(_expectation(item, file, names) for item in experiment.expectations)
    reason = observation.fault or _bad_end(experiment, setup, observation)
    holds = reason is None and all(item.holds for item in expectations)
    return Outcome(
        experiment, Verdict.PROVED if holds else Verdict.REFUTED, reason, expectations, observation
    )


def _bad_end(experiment: Experiment, setup: Setup, observation: Observation) -> str | None:
    """How the experiment ended, where that is not as it should."""
    named = {
        node.path
        for item in experiment.expectations
        for node in item.walk()
        if isinstance(node, nodes.Reference)
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


def _expectation(node: nodes.ExpectValue, file: SourceFile, names: Names) -> Expectation:
    condition = node.condition
    text, line = _text(condition, file), file.line(condition.span.start)
    try:
        holds = evaluate(condition, names)
        left = right = None
        if isinstance(condition, nodes.Binary) and condition.op in _COMPARISONS:
            left, right = (_part(side, file, names) for side in (condition.left, condition.right))
        parts = tuple(_parts(condition, file, names)) if left is None else ()
    except Refusal as refusal:
        return Expectation(text, line, None, fault=refusal.diagnostic.headline)
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
        if path in (names.reported or {}) or path.startswith("machine."):
            yield _part(node, file, names)


def _part(expression: nodes.Expression, file: SourceFile, names: Names) -> Part:
    return Part(_text(expression, file), evaluate(expression, names))


def _kind(value: Value) -> str:
    if isinstance(value, bool):
        return "a truth"
    return "a text" if isinstance(value, str) else "a number"


def _text(node: nodes.Node, file: SourceFile) -> str:
    return " ".join(file.text[node.span.start : node.span.end].split())
