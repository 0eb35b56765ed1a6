"""Any plan survives JSON, fits the schema, and its expressions mean what Python's own arithmetic says."""

from __future__ import annotations

import json
import math
from contextlib import suppress
from fractions import Fraction
from typing import Any

import jsonschema
from hypothesis import given, settings
from hypothesis import strategies as st

from lpcl.plan import PlanError, plan_from_json, plan_from_text, plan_schema, plan_to_json, plan_to_text
from lpcl.plan.expressions import EvaluationError, evaluate
from lpcl.plan.model import (
    ApplicationInfo,
    Apply,
    Candidate,
    Choice,
    Constant,
    Constraint,
    ContractUse,
    Expression,
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
    Value,
)

VALIDATOR = jsonschema.Draft202012Validator(plan_schema())

text = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)
words = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=8)
names = st.sampled_from(["OMP_NUM_THREADS", "A", "b_1"])


def whole(number: Fraction) -> int | Fraction:
    return number.numerator if number.denominator == 1 else number


numbers = st.fractions(min_value=-100, max_value=10**9, max_denominator=50).map(whole)
positive = st.fractions(min_value=1, max_value=10**9, max_denominator=50).map(whole)


@st.composite
def knobs(draw: st.DrawFn, identifier: str) -> Knob:
    kind = draw(st.sampled_from(["env", "argument", "control"]))
    apply = {"env": names, "argument": st.sampled_from(["--j {}", "-j{}"]), "control": st.none()}[kind]
    knob_type = draw(st.sampled_from(["bool", "int", "real", "string"]))
    of_type: st.SearchStrategy[Any] = {
        "bool": st.booleans(),
        "int": st.integers(-5, 500),
        "real": numbers,
        "string": text,
    }[knob_type]
    domain: Range | Choice = Choice(tuple(draw(st.lists(of_type, min_size=1, max_size=4))))
    if knob_type in ("int", "real") and draw(st.booleans()):
        domain = Range(draw(st.none() | st.integers(-5, 0)), draw(st.none() | st.integers(1, 500)))
    current = draw(st.none() | of_type)
    return Knob(identifier, kind, knob_type, domain, draw(apply), draw(st.booleans()), current, draw(text))


def settings_of(draw: st.DrawFn, knob: Knob) -> Value | None:
    allowed: list[Value | None] = [knob.current]
    if knob.allow_unset:
        allowed.append(None)
    if isinstance(knob.domain, Choice):
        allowed.extend(knob.domain.values)
    else:
        low, high = knob.domain.minimum, knob.domain.maximum
        allowed.extend(bound for bound in (low, high) if bound is not None)
    return draw(st.sampled_from(allowed))


expressions: st.SearchStrategy[Expression] = st.recursive(
    numbers.map(Constant) | st.booleans().map(Constant) | text.map(Constant) | st.just(KnobRef("k0")),
    lambda inner: st.builds(
        Apply,
        st.sampled_from(["+", "*", "min", "max", "and", "or"]),
        st.lists(inner, min_size=1, max_size=3).map(tuple),
    ),
    max_leaves=8,
)
signals = st.builds(Signal, words, words, st.none() | st.builds(Threshold, numbers, numbers))


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    some = tuple(draw(knobs(f"k{number}")) for number in range(draw(st.integers(1, 3))))
    candidates = tuple(
        Candidate(
            f"c{number}",
            {knob.id: settings_of(draw, knob) for knob in some if draw(st.booleans())},
            draw(st.integers(0, 5)),
            draw(st.none() | positive),
            ("h",) if draw(st.booleans()) else (),
            draw(text),
        )
        for number in range(draw(st.integers(0, 3)))
    )
    hypothesis = Hypothesis(
        "h",
        draw(st.sampled_from(["overcommit", "serialized", "hazard", "assumption", "underuse"])),
        draw(text),
        draw(st.none() | words),
        draw(st.sampled_from([None, "collapse", "slow", "mild"])),
        draw(st.sampled_from(["certain", "possible"])),
        draw(st.none() | numbers),
        draw(st.none() | numbers),
        draw(st.none() | numbers),
        tuple(
            draw(
                st.lists(
                    st.builds(Participant, words, text, text, st.none() | text, st.none() | st.integers(1)),
                    max_size=2,
                )
            )
        ),
        draw(text),
        tuple(draw(st.lists(signals, max_size=2))),
        tuple(candidate.id for candidate in candidates if draw(st.booleans())),
    )
    return Plan(
        draw(st.builds(ApplicationInfo, words, text, text, text)),
        MachineInfo(draw(text), draw(st.dictionaries(words, numbers, max_size=3))),
        tuple(draw(st.lists(st.builds(ContractUse, words, text, text, text), max_size=2))),
        some,
        tuple(draw(st.lists(st.builds(Constraint, expressions, text, st.none() | words), max_size=2))),
        (hypothesis,),
        candidates,
        tuple(draw(st.lists(signals, max_size=2))),
        draw(st.none() | words | st.lists(text, min_size=1, max_size=3).map(tuple)),
        draw(
            st.just(Objective())
            | st.builds(Objective, st.sampled_from(["maximize", "minimize"]), st.sampled_from(["a {}", "{}"]))
        ),
    )


