"""Questions about terms: each answer is the one that trying all values gives, whatever was asked before."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from lpcl.compose.solver import Solver, Verdict
from lpcl.compose.terms import Value, apply, choose, conjunction, knob, negation, settle, total

NAMES = ("a", "b", "c")
LOW, HIGH = -2, 5


def knobs(low: int = LOW, high: int = HIGH) -> tuple[Value, ...]:
    return tuple(knob(name, low, high) for name in NAMES)


def asked(solver: Solver, *conditions: Value) -> bool:
    """Whether the conditions can hold together; what shows it is evaluated."""
    verdict = solver.check(*conditions)
    assert verdict is not Verdict.UNDECIDED
    if verdict is Verdict.YES:
        values = {name: solver.value(name) for name in NAMES}
        assert all(settle(condition, values) is True for condition in conditions)
    return verdict is Verdict.YES


def tried(*conditions: Value, low: int = LOW, high: int = HIGH) -> bool:
    every = product(range(low, high + 1), repeat=len(NAMES))
    return any(
        all(settle(one, dict(zip(NAMES, values, strict=True))) is True for one in conditions)
        for values in every
    )


def within(solver: Solver, low: int = LOW, high: int = HIGH) -> Solver:
    for name in NAMES:
        free = knob(name)
        solver.add(conjunction(apply(">=", free, low), apply("<=", free, high)))
    return solver


def questions(low: int = LOW, high: int = HIGH) -> list[Value]:
    a, b, c = knobs(low, high)
    differ = [choose(apply("==", one, 1), 0, 1) for one in (a, b, c)]
    are = [choose(apply(">", one, 2), 1, 0) for one in (a, b, c)]
    return [
        apply("==", apply("*", a, b), 15),
        apply("==", apply("*", a, b), 7),
        apply(">", apply("*", a, apply("*", b, c)), 100),
        apply("==", apply("div", b, apply("max", c, 1)), 4),
        apply("==", apply("mod", b, apply("max", c, 2)), 3),
        apply("==", apply("/", a, apply("max", b, 1)), Fraction(2, 3)),
        apply("<=", total(differ), 0),
        apply("<=", total(differ), 1),
        apply("<=", total([*differ, 1]), 2),
        apply("<=", total(are), 1),
        apply(">=", total(are), 3),
        apply("==", total([a, b, c]), 14),
        apply("==", a, b),
        apply("<", c, a),
    ]


@pytest.mark.parametrize("first", range(len(questions())))
def test_two_questions_at_once_and_one_after_the_other(first: int) -> None:
    solver = within(Solver(frozenset(), frozenset()))
    one = questions()[first]
    for other in questions():
        for pair in ((one, other), (one, negation(other)), (other,)):
            assert asked(solver, *pair) is tried(*pair), pair


def test_what_is_assumed_is_forgotten_and_what_is_added_is_not() -> None:
    solver = within(Solver(frozenset(), frozenset()))
    a, b, _ = knobs()
    assert not asked(solver, apply(">", a, b), apply("<", a, b))
    assert asked(solver, apply(">", a, b))
    solver.add(apply("<", a, b))
    assert not asked(solver, apply(">", a, b))
    assert asked(solver)


def test_products_of_wide_factors_after_narrow_ones() -> None:
    low, high = 0, 200
    solver = within(Solver(frozenset(), frozenset()), low, high)
    a, b, c = knobs(low, high)
    assert asked(solver, apply(">", apply("+", a, b), 300))
    wide = apply("*", a, b)
    assert asked(solver, apply("==", wide, 391), apply(">", a, b), apply("<", a, 100))
    assert (solver.value("a"), solver.value("b")) == (23, 17)
    assert not asked(solver, apply("==", wide, 391), apply("<", a, 17), apply(">", a, 1))
    assert asked(solver, apply("==", apply("*", wide, 2), 782), apply("==", c, 7))


def test_a_choice_of_true_and_of_no_value_is_no_condition_to_count() -> None:
    solver = within(Solver(frozenset(), frozenset()))
    a, b, _ = knobs()
    three = choose(apply(">", a, 2), 3, 0)
    assert not asked(
        solver, apply("<=", apply("+", three, choose(apply(">", b, 2), 1, 0)), 1), apply(">", a, 2)
    )
