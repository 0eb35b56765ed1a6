"""Rules of good practice: what is not needed, not reachable, not accounted for, or easily misread.

They only warn or remark, and are about files without errors, for what seems unused may only be misspelled.
Files that are merely imported are not judged.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import partial

from lpcl.check import accounts, naming, sketches
from lpcl.check.asking import words
from lpcl.check.context import Context, label, listed
from lpcl.check.relatives import is_of_a_library, relatives, words_of
from lpcl.diagnostics.diagnostic import Edit, Fix, FixGrade, Location, Severity
from lpcl.model import contracts
from lpcl.model.program import Declared, SourceFile
from lpcl.model.promises import OWN
from lpcl.syntax import nodes
from lpcl.syntax.pieces import Placed
from lpcl.syntax.span import Span

_BREAK = re.compile(r"[ \t]*(?:\r\n|\r|\n)")
_BLANK_BEFORE = re.compile(r"(?:\A|\n|\r)[ \t]*(?:\n|\r\n?)\Z")
_SETTINGS = (nodes.EnvSource, nodes.ApiSource, nodes.ArgumentSource, nodes.ConfigSource)


def check(context: Context, files: Iterable[SourceFile]) -> None:
    """Judge files by the rules of good practice."""
    wrong = {item.location.path for item in context.findings if item.severity is Severity.ERROR}
    for file in files:
        if file.path in wrong or file.parsed.faults:
            continue
        _imports(context, file)
        for item in file.declared:
            place = (file, item.placed, item.index)
            context.unit("practice", *place, partial(_declared, context, item))
        for placed in file.parsed.pieces:
            for index, bare in enumerate(placed.bare):
                if not isinstance(bare, nodes.Import | nodes.Package):
                    work = partial(_deprecated, context, file, placed, index)
                    context.unit("deprecated", file, placed, index, work)
        _hidden_by_package(context, file)


def _declared(context: Context, item: Declared) -> None:
    node = item.node
    naming.check(context, item.file, node)
    if isinstance(node, nodes.Contract):
        _contract(context, item, node)
    elif isinstance(node, nodes.Application):
        _application(context, item, node)
    if isinstance(node, nodes.Contract | nodes.Interface):
        sketches.operations(context, item)
        for member in node.members:
            if isinstance(member, nodes.Operation):
                _operation(context, item.file, context.contract(item), member)


# ------------------------------------------------------------------ imports


def _imports(context: Context, file: SourceFile) -> None:
    if not file.imports:
        return
    named: set[str] = set()  # all names in the file, and what stands before each dot in them
    has_application = False
    for placed in file.parsed.pieces:
        for bare, found in zip(placed.bare, words(placed), strict=True):
            if not isinstance(bare, nodes.Import | nodes.Package):
                named |= found.heads
                has_application = has_application or isinstance(bare, nodes.Application)
    for item in file.imports:
        brought = context.program.imported(file, item)
        if not brought:
            continue  # it leads nowhere, and has its finding, or to an empty package
        used = {
            local
            for local, found in brought.items()
            if local in named
            or found.qualified in named
            or (has_application and isinstance(found.bare, nodes.Machine))  # `--machine` may name it
        }
        if not used:
            what = f"`{item.path}{'.*' if item.star else ''}`"
            if item.names:
                what = listed(f"`{name.text}`" for name in item.names)
            context.report(
                "unused-import",
                file,
                item.span,
                f"nothing in this file uses {what}",
                help_text="remove the import",
                fix=_without_line(file, item.span),
            )
        elif item.names:
            for number, name in enumerate(item.names):
                if name.text in brought and name.text not in used:
                    context.report(
                        "unused-import",
                        file,
                        name.span,
                        f"nothing in this file uses `{name.text}`",
                        help_text="remove it from the import",
                        fix=_without_name(file, item.names, number),
                    )


def _without_line(file: SourceFile, span: Span) -> Fix:
    """Take out a clause, with its line where nothing else stands on it."""
    start, end = span.start, span.end
    before = start
    while before and file.text[before - 1] in " \t":
        before -= 1
    after = _BREAK.match(file.text, end)
    if after is not None and (before == 0 or file.text[before - 1] in "\r\n"):
        start, end = before, after.end()
        blank = _BREAK.match(file.text, end)
        if blank is not None and _BLANK_BEFORE.search(file.text, 0, start):
            end = blank.end()
    return Fix("remove the import", FixGrade.SAFE, (Edit(Location(file.path, start, end), ""),))


def _without_name(file: SourceFile, names: tuple[nodes.Name, ...], number: int) -> Fix:
    """Take out one of several names with the comma beside it."""
    if number:
        start, end = names[number - 1].span.end, names[number].span.end
    else:
        start, end = names[0].span.start, names[1].span.start
    place = Location(file.path, start, end)
    return Fix(f"remove `{names[number].text}`", FixGrade.SAFE, (Edit(place, ""),))


# ------------------------------------------------------------------ contracts


def _contract(context: Context, declared: Declared, node: nodes.Contract) -> None:
    file = declared.file
    whole = context.contract(declared)
    read: set[str] = set()
    named: set[str] = set()
    given: set[str] = set()
    real = False
    for relative in relatives(context, declared):
        found = words_of(relative)
        given |= found.given
        real = real or is_of_a_library(relative)
        read |= found.read
        named |= found.named
    promised = {name for interface in whole.interfaces for name in context.contract(interface).controls}
    for member in node.members:
        match member:
            case nodes.Let() if member.name.text not in named:
                _unused_let(context, file, member, f"`{node.name.text}`")
            case nodes.Control() if real:
                name = member.name.text
                used = name in read or name in promised or context.asking.ask("read_outside", name)
                if not used:
                    context.report(
                        "unused-control",
                        file,
                        member.name.span,
                        f"nothing reads the control `{name}`",
                        help_text="say what depends on it, such as a pool's `size`, or remove it",
                    )
                clauses = whole.controls[name].node.clauses
                if name not in given and not any(isinstance(clause, _SETTINGS) for clause in clauses):
                    context.report(
                        "control-without-setting",
                        file,
                        member.name.span,
                        f"`{name}` does not say how it is set",
                        help_text="add `env`, `api`, `argument` or `config`; what nobody can set is a `let`",
                    )
                _about_variables(context, file, member, whole)
            case nodes.Control():
                _about_variables(context, file, member, whole)
            case nodes.Signal() if real and not member.indications and member.name.text not in read:
                context.report(
                    "signal-without-indication",
                    file,
                    member.name.span,
                    f"the signal `{member.name.text}` indicates nothing",
                    help_text="say what it tells: `indicates RESOURCE when ...`",
                )
    accounts.orders_of_variables(context, declared, node)
    if real:
        accounts.fixed_demands(context, declared, node)
    if whole.library is not None and any(isinstance(member, nodes.Library) for member in node.members):
        _accounted(context, declared, whole)


_ABOUT_VARIABLES = {nodes.Read: "read", nodes.Invalid: "invalid"}
_EFFECTS = {
    nodes.Read: "calls and arguments count when they are made",
    nodes.Invalid: "a call, an argument or a `limit` outside the type is an error in any case",
}


def _about_variables(
    context: Context, file: SourceFile, control: nodes.Control, whole: contracts.Contract | None = None
) -> None:
    """Clauses that say how variables are looked at, in a control that has none, unless evidence asks for
    them.
    """
    if any(isinstance(clause, nodes.EnvSource) for clause in control.clauses):
        return
    for clause in control.clauses:
        word = _ABOUT_VARIABLES.get(type(clause))
        asked = f"{OWN}.{control.name.text}.{word}"
        if word is not None and not (whole is not None and _asked(whole, asked)):
            context.report(
                "clause-without-effect",
                file,
                clause.span,
                f"`{word}` is about variables, and `{control.name.text}` has none",
                notes=(_EFFECTS[type(clause)],),
                help_text="name the variables with `env`, or leave it out",
            )


def _asked(whole: contracts.Contract, path: str) -> bool:
    """Whether evidence compares with something of the contract's own."""
    return any(
        isinstance(node, nodes.Reference) and node.path == path
        for clause in whole.evidence
        for node in clause.node.walk()
    )


