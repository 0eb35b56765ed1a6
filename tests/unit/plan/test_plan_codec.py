"""A plan survives its JSON form, and what is no plan is answered with a place and a reason."""

from __future__ import annotations

import copy
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from lpcl.plan import (
    PlanError,
    load_plan,
    plan_from_json,
    plan_from_text,
    plan_sha256,
    plan_to_json,
    plan_to_text,
)
from lpcl.plan.model import (
    ApplicationInfo,
    Apply,
    Candidate,
    Choice,
    Constant,
    Constraint,
    ContractUse,
    Hypothesis,
    Knob,
    KnobRef,
    MachineInfo,
    Objective,
    Participant,
    Plan,
    Range,
    Signal,
    Threshold,
)


def full_plan() -> Plan:
    """A plan that uses every field."""
    waiting = Signal(
        "waiting", "process.run_delay / process.run_time", Threshold(Fraction(3, 100), Fraction(38, 100))
    )
    return Plan(
        application=ApplicationInfo("search", "demo", "demo/search.lpcl", "ab" * 32),
        machine=MachineInfo("host", {"cpus": Fraction(7, 2), "cpus.online": 4, "memory.limit": 2**34}),
        contracts=(ContractUse("openblas.openblas", "stdlib", "0.1.0", "cd" * 32),),
        knobs=(
            Knob("blas", "env", "int", Range(1, 64), apply="OPENBLAS_NUM_THREADS", current=8, note="a note"),
            Knob("jobs", "argument", "int", Range(1, None), apply="--jobs {}", allow_unset=False, current=4),
            Knob("share", "env", "real", Range(0, 1), apply="SHARE", current=Fraction(1, 3)),
            Knob("backend", "control", "string", Choice(("loky", "threading")), current="loky"),
            Knob("fast", "env", "bool", Choice((True, False)), apply="FAST"),
        ),
        constraints=(
            Constraint(
                Apply(
                    "if",
                    (
                        Apply("defined", (KnobRef("blas"),)),
                        Apply(
                            "<=", (Apply("*", (KnobRef("blas"), KnobRef("jobs"))), Constant(Fraction(7, 2)))
                        ),
                        Apply("==", (KnobRef("backend"), Constant("loky"))),
                    ),
                ),
                "blas * jobs <= 3.5",
                "cpu",
            ),
        ),
        hypotheses=(
            Hypothesis(
                "h1",
                "overcommit",
                "cpu 32 / 3.5",
                resource="cpu",
                grade="slow",
                certainty="possible",
                demand=32,
                capacity=Fraction(7, 2),
                ratio=Fraction(64, 7),
                participants=(
                    Participant("openblas", "compute", "run / pool / matmul", "demo/search.lpcl", 17),
                    Participant("multiprocessing", "pool"),
                ),
                snapshot="4 workers, each at matmul",
                signals=(waiting,),
                interventions=("c1",),
            ),
        ),
        candidates=(
            Candidate("c1", {"blas": 1, "jobs": 3}, 2, Fraction(3), ("h1",), "one thread each"),
            Candidate("c2", {"blas": None, "share": Fraction(1, 2), "fast": True}, 3),
        ),
        signals=(waiting, Signal("pool", 'threadpool("openblas").num_threads')),
        command=("python", "search.py"),
        objective=Objective("maximize", "models/s: {}"),
    )


def test_a_plan_comes_back_as_it_was() -> None:
    plan = full_plan()
    assert plan_from_text(plan_to_text(plan)) == plan
    assert plan_from_json(plan_to_json(plan)) == plan


def test_the_same_plan_has_the_same_bytes_and_digest() -> None:
    assert plan_to_text(full_plan()) == plan_to_text(full_plan())
    assert plan_sha256(full_plan()) == plan_sha256(plan_from_text(plan_to_text(full_plan())))


def test_the_digest_changes_with_the_plan() -> None:
    document = plan_to_json(full_plan())
    document["candidates"][0]["settings"]["blas"] = 2
    assert plan_sha256(plan_from_json(document)) != plan_sha256(full_plan())


