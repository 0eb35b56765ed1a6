"""Comparisons of numbers as sums that are compared with 0, and the bounds of such sums."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from lpcl.compose.terms import Number, Term, Value
from lpcl.ranges.apart import SWAPPED, number_of
from lpcl.ranges.space import Free, Kind


@dataclass(frozen=True, slots=True)
class Form:
    """A sum of `parts`, each so many times, and of a plain number; `op` compares it with 0.

    It takes `steps` of whole numbers or not.
    """

    op: str
    parts: tuple[tuple[Term, Number], ...]
    plain: Number
    steps: bool


class Forms:
    """Comparisons of numbers over open values as sums, each worked out once."""

    def __init__(self, opens: Mapping[str, Free]) -> None:
        self._opens = opens
        self._forms: dict[Term, Form] = {}
        self._is_whole: dict[Term, bool] = {}

    def kind(self, name: str) -> Kind:
        """What kind of value an open one is."""
        return self._opens[name].kind

    def form(self, comparison: Term) -> Form:
        """A comparison of numbers as a sum that is compared with 0."""
        found = self._forms.get(comparison)
        if found is None:
            found = self._forms[comparison] = self._formed(comparison)
        return found

    def _formed(self, comparison: Term) -> Form:
        op = comparison.op
        left, right = comparison.args
        if op in (">", ">="):
            left, right, op = right, left, SWAPPED[op]
        parts: dict[Term, Number] = {}
        plain: Number = 0
        stack: list[tuple[Value, Number]] = [(left, 1), (right, -1)]
        while stack:
            item, times = stack.pop()
            if not isinstance(item, Term):
                assert not isinstance(item, str)
                plain += times * item
                continue
            args = item.args
            if item.op in ("+", "-"):
                stack += [(args[0], times), (args[1], times if item.op == "+" else -times)]
            elif item.op == "neg":
                stack.append((args[0], -times))
            elif item.op == "*" and (factor := number_of(args[0])) is not None:
                stack.append((args[1], times * factor))
            elif item.op == "*" and (factor := number_of(args[1])) is not None:
                stack.append((args[0], times * factor))
            elif item.op == "/" and (factor := number_of(args[1])):
                stack.append((args[0], times / Fraction(factor)))
            else:
                parts[item] = parts.get(item, 0) + times
        found = tuple((part, times) for part, times in parts.items() if times != 0)
        steps = all(
            (isinstance(times, int) or times.denominator == 1) and self.is_whole(part)
            for part, times in found
        )
        return Form(op, found, plain, steps and plain == math.floor(plain))

    def is_whole(self, value: Value) -> bool:
        """Whether a number is certainly a whole one."""
        if not isinstance(value, Term):
            return isinstance(value, int)
        found = self._is_whole.get(value)
        if found is None:
            if value.op == "knob":
                found = self._opens[str(value.args[0])].kind == "whole"
            elif value.op in ("floor", "ceil", "div"):
                found = True
            elif value.op == "/":
                found = False
            else:
                found = all(map(self.is_whole, value.args[1:] if value.op == "if" else value.args))
            self._is_whole[value] = found
        return found


def bounds_of_part(part: Term, times: Number) -> tuple[Number | None, Number | None]:
    """The bounds of a part of a sum."""
    low = None if part.low is None else part.low * times
    high = None if part.high is None else part.high * times
    return (low, high) if times > 0 else (high, low)


def bounds_of_sum(form: Form) -> tuple[Number | None, Number | None]:
    """The bounds of a sum."""
    low: Number | None = form.plain
    high: Number | None = form.plain
    for part, times in form.parts:
        least, most = bounds_of_part(part, times)
        low = None if low is None or least is None else low + least
        high = None if high is None or most is None else high + most
    return low, high
