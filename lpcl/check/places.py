"""The scopes of contracts and of their operations."""

from __future__ import annotations

from lpcl.check.context import Context
from lpcl.check.expressions import Typer
from lpcl.check.scopes import Deferred, Scope, Value
from lpcl.model import contracts, types
from lpcl.model.program import SourceFile
from lpcl.syntax import nodes


def contract_scope(context: Context, contract: contracts.Contract, file: SourceFile) -> Scope:
    """What a contract's clauses in `file` know: its controls and lets."""
    scope = Scope(context, file, owner=contract)
    for name, control in contract.controls.items():
        scope.names[name] = Value(types.of(control.node.type))
    views = {file: scope}
    for name, let in contract.lets.items():
        view = views.get(let.file)
        if view is None:
            view = views[let.file] = Scope(context, let.file, scope.names, owner=contract)
        scope.names.setdefault(name, deferred(let.node.value, view))
    return scope


def operation_scope(scope: Scope, operation: nodes.Operation) -> Scope:
    """What an operation's clauses know besides: its parameters and lets."""
    inner = scope.child({item.name.text: Value(types.of(item.type)) for item in operation.parameters})
    for clause in operation.clauses:
        if isinstance(clause, nodes.Let):
            inner.names.setdefault(clause.name.text, deferred(clause.value, inner))
    return inner


def deferred(expression: nodes.Expression, scope: Scope) -> Deferred:
    """The name of an expression, typed in `scope` when it is asked for."""
    return Deferred(lambda: Typer(scope, silent=True).infer(expression))