def test_what_may_be_left_out_has_its_default() -> None:
    plan = plan_from_json(
        {
            "lpcl_plan": 1,
            "application": {"name": "a", "package": "", "file": "", "sha256": ""},
            "machine": {"name": "host", "facts": {}},
            "knobs": [{"id": "k", "kind": "control", "type": "int", "domain": {}}],
            "candidates": [],
        }
    )
    assert plan.command is None
    assert plan.objective == Objective("time")
    assert plan.knobs == (Knob("k", "control", "int", Range()),)


def test_assignment_puts_settings_over_the_present_configuration() -> None:
    plan = full_plan()
    assert plan.assignment(plan.candidates[1]) == {
        "blas": None,
        "jobs": 4,
        "share": Fraction(1, 2),
        "backend": "loky",
        "fast": True,
    }
    with pytest.raises(KeyError):
        plan.knob("none")


def broken(*path_and_value: Any) -> dict[str, Any]:
    """The full plan's document with one value replaced."""
    *path, last, value = path_and_value
    document: Any = copy.deepcopy(plan_to_json(full_plan()))
    place = document
    for step in path:
        place = place[step]
    place[last] = value
    assert isinstance(document, dict)
    return document


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ([], "the document: an object is expected, not a list"),
        ({"lpcl_plan": 2}, "a plan of version 2; this program reads version 1"),
        ({"lpcl_plan": True}, "a plan of version True"),
        ({"lpcl_plan": 1}, "'application' is missing"),
        (broken("extra", 1), "the document: 'extra' is not known here"),
        (
            broken("knobs", 0, "kind", "flag"),
            "knobs[0].kind: one of env, argument, control is expected, not 'flag'",
        ),
        (
            broken("knobs", 0, "current", "8"),
            "knobs[0].current: a whole number or \"a/b\" is expected, not '8'",
        ),
        (broken("knobs", 0, "current", "1/2"), "knobs[0].current: a whole number is expected"),
        (broken("knobs", 2, "current", "1/0"), "knobs[2].current: a whole number"),
        (broken("knobs", 2, "current", 0.5), "knobs[2].current: a whole number"),
        (broken("knobs", 4, "current", 1), "knobs[4].current: true or false is expected, not 1"),
        (broken("knobs", 0, "domain", "min", True), "knobs[0].domain.min: a whole number"),
        (broken("knobs", 0, "domain", "min", 65), "knob 'blas': its domain 65..64 is empty"),
        (broken("knobs", 0, "apply", None), "knob 'blas': 'apply' is missing"),
        (broken("knobs", 0, "apply", "A=B"), "is not the name of an environment variable"),
        (broken("knobs", 1, "apply", "--jobs"), "must hold {} once"),
        (broken("knobs", 3, "apply", "X"), "a control is set inside the program"),
        (broken("candidates", 1, "id", "c1"), "candidates: 'c1' is there 2 times"),
        (broken("machine", "facts", "cpus", None), "machine.facts['cpus']: a whole number"),
        (
            broken("candidates", 0, "settings", "blas", 65),
            "candidate 'c1': knob 'blas': 65 is outside of 1..64",
        ),
        (broken("candidates", 0, "settings", "jobs", None), "knob 'jobs': it cannot be left unset"),
        (broken("candidates", 0, "settings", "nope", 1), "there is no knob of this id"),
        (broken("candidates", 0, "settings", "backend", "mpi"), "mpi is not one of loky, threading"),
        (broken("candidates", 0, "settings", "backend", "a\0b"), "it holds a zero character"),
        (broken("candidates", 0, "id", "now"), "this name is kept for the present configuration"),
        (broken("candidates", 0, "id", ""), "candidates[0].id: the string is empty"),
        (broken("candidates", 0, "changes", -1), "candidates[0].changes: a whole number of 0 or more"),
        (broken("candidates", 0, "removes", ["h9"]), "there is no hypothesis 'h9'"),
        (broken("hypotheses", 0, "interventions", ["c9"]), "hypothesis 'h1': there is no candidate 'c9'"),
        (broken("hypotheses", 0, "grade", "awful"), "hypotheses[0].grade: one of collapse, slow, mild"),
        (
            broken("hypotheses", 0, "participants", 0, "line", 0),
            "participants[0].line: a whole number of 1 or more",
        ),
        (broken("constraints", 0, "expression", {"knob": "nope"}), "there is no knob 'nope'"),
        (broken("constraints", 0, "expression", {"op": "xor", "args": [1]}), "there is no operator 'xor'"),
        (
            broken("constraints", 0, "expression", {"op": "not", "args": [1, 2]}),
            "'not' takes 1 arguments, not 2",
        ),
        (
            broken("constraints", 0, "expression", {"op": "+", "args": []}),
            "'+' takes 1 or more arguments, not 0",
        ),
        (broken("constraints", 0, "expression", "loky"), "an expression is expected"),
        (broken("constraints", 0, "expression", {"knob": "blas", "op": "+"}), "'op' is not known here"),
        (broken("command", ""), "command: the string is empty"),
        (broken("command", []), "command: it is empty"),
        (broken("command", ["a\0"]), "command: it holds a zero character"),
        (broken("objective", {"kind": "maximize"}), "objective: maximize needs a pattern"),
        (broken("objective", {"kind": "maximize", "pattern": "x"}), "must hold {} once"),
        (broken("objective", {"kind": "time", "pattern": "{}"}), "objective: time has no pattern"),
        (broken("knobs", {"a": 1}), "knobs: a list is expected, not an object"),
        (broken("knobs", [10**100]), "an object is expected, not a number of more than 60 digits"),
    ],
)
def test_a_broken_plan_is_answered_with_place_and_reason(document: object, message: str) -> None:
    with pytest.raises(PlanError) as caught:
        plan_from_json(document)
    assert message in str(caught.value)


