"""A text in pieces: each holds one declaration, or a stretch with faults, and what stands before it.

A piece is made once, with the positions that it has in the text where it was parsed. In a text where it
stands elsewhere it is `Placed`: its nodes are moved there when somebody asks, and nothing that was made
before ever changes. So an edit costs what it touches, however long the rest of the text is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

from lpcl.syntax import nodes, quick
from lpcl.syntax.comments import Comment
from lpcl.syntax.faults import Fault, Lost
from lpcl.syntax.span import Span

NodeT = TypeVar("NodeT", bound=nodes.Node)


class Cut(NamedTuple):
    """What one step of the parser made of a text, from its first token to the end of its last.

    `whole` tells whether it is a declaration without a fault. One with faults depends on the text up to
    `reach`, and used up some `repairs` and some `effort`; it is `closed` if its texts and comments surely end
    in it.
    """

    start: int
    end: int
    items: tuple[nodes.Item, ...]
    whole: bool = True
    faults: tuple[Fault, ...] = ()
    lost: tuple[Lost, ...] = ()
    reach: int = 0
    repairs: int = 0
    effort: int = 0
    closed: bool = True


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Piece:
    """A cut with the comments in front of it and in it; it begins where the one before ends."""

    begin: int
    cut: Cut
    comments: tuple[Comment, ...]


@dataclass(frozen=True, eq=False)
class Placed:
    """A piece in a text in which it stands `by` characters further on than in the one it was parsed in."""

    piece: Piece
    by: int

    @property
    def begin(self) -> int:
        """Behind the piece before."""
        return self.piece.begin + self.by

    @property
    def start(self) -> int:
        """The first token; in the last piece, the end of the text."""
        return self.piece.cut.start + self.by

    @property
    def end(self) -> int:
        """Behind the last token."""
        return self.piece.cut.end + self.by

    @property
    def whole(self) -> bool:
        """Whether it has no fault."""
        return self.piece.cut.whole

    @property
    def bare(self) -> tuple[nodes.Item, ...]:
        """The items, for all but positions, which are those of the text where they were parsed."""
        return self.piece.cut.items

    @cached_property
    def items(self) -> tuple[nodes.Item, ...]:
        """The items with the positions that they have here."""
        return tuple(moved(item, self.by) for item in self.bare) if self.by else self.bare

    @property
    def comments(self) -> tuple[Comment, ...]:
        """The comments with the positions that they have here."""
        found, by = self.piece.comments, self.by
        return tuple(Comment(_shifted(item.span, by), item.text) for item in found) if by else found

    @property
    def faults(self) -> tuple[Fault, ...]:
        """The faults with the positions that they have here."""
        found, by = self.piece.cut.faults, self.by
        return tuple(_moved_fault(item, by) for item in found) if by else found

    @property
    def lost(self) -> tuple[Lost, ...]:
        """What is not in the items, with the positions that it has here."""
        found, by = self.piece.cut.lost, self.by
        return tuple(replace(item, span=_shifted(item.span, by)) for item in found) if by else found


def pieces(cuts: Iterable[Cut], comments: Sequence[Comment], begin: int, length: int) -> list[Placed]:
    """Cuts as pieces, each with its comments; the last one, up to `length`, has nothing but comments."""
    made: list[Placed] = []
    number = 0
    for cut in (*cuts, Cut(length, length, ())):
        first = number
        while number < len(comments) and comments[number].span.start < cut.end:
            number += 1
        made.append(Placed(Piece(begin, cut, tuple(comments[first:number])), 0))
        begin = cut.end
    return made


def moved(node: NodeT, by: int) -> NodeT:
    """A node, with all below it, `by` characters further on."""
    cls = type(node)
    kinds = _KINDS.get(cls)
    if kinds is None:
        kinds = _KINDS[cls] = _kinds(cls)
    twin, plain, spans, below = kinds
    made = _new(twin)
    for name in plain:
        setattr(made, name, getattr(node, name))
    for name in spans:
        span = getattr(node, name)
        setattr(made, name, quick.span(span.start + by, span.end + by) if span is not nodes.NOWHERE else span)
    for name in below:
        value = getattr(node, name)
        if isinstance(value, nodes.Node):
            value = moved(value, by)
        elif type(value) is tuple:
            value = tuple(moved(item, by) if isinstance(item, nodes.Node) else item for item in value)
        setattr(made, name, value)
    made.__class__ = cls
    done: NodeT = made
    return done


_new = object.__new__
_KINDS: dict[type, tuple[Any, tuple[str, ...], tuple[str, ...], tuple[str, ...]]] = {}
_PLAIN = {"str", "bool", "str | None", "Fraction"}


def _kinds(cls: type[nodes.Node]) -> tuple[Any, tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """The twin of a class, and its fields: those without positions, positions, and nodes."""
    stated = {item.name: str(item.type) for item in fields(cls)}
    plain = tuple(name for name, kind in stated.items() if kind in _PLAIN)
    spans = tuple(name for name, kind in stated.items() if kind == "Span")
    return quick.twin(cls), plain, spans, tuple(stated.keys() - {*plain, *spans})


def _shifted(span: Span, by: int) -> Span:
    return quick.span(span.start + by, span.end + by)


def _moved_fault(fault: Fault, by: int) -> Fault:
    related = tuple((_shifted(span, by), remark) for span, remark in fault.related)
    return replace(fault, span=_shifted(fault.span, by), related=related)
