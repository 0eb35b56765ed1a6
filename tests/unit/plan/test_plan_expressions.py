"""Constraint expressions have exact values, or an error that says why they have none."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from lpcl.plan.codec import expression_from_json, expression_to_json
from lpcl.plan.expressions import MAX_DEPTH, EvaluationError, evaluate, holds, knobs_in
from lpcl.plan.model import Apply, Constant, Expression
from lpcl.plan.reader import Json

SETTINGS = {"jobs": 4, "share": Fraction(1, 3), "backend": "loky", "fast": True, "unset": None}


def of(document: Any) -> Expression:
    return expression_from_json(Json(document, "e"))


def op(name: str, *args: Any) -> dict[str, Any]:
    return {"op": name, "args": list(args)}


JOBS, SHARE, UNSET = {"knob": "jobs"}, {"knob": "share"}, {"knob": "unset"}


@pytest.mark.parametrize(
    ("document", "value"),
    [
        (7, 7),
        ("7/2", Fraction(7, 2)),
        ("4/2", 2),
        (True, True),
        ({"word": "x"}, "x"),
        ({"word": "1/2"}, "1/2"),
        (JOBS, 4),
        (op("+", 1, "1/2", "1/2"), 2),
        (op("*", JOBS, SHARE), Fraction(4, 3)),
        (op("-", 1, JOBS), -3),
        (op("/", 1, 3), Fraction(1, 3)),
        (op("div", -7, 2), -4),
        (op("mod", -7, 2), 1),
        (op("mod", "7/2", 2), Fraction(3, 2)),
        (op("neg", JOBS), -4),
        (op("floor", "-1/2"), -1),
        (op("ceil", "-1/2"), 0),
        (op("abs", -3), 3),
        (op("min", 3, "1/2", 2), Fraction(1, 2)),
        (op("max", 3), 3),
        (op("clamp", 9, 1, JOBS), 4),
        (op("==", {"knob": "backend"}, {"word": "loky"}), True),
        (op("!=", {"knob": "fast"}, True), False),
        (op("<", "1/3", SHARE), False),
        (op(">=", "1/3", SHARE), True),
        (op("and", True, op("<", 1, 2)), True),
        (op("or", False, False), False),
        (op("implies", False, UNSET), True),
        (op("not", {"knob": "fast"}), False),
        (op("defined", JOBS), True),
        (op("defined", UNSET), False),
        (op("if", op("defined", UNSET), UNSET, 8), 8),
        (op("and", op("defined", UNSET), op("<", UNSET, 2)), False),
        (op("or", op("not", op("defined", UNSET)), op("<", UNSET, 2)), True),
    ],
)
def test_values(document: Any, value: object) -> None:
    expression = of(document)
    found = evaluate(expression, SETTINGS)
    assert found == value
    assert type(found) is type(value)
    assert expression_from_json(Json(expression_to_json(expression), "e")) == expression


@pytest.mark.parametrize(
    ("document", "message"),
    [
        (op("/", JOBS, op("-", 1, 1)), "4 is divided by zero"),
        (op("mod", 1, 0), "1 is divided by zero"),
        (UNSET, "the knob 'unset' is not set"),
        ({"knob": "none"}, "there is no knob 'none'"),
        (op("defined", {"knob": "none"}), "there is no knob 'none'"),
        (op("defined", 1), "'defined' takes a knob"),
        (op("+", 1, True), "an argument of '+' is True, not a number"),
        (op("<", 1, {"word": "x"}), "an argument of '<' is 'x', not a number"),
        (op("==", 1, True), "cannot be compared"),
        (op("and", 1, True), "an argument of 'and' is 1, not true or false"),
        (op("not"), "'not' takes 1 arguments, not 0"),
        (op("power", 1, 2), "there is no operator 'power'"),
    ],
)
def test_why_there_is_no_value(document: Any, message: str) -> None:
    with pytest.raises(EvaluationError) as caught:
        evaluate(of(document), SETTINGS)
    assert message in str(caught.value)


def test_a_condition_is_true_or_false() -> None:
    assert holds(of(op("<=", op("*", JOBS, 2), 8)), SETTINGS)
    with pytest.raises(EvaluationError, match="a condition is 4, not true or false"):
        holds(of(JOBS), SETTINGS)


def test_depth_is_bounded_and_width_is_not() -> None:
    assert evaluate(Apply("+", (Constant(1),) * 100_000), {}) == 100_000
    deep: Expression = Constant(1)
    for _ in range(MAX_DEPTH + 1):
        deep = Apply("neg", (deep,))
    with pytest.raises(EvaluationError, match="nested"):
        evaluate(deep, {})


def test_the_knobs_of_an_expression_in_order() -> None:
    assert list(knobs_in(of(op("+", JOBS, op("*", SHARE, JOBS))))) == ["jobs", "share", "jobs"]
