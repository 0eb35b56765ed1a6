"""How operations can be called: what they take, and whether they start anything."""

from __future__ import annotations

from collections.abc import Iterator

from lpcl.model.contracts import Contract
from lpcl.scan.steps import Value
from lpcl.syntax import nodes


def may_start(operation: nodes.Operation) -> bool:
    """Whether an operation has workers, or hands a block on to one that has."""
    return any(
        isinstance(clause, nodes.Workers) or (isinstance(clause, nodes.Calls) and clause.passes_block)
        for clause in operation.clauses
    )


def figures(contract: Contract, operation: nodes.Operation) -> list[str]:
    """The parameters of an operation, and the controls that a call may give, that take whole numbers."""
    own = [p.name.text for p in operation.parameters if is_figure(p.type)]
    named = {
        reference.path
        for clause in operation.clauses
        for reference in clause.walk()
        if isinstance(reference, nodes.Reference)
    }
    controls = [
        name
        for name, control in contract.controls.items()
        if is_figure(control.node.type)
        and (
            name in named or any(isinstance(clause, nodes.ArgumentSource) for clause in control.node.clauses)
        )
    ]
    return [*own, *(name for name in controls if name not in own)]


def is_figure(kind: nodes.Type) -> bool:
    """Whether a type is that of whole numbers."""
    return isinstance(kind, nodes.ValueType) and kind.first in ("int", "count") and not kind.rest


def enumerations(operation: nodes.Operation) -> Iterator[tuple[tuple[str, Value], ...]]:
    """Nothing, then each value of each parameter that is one of several words."""
    yield ()
    for parameter in operation.parameters:
        if isinstance(parameter.type, nodes.EnumType):
            for member in parameter.type.members:
                yield ((parameter.name.text, member.text),)
