"""Values that may depend on settings not yet chosen: exact numbers, truths and words, or terms over knobs.

An operation on plain values gives a plain value at once; as soon as a knob is involved it gives a `Term`. One
evaluator thus serves both a given configuration (no terms at all) and all of them (terms that are handed to
the solver or written into a plan). Numbers are `int` where they are whole, else `Fraction`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias, cast
from weakref import WeakValueDictionary

DIVISIONS = frozenset(("/", "div", "mod"))

Number: TypeAlias = int | Fraction
Plain: TypeAlias = int | Fraction | bool | str


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Term:
    """`op` applied to `args`. A knob is the op ``knob`` on its name.

    `low` and `high` bound the number that it stands for, as far as is known. One that is `partial` has no
    value under some settings, where it divides by zero. Equal terms are one object, so that they compare by
    identity: functions of this module make them.
    """

    op: str
    args: tuple[Value, ...]
    low: Number | None = None
    high: Number | None = None
    partial: bool = False

    def __str__(self) -> str:
        return f"{self.op}({', '.join(map(str, self.args))})"


Value: TypeAlias = int | Fraction | bool | str | Term


_TERMS: WeakValueDictionary[tuple[object, ...], Term] = WeakValueDictionary()


def _term(op: str, args: tuple[Value, ...], low: Number | None = None, high: Number | None = None) -> Term:
    key = (op, low, high, *[id(arg) if arg.__class__ is Term else (arg.__class__, arg) for arg in args])
    known = _TERMS.get(key)
    if known is None:
        partial = _some_partial(args) or (op in DIVISIONS and _may_be_zero(args[1]))
        known = _TERMS[key] = Term(op, args, low, high, partial)
    return known


def no_number() -> Term:
    """A number that there is not, whatever is set."""
    return _term("/", (1, 0))


def no_truth() -> Term:
    """A truth that there is not, whatever is set."""
    return _term("==", (no_number(), 0))


def is_partial(value: Value) -> bool:
    """Whether a value is a term that has none under some settings."""
    return isinstance(value, Term) and value.partial


def _some_partial(values: tuple[Value, ...]) -> bool:
    return True in [isinstance(value, Term) and value.partial for value in values]


def _may_be_zero(value: Value) -> bool:
    return _compared("!=", _bounds(value), (0, 0)) is not True


class DivisionByZero(ArithmeticError):
    """A plain division by a plain zero."""


def knob(name: str, low: Number | None = None, high: Number | None = None) -> Term:
    """The value of a knob that is not chosen yet, between `low` and `high` where it has bounds."""
    return _term("knob", (name,), low, high)


def whole(number: Number) -> Number:
    """The same number, as an `int` where it is one."""
    return number.numerator if isinstance(number, Fraction) and number.denominator == 1 else number


def _divide(a: Number, b: Number) -> Number:
    if b == 0:
        raise DivisionByZero
    return whole(Fraction(a) / Fraction(b))


def _floor_divide(a: Number, b: Number) -> Number:
    if b == 0:
        raise DivisionByZero
    return math.floor(Fraction(a) / Fraction(b))


def _modulo(a: Number, b: Number) -> Number:
    return whole(a - b * _floor_divide(a, b))


_NUMERIC: dict[str, Callable[..., Plain]] = {
    "+": lambda a, b: whole(a + b),
    "-": lambda a, b: whole(a - b),
    "*": lambda a, b: whole(a * b),
    "/": _divide,
    "div": _floor_divide,
    "mod": _modulo,
    "neg": lambda a: -a,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "floor": lambda a: math.floor(a),
    "ceil": lambda a: math.ceil(a),
    "abs": lambda a: abs(a),
    "min": min,
    "max": max,
    "not": lambda a: not a,
}


def apply(op: str, *args: Value) -> Value:
    """The value of an operation; raises `DivisionByZero` where a plain divisor is 0.

    Ops: + - * / div mod neg, comparisons, floor ceil abs min max, not and or implies, and `if` (condition,
    value if true, value if false).
    """
    if op == "and":
        return conjunction(*args)
    if op == "or":
        return disjunction(*args)
    if op == "implies":
        return disjunction(negation(args[0]), args[1])
    if op == "not":
        return negation(args[0])
    if op == "if":
        return choose(*args)
    for arg in args:
        if isinstance(arg, Term):
            return _simplified(op, args)
    return _NUMERIC[op](*args)


def _simplified(op: str, args: tuple[Value, ...]) -> Value:
    if _some_partial(args):  # lest a division by zero be simplified away
        return _term(op, args, *_range(op, [_bounds(arg) for arg in args]))
    if op in ("+", "-") and args[1] == 0 and not isinstance(args[1], bool):
        return args[0]
    if op == "+" and args[0] == 0:
        return args[1]
    if op == "*" and 0 in args:
        return 0
    if op in ("*", "/") and args[1] == 1:
        return args[0]
    if op == "*" and args[0] == 1:
        return args[1]
    if len(args) == 2 and args[0] is args[1]:
        if op in _COMPARISONS:
            return op in ("==", "<=", ">=")
        if op == "-":
            return 0
        if op in ("min", "max"):
            return args[0]
    bounds = [_bounds(arg) for arg in args]
    if op in _COMPARISONS:
        decided = _compared(op, *bounds)
        return _term(op, args) if decided is None else decided
    if op in ("min", "max"):
        (low, high), (other_low, other_high) = bounds
        if _at_most(high, other_low):
            return args[0] if op == "min" else args[1]
        if _at_most(other_high, low):
            return args[1] if op == "min" else args[0]
    return _term(op, args, *_range(op, bounds))


Bounds: TypeAlias = tuple[Number | None, Number | None]

_COMPARISONS = frozenset(("==", "!=", "<", "<=", ">", ">="))


def _bounds(value: Value) -> Bounds:
    """The least and the largest number that a value can be, None where that is not known."""
    if isinstance(value, Term):
        return value.low, value.high
    if isinstance(value, bool | str):
        return None, None
    return value, value


def _at_most(a: Number | None, b: Number | None) -> bool:
    return a is not None and b is not None and a <= b


def _below(a: Number | None, b: Number | None) -> bool:
    return a is not None and b is not None and a < b


def _compared(op: str, a: Bounds, b: Bounds) -> bool | None:
    """A comparison that the bounds alone decide; None where they do not."""
    if op in (">", ">="):
        return _compared({">": "<", ">=": "<="}[op], b, a)
    if op == "<":
        return True if _below(a[1], b[0]) else False if _at_most(b[1], a[0]) else None
    if op == "<=":
        return True if _at_most(a[1], b[0]) else False if _below(b[1], a[0]) else None
    if _below(a[1], b[0]) or _below(b[1], a[0]):
        return op == "!="
    return None


def _range(op: str, bounds: list[Bounds]) -> Bounds:
    """The bounds of an operation's value from those of its arguments."""
    (low, high) = bounds[0]
    if op in ("floor", "ceil"):
        of = math.floor if op == "floor" else math.ceil
        return None if low is None else of(low), None if high is None else of(high)
    if op == "neg":
        return None if high is None else -high, None if low is None else -low
    if len(bounds) != 2:
        return None, None
    other_low, other_high = bounds[1]
    if op in ("min", "max"):
        lows = [one for one in (low, other_low) if one is not None]
        highs = [one for one in (high, other_high) if one is not None]
        if op == "min":
            return min(lows) if len(lows) == 2 else None, min(highs, default=None)
        return max(lows, default=None), max(highs) if len(highs) == 2 else None
    if op == "+":
        return _both(low, other_low, "+"), _both(high, other_high, "+")
    if op == "-":
        return _both(low, other_high, "-"), _both(high, other_low, "-")
    if op == "*" and _at_most(0, low) and _at_most(0, other_low):
        return _both(low, other_low, "*"), _both(high, other_high, "*")
    if op in ("/", "div") and _at_most(0, low) and _below(0, other_low):
        least = None if other_high is None else _both(low, other_high, op)
        return least, _both(high, other_low, op)
    return None, None


