"""Text to tree."""

from __future__ import annotations

import gc
from collections.abc import Iterable
from functools import cached_property

from lpcl.syntax import _generated, nodes
from lpcl.syntax.comments import Comment, comments, documentation
from lpcl.syntax.faults import Fault, Lost
from lpcl.syntax.pieces import Cut, Placed, pieces
from lpcl.syntax.span import Span

__all__ = ["Comment", "Parsed", "parse", "parse_bytes"]


class Parsed:
    """A text's tree, its comments in order, its faults by place, and what is too broken to be in the tree.

    It is made whole, or joined from pieces; either way it has both, the other one made when it is asked for.
    It never changes.
    """

    def __init__(
        self,
        file: nodes.File,
        comments: tuple[Comment, ...],
        faults: tuple[Fault, ...],
        lost: tuple[Lost, ...] = (),
        *,
        length: int | None = None,
        cuts: Iterable[Cut] | None = None,
    ) -> None:
        self.file = file
        self.comments = comments
        self.faults = faults
        self.lost = lost
        self._length = length
        self._cuts = cuts

    @classmethod
    def joined(cls, placed: tuple[Placed, ...]) -> Parsed:
        """What a text is whose pieces are these."""
        made = cls.__new__(cls)
        made.pieces = placed
        broken = [item for item in placed if not item.whole]
        made.faults = _by_place(fault for item in broken for fault in item.faults)
        made.lost = tuple(lost for item in broken for lost in item.lost)
        return made

    def with_items(self, items: tuple[nodes.Item, ...]) -> Parsed:
        """The same with other items, which are not what the text says."""
        file = nodes.File(items=items, span=self.file.span)
        return Parsed(file, self.comments, self.faults, self.lost)

    @cached_property
    def pieces(self) -> tuple[Placed, ...]:
        """The text in pieces. One that could not be cut is a single piece without an end."""
        cuts = self._cuts
        if self._length is None:
            length = max(self.file.span.end, *(fault.span.end for fault in self.faults), 0)
            cut = Cut(0, length, self.file.items, False, self.faults, self.lost, _NOWHERE)
            return tuple(pieces([cut], self.comments, 0, length))
        if cuts is None:
            cuts = (Cut(item.span.start, item.span.end, (item,)) for item in self.file.items)
        return tuple(pieces(cuts, self.comments, 0, self._length))

    @cached_property
    def file(self) -> nodes.File:
        """The tree."""
        return _file(tuple(item for placed in self.pieces for item in placed.items))

    @cached_property
    def comments(self) -> tuple[Comment, ...]:
        """All comments, in order."""
        return tuple(comment for placed in self.pieces for comment in placed.comments)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Parsed):
            return NotImplemented
        ours = (self.file, self.comments, self.faults, self.lost)
        return ours == (other.file, other.comments, other.faults, other.lost)

    __hash__ = None  # type: ignore[assignment]  # as Python says that a value has no hash


_NOWHERE = 2**62


def parse(text: str) -> Parsed:
    """Parse a whole file. Never raises; what cannot be parsed is left out of the tree and is a fault."""
    collecting = gc.isenabled()
    gc.disable()  # the tree has no cycles, and looking for them would be the larger part of the time
    try:
        return _parse(text)
    except RecursionError:  # the caller has left less of the stack than a hundred levels need
        place = Span(0, min(1, len(text)))
        return Parsed(
            nodes.File(), (), (Fault("nesting", place, "this is nested too deeply to be read here"),)
        )
    finally:
        if collecting:
            gc.enable()


def parse_bytes(data: bytes) -> tuple[str, Parsed]:
    """Decode UTF-8 and parse. What is not UTF-8 is a fault, and U+FFFD in the text, which is parsed still."""
    from lpcl.syntax.decoding import decode

    text, faults = decode(data)
    parsed = parse(text)
    if not faults:
        return text, parsed
    others = [fault for fault in parsed.faults if not any(_touch(fault.span, bad.span) for bad in faults)]
    return text, Parsed(parsed.file, parsed.comments, _by_place((*faults, *others)), parsed.lost)


def _parse(text: str) -> Parsed:
    length = len(text)
    marked = text + "\n\0"  # so that every token has something behind it
    found = comments(text)
    docs = documentation(text, found)
    start = first_token(text)
    parser = _generated.parser(marked, docs.get)
    file = parser.rules["File"](start)
    position, _, farthest, _, special = parser.state()
    if position >= length:
        return Parsed(file if file.items else nodes.File(), found, (), length=length)
    from lpcl.syntax.recovery import recover
    from lpcl.syntax.way import Source

    source = Source(marked, length, docs, parser=parser)
    cuts = [Cut(item.span.start, item.span.end, (item,)) for item in file.items]
    if farthest > position and special is None:  # that is about the declaration that fails, and nothing else
        source.remember(("Item", position, False, 0), None)
    recover(source, cuts, position)
    file = _file(tuple(item for cut in cuts for item in cut.items))
    faults = _by_place(fault for cut in cuts for fault in cut.faults)
    lost = tuple(item for cut in cuts for item in cut.lost)
    if faults:
        return Parsed(file, found, faults, lost, length=length, cuts=cuts)
    place = min(max(farthest, 0), length)
    faults = (Fault("unexpected", Span(place, min(place + 1, length)), "this is not understood"),)
    return Parsed(file, found, faults, lost)


def first_token(text: str) -> int:
    """Where the first token of a text stands; its end if there is none."""
    return _generated.skip(text, 1 if text.startswith("\ufeff") else 0).end()


def _file(items: tuple[nodes.Item, ...]) -> nodes.File:
    if not items:
        return nodes.File()
    return nodes.File(items=items, span=Span(items[0].span.start, items[-1].span.end))


def _by_place(faults: Iterable[Fault]) -> tuple[Fault, ...]:
    return tuple(sorted(faults, key=lambda fault: (fault.span.start, fault.span.end)))


def _touch(left: Span, right: Span) -> bool:
    return left.start <= right.end and right.start <= left.end
