"""Offsets and lines of a text: a line ends at a line feed, at a carriage return, or at both together."""

from __future__ import annotations

import re
from bisect import bisect_right

_LINE_END = re.compile(r"\r\n|\n|\r")


class Lines:
    """The lines of one text. Lines and columns count from 0, columns in characters."""

    __slots__ = ("_ends", "_starts", "length")

    def __init__(self, text: str) -> None:
        ends = [(m.start(), m.end()) for m in _LINE_END.finditer(text)]
        self.length = len(text)
        self._starts = [0, *(after for _, after in ends)]
        self._ends = [*(before for before, _ in ends), len(text)]

    @property
    def count(self) -> int:
        """How many lines there are; a text without any line end has one."""
        return len(self._starts)

    def line(self, offset: int) -> int:
        """The line that holds an offset; a line's end belongs to it."""
        return bisect_right(self._starts, max(offset, 0)) - 1

    def position(self, offset: int) -> tuple[int, int]:
        """An offset's line and column; an offset outside the text is taken to its nearest end."""
        offset = min(max(offset, 0), self.length)
        line = self.line(offset)
        return line, offset - self._starts[line]

    def offset(self, line: int, column: int) -> int:
        """The offset at a line and column; a place that does not exist is taken to the nearest that does."""
        if line < 0:
            return 0
        if line >= len(self._starts):
            return self.length
        return min(self._starts[line] + max(column, 0), self._ends[line])

    def start(self, line: int) -> int:
        """The offset of a line's first character."""
        return self._starts[line]

    def end(self, line: int) -> int:
        """The offset behind a line's last character, in front of its line end."""
        return self._ends[line]
