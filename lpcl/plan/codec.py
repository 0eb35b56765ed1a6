"""The plan as JSON and back; `plan.schema.json` beside this file describes the same shape."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any, cast

from lpcl.plan.expressions import MAX_DEPTH
from lpcl.plan.integrity import problems
from lpcl.plan.model import (
    PLAN_VERSION,
    ApplicationInfo,
    Apply,
    Candidate,
    Certainty,
    Choice,
    Constant,
    Constraint,
    ContractUse,
    Domain,
    Expression,
    Grade,
    Hypothesis,
    HypothesisKind,
    Knob,
    KnobKind,
    KnobRef,
    KnobType,
    MachineInfo,
    Number,
    Objective,
    ObjectiveKind,
    Participant,
    Plan,
    Range,
    Signal,
    Threshold,
    Value,
)
from lpcl.plan.reader import Json, PlanError, exact, number_to_json, value_to_json

KNOB_KINDS: tuple[KnobKind, ...] = ("env", "argument", "control")
KNOB_TYPES: tuple[KnobType, ...] = ("bool", "int", "real", "string")
HYPOTHESIS_KINDS: tuple[HypothesisKind, ...] = (
    "overcommit",
    "serialized",
    "hazard",
    "assumption",
    "underuse",
)
GRADES: tuple[Grade, ...] = ("collapse", "slow", "mild")
CERTAINTIES: tuple[Certainty, ...] = ("certain", "possible")
OBJECTIVE_KINDS: tuple[ObjectiveKind, ...] = ("time", "maximize", "minimize")


def plan_schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of the plan, as published in the package."""
    text = files("lpcl.plan").joinpath("plan.schema.json").read_text(encoding="utf-8")
    return cast(dict[str, Any], json.loads(text))


