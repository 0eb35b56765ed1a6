"""Whether contracts keep what the interfaces that they implement promise, beyond names and types."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lpcl.check.context import Context, label
from lpcl.check.references import resolve
from lpcl.compat.change import Change, Level
from lpcl.compat.compare import members
from lpcl.compat.pair import Pair, Side
from lpcl.diagnostics.diagnostic import Diagnostic
from lpcl.model.program import Declared, Origin, Program, SourceFile
from lpcl.syntax import nodes


def implementations(program: Program, files: Iterable[SourceFile]) -> tuple[Diagnostic, ...]:
    """The members of contracts in `files`, which have no errors, that are not as their interfaces promise.

    What an interface leaves out is open. What it states of a control, a pool or an operation holds for its
    providers as for a next version of itself: see `lpcl.compat.compare`.
    """
    wanted = set(files)
    context = Context(program)
    for items in program.declarations.values():
        for item in items:
            if item.file in wanted and isinstance(item.node, nodes.Contract):
                for ref, change in _broken(context, item, item.node):
                    _report(context, item, ref, change)
    return tuple(context.findings)


def _broken(context: Context, declared: Declared, node: nodes.Contract) -> Iterator[tuple[nodes.Ref, Change]]:
    silent = Context(context.program)
    for ref in node.interfaces:
        interface = resolve(silent, declared.file, ref, (nodes.Interface,), "interface")
        if interface is not None:
            promised, given = (Side(silent, silent.contract(item)) for item in (interface, declared))
            pair = Pair(promised, given, strict=False)
            members(pair, frozenset())
            for change in pair.changes:
                if change.level in (Level.BREAKS, Level.UNDECIDED):
                    yield ref, change


def _report(context: Context, declared: Declared, ref: nodes.Ref, change: Change) -> None:
    inside = declared.node.span
    own = (
        change.new is not None
        and change.new.file is declared.file
        and inside.start <= change.new.span.start < inside.end
    )
    place = change.new if own and change.new is not None else Origin(declared.file, ref.span)
    if change.level is Level.UNDECIDED:
        context.report("not-decided", place.file, place.span, change.headline)
        return
    context.report(
        "incompatible-member",
        place.file,
        place.span,
        f"not as `{ref.path}` promises: {change.headline}",
        labels=[label(change.old.file, change.old.span, "promised here")] if change.old is not None else [],
        notes=[f"so it is with {change.witness}"] if change.witness else [],
        help_text="keep what the interface promises, or promise less there",
    )
