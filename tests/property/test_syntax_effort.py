"""What the parser does about a text is in proportion to its length, counted in calls and not in seconds."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from lpcl.syntax.effort import ALLOWED
from lpcl.syntax.parser import parse
from tests.property.work import calls_of

PIECES = [
    "{", "}", "{ ", "{\n", "}\n", "{}", "}{", ".{", "(", ")", '"', '"\n', '" ', '"""\n', "/* ", "/* \n@\n",
    "/**/", "// a\n", "/// a\n", "/// a\n\n", "/// a\ncontract c {}\n", "\0", "\r", "\r\n", " ", ";", ",",
    "=", "\\", "@a ", '@since("1")\n', "x ", "x\n", "1 ", "contract ", "contract\n", "contract c {\n",
    "contract c { } } ", "contract a { /* \n", "application a { run { b\n", "import a.b\n", "é", "\ufeff",
    "\udcff",
]  # fmt: skip

INSIDE = [
    "{", "}", "(", "-", '"', '" ', "not ", "1 + ", "1, ", "f(", "a.", "1 < ", "if a then ", "x ", "x\n",
    "x /* ", "demand ", "demnad x = 3\n", "demand x = 3 foo\n", "demand x = 3 foo ", "control a: count {\n",
    "operation o { ", "pool p {\n size 4\n\n", "machine,\n", "let a = \n", "  \t",
]  # fmt: skip

HEADS = [
    "contract c {\n%s",
    "contract c {\n let x = %s",
    "application a {\n run {\n  b(n = %s",
    'test "t" {\n%s',
]


def in_proportion(make: Callable[[int], str]) -> None:
    small, big = make(4_000), make(8_000)
    once, _ = calls_of(lambda: parse(small))
    twice, parsed = calls_of(lambda: parse(big))
    assert twice < 2.3 * once + 2_000, f"{once} calls for {len(small)} characters, {twice} for {len(big)}"
    assert twice < 30 * len(big) + 10 * ALLOWED
    assert len(parsed.faults) <= 1001


@pytest.mark.parametrize("piece", PIECES)
def test_repetitions(piece: str) -> None:
    in_proportion(lambda size: piece * (size // len(piece)))


@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize("piece", INSIDE)
def test_repetitions_inside(head: str, piece: str) -> None:
    in_proportion(lambda size: head % (piece * (size // len(piece))))


@pytest.mark.parametrize("piece", ["{", "}", '" ', "x\n", "demand x = 3 foo\n", "contract c { } } ", "1, "])
def test_what_is_broken_is_given_up(piece: str) -> None:
    """Beyond what is allowed, a text costs what its characters cost, and the first faults are still told."""
    text = "contract c {\n let x = f(" + piece * (400_000 // len(piece)) + "\ncontract d {\n}\n"
    number, parsed = calls_of(lambda: parse(text))
    assert number < 30 * ALLOWED + 5 * len(text)
    told = [fault.headline for fault in parsed.faults]
    assert told[-1].endswith("behind this place are not shown")
    assert len(told) > 1
    assert parsed.file.items[-1].span.start == text.index("contract d")