def _accounted(context: Context, declared: Declared, whole: contracts.Contract) -> None:
    """A contract about a real library says where its figures come from, and how they can be tried."""
    name = declared.node.name
    if not whole.evidence:
        context.report(
            "contract-without-evidence",
            declared.file,
            name.span,
            f"`{name.text}` has no evidence",
            help_text='add `evidence "..." { python """...""" expect ... }`; `lpclc verify` tries it',
        )
    stated = any(
        annotation.name.text in ("source", "measured")
        for ancestor in contracts.lineage(context.program, declared)
        for annotation in context.below(ancestor.node, nodes.Annotation)
    )
    if not stated:
        context.report(
            "contract-without-source",
            declared.file,
            name.span,
            f"`{name.text}` does not say where it comes from",
            help_text='add `@source("title", "address")` or `@measured("library and version")`',
        )


def _unused_let(context: Context, file: SourceFile, node: nodes.Let, where: str) -> None:
    context.report(
        "unused-let",
        file,
        node.name.span,
        f"nothing in {where} reads `{node.name.text}`",
        help_text="remove it",
    )


# ------------------------------------------------------------------ operations and applications


def _operation(context: Context, file: SourceFile, whole: contracts.Contract, node: nodes.Operation) -> None:
    read = {
        item.path for clause in node.clauses for item in clause.walk() if isinstance(item, nodes.Reference)
    }
    inner: list[tuple[nodes.Name, str]] = [(item.name, "parameter") for item in node.parameters]
    for clause in node.clauses:
        if isinstance(clause, nodes.Let):
            inner.append((clause.name, "let"))
            if clause.name.text not in read:
                _unused_let(context, file, clause, f"the operation `{node.name.text}`")
    outer: dict[str, tuple[contracts.Clause[nodes.Control] | contracts.Clause[nodes.Let], str]] = {}
    outer.update({name: (let, "let") for name, let in whole.lets.items()})
    outer.update({name: (control, "control") for name, control in whole.controls.items()})
    for name, word in inner:
        if name.text in outer:
            hidden, kind = outer[name.text]
            context.report(
                "shadowed-name",
                file,
                name.span,
                f"the {word} `{name.text}` hides the {kind} of that name",
                labels=[label(hidden.file, hidden.node.name.span, "hidden in this operation")],
                help_text="give one of the two another name",
            )


