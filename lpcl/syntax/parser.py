"""Text to tree."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from lpcl.syntax import nodes
from lpcl.syntax.faults import Fault
from lpcl.syntax.span import Span


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment as it stands in the text, its marks included."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Parsed:
    """A text's tree, its comments in order, and its faults by place."""

    file: nodes.File
    comments: tuple[Comment, ...]
    faults: tuple[Fault, ...]


_COMMENT = re.compile(r'"""(?s:.*?)"""|"(?:[^"\\\n]|\\.)*"|(?P<c>//[^\n]*|/\*(?s:.*?)\*/)')
_DECL = re.compile(r"^(?:package|import|resource|machine|interface|contract|application|test|@)\b", re.M)


def parse(text: str) -> Parsed:
    """Parse a whole file. Never raises; what cannot be parsed is left out of the tree and is a fault."""
    from textx.exceptions import TextXSyntaxError

    from lpcl.syntax import stock

    faults: list[Fault] = []
    work = text
    file = nodes.File()
    for _ in range(50):
        try:
            file = stock.parse(work)
            break
        except TextXSyntaxError as error:
            lines = work.splitlines(keepends=True)
            at = min(sum(map(len, lines[: error.line - 1])) + error.col - 1, len(work))
            faults.append(Fault("unexpected", Span(at, min(at + 1, len(text))), "this is not expected here"))
            starts = [m.start() for m in _DECL.finditer(work)]
            start = max((s for s in starts if s <= at), default=0)
            end = min((s for s in starts if s > at), default=len(work))
            work = work[:start] + re.sub(r"[^\r\n]", " ", work[start:end]) + work[end:]
        except Exception as error:
            faults.append(Fault("unexpected", Span(0, 0), f"not understood: {error}"))
            break
    comments = tuple(
        Comment(Span(*m.span("c")), m["c"]) for m in _COMMENT.finditer(text) if m["c"] is not None
    )
    docs: dict[int, str] = {}
    run: list[str] = []
    for i, comment in enumerate(comments):
        if not comment.text.startswith("///"):
            run = []
            continue
        run.append(comment.text[3:].removeprefix(" ").rstrip())
        rest = text[comment.span.end :]
        gap = len(rest) - len(rest.lstrip())
        after = comment.span.end + gap
        if i + 1 < len(comments) and comments[i + 1].span.start == after:
            continue
        docs[after] = "\n".join(run)
        run = []
    if docs:
        _attach(file, docs)
    return Parsed(file, comments, tuple(faults))


def _attach(node: Any, docs: dict[int, str]) -> None:
    if isinstance(node, tuple):
        for item in node:
            _attach(item, docs)
    elif is_dataclass(node) and isinstance(node, nodes.Node):
        if not isinstance(node, nodes.File) and node.span.start in docs:
            object.__setattr__(node, "doc", docs.pop(node.span.start))
        for f in fields(node):
            if f.name not in ("span", "doc", "op_span"):
                _attach(getattr(node, f.name), docs)
