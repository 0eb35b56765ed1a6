"""All rules over a program."""

from __future__ import annotations

from collections.abc import Iterable

from lpcl.check import (
    applications,
    contracts,
    cycles,
    declarations,
    faults,
    headers,
    interfaces,
    language_tests,
    machines,
    resources,
)
from lpcl.check.context import Catalogue, Context, NoCatalogue
from lpcl.diagnostics.diagnostic import Diagnostic, in_order
from lpcl.model.program import Declared, Program, SourceFile
from lpcl.syntax import nodes


def check(
    program: Program,
    files: Iterable[SourceFile] | None = None,
    catalogue: Catalogue | None = None,
) -> tuple[Diagnostic, ...]:
    """What is wrong in `files`, all of the program's if None, in order. `catalogue` is for suggestions."""
    context = Context(program, catalogue or NoCatalogue())
    targets = list(program.files if files is None else files)
    for file in targets:
        faults.check(context, file)
        headers.check(context, file)
        declarations.check(context, file)
        machines.check(context, file)
        for node in file.parsed.file.items:
            if isinstance(node, nodes.Test):
                language_tests.check(context, file, node)
    wanted = set(targets)
    for items in program.declarations.values():
        for item in items:
            if item.file in wanted:
                _declaration(context, item)
    declarations.check_names(context, targets)
    cycles.check(context, targets)
    return in_order(context.findings)


def _declaration(context: Context, item: Declared) -> None:
    node = item.node
    if isinstance(node, nodes.Resource):
        resources.check(context, item.file, node)
    elif isinstance(node, nodes.Contract):
        contracts.check(context, item)
        interfaces.check(context, item)
    elif isinstance(node, nodes.Interface):
        contracts.check(context, item)
    elif isinstance(node, nodes.Application):
        applications.check(context, item)
