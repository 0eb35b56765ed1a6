"""Rules between interfaces and their providers."""

from __future__ import annotations

from collections.abc import Iterable

from lpcl.check.context import Context, label
from lpcl.check.members import operations
from lpcl.check.names import Dependency
from lpcl.check.references import resolve
from lpcl.check.scopes import article
from lpcl.model import contracts, types
from lpcl.model.contracts import Clause
from lpcl.model.program import Declared, SourceFile
from lpcl.syntax import nodes
from lpcl.syntax.span import Span


def check(context: Context, declared: Declared) -> None:
    """Check that a contract offers what it says to implement, and that its dependencies are providers."""
    node, file = declared.node, declared.file
    assert isinstance(node, nodes.Contract)
    contract = context.contract(declared)
    for ref in node.interfaces:
        found = resolve(context, file, ref, (nodes.Interface,), "interface")
        if found is not None:
            _implements(context, contract, ref, context.contract(found))
    for member in node.members:
        if isinstance(member, nodes.Uses) and member.provider is not None:
            target = context.dependency(Clause(member, file))
            provides(context, file, member.provider.span, target, f"`{member.name.text}`")


def provides(context: Context, file: SourceFile, span: Span, target: Dependency, use: str) -> None:
    """Report a provider that does not implement the interface that is asked of it."""
    interface, provider = target.interface, target.provider
    if interface is None or provider is None or offers(context, provider, interface):
        return
    if context.is_broken(provider.file, provider.node.span):
        return  # what it implements may stand in what could not be parsed
    context.report(
        "not-a-provider",
        file,
        span,
        f"`{provider.name}` does not implement `{interface.name}`, which {use} needs",
        labels=[
            label(provider.file, provider.node.name.span, "the contract"),
            label(interface.file, interface.node.name.span, "the interface"),
        ],
        help_text=_providers(context, interface)
        or f"let the contract say so, if it is so: `implements {interface.name}`",
    )


def offers(context: Context, provider: Declared, interface: Declared) -> bool:
    """Whether a contract implements an interface or one that extends it."""
    wanted = interface.qualified
    return any(
        wanted == base.qualified
        for offered in context.contract(provider).interfaces
        for base in contracts.lineage(context.program, offered)
    )


def _providers(context: Context, interface: Declared) -> str | None:
    names = sorted(
        item.name
        for items in context.program.declarations.values()
        for item in items[:1]
        if isinstance(item.node, nodes.Contract) and offers(context, item, interface)
    )
    return f"known providers: {', '.join(f'`{name}`' for name in names[:6])}" if names else None


def _implements(
    context: Context, contract: contracts.Contract, ref: nodes.Ref, interface: contracts.Contract
) -> None:
    node, file = contract.declared.node, contract.declared.file
    incomplete = context.is_broken(file, node.span)
    groups: Iterable[tuple[str, Iterable[tuple[str, nodes.Node, SourceFile]], Iterable[str]]] = (
        ("control", _each(interface.controls.values()), contract.controls),
        ("pool", _each(interface.pools.values()), contract.pools),
        ("operation", _each(interface.operations.values()), operations(contract)),
    )
    for word, promised, present in groups:
        for name, clause, place in promised:
            if name not in present and not incomplete:
                context.report(
                    "missing-implementation",
                    file,
                    ref.span,
                    f"`{contract.name}` implements `{interface.name}` but has no {word} `{name}`",
                    labels=[label(place, clause.span, "promised here")],
                    help_text=f"give `{contract.name}` {article(word)} `{name}`",
                )
    for name, promise in interface.controls.items():
        given = contract.controls.get(name)
        if given is not None:
            _same_type(context, contract, ref, f"the control `{name}`", given, promise)
    for name, wanted in interface.operations.items():
        offered = contract.operations.get(name)
        if offered is not None:
            _same_parameters(context, contract, ref, offered, wanted)


def _each(
    clauses: Iterable[Clause[nodes.Control] | Clause[nodes.Pool] | Clause[nodes.Operation]],
) -> list[tuple[str, nodes.Node, SourceFile]]:
    return [(clause.node.name.text, clause.node.name, clause.file) for clause in clauses]


def _at(
    contract: contracts.Contract, ref: nodes.Ref, clause_file: SourceFile, span: Span
) -> tuple[SourceFile, Span]:
    """Where to report: the member itself where the contract states it, else the interface's name."""
    own = contract.declared.file
    inside = contract.declared.node.span
    if clause_file is own and inside.start <= span.start <= inside.end:
        return own, span
    return own, ref.span


def _same_type(
    context: Context,
    contract: contracts.Contract,
    ref: nodes.Ref,
    what: str,
    given: Clause[nodes.Control] | Clause[nodes.Parameter],
    promise: Clause[nodes.Control] | Clause[nodes.Parameter],
) -> None:
    a, b = types.of(given.node.type), types.of(promise.node.type)
    if alike(a, b):
        return
    file, span = _at(contract, ref, given.file, given.node.type.span)
    context.report(
        "incompatible-member",
        file,
        span,
        f"{what} is {types.describe(a)}, but its interface promises {types.describe(b)}",
        labels=[label(promise.file, promise.node.type.span, "promised here")],
        help_text="take the type that the interface promises",
    )


def alike(given: types.Type, promised: types.Type) -> bool:
    """Whether a member of one type can stand where the other is promised; ranges may differ."""
    if isinstance(given, types.UnknownType) or isinstance(promised, types.UnknownType):
        return True
    if isinstance(given, types.NumberType) and isinstance(promised, types.NumberType):
        return given.dimension == promised.dimension and given.whole == promised.whole
    if isinstance(given, types.EnumType) and isinstance(promised, types.EnumType):
        return set(promised.members) <= set(given.members)
    return type(given) is type(promised)


def _same_parameters(
    context: Context,
    contract: contracts.Contract,
    ref: nodes.Ref,
    offered: Clause[nodes.Operation],
    wanted: Clause[nodes.Operation],
) -> None:
    name = wanted.node.name.text
    given = {item.name.text: item for item in offered.node.parameters}
    promised = {item.name.text: item for item in wanted.node.parameters}
    file, span = _at(contract, ref, offered.file, offered.node.name.span)
    for key, parameter in promised.items():
        own = given.get(key)
        if own is None:
            context.report(
                "incompatible-member",
                file,
                span,
                f"the operation `{name}` lacks the parameter `{key}` that its interface promises",
                labels=[label(wanted.file, parameter.span, "promised here")],
                help_text=f"add the parameter `{key}`",
            )
        else:
            _same_type(
                context,
                contract,
                ref,
                f"the parameter `{key}` of `{name}`",
                Clause(own, offered.file),
                Clause(parameter, wanted.file),
            )
    for key, own in given.items():
        if key not in promised and own.default is None:
            context.report(
                "incompatible-member",
                file,
                span,
                f"the operation `{name}` needs the parameter `{key}`, of which its interface knows nothing",
                labels=[label(wanted.file, wanted.node.name.span, "promised here")],
                help_text="give the parameter a default",
            )
