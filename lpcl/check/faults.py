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
        help_text = None
        if fault.suggestion and fault.suggestion not in fault.headline:
            help_text = f"did you mean `{fault.suggestion}`?"
        elif fault.expected and not all(word in fault.headline for word in fault.expected):
            help_text = f"expected {listed(fault.expected, 'or')}"
        elif "`let`" not in fault.headline:
            help_text = _HELP.get(fault.kind)
        context.report(
            _CODES.get(fault.kind, "syntax"),
            file,
            fault.span,
            fault.headline,
            labels=[label(file, span, remark) for span, remark in fault.related],
            help_text=help_text,
            fix=renaming(file, fault.span, fault.suggestion) if fault.suggestion else None,
        )
