"""Rules of resources and of what is demanded of them."""

from __future__ import annotations

from lpcl.check import members
from lpcl.check.context import Context, label
from lpcl.check.declarations import once, value_range
from lpcl.check.expressions import Typer
from lpcl.check.references import resolve
from lpcl.check.scopes import Scope
from lpcl.diagnostics.diagnostic import Label
from lpcl.model import types
from lpcl.model.program import Declared, SourceFile
from lpcl.syntax import nodes

_WORDS: dict[type[nodes.Node], str] = {
    nodes.Capacity: "capacity",
    nodes.Sharing: "sharing",
    nodes.Exceed: "exceed",
}
_EXAMPLES = {
    nodes.Capacity: "say how much there is, such as `capacity machine.memory.limit`",
    nodes.Sharing: "say `sharing time` for what runs at one moment, `sharing space` for what is held",
    nodes.Exceed: "say what happens when there is not enough: `exceed degrades` or `exceed fails`",
}


def check(context: Context, file: SourceFile, node: nodes.Resource) -> None:
    """Check one resource."""
    where = f"the resource `{node.name.text}`"
    once(context, file, node.clauses, _WORDS, where)
    kind = types.of(node.type)
    if not isinstance(kind, types.NumberType | types.UnknownType):
        context.report(
            "invalid-type",
            file,
            node.type.span,
            f"{where} has to be a number, but this is {types.describe(kind)}",
            help_text="say what it is counted in, such as `count` or `bytes`",
        )
        kind = types.UNKNOWN
    typer = Typer(Scope(context, file))
    value_range(typer, node.type)
    for clause in node.clauses:
        if isinstance(clause, nodes.Capacity):
            wanted = types.NumberType(kind.dimension) if isinstance(kind, types.NumberType) else kind
            declared = label(file, node.type.span, "declared here")
            typer.require(clause.value, wanted, f"the capacity of `{node.name.text}`", declared)
    if not context.is_broken(file, node.span):
        present = {type(clause) for clause in node.clauses}
        for kind_of_clause, example in _EXAMPLES.items():
            if kind_of_clause not in present:
                context.report(
                    "missing-clause",
                    file,
                    node.name.span,
                    f"{where} does not state its `{_WORDS[kind_of_clause]}`",
                    help_text=example,
                )


def find(context: Context, file: SourceFile, ref: nodes.Ref) -> Declared | None:
    """The resource that `ref` names."""
    return resolve(context, file, ref, (nodes.Resource,), "resource")


def amount(found: Declared | None) -> tuple[types.Type, Label | None]:
    """What an amount of a resource must be, and where that is said."""
    if found is None or not isinstance(found.node, nodes.Resource):
        return types.UNKNOWN, None
    kind = types.of(found.node.type)
    wanted = types.NumberType(kind.dimension) if isinstance(kind, types.NumberType) else types.UNKNOWN
    return wanted, label(found.file, found.node.type.span, "declared here")


def demand(typer: Typer, node: nodes.Demand) -> None:
    """Check a demand: its resource, its device, and the dimension of what it asks for."""
    found = find(typer.context, typer.file, node.resource)
    wanted, declared = amount(found)
    what = f"a demand for `{node.resource.path}`"
    if node.amount is not None:
        typer.require(node.amount, wanted, what, declared)
    if node.range is not None:
        typer.require(node.range.low, wanted, f"the least of {what}", declared)
        typer.require(node.range.high, wanted, f"the most of {what}", declared)
    members.guard(typer, node.guard)
    if node.device is not None and not isinstance(node.device, nodes.AllDevices):
        typer.require(node.device, types.COUNT, "the number of a device")
    if found is not None and isinstance(found.node, nodes.Resource):
        _device(typer, node, found, found.node)


def _device(typer: Typer, node: nodes.Demand, found: Declared, resource: nodes.Resource) -> None:
    broken = typer.context.is_broken(found.file, resource.span)
    if node.device is not None and resource.per != "device" and not broken:
        typer.context.report(
            "device-mismatch",
            typer.file,
            node.device.span,
            f"`{node.resource.path}` is not a resource per device",
            labels=[label(found.file, resource.name.span, "declared here")],
            help_text="leave out `on ...`",
        )
