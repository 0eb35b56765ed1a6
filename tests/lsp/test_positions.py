"""Offsets and positions: there and back, in every unit that an editor may count."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol.types import Position, PositionEncodingKind

from lpcl.syntax.span import Span
from lsp_server.positions import Positions

ENCODINGS = (PositionEncodingKind.Utf8, PositionEncodingKind.Utf16, PositionEncodingKind.Utf32)

texts = st.text(
    st.one_of(
        st.sampled_from("ab{}\n\r\té\u2028\x0c\x85é漢😀👩‍🔬\ufeff"),
        st.characters(exclude_categories=("Cs",)),
    ),
    max_size=60,
)


def units(text: str, encoding: str) -> int:
    """How many code units a piece of one line has, counted by encoding it."""
    if encoding == PositionEncodingKind.Utf8:
        return len(text.encode("utf-8"))
    if encoding == PositionEncodingKind.Utf16:
        return len(text.encode("utf-16-le")) // 2
    return len(text)


def lines(text: str) -> list[str]:
    """The lines as the protocol divides a text."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


@given(texts, st.sampled_from(ENCODINGS))
def test_every_offset_goes_there_and_back(text: str, encoding: str) -> None:
    positions = Positions(text, encoding)
    for offset in range(len(text) + 1):
        inside_line_end = text[offset - 1 : offset + 1] == "\r\n"
        back = positions.offset(positions.position(offset))
        assert back == offset - inside_line_end


@given(texts, st.sampled_from(ENCODINGS))
def test_a_position_is_its_line_and_the_units_before_it(text: str, encoding: str) -> None:
    positions = Positions(text, encoding)
    for offset in range(len(text) + 1):
        found = positions.position(offset)
        before = lines(text[: offset - (text[offset - 1 : offset + 1] == "\r\n")])
        assert (found.line, found.character) == (len(before) - 1, units(before[-1], encoding))


@given(texts, st.integers(0, 80), st.integers(0, 80), st.sampled_from(ENCODINGS))
def test_any_position_is_some_offset(text: str, line: int, character: int, encoding: str) -> None:
    offset = Positions(text, encoding).offset(Position(line, character))
    assert 0 <= offset <= len(text)
    if line < len(lines(text)):
        assert Positions(text, encoding).position(offset).line == line


@given(texts, st.integers(-5, 80), st.integers(-5, 80))
def test_ranges_never_leave_the_text(text: str, start: int, end: int) -> None:
    found = Positions(text).range(Span(min(start, end), max(start, end)))
    assert (found.start.line, found.start.character) <= (found.end.line, found.end.character)
    assert found.end.line < len(lines(text))


@pytest.mark.parametrize(
    ("encoding", "column"),
    [(PositionEncodingKind.Utf8, 8), (PositionEncodingKind.Utf16, 5), (PositionEncodingKind.Utf32, 4)],
)
def test_emoji_before_the_place(encoding: str, column: int) -> None:
    text = "x\n😀é  threads"
    positions = Positions(text, encoding)
    offset = text.index("threads")
    assert positions.position(offset) == Position(1, column)
    assert positions.offset(Position(1, column)) == offset


def test_a_column_inside_an_emoji_is_the_emoji() -> None:
    assert Positions("a😀b").offset(Position(0, 2)) == 1


def test_only_line_feeds_and_carriage_returns_end_lines() -> None:
    text = "a\u2028b\x0cc\x85d\ne"
    assert Positions(text).position(text.index("e")) == Position(1, 0)
