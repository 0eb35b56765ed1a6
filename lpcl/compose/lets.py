"""The order in which `let`s that build on each other are worked out, each once."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator

from lpcl.syntax import nodes

DEEPEST = 100
"""Values that may wait for each other where that depends on conditions."""


def in_order(
    name: str, expression: Callable[[str], nodes.Expression | None], known: Container[str]
) -> list[str]:
    """The names on which a name surely depends, and itself, each after those on which it depends.

    `expression` gives what a name stands for, None for one that is no `let`. What is read under conditions
    alone, what is `known`, and what closes a circle is left out.
    """
    done: dict[str, None] = {}
    under_way: set[str] = set()
    stack: list[tuple[str, bool]] = [(name, False)]
    while stack:
        item, ready = stack.pop()
        if ready:
            done[item] = None
        elif item not in under_way and item not in known:
            wanted = expression(item)
            if wanted is not None:
                under_way.add(item)
                stack.append((item, True))
                stack.extend((one, False) for one in _read(wanted))
    return list(done)


def _read(expression: nodes.Expression) -> Iterator[str]:
    """The names that an expression reads whatever the values are."""
    stack: list[nodes.Node] = [expression]
    while stack:
        item = stack.pop()
        match item:
            case nodes.Reference():
                yield item.path
            case nodes.Conditional():
                stack.append(item.condition)
            case nodes.Binary() if item.op in ("and", "or", "implies"):
                stack.append(item.left)
            case nodes.Binary():
                stack += [item.left, item.right]
            case nodes.Unary():
                stack.append(item.operand)
            case nodes.Parenthesis():
                stack.append(item.inner)
            case nodes.Call() if item.function not in ("defined", "loaded"):
                stack.extend(item.args)
