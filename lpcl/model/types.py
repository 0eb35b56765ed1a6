"""The types of LPCL values: truths, texts, words of an enumeration, and numbers with a dimension."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from lpcl.model.quantities import BANDWIDTH, BYTES, PLAIN, TIME, Dimension, show
from lpcl.syntax import nodes


@dataclass(frozen=True, slots=True)
class BoolType:
    """`true` or `false`."""


@dataclass(frozen=True, slots=True)
class StringType:
    """A text."""


@dataclass(frozen=True, slots=True)
class EnumType:
    """One of some words."""

    members: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NumberType:
    """A number: its dimension, whether it is whole, and its bounds where they are known."""

    dimension: Dimension = PLAIN
    whole: bool = False
    low: Fraction | None = None
    high: Fraction | None = None

    def allows(self, value: Fraction) -> bool:
        """Whether `value` lies within the bounds."""
        return (self.low is None or self.low <= value) and (self.high is None or value <= self.high)

    @property
    def unbounded(self) -> NumberType:
        """The same type without its bounds."""
        return NumberType(self.dimension, self.whole)


@dataclass(frozen=True, slots=True)
class UnknownType:
    """The type of what has been found faulty already, or of what only a run can tell: it fits everywhere."""


Type = BoolType | StringType | EnumType | NumberType | UnknownType

BOOL = BoolType()
STRING = StringType()
UNKNOWN = UnknownType()
INT = NumberType(whole=True)
COUNT = NumberType(whole=True, low=Fraction(0))
REAL = NumberType()
SHARE = NumberType(low=Fraction(0), high=Fraction(1))
SIZE = NumberType(BYTES)
DURATION = NumberType(TIME)
RATE = NumberType(BANDWIDTH)

NAMED: dict[str, Type] = {
    "bool": BOOL,
    "int": INT,
    "count": COUNT,
    "real": REAL,
    "string": STRING,
    "bytes": SIZE,
    "time": DURATION,
    "bandwidth": RATE,
    "share": SHARE,
}

START_METHODS = EnumType(("fork", "spawn", "forkserver", "loky"))


def of(node: nodes.Type) -> Type:
    """The type that a type in the text stands for; unknown where its factors are not numbers."""
    if isinstance(node, nodes.EnumType):
        return EnumType(tuple(member.text for member in node.members))
    result = NAMED.get(node.first, UNKNOWN)
    for factor in node.rest:
        other = NAMED.get(factor.name, UNKNOWN)
        if not isinstance(result, NumberType) or not isinstance(other, NumberType):
            return UNKNOWN
        result = product(result, other) if factor.op == "*" else quotient(result, other)
    if node.range is not None and isinstance(result, NumberType):
        low, high = constant(node.range.low), constant(node.range.high)
        if low is not None and high is not None and low > high:
            return result.unbounded
        if low is None or (result.low is not None and low <= result.low):
            low = result.low
        if high is None or (result.high is not None and high >= result.high):
            high = result.high
        return NumberType(result.dimension, result.whole, low, high)
    return result


def product(left: NumberType, right: NumberType) -> NumberType:
    """The type of a product."""
    return NumberType(left.dimension * right.dimension, left.whole and right.whole)


def quotient(left: NumberType, right: NumberType) -> NumberType:
    """The type of a quotient."""
    return NumberType(left.dimension / right.dimension)


def constant(expression: nodes.Expression) -> Fraction | None:
    """The value of a literal, with or without a sign; None for anything else."""
    negative = False
    while True:
        if isinstance(expression, nodes.Parenthesis):
            expression = expression.inner
        elif isinstance(expression, nodes.Unary) and expression.op == "-":
            negative = not negative
            expression = expression.operand
        elif isinstance(expression, nodes.Quantity):
            return -expression.value if negative else expression.value
        else:
            return None


def unit_dimension(unit: str | None) -> Dimension:
    """The dimension of a number with this unit."""
    if unit is None or unit == "%":
        return PLAIN
    if unit.endswith("/s"):
        return BANDWIDTH
    return BYTES if unit.endswith("B") else TIME


def describe(kind: Type) -> str:
    """The type in the reader's words."""
    if isinstance(kind, BoolType):
        return "true or false"
    if isinstance(kind, StringType):
        return "a text"
    if isinstance(kind, EnumType):
        return f"one of {', '.join(kind.members)}"
    if isinstance(kind, NumberType):
        if kind.dimension == PLAIN:
            return "a whole number" if kind.whole else "a plain number"
        return str(kind.dimension)
    return "unknown"


def bounds(kind: NumberType) -> str:
    """The bounds of a number in words: `1 to 64`, `at least 0`."""
    if kind.low is not None and kind.high is not None:
        return f"{show(kind.low, kind.dimension)} to {show(kind.high, kind.dimension)}"
    if kind.low is not None:
        return f"at least {show(kind.low, kind.dimension)}"
    if kind.high is not None:
        return f"at most {show(kind.high, kind.dimension)}"
    return "any"
