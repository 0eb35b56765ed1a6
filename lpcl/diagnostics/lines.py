"""Offsets of a text as lines and columns."""

from __future__ import annotations

import re
from bisect import bisect_right

_BREAK = re.compile(r"\r\n|\n|\r")


class Lines:
    """The lines of a text. Lines and columns count from 1, columns in characters."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._starts = [0]
        self._ends: list[int] = []
        for found in _BREAK.finditer(text):
            self._ends.append(found.start())
            self._starts.append(found.end())
        self._ends.append(len(text))

    def __len__(self) -> int:
        return len(self._starts)

    def place(self, offset: int) -> tuple[int, int]:
        """The line and the column of an offset; one beyond the text counts as its end."""
        offset = max(0, min(offset, len(self.text)))
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def utf16(self, offset: int) -> tuple[int, int]:
        """The line and the column in code units of UTF-16, which has two for a character beyond U+FFFF."""
        line, column = self.place(offset)
        start = self._starts[line - 1]
        before = self.text[start : start + column - 1]
        return line, column + sum(character > "\uffff" for character in before)

    def bounds(self, line: int) -> tuple[int, int]:
        """Where a line begins and where it ends, its break left out."""
        return self._starts[line - 1], self._ends[line - 1]
