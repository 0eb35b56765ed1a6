"""Rules of applications: what they use, how they are run, and what they do."""

from __future__ import annotations

from collections.abc import Iterable

from lpcl.check import machines, members, resources
from lpcl.check.context import Context, label, name_span, nearest, offered
from lpcl.check.declarations import once, unique
from lpcl.check.expressions import Typer
from lpcl.check.interfaces import provides
from lpcl.check.names import Dependency
from lpcl.check.places import deferred
from lpcl.check.reach import Reach, items, reach, used
from lpcl.check.references import resolve
from lpcl.check.scopes import Scope, Value
from lpcl.model import types
from lpcl.model.contracts import Clause
from lpcl.model.program import Declared, SourceFile
from lpcl.packages import versions
from lpcl.packages.versions import Ambiguity
from lpcl.syntax import nodes

_SINGLE: dict[type[nodes.Node], str] = {
    nodes.MachineUse: "machine",
    nodes.Run: "run",
    nodes.Command: "command",
    nodes.Measure: "measure",
}


def scope_of(context: Context, file: SourceFile, node: nodes.Application) -> Scope:
    """What an application's expressions know: its own controls and lets."""
    scope = Scope(context, file, foreign=False)
    for member in node.members:
        if isinstance(member, nodes.Control):
            scope.names.setdefault(member.name.text, Value(types.of(member.type)))
        elif isinstance(member, nodes.Let):
            scope.names.setdefault(member.name.text, deferred(member.value, scope))
    return scope


def controls(file: SourceFile, node: nodes.Application) -> dict[str, Clause[nodes.Control]]:
    """The application's own controls by name."""
    return {
        member.name.text: Clause(member, file) for member in node.members if isinstance(member, nodes.Control)
    }


def check(context: Context, declared: Declared) -> None:
    """Check one application."""
    node, file = declared.node, declared.file
    assert isinstance(node, nodes.Application)
    where = f"the application `{node.name.text}`"
    once(context, file, node.members, _SINGLE, where)
    named = (
        (member.name, type(member).__name__.lower())
        for member in node.members
        if isinstance(member, nodes.Control | nodes.Let)
    )
    unique(context, file, named, where)
    variables = (
        (member.name, "value of the variable")
        for member in node.members
        if isinstance(member, nodes.Environment)
    )
    unique(context, file, variables, where)
    _used_once(context, file, node)
    for item in items(node):
        _use(context, file, item)
    found = reach(context, file, node)
    for item, library, uses in found.unbound:
        _unbound(context, file, item, library, uses)
    _spoken_about(context, file, node, found)
    scope = scope_of(context, file, node)
    typer = Typer(scope)
    own = controls(file, node)
    for member in node.members:
        match member:
            case nodes.MachineUse():
                machine(context, file, member)
            case nodes.Environment():
                environment(typer, member.name, member.value, found)
            case nodes.Control():
                members.control_clauses(scope, file, member)
                _has_default(context, file, member)
            case nodes.Let():
                typer.infer(member.value)
            case nodes.Limit():
                members.limit(typer, member.target, member.value, own)
                members.guard(typer, member.guard)
            case nodes.Run():
                block(typer, member.block, found, own)
            case nodes.Measure():
                _measure(context, file, member)
            case nodes.Command():
                _command(context, file, member)
            case nodes.Background():
                _background(typer, file, member)
    runs = any(isinstance(member, nodes.Run) for member in node.members)
    if not runs and not context.is_broken(file, node.span):
        context.report(
            "missing-clause",
            file,
            node.name.span,
            f"{where} has no `run`",
            help_text="say what it does: `run { ... }`",
        )


def _background(typer: Typer, file: SourceFile, node: nodes.Background) -> None:
    """Check what else uses a resource: others know nothing of what the application sets and names."""
    context = typer.scope.context
    wanted, source = resources.amount(resources.find(context, file, node.resource))
    own = [
        one
        for one in node.amount.walk()
        if isinstance(one, nodes.Reference) and one.path in typer.scope.names
    ]
    for one in own:
        context.report(
            "unknown-name",
            file,
            one.span,
            f"`{one.path}` is nothing that others know",
            help_text="what others use is said in numbers and figures of the machine",
        )
    if not own:
        typer.require(node.amount, wanted, f"what else uses `{node.resource.path}`", source)


def _has_default(context: Context, file: SourceFile, node: nodes.Control) -> None:
    if context.is_broken(file, node.span) or any(isinstance(item, nodes.Default) for item in node.clauses):
        return
    context.report(
        "missing-clause",
        file,
        node.name.span,
        f"the control `{node.name.text}` has no `default`",
        help_text="say what the application does today, such as `default 8`",
    )


def machine(context: Context, file: SourceFile, node: nodes.MachineUse) -> None:
    """Check which machine is meant: `host`, a declared one, or figures."""
    if node.name is not None and node.name.path != "host":
        resolve(context, file, node.name, (nodes.Machine,), "machine", extra=("host",))
    machines.facts(context, file, node.facts)


