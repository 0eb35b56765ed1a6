"""Parsing one clause as if its text were a little different, with every place as it is in the real text."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from lpcl.syntax import _generated, nodes
from lpcl.syntax.effort import Effort
from lpcl.syntax.quick import span
from lpcl.syntax.span import Span


@dataclass(frozen=True, slots=True)
class Edit:
    """The text from `start` to `end` is to be read as `text`; offsets are the real text's."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Trial:
    """What came of it: a node or a header's attributes or None; where it ended; what was expected where."""

    made: Any
    position: int
    farthest: int
    expected: tuple[str, ...]
    special: tuple[str, int, int] | None


class Window:
    """A part of a text, from `start` to `stop`, in which a clause or a header is tried."""

    def __init__(
        self,
        parser: _generated.Parser,
        text: str,
        start: int,
        stop: int,
        depth: int,
        docs: dict[int, str],
        effort: Effort,
    ) -> None:
        self.parser = parser
        self.text = text[start:stop]
        self.start = start
        self.stop = stop
        self.depth = depth
        self.docs = docs
        self.effort = effort

    def attempt(self, rule: str, *, head: bool = False, edit: Edit | None = None) -> Trial:
        """Parse the window, edited, as `rule`, or as its header alone."""
        source = self.text
        if edit is not None:
            source = source[: edit.start - self.start] + edit.text + source[edit.end - self.start :]
        marked = source + "\n\0"
        parser = self.parser
        parser.load(marked, self._documentation)
        parser.reset(self.depth)
        begin = _generated.skip(marked, 0).end()
        made = (parser.heads if head else parser.rules)[rule](begin)
        position, _, farthest, expected, special = parser.state()
        self.effort.parsed(max(position if made is not None else farthest, 0))
        if made is None:
            position = begin
        places = _Places(self.start, edit, len(source))
        if made is not None:
            _move(made, places)
        if special is not None:
            special = (special[0], places.real(special[1]), places.real(special[2]))
        keys = tuple(dict.fromkeys(_generated.EXPECTED[index] for index in expected))
        return Trial(made, places.real(position), places.real(max(farthest, begin)), keys, special)

    def _documentation(self, offset: int) -> str | None:
        return self.docs.get(offset + self.start)


class _Places:
    """From offsets of an edited window to those of the real text."""

    def __init__(self, start: int, edit: Edit | None, length: int) -> None:
        self.start = start
        self.length = length
        self.edit = edit

    def real(self, offset: int) -> int:
        offset = min(offset, self.length) + self.start
        if self.edit is None or offset <= self.edit.start:
            return offset
        written = len(self.edit.text)
        if offset < self.edit.start + written:
            return min(offset, self.edit.end)
        return offset - written + self.edit.end - self.edit.start


def _move(made: Any, places: _Places) -> None:
    stack = [made]
    while stack:
        value = stack.pop()
        if isinstance(value, dict):
            stack.extend(value.values())
        elif isinstance(value, tuple):
            stack.extend(value)
        elif isinstance(value, nodes.Node):
            for field in fields(value):
                inner = getattr(value, field.name)
                if isinstance(inner, Span):
                    object.__setattr__(
                        value, field.name, span(places.real(inner.start), places.real(inner.end))
                    )
                else:
                    stack.append(inner)
