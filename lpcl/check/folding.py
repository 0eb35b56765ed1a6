"""Types and values of what operators make of two values that are known."""

from __future__ import annotations

import math
from fractions import Fraction

from lpcl.model import types
from lpcl.model.types import UNKNOWN, EnumType, NumberType, UnknownType

_LARGEST = 4096
"""Bits of a number beyond which it is no longer worked out."""


def result_type(op: str, a: NumberType, b: NumberType) -> NumberType:
    """The type of what an operator of arithmetic gives."""
    if op == "*":
        return types.product(a, b)
    if op == "/":
        return types.quotient(a, b)
    if op == "div":
        return types.INT
    return NumberType(a.dimension, a.whole and b.whole)


def arithmetic(op: str, a: object, b: object) -> Fraction | None:
    """What an operator of arithmetic gives; None where a value is not known, or too long."""
    if not isinstance(a, Fraction) or not isinstance(b, Fraction):
        return None
    if max(a.numerator.bit_length(), a.denominator.bit_length()) > _LARGEST:
        return None
    if op == "+":
        return a + b
    if op == "-":
        return a - b
    if op == "*":
        return a * b
    if op == "/":
        return a / b
    return Fraction(a // b) if op == "div" else a % b


def rounded(function: str, value: Fraction) -> Fraction:
    """What ``abs``, ``floor`` or ``ceil`` gives."""
    if function == "abs":
        return abs(value)
    return Fraction(math.floor(value) if function == "floor" else math.ceil(value))


def logic(op: str, a: object, b: object) -> bool | None:
    """What ``and`` or ``or`` gives; None where a truth is not known."""
    if not isinstance(a, bool) or not isinstance(b, bool):
        return None
    if op == "and":
        return a and b
    return a or b


def ordered(op: str, a: object, b: object) -> bool | None:
    """What a comparison of numbers gives; None where one is not known."""
    if not isinstance(a, Fraction) or not isinstance(b, Fraction):
        return None
    return {"==": a == b, "!=": a != b, "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[op]


def common_type(a: types.Type, b: types.Type) -> types.Type | None:
    """The type of what is either one or the other; None where they are unlike."""
    if isinstance(a, UnknownType) or isinstance(b, UnknownType):
        return UNKNOWN
    if isinstance(a, NumberType) and isinstance(b, NumberType):
        return NumberType(a.dimension, a.whole and b.whole) if a.dimension == b.dimension else None
    if isinstance(a, EnumType) and isinstance(b, EnumType):
        return EnumType(tuple(dict.fromkeys((*a.members, *b.members))))
    return a if type(a) is type(b) else None