# ------------------------------------------------------------------ use


def _used_once(context: Context, file: SourceFile, node: nodes.Application) -> None:
    seen: dict[str, nodes.UseItem] = {}
    for item in items(node):
        first = seen.setdefault(item.library.path, item)
        if first is not item:
            context.report(
                "duplicate-name",
                file,
                item.library.span,
                f"`{item.library.path}` is used twice",
                labels=[label(file, first.library.span, "first here")],
                help_text="keep one of them",
            )


def _use(context: Context, file: SourceFile, item: nodes.UseItem) -> None:
    found = resolve(context, file, item.library, (nodes.Contract,), "library")
    if item.version is not None and not versions.is_version(item.version.value):
        context.report(
            "bad-version",
            file,
            item.version.span,
            f'"{item.version.value}" is not a version',
            help_text=f'write the version that the application uses, such as `{item.library.path} "1.2"`',
        )
        return
    if found is None:
        return
    chosen = used(context, file, item)
    if isinstance(chosen, Ambiguity):
        _ambiguous(context, file, item, chosen)
        return
    assert chosen is not None
    unique(context, file, ((binding.name, "binding") for binding in item.bindings), f"`{item.library.path}`")
    for binding in item.bindings:
        _binding(context, file, chosen, binding)


_SHOWN = 4


def _ambiguous(context: Context, file: SourceFile, item: nodes.UseItem, found: Ambiguity) -> None:
    """Report that it is not clear which contract applies; that one is declared twice is reported there."""
    if found.twins:
        return
    more = len(found.candidates) - _SHOWN
    context.report(
        "ambiguous-version",
        file,
        item.library.span,
        f"which contract of `{item.library.path}` applies is not clear: {found.reason}",
        labels=[
            label(candidate.file, candidate.node.name.span, _constraints(candidate))
            for candidate in found.candidates[:_SHOWN]
        ],
        notes=[f"and {more} more of that name"] if more > 0 else (),
        help_text=f"mend the constraints in `library`: one of them is for {item.version.value}"
        if item.version is not None
        else f'state the version in `use`, such as `{item.library.path} "1.2.3"`, '
        "or mend the constraints in `library`",
    )


def _spoken_about(context: Context, file: SourceFile, node: nodes.Application, found: Reach) -> None:
    """Report libraries in a version that their contract does not speak about, be it the only one there is."""
    naming = {
        library.qualified: item
        for item in items(node)
        if (library := found.used.get(item.library.path)) is not None
    }
    for library in found.all.values():
        if not isinstance(library.node, nodes.Contract):
            continue
        item = naming.get(library.qualified)
        stated = item.version if item is not None else None
        missed = versions.unspoken(library, stated.value if stated is not None else None)
        if missed is None:
            continue
        through = item or found.leading[library.qualified]
        way = "" if item is not None else f" (through `{through.library.path}`)"
        version = versions.example(library)
        shown = f'`use {library.name} "{version}"`' if version else "of those that it speaks about"
        context.report(
            "ambiguous-version",
            file,
            stated.span if stated is not None else through.library.span,
            f"no contract of `{library.name}` speaks about {missed}{way}",
            labels=[label(library.file, library.node.name.span, _constraints(library))],
            help_text=f"to go by what it says all the same, state a version: {shown}",
        )


def _constraints(candidate: Declared) -> str:
    stated = ", ".join(f"{name} {wanted}".strip() for name, wanted in versions.requirements(candidate))
    return f"speaks about {stated}" if stated else "names no version"


def _binding(context: Context, file: SourceFile, library: Declared, binding: nodes.Binding) -> None:
    provider = resolve(context, file, binding.provider, (nodes.Contract,), "contract")
    uses = context.contract(library).uses
    clause = uses.get(binding.name.text)
    if clause is None:
        if not context.is_excused(context.contract(library), binding.name.text, uses):
            context.report(
                "unknown-member",
                file,
                binding.name.span,
                f"`{library.name}` has no dependency `{binding.name.text}`",
                labels=[label(library.file, library.node.name.span, "declared here")],
                help_text=offered(binding.name.text, uses, "it uses")
                or "it uses nothing that could be chosen",
            )
        return
    target = Dependency(context.dependency(clause).interface, provider)
    provides(context, file, binding.provider.span, target, f"`{library.name}`")


def _unbound(
    context: Context, file: SourceFile, item: nodes.UseItem, library: Declared, uses: nodes.Uses
) -> None:
    name = uses.name.text
    through = (
        "" if item.library.path.rpartition(".")[2] == library.name else f" (through `{item.library.path}`)"
    )
    context.report(
        "no-provider",
        file,
        item.library.span,
        f"nothing is chosen for the dependency `{name}` of `{library.name}`{through}",
        labels=[label(library.file, uses.name.span, "the dependency")],
        help_text=f"say which library it is: `use {library.name} {{ {name} = ... }}`",
    )


