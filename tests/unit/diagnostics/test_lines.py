"""Offsets as lines and columns."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lpcl.diagnostics.lines import Lines


@pytest.mark.parametrize(
    ("text", "offset", "place"),
    [
        ("", 0, (1, 1)),
        ("ab\ncd", 0, (1, 1)),
        ("ab\ncd", 2, (1, 3)),
        ("ab\ncd", 3, (2, 1)),
        ("ab\ncd", 99, (2, 3)),
        ("ab\r\ncd", 4, (2, 1)),
        ("ab\rcd", 3, (2, 1)),
        ("ab\n", 3, (2, 1)),
    ],
)
def test_place(text: str, offset: int, place: tuple[int, int]) -> None:
    assert Lines(text).place(offset) == place


@given(st.text(alphabet="ab\n\r\té", max_size=30), st.integers(0, 30))
def test_lines_cover_the_text(text: str, offset: int) -> None:
    lines = Lines(text)
    line, column = lines.place(offset)
    start, end = lines.bounds(line)
    assert start + column - 1 == min(offset, len(text))
    assert 1 <= line <= len(lines)
    assert "\n" not in text[start:end]
