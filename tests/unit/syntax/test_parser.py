"""Texts as they come: comments and documentation, line ends, marks, bytes."""

from __future__ import annotations

import gc
import sys

import pytest

from lpcl.syntax import nodes
from lpcl.syntax.parser import parse, parse_bytes
from tests.unit.syntax import stock


def docs(text: str) -> list[tuple[str, str | None]]:
    return [(type(node).__name__, node.doc) for node in parse(text).file.walk() if node.doc is not None]


@pytest.mark.parametrize(
    "text", ["", " \r\n\t", "// only a comment", "/* a */ /// b", "\ufeff", "\ufeff// c\n"]
)
def test_a_text_without_declarations_is_an_empty_file(text: str) -> None:
    parsed = parse(text)
    assert parsed.file == nodes.File()
    assert parsed.faults == ()


def test_documentation_belongs_to_what_follows() -> None:
    text = """\
/// About the package.
package a

/// Not this: an empty line follows within it.

/// One.
///   Two, indented.
///
@since("1")
contract c {
  /// A control.
  control x: count {
    /// A clause.
    default 3
  }
  size_of /// not at the start of a line
}
""".replace("  size_of", "  let y = 1 ")
    assert docs(text) == [
        ("Package", "About the package."),
        ("Contract", "One.\n  Two, indented.\n"),
        ("Control", "A control."),
        ("Default", "A clause."),
    ]


def test_documentation_is_found_behind_other_comments_and_in_broken_declarations() -> None:
    text = (
        "/// Doc.\n// remark\ncontract c {\n  /// Inner.\n  /* b */ let x = 1\n"
        "  let y =\n  /// Pool.\n  pool p {\n"
    )
    assert docs(text) == [("Contract", "Doc."), ("Let", "Inner."), ("Pool", "Pool.")]


def test_comments_are_all_there_in_order() -> None:
    text = '// a\ncontract c { /* b\n c */ let x = "// not" /// d\n}\n//// e'
    comments = parse(text).comments
    assert [comment.text for comment in comments] == ["// a", "/* b\n c */", "/// d", "//// e"]
    assert all(text[comment.span.start : comment.span.end] == comment.text for comment in comments)
    assert docs(text) == []


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends(end: str) -> None:
    text = '/// Doc.\ncontract c { // c\n  let x = 1 // d\n  let y = """\n  a\n  b"""\n}\n'.replace("\n", end)
    parsed = parse(text)
    assert parsed.faults == ()
    (contract,) = parsed.file.items
    assert contract.doc == "Doc."
    assert [node.value for node in contract.walk() if isinstance(node, nodes.Text)] == ["a\nb"]
    stock.assert_same(stock.parse(text), parsed.file)


def test_a_byte_order_mark_is_no_fault_and_counts_as_a_character() -> None:
    parsed = parse("\ufeffpackage a")
    assert parsed.faults == ()
    assert parsed.file.items[0].span.start == 1


def test_good_bytes() -> None:
    text, parsed = parse_bytes("package größe".encode())
    assert text == "package größe"
    assert parsed.faults == ()


def test_bad_bytes_are_a_fault_each_line_and_the_rest_is_parsed() -> None:
    text, parsed = parse_bytes(b"package a // \xff\xfe \xc3\ncontract c { let x = 1 } // \x80\n")
    assert text == "package a // \ufffd\ufffd \ufffd\ncontract c { let x = 1 } // \ufffd\n"
    assert [(fault.kind, fault.span.start, fault.span.end) for fault in parsed.faults] == [
        ("encoding", 13, 17),
        ("encoding", 46, 47),
    ]
    assert parsed.faults[0].headline == "this is not UTF-8: byte 0xFF"
    assert len(parsed.file.items) == 2


def test_a_bad_byte_in_code_is_one_fault() -> None:
    _, parsed = parse_bytes(b"contract c { let \xff = 1\n let y = 2 }")
    assert [fault.kind for fault in parsed.faults] == ["encoding"]


def test_utf_16_is_named() -> None:
    _, parsed = parse_bytes("package a".encode("utf-16"))
    assert "UTF-16" in parsed.faults[0].headline


@pytest.mark.parametrize("on", [True, False])
def test_the_garbage_collector_is_left_as_it_was(on: bool) -> None:
    was = gc.isenabled()
    try:
        (gc.enable if on else gc.disable)()
        parse("contract {")
        assert gc.isenabled() is on
    finally:
        (gc.enable if was else gc.disable)()


def test_trees_are_frozen_and_comparable() -> None:
    text = "contract c { let x = 1 + 2 }"
    (left,), (right,) = parse(text).file.items, parse("  " + text).file.items
    assert left == right
    assert hash(left) == hash(right)
    assert left.span != right.span


def test_a_stack_that_is_used_up_is_a_fault() -> None:
    def down(left: int) -> int:
        return (
            down(left - 1)
            if left
            else len(parse("contract c { let x = " + "(" * 90 + "1" + ")" * 90 + "}").faults)
        )

    limit = sys.getrecursionlimit()
    found = None
    for left in range(limit, 0, -10):
        try:
            found = down(left)
            break
        except RecursionError:
            continue
    assert found == 1