@settings(max_examples=60, deadline=None)
@given(plans())
def test_a_plan_survives_json_and_fits_the_schema(plan: Plan) -> None:
    document = plan_to_json(plan)
    VALIDATOR.validate(document)
    assert plan_from_json(document) == plan
    assert plan_from_text(plan_to_text(plan)) == plan


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text, inner, max_size=3),
    max_leaves=5,
)


@settings(max_examples=100, deadline=None)
@given(plans(), st.data(), json_values)
def test_a_plan_with_anything_anywhere_is_read_or_refused(
    plan: Plan, data: st.DataObject, value: object
) -> None:
    """And where the reader takes it, it fits the schema too."""
    document: Any = json.loads(plan_to_text(plan))
    place = document
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        key = data.draw(st.sampled_from(keys))
        if isinstance(place[key], dict | list) and place[key] and data.draw(st.booleans()):
            place = place[key]
            continue
        place[key] = value
        break
    try:
        read = plan_from_json(document)
    except PlanError:
        return
    VALIDATOR.validate(document)
    assert plan_from_json(plan_to_json(read)) == read


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=200) | text.map(str.encode))
def test_no_text_makes_the_reader_raise_anything_else(content: bytes) -> None:
    with suppress(PlanError):
        plan_from_text(content.decode("utf-8", "replace"))


OPERATORS = ["+", "-", "*", "/", "div", "mod", "min", "max", "floor", "ceil", "neg", "abs"]

arithmetic = st.recursive(
    numbers.map(lambda number: (Constant(number), Fraction(number))),
    lambda inner: st.tuples(
        st.sampled_from(OPERATORS),
        inner,
        inner,
    ).map(lambda parts: applied(*parts)),
    max_leaves=12,
)


def applied(op: str, left: tuple[Expression, Any], right: tuple[Expression, Any]) -> tuple[Expression, Any]:
    """An operator on two operands, and its value by Python's own means; None where it has none."""
    (first, a), (second, b) = left, right
    unary = {"floor": math.floor, "ceil": math.ceil, "neg": lambda x: -x, "abs": abs}
    if op in unary:
        return Apply(op, (first,)), None if a is None else unary[op](a)
    expression = Apply(op, (first, second))
    if a is None or b is None or (op in ("/", "div", "mod") and b == 0):
        return expression, None
    a, b = Fraction(a), Fraction(b)
    results = {
        "+": lambda: a + b,
        "-": lambda: a - b,
        "*": lambda: a * b,
        "/": lambda: a / b,
        "div": lambda: a // b,
        "mod": lambda: a % b,
        "min": lambda: min(a, b),
        "max": lambda: max(a, b),
    }
    return expression, results[op]()


@settings(max_examples=150, deadline=None)
@given(arithmetic)
def test_arithmetic_is_exact(pair: tuple[Expression, Any]) -> None:
    expression, expected = pair
    if expected is None:
        try:
            evaluate(expression, {})
        except EvaluationError:
            return
        raise AssertionError("a value where there is none")
    found = evaluate(expression, {})
    assert found == expected
    assert isinstance(found, int) == (Fraction(expected).denominator == 1)
