"""References to members of libraries: controls, pools and operations, with a finding where there is none."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias, TypeVar

from lpcl.check.context import Context, label, name_span, nearest, offered
from lpcl.check.declarations import once, value_range
from lpcl.check.expressions import Typer
from lpcl.check.importing import importing
from lpcl.check.references import homes
from lpcl.check.scopes import Scope
from lpcl.diagnostics.diagnostic import Label
from lpcl.model import contracts, types
from lpcl.model.contracts import Clause
from lpcl.model.program import SourceFile
from lpcl.syntax import nodes

MemberT = TypeVar("MemberT", bound=nodes.Node)

Members: TypeAlias = Callable[[contracts.Contract], Mapping[str, Clause[MemberT]]]

IMPLICIT_LOAD = nodes.Operation(name=nodes.Name("load"))


def control(
    scope: Scope, ref: nodes.Ref, own: Mapping[str, Clause[nodes.Control]] | None = None
) -> Clause[nodes.Control] | None:
    """The control that `ref` names: one of `own` by its bare name, else a library's."""
    bare = own if own is not None else (scope.owner.controls if scope.owner else {})
    return _member(scope, ref, "control", bare, lambda target: target.controls)


def pool(scope: Scope, ref: nodes.Ref) -> Clause[nodes.Pool] | None:
    """The pool that `ref` names: one of the contract itself, else a dependency's."""
    bare = scope.owner.pools if scope.owner else {}
    return _member(scope, ref, "pool", bare, lambda target: target.pools)


def operation(scope: Scope, ref: nodes.Ref) -> Clause[nodes.Operation] | None:
    """The operation that `ref` names; every library has `load`."""
    bare = operations(scope.owner) if scope.owner else {}
    return _member(scope, ref, "operation", bare, operations)


def controls_beside(scope: Scope, ref: nodes.Ref) -> Mapping[str, Clause[nodes.Control]]:
    """The controls of the library whose operation `ref` names."""
    holder = ref.path.rpartition(".")[0]
    target = scope.library(holder) if holder else scope.owner
    return target.controls if target is not None else {}


def operations(target: contracts.Contract) -> Mapping[str, Clause[nodes.Operation]]:
    """A library's operations with the `load` that it need not declare."""
    return {"load": Clause(IMPLICIT_LOAD, target.declared.file), **target.operations}


def _member(
    scope: Scope,
    ref: nodes.Ref,
    word: str,
    bare: Mapping[str, Clause[MemberT]],
    of: Members[MemberT],
) -> Clause[MemberT] | None:
    holder, _, name = ref.path.rpartition(".")
    if not holder:
        found = bare.get(name)
        if found is None and not _excused(scope, scope.owner, name, bare):
            known = {*bare, *_dotted(scope, of)}
            close = nearest(name, known) or next(
                (item for item in sorted(known) if item.rpartition(".")[2] == name), None
            )
            scope.context.report(
                "unknown-member",
                scope.file,
                ref.span,
                f"there is no {word} `{name}` here",
                help_text=f"did you mean `{close}`?" if close else offered(name, known, f"known {word}s"),
            )
        return found
    target = scope.library(holder)
    if target is None:
        _no_library(scope, ref, holder)
        return None
    members: Mapping[str, Clause[MemberT]] = of(target)
    found = members.get(name)
    if found is None and not _excused(scope, target, name, members):
        scope.context.report(
            "unknown-member",
            scope.file,
            name_span(ref, name),
            f"`{target.name}` has no {word} `{name}`",
            labels=[label(target.declared.file, target.declared.node.name.span, "declared here")],
            notes=_promises(scope, holder, name, of),
            help_text=offered(name, members, f"its {word}s"),
        )
    return found


def _excused(scope: Scope, target: contracts.Contract | None, name: str, known: Iterable[str]) -> bool:
    if target is None:
        return scope.context.may_be_lost(scope.file, name)
    return scope.context.is_excused(target, name, known)


def _promises(scope: Scope, holder: str, name: str, of: Members[nodes.Node]) -> list[str]:
    """Where a provider has what its interface does not promise, a note that says so."""
    clause = scope.owner.uses.get(holder) if scope.owner is not None else None
    if clause is None:
        return []
    found = scope.context.dependency(clause)
    if found.interface is None or found.provider is None:
        return []
    if name not in of(scope.context.contract(found.provider)):
        return []
    return [
        f"`{found.provider.name}` has it, but another provider of `{found.interface.name}` may take its place"
    ]


