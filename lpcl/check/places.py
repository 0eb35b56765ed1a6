"""The scopes of contracts and of their operations."""

from __future__ import annotations

from collections.abc import Iterator

from lpcl.check.context import Context
from lpcl.check.expressions import Typer
from lpcl.check.scopes import NOT_KNOWN, Deferred, Scope, Value
from lpcl.model import contracts, types
from lpcl.model.program import SourceFile
from lpcl.syntax import nodes


def contract_scope(context: Context, contract: contracts.Contract, file: SourceFile) -> Scope:
    """What a contract's clauses in `file` know: its controls and lets."""
    scope = Scope(context, file, owner=contract)
    scope.names.update(dict.fromkeys(_doubled(contract), NOT_KNOWN))
    for name, control in contract.controls.items():
        scope.names.setdefault(name, Value(types.of(control.node.type)))
    views = {file: scope}
    for name, let in contract.lets.items():
        view = views.get(let.file)
        if view is None:
            view = views[let.file] = Scope(context, let.file, scope.names, owner=contract)
        scope.names.setdefault(name, deferred(let.node.value, view))
    return scope


def _doubled(contract: contracts.Contract) -> set[str]:
    """Names that the contract gives to two values; what they mean is not clear."""
    node = contract.declared.node
    seen: set[str] = set()
    doubled: set[str] = set()
    for member in node.members if isinstance(node, nodes.Contract | nodes.Interface) else ():
        if isinstance(member, nodes.Control | nodes.Let):
            (doubled if member.name.text in seen else seen).add(member.name.text)
    return doubled


def operation_scope(scope: Scope, operation: nodes.Operation) -> Scope:
    """What an operation's clauses know besides: its parameters and lets."""
    inner = scope.child({item.name.text: Value(types.of(item.type)) for item in operation.parameters})
    for clause in operation.clauses:
        if isinstance(clause, nodes.Let):
            inner.names.setdefault(clause.name.text, deferred(clause.value, inner))
    return inner


def deferred(expression: nodes.Expression, scope: Scope) -> Deferred:
    """The name of an expression, typed in `scope` when it is asked for."""

    def needs() -> Iterator[Deferred]:
        for node in expression.walk():
            found = scope.deferred(node.path) if isinstance(node, nodes.Reference) else None
            if found is not None:
                yield found

    return Deferred(lambda: Typer(scope, silent=True).infer(expression), needs)
