"""Conditions taken apart: what must be so of each part for a condition to hold."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TypeAlias

from lpcl.compose.terms import Number, Term, Value, apply, conjunction, disjunction, negation

COMPARISONS = frozenset(("==", "!=", "<", "<=", ">", ">="))
SWAPPED = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
TRUTHS = frozenset(("and", "or", "not", *COMPARISONS))


Conditions: TypeAlias = dict[Value, None]
"""Conditions that must all hold, none of them plain, each once, in order."""


class Impossible(Exception):
    """The conditions cannot hold together."""


def flatten(value: Value, holds: bool, into: Conditions) -> None:
    """Add what must be so for a condition to hold, or to fail, in parts. Raises `Impossible`."""
    stack = [(value, holds)]
    while stack:
        item, holds = stack.pop()
        if isinstance(item, bool):
            if item is not holds:
                raise Impossible
            continue
        assert isinstance(item, Term)
        op, args = item.op, item.args
        if op == "not":
            stack.append((args[0], not holds))
        elif op == ("and" if holds else "or"):
            stack += [(arg, holds) for arg in reversed(args)]
        elif op == "if" and any(isinstance(arg, bool) for arg in args[1:]):
            condition, then, otherwise = args
            either = conjunction(disjunction(negation(condition), then), disjunction(condition, otherwise))
            stack.append((either, holds))
        elif op in COMPARISONS:
            if any(isinstance(arg, bool) for arg in args):
                plain, other = args if isinstance(args[0], bool) else (args[1], args[0])
                stack.append((other, (plain is (op == "==")) is holds))
                continue
            if not holds:
                negated = negation(item)
                assert isinstance(negated, Term)
                item = negated
            parts = _parts(item)
            if parts is None:
                into[item] = None
            else:
                stack += [(part, True) for part in reversed(parts)]
        elif not holds and op == "and":
            stack.append((disjunction(*map(negation, args)), True))
        else:
            into[item if holds else negation(item)] = None


def _parts(comparison: Term) -> tuple[Value, ...] | None:
    """The same said of the parts of what is compared; None where there is no plainer way to say it."""
    left, right = comparison.args
    op = comparison.op
    if not isinstance(left, Term) or (left.op not in _PLAINER and isinstance(right, Term)):
        left, right, op = right, left, SWAPPED[op]
    if not isinstance(left, Term) or left.op not in _PLAINER:
        return None
    inner = left.args
    if left.op in ("min", "max"):
        if op in ((">", ">=") if left.op == "min" else ("<", "<=")):
            return apply(op, inner[0], right), apply(op, inner[1], right)
        return None
    number = number_of(right)
    if left.op == "/":
        below = inner[1].low if isinstance(inner[1], Term) else None
        if below is None or below <= 0:
            return None
        return (apply(op, inner[0], apply("*", right, inner[1])),)
    if number is None:
        return None
    if left.op == "abs":
        if op in ("<", "<="):
            return apply(op, inner[0], number), apply(SWAPPED[op], inner[0], -number)
        if op in (">", ">="):
            return (disjunction(apply(op, inner[0], number), apply(SWAPPED[op], inner[0], -number)),)
        return None
    if left.op == "ceil":
        return _ceiled(op, inner[0], number)
    times: Value = 1
    if left.op == "div":
        times = inner[1]
        below = times.low if isinstance(times, Term) else number_of(times)
        if below is None or below <= 0:
            return None
    return _floored(op, inner[0], number, times)


_PLAINER = frozenset(("min", "max", "floor", "ceil", "div", "/", "abs"))


def _floored(op: str, of: Value, number: Number, times: Value) -> tuple[Value, ...] | None:
    """What a comparison of floor(of / times) with a number says of `of`, where `times` is above 0."""
    least = math.ceil(number) if op in (">=", "<", "==") else math.floor(number) + 1
    end = apply("*", times, least)
    if op in (">=", ">"):
        return (apply(">=", of, end),)
    if op in ("<", "<="):
        return (apply("<", of, end),)
    if op == "==":
        if number != least:
            return (False,)
        return apply(">=", of, end), apply("<", of, apply("*", times, least + 1))
    return None


def _ceiled(op: str, of: Value, number: Number) -> tuple[Value, ...] | None:
    """What a comparison of the next whole number with a number says."""
    most = math.floor(number) if op in ("<=", ">", "==") else math.ceil(number) - 1
    if op in ("<=", "<"):
        return (apply("<=", of, most),)
    if op in (">", ">="):
        return (apply(">", of, most),)
    if op == "==":
        return (apply("<=", of, most), apply(">", of, most - 1)) if number == most else (False,)
    return None


def number_of(value: Value) -> Number | None:
    """A value that is a plain number; None for any other."""
    return value if isinstance(value, int | Fraction) and not isinstance(value, bool) else None