# ------------------------------------------------------------------ environment and settings


def environment(typer: Typer, name: nodes.Name, value: nodes.Expression, *reached: Reach) -> None:
    """Check the setting of an environment variable, and that some library reads it."""
    members.variable(typer, name, value)
    if not all(found.whole for found in reached):
        return  # what could not be found may read it
    sound = all(found.sound for found in reached)
    known: set[str] = set()
    for found in reached:
        known |= found.variables(typer.context)
    if name.text in known or any(typer.context.may_be_lost(file, name.text) for file in _files(reached)):
        return
    if not sound and nearest(name.text, known, 0.8) is None:
        return  # what could not be parsed may read it
    typer.context.report(
        "unknown-variable",
        typer.file,
        name.span,
        f"no library in use reads `{name.text}`",
        help_text=offered(name.text, known, "they read") if nearest(name.text, known) else None,
    )


def _files(reached: Iterable[Reach]) -> set[SourceFile]:
    return {declared.file for found in reached for declared in found.all.values()}


# ------------------------------------------------------------------ run


def block(typer: Typer, block: nodes.Block, found: Reach, own: dict[str, Clause[nodes.Control]]) -> None:
    """Check what is run: operations of libraries in use, with arguments that fit."""
    stack: list[nodes.Statement] = [block]
    while stack:
        statement = stack.pop()
        match statement:
            case nodes.Block():
                stack.extend(reversed(statement.statements))
            case nodes.Together():
                stack.extend(reversed(statement.members))
            case nodes.LimitBlock():
                members.limit(typer, statement.target, statement.value, own)
                stack.append(statement.block)
            case nodes.Invocation():
                _invocation(typer, statement, found)
                if statement.block is not None:
                    stack.append(statement.block)


def _invocation(typer: Typer, node: nodes.Invocation, found: Reach) -> None:
    context, file = typer.context, typer.file
    holder, _, name = node.operation.path.rpartition(".")
    library = found.used.get(holder)
    if library is None:
        _not_used(context, file, node.operation, holder, found)
        for argument in node.arguments:
            typer.infer(argument.value, types.UNKNOWN)
        return
    contract = context.contract(library)
    offers = members.operations(contract)
    target = offers.get(name)
    if target is None:
        if not context.is_excused(contract, name, offers):
            context.report(
                "unknown-member",
                file,
                name_span(node.operation, name),
                f"`{library.name}` has no operation `{name}`",
                labels=[label(library.file, library.node.name.span, "declared here")],
                help_text=offered(name, offers, "its operations"),
            )
        for argument in node.arguments:
            typer.infer(argument.value, types.UNKNOWN)
        return
    members.arguments(typer, node.operation, node.arguments, target, contract.controls)


def _not_used(context: Context, file: SourceFile, ref: nodes.Ref, holder: str, found: Reach) -> None:
    if not holder:
        candidates = {
            f"{local}.{ref.path}"
            for local, library in found.used.items()
            if ref.path in members.operations(context.contract(library))
        }
        close = nearest(ref.path, {f"{item}.load" for item in found.used} | candidates)
        better = min(candidates) if candidates else close
        context.report(
            "unknown-name",
            file,
            ref.span,
            f"`{ref.path}` is not an operation of a library",
            help_text=f"did you mean `{better}`?" if better else "write `library.operation`",
        )
        return
    if holder in found.named or context.may_be_imported(file, holder.partition(".")[0]):
        return
    if context.program.find(file, holder) is not None:
        help_text = f"add it to `use`: `use {holder}`"
    else:
        close = nearest(holder, found.used)
        help_text = f"did you mean `{close}`?" if close else f"import it and add it to `use`: `use {holder}`"
    context.report(
        "unknown-declaration",
        file,
        name_span(ref, holder),
        f"the application does not use a library `{holder}`",
        help_text=help_text,
    )


# ------------------------------------------------------------------ measuring


def _measure(context: Context, file: SourceFile, node: nodes.Measure) -> None:
    if node.pattern is None:
        return
    places = node.pattern.value.count("{}")
    if places != 1:
        context.report(
            "bad-pattern",
            file,
            node.pattern.span,
            f"the pattern finds {'no figure' if places == 0 else f'{places} figures'}, one is needed",
            help_text='write `{}` where the figure stands, as in "images/s: {}"',
        )


def _command(context: Context, file: SourceFile, node: nodes.Command) -> None:
    import shlex

    try:
        words = shlex.split(node.text.value)
    except ValueError as fault:
        reason = str(fault)
        context.report(
            "bad-pattern",
            file,
            node.text.span,
            f"the command cannot be read as a shell would: {reason[:1].lower()}{reason[1:]}",
            help_text="quote it as for a shell: `command \"python app.py --title 'two words'\"`",
        )
        return
    if not words:
        context.report(
            "bad-pattern",
            file,
            node.text.span,
            "the command is empty",
            help_text='say what starts the program: `command "python app.py"`',
        )
