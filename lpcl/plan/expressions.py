"""Evaluates the plan's constraint expressions exactly, so that a tuner needs no solver and no floats.

The operators, with their numbers of arguments:

- arithmetic: ``+`` and ``*`` (1 or more), ``-`` ``/`` ``div`` ``mod`` (2), ``neg`` ``floor`` ``ceil`` ``abs``
  (1), ``min`` ``max`` (1 or more), ``clamp`` (value, lowest, highest). ``div`` is the floor of the quotient
  and ``mod`` what it leaves, so ``x == (x div y) * y + x mod y`` with ``0 <= x mod y < y`` for positive
  ``y``.
- comparison (2): ``==`` ``!=`` on values of one kind, ``<`` ``<=`` ``>`` ``>=`` on numbers.
- logic: ``and`` ``or`` (1 or more), ``implies`` (2), ``not`` (1), ``if`` (condition, then, else). Arguments
  that do not matter are not evaluated: an unset knob may stand behind ``defined``.
- ``defined`` (1, a knob): whether the knob is set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import ceil, floor, prod

from lpcl.plan.model import Apply, Constant, Expression, KnobRef, Number, Value

MAX_DEPTH = 200
"""How deeply operators may be nested. A sum of many terms is one ``+`` with many arguments."""

Settings = Mapping[str, Value | None]


class EvaluationError(ValueError):
    """An expression has no value: a division by zero, an unset or unknown knob, a wrong argument."""


def evaluate(expression: Expression, settings: Settings) -> Value:
    """The value of an expression where knobs have these values (None is "not set").

    Whole numbers come back as `int`. Raises EvaluationError where there is no value.
    """
    return _evaluate(expression, settings, MAX_DEPTH)


def holds(expression: Expression, settings: Settings) -> bool:
    """The truth value of a condition. Raises EvaluationError, also where the value is not a truth value."""
    return _truth(evaluate(expression, settings), "a condition")


def knobs_in(expression: Expression) -> Iterator[str]:
    """The ids of the knobs that an expression mentions, in order, as often as it does."""
    waiting = [expression]
    while waiting:
        node = waiting.pop()
        if isinstance(node, KnobRef):
            yield node.knob
        elif isinstance(node, Apply):
            waiting.extend(reversed(node.args))


def arity_problem(op: str, count: int) -> str | None:
    """Why `op` cannot take `count` arguments, or None where it can."""
    if op not in OPERATORS:
        return f"there is no operator {op!r}"
    least, most = OPERATORS[op]
    if count >= least and (most is None or count <= most):
        return None
    wanted = f"{least} or more" if most is None else str(least)
    return f"{op!r} takes {wanted} arguments, not {count}"


def _evaluate(expression: Expression, settings: Settings, depth: int) -> Value:
    if depth < 0:
        raise EvaluationError(f"operators are nested more than {MAX_DEPTH} deep")
    if isinstance(expression, Constant):
        return _whole(expression.value)
    if isinstance(expression, KnobRef):
        return _knob(expression.knob, settings)
    problem = arity_problem(expression.op, len(expression.args))
    if problem is not None:
        raise EvaluationError(problem)
    if expression.op in _LAZY:
        return _lazy(expression, settings, depth)
    values = [_evaluate(argument, settings, depth - 1) for argument in expression.args]
    if expression.op in ("==", "!="):
        return _equal(values[0], values[1]) is (expression.op == "==")
    return _whole(_NUMERIC[expression.op]([_number(value, expression.op) for value in values]))


def _knob(knob: str, settings: Settings) -> Value:
    if knob not in settings:
        raise EvaluationError(f"there is no knob {knob!r}")
    value = settings[knob]
    if value is None:
        raise EvaluationError(f"the knob {knob!r} is not set")
    return _whole(value)


def _lazy(expression: Apply, settings: Settings, depth: int) -> Value:
    op, args = expression.op, expression.args

    def truth(index: int) -> bool:
        return _truth(_evaluate(args[index], settings, depth - 1), f"an argument of {op!r}")

    if op == "and":
        return all(truth(index) for index in range(len(args)))
    if op == "or":
        return any(truth(index) for index in range(len(args)))
    if op == "implies":
        return not truth(0) or truth(1)
    if op == "not":
        return not truth(0)
    if op == "if":
        return _evaluate(args[1] if truth(0) else args[2], settings, depth - 1)
    reference = args[0]
    if not isinstance(reference, KnobRef):
        raise EvaluationError("'defined' takes a knob")
    if reference.knob not in settings:
        raise EvaluationError(f"there is no knob {reference.knob!r}")
    return settings[reference.knob] is not None


def _truth(value: Value, where: str) -> bool:
    if not isinstance(value, bool):
        raise EvaluationError(f"{where} is {value!s}, not true or false")
    return value


def _number(value: Value, op: str) -> Number:
    if isinstance(value, bool | str):
        raise EvaluationError(f"an argument of {op!r} is {value!r}, not a number")
    return value


def _equal(left: Value, right: Value) -> bool:
    if _kind(left) != _kind(right):
        raise EvaluationError(f"{left!r} and {right!r} cannot be compared")
    return left == right


def _kind(value: Value) -> type:
    return type(value) if isinstance(value, bool | str) else int


def _whole(value: Value) -> Value:
    return value.numerator if isinstance(value, Fraction) and value.denominator == 1 else value


def _product(values: Sequence[Number]) -> Fraction:
    return prod(map(Fraction, values), start=Fraction(1))


def _divide(left: Number, right: Number) -> Fraction:
    if right == 0:
        raise EvaluationError(f"{left} is divided by zero")
    return Fraction(left) / right


_NUMERIC: Mapping[str, Callable[[Sequence[Number]], Value]] = {
    "+": sum,
    "*": _product,
    "-": lambda values: values[0] - values[1],
    "/": lambda values: _divide(values[0], values[1]),
    "div": lambda values: floor(_divide(values[0], values[1])),
    "mod": lambda values: values[0] - floor(_divide(values[0], values[1])) * values[1],
    "neg": lambda values: -values[0],
    "floor": lambda values: floor(values[0]),
    "ceil": lambda values: ceil(values[0]),
    "abs": lambda values: max(values[0], -values[0]),
    "min": min,
    "max": max,
    "clamp": lambda values: max(values[1], min(values[0], values[2])),
    "<": lambda values: values[0] < values[1],
    "<=": lambda values: values[0] <= values[1],
    ">": lambda values: values[0] > values[1],
    ">=": lambda values: values[0] >= values[1],
}

_LAZY = frozenset({"and", "or", "implies", "not", "if", "defined"})

OPERATORS: Mapping[str, tuple[int, int | None]] = {
    **dict.fromkeys(("+", "*", "min", "max", "and", "or"), (1, None)),
    **dict.fromkeys(("-", "/", "div", "mod", "==", "!=", "<", "<=", ">", ">=", "implies"), (2, 2)),
    **dict.fromkeys(("neg", "floor", "ceil", "abs", "not", "defined"), (1, 1)),
    **dict.fromkeys(("clamp", "if"), (3, 3)),
}
"""Every operator with the least and the largest number of its arguments (None: any number)."""
