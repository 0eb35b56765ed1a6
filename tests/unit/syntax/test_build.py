"""What tokens and flat expressions stand for."""

from __future__ import annotations

from fractions import Fraction

import pytest

from lpcl.syntax import build, nodes
from lpcl.syntax.parser import parse


def expression(text: str) -> nodes.Expression:
    parsed = parse(f"contract c {{ let x = {text}\n}}")
    assert not parsed.faults
    (contract,) = parsed.file.items
    assert isinstance(contract, nodes.Contract)
    (let,) = contract.members
    assert isinstance(let, nodes.Let)
    return let.value


def shape(node: nodes.Expression) -> str:
    """An expression with a bracket round each operation."""
    match node:
        case nodes.Binary(op=op, left=left, right=right):
            return f"[{shape(left)} {op} {shape(right)}]"
        case nodes.Unary(op=op, operand=operand):
            return f"[{op} {shape(operand)}]"
        case nodes.Parenthesis(inner=inner):
            return f"({shape(inner)})"
        case nodes.Conditional(condition=condition, then=then, otherwise=otherwise):
            return f"[if {shape(condition)} then {shape(then)} else {shape(otherwise)}]"
        case nodes.Call(function=function, args=args, member=member):
            tail = f".{member}" if member else ""
            return f"{function}({', '.join(map(shape, args))}){tail}"
        case nodes.Reference(path=path):
            return path
        case nodes.Text(value=value):
            return repr(value)
        case nodes.Boolean(value=value):
            return str(value).lower()
        case nodes.Quantity(value=value, unit=unit):
            return f"{value}{unit or ''}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a + b * c", "[a + [b * c]]"),
        ("a * b + c", "[[a * b] + c]"),
        ("a - b - c", "[[a - b] - c]"),
        ("a / b div c mod d", "[[[a / b] div c] mod d]"),
        ("a < b and c == d or e", "[[[a < b] and [c == d]] or e]"),
        ("a or b and c", "[a or [b and c]]"),
        ("a implies b implies c", "[a implies [b implies c]]"),
        ("a or b implies c and d", "[[a or b] implies [c and d]]"),
        ("-a * b", "[[- a] * b]"),
        ("not a == b", "[[not a] == b]"),
        ("not not a", "[not [not a]]"),
        ("- -1", "[- [- 1]]"),
        ("(a + b) * c", "[([a + b]) * c]"),
        ("if a then b else c + d", "[if a then b else [c + d]]"),
        ("1 + if a then b else c", "[1 + [if a then b else c]]"),
        ('threadpool("x", 2).num_threads + 1', "[threadpool('x', 2).num_threads + 1]"),
        ("min(a, max(b, c))", "min(a, max(b, c))"),
        ("a.b.c >= 1", "[a.b.c >= 1]"),
        ("true and false", "[true and false]"),
        ("a < b and b < c", "[[a < b] and [b < c]]"),
        ("(a < b) == (c < d)", "[([a < b]) == ([c < d])]"),
    ],
)
def test_precedence(text: str, expected: str) -> None:
    assert shape(expression(text)) == expected


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("3", Fraction(3), None),
        ("0.5", Fraction(1, 2), None),
        ("1_000_000", Fraction(1_000_000), None),
        ("1_.25", Fraction(5, 4), None),
        ("50%", Fraction(1, 2), "%"),
        ("64 MiB", Fraction(64 * 2**20), "MiB"),
        ("64MB", Fraction(64 * 10**6), "MB"),
        ("1.5 kB", Fraction(1500), "kB"),
        ("2 KiB", Fraction(2048), "KiB"),
        ("1 TiB", Fraction(2**40), "TiB"),
        ("1 PB", Fraction(10**15), "PB"),
        ("7 B", Fraction(7), "B"),
        ("80 GB/s", Fraction(80 * 10**9), "GB/s"),
        ("1 B/s", Fraction(1), "B/s"),
        ("200 ms", Fraction(1, 5), "ms"),
        ("3 ns", Fraction(3, 10**9), "ns"),
        ("3 us", Fraction(3, 10**6), "us"),
        ("2 s", Fraction(2), "s"),
        ("2 min", Fraction(120), "min"),
        ("2 h", Fraction(7200), "h"),
    ],
)
def test_quantities_are_exact_and_in_the_base_unit(text: str, value: Fraction, unit: str | None) -> None:
    node = expression(text)
    assert isinstance(node, nodes.Quantity)
    assert (node.value, node.unit) == (value, unit)


@pytest.mark.parametrize(
    ("token", "value"),
    [
        ('""', ""),
        ('"plain"', "plain"),
        (r'"a \"b\" \\ \n \t c"', 'a "b" \\ \n \t c'),
        (r'"\d+ \x"', r"\d+ \x"),
        ('"""x"""', "x"),
        ('"""\n      a\n        b\n\n      c\n    """', "a\n  b\n\nc"),
        ('"""\r\n  a\r\n  b\r\n  """', "a\nb"),
        ('"""say "hi" and \\n"""', 'say "hi" and \\n'),
    ],
)
def test_texts(token: str, value: str) -> None:
    assert build.text(token) == value
    node = expression(token)
    assert isinstance(node, nodes.Text)
    assert node.value == value


def test_operators_know_their_place() -> None:
    node = expression("aa  implies\n bb")
    assert isinstance(node, nodes.Binary)
    text = "contract c { let x = aa  implies\n bb\n}"
    assert text[node.op_span.start : node.op_span.end] == "implies"
    assert text[node.span.start : node.span.end] == "aa  implies\n bb"


def test_words_of_several_parts_are_normal() -> None:
    (contract,) = parse("contract c { control a: count { read at first \n  use } }").file.items
    assert isinstance(contract, nodes.Contract)
    assert [node.moment for node in contract.walk() if isinstance(node, nodes.Read)] == ["first use"]


def test_heights_are_measured_without_recursion() -> None:
    node: nodes.Expression = nodes.Reference(path="a")
    for _ in range(5000):
        node = nodes.Unary(op="-", operand=node)
    assert build.Heights().of(node) == 5001
