"""Faults of syntax as findings."""

from __future__ import annotations

from collections.abc import Iterable

from lpcl.check.context import Context, label, listed, renaming
from lpcl.model.program import SourceFile
from lpcl.syntax.faults import Fault

_CODES = {
    "unclosed": "unclosed",
    "unterminated": "unterminated",
    "number": "malformed-number",
    "nesting": "nesting",
    "encoding": "encoding",
}
_HELP = {
    "number": "write it with fewer digits: in a larger unit, or as a product",
    "nesting": "give parts of it names with `let`",
}


def check(context: Context, file: SourceFile, only: Iterable[Fault] | None = None) -> None:
    """Report each fault of a file's text, or only some of them."""
    for fault in file.parsed.faults if only is None else only:
        context.report(
            _CODES.get(fault.kind, "syntax"),
            file,
            fault.span,
            fault.headline,
            labels=[label(file, span, remark) for span, remark in fault.related],
            help_text=_help(fault),
            fix=renaming(file, fault.span, fault.suggestion) if fault.suggestion else None,
        )


def _help(fault: Fault) -> str | None:
    """What to do about a fault, where its headline does not say so."""
    if fault.kind == "unclosed":
        number = len(fault.related)
        way = "write it where the block ends"
        return way if number < 2 else f"write {number} of them, each where its block ends"
    if fault.kind == "unterminated":
        return f"{'begin' if 'opened' in fault.headline else 'end'} it with {fault.expected[0]}"
    if fault.suggestion and fault.suggestion not in fault.headline:
        return f"did you mean `{fault.suggestion}`?"
    if fault.expected and not all(word in fault.headline for word in fault.expected):
        return f"expected {listed(fault.expected, 'or')}"
    return _HELP.get(fault.kind) if "`let`" not in fault.headline else None
