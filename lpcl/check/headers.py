"""Rules of a file's head: its package and its imports."""

from __future__ import annotations

from lpcl.check.context import Context, label, listed, nearest
from lpcl.model.program import SourceFile
from lpcl.syntax import nodes
from lpcl.syntax.span import Span


def check(context: Context, file: SourceFile) -> None:
    """Check the order of a file's head and where its imports lead."""
    _order(context, file)
    for item in file.imports:
        if not context.is_broken(file, Span(item.span.start, item.span.end + 2)):
            _import(context, file, item)
    _conflicts(context, file)


def _order(context: Context, file: SourceFile) -> None:
    first_package: nodes.Node | None = None
    first_other = first_import = False
    for placed in file.parsed.pieces:
        for index, bare in enumerate(placed.bare):
            if isinstance(bare, nodes.Package):
                if first_package is not None:
                    context.report(
                        "misplaced-header",
                        file,
                        placed.items[index].span,
                        "a file belongs to one package",
                        labels=[label(file, first_package.span, "the package is stated here")],
                        help_text="remove one of the two lines",
                    )
                elif first_other or first_import:
                    context.report(
                        "misplaced-header",
                        file,
                        placed.items[index].span,
                        "`package` comes first in a file",
                        help_text="move this line to the top",
                    )
                first_package = first_package or placed.items[index]
            elif not isinstance(bare, nodes.Import):
                first_other = True
            else:
                if first_other:
                    context.report(
                        "misplaced-header",
                        file,
                        placed.items[index].span,
                        "imports come before the declarations",
                        help_text="move this line below `package`",
                    )
                first_import = True


def _import(context: Context, file: SourceFile, item: nodes.Import) -> None:
    packages = context.program.packages
    if item.star or item.names:
        if item.path not in packages:
            _unknown_package(context, file, item, item.path)
            return
        declared = {found.name for found in packages[item.path]}
        for wanted in item.names:
            if wanted.text not in declared and not _lost(context, item.path, wanted.text):
                close = nearest(wanted.text, declared)
                context.report(
                    "unknown-import",
                    file,
                    wanted.span,
                    f"the package `{item.path}` declares no `{wanted.text}`",
                    help_text=f"did you mean `{close}`?" if close else _contents(declared),
                )
        return
    if item.path in context.program.declarations:
        return
    package, _, name = item.path.rpartition(".")
    if item.path in packages:
        declared = {found.name for found in packages[item.path]}
        context.report(
            "unknown-import",
            file,
            item.span,
            f"`{item.path}` is a package, not a declaration",
            help_text=f"import all of it with `import {item.path}.*`, or one name of it"
            + (f", such as `import {item.path}.{min(declared)}`" if declared else ""),
        )
    elif package in packages:
        if not _lost(context, package, name):
            declared = {found.name for found in packages[package]}
            close = nearest(name, declared)
            context.report(
                "unknown-import",
                file,
                Span(item.span.start + item_offset(file, item), item.span.end),
                f"the package `{package}` declares no `{name}`",
                help_text=f"did you mean `{package}.{close}`?" if close else _contents(declared),
            )
    else:
        _unknown_package(context, file, item, item.path)


def item_offset(file: SourceFile, item: nodes.Import) -> int:
    """How far behind `import` the path of an import begins."""
    found = file.text.find(item.path, item.span.start, item.span.end)
    return max(found - item.span.start, 0)


def _unknown_package(context: Context, file: SourceFile, item: nodes.Import, path: str) -> None:
    start = item.span.start + item_offset(file, item)
    known = context.asking.ask("packages")
    package = path if item.star or item.names else path.rpartition(".")[0] or path
    close = nearest(package, known)
    suffix = path[len(package) :] if path.startswith(package) else ""
    if close is not None:
        help_text = f"did you mean `{close}{suffix}`?"
    else:
        help_text = (
            "packages come from the project's folders (`[tool.lpcl]` in pyproject.toml), from installed "
            "distributions and from the standard library"
        )
    context.report(
        "unknown-import",
        file,
        Span(start, min(start + len(path), item.span.end)),
        f"there is no package `{package}`",
        help_text=help_text,
    )


def _contents(declared: set[str]) -> str | None:
    return f"it declares {listed(f'`{name}`' for name in sorted(declared)[:8])}" if declared else None


def _lost(context: Context, package: str, name: str) -> bool:
    return any(
        context.may_be_lost(other, name) for other in context.program.files if other.package == package
    )


def _conflicts(context: Context, file: SourceFile) -> None:
    """A name imported expressly that the package declares itself would never be used."""
    own = {
        item.name: item
        for item in context.program.packages.get(file.package, ())
        if file.package or item.file is file
    }
    for item in file.imports:
        if item.star:
            continue
        for local, found in context.program.imported(file, item).items():
            rival = own.get(local)
            if rival is not None and rival.qualified != found.qualified:
                context.report(
                    "import-conflict",
                    file,
                    item.span,
                    f"`{local}` is imported, but the package declares its own",
                    labels=[label(rival.file, rival.node.name.span, "declared here")],
                    help_text=f"import it under another name: `import {found.qualified} as ...`",
                )