def _both(a: Number | None, b: Number | None, op: str) -> Number | None:
    return None if a is None or b is None else cast(Number, _NUMERIC[op](a, b))


def conjunction(*args: Value) -> Value:
    """All of them: plain where one is plainly false or all are plain."""
    return _joined("and", args, neutral=True)


def disjunction(*args: Value) -> Value:
    """Any of them: plain where one is plainly true or all are plain."""
    return _joined("or", args, neutral=False)


def _joined(op: str, args: tuple[Value, ...], *, neutral: bool) -> Value:
    left: list[Value] = []
    for arg in args:
        if isinstance(arg, bool):
            if arg is not neutral:
                return arg
        elif arg not in left:
            left.append(arg)
    if not left:
        return neutral
    return left[0] if len(left) == 1 else _term(op, tuple(left))


_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def negation(arg: Value) -> Value:
    """The opposite of a truth."""
    if isinstance(arg, bool):
        return not arg
    if isinstance(arg, Term) and arg.op == "not":
        return arg.args[0]
    if isinstance(arg, Term) and arg.op in _OPPOSITE:
        return _term(_OPPOSITE[arg.op], arg.args)
    return _term("not", (arg,))


def choose(*args: Value) -> Value:
    """`args` is (condition, value if true, value if false)."""
    condition, then, otherwise = args
    if isinstance(condition, bool):
        return then if condition else otherwise
    if is_partial(condition):
        return _term("if", args)
    if then is otherwise or (
        not isinstance(then, Term) and not isinstance(otherwise, Term) and then == otherwise
    ):
        return then
    (low, high), (other_low, other_high) = _bounds(then), _bounds(otherwise)
    return _term(
        "if",
        args,
        None if low is None or other_low is None else min(low, other_low),
        None if high is None or other_high is None else max(high, other_high),
    )


