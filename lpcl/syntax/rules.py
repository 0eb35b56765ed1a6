"""The grammar as plain values: what `generate` needs of textX's parser model, read once and checked.

Only the constructs that the grammar uses are known here; another one stops the reading, so that the generated
parser can never silently mean something else than the grammar file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.resources import files
from typing import Any


@dataclass(frozen=True, slots=True)
class Keyword:
    """A word of the language, not followed by another word character."""

    word: str


@dataclass(frozen=True, slots=True)
class Mark:
    """Punctuation."""

    mark: str


@dataclass(frozen=True, slots=True)
class Token:
    """A match rule: its name and its regular expression."""

    name: str
    pattern: str


@dataclass(frozen=True, slots=True)
class Use:
    """Another rule by name, one with attributes or a list of alternatives."""

    rule: str


@dataclass(frozen=True, slots=True)
class Seq:
    parts: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    options: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Optional:
    part: Expr


@dataclass(frozen=True, slots=True)
class Ahead:
    """What must follow but is not consumed."""

    part: Token


@dataclass(frozen=True, slots=True)
class Assign:
    """An attribute's value; `kind` is ``one``, ``flag``, ``many`` (none or more), ``some`` (one or more)."""

    attribute: str
    kind: str
    part: Expr
    separator: str | None = None


Terminal = Keyword | Mark | Token
Expr = Keyword | Mark | Token | Use | Seq | Choice | Optional | Ahead | Assign


@dataclass(frozen=True, slots=True)
class Grammar:
    """Every rule with a node or alternatives by name, in the order of the file; `comment` is a pattern."""

    start: str
    rules: dict[str, Expr]
    concrete: frozenset[str]
    comment: str


class GrammarError(Exception):
    """The grammar file uses something that the generator does not know."""


def metamodel() -> Any:
    """The grammar file as textX reads it; the settings are part of the language."""
    from textx import metamodel_from_str

    source = files("lpcl.grammar").joinpath("lpcl.tx").read_text(encoding="utf-8")
    return metamodel_from_str(source, autokwd=True, auto_init_attributes=False)


def read() -> Grammar:
    """The grammar file's rules."""
    parser = metamodel()._parser_blueprint
    reader = _Reader()
    start = parser.parser_model.nodes[0]
    reader.expression(start)
    while reader.waiting:
        rule = reader.waiting.pop(0)
        reader.rules[rule.rule_name] = reader.body(rule)
    comment = parser.comments_model
    if type(comment).__name__ != "RegExMatch":
        raise GrammarError("Comment is to be a single regular expression")
    return Grammar(start.rule_name, reader.rules, frozenset(reader.concrete), comment.to_match_regex)


_WORD = re.compile(r"[^\d\W]\w*")
_ASSIGNMENTS = {
    "__asgn_plain": "one",
    "__asgn_optional": "flag",
    "__asgn_zeroormore": "many",
    "__asgn_oneormore": "some",
}


class _Reader:
    def __init__(self) -> None:
        self.rules: dict[str, Expr] = {}
        self.concrete: set[str] = set()
        self.waiting: list[Any] = []
        self.seen: set[str] = set()

    def expression(self, node: Any) -> Expr:
        name = node.rule_name
        if name.startswith("__asgn"):
            return self.assignment(node)
        kind = type(node).__name__
        if node.root and name and kind != "RegExMatch":
            if name not in self.seen:
                self.seen.add(name)
                self.waiting.append(node)
                if node._tx_class._tx_type == "common":
                    self.concrete.add(name)
            return Use(name)
        return self.body(node)

    def body(self, node: Any) -> Expr:
        kind = type(node).__name__
        if getattr(node, "ws", None) is not None or getattr(node, "skipws", None) is not None:
            raise GrammarError(f"rule modifiers are not known: {node.rule_name}")
        if node.suppress or getattr(node, "eolterm", False):
            raise GrammarError(f"suppression and eolterm are not known: {node.rule_name}")
        if kind == "RegExMatch":
            return self.regex(node)
        if kind == "StrMatch":
            return Mark(node.to_match)
        parts = tuple(self.expression(part) for part in node.nodes)
        if kind == "Sequence":
            return parts[0] if len(parts) == 1 else Seq(parts)
        if kind == "OrderedChoice":
            return Choice(parts)
        if kind == "Optional":
            return Optional(parts[0])
        if kind == "And" and isinstance(parts[0], Token):
            return Ahead(parts[0])
        raise GrammarError(f"{kind} is not known")

    def regex(self, node: Any) -> Expr:
        pattern = node.to_match_regex
        if not node.rule_name:
            word = node.to_match
            if not _WORD.fullmatch(word) or pattern != rf"{word}\b":
                raise GrammarError(f"give this regular expression a rule of its own: {pattern}")
            return Keyword(word)
        return Token(node.rule_name, pattern)

    def assignment(self, node: Any) -> Expr:
        kind = _ASSIGNMENTS[node.rule_name]
        (part,) = node.nodes
        separator = getattr(node, "sep", None)
        if separator is not None and type(separator).__name__ != "StrMatch":
            raise GrammarError(f"a separator is to be punctuation: {node._attr_name}")
        mark = None if separator is None else separator.to_match
        return Assign(node._attr_name, kind, self.expression(part), mark)
