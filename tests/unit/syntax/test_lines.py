"""Offsets to lines and back, over every kind of line end."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lpcl.syntax.lines import Lines

TEXT = "ab\ncd\r\ne\rf\r\r\n"


@pytest.mark.parametrize(
    ("offset", "position"),
    [
        (0, (0, 0)), (2, (0, 2)), (3, (1, 0)), (5, (1, 2)), (6, (1, 3)), (7, (2, 0)), (8, (2, 1)),
        (9, (3, 0)), (11, (4, 0)), (12, (4, 1)), (13, (5, 0)), (99, (5, 0)), (-1, (0, 0)),
    ],
)  # fmt: skip
def test_position(offset: int, position: tuple[int, int]) -> None:
    assert Lines(TEXT).position(offset) == position


def test_lines_have_ends_without_their_line_ends() -> None:
    lines = Lines(TEXT)
    assert lines.count == 6
    assert [TEXT[lines.start(n) : lines.end(n)] for n in range(lines.count)] == ["ab", "cd", "e", "f", "", ""]


@pytest.mark.parametrize(
    ("line", "column", "offset"), [(0, 9, 2), (1, 99, 5), (-1, 5, 0), (99, 0, 13), (2, -3, 7), (5, 1, 13)]
)
def test_places_that_do_not_exist_are_taken_to_the_nearest(line: int, column: int, offset: int) -> None:
    assert Lines(TEXT).offset(line, column) == offset


def test_other_separators_end_no_line() -> None:
    assert Lines("a\u2028b\x0bc\x0cd\x85e").count == 1


@given(st.text(alphabet="ab\r\n"))
def test_every_offset_survives_the_round_trip(text: str) -> None:
    lines = Lines(text)
    for offset in range(len(text) + 1):
        line, column = lines.position(offset)
        if lines.start(line) + column <= lines.end(line):
            assert lines.offset(line, column) == offset
    ends = text.replace("\r\n", "\n").replace("\r", "\n")
    assert lines.count == ends.count("\n") + 1
