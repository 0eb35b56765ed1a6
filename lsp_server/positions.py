"""Offsets in a text and positions as editors count them: the one place where the two meet.

An offset counts characters from 0. A position has a line, ended by ``\\n``, ``\\r\\n`` or ``\\r`` alone, and
a column that counts code units: of UTF-16 unless editor and server agreed on UTF-8 or on whole characters.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable

from lsprotocol.types import Position, PositionEncodingKind, Range

from lpcl.syntax.span import Span

_LINE_END = re.compile(r"\r\n|\r|\n")


def _utf16(text: str) -> int:
    return len(text) + sum(character > "\uffff" for character in text)


def _utf8(text: str) -> int:
    return len(text.encode("utf-8", errors="surrogatepass"))


_UNITS: dict[str, Callable[[str], int]] = {
    PositionEncodingKind.Utf8: _utf8,
    PositionEncodingKind.Utf16: _utf16,
    PositionEncodingKind.Utf32: len,
}


class Positions:
    """The positions of one text. What lies outside the text is moved to the nearest place inside."""

    def __init__(self, text: str, encoding: str = PositionEncodingKind.Utf16) -> None:
        self._text = text
        self._units = len if text.isascii() else _UNITS.get(encoding, _utf16)
        self._starts = [0]
        self._ends: list[int] = []
        for found in _LINE_END.finditer(text):
            self._ends.append(found.start())
            self._starts.append(found.end())
        self._ends.append(len(text))

    def position(self, offset: int) -> Position:
        """Where the character at `offset` stands; one within a line's end counts as that end."""
        offset = max(0, min(offset, len(self._text)))
        line = bisect_right(self._starts, offset) - 1
        start, end = self._starts[line], min(offset, self._ends[line])
        return Position(line, self._units(self._text[start:end]))

    def offset(self, position: Position) -> int:
        """The character at a position; a column inside a character means the character."""
        if position.line >= len(self._starts):
            return len(self._text)
        start, end = self._starts[position.line], self._ends[position.line]
        column = position.character
        if self._units is len:
            return min(start + column, end)
        for index in range(start, end):
            column -= self._units(self._text[index])
            if column < 0:
                return index
        return end

    def range(self, span: Span) -> Range:
        """The range of a span."""
        return Range(self.position(span.start), self.position(span.end))