def _dotted(scope: Scope, of: Members[nodes.Node]) -> set[str]:
    names: set[str] = set()
    for holder in scope.owner.uses if scope.owner is not None else ():
        target = scope.library(holder)
        if target is not None:
            names.update(f"{holder}.{name}" for name in of(target))
    return names


def _no_library(scope: Scope, ref: nodes.Ref, holder: str) -> None:
    context = scope.context
    if scope.owner is not None and holder in scope.owner.uses:
        return  # the `uses` clause itself leads nowhere and has its finding
    if context.may_be_imported(scope.file, holder.partition(".")[0]):
        return
    found = context.find(scope.file, holder)
    if found is not None:
        kind = type(found.node).__name__.lower()
        context.report(
            "wrong-kind",
            scope.file,
            name_span(ref, holder),
            f"`{holder}` is a {kind}, not a library",
            labels=[label(found.file, found.node.name.span, "declared here")],
            help_text="name a library that is used here",
        )
        return
    known = {
        *(scope.owner.uses if scope.owner is not None else ()),
        *(
            name
            for name, item in context.program.scope(scope.file).items()
            if isinstance(item.bare, nodes.Contract | nodes.Interface)
        ),
    }
    close = nearest(holder, known)
    there = homes(context, holder, (nodes.Contract, nodes.Interface))
    advice = f"import it: `import {there[0]}`" if there else "import it first"
    context.report(
        "unknown-declaration",
        scope.file,
        name_span(ref, holder),
        f"there is no library `{holder}` here",
        help_text=f"did you mean `{close}`?" if close and not there else advice,
        fix=importing(scope.file, there[0]) if len(there) == 1 and "." not in holder else None,
    )


def arguments(
    typer: Typer,
    ref: nodes.Ref,
    given: Iterable[nodes.Argument],
    target: Clause[nodes.Operation],
    own: Mapping[str, Clause[nodes.Control]],
) -> None:
    """Check the arguments of a call: the operation's parameters, and `own`, its library's controls."""
    context, file = typer.context, typer.file
    parameters: dict[str, nodes.Parameter | nodes.Control] = {}
    if target.node is not IMPLICIT_LOAD:
        parameters.update({name: clause.node for name, clause in own.items()})
    parameters.update({item.name.text: item for item in target.node.parameters})
    seen: dict[str, nodes.Argument] = {}
    for argument in given:
        name = argument.name.text
        parameter = parameters.get(name)
        first = seen.setdefault(name, argument)
        if first is not argument:
            context.report(
                "duplicate-name",
                file,
                argument.name.span,
                f"the argument `{name}` is given twice",
                labels=[label(file, first.name.span, "first here")],
                help_text="keep one of them",
            )
        elif parameter is None:
            typer.infer(argument.value, types.UNKNOWN)
            if context.may_be_lost(target.file, name):
                continue
            context.report(
                "unknown-argument",
                file,
                argument.name.span,
                f"`{ref.path}` takes no argument `{name}`",
                labels=_declared(target),
                help_text=offered(name, parameters, "it takes") or "it takes no arguments",
            )
            continue
        if parameter is not None:
            typer.require(
                argument.value,
                types.of(parameter.type),
                f"`{name}` of `{ref.path}`",
                label(target.file, parameter.type.span, "declared here"),
            )
    for needed in target.node.parameters:
        name = needed.name.text
        if needed.default is None and name not in seen:
            context.report(
                "missing-argument",
                file,
                ref.span,
                f"`{ref.path}` needs the argument `{name}`",
                labels=[label(target.file, needed.span, "it has no default")],
                help_text=f"write `{ref.path}({name} = ...)`",
            )


def _declared(target: Clause[nodes.Operation]) -> list[Label]:
    node = target.node
    return [] if node is IMPLICIT_LOAD else [label(target.file, node.name.span, "declared here")]


