"""References to declarations, with a finding where they lead nowhere or to the wrong kind of thing."""

from __future__ import annotations

from collections.abc import Iterable

from lpcl.check.context import MANY, Context, label, listed, name_span, nearest
from lpcl.check.importing import importing
from lpcl.check.scopes import article
from lpcl.model.program import Declared, SourceFile
from lpcl.syntax import nodes

Declaration = (
    type[nodes.Resource]
    | type[nodes.Machine]
    | type[nodes.Interface]
    | type[nodes.Contract]
    | type[nodes.Application]
)


def kind_of(declared: Declared) -> str:
    """What a declaration is, in a word."""
    return type(declared.node).__name__.lower()


def resolve(
    context: Context,
    file: SourceFile,
    ref: nodes.Ref,
    kinds: tuple[Declaration, ...],
    what: str,
    extra: Iterable[str] = (),
) -> Declared | None:
    """The declaration that `ref` names, one of `kinds`; None, after a finding, where there is none.

    `what` is the wanted kind in words (`resource`); `extra` are further names to suggest.
    """
    found = context.find(file, ref.path)
    if found is not None:
        rivals = _rivals(context, file, ref.path)
        if len(rivals) > 1:
            _ambiguous(context, file, ref, rivals)
            return None
        if isinstance(found.node, kinds):
            return found
        context.report(
            "wrong-kind",
            file,
            ref.span,
            f"`{ref.path}` is {article(kind_of(found))}, but {article(what)} is needed here",
            labels=[label(found.file, found.node.name.span, "declared here")],
            help_text=_instead(found, what),
        )
        return None
    if not context.may_be_imported(file, ref.path.partition(".")[0]):
        unknown(context, file, ref, kinds, what, extra)
    return None


def _instead(found: Declared, what: str) -> str:
    if isinstance(found.node, nodes.Contract) and what == "interface":
        return "name an interface; what builds on another contract `extends` it"
    return f"name {article(what)}, or declare `{found.name}` as one"


def unknown(
    context: Context,
    file: SourceFile,
    ref: nodes.Ref,
    kinds: tuple[Declaration, ...],
    what: str,
    extra: Iterable[str] = (),
) -> None:
    """Report a reference that leads nowhere, with what may have been meant."""
    found = homes(context, ref.path, kinds)
    context.report(
        "unknown-declaration",
        file,
        ref.span,
        f"there is no {what} `{ref.path}`",
        help_text=f"import it: `import {found[0]}`"
        if found
        else _advice(context, file, ref.path, kinds, extra),
        fix=importing(file, found[0]) if len(found) == 1 and "." not in ref.path else None,
    )


def homes(context: Context, path: str, kinds: tuple[Declaration, ...]) -> list[str]:
    """The qualified names of what could be imported under the last name of a path."""
    name = path.rpartition(".")[2]
    words = tuple(kind.__name__.lower() for kind in kinds)
    known = sorted(context.asking.ask("called", name, kinds))
    return known or [f"{package}.{name}" for package in context.asking.ask("homes", words, name)]


def _advice(
    context: Context, file: SourceFile, path: str, kinds: tuple[Declaration, ...], extra: Iterable[str]
) -> str | None:
    scope = context.program.scope(file)
    there = scope if len(scope) <= MANY else {}
    known = [*extra, *(local for local, item in there.items() if isinstance(item.bare, kinds))]
    close = nearest(path, known)
    if close is not None:
        return f"did you mean `{close}`?"
    return f"known here: {listed(f'`{item}`' for item in sorted(set(known))[:8])}" if known else None


def _rivals(context: Context, file: SourceFile, path: str) -> dict[str, nodes.Import]:
    """The different declarations that a bare name stands for through imports, each with its import."""
    found = context.program.scope(file).get(path)
    if found is None or found.file is file or (file.package and found.file.package == file.package):
        return {}
    rivals: dict[str, nodes.Import] = {}
    for item in file.imports:
        brought = context.program.imported(file, item).get(path)
        if brought is not None:
            rivals.setdefault(brought.qualified, item)
    return rivals


def _ambiguous(context: Context, file: SourceFile, ref: nodes.Ref, rivals: dict[str, nodes.Import]) -> None:
    context.report(
        "ambiguous-name",
        file,
        name_span(ref, ref.path),
        f"`{ref.path}` can be {listed((f'`{name}`' for name in rivals), 'or')}",
        labels=[label(file, item.span, f"brings in `{name}`") for name, item in rivals.items()],
        help_text=f"import one of them under a name of its own: `import {next(iter(rivals))} as ...`",
    )
