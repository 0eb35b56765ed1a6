"""The rules of the house style one by one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lpcl.format import WIDTH, format_text

ROOT = Path(__file__).resolve().parents[3]


def members(text: str) -> str:
    """What becomes of the inside of a contract."""
    made = format_text(f"contract c {{\n{text}\n}}\n")
    assert made.startswith("contract c {\n")
    assert made.endswith("\n}\n")
    assert format_text(made) == made
    return "\n".join(line.removeprefix("  ") for line in made.split("\n")[1:-2])


def statements(text: str) -> str:
    """What becomes of the inside of a run block."""
    made = format_text(f"application a {{\nrun {{\n{text}\n}}\n}}\n")
    assert format_text(made) == made
    return "\n".join(line.removeprefix("    ") for line in made.split("\n")[2:-3])


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("let   a=1+b*2", "let a = 1 + b * 2"),
        ("let a = - ( b+1 )", "let a = -(b + 1)"),
        ("let a = not(b) and  not c", "let a = not (b) and not c"),
        ("let a = b - -c", "let a = b - -c"),
        ("let a = 50  %", "let a = 50%"),
        ("let a = 64MiB / 2  GB/s", "let a = 64 MiB / 2 GB/s"),
        ("let a = max ( 1 , f( ) )", "let a = max(1, f())"),
        ('let a = threadpool( "x" ) . size', 'let a = threadpool("x").size'),
        ("control a:count in 1 .. 64", "control a: count in 1..64"),
        ("control a: int in - 1 .. 64", "control a: int in -1..64"),
        ("control a: bytes in 0 B..4 GiB", "control a: bytes in 0 B .. 4 GiB"),
        ("control a: count in 1..n+1", "control a: count in 1 .. n + 1"),
        ("control a: { b,c }", "control a: {b, c}"),
        ("control a: {b}{ default b }", "control a: {b} { default b }"),
        ("operation a ( ) { }", "operation a() {}"),
        ("operation a(b:count=1,c:{x,y}=x){}", "operation a(b: count = 1, c: {x, y} = x) {}"),
        ("operation a { calls b.c( n=1 ) with  block }", "operation a { calls b.c(n = 1) with block }"),
        ("pool a { created at first  use }", "pool a { created at first use }"),
        ('library{pypi "a" ">=1"}', 'library { pypi "a" ">=1" }'),
    ],
)
def test_blanks(before: str, after: str) -> None:
    assert members(before) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("import  a.b .{ c,d }\n", "import a.b.{c, d}\n"),
        ("import a.b .*\n", "import a.b.*\n"),
        ("\ufeffpackage a\r\n\r\n\r\n\r\nimport b.c\r", "package a\n\nimport b.c\n"),
        ("", ""),
        (" \n\t\n", ""),
        ("// only this", "// only this\n"),
        ("application a { use b{c=d   private} }", "application a { use b { c = d private } }\n"),
        ('test "a" { expect safe with{} }', 'test "a" { expect safe with {} }\n'),
    ],
)
def test_files(before: str, after: str) -> None:
    assert format_text(before) == after


def test_empty_lines_are_kept_one_at_a_time_and_not_at_the_ends_of_a_block() -> None:
    assert members("\n\nlet a = 1\nlet b = 2\n\n\n\nlet c = 3\n\n") == "let a = 1\nlet b = 2\n\nlet c = 3"


def test_a_block_on_one_line_stays_there_if_it_fits() -> None:
    assert members("pool a {size 1 callers queue}") == "pool a { size 1  callers queue }"
    assert members("pool a {size 1\ncallers queue}") == "pool a {\n  size 1\n  callers queue\n}"
    long = "a" * 80
    assert (
        members(f"pool {long} {{ size 1  callers queue }}")
        == f"pool {long} {{\n  size 1\n  callers queue\n}}"
    )


def test_clauses_on_one_line_stay_together_if_they_fit() -> None:
    assert members("pool a {\nsize 1 callers queue\nfork safe\n}") == (
        "pool a {\n  size 1  callers queue\n  fork safe\n}"
    )
    long = "a" * 80
    assert (
        members(f"pool a {{\nsize {long} callers queue\n}}")
        == f"pool a {{\n  size {long}\n  callers queue\n}}"
    )


def test_a_clause_with_an_annotation_may_have_its_block_on_one_line() -> None:
    assert members('@since("1")\non load { set A = 1 }') == '@since("1")\non load { set A = 1 }'
    assert members('@since("1") on load { set A = 1 }') == '@since("1") on load { set A = 1 }'


def test_comments() -> None:
    assert members(
        "// first\nlet a = 1     // behind\n  /// documented\nlet b = 2 /* same */ // line\n"
        "/* in front */ let c = 3\n// last"
    ) == (
        "// first\nlet a = 1  // behind\n/// documented\nlet b = 2  /* same */  // line\n"
        "/* in front */ let c = 3\n// last"
    )


def test_comments_at_the_braces() -> None:
    assert members("pool a { // opening\n\n size 1\n } // closing") == (
        "pool a {  // opening\n  size 1\n}  // closing"
    )
    assert members("pool a { /* only this */ }") == "pool a { /* only this */ }"
    assert members("pool a {\n// only this\n}") == "pool a {\n  // only this\n}"


def test_comments_inside_of_a_clause() -> None:
    assert members("let a = /* why */ 1") == "let a = /* why */ 1"
    assert members("control a: count { env A, // first\n B }") == (
        "control a: count {\n  env A,  // first\n    B\n}"
    )
    assert members("operation a(\n/// what\nb: count, // more\n\nc: count\n)") == (
        "operation a(\n  /// what\n  b: count,  // more\n  c: count\n)"
    )


def test_a_longer_comment_moves_along() -> None:
    assert members("      /* one\n         two\n\n       three */\n  let a = 1") == (
        "/* one\n   two\n\n three */\nlet a = 1"
    )


def test_an_annotation_stands_above_if_the_author_put_it_there() -> None:
    assert members('@since( "1" )\n\n@source("a",\n "b")\ncontrol a: count') == (
        '@since("1")\n@source("a", "b")\ncontrol a: count'
    )


def test_texts_move_with_their_clause() -> None:
    code = '"""\n        import os\n\n        if os:\n          x = 1  \n   \n     """'
    assert members(f'evidence "a" {{\n      python {code}\n}}') == (
        'evidence "a" {\n  python """\n    import os\n\n    if os:\n      x = 1  \n\n  """\n}'
    )


@pytest.mark.parametrize("text", ['"""a\n      b"""', '"""\n  a\n   b"""', '"""a "b" c"""', '"a \\" // b"'])
def test_other_texts_stay_as_they_are(text: str) -> None:
    made = format_text(f"contract c {{\nlet   a = {text}\n}}\n")
    assert made == f"contract c {{\n  let a = {text}\n}}\n"


A, B, C = "a" * 40, "b" * 40, "c" * 40


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f"demand x = {A} * {B} when {C}", f"demand x = {A} * {B}\n  when {C}"),
        (f"let x = {A} + {B} * 2 + {C}", f"let x = {A}\n  + {B} * 2\n  + {C}"),
        (f"let x = ({A} or {B} or {C})", f"let x = (\n  {A}\n  or {B}\n  or {C}\n)"),
        (f"let {A} = {B} + {C[:15]}", f"let {A} =\n  {B} + {C[:15]}"),
        (f"let {A} = min({B}, {C[:20]})", f"let {A} =\n  min({B}, {C[:20]})"),
        (f"let x = f({A}, {B}, {C})", f"let x = f(\n  {A},\n  {B},\n  {C}\n)"),
        (f"let x = if {A} then {B} else if y then {C} else z",
         f"let x = if {A} then {B}\n  else if y then {C}\n  else z"),
        (f'assume {A} == {B} else "{C}"', f'assume {A} == {B}\n  else "{C}"'),
        ('assume a\nelse "b"', 'assume a\n  else "b"'),
        ("signal a: count = b indicates c when d", "signal a: count = b indicates c when d"),
        ("signal a: count = b\nindicates c when d", "signal a: count = b\n  indicates c when d"),
        (f"operation a({A}: count, {B}: count, c: count) {{ runs on w }}",
         f"operation a(\n  {A}: count,\n  {B}: count,\n  c: count\n) {{ runs on w }}"),
        (f"operation a {{ workers threads {A} when {B} or {C[:20]} {{ start fork }} }}",
         f"operation a {{\n  workers threads {A}\n      when {B} or {C[:20]} {{ start fork }}\n}}"),
        (f"uses {A}: {B} = {C} private", f"uses {A}: {B} = {C} private"),
    ],
)  # fmt: skip
def test_long_lines(before: str, after: str) -> None:
    assert members(before) == after


def test_long_lists_are_filled() -> None:
    names = ", ".join(["ABCDEFGHIJ"] * 20)
    made = members(f"control a: count {{\nenv {names}\n}}").split("\n")
    assert [len(line) for line in made[1:-1]] == [89, 87, 74]
    assert made[2].startswith("    ABC")


def test_statements() -> None:
    assert statements("together{a.b   c.d}\n{ a.b }\nlimit a.b=2{ c.d( n=1 ){e.f} }") == (
        "together { a.b  c.d }\n{ a.b }\nlimit a.b = 2 { c.d(n = 1) { e.f } }"
    )


def test_a_broken_clause_stays_and_its_neighbours_are_formatted() -> None:
    before = (
        "contract   c {\nlet   a=1\n   demnad  x  =   3  // so\n pool  p {\n   sise   3\n"
        "      fork   safe }\nlet b =   \n}\n"
    )
    after = (
        "contract c {\n  let a = 1\n   demnad  x  =   3  // so\n  pool p {\n   sise   3\n"
        "    fork safe\n  }\nlet b =   \n}\n"
    )
    assert format_text(before) == after
    assert format_text(after) == after


def test_a_declaration_with_a_missing_brace_stays_and_the_others_are_formatted() -> None:
    broken = "contract  a {\n   pool  p {\n   let   x = 1\n}\n"
    good = "contract b { let c = 1 }\n"
    assert format_text(f"{broken}\n{good.replace(' ', '   ')}") == f"{broken}\n{good}"


def test_the_example_of_the_documentation() -> None:
    page = (ROOT / "docs" / "reference" / "format.md").read_text(encoding="utf-8")
    before, after = re.findall(r"^```lpcl fragment=contract[^\n]*\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    assert members(before.rstrip("\n")) == after.rstrip("\n")


def test_the_width_is_the_documented_one() -> None:
    page = (ROOT / "docs" / "reference" / "format.md").read_text(encoding="utf-8")
    assert f"more than {WIDTH} columns" in page
