"""What a rule can start with: the words and characters by which the generated parser chooses."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from lpcl.syntax.rules import Ahead, Assign, Choice, Expr, Grammar, Keyword, Mark, Optional, Seq, Token, Use

if TYPE_CHECKING:  # the stubs have these modules under their former names only
    import sre_constants as op
    import sre_parse as parser
else:
    from re import _constants as op
    from re import _parser as parser

ASCII = [chr(code) for code in range(128)]


@dataclass(slots=True)
class First:
    """The terminals that an expression can start with, in order, and whether it can be empty."""

    terminals: list[Keyword | Mark | Token] = field(default_factory=list)
    empty: bool = False

    def add(self, other: First) -> None:
        self.terminals += [terminal for terminal in other.terminals if terminal not in self.terminals]


def first(grammar: Grammar, expr: Expr) -> First:
    """What `expr` can start with."""
    if isinstance(expr, Keyword | Mark | Token):
        return First([expr])
    if isinstance(expr, Use):
        return first(grammar, grammar.rules[expr.rule])
    if isinstance(expr, Optional):
        return First(first(grammar, expr.part).terminals, empty=True)
    if isinstance(expr, Ahead):
        return First(empty=True)
    if isinstance(expr, Assign):
        inner = first(grammar, expr.part)
        return First(inner.terminals, empty=inner.empty or expr.kind in ("flag", "many"))
    found = First()
    if isinstance(expr, Choice):
        for option in expr.options:
            found.add(first(grammar, option))
        return found
    assert isinstance(expr, Seq)
    for part in expr.parts:
        inner = first(grammar, part)
        found.add(inner)
        if not inner.empty:
            return found
    found.empty = True
    return found


def words(pattern: str) -> tuple[str, ...] | None:
    """The texts that a pattern can match, blanks as one space, or None where they are not a short list."""
    try:
        found = _expand(parser.parse(pattern))
    except _Endless:
        return None
    return tuple(dict.fromkeys(found))


def plain_words(pattern: str) -> tuple[str, ...] | None:
    """The words of a pattern that only lists whole words, or None."""
    listed = words(pattern)
    if listed and all(item.isidentifier() for item in listed) and pattern == rf"(?:{'|'.join(listed)})\b":
        return listed
    return None


class _Endless(Exception):
    pass


def _expand(items: Any) -> list[str]:
    found = [""]
    for kind, argument in items:
        parts = _one(kind, argument)
        found = [head + tail for head in found for tail in parts]
        if len(found) > 200:
            raise _Endless
    return found


def _one(kind: Any, argument: Any) -> list[str]:
    if kind is op.LITERAL:
        return [chr(argument)]
    if kind is op.BRANCH:
        return [text for branch in argument[1] for text in _expand(branch)]
    if kind is op.SUBPATTERN:
        return _expand(argument[-1])
    if kind in (op.AT, op.ASSERT, op.ASSERT_NOT):
        return [""]
    if kind is op.IN and all(inner is op.LITERAL for inner, _ in argument):
        return [chr(code) for _, code in argument]
    if kind is op.MAX_REPEAT:
        low, high, inner = argument
        if low == 1 and inner[0] == (op.IN, [(op.CATEGORY, op.CATEGORY_SPACE)]):
            return [" "]
        if (low, high) == (0, 1):
            return ["", *_expand(inner)]
    raise _Endless


def characters(terminal: Keyword | Mark | Token) -> frozenset[str]:
    """The ASCII characters that a terminal can start with."""
    if isinstance(terminal, Keyword):
        return frozenset(terminal.word[0])
    if isinstance(terminal, Mark):
        return frozenset(terminal.mark[0])
    found, empty = _characters(parser.parse(terminal.pattern))
    assert not empty, f"{terminal.name} can be empty"
    return found


def _characters(items: Any) -> tuple[frozenset[str], bool]:
    found: frozenset[str] = frozenset()
    for kind, argument in items:
        more, empty = _first_characters(kind, argument)
        found |= more
        if not empty:
            return found, False
    return found, True


def _first_characters(kind: Any, argument: Any) -> tuple[frozenset[str], bool]:
    if kind in (op.AT, op.ASSERT, op.ASSERT_NOT):
        return frozenset(), True
    if kind is op.BRANCH:
        parts = [_characters(branch) for branch in argument[1]]
        return frozenset().union(*(part for part, _ in parts)), any(empty for _, empty in parts)
    if kind is op.SUBPATTERN:
        return _characters(argument[-1])
    if kind in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
        low, _, inner = argument
        part, empty = _characters(inner)
        return part, empty or low == 0
    if kind is op.LITERAL:
        return frozenset(chr(argument)), False
    if kind is op.ANY:
        return frozenset(ASCII), False
    if kind is op.IN:
        return frozenset(char for char in ASCII if _within(char, argument)), False
    raise NotImplementedError(f"{kind} in a token's pattern")


_CATEGORIES = {
    op.CATEGORY_DIGIT: re.compile(r"\d"),
    op.CATEGORY_NOT_DIGIT: re.compile(r"\D"),
    op.CATEGORY_SPACE: re.compile(r"\s"),
    op.CATEGORY_NOT_SPACE: re.compile(r"\S"),
    op.CATEGORY_WORD: re.compile(r"\w"),
    op.CATEGORY_NOT_WORD: re.compile(r"\W"),
}


def _within(char: str, items: Any) -> bool:
    negated = False
    found = False
    for kind, argument in items:
        if kind is op.NEGATE:
            negated = True
        elif kind is op.LITERAL:
            found = found or char == chr(argument)
        elif kind is op.RANGE:
            found = found or argument[0] <= ord(char) <= argument[1]
        elif kind is op.CATEGORY:
            found = found or _CATEGORIES[argument].match(char) is not None
        else:
            raise NotImplementedError(f"{kind} in a token's pattern")
    return found != negated
