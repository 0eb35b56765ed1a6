"""All rules over a program."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial

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
from lpcl.check.asking import Catalogue
from lpcl.check.context import Context
from lpcl.check.memo import Memo
from lpcl.diagnostics.diagnostic import Diagnostic, Fix, Label, in_order
from lpcl.model.program import Declared, Program, SourceFile
from lpcl.syntax import nodes
from lpcl.syntax.pieces import Placed

_AGAIN = "here too"
_SHOWN = 3


def check(
    program: Program,
    files: Iterable[SourceFile] | None = None,
    catalogue: Catalogue | None = None,
    practised: Iterable[SourceFile] = (),
    memo: Memo | None = None,
) -> tuple[Diagnostic, ...]:
    """What is wrong in `files`, all of the program's if None, in order. `catalogue` is for suggestions.

    Those in `practised` are judged by the rules of good practice, too. With a `memo`, what was found in the
    check before is taken again where it still holds; the result is the same.
    """
    context = Context(program, catalogue, memo.kept if memo is not None else None)
    targets = list(program.files if files is None else files)
    for file in targets:
        faults.check(context, file)
        headers.check(context, file)
        declarations.check_titles(context, file)
        for placed in file.parsed.pieces:
            for index in range(len(placed.bare)):
                context.unit("rules", file, placed, index, partial(_item, context, file, placed, index))
    declarations.check_names(context, targets)
    cycles.check(context, targets)
    practice.check(context, practised)
    if memo is not None:
        memo.kept = context.for_later()
    return in_order(_merged(context.findings))


def check_item(context: Context, item: Declared) -> None:
    """All rules that are about one declaration."""
    _item(context, item.file, item.placed, item.index)


def _item(context: Context, file: SourceFile, placed: Placed, index: int) -> None:
    """All rules that are about one item."""
    node = placed.items[index]
    declarations.check(context, file, node)
    if isinstance(node, nodes.Machine):
        machines.facts(context, file, node.facts)
    elif isinstance(node, nodes.Test):
        language_tests.check(context, file, node)
    elif isinstance(node, nodes.Resource):
        resources.check(context, file, node)
    elif isinstance(node, nodes.Contract | nodes.Interface | nodes.Application):
        item = next(item for item in file.declared if item.placed is placed and item.index == index)
        if isinstance(node, nodes.Application):
            applications.check(context, item)
            return
        contracts.check(context, item)
        if isinstance(node, nodes.Contract):
            interfaces.check(context, item)


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
