"""The outline of a document."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lsprotocol import types

from lpcl.syntax import nodes
from lpcl.syntax.span import Span
from lsp_server.surroundings import Named
from lsp_server.views import View
from lsp_server.wording import signature

_KINDS: dict[type[nodes.Node], types.SymbolKind] = {
    nodes.Resource: types.SymbolKind.Constant,
    nodes.Machine: types.SymbolKind.Object,
    nodes.Interface: types.SymbolKind.Interface,
    nodes.Contract: types.SymbolKind.Class,
    nodes.Application: types.SymbolKind.Module,
    nodes.Test: types.SymbolKind.Event,
    nodes.Control: types.SymbolKind.Property,
    nodes.Pool: types.SymbolKind.Struct,
    nodes.Operation: types.SymbolKind.Method,
    nodes.Uses: types.SymbolKind.Field,
    nodes.Let: types.SymbolKind.Variable,
    nodes.Signal: types.SymbolKind.Variable,
    nodes.Evidence: types.SymbolKind.Event,
}


def symbols(view: View) -> list[types.DocumentSymbol]:
    """Every declaration with its members."""
    return list(_all(view, view.file.parsed.file.items))


def _all(view: View, items: Iterable[nodes.Node]) -> Iterator[types.DocumentSymbol]:
    for node in items:
        kind = _KINDS.get(type(node))
        if kind is None:
            continue
        name = getattr(node, "name", None) or getattr(node, "title", None)
        if isinstance(name, nodes.Name):
            shown = name.text
        elif isinstance(name, nodes.Text):
            shown = name.value
        else:
            continue
        word = type(node).__name__.lower()
        detail = word if isinstance(name, nodes.Text) else _detail(view, word, shown, node)
        members: Iterable[nodes.Node] = getattr(node, "members", ())
        yield types.DocumentSymbol(
            name=shown.strip() or word,
            kind=kind,
            detail=detail,
            range=view.positions.range(node.span.joined(name.span)),
            selection_range=view.positions.range(Span(name.span.start, name.span.end)),
            children=list(_all(view, members)),
        )


def _detail(view: View, word: str, name: str, node: nodes.Node) -> str:
    """What a signature says besides the name."""
    text = " ".join(signature(Named(word, name, node, view.file)).split())
    rest = text.removeprefix(f"{word} {name}").lstrip(": ")
    return rest or word