def test_several_contradictions_are_counted() -> None:
    document = broken("candidates", 0, "settings", {"blas": 65, "jobs": 0})
    with pytest.raises(PlanError, match=r"65 is outside of 1\.\.64 \(and 1 more\)"):
        plan_from_json(document)


def test_what_runs_today_may_be_outside_of_the_domain() -> None:
    document = broken("knobs", 0, "current", 100)
    document["candidates"][1]["settings"]["blas"] = 100
    assert plan_from_json(document).knob("blas").current == 100


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not JSON: line 1, column 1"),
        ("{", "not JSON: line 1"),
        ("[" * 200_000, "nested too deeply"),
        ('{"lpcl_plan": NaN}', "NaN is not a JSON number"),
        ("9" * 5000, "not JSON"),
        ("null", "an object is expected, not null"),
    ],
)
def test_a_text_that_is_no_plan(text: str, message: str) -> None:
    with pytest.raises(PlanError) as caught:
        plan_from_text(text)
    assert message in str(caught.value)


def test_expressions_may_not_be_nested_without_end() -> None:
    expression: Any = 1
    for _ in range(1000):
        expression = {"op": "neg", "args": [expression]}
    with pytest.raises(PlanError, match="nested more than 200 deep"):
        plan_from_json(broken("constraints", 0, "expression", expression))


def test_a_file_that_cannot_be_read_names_itself(tmp_path: Path) -> None:
    missing = tmp_path / "missing.json"
    with pytest.raises(PlanError, match=r"missing\.json: No such file or directory"):
        load_plan(missing)
    binary = tmp_path / "binary.json"
    binary.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(PlanError, match="not UTF-8 text"):
        load_plan(binary)
    torn = tmp_path / "torn.json"
    torn.write_text(plan_to_text(full_plan())[:200])
    with pytest.raises(PlanError, match=r"torn\.json: not JSON"):
        load_plan(torn)
    whole = tmp_path / "whole.json"
    whole.write_text(json.dumps(plan_to_json(full_plan())))
    assert load_plan(whole) == full_plan()
