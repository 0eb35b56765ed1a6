"""What of a contract an answer is read from: the attributes of its nodes that somebody looked at.

An answer that is worked out in the same way from a contract with another clause differs only where one of the
attributes that differ was looked at. So a lie about anything else need not be told.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeVar

from lpcl.syntax import nodes

NodeT = TypeVar("NodeT", bound=nodes.Node)

Place = tuple[int, str]
"""An attribute of a node, which is named by its `id`."""


@dataclass(eq=False)
class Book:
    """Where it is written down what was looked at since the last `turn`."""

    looked_at: set[Place] = field(default_factory=set)

    def turn(self) -> frozenset[Place]:
        """What was looked at so far; from here on it is written anew."""
        seen = frozenset(self.looked_at)
        self.looked_at.clear()
        return seen


def watched(node: NodeT, book: Book) -> NodeT:
    """A copy of a node and all below it that writes down in the book what is looked at, by the originals."""
    cls: Any = type(node)
    copy: NodeT = object.__new__(_watching(cls))
    for name in cls._every:
        value = getattr(node, name)
        if isinstance(value, nodes.Node):
            value = watched(value, book)
        elif isinstance(value, tuple):
            value = tuple(watched(item, book) if isinstance(item, nodes.Node) else item for item in value)
        getattr(cls, name).__set__(copy, value)
    object.__setattr__(copy, "_noted", (id(node), book))
    return copy


@cache
def _watching(cls: Any) -> Any:
    """The subclass of a node's class whose attributes write down that they were looked at."""

    def attribute(name: str) -> property:
        slot = getattr(cls, name)

        def look(self: Any) -> object:
            key, book = self._noted
            book.looked_at.add((key, name))
            return slot.__get__(self)

        return property(look)

    def equal(self: nodes.Node, other: object) -> object:
        if not isinstance(other, cls):
            return NotImplemented
        return bool(cls._compared(self) == cls._compared(other))

    def hashed(self: nodes.Node) -> int:
        return hash((cls, cls._compared(self)))

    members: dict[str, object] = {name: attribute(name) for name in cls._every}
    members |= {"__slots__": ("_noted",), "__eq__": equal, "__hash__": hashed}
    return type(cls.__name__, (cls,), members)


def differing(before: nodes.Node, after: nodes.Node) -> Iterator[Place]:
    """The attributes of a node and those below it that another one has otherwise."""
    if before is after:
        return
    for name in type(before)._every:
        old, new = getattr(before, name), getattr(after, name)
        pairs = list(_pairs(old, new))
        if pairs:
            for one, other in pairs:
                yield from differing(one, other)
        elif old is not new and old != new:
            yield id(before), name


def _pairs(old: object, new: object) -> Iterator[tuple[nodes.Node, nodes.Node]]:
    """The nodes of two values side by side; none where they are not of the same kinds in the same number."""
    if not isinstance(old, tuple):
        old, new = (old,), (new,)
    if isinstance(new, tuple) and len(old) == len(new):
        made = list(zip(old, new, strict=True))
        if all(isinstance(one, nodes.Node) and type(one) is type(other) for one, other in made):
            yield from made
