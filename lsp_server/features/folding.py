"""What can be folded: blocks, comments, and the imports."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types

from lsp_server.positions import Positions
from lsp_server.tokens import Token, tokens
from lsp_server.views import View


def folding(view: View) -> list[types.FoldingRange]:
    """All foldable ranges of more than one line, also of a text that is half typed."""
    positions = view.positions
    found = [*_blocks(view.file.text, positions), *_runs(view.file.text, positions)]
    return sorted(found, key=lambda item: (item.start_line, item.end_line))


def _blocks(text: str, positions: Positions) -> Iterator[types.FoldingRange]:
    opened: list[int] = []
    for token in tokens(text):
        if token.kind == "mark" and token.text == "{":
            opened.append(positions.position(token.start).line)
        elif token.kind == "mark" and token.text == "}" and opened:
            start, end = opened.pop(), positions.position(token.start).line
            if end - start > 1:
                yield types.FoldingRange(start, end - 1)


def _runs(text: str, positions: Positions) -> Iterator[types.FoldingRange]:
    """Comments and imports that follow one another without an empty line."""
    run: tuple[str, int, int] | None = None
    coded = -1
    for token in tokens(text):
        line = positions.position(token.start).line
        kind = None if line == coded else _kind(token)
        if token.kind != "comment":
            coded = line
        if kind is None:
            if run is not None and line > run[2]:
                yield from _range(run)
                run = None
            continue
        last = positions.position(token.end).line
        if run is not None and run[0] == kind and line <= run[2] + 1:
            run = (kind, run[1], max(last, run[2]))
        else:
            yield from _range(run)
            run = (kind, line, last)
    yield from _range(run)


def _kind(token: Token) -> str | None:
    if token.kind == "comment":
        return "comment"
    return "imports" if token.kind == "word" and token.text == "import" else None


def _range(run: tuple[str, int, int] | None) -> Iterator[types.FoldingRange]:
    if run is not None and run[2] > run[1]:
        kind = types.FoldingRangeKind.Comment if run[0] == "comment" else types.FoldingRangeKind.Imports
        yield types.FoldingRange(run[1], run[2], kind=kind)