def _application(context: Context, declared: Declared, node: nodes.Application) -> None:
    read = words_of(declared).read
    for member in node.members:
        if isinstance(member, nodes.Control):
            _about_variables(context, declared.file, member)
        if isinstance(member, nodes.Let):
            name = member.name.text
            if name not in read:
                _unused_let(context, declared.file, member, f"the application `{node.name.text}`")
    sketches.controls(context, declared, node)


def _hidden_by_package(context: Context, file: SourceFile) -> None:
    """A name that the package declares, and that `import other.*` would have brought in, too."""
    own = {item.name: item for item in context.program.packages.get(file.package, ()) if item.file is file}
    for item in file.imports:
        if not item.star or item.path == file.package:
            continue
        for local, found in context.program.imported(file, item).items():
            rival = own.get(local)
            if rival is not None:
                context.report(
                    "shadowed-name",
                    file,
                    rival.node.name.span,
                    f"`{local}` hides `{found.qualified}`, which is imported",
                    labels=[label(file, item.span, "imported here")],
                    help_text="give it another name, or import by name what is needed",
                )


# ------------------------------------------------------------------ what is deprecated


def _deprecated(context: Context, file: SourceFile, placed: Placed, index: int) -> None:
    top = placed.items[index]
    if _mark(top) is not None:
        return
    uses = {
        member.name.text: contracts.Clause(member, file)
        for member in getattr(top, "members", ())
        if isinstance(member, nodes.Uses)
    }
    for ref in context.below(top, nodes.Ref):
        _deprecated_use(context, file, top, uses, ref)
    for reference in context.below(top, nodes.Reference):
        _deprecated_use(context, file, top, uses, reference)


def _deprecated_use(
    context: Context,
    file: SourceFile,
    top: nodes.Node,
    uses: dict[str, contracts.Clause[nodes.Uses]],
    node: nodes.Ref | nodes.Reference,
) -> None:
    found = context.find(file, node.path)
    target: nodes.Node | None = None
    where = file
    if found is not None:
        if found.node is top:
            return
        target, where, shown = found.node, found.file, found.name
    else:
        holder, _, name = node.path.rpartition(".")
        if not holder:
            return
        found = context.dependency(uses[holder]).seen if holder in uses else context.find(file, holder)
        if found is None or not isinstance(found.node, nodes.Contract | nodes.Interface):
            return
        whole = context.contract(found)
        for kind in (whole.controls, whole.operations, whole.pools, whole.signals):
            clause = kind.get(name)
            if clause is not None:
                target, where, shown = clause.node, clause.file, f"{found.name}.{name}"
                break
    mark = _mark(target)
    if target is None or mark is None:
        return
    context.report(
        "deprecated-in-use",
        file,
        node.span,
        f"`{shown}` is deprecated",
        labels=[label(where, mark.span, "said here")],
        help_text=mark.args[0].value if mark.args else None,
    )


def _mark(node: nodes.Node | None) -> nodes.Annotation | None:
    for item in getattr(node, "annotations", ()):
        if isinstance(item, nodes.Annotation) and item.name.text == "deprecated":
            return item
    return None