def variable(typer: Typer, name: nodes.Name, value: nodes.Expression) -> None:
    """Check the value that an environment variable is set to, against the controls that read the variable."""
    first, kinds = typer.context.asking.ask("variable", name.text)
    members = [member for kind in kinds if isinstance(kind, types.EnumType) for member in kind.members]
    expected = types.EnumType(tuple(dict.fromkeys(members))) if members else None
    bare = value.path if isinstance(value, nodes.Reference) and "." not in value.path else None
    if bare is not None and expected is None and not typer.scope.knows(bare):
        typer.context.report(
            "unknown-name",
            typer.file,
            value.span,
            f"`{bare}` is not known here",
            help_text=f'if the variable is set to this word, write it as a text: `"{bare}"`',
        )
        return
    found = typer.infer(value, expected)
    numbers = {
        types.NumberType(kind.dimension, kind.whole) if isinstance(kind, types.NumberType) else None
        for kind in kinds
    }
    if len(numbers) == 1 and isinstance(found.type, types.NumberType):
        (number,) = numbers
        if number is not None:
            what = f"`{name.text}` sets `{'.'.join(first)}`, which"
            typer.fit(value, found, number, what, _reader(typer, name.text))


def _reader(typer: Typer, variable: str) -> Label:
    """The type of the first control that a variable sets."""
    declared, name = typer.context.answers.reader(variable)
    node = declared.node
    assert isinstance(node, nodes.Contract | nodes.Interface)
    found = next(item for item in node.members if isinstance(item, nodes.Control) and item.name.text == name)
    return label(declared.file, found.type.span, "declared here")


def set_variable(typer: Typer, clause: nodes.SetVariable) -> None:
    """Check `set V = e`."""
    variable(typer, clause.name, clause.value)
    guard(typer, clause.guard)


def guard(typer: Typer, condition: nodes.Expression | None) -> None:
    """Check the condition after `when`."""
    if condition is not None:
        typer.require(condition, types.BOOL, "the condition after `when`")


def limit(
    typer: Typer,
    target: nodes.Ref,
    value: nodes.Expression,
    own: Mapping[str, Clause[nodes.Control]] | None = None,
) -> None:
    """Check `limit CONTROL = e`."""
    found = control(typer.scope, target, own)
    if found is None:
        typer.infer(value, types.UNKNOWN)
        return
    typer.require(
        value,
        types.of(found.node.type),
        f"`{target.path}`",
        label(found.file, found.node.type.span, "declared here"),
    )


_CONTROL_WORDS: dict[type[nodes.Node], str] = {
    nodes.ApiSource: "api",
    nodes.ArgumentSource: "argument",
    nodes.ConfigSource: "config",
    nodes.Default: "default",
    nodes.Read: "read",
    nodes.TextForm: "text",
    nodes.Invalid: "invalid",
    nodes.Scope: "scope",
    nodes.EnvSource: "env",
}


def _text_form(context: Context, file: SourceFile, node: nodes.Control, clause: nodes.TextForm) -> None:
    """`text` says how the text of variables is read: there are some, and the control is a number."""
    if not any(isinstance(item, nodes.EnvSource) for item in node.clauses):
        context.report(
            "missing-clause",
            file,
            clause.span,
            f"`text` says how variables are read, and `{node.name.text}` has none",
            help_text="add `env NAME`, or leave `text` out",
        )
    elif not isinstance(types.of(node.type), types.NumberType):
        context.report(
            "type-mismatch",
            file,
            clause.span,
            f"`text` makes a number of a variable's text, but `{node.name.text}` is "
            f"{types.describe(types.of(node.type))}",
            labels=[label(file, node.type.span, "declared here")],
            help_text="leave `text` out, or make the control a `count`, an `int` or a `real`",
        )


def control_clauses(scope: Scope, file: SourceFile, node: nodes.Control) -> None:
    """Check what a control says about itself."""
    context = scope.context
    once(context, file, node.clauses, _CONTROL_WORDS, f"the control `{node.name.text}`")
    typer = Typer(scope)
    value_range(typer, node.type)
    for clause in node.clauses:
        if isinstance(clause, nodes.Default):
            typer.require(
                clause.value,
                types.of(node.type),
                f"the default of `{node.name.text}`",
                label(file, node.type.span, "declared here"),
            )
        elif isinstance(clause, nodes.TextForm):
            _text_form(context, file, node, clause)
        elif isinstance(clause, nodes.EnvSource):
            seen: dict[str, nodes.Name] = {}
            for name in clause.names:
                first = seen.setdefault(name.text, name)
                if first is not name:
                    context.report(
                        "duplicate-name",
                        file,
                        name.span,
                        f"`{name.text}` is listed twice",
                        labels=[label(file, first.span, "first here")],
                        help_text="keep one of them",
                    )
