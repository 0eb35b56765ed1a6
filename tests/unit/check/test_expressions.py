"""Types, units and constants of expressions."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest

from lpcl.check.context import Context
from lpcl.check.expressions import Typer
from lpcl.check.scopes import Scope, Value
from lpcl.model import types
from lpcl.model.program import Program, SourceFile
from lpcl.syntax import nodes
from lpcl.syntax.parser import parse

Found = Callable[..., list[tuple[str, str]]]

CONTRACT = """package p
import lpcl.core.*
interface blas {{ control threads: count }}
contract c {{
  uses blas: blas
  control threads: count in 1..64 {{ env THREADS  default 4 }}
  control signed: int {{ default 0 - 1 }}
  control cap: bytes {{ default 1 GiB }}
  control wait: time {{ default 10 ms }}
  control part: share {{ default 50% }}
  control fast: bool {{ default true }}
  control layer: {{omp, tbb, workqueue}} {{ default omp }}
  control other: {{omp, native}} {{ default omp }}
  control title: string {{ default "none" }}
  let half = threads div 2
  let value = {0}
  {1}
}}
"""


def contract(expression: str, more: str = "") -> str:
    return CONTRACT.format(expression, more)


GOOD = [
    "threads + signed * 2 - 1",
    "cap / 2 + 32 MiB * threads",
    "cap / wait < machine.memory.bandwidth",
    "cap / cap < 0.5",
    "1 GiB + 200 MB < 2 * cap",
    "min(machine.cpus.affinity, 64) == threads",
    "max(cap, 1 GiB, 20% * machine.memory.total)",
    "clamp(wait, 1 ms, 2 s)",
    "floor(machine.cpus / half) mod 2 == 0",
    "cap div 4 KiB",
    "cap mod 4 KiB == 0 B",
    "layer == omp",
    "omp == layer",
    "(tbb) != layer",
    "layer == other",
    "if fast then omp else layer",
    "if layer == omp then threads else 1",
    'title == "none" and fast or not fast implies threads > 1',
    "defined(threads) and defined(OMP_NUM_THREADS)",
    "loaded(blas)",
    "blas.threads + threads",
    "--threads",
    "not not fast",
    "part < 1 and part == 50%",
    "abs(signed - 3)",
    "machine.gpus * machine.gpu.memory",
    "fast == true",
]

BAD = [
    ("threads + 1 MiB", "dimension-mismatch", "+"),
    ("1 s - cap", "dimension-mismatch", "-"),
    ("cap < 4", "dimension-mismatch", "<"),
    ("wait == cap", "dimension-mismatch", "=="),
    ("cap div wait", "dimension-mismatch", "div"),
    ("min(cap, 4)", "dimension-mismatch", "4"),
    ("clamp(wait, 1, 2 s)", "dimension-mismatch", "1"),
    ("if fast then cap else wait", "dimension-mismatch", "wait"),
    ("if fast then cap else true", "type-mismatch", "true"),
    ("if threads then 1 else 2", "type-mismatch", "threads"),
    ("fast + 1", "type-mismatch", "fast"),
    ("1 + fast", "type-mismatch", "fast"),
    ("threads and fast", "type-mismatch", "threads"),
    ("fast or title", "type-mismatch", "title"),
    ("fast implies threads", "type-mismatch", "threads"),
    ("threads implies fast", "type-mismatch", "threads"),
    ("not threads", "type-mismatch", "threads"),
    ("-title", "type-mismatch", "title"),
    ("floor(fast)", "type-mismatch", "fast"),
    ("title == threads", "type-mismatch", "=="),
    ("title < title", "type-mismatch", "<"),
    ("layer == 1", "type-mismatch", "=="),
    ("layer < omp", "type-mismatch", "<"),
    ("fast > fast", "type-mismatch", ">"),
    ("1 / 0", "division-by-zero", "/"),
    ("threads div (2 - 2)", "division-by-zero", "div"),
    ("threads mod 0", "division-by-zero", "mod"),
    ("cap / 0 B", "division-by-zero", "/"),
    ("layer == opm", "unknown-name", "opm"),
    ("threds + 1", "unknown-name", "threds"),
    ("machine", "unknown-name", "machine"),
    ("process.rss", "unknown-name", "process"),
    ("openblas.threads", "unknown-name", "openblas"),
    ("blas.thread", "unknown-member", "thread"),
    ("blas", "unknown-name", "blas"),
    ("machine.cpus.onlin", "unknown-figure", "cpus.onlin"),
    ("machine.cores", "unknown-figure", "cores"),
    ("minimum(1, 2)", "unknown-function", "minimum"),
    ('threadpool("x").num_threads', "unknown-function", "threadpool"),
    ("min(1)", "argument-count", "min(1)"),
    ("floor(1, 2)", "argument-count", "floor(1, 2)"),
    ("clamp(1, 2)", "argument-count", "clamp(1, 2)"),
    ("defined()", "argument-count", "defined()"),
    ("defined(half)", "unknown-name", "half"),
    ("defined(thraeds)", "unknown-name", "thraeds"),
    ("defined(1)", "type-mismatch", "1"),
    ("loaded(scipy)", "unknown-name", "scipy"),
    ("loaded(1)", "type-mismatch", "1"),
    ("floor(threads).most", "unknown-member", "floor(threads).most"),
]


@pytest.mark.parametrize("expression", GOOD)
def test_good(found: Found, expression: str) -> None:
    assert found(contract(expression)) == []


@pytest.mark.parametrize(("expression", "code", "marked"), BAD)
def test_bad(found: Found, expression: str, code: str, marked: str) -> None:
    assert found(contract(expression)) == [(code, marked)]


def test_each_independent_mistake_is_found(found: Found) -> None:
    assert found(contract("threds + 1 + threds2 * 2")) == [
        ("unknown-name", "threds"),
        ("unknown-name", "threds2"),
    ]


def test_a_mistake_has_no_followers(found: Found) -> None:
    assert found(contract("threds", "let next = value + 1 MiB  let last = next and value")) == [
        ("unknown-name", "threds")
    ]


ASSIGNED = [
    ("control x: count { default machine.cpus.quota }", [("fractional-value", "machine.cpus.quota")]),
    ("control x: count { default 7 / 2 }", [("fractional-value", "7 / 2")]),
    ("control x: count { default 8 / 2 }", []),
    ("control x: count { default threads / 2 }", [("fractional-value", "threads / 2")]),
    ("control x: count { default floor(threads / 2) }", []),
    ("control x: int { default threads div 2 }", []),
    ("control x: count { default 0 - 1 }", [("out-of-range", "0 - 1")]),
    ("control x: count in 1..64 { default 65 }", [("out-of-range", "65")]),
    ("control x: count in 1..64 { default threads }", []),
    ("control x: share { default 120% }", [("out-of-range", "120%")]),
    ("control x: share { default 20 }", [("out-of-range", "20")]),
    ("control x: real in 0..1 { default part }", []),
    ("control x: share { default wait / 3 s }", []),
    ("control x: bytes { default 0 }", [("dimension-mismatch", "0")]),
    ("control x: bytes in 0 B..1 GiB { default 2 GiB }", [("out-of-range", "2 GiB")]),
    ("control x: bytes / time { default 80 GB/s }", []),
    ("control x: bandwidth { default cap / wait }", []),
    ("control x: bandwidth { default cap * wait }", [("dimension-mismatch", "cap * wait")]),
    ("control x: bool { default 1 }", [("type-mismatch", "1")]),
    ('control x: count { default "4" }', [("type-mismatch", '"4"')]),
    ("control x: string { default omp }", [("unknown-name", "omp")]),
    ("control x: {omp, tbb} { default tbb }", []),
    ("control x: {omp, tbb} { default bbt }", [("unknown-name", "bbt")]),
    ('control x: {omp, tbb} { default "omp" }', [("type-mismatch", '"omp"')]),
    ("control x: {omp, tbb} { default other }", [("type-mismatch", "other")]),
    ("control x: {omp, tbb} { default if fast then omp else tbb }", []),
    ("control x: {omp, tbb} { default if fast then omp else tbx }", [("unknown-name", "tbx")]),
    ("control x: count in 1..threads { default 2 }", []),
    ("control x: count in 1..cap { default 2 }", [("dimension-mismatch", "cap")]),
    ("control x: count in 4..1 { default 2 }", [("invalid-type", "4..1")]),
    ("control x: count in -4..1 { default 1 }", [("out-of-range", "-4")]),
    ("control x: bool in 0..1 { default true }", [("invalid-type", "0..1")]),
    ("control x: string * count { default 1 }", [("invalid-type", "string * count")]),
    ("control x: {a, b, a} { default a }", [("duplicate-name", "a")]),
]


@pytest.mark.parametrize(("control", "expected"), ASSIGNED)
def test_assigned(found: Found, control: str, expected: list[tuple[str, str]]) -> None:
    assert found(contract("1", control)) == expected


def test_long_and_deep_expressions_are_checked(found: Found) -> None:
    assert found(contract(" + ".join(["threads"] * 150))) == []
    assert found(contract(" + ".join(["threads"] * 150) + " + 1 s")) == [("dimension-mismatch", "+")]
    assert found(contract(" implies ".join(["fast"] * 150))) == []
    assert found(contract(" * ".join(["1" * 300] * 150))) == []
    assert found(contract("-" * 90 + "threads")) == []


def test_trees_deeper_than_the_parser_makes_are_checked() -> None:
    """A tree from another source may be deep: chains take no more of the stack than single operators."""
    chain: nodes.Expression = nodes.Reference("n")
    implied: nodes.Expression = nodes.Boolean(True)
    for _ in range(50_000):
        chain = nodes.Binary("+", chain, nodes.Quantity(Fraction(1)))
        implied = nodes.Binary("implies", nodes.Boolean(True), implied)
    file = SourceFile("x.lpcl", "", parse(""))
    scope = Scope(Context(Program((file,))), file, {"n": Value(types.COUNT)})
    assert Typer(scope).infer(chain).type == types.INT
    assert Typer(scope).infer(implied).type == types.BOOL


def test_a_let_carries_its_constant(found: Found) -> None:
    assert found(contract("0", "let bad = 1 / value")) == [("division-by-zero", "/")]


def test_lets_that_refer_to_each_other_end(found: Found) -> None:
    assert found(contract("again", "let again = value"))[0][0] == "cyclic-value"
