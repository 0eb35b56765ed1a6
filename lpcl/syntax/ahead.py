"""Where lines and declarations start, found as far as somebody asks: a reading looks at little of a text."""

from __future__ import annotations

import re
from bisect import bisect_right

from lpcl.syntax.tokens import outline

_LINE_END = re.compile(r"\r\n|\n|\r")


class LineStarts:
    """The lines of a text of `length` from the one that holds `start` on, counted from there."""

    def __init__(self, text: str, length: int, start: int) -> None:
        first = max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1
        self._found = _LINE_END.finditer(text, first, length)
        self._starts = [first]
        self._length = length
        self._known = first

    def line(self, offset: int) -> int:
        """The line that holds an offset; a line's end belongs to it."""
        while self._known <= offset:
            following = next(self._found, None)
            if following is None:
                self._known = self._length + 1
                break
            self._known = following.end()
            self._starts.append(self._known)
        return bisect_right(self._starts, offset) - 1

    def end(self, offset: int) -> int:
        """Behind the line that holds an offset; the end of the text for the last one."""
        line = self.line(offset)
        following = self._starts[line + 1] if line + 1 < len(self._starts) else self._known
        return min(following, self._length)

    def start(self, line: int) -> int:
        """The offset of a line's first character."""
        return self._starts[line]


class Declarations:
    """The offsets of declarations, and of their annotations, that start a line from `start` on."""

    def __init__(self, text: str, length: int, start: int) -> None:
        self._found = outline(text, start, length)
        self._offsets: list[int] = []
        self._known = -1
        self._length = length

    def following(self, offset: int) -> int:
        """The first one behind an offset; the end of the text where there is none."""
        self._find(offset)
        index = bisect_right(self._offsets, offset)
        return self._offsets[index] if index < len(self._offsets) else self._length

    def __contains__(self, offset: int) -> bool:
        self._find(offset)
        index = bisect_right(self._offsets, offset)
        return index > 0 and self._offsets[index - 1] == offset

    def _find(self, offset: int) -> None:
        """Know all up to the first one behind an offset."""
        while self._known <= offset:
            following = next(self._found, None)
            if following is None:
                return
            self._known = following
            self._offsets.append(following)
