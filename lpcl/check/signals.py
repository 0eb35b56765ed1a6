"""Rules of signals, which measure a running program, and of version constraints."""

from __future__ import annotations

from lpcl.check import python_code, resources
from lpcl.check.context import Context
from lpcl.check.declarations import value_range
from lpcl.check.expressions import Typer
from lpcl.check.scopes import Scope, Value
from lpcl.model import types
from lpcl.model.measurements import MEASUREMENTS
from lpcl.model.program import SourceFile
from lpcl.packages import versions
from lpcl.syntax import nodes


def check(scope: Scope, node: nodes.Signal) -> None:
    """Check a signal: its source, and the conditions under which it indicates something."""
    value_range(Typer(scope), node.type)
    measuring = Scope(scope.context, scope.file, parent=scope, owner=scope.owner, groups=MEASUREMENTS)
    if not isinstance(node.source, nodes.LogSource | nodes.PythonSource):
        wanted = types.of(node.type)
        if isinstance(wanted, types.NumberType):
            wanted = types.NumberType(wanted.dimension, wanted.whole)
        Typer(measuring).require(node.source, wanted, f"the signal `{node.name.text}`")
    signals = scope.owner.signals if scope.owner is not None else {}
    known = {name: Value(types.of(clause.node.type)) for name, clause in signals.items()}
    if isinstance(node.source, nodes.PythonSource):
        python_code.check(scope.context, scope.file, node.source.code, expression=True)
    typer = Typer(measuring.child(known))
    for indication in node.indications:
        resources.find(scope.context, scope.file, indication.resource)
        typer.require(indication.condition, types.BOOL, "the condition of `indicates`")


def constraint(context: Context, file: SourceFile, stated: nodes.Text) -> None:
    """Check a version constraint: one that can be read, and that some version satisfies."""
    if versions.specifiers(stated.value) is None:
        context.report(
            "bad-version",
            file,
            stated.span,
            f'"{stated.value}" is not a version constraint',
            help_text='write it as Python packages do, such as ">=1.2,<2"',
        )
    elif not versions.satisfiable(stated.value):
        context.report(
            "bad-version",
            file,
            stated.span,
            f'no version satisfies "{stated.value}"',
            help_text="a contract speaks about one range of versions: write one contract for each, "
            "and what they share in a base that both extend",
        )
