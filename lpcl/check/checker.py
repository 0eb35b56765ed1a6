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
    practice,
    resources,
)
from lpcl.check.context import Catalogue, Context, NoCatalogue
from lpcl.diagnostics.diagnostic import Diagnostic, Fix, Label, in_order
from lpcl.model.program import Declared, Program, SourceFile
from lpcl.syntax import nodes

_AGAIN = "here too"
_SHOWN = 3


def check(
    program: Program,
    files: Iterable[SourceFile] | None = None,
    catalogue: Catalogue | None = None,
    practised: Iterable[SourceFile] = (),
) -> tuple[Diagnostic, ...]:
    """What is wrong in `files`, all of the program's if None, in order. `catalogue` is for suggestions.

    Those in `practised` are judged by the rules of good practice, too.
    """
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
    practice.check(context, practised)
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
            labels = (*first.labels, Label(item.location, _AGAIN))
            merged[key] = replace(first, labels=labels, fix=_joined(first.fix, item.fix))
            result[result.index(first)] = merged[key]
    return result


def _joined(fix: Fix | None, other: Fix | None) -> Fix | None:
    """One fix for both places, where both have the same."""
    if fix is None or other is None or fix.title != other.title:
        return fix
    return replace(fix, edits=(*fix.edits, *other.edits))


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
