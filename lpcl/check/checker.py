"""All rules over a program."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

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
from lpcl.diagnostics.diagnostic import Diagnostic, Label, in_order
from lpcl.model.program import Declared, Program, SourceFile
from lpcl.syntax import nodes

_AGAIN = "here too"
_SHOWN = 3


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
    return in_order(_merged(context.findings))


def _merged(findings: list[Diagnostic]) -> list[Diagnostic]:
    """One finding for a name that is unknown, with the other places of the file where it stands as labels."""
    merged: dict[tuple[str, str, str], Diagnostic] = {}
    result: list[Diagnostic] = []
    for item in in_order(findings):
        key = (item.code, item.location.path, item.headline)
        first = merged.get(key)
        if first is None or not item.code.startswith("unknown-"):
            merged[key] = item
            result.append(item)
        elif sum(label.message == _AGAIN for label in first.labels) < _SHOWN:
            merged[key] = replace(first, labels=(*first.labels, Label(item.location, _AGAIN)))
            result[result.index(first)] = merged[key]
    return result


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
