"""The declaration around a place whose text is half typed and may be missing from the tree."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lpcl.syntax import nodes
from lsp_server.expecting import clause
from lsp_server.surroundings import Surroundings, around, declared_as
from lsp_server.tokens import Frame, Place
from lsp_server.views import View, Views

_NAMED = {
    "contract": nodes.Contract,
    "interface": nodes.Interface,
    "application": nodes.Application,
}


def surroundings(views: Views, view: View, place: Place, offset: int) -> Surroundings:
    """What is known at a place, of a mended text where the text as it stands has lost the declaration."""
    if len(place.frames) < 2:
        return Surroundings(view)
    here = _known(view, place)
    if here is not None:
        return here
    for text in _mended(view.file.text, place, offset):
        other = views.instead(view, text)
        here = _known(other, place) if other is not None else None
        if here is not None:
            return here
    return Surroundings(view)


def _known(view: View, place: Place) -> Surroundings | None:
    """The surroundings by the names of the frames; None where the tree lacks the declaration."""
    outer = place.frames[1]
    node = _holder(view, outer)
    if node is None:
        return None if outer.kind in (*_NAMED, "test") else Surroundings(view)
    inner = [node]
    members: tuple[nodes.Node, ...] = getattr(node, "members", ())
    for frame in place.frames[2:]:
        if frame.kind in ("operation", "parameters"):
            inner += (item for item in members if _is_operation(item, frame.name))
    current = clause(outer.kind, place.before) if len(place.frames) == 2 else None
    if current is not None and current.head == "signal":
        inner.append(_SIGNAL)
    return around(view, inner)


def _is_operation(node: nodes.Node, name: str | None) -> bool:
    return isinstance(node, nodes.Operation) and node.name.text == name


_SIGNAL = nodes.Signal(nodes.Name("signal"), nodes.ValueType("real"), nodes.Boolean(True))


def _holder(view: View, frame: Frame) -> nodes.Node | None:
    """The declaration whose block the frame is."""
    for item in view.file.parsed.file.items:
        if frame.kind == "test" and isinstance(item, nodes.Test) and item.span.contains(frame.start):
            return item
        declared = declared_as(view.file, item)
        if (
            declared is not None
            and isinstance(item, _NAMED.get(frame.kind, ()))
            and declared.name == frame.name
            and item.span.contains(frame.start)
        ):
            return item
    return None


def _mended(text: str, place: Place, offset: int) -> Iterator[str]:
    """The text with the unfinished piece completed, left out, or cut off with all that follows it."""
    yield f"{text[: place.start]}x{text[offset:]}"
    start = max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1
    end = next((at for at in range(offset, len(text)) if text[at] in "\r\n"), len(text))
    yield text[:start] + re.sub(r"[^{}()]", " ", text[start:end]) + text[end:]
    closing = "".join(")" if frame.kind in _PARENTHESES else "}" for frame in reversed(place.frames[1:]))
    yield f"{text[: place.start]}x{closing}"
    yield text[:start] + closing


_PARENTHESES = ("arguments", "parameters", "group")
