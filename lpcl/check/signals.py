"""Rules of signals, which measure a running program, and of evidence, which is an experiment on a library."""

from __future__ import annotations

from lpcl.check import members, resources
from lpcl.check.context import Context, name_span, nearest
from lpcl.check.declarations import once, value_range
from lpcl.check.expressions import Typer
from lpcl.check.scopes import Scope, Value
from lpcl.model import contracts, types
from lpcl.model.measurements import MEASUREMENTS
from lpcl.model.program import SourceFile
from lpcl.packages import versions
from lpcl.syntax import nodes

_EVIDENCE_WORDS: dict[type[nodes.Node], str] = {
    nodes.Pin: "pin",
    nodes.Timeout: "timeout",
    nodes.PythonCode: "python",
}


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
    typer = Typer(measuring.child(known))
    for indication in node.indications:
        resources.find(scope.context, scope.file, indication.resource)
        typer.require(indication.condition, types.BOOL, "the condition of `indicates`")


def evidence(scope: Scope, node: nodes.Evidence) -> None:
    """Check an experiment: its settings, its requirements, and what it expects."""
    context, file = scope.context, scope.file
    where = f'the evidence "{node.title.value}"'
    once(context, file, node.clauses, _EVIDENCE_WORDS, where)
    fixed = Typer(Scope(context, file))
    reported = Typer(
        Scope(
            context,
            file,
            {"exit_code": Value(types.INT), "timed_out": Value(types.BOOL)},
            anything=True,
        )
    )
    for clause in node.clauses:
        match clause:
            case nodes.SetVariable():
                members.set_variable(fixed, clause)
            case nodes.Pin():
                fixed.require(clause.value, types.COUNT, "the number of CPUs to which a process is pinned")
            case nodes.Needs():
                if clause.versions is not None:
                    constraint(context, file, clause.versions)
            case nodes.Timeout():
                fixed.require(clause.value, types.DURATION, "a time limit")
            case nodes.ExpectValue():
                reported.require(clause.condition, types.BOOL, "what is expected")
    _subjects(scope, node)
    if context.is_broken(file, node.span):
        return
    present = {type(clause) for clause in node.clauses}
    for kind, word, example in (
        (nodes.PythonCode, "python", 'add `python """..."""`, which calls `report(name=value)`'),
        (nodes.ExpectValue, "expect", "add `expect ...` over what the Python code reports"),
    ):
        if kind not in present:
            context.report(
                "missing-clause", file, node.title.span, f"{where} has no `{word}`", help_text=example
            )


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


def _subjects(scope: Scope, node: nodes.Evidence) -> None:
    """The clauses that the evidence is said to be about have to exist."""
    owner = scope.owner
    assert owner is not None
    for ref in node.subjects:
        holder, _, name = ref.path.rpartition(".")
        target = scope.library(holder) if holder else owner
        known = _named(target) if target is not None else set()
        if name not in known and not scope.context.is_excused(target or owner, name, known):
            close = nearest(name, known)
            scope.context.report(
                "unknown-member",
                scope.file,
                name_span(ref, name),
                f"`{owner.name}` has no clause `{ref.path}`",
                help_text=f"did you mean `{close}`?" if close else None,
            )


def _named(target: contracts.Contract) -> set[str]:
    return {
        *target.controls,
        *target.pools,
        *target.operations,
        *target.uses,
        *target.lets,
        *target.signals,
    }
