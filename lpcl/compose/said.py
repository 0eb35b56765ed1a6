"""How a clause reckons a figure: its expression, and what the names in it stand for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol, Self

from lpcl.compose.evaluate import Scope, evaluate
from lpcl.compose.refusal import Refusal
from lpcl.compose.terms import Value
from lpcl.model.contracts import Clause
from lpcl.model.program import Origin, SourceFile
from lpcl.syntax import nodes

MOST_NAMED = 6
"""Values of a contract that are written out beside an expression."""


class Reader(Scope, Protocol):
    """A scope that keeps what is read in it: the figures of the machine among them."""

    @property
    def facts(self) -> Mapping[str, Value]:
        """The figures of the machine that were read so far."""
        ...

    def afresh(self) -> Self:
        """The same names where nothing has been read yet."""
        ...

    def at(self, file: SourceFile) -> Self:
        """The same names read from a clause in `file`."""
        ...

    def let(self, name: str) -> Clause[nodes.Let] | None:
        """The clause that gives a name its expression; None where the name means something else."""
        ...


@dataclass(frozen=True, eq=False)
class Said:
    """An expression that came out as `value` in a scope."""

    expression: nodes.Expression
    scope: Reader
    value: Value

    @property
    def origin(self) -> Origin:
        """Where it stands."""
        return Origin(self.scope.file, self.expression.span)

    @property
    def facts(self) -> tuple[tuple[str, Value], ...]:
        """The figures of the machine that were read for it and that its text names."""
        if not self.scope.facts:
            return ()
        text = self.text
        return tuple(
            (name, value)
            for name, value in self.scope.facts.items()
            if re.search(rf"machine\.{re.escape(name)}(?![\w.])", text)
        )

    @property
    def is_literal(self) -> bool:
        """Whether it is a figure, a truth or a text as it stands."""
        return isinstance(self.expression, nodes.Quantity | nodes.Boolean | nodes.Text)

    @property
    def is_plain(self) -> bool:
        """Whether nothing is reckoned: it is a literal, or a name that stands for no expression."""
        expression = self.expression
        if isinstance(expression, nodes.Reference):
            return self.scope.let(expression.path) is None and not expression.path.startswith("machine.")
        return self.is_literal

    @property
    def text(self) -> str:
        """The expression in a line, of each `if` the branch that counts, and what its names stand for."""
        expression, file = self.expression, self.scope.file
        while (
            isinstance(expression, nodes.Reference) and (let := self.scope.let(expression.path)) is not None
        ):
            expression, file = let.node.value, let.file
        shorter = self._is_settled() and not isinstance(
            _settled(expression, self.scope.at(file)), nodes.Quantity | nodes.Boolean | nodes.Text
        )
        shown = written(expression, self.scope.at(file), shorter)
        named = list(self._named(expression, file, shorter))[:MOST_NAMED]
        return shown if not named else f"{shown}, where {' and '.join(f'{n} = {text}' for n, text in named)}"

    def _is_settled(self) -> bool:
        """Whether the expression still comes out as it did, so that its conditions are what they were."""
        try:
            return evaluate(self.expression, self.scope.afresh()) == self.value
        except Refusal:
            return False

    def _named(
        self, expression: nodes.Expression, file: SourceFile, shorter: bool
    ) -> Iterator[tuple[str, str]]:
        waiting, seen = [(expression, file)], set[str]()
        while waiting:
            outer, where = waiting.pop(0)
            for node in _counting(outer, self.scope.at(where), shorter):
                if not isinstance(node, nodes.Reference) or node.path in seen:
                    continue
                seen.add(node.path)
                let = self.scope.let(node.path)
                if let is not None:
                    yield node.path, written(let.node.value, self.scope.at(let.file), shorter)
                    waiting.append((let.node.value, let.file))


def branch(node: nodes.Node, scope: Reader) -> nodes.Expression | None:
    """The branch of an `if` that counts; None for anything else, and where that is open."""
    if not isinstance(node, nodes.Conditional):
        return None
    try:
        condition = evaluate(node.condition, scope.afresh())
    except Refusal:
        return None
    return None if not isinstance(condition, bool) else node.then if condition else node.otherwise


def _settled(node: nodes.Expression, scope: Reader) -> nodes.Expression:
    """What an expression is once its outermost conditions are known."""
    while (inner := branch(node, scope)) is not None:
        node = inner
    return node


def _counting(node: nodes.Node, scope: Reader, shorter: bool) -> Iterator[nodes.Node]:
    """A node and all below it that counts."""
    inner = branch(node, scope) if shorter else None
    if inner is not None:
        yield from _counting(inner, scope, shorter)
        return
    yield node
    for child in node.children():
        yield from _counting(child, scope, shorter)


def written(node: nodes.Node, scope: Reader, shorter: bool) -> str:
    """A node's text in a line, of each `if` in it the branch that counts."""
    inner = branch(node, scope) if shorter else None
    if inner is not None:
        return written(inner, scope, shorter)
    return rewritten(node, scope.file, lambda child: written(child, scope, shorter))


def rewritten(node: nodes.Node, file: SourceFile, shown: Callable[[nodes.Node], str]) -> str:
    """A node's text in a line, its children as `shown` writes them."""
    text, at = "", node.span.start
    for child in node.children():
        text += file.text[at : child.span.start] + shown(child)
        at = child.span.end
    return " ".join((text + file.text[at : node.span.end]).split()).replace("( ", "(").replace(" )", ")")
