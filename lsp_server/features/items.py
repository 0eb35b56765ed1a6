"""The candidates of a completion, as editors take them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lsprotocol import types

from lpcl.syntax import nodes
from lsp_server.surroundings import Named
from lsp_server.wording import signature

Kind = types.CompletionItemKind
_ICONS: Mapping[str, types.CompletionItemKind] = {
    "control": Kind.Property,
    "pool": Kind.Struct,
    "operation": Kind.Method,
    "uses": Kind.Field,
    "let": Kind.Variable,
    "signal": Kind.Variable,
    "parameter": Kind.Variable,
    "resource": Kind.Constant,
    "machine": Kind.Value,
    "interface": Kind.Interface,
    "contract": Kind.Class,
    "application": Kind.Module,
}


def candidate(
    label: str,
    kind: types.CompletionItemKind,
    meaning: str = "",
    rank: int = 1,
    detail: str = "",
    insert: str | None = None,
) -> types.CompletionItem:
    """Something that may be typed. A lower `rank` comes first; `insert` is typed instead of the label."""
    return types.CompletionItem(
        label=label,
        kind=kind,
        detail=detail or None,
        documentation=types.MarkupContent(types.MarkupKind.Markdown, meaning) if meaning else None,
        sort_text=f"{rank}{label}",
        insert_text=insert,
    )


def candidate_for(item: Named, label: str | None = None, rank: int = 1) -> types.CompletionItem:
    """A declaration, with its signature and documentation."""
    detail = " ".join(signature(item).split())
    return candidate(
        label or item.name, _ICONS.get(item.kind, Kind.Reference), item.node.doc or "", rank, detail
    )


def keywords(
    words: Mapping[str, str], kind: types.CompletionItemKind = Kind.Keyword, rank: int = 2
) -> Iterator[types.CompletionItem]:
    """Words of the language with what they mean."""
    for word, meaning in words.items():
        yield candidate(word, kind, meaning, rank)


def enumerators(kind: nodes.Type | None) -> Iterator[types.CompletionItem]:
    """The words that a value of this type can be."""
    if isinstance(kind, nodes.EnumType):
        for member in kind.members:
            yield candidate(member.text, Kind.EnumMember, "", 0)
    elif isinstance(kind, nodes.ValueType) and kind.first == "bool":
        yield from keywords({"true": "", "false": ""}, Kind.EnumMember, 0)
