"""A condition under another value of one of its names: whether it holds, and which way it goes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction

from lpcl.compose.evaluate import evaluate
from lpcl.compose.kinds import Names
from lpcl.compose.refusal import Refusal
from lpcl.compose.said import branch
from lpcl.compose.terms import Value
from lpcl.model.program import Origin, SourceFile
from lpcl.syntax import nodes


@dataclass(frozen=True)
class Supposing:
    """The names of an expression, one of which, `path`, has another value than it has."""

    names: Names
    path: str
    value: Value
    known: dict[str, Value] = field(default_factory=dict)

    @property
    def file(self) -> SourceFile:
        """See `Scope.file`."""
        return self.names.file

    def name(self, path: str, origin: Origin) -> Value:
        """See `Scope.name`."""
        if path == self.path:
            return self.value
        let = self.names.scope.let(path)
        if let is None:
            return self.names.afresh().name(path, origin)
        if path not in self.known:
            self.known[path] = evaluate(let.node.value, replace(self, names=self.names.at(let.file)))
        return self.known[path]

    def question(self, function: str, path: str, origin: Origin) -> Value:
        """See `Scope.question`."""
        if function == "defined" and path == self.path:
            return True
        return self.names.afresh().question(function, path, origin)


def value_under(node: nodes.Expression, names: Names, path: str, value: Value) -> Value | None:
    """What an expression comes to where a name has that value; None where it comes to nothing."""
    try:
        return evaluate(node, Supposing(names, path, value))
    except (Refusal, TypeError):
        return None


# ------------------------------------------------------------------ which way it goes


def slope(node: nodes.Expression, names: Names, path: str) -> int | None:
    """1 where an expression, or the truth of a condition, can only grow with a name, -1 where it can only
    fall, 0 where it does not depend on it, None where it may do either.
    """
    match node:
        case nodes.Quantity() | nodes.Boolean() | nodes.Text():
            return 0
        case nodes.Reference():
            let = names.scope.let(node.path)
            if node.path == path:
                return 1
            return 0 if let is None else slope(let.node.value, names.at(let.file), path)
        case nodes.Parenthesis():
            return slope(node.inner, names, path)
        case nodes.Unary():
            return _against(slope(node.operand, names, path))
        case nodes.Conditional():
            taken = branch(node, names.scope)
            fixed = slope(node.condition, names, path) == 0
            return None if taken is None or not fixed else slope(taken, names, path)
        case nodes.Call() if node.function in ("floor", "ceil", "min", "max", "clamp"):
            return _together(slope(one, names, path) for one in node.args)
        case nodes.Binary():
            return _of_two(node, names, path)
    return (
        0 if not any(isinstance(one, nodes.Reference) and one.path == path for one in node.walk()) else None
    )


def _of_two(node: nodes.Binary, names: Names, path: str) -> int | None:
    left, right = slope(node.left, names, path), slope(node.right, names, path)
    if left == 0 and right == 0:
        return 0
    match node.op:
        case "+" | "and" | "or":
            return _together((left, right))
        case "-" | ">" | ">=":
            return _together((left, _against(right)))
        case "<" | "<=" | "implies":
            return _together((_against(left), right))
        case "*" if left == 0:
            return _times(right, _sign(node.left, names))
        case "*" | "/" | "div" if right == 0:
            return _times(left, _sign(node.right, names))
    return None


def _sign(node: nodes.Expression, names: Names) -> int:
    value = names.value(node)
    return 0 if not isinstance(value, int | Fraction) or value == 0 else 1 if value > 0 else -1


def _times(one: int | None, sign: int) -> int | None:
    return None if one is None else one * sign


def _against(one: int | None) -> int | None:
    return None if one is None else -one


def _together(several: Iterator[int | None] | tuple[int | None, ...]) -> int | None:
    found = set(several) - {0}
    return 0 if not found else found.pop() if len(found) == 1 else None
