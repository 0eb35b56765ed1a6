"""The published schema and the reader agree on what a plan is."""

from __future__ import annotations

import copy
import dataclasses
from typing import Any

import jsonschema
import pytest

from lpcl.plan import PlanError, plan_from_json, plan_schema, plan_to_json
from lpcl.plan.expressions import OPERATORS
from lpcl.plan.model import (
    ApplicationInfo,
    Candidate,
    Constraint,
    ContractUse,
    Hypothesis,
    Knob,
    MachineInfo,
    Objective,
    Participant,
    Plan,
    Signal,
    Threshold,
)

DOCUMENT: dict[str, Any] = {
    "lpcl_plan": 1,
    "application": {"name": "a", "package": "p", "file": "a.lpcl", "sha256": "00"},
    "machine": {"name": "host", "facts": {"cpus": "7/2"}},
    "knobs": [
        {
            "id": "k",
            "kind": "env",
            "apply": "K",
            "type": "int",
            "domain": {"min": 1, "max": None},
            "current": 2,
        },
        {"id": "w", "kind": "argument", "apply": "-w={}", "type": "string", "domain": {"values": ["x", "y"]}},
    ],
    "constraints": [
        {"expression": {"op": "<=", "args": [{"knob": "k"}, "7/2"]}, "text": "k <= 3.5", "resource": "cpu"},
        {"expression": {"op": "!=", "args": [{"knob": "w"}, {"word": "x"}]}, "text": "w != x"},
    ],
    "hypotheses": [
        {
            "id": "h",
            "kind": "overcommit",
            "text": "too much",
            "demand": 4,
            "capacity": "7/2",
            "ratio": "8/7",
            "participants": [{"library": "l", "operation": "o", "line": 3}],
            "signals": [{"name": "s", "source": "x", "threshold": {"healthy": 0, "contended": "1/2"}}],
            "interventions": ["c"],
        }
    ],
    "candidates": [{"id": "c", "settings": {"k": 1, "w": None}, "changes": 1, "removes": ["h"]}],
    "signals": [{"name": "s", "source": "x"}],
    "command": "a b",
    "objective": {"kind": "minimize", "pattern": "loss {}"},
}


@pytest.fixture(scope="module")
def validator() -> jsonschema.Draft202012Validator:
    schema = plan_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def test_a_plan_fits_the_schema_as_read_and_as_written(validator: jsonschema.Draft202012Validator) -> None:
    validator.validate(DOCUMENT)
    validator.validate(plan_to_json(plan_from_json(DOCUMENT)))


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (["lpcl_plan"], 2),
        (["more"], 1),
        (["application", "name"], ""),
        (["machine", "facts", "cpus"], 3.5),
        (["machine", "facts", "cpus"], "1/0"),
        (["machine", "facts", "cpus"], "0x1"),
        (["knobs", 0, "kind"], "file"),
        (["knobs", 0, "domain"], {"min": 1, "values": []}),
        (["knobs", 0, "current"], 1.5),
        (["knobs", 0, "apply"], ""),
        (["constraints", 0, "expression"], {"op": "xor", "args": [1]}),
        (["constraints", 0, "expression"], {"op": "+", "args": []}),
        (["constraints", 0, "expression"], {"knob": "k", "word": "w"}),
        (["constraints", 0, "expression"], "k"),
        (["hypotheses", 0, "kind"], "guess"),
        (["hypotheses", 0, "grade"], "awful"),
        (["hypotheses", 0, "participants", 0, "line"], 0),
        (["candidates", 0, "id"], "now"),
        (["candidates", 0, "changes"], -1),
        (["candidates", 0, "settings", "k"], [1]),
        (["signals", 0, "threshold"], {"healthy": 1}),
        (["command"], ""),
        (["command"], []),
        (["objective", "kind"], "fun"),
    ],
)
def test_what_the_schema_refuses_the_reader_refuses_too(
    validator: jsonschema.Draft202012Validator, place: list[Any], value: Any
) -> None:
    document = copy.deepcopy(DOCUMENT)
    inside: Any = document
    for step in place[:-1]:
        inside = inside[step]
    inside[place[-1]] = value
    assert not validator.is_valid(document)
    with pytest.raises(PlanError):
        plan_from_json(document)


def test_the_schema_names_every_field_of_the_model() -> None:
    definitions = plan_schema()["$defs"]

    def fields(kind: Any) -> set[str]:
        return {field.name for field in dataclasses.fields(kind)}

    for name, kind in {
        "application": ApplicationInfo,
        "machine": MachineInfo,
        "contract": ContractUse,
        "knob": Knob,
        "constraint": Constraint,
        "signal": Signal,
        "participant": Participant,
        "hypothesis": Hypothesis,
        "candidate": Candidate,
        "objective": Objective,
    }.items():
        assert set(definitions[name]["properties"]) == fields(kind), name
    threshold = definitions["signal"]["properties"]["threshold"]["oneOf"][1]
    assert set(threshold["properties"]) == fields(Threshold)
    assert set(plan_schema()["properties"]) == {*fields(Plan), "lpcl_plan"} - {"version"}


def test_the_schema_names_every_operator() -> None:
    operators = plan_schema()["$defs"]["expression"]["oneOf"][-1]["properties"]["op"]["enum"]
    assert set(operators) == set(OPERATORS)
    assert len(operators) == len(OPERATORS)
