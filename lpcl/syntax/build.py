"""What a token or a flat expression stands for: quantities, texts, and trees by precedence."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from textwrap import dedent

from lpcl.syntax import nodes, quick

_DECIMAL = {"k": 10**3, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12, "P": 10**15}
_BINARY = {"k": 2**10, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40, "P": 2**50}

_UNITS: dict[str, Fraction] = {
    "%": Fraction(1, 100),
    "B": Fraction(1),
    **{prefix + "B": Fraction(factor) for prefix, factor in _DECIMAL.items()},
    **{prefix + "iB": Fraction(factor) for prefix, factor in _BINARY.items()},
}
_UNITS |= {unit + "/s": factor for unit, factor in _UNITS.items() if unit != "%"}
_UNITS |= {
    "ns": Fraction(1, 10**9),
    "us": Fraction(1, 10**6),
    "ms": Fraction(1, 10**3),
    "s": Fraction(1),
    "min": Fraction(60),
    "h": Fraction(3600),
}

UNITS: tuple[str, ...] = tuple(_UNITS)
"""Every unit that a number can carry."""

PRECEDENCE: dict[str, int] = {
    "implies": 1,
    "or": 2,
    "and": 3,
    **dict.fromkeys(("==", "!=", "<", "<=", ">", ">="), 4),
    **dict.fromkeys(("+", "-"), 5),
    **dict.fromkeys(("*", "/", "div", "mod"), 6),
}
"""How tightly each binary operator binds; `implies` groups to the right, comparisons do not chain."""

COMPARISON = 4
_IMPLIES = 1

MAX_DIGITS = 400
"""A number may have so many characters."""

MAX_NESTING = 100
"""Brackets, blocks and unary operators may stand inside each other so many times."""

MAX_HEIGHT = 200
"""An expression's tree may have so many levels."""

MAX_OPERATORS = 20_000
"""An expression with more operators beside each other than this is not read to its end."""

Tail = tuple[str, int, nodes.Expression]
"""An operator, the offset where it stands, and its right operand."""


def quantity(number: str, unit: str | None) -> Fraction:
    """The exact value of a number with its unit, in the base unit."""
    whole, _, decimals = number.replace("_", "").partition(".")
    value = Fraction(int(whole + decimals), 10 ** len(decimals)) if decimals else Fraction(int(whole))
    return value if unit is None else value * _UNITS[unit]


_ESCAPE = re.compile(r"\\(.)")
_ESCAPES = {"n": "\n", "t": "\t", '"': '"', "\\": "\\"}


def text(token: str) -> str:
    """What a string literal stands for: escapes resolved; `\"\"\"` dedented, without outer newlines."""
    if token.startswith('"""') and len(token) >= 6:
        return dedent(token[3:-3].replace("\r\n", "\n").replace("\r", "\n")).strip("\n")
    body = token[1:-1]
    if "\\" not in body:
        return body
    return _ESCAPE.sub(lambda m: _ESCAPES.get(m[1], m[0]), body)


def chained(rest: Sequence[Tail]) -> int | None:
    """The index of a comparison that has the outcome of another one as its left operand, or None."""
    comparing = False
    for index, (op, _, _) in enumerate(rest):
        level = PRECEDENCE[op]
        if level == COMPARISON:
            if comparing:
                return index
            comparing = True
        elif level < COMPARISON:
            comparing = False
    return None


def too_long(rest: Sequence[Tail]) -> bool:
    """Whether so many operators bind equally loosely that the tree is too high for that alone."""
    levels = [PRECEDENCE[op] for op, _, _ in rest]
    return levels.count(min(levels)) >= MAX_HEIGHT


def fold(first: nodes.Expression, rest: Sequence[Tail]) -> nodes.Expression:
    """The tree of `first op right op right ...` by precedence."""
    operands = [first]
    operators: list[tuple[int, str, int]] = []
    for op, start, right in rest:
        level = PRECEDENCE[op]
        while operators and (operators[-1][0] > level or (operators[-1][0] == level and level != _IMPLIES)):
            _reduce(operands, operators)
        operators.append((level, op, start))
        operands.append(right)
    while operators:
        _reduce(operands, operators)
    return operands[0]


def _reduce(operands: list[nodes.Expression], operators: list[tuple[int, str, int]]) -> None:
    _, op, start = operators.pop()
    right = operands.pop()
    left = operands.pop()
    operands.append(quick.binary(op, left, right, start))


class Heights:
    """How many levels expressions have; what was measured once is not measured again."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[int, nodes.Node]] = {}  # with the node, lest its id be given to another

    def of(self, root: nodes.Node) -> int:
        known = self._known
        stack: list[tuple[nodes.Node, bool]] = [(root, False)]
        while stack:
            node, entered = stack.pop()
            if entered:
                below = max((known[id(child)][0] for child in node.children()), default=0)
                known[id(node)] = (1 + below, node)
            elif id(node) not in known:
                stack.append((node, True))
                stack.extend((child, False) for child in node.children())
        return known[id(root)][0]
