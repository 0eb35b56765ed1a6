"""Says where the parts of a plan contradict each other: what no JSON Schema can see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction

from lpcl.plan.expressions import arity_problem, knobs_in
from lpcl.plan.model import Apply, Candidate, Expression, Knob, Plan, Range, Value

PRESENT = "now"
"""The name of the present configuration; no candidate may have it."""


def problems(plan: Plan) -> list[str]:
    """Everything that is wrong with a plan, the causes before their consequences; empty for a sound one."""
    return [
        *_doubled("knobs", [knob.id for knob in plan.knobs]),
        *_doubled("hypotheses", [hypothesis.id for hypothesis in plan.hypotheses]),
        *_doubled("candidates", [candidate.id for candidate in plan.candidates]),
        *(problem for knob in plan.knobs for problem in _knob(knob)),
        *_constraints(plan),
        *_candidates(plan),
        *_hypotheses(plan),
        *_command_and_objective(plan),
    ]


def value_problem(knob: Knob, value: Value | None) -> str | None:
    """Why a knob cannot have this value, or None where it can."""
    if value is None:
        return None if knob.allow_unset else "it cannot be left unset"
    if not _of_type(knob, value):
        return f"{value!s} is not of type {knob.type}"
    if isinstance(value, str) and "\0" in value:
        return "it holds a zero character"
    if isinstance(knob.domain, Range):
        if isinstance(value, bool | str):
            return None
        low, high = knob.domain.minimum, knob.domain.maximum
        if (low is not None and value < low) or (high is not None and value > high):
            return f"{value!s} is outside of {'' if low is None else low}..{'' if high is None else high}"
        return None
    if any(type(value) is type(allowed) and value == allowed for allowed in knob.domain.values):
        return None
    return f"{value!s} is not one of {', '.join(str(allowed) for allowed in knob.domain.values)}"


def _of_type(knob: Knob, value: Value) -> bool:
    if knob.type == "bool":
        return isinstance(value, bool)
    if knob.type == "string":
        return isinstance(value, str)
    if knob.type == "int":
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, int | Fraction) and not isinstance(value, bool)


def _doubled(where: str, ids: list[str]) -> Iterator[str]:
    for identifier, count in Counter(ids).items():
        if count > 1:
            yield f"{where}: {identifier!r} is there {count} times"


def _knob(knob: Knob) -> Iterator[str]:
    where = f"knob {knob.id!r}"
    if knob.kind == "control":
        if knob.apply is not None:
            yield f"{where}: a control is set inside the program: 'apply' must be null"
    elif knob.apply is None:
        yield f"{where}: 'apply' is missing"
    elif knob.kind == "argument" and knob.apply.count("{}") != 1:
        yield f"{where}: the argument template {knob.apply!r} must hold {{}} once"
    elif knob.kind == "env" and ("=" in knob.apply or "\0" in knob.apply or not knob.apply):
        yield f"{where}: {knob.apply!r} is not the name of an environment variable"
    if isinstance(knob.domain, Range):
        low, high = knob.domain.minimum, knob.domain.maximum
        if knob.type in ("bool", "string") and (low is not None or high is not None):
            yield f"{where}: a knob of type {knob.type} has no smallest or largest value"
        elif low is not None and high is not None and low > high:
            yield f"{where}: its domain {low}..{high} is empty"
    elif not knob.domain.values and not knob.allow_unset:
        yield f"{where}: it can have no value at all"
    # What an application runs with today is a fact, even where it is outside of the domain.
    if knob.current is not None and not _of_type(knob, knob.current):
        yield f"{where}: its current value {knob.current!s} is not of type {knob.type}"


def _constraints(plan: Plan) -> Iterator[str]:
    knobs = {knob.id for knob in plan.knobs}
    for index, constraint in enumerate(plan.constraints):
        where = f"constraints[{index}] ({constraint.text})"
        for knob in dict.fromkeys(knobs_in(constraint.expression)):
            if knob not in knobs:
                yield f"{where}: there is no knob {knob!r}"
        for problem in dict.fromkeys(_operators(constraint.expression)):
            yield f"{where}: {problem}"


def _operators(expression: Expression) -> Iterator[str]:
    waiting = [expression]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Apply):
            problem = arity_problem(node.op, len(node.args))
            if problem is not None:
                yield problem
            waiting.extend(reversed(node.args))


def _hypotheses(plan: Plan) -> Iterator[str]:
    candidates = {candidate.id for candidate in plan.candidates}
    for hypothesis in plan.hypotheses:
        for candidate in hypothesis.interventions:
            if candidate not in candidates:
                yield f"hypothesis {hypothesis.id!r}: there is no candidate {candidate!r}"


def _candidates(plan: Plan) -> Iterator[str]:
    knobs: Mapping[str, Knob] = {knob.id: knob for knob in plan.knobs}
    hypotheses = {hypothesis.id for hypothesis in plan.hypotheses}
    for candidate in plan.candidates:
        where = f"candidate {candidate.id!r}"
        if candidate.id == PRESENT:
            yield f"{where}: this name is kept for the present configuration"
        yield from _settings(where, candidate, knobs)
        for hypothesis in candidate.removes:
            if hypothesis not in hypotheses:
                yield f"{where}: there is no hypothesis {hypothesis!r}"


def _settings(where: str, candidate: Candidate, knobs: Mapping[str, Knob]) -> Iterator[str]:
    for knob_id, value in candidate.settings.items():
        if knob_id not in knobs:
            yield f"{where}: there is no knob {knob_id!r}"
            continue
        knob = knobs[knob_id]
        problem = None if value == knob.current else value_problem(knob, value)
        if problem is not None:
            yield f"{where}: knob {knob_id!r}: {problem}"


def _command_and_objective(plan: Plan) -> Iterator[str]:
    if plan.command is not None and not plan.command:
        yield "command: it is empty; null says that there is none"
    if plan.command is not None and any("\0" in part for part in plan.command):
        yield "command: it holds a zero character"
    objective = plan.objective
    if objective.kind == "time":
        if objective.pattern is not None:
            yield "objective: time has no pattern"
    elif objective.pattern is None:
        yield f"objective: {objective.kind} needs a pattern"
    elif objective.pattern.count("{}") != 1:
        yield f"objective: the pattern {objective.pattern!r} must hold {{}} once"