def total(values: Sequence[Value]) -> Value:
    """The sum; 0 of nothing."""
    return balanced("+", list(values)) if values else 0


def largest(values: Sequence[Value]) -> Value:
    """The largest of some values, at least one."""
    return balanced("max", values)


def balanced(op: str, values: Sequence[Value]) -> Value:
    """An associative operation over all values; its term is no deeper than the logarithm of their number."""
    left = list(values)
    while len(left) > 1:
        pairs = [apply(op, a, b) for a, b in zip(left[::2], left[1::2], strict=False)]
        left = pairs + left[len(pairs) * 2 :]
    return left[0]


def post_order(value: Term, known: Container[Term] = ()) -> Iterator[Term]:
    """The terms that a term is made of, arguments first, without the `known` ones."""
    seen: set[Term] = set()
    stack: list[tuple[Term, bool]] = [(value, False)]
    while stack:
        item, ready = stack.pop()
        if ready:
            yield item
        elif item not in seen and item not in known:
            seen.add(item)
            stack.append((item, True))
            stack.extend((arg, False) for arg in item.args if isinstance(arg, Term))


def knobs_of(value: Value) -> frozenset[str]:
    """The names of the knobs that a value depends on."""
    found: set[str] = set()
    seen: set[int] = set()
    stack: list[Value] = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, Term) and id(item) not in seen:
            seen.add(id(item))
            if item.op == "knob":
                found.add(cast(str, item.args[0]))
            else:
                stack.extend(item.args)
    return frozenset(found)


def settle(
    value: Value, settings: Mapping[str, Plain] | Mapping[str, Value], memo: dict[Term, Value] | None = None
) -> Value:
    """The value once its knobs are set as `settings` says; knobs that it leaves out stay.

    Raises `DivisionByZero` where it has none: `if`, `and` and `or` look no further than they have to, from
    the left.
    """
    if not isinstance(value, Term):
        return value
    if memo is None:
        memo = {}
    stack: list[Term] = [value]
    while stack:
        item = stack[-1]
        if item in memo:
            stack.pop()
            continue
        op = item.op
        if op == "knob":
            memo[item] = settings.get(cast(str, item.args[0]), item)
            continue
        args: list[Value] = []
        plain = complete = True
        for arg in item.args if op != "if" else _needed(item, memo):
            if isinstance(arg, Term):
                known = memo.get(arg)
                if known is None and arg.op == "knob":
                    known = memo[arg] = settings.get(cast(str, arg.args[0]), arg)
                elif known is None:
                    stack.append(arg)
                    complete = False
                    continue
                plain = plain and not isinstance(known, Term)
                arg = known
            args.append(arg)
        if not complete or (op == "if" and len(args) == 1):  # the condition is known now, its branch not yet
            continue
        stack.pop()
        if op == "if" and len(args) == 2:
            memo[item] = args[1]
        elif plain and op in _NUMERIC and op != "not":
            try:
                memo[item] = _NUMERIC[op](*args)
            except DivisionByZero:
                memo[item] = _NO_VALUE
        elif _NO_VALUE in args:
            memo[item] = _cut_short(op, args)
        else:
            memo[item] = apply(op, *args)
    if memo[value] is _NO_VALUE:
        raise DivisionByZero
    return memo[value]


def truth(
    condition: Value,
    settings: Mapping[str, Plain] | Mapping[str, Value],
    memo: dict[Term, Value] | None = None,
) -> Value:
    """A condition once its knobs are set as `settings` says; one that divides by zero does not hold."""
    try:
        return settle(condition, settings, memo)
    except DivisionByZero:
        return False


def holds(
    condition: Value,
    settings: Mapping[str, Plain] | Mapping[str, Value],
    memo: dict[Term, Value] | None = None,
) -> bool:
    """Whether a condition is true with such `settings`, and divides by nothing."""
    return truth(condition, settings, memo) is True


_NO_VALUE = Term("undefined", ())
"""What stands for a division by zero until it is known whether it matters."""


def _cut_short(op: str, args: Sequence[Value]) -> Value:
    """An operation one of whose arguments has no value: it may be decided by those before it."""
    first = next(arg for arg in args if arg is _NO_VALUE or arg is (op == "or"))
    return first if op in ("and", "or") else _NO_VALUE


def _needed(item: Term, memo: Mapping[Term, Value]) -> tuple[Value, ...]:
    """The arguments that decide a term: of `if`, no more than the branch that its condition leaves."""
    if item.op == "knob":
        return ()
    if item.op != "if":
        return item.args
    condition = item.args[0]
    known = memo.get(condition) if isinstance(condition, Term) else condition
    if known is None:
        return (condition,)
    if isinstance(known, bool):
        return condition, item.args[1 if known else 2]
    return item.args
