"""A condition of a contract like a ledger: what it compares, the values put in, and what that comes to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from lpcl.compose.grounds import grounds
from lpcl.compose.kinds import Names
from lpcl.compose.reckoning import COMPARING, put_in
from lpcl.compose.refusal import Refusal
from lpcl.compose.said import branch, written
from lpcl.compose.scopes import ContractScope
from lpcl.compose.structure import Condition, Resolution
from lpcl.compose.terms import Plain, Value
from lpcl.syntax import nodes


@dataclass(frozen=True, slots=True)
class Comparison:
    """One comparison, reckoned on both sides, and whether it is so; `plain` where it is just the value of a
    name.
    """

    text: str
    holds: bool
    plain: bool = False


@dataclass(frozen=True, slots=True)
class Checked:
    """A condition as its clause has it, with its values put in, and the comparisons that decide it.

    `because` says where each value comes from.
    """

    text: str
    with_values: str
    comparisons: tuple[Comparison, ...]
    because: tuple[Resolution, ...]


def names_of(condition: Condition, callers: Mapping[str, Plain]) -> Names | None:
    """The names in a condition where it is evaluated, given how many are at each place that it asks about."""
    if condition.said is None or not isinstance(condition.said.scope, ContractScope):
        return None
    place = condition.place
    many = None if place is None else callers.get(f"callers {place.id}", 1)
    scope = replace(condition.said.scope, reasons=[], facts={}, known={}, resolving=(), callers=many)
    return Names(scope)


def checked(condition: Condition, callers: Mapping[str, Plain]) -> Checked | None:
    """The condition in figures: why an assumption does not hold, or a hazard does. None where it is not known
    how it is reckoned.
    """
    names = names_of(condition, callers)
    if names is None:
        return None
    assert condition.said is not None
    expression = condition.said.expression
    truth = condition.kind == "hazard"
    try:
        with_values = put_in(expression, names)
        deciding = tuple(deciding_comparisons(expression, names, truth=truth))
        comparisons = tuple(_reckoned(node, at) for node, at in deciding)
    except Refusal:
        return None
    return Checked(
        written(expression, names.scope, False),
        with_values,
        tuple(dict.fromkeys(comparisons)),
        grounds(expression, names),
    )


def deciding_comparisons(
    node: nodes.Expression, names: Names, *, truth: bool
) -> Iterator[tuple[nodes.Expression, Names]]:
    """The comparisons that make a condition come out as `truth`, each where it is read."""
    taken = branch(node, names.scope)
    if isinstance(taken, nodes.Node):
        yield from deciding_comparisons(taken, names, truth=truth)
        return
    match node:
        case nodes.Parenthesis():
            yield from deciding_comparisons(node.inner, names, truth=truth)
        case nodes.Unary(op="not"):
            yield from deciding_comparisons(node.operand, names, truth=not truth)
        case nodes.Binary(op="and") if truth:
            yield from deciding_comparisons(node.left, names, truth=True)
            yield from deciding_comparisons(node.right, names, truth=True)
        case nodes.Binary(op="and"):
            first = node.left if names.value(node.left) is False else node.right
            yield from deciding_comparisons(first, names, truth=False)
        case nodes.Binary(op="or") if not truth:
            yield from deciding_comparisons(node.left, names, truth=False)
            yield from deciding_comparisons(node.right, names, truth=False)
        case nodes.Binary(op="or"):
            first = node.left if names.value(node.left) is True else node.right
            yield from deciding_comparisons(first, names, truth=True)
        case nodes.Binary(op="implies") if not truth:
            yield from deciding_comparisons(node.left, names, truth=True)
            yield from deciding_comparisons(node.right, names, truth=False)
        case nodes.Binary(op="implies"):
            if names.value(node.left) is False:
                yield from deciding_comparisons(node.left, names, truth=False)
            else:
                yield from deciding_comparisons(node.right, names, truth=True)
        case nodes.Reference() if (let := names.scope.let(node.path)) is not None:
            yield from deciding_comparisons(let.node.value, names.at(let.file), truth=truth)
        case _:
            yield node, names


def _reckoned(node: nodes.Expression, names: Names) -> Comparison:
    holds = names.value(node) is True
    if isinstance(node, nodes.Binary) and node.op in COMPARING:
        left, right = side(node.left, names), side(node.right, names)
        return Comparison(f"{left} {node.op} {right}", holds)
    text = put_in(node, names)
    if isinstance(node, nodes.Reference):
        return Comparison(f"{node.path} = {text}", holds, plain=True)
    return Comparison(text, holds)


def side(node: nodes.Expression, names: Names) -> str:
    """One side of a comparison, reckoned, in its unit."""
    value: Value = names.value(node)
    return names.figure(node).show(value)
