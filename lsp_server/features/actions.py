"""Quick fixes: the changes that findings carry, offered where the findings are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from lsprotocol import types

from lpcl.diagnostics.diagnostic import Diagnostic, Fix, FixGrade
from lpcl.diagnostics.fixes import apply
from lpcl.syntax.span import Span
from lsp_server.positions import Positions
from lsp_server.views import View, absolute

FIX_ALL = f"{types.CodeActionKind.SourceFixAll.value}.lpcl"
KINDS = (types.CodeActionKind.QuickFix.value, FIX_ALL)


def actions(
    view: View,
    wanted: types.Range,
    context: types.CodeActionContext,
    uri: Callable[[str], str],
) -> list[types.CodeAction]:
    """The fixes of the findings that touch a range, and all safe ones of the document at once.

    A safe fix is the preferred one of its finding; one that may change the meaning says so in its title.
    """
    first, last = view.positions.offset(wanted.start), view.positions.offset(wanted.end)
    mine = [item for item in view.workspace.diagnostics if absolute(item.location.path) == view.path]
    found = []
    if _asked_for(types.CodeActionKind.QuickFix.value, context.only):
        for item in mine:
            touches = item.location.start <= last and first <= item.location.end
            if touches and item.fix is not None and item.fix.edits and item.fix.grade is not FixGrade.SHOWN:
                found.append(_quick_fix(view, item, item.fix, context.diagnostics, uri))
    if _asked_for(FIX_ALL, context.only):
        found += _fix_all(view, mine, uri)
    return found


def _asked_for(kind: str, only: Sequence[str] | None) -> bool:
    """Whether a kind, or one that it is part of, is asked for."""
    if only is None:
        return True
    names = [str(getattr(item, "value", item)) for item in only]
    return any(kind == name or kind.startswith(f"{name}.") or not name for name in names)


def _quick_fix(
    view: View, item: Diagnostic, fix: Fix, shown: Iterable[types.Diagnostic], uri: Callable[[str], str]
) -> types.CodeAction:
    place = view.positions.range(Span(item.location.start, item.location.end))
    changes: dict[str, list[types.TextEdit]] = {}
    for edit in fix.edits:
        text = view.workspace.texts.get(edit.location.path, "")
        span = Span(edit.location.start, edit.location.end)
        where = Positions(text, view.encoding).range(span)
        changes.setdefault(uri(absolute(edit.location.path)), []).append(types.TextEdit(where, edit.text))
    title = fix.title[:1].upper() + fix.title[1:]
    return types.CodeAction(
        title=title if fix.grade is FixGrade.SAFE else f"{title} (may change the meaning)",
        kind=types.CodeActionKind.QuickFix,
        diagnostics=[found for found in shown if found.code == item.code and found.range == place],
        is_preferred=fix.grade is FixGrade.SAFE,
        edit=types.WorkspaceEdit(changes=changes),
    )


def _fix_all(view: View, mine: list[Diagnostic], uri: Callable[[str], str]) -> list[types.CodeAction]:
    fixes = [item.fix for item in mine if item.fix is not None]
    path = view.file.path
    text = apply(fixes, {path: view.file.text}).texts.get(path)
    if text is None:
        return []
    whole = view.positions.range(Span(0, len(view.file.text)))
    return [
        types.CodeAction(
            title="Make all safe changes",
            kind=FIX_ALL,
            edit=types.WorkspaceEdit(changes={uri(view.path): [types.TextEdit(whole, text)]}),
        )
    ]
