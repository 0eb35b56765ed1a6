"""Questions about terms, answered by z3 within a fixed amount of work.

z3 is loaded when the first question is asked. Each solver has a z3 context of its own, since answers depend
on what a context has seen before. The work is bounded by z3's own count of resources, never by the clock, so
that the same question has the same answer everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from fractions import Fraction
from typing import Any

from lpcl.compose.terms import Plain, Term, Value, post_order, whole

WORK = 40_000_000
WIDEST_CHOICE = 64
"""Factors of up to this many values are enumerated in products."""


class Verdict(Enum):
    """`UNDECIDED` where the allowed work did not suffice."""

    YES = "yes"
    NO = "no"
    UNDECIDED = "undecided"


class Solver:
    """Conditions over knobs, added one by one, and whether they can hold together.

    Knobs named in `truths` are true or false, those in `words` stand for words, those in `fractions` for any
    number, all others for whole numbers. Solvers of one question may share a context, which is large: give a
    further one the first as `beside`.
    """

    def __init__(
        self,
        truths: frozenset[str],
        words: frozenset[str],
        work: int = WORK,
        fractions: frozenset[str] = frozenset(),
        beside: Solver | None = None,
    ) -> None:
        import z3

        self._z3: Any = z3
        self._truths = truths
        self._worded = words
        self._fractions = fractions
        self._words: list[str] = []
        self._context: Any = z3.Context() if beside is None else beside._context
        self._work = work
        self._model: Any = None
        self._memo: dict[Term, Any] = {}
        self._knobs: dict[str, Any] = {}
        self._conditions: list[Any] = []
        self._assumptions: dict[Value, Any] = {}
        self._linear = True
        self._solver: Any = None

    def _made(self) -> Any:
        """A solver of all conditions so far. Of z3's two kinds of arithmetic, the older one is the faster one
        where all is linear.
        """
        solver = self._z3.SimpleSolver(ctx=self._context)
        solver.set("random_seed", 0)
        if self._linear:
            solver.set("arith.solver", 2)
        solver.add(self._conditions)
        return solver

    def add(self, condition: Value) -> None:
        """From now on `condition` must hold."""
        self._hold(self._translate(condition))

    def _hold(self, condition: Any) -> None:
        self._conditions.append(condition)
        if self._solver is not None:
            self._solver.add(condition)

    def check(self, *assumed: Value) -> Verdict:
        """Whether all conditions, and those assumed for this once, can hold together."""
        self._model = None
        assumptions = [self._assumption(one) for one in assumed]
        if self._solver is None:
            self._solver = self._made()
        self._solver.set("rlimit", self._work)
        answer = self._solver.check(*assumptions)
        if answer == self._z3.sat:
            self._model = self._solver.model()
            return Verdict.YES
        return Verdict.NO if answer == self._z3.unsat else Verdict.UNDECIDED

    def _assumption(self, condition: Value) -> Any:
        """What stands for a condition while it is assumed, so that what the solver learns of it is kept."""
        if condition not in self._assumptions:
            made = self._z3.Bool(f"assumed {len(self._assumptions)}", self._context)
            self._hold(self._z3.Implies(made, self._translate(condition)))
            self._assumptions[condition] = made
        return self._assumptions[condition]

    def value(self, name: str) -> Plain:
        """What a knob is in the answer to the last `check` that said yes."""
        variable = self._knob(name)
        found = self._model.eval(variable, model_completion=True)
        if self._z3.is_bool(variable):
            return bool(self._z3.is_true(found))
        if name in self._worded:
            return self._words[int(found.as_long())]
        if name in self._fractions:
            exact = found if self._z3.is_rational_value(found) else found.approx(20)
            return whole(Fraction(exact.numerator_as_long(), exact.denominator_as_long()))
        return int(found.as_long())

    def _knob(self, name: str) -> Any:
        known = self._knobs.get(name)
        if known is None:
            made = self._z3.Bool if name in self._truths else self._z3.Int
            made = self._z3.Real if name in self._fractions else made
            known = made(name, self._context)
            self._knobs[name] = known
        return known

    def _translate(self, value: Value) -> Any:
        z3 = self._z3
        if isinstance(value, bool):
            return z3.BoolVal(value, self._context)
        if isinstance(value, int):
            return z3.IntVal(value, self._context)
        if isinstance(value, Fraction):
            return z3.RatVal(value.numerator, value.denominator, self._context)
        if isinstance(value, str):
            if value not in self._words:
                self._words.append(value)
            return z3.IntVal(self._words.index(value), self._context)
        for item in post_order(value, self._memo):
            if item.op == "knob":
                made = self._knob(str(item.args[0]))
            elif item.op == "*":
                made = self._product(item.args[0], item.args[1])
            elif item.op in ("/", "div", "mod"):
                made = self._quotient(item.op, item.args[0], item.args[1])
            elif item.op == "<=" and (counted := _counted(item.args[0])) and isinstance(item.args[1], int):
                made = self._at_most(counted, item.args[1])
            else:
                made = self._operation(item.op, [self._translate(arg) for arg in item.args])
            self._memo[item] = made
        return self._memo[value]

    def _at_most(self, counted: Sequence[tuple[Value, bool]], most: int) -> Any:
        """That no more than so many of some conditions are as they are counted."""
        held = [(self._translate(condition), held) for condition, held in counted]
        return self._z3.AtMost(*(one if held else self._z3.Not(one) for one, held in held), most)

    def _product(self, a: Value, b: Value) -> Any:
        """A product; where one factor takes few values, a choice among multiples of the other, which is
        linear.
        """
        x, y = self._translate(a), self._translate(b)
        if isinstance(a, Term) and isinstance(b, Term):
            width, other = _width(a), _width(b)
            if other < width:
                a, x, y, width = b, y, x, other
            if width <= WIDEST_CHOICE and x.is_int():
                low, high = a.low, a.high
                assert isinstance(low, int)
                assert isinstance(high, int)
                return self._chosen(x, low, high, lambda value: value * y)
            self._curved()
        return x * y

    def _quotient(self, op: str, a: Value, b: Value) -> Any:
        """A quotient or remainder; of few values of the divisor, a choice among divisions by a number."""
        x, y = self._translate(a), self._translate(b)
        if not isinstance(b, Term) or _width(b) > WIDEST_CHOICE or not y.is_int():
            if isinstance(b, Term):
                self._curved()
            return self._operation(op, [x, y])
        low, high = b.low, b.high
        assert isinstance(low, int)
        assert isinstance(high, int)
        if low <= 0 <= high:
            self._curved()
        return self._chosen(
            y,
            low,
            high,
            lambda value: self._operation(op, [x, self._z3.IntVal(value, self._context) if value else y]),
        )

    def _chosen(self, x: Any, low: int, high: int, made: Callable[[int], Any]) -> Any:
        """What is made of a whole number between two bounds, by halves."""
        if low == high:
            return made(low)
        middle = (low + high) // 2
        return self._z3.If(
            x <= middle, self._chosen(x, low, middle, made), self._chosen(x, middle + 1, high, made)
        )

    def _curved(self) -> None:
        """Something is not linear."""
        if self._linear:
            self._linear, self._solver = False, None

    def _operation(self, op: str, args: list[Any]) -> Any:
        z3 = self._z3
        match op:
            case "+":
                return args[0] + args[1]
            case "-":
                return args[0] - args[1]
            case "/":
                return _real(z3, args[0]) / _real(z3, args[1])
            case "div":
                return z3.ToInt(_real(z3, args[0]) / _real(z3, args[1]))
            case "mod":
                return args[0] - args[1] * z3.ToInt(_real(z3, args[0]) / _real(z3, args[1]))
            case "neg":
                return -args[0]
            case "==":
                return args[0] == args[1]
            case "!=":
                return args[0] != args[1]
            case "<":
                return args[0] < args[1]
            case "<=":
                return args[0] <= args[1]
            case ">":
                return args[0] > args[1]
            case ">=":
                return args[0] >= args[1]
            case "and":
                return z3.And(*args)
            case "or":
                return z3.Or(*args)
            case "not":
                return z3.Not(args[0])
            case "if":
                return z3.If(args[0], args[1], args[2])
            case "min":
                return z3.If(args[0] <= args[1], args[0], args[1])
            case "max":
                return z3.If(args[0] >= args[1], args[0], args[1])
            case "abs":
                return z3.If(args[0] >= 0, args[0], -args[0])
            case "floor":
                return z3.ToInt(args[0]) if args[0].is_real() else args[0]
            case "ceil":
                return -z3.ToInt(-args[0]) if args[0].is_real() else args[0]
        raise AssertionError(f"no translation for {op}")


def _counted(value: Value) -> list[tuple[Value, bool]]:
    """The conditions of which a sum counts those that hold, or that do not (False); none for another sum."""
    found: list[tuple[Value, bool]] = []
    left = [value]
    while left:
        one = left.pop()
        if not isinstance(one, Term):
            return []
        if one.op == "+":
            left.extend(reversed(one.args))
        elif one.op == "if" and one.args[1:] in ((1, 0), (0, 1)):
            found.append((one.args[0], one.args[1] == 1))
        else:
            return []
    return found


def _width(value: Term) -> float:
    """How many values a term can take less one, as far as its bounds tell."""
    if isinstance(value.low, int) and isinstance(value.high, int):
        return value.high - value.low
    return float("inf")


def _real(z3: Any, value: Any) -> Any:
    return z3.ToReal(value) if value.is_int() else value