def load_plan(path: Path) -> Plan:
    """Reads a plan from a file. Raises PlanError where it cannot be read or is not a consistent plan."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise PlanError(f"{path}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise PlanError(f"{path}: not a plan: the file is not UTF-8 text") from None
    try:
        return plan_from_text(text)
    except PlanError as error:
        raise PlanError(f"{path}: {error}") from None


def plan_from_text(text: str) -> Plan:
    """The plan that a JSON text holds. Raises PlanError."""
    try:
        document = json.loads(text, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise PlanError(f"not JSON: line {error.lineno}, column {error.colno}: {error.msg}") from None
    except ValueError as error:
        raise PlanError(f"not JSON: {error}") from None
    except RecursionError:
        raise PlanError("not a plan: its values are nested too deeply") from None
    return plan_from_json(document)


def plan_from_json(document: object) -> Plan:
    """The plan that a decoded JSON document holds. Raises PlanError, also where parts of it disagree."""
    plan = _plan(Json(document, ""))
    found = problems(plan)
    if found:
        more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
        raise PlanError(found[0] + more)
    return plan


def plan_to_text(plan: Plan) -> str:
    """The plan as an indented JSON text with a final newline; the same plan gives the same bytes."""
    return json.dumps(plan_to_json(plan), indent=2, ensure_ascii=False) + "\n"


def plan_sha256(plan: Plan) -> str:
    """The digest by which results belong to a plan: of its JSON without spaces, keys sorted."""
    text = json.dumps(plan_to_json(plan), sort_keys=True, separators=(",", ":"))
    return sha256(text.encode("utf-8")).hexdigest()


def plan_to_json(plan: Plan) -> dict[str, Any]:
    """The plan as values that `json.dumps` takes; the order of the keys is fixed."""
    return {
        "lpcl_plan": plan.version,
        "application": _attributes(plan.application, "name", "package", "file", "sha256"),
        "machine": {
            "name": plan.machine.name,
            "facts": {name: number_to_json(fact) for name, fact in plan.machine.facts.items()},
        },
        "command": list(plan.command) if isinstance(plan.command, tuple) else plan.command,
        "objective": _attributes(plan.objective, "kind", "pattern"),
        "knobs": [_knob_to_json(knob) for knob in plan.knobs],
        "constraints": [
            {
                "resource": constraint.resource,
                "expression": expression_to_json(constraint.expression),
                "text": constraint.text,
            }
            for constraint in plan.constraints
        ],
        "hypotheses": [_hypothesis_to_json(hypothesis) for hypothesis in plan.hypotheses],
        "candidates": [_candidate_to_json(candidate) for candidate in plan.candidates],
        "signals": [_signal_to_json(signal) for signal in plan.signals],
        "contracts": [_attributes(use, "name", "origin", "version", "sha256") for use in plan.contracts],
    }


def expression_to_json(expression: Expression) -> Any:
    """An expression as JSON: a number, a truth value, or an object: `word`, `knob`, `op` with `args`."""
    if isinstance(expression, Constant):
        constant = value_to_json(expression.value)
        return {"word": constant} if isinstance(expression.value, str) else constant
    if isinstance(expression, KnobRef):
        return {"knob": expression.knob}
    return {"op": expression.op, "args": [expression_to_json(argument) for argument in expression.args]}


def expression_from_json(json_value: Json, depth: int = MAX_DEPTH) -> Expression:
    """The expression that a JSON value holds. Raises PlanError."""
    value = json_value.value
    if depth < 0:
        raise json_value.fail(f"operators are nested more than {MAX_DEPTH} deep")
    if isinstance(value, bool):
        return Constant(value)
    number = exact(value)
    if number is not None:
        return Constant(number)
    if not isinstance(value, dict):
        raise json_value.fail('an expression is expected: a whole number, "a/b", true, false or an object')
    if "knob" in value:
        return KnobRef(json_value.fields(frozenset({"knob"}))["knob"].word())
    if "word" in value:
        return Constant(json_value.fields(frozenset({"word"}))["word"].text())
    members = json_value.fields(frozenset({"op", "args"}))
    return Apply(
        members["op"].word(), members["args"].each(lambda item: expression_from_json(item, depth - 1))
    )


def _attributes(item: object, *names: str) -> dict[str, Any]:
    return {name: getattr(item, name) for name in names}


def _number_or_null(number: Number | None) -> int | str | None:
    return None if number is None else number_to_json(number)


def _knob_to_json(knob: Knob) -> dict[str, Any]:
    domain: dict[str, Any]
    if isinstance(knob.domain, Range):
        domain = {"min": _number_or_null(knob.domain.minimum), "max": _number_or_null(knob.domain.maximum)}
    else:
        domain = {"values": [value_to_json(value) for value in knob.domain.values]}
    return {
        "id": knob.id,
        "kind": knob.kind,
        "apply": knob.apply,
        "type": knob.type,
        "domain": domain,
        "allow_unset": knob.allow_unset,
        "current": value_to_json(knob.current),
        "note": knob.note,
    }


def _signal_to_json(signal: Signal) -> dict[str, Any]:
    threshold = signal.threshold
    return {
        "name": signal.name,
        "source": signal.source,
        "threshold": None
        if threshold is None
        else {"healthy": number_to_json(threshold.healthy), "contended": number_to_json(threshold.contended)},
    }


def _hypothesis_to_json(hypothesis: Hypothesis) -> dict[str, Any]:
    return {
        **_attributes(hypothesis, "id", "kind", "text", "resource", "grade", "certainty"),
        "demand": _number_or_null(hypothesis.demand),
        "capacity": _number_or_null(hypothesis.capacity),
        "ratio": _number_or_null(hypothesis.ratio),
        "participants": [
            _attributes(participant, "library", "operation", "place", "file", "line")
            for participant in hypothesis.participants
        ],
        "snapshot": hypothesis.snapshot,
        "signals": [_signal_to_json(signal) for signal in hypothesis.signals],
        "interventions": list(hypothesis.interventions),
    }


def _candidate_to_json(candidate: Candidate) -> dict[str, Any]:
    return {
        "id": candidate.id,
        "text": candidate.text,
        "settings": {knob: value_to_json(value) for knob, value in candidate.settings.items()},
        "changes": candidate.changes,
        "predicted_cpu": _number_or_null(candidate.predicted_cpu),
        "removes": list(candidate.removes),
    }


def _plan(document: Json) -> Plan:
    if isinstance(document.value, dict) and "lpcl_plan" in document.value:
        version = document.value["lpcl_plan"]
        if isinstance(version, bool) or version != PLAN_VERSION:
            raise PlanError(
                f"this is a plan of version {version!r}; this program reads version {PLAN_VERSION}"
            )
    members = document.fields(
        frozenset({"lpcl_plan", "application", "machine", "knobs", "candidates"}),
        frozenset({"contracts", "constraints", "hypotheses", "signals", "command", "objective"}),
    )
    knobs = members["knobs"].each(_knob)
    types = {knob.id: knob.type for knob in knobs}
    return Plan(
        application=_application(members["application"]),
        machine=_machine(members["machine"]),
        contracts=members["contracts"].each(_contract) if "contracts" in members else (),
        knobs=knobs,
        constraints=members["constraints"].each(_constraint) if "constraints" in members else (),
        hypotheses=members["hypotheses"].each(_hypothesis) if "hypotheses" in members else (),
        candidates=members["candidates"].each(lambda item: _candidate(item, types)),
        signals=members["signals"].each(_signal) if "signals" in members else (),
        command=members["command"].optional(_command) if "command" in members else None,
        objective=_objective(members["objective"]) if "objective" in members else Objective(),
    )


def _application(item: Json) -> ApplicationInfo:
    members = item.fields(frozenset({"name", "package", "file", "sha256"}))
    return ApplicationInfo(
        members["name"].word(), members["package"].text(), members["file"].text(), members["sha256"].text()
    )


def _machine(item: Json) -> MachineInfo:
    members = item.fields(frozenset({"name", "facts"}))
    return MachineInfo(
        members["name"].text(), {name: fact.number() for name, fact in members["facts"].members()}
    )


def _contract(item: Json) -> ContractUse:
    members = item.fields(frozenset({"name", "origin", "version", "sha256"}))
    return ContractUse(
        members["name"].word(), members["origin"].text(), members["version"].text(), members["sha256"].text()
    )


def _knob(item: Json) -> Knob:
    members = item.fields(
        frozenset({"id", "kind", "type", "domain"}), frozenset({"apply", "allow_unset", "current", "note"})
    )
    knob_type = cast(KnobType, members["type"].one_of(KNOB_TYPES))
    return Knob(
        id=members["id"].word(),
        kind=cast(KnobKind, members["kind"].one_of(KNOB_KINDS)),
        apply=members["apply"].optional(Json.word) if "apply" in members else None,
        type=knob_type,
        domain=_domain(members["domain"], knob_type),
        allow_unset=members["allow_unset"].truth() if "allow_unset" in members else True,
        current=members["current"].optional(lambda it: _value(it, knob_type))
        if "current" in members
        else None,
        note=members["note"].text() if "note" in members else "",
    )


def _domain(item: Json, knob_type: KnobType) -> Domain:
    if isinstance(item.value, dict) and "values" in item.value:
        members = item.fields(frozenset({"values"}))
        return Choice(members["values"].each(lambda value: _value(value, knob_type)))
    members = item.fields(frozenset(), frozenset({"min", "max"}))
    return Range(
        minimum=members["min"].optional(Json.number) if "min" in members else None,
        maximum=members["max"].optional(Json.number) if "max" in members else None,
    )


def _value(item: Json, knob_type: KnobType) -> Value:
    if knob_type == "bool":
        return item.truth()
    if knob_type == "string":
        return item.text()
    number = item.number()
    if knob_type == "int" and not isinstance(number, int):
        raise item.fail("a whole number is expected")
    return number


def _constraint(item: Json) -> Constraint:
    members = item.fields(frozenset({"expression", "text"}), frozenset({"resource"}))
    return Constraint(
        expression=expression_from_json(members["expression"]),
        text=members["text"].text(),
        resource=members["resource"].optional(Json.word) if "resource" in members else None,
    )


def _signal(item: Json) -> Signal:
    members = item.fields(frozenset({"name", "source"}), frozenset({"threshold"}))
    return Signal(
        name=members["name"].word(),
        source=members["source"].word(),
        threshold=members["threshold"].optional(_threshold) if "threshold" in members else None,
    )


def _threshold(item: Json) -> Threshold:
    members = item.fields(frozenset({"healthy", "contended"}))
    return Threshold(healthy=members["healthy"].number(), contended=members["contended"].number())


def _participant(item: Json) -> Participant:
    members = item.fields(frozenset({"library", "operation"}), frozenset({"place", "file", "line"}))
    return Participant(
        library=members["library"].word(),
        operation=members["operation"].text(),
        place=members["place"].text() if "place" in members else "",
        file=members["file"].optional(Json.text) if "file" in members else None,
        line=members["line"].optional(lambda it: it.whole(1)) if "line" in members else None,
    )


def _hypothesis(item: Json) -> Hypothesis:
    members = item.fields(
        frozenset({"id", "kind", "text"}),
        frozenset(
            {
                "resource",
                "grade",
                "certainty",
                "demand",
                "capacity",
                "ratio",
                "participants",
                "snapshot",
                "signals",
                "interventions",
            }
        ),
    )

    def number(name: str) -> Number | None:
        return members[name].optional(Json.number) if name in members else None

    grade = members["grade"].optional(lambda it: it.one_of(GRADES)) if "grade" in members else None
    certainty = members["certainty"].one_of(CERTAINTIES) if "certainty" in members else "certain"
    return Hypothesis(
        id=members["id"].word(),
        kind=cast(HypothesisKind, members["kind"].one_of(HYPOTHESIS_KINDS)),
        text=members["text"].text(),
        resource=members["resource"].optional(Json.word) if "resource" in members else None,
        grade=cast(Grade | None, grade),
        certainty=cast(Certainty, certainty),
        demand=number("demand"),
        capacity=number("capacity"),
        ratio=number("ratio"),
        participants=members["participants"].each(_participant) if "participants" in members else (),
        snapshot=members["snapshot"].text() if "snapshot" in members else "",
        signals=members["signals"].each(_signal) if "signals" in members else (),
        interventions=members["interventions"].each(Json.word) if "interventions" in members else (),
    )


def _candidate(item: Json, types: Mapping[str, KnobType]) -> Candidate:
    members = item.fields(
        frozenset({"id", "settings", "changes"}), frozenset({"predicted_cpu", "removes", "text"})
    )
    settings: dict[str, Value | None] = {}
    for knob, value in members["settings"].members():
        if knob not in types:
            raise value.fail("there is no knob of this id")
        knob_type = types[knob]
        settings[knob] = None if value.value is None else _value(value, knob_type)
    return Candidate(
        id=members["id"].word(),
        settings=settings,
        changes=members["changes"].whole(),
        predicted_cpu=members["predicted_cpu"].optional(Json.number) if "predicted_cpu" in members else None,
        removes=members["removes"].each(Json.word) if "removes" in members else (),
        text=members["text"].text() if "text" in members else "",
    )


def _command(item: Json) -> str | tuple[str, ...]:
    if isinstance(item.value, str):
        return item.word()
    return item.each(Json.text)


def _objective(item: Json) -> Objective:
    members = item.fields(frozenset({"kind"}), frozenset({"pattern"}))
    return Objective(
        kind=cast(ObjectiveKind, members["kind"].one_of(OBJECTIVE_KINDS)),
        pattern=members["pattern"].optional(Json.word) if "pattern" in members else None,
    )


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not a JSON number")
