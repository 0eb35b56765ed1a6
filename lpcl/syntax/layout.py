"""Where braces are probably missing or too many, judged by how the lines are indented.

Only asked where the braces of a declaration do not match, so that a text without such a fault may be laid out
as its author likes.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field

from lpcl.syntax.ahead import LineStarts
from lpcl.syntax.effort import Effort
from lpcl.syntax.lines import Lines
from lpcl.syntax.tokens import Token, plain, run_behind, skip

_DEEPEST = 1000  # no text nests so deep that is to be read by its indentation


@dataclass(slots=True)
class Layout:
    """Offsets of tokens: `closing` lacks a `}` in front of it, `opening` a `{`; `stray` is one too many."""

    closing: set[int] = field(default_factory=set)
    opening: set[int] = field(default_factory=set)
    stray: set[int] = field(default_factory=set)
    _sorted: list[int] | None = None

    def between(self, start: int, stop: int) -> bool:
        """Whether something is wrong behind one offset, up to another. All is known when this is asked."""
        if self._sorted is None:
            self._sorted = sorted(self.closing | self.opening | self.stray)
        return bisect_right(self._sorted, start) < bisect_right(self._sorted, stop)


@dataclass(slots=True)
class _Open:
    indent: int
    line: int


def layout(text: str, lines: Lines | LineStarts, start: int, stop: int, effort: Effort) -> Layout:
    """What is wrong with the braces from `start` to `stop`; raises `Enough`."""
    return _Reader(text, lines, stop, effort).read(start)


class _Reader:
    def __init__(self, text: str, lines: Lines | LineStarts, stop: int, effort: Effort) -> None:
        self.text = text
        self.effort = effort
        self.lines = lines
        self.stop = stop
        self.found = Layout()
        self.stack: list[_Open] = []
        self.bare: dict[
            int, tuple[int, int]
        ] = {}  # by indent: the last line without a brace, and what follows it

    def read(self, start: int) -> Layout:
        offset = skip(self.text, start)
        line = -1
        indent = 0
        last = start
        while offset < self.stop:
            at = self.effort.token(self.text, offset, self.stop)
            here = self.lines.line(offset)
            first = here != line and self.lines.line(last) != here
            if here != line:
                line = here
                if first or offset == start:
                    indent = offset - self.lines.start(here)
                    self.line_begins(at, indent)
            following = skip(self.text, at.end)
            self.brace(at, first, indent, here, following)
            last = max(at.end - 1, start)
            ends_plainly = at.kind != "text" and not at.text.endswith(("{", "}"))
            if (run := run_behind(self.text, at.end, self.stop, plain())) is not None:
                last, ends_plainly = run[1] - 1, True
                self.effort.run(run[1] - at.end)
                following = skip(self.text, run[1])
            if ends_plainly and self.lines.line(following) != here:
                self.bare[indent] = (here, following)
            offset = following
        for _ in self.stack:
            self.found.closing.add(self.stop)
        return self.found

    def line_begins(self, at: Token, indent: int) -> None:
        if at.text == "}":
            return
        while self.stack and self.stack[-1].indent >= indent:
            opened = self.stack[-1]
            if at.text == "{" and opened.indent == indent and self.lines.line(at.start) == opened.line + 1:
                return
            self.stack.pop()
            self.found.closing.add(at.start)

    def brace(self, at: Token, first: bool, indent: int, line: int, following: int) -> None:
        if at.text in ("{", ".{"):
            if len(self.stack) < _DEEPEST:
                self.stack.append(_Open(indent, line))
        elif at.text == "}":
            if first:
                self.closing_line(at, indent, following)
            elif not self.stack:
                self.found.stray.add(at.start)
            elif self.stack[-1].line == line:
                self.stack.pop()
            elif self.goes_on(following, self.stack[-1]):
                self.found.stray.add(at.start)
            else:
                self.stack.pop()

    def goes_on(self, following: int, opened: _Open) -> bool:
        """Whether the block still has lines behind a `}` that does not stand on a line of its own."""
        if following >= self.stop or self.text[following] == "}":
            return following < self.stop and self.column(following) == opened.indent
        return self.column(following) > opened.indent

    def column(self, offset: int) -> int:
        return offset - self.lines.start(self.lines.line(offset))

    def closing_line(self, at: Token, indent: int, following: int) -> None:
        while self.stack and self.stack[-1].indent > indent:
            self.stack.pop()
            self.found.closing.add(at.start)
        if self.stack and self.stack[-1].indent == indent:
            if following < self.stop and self.text[following] != "}" and self.column(following) > indent:
                self.found.stray.add(at.start)  # the block goes on behind it
            else:
                self.stack.pop()
            return
        line, following = self.bare.get(indent, (-1, -1))
        inside = not self.stack or line > self.stack[-1].line
        if line >= 0 and inside and following < at.start and self.column(following) > indent:
            self.found.opening.add(following)
        else:
            self.found.stray.add(at.start)
