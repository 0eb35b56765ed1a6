"""What the rules of good practice ask about a declaration and those that it shares its clauses with."""

from __future__ import annotations

from collections.abc import Iterator

from lpcl.check.asking import Words, words
from lpcl.check.context import Context
from lpcl.model import contracts
from lpcl.model.program import Declared
from lpcl.syntax import nodes


def words_of(declared: Declared) -> Words:
    """The names below a declaration."""
    return words(declared.placed)[declared.index]


def relatives(context: Context, declared: Declared) -> Iterator[Declared]:
    """A declaration, what it extends, and what extends it."""
    yield from contracts.lineage(context.program, declared)
    if context.asking.ask("heirs", declared.mark):
        yield from context.answers.heirs_of(declared.mark)


def is_of_a_library(declared: Declared) -> bool:
    """Whether a contract says which real library it is about; others are parts of one, or sketches."""
    return any(isinstance(member, nodes.Library) for member in getattr(declared.bare, "members", ()))
