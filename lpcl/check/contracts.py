"""Rules of contracts and interfaces: every clause is there once, is complete, and has values that fit."""

from __future__ import annotations

from lpcl.check import evidence, members, resources, signals
from lpcl.check.context import Context, label
from lpcl.check.declarations import once, unique, value_range
from lpcl.check.expressions import Typer
from lpcl.check.places import contract_scope, operation_scope
from lpcl.check.references import resolve
from lpcl.check.scopes import Deferred, Scope, Value
from lpcl.model import types
from lpcl.model.program import Declared, SourceFile
from lpcl.syntax import nodes

_SINGLE: dict[type[nodes.Node], str] = {nodes.Library: "library", nodes.OnLoad: "on load"}
_POOL_WORDS: dict[type[nodes.Node], str] = {
    nodes.Size: "size",
    nodes.Existing: "existing",
    nodes.CallersPolicy: "callers",
    nodes.CallerRole: "caller",
    nodes.Coupling: "threads",
    nodes.Created: "created",
    nodes.Idle: "idle",
    nodes.ForkBehaviour: "fork",
    nodes.Nested: "nested",
}
_WORKER_WORDS: dict[type[nodes.Node], str] = {
    nodes.Start: "start",
    nodes.Pin: "pin",
    nodes.CallerRole: "caller",
}
_POOL_POLICIES = "`fork`, `queue`, `submit`, `join` or `forbid`"


def check(context: Context, declared: Declared) -> None:
    """Check one contract or interface."""
    node, file = declared.node, declared.file
    assert isinstance(node, nodes.Contract | nodes.Interface)
    where = f"`{node.name.text}`"
    _names(context, file, node, where)
    once(context, file, node.members, _SINGLE, where)
    if node.base is not None:
        kind = type(node)
        resolve(context, file, node.base, (kind,), kind.__name__.lower())
    contract = context.contract(declared)
    scope = contract_scope(context, contract, file)
    for member in node.members:
        _member(context, scope, member, complete=isinstance(node, nodes.Contract))


def _names(context: Context, file: SourceFile, node: nodes.Contract | nodes.Interface, where: str) -> None:
    values: list[tuple[nodes.Name, str]] = []
    for kind in (nodes.Pool, nodes.Operation, nodes.Uses):
        word = "dependencie" if kind is nodes.Uses else kind.__name__.lower()
        named = ((member.name, word) for member in node.members if isinstance(member, kind))
        unique(context, file, named, where)
    for member in node.members:
        if isinstance(member, nodes.Control | nodes.Let | nodes.Signal):
            values.append((member.name, type(member).__name__.lower()))
    unique(context, file, values, where)


def _member(context: Context, scope: Scope, member: nodes.Node, *, complete: bool) -> None:
    typer = Typer(scope)
    match member:
        case nodes.Library():
            _library(context, scope.file, member)
        case nodes.Control():
            members.control_clauses(scope, scope.file, member)
        case nodes.Pool():
            _pool(typer, member, complete=complete)
        case nodes.Operation():
            _operation(scope, member)
        case nodes.Uses():
            _uses(context, scope.file, member)
        case nodes.OnLoad():
            once(context, scope.file, member.clauses, {nodes.Pin: "pin"}, "`on load`")
            for clause in member.clauses:
                _effect(typer, clause)
        case nodes.Demand():
            resources.demand(typer, member)
        case nodes.Let():
            typer.infer(member.value)
        case nodes.Assume() | nodes.Hazard():
            _condition(typer, member)
        case nodes.Limit():
            members.limit(typer, member.target, member.value)
            members.guard(typer, member.guard)
        case nodes.Signal():
            signals.check(scope, member)
        case nodes.Evidence():
            evidence.check(scope, member)
        case nodes.Scales():
            _scales(typer, member)


def _condition(typer: Typer, node: nodes.Assume | nodes.Hazard) -> None:
    word = "what `assume` states" if isinstance(node, nodes.Assume) else "the condition of a hazard"
    typer.require(node.condition, types.BOOL, word)


def _scales(typer: Typer, node: nodes.Scales) -> None:
    members.control(typer.scope, node.control)
    typer.require(node.fraction, types.SHARE, "the part that gains from the control")


# ------------------------------------------------------------------ libraries


def _library(context: Context, file: SourceFile, node: nodes.Library) -> None:
    for entry in node.entries:
        stated = entry.versions if isinstance(entry, nodes.PypiEntry | nodes.CommandEntry) else None
        if stated is not None:
            signals.constraint(context, file, stated)


# ------------------------------------------------------------------ pools


def _pool(typer: Typer, node: nodes.Pool, *, complete: bool) -> None:
    context, file = typer.context, typer.file
    where = f"the pool `{node.name.text}`"
    once(context, file, node.clauses, _POOL_WORDS, where)
    for clause in node.clauses:
        if isinstance(clause, nodes.Size):
            typer.require(clause.value, types.COUNT, f"the size of {where}")
        elif isinstance(clause, nodes.Existing):
            sized = Typer(typer.scope.child({"size": Value(types.COUNT)}))
            sized.require(clause.value, types.COUNT, f"the number of threads that exist in {where}")
        elif isinstance(clause, nodes.Idle) and clause.duration is not None:
            if clause.how == "blocks":
                context.report(
                    "conflicting-clauses",
                    file,
                    clause.duration.span,
                    "idle threads that block do so for as long as they are idle",
                    help_text="write `idle blocks`, or `idle spins for ...`",
                )
            typer.require(clause.duration, types.DURATION, "the time for which idle threads spin")
    if not complete or context.is_broken(file, node.span):
        return
    present = {type(clause) for clause in node.clauses}
    for kind, word, example in (
        (nodes.Size, "size", "say how many threads are at work, such as `size threads`"),
        (nodes.CallersPolicy, "callers", f"say what several callers get: {_POOL_POLICIES}"),
    ):
        if kind not in present:
            context.report(
                "missing-clause",
                file,
                node.name.span,
                f"{where} does not state its `{word}`",
                help_text=example,
            )


