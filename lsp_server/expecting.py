"""What may stand at a place of a half-typed text, as far as the tokens before it tell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lsp_server import vocabulary
from lsp_server.tokens import Place, Token

_OPERATORS = ("=", "==", "!=", "<", "<=", ">", ">=", "*", "/", "+", "-", "..", "(", ",")
_WORDS = ("when", "if", "then", "else", "and", "or", "not", "implies", "div", "mod", "in")
_CLAUSES = ("size", "existing", "default", "capacity", "timeout", "assume", "start", "amdahl")
_STARTERS = frozenset((*_OPERATORS, *_WORDS, *_CLAUSES))
_NAMING = frozenset(("control", "pool", "operation", "uses", "let", "signal", "package"))


@dataclass(frozen=True, slots=True)
class Clause:
    """The clause that a place is in: the word that begins it, and the tokens from there to the place."""

    head: str
    rest: tuple[Token, ...]

    @property
    def words(self) -> tuple[str, ...]:
        """The texts of the tokens after the first word."""
        return tuple(token.text for token in self.rest)


def base(place: Place) -> tuple[str, tuple[Token, ...]]:
    """The dotted path before the word at the place, `machine.cpus` of `machine.cpus.on`; what precedes it."""
    before = place.before
    at, start = len(before), place.start
    while at >= 2 and before[at - 1].text == "." and before[at - 2].kind == "word":
        if before[at - 1].end != start or before[at - 2].end != before[at - 1].start:
            break
        at, start = at - 2, before[at - 2].start
    path = "".join(token.text for token in before[at:-1])
    return path, before[:at]


def clause(kind: str, before: Sequence[Token]) -> Clause | None:
    """The clause of a block of this kind in which the tokens end; None where a new one begins."""
    heads = {word.partition(" ")[0] for word in vocabulary.CLAUSES.get(kind, {})}
    for at in range(len(before) - 1, -1, -1):
        token = before[at]
        if token.kind == "group" and token.text not in ("group", "arguments", "parameters", "enumeration"):
            return None
        if token.kind == "word" and token.text in heads and _begins(before, at):
            return Clause(token.text, tuple(before[at + 1 :]))
    return None


def _begins(before: Sequence[Token], at: int) -> bool:
    """Whether a word can be the first of a clause rather than part of an expression or a name."""
    if at == 0:
        return True
    last = before[at - 1]
    if last.kind == "word" and last.text in _NAMING and (at == 1 or before[at - 2].text not in _NAMING):
        return False
    return last.text not in _STARTERS and last.text != "." and last.text != "set"


def is_expression(before: Sequence[Token]) -> bool:
    """Whether an expression has just begun or goes on: a value is missing."""
    return bool(before) and before[-1].kind in ("word", "mark") and before[-1].text in _STARTERS


def is_operand(before: Sequence[Token]) -> bool:
    """Whether a value has just ended, so that an operator may follow."""
    if not before or is_expression(before):
        return False
    last = before[-1]
    if last.kind in ("number", "string"):
        return True
    if last.kind == "group":
        return last.text in ("group", "arguments")
    return last.kind == "word" and len(before) > 1 and before[-2].text in (*_STARTERS, ".")


def list_head(before: Sequence[Token]) -> str | None:
    """The word before a list of names that goes on at the place: `use` in `use a, b.c,`."""
    if not before or before[-1].text != ",":
        return None
    at = len(before) - 1
    while at >= 0 and before[at].text == ",":
        at -= 1
        while at >= 0 and (before[at].text in (".", "bindings") or before[at].kind in ("string", "word")):
            following = before[at + 1].text
            if before[at].kind == "word" and following != "." and before[at + 1].kind == "word":
                return before[at].text
            at -= 1
    return None