# ------------------------------------------------------------------ operations


def _operation(scope: Scope, node: nodes.Operation) -> None:
    context, file = scope.context, scope.file
    where = f"the operation `{node.name.text}`"
    unique(context, file, ((item.name, "parameter") for item in node.parameters), where)
    lets = ((item.name, "let") for item in node.clauses if isinstance(item, nodes.Let))
    unique(context, file, [*((item.name, "parameter") for item in node.parameters), *lets], where)
    inner = operation_scope(scope, node)
    typer = Typer(inner)
    with_callers = Typer(inner.child({"callers": Value(types.COUNT)}))
    earlier: dict[str, Value | Deferred] = {}
    for parameter in node.parameters:
        value_range(Typer(scope), parameter.type)
        if parameter.default is not None:
            Typer(scope.child(earlier)).require(
                parameter.default,
                types.of(parameter.type),
                f"the default of `{parameter.name.text}`",
                label(file, parameter.type.span, "declared here"),
            )
        earlier[parameter.name.text] = Value(types.of(parameter.type))
    for clause in node.clauses:
        match clause:
            case nodes.RunsOn():
                members.pool(inner, clause.pool)
                if clause.size is not None:
                    typer.require(clause.size, types.COUNT, "the size of the pool")
                members.guard(typer, clause.guard)
            case nodes.Calls():
                _calls(typer, clause)
            case nodes.Workers():
                _workers(typer, clause)
            case nodes.Demand():
                resources.demand(typer, clause)
            case nodes.Let():
                typer.infer(clause.value)
            case nodes.Assume() | nodes.Hazard():
                _condition(with_callers, clause)
            case nodes.Limit():
                members.limit(typer, clause.target, clause.value)
                members.guard(typer, clause.guard)
            case nodes.Scales():
                _scales(typer, clause)
    _exclusive(context, file, node)


def _calls(typer: Typer, node: nodes.Calls) -> None:
    target = members.operation(typer.scope, node.target)
    if target is not None:
        own = members.controls_beside(typer.scope, node.target)
        members.arguments(typer, node.target, node.arguments, target, own)
    members.guard(typer, node.guard)


def _workers(typer: Typer, node: nodes.Workers) -> None:
    context, file = typer.context, typer.file
    typer.require(node.count, types.COUNT, "the number of workers")
    members.guard(typer, node.guard)
    once(context, file, node.clauses, _WORKER_WORDS, "`workers`")
    for clause in node.clauses:
        if isinstance(clause, nodes.Start):
            if node.kind == "threads":
                context.report(
                    "conflicting-clauses",
                    file,
                    clause.span,
                    "`start` says how a process begins, but these workers are threads",
                    help_text="leave it out, or start `workers processes`",
                )
            typer.require(clause.method, types.START_METHODS, "the way in which a process starts")
        elif isinstance(clause, nodes.CallerRole):
            if node.kind == "processes":
                context.report(
                    "conflicting-clauses",
                    file,
                    clause.span,
                    "a caller cannot be one of several processes",
                    help_text="`caller joins` is for `workers threads`",
                )
        else:
            if isinstance(clause, nodes.SetVariable) and node.kind == "threads":
                context.report(
                    "conflicting-clauses",
                    file,
                    clause.name.span,
                    "threads have the environment of their process",
                    help_text="use `limit` for what holds in the workers alone",
                )
            if isinstance(clause, nodes.Demand) and node.kind == "threads":
                context.report(
                    "conflicting-clauses",
                    file,
                    clause.span,
                    "what threads demand belongs to their operation",
                    help_text="write the demand in the operation, multiplied by the number of workers",
                )
            _effect(typer, clause)


def _effect(typer: Typer, clause: nodes.Node) -> None:
    match clause:
        case nodes.SetVariable():
            members.set_variable(typer, clause)
        case nodes.Limit():
            members.limit(typer, clause.target, clause.value)
            members.guard(typer, clause.guard)
        case nodes.Pin():
            typer.require(clause.value, types.COUNT, "the number of CPUs to which a process is pinned")
        case nodes.Demand():
            resources.demand(typer, clause)


def _exclusive(context: Context, file: SourceFile, node: nodes.Operation) -> None:
    """An operation runs in one way: of two clauses that say how, at least one needs a `when`."""
    always = [
        clause
        for clause in node.clauses
        if isinstance(clause, nodes.RunsOn | nodes.Workers) and clause.guard is None
    ]
    for other in always[1:]:
        first = always[0]
        context.report(
            "conflicting-clauses",
            file,
            other.span,
            f"the operation `{node.name.text}` says twice where its work is done",
            labels=[label(file, first.span, "first here")],
            help_text="say with `when` which of the two applies",
        )


# ------------------------------------------------------------------ dependencies


def _uses(context: Context, file: SourceFile, node: nodes.Uses) -> None:
    if node.interface is not None:
        resolve(context, file, node.interface, (nodes.Interface,), "interface")
    if node.provider is not None:
        resolve(context, file, node.provider, (nodes.Contract,), "contract")
    if node.interface is None and node.provider is None:
        itself = nodes.Ref(path=node.name.text, span=node.name.span)
        resolve(context, file, itself, (nodes.Interface, nodes.Contract), "contract or interface")
