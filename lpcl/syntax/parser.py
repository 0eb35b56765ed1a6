"""Text to tree."""

from __future__ import annotations

import gc
from dataclasses import dataclass

from lpcl.syntax import _generated, nodes
from lpcl.syntax.comments import Comment, comments, documentation
from lpcl.syntax.faults import Fault, Lost
from lpcl.syntax.span import Span

__all__ = ["Comment", "Parsed", "parse", "parse_bytes"]


@dataclass(frozen=True, slots=True)
class Parsed:
    """A text's tree, its comments in order, its faults by place, and what is too broken to be in the tree."""

    file: nodes.File
    comments: tuple[Comment, ...]
    faults: tuple[Fault, ...]
    lost: tuple[Lost, ...] = ()


def parse(text: str) -> Parsed:
    """Parse a whole file. Never raises; what cannot be parsed is left out of the tree and is a fault."""
    collecting = gc.isenabled()
    gc.disable()  # the tree has no cycles, and looking for them would be the larger part of the time
    try:
        return _parse(text)
    except RecursionError:  # the caller has left less of the stack than a hundred levels need
        place = Span(0, min(1, len(text)))
        return Parsed(
            nodes.File(), (), (Fault("nesting", place, "this is nested too deeply to be read here"),)
        )
    finally:
        if collecting:
            gc.enable()


def parse_bytes(data: bytes) -> tuple[str, Parsed]:
    """Decode UTF-8 and parse. What is not UTF-8 is a fault, and U+FFFD in the text, which is parsed still."""
    from lpcl.syntax.decoding import decode

    text, faults = decode(data)
    parsed = parse(text)
    if not faults:
        return text, parsed
    others = [fault for fault in parsed.faults if not any(_touch(fault.span, bad.span) for bad in faults)]
    ordered = sorted((*faults, *others), key=lambda fault: (fault.span.start, fault.span.end))
    return text, Parsed(parsed.file, parsed.comments, tuple(ordered), parsed.lost)


def _parse(text: str) -> Parsed:
    length = len(text)
    marked = text + "\n\0"  # so that every token has something behind it
    found = comments(text)
    docs = documentation(text, found)
    start = 1 if text.startswith("\ufeff") else 0
    parser = _generated.parser(marked, docs.get)
    file = parser.rules["File"](_generated.skip(marked, start).end())
    position, _, farthest, _, _ = parser.state()
    if file is not None and position >= length:
        return Parsed(file if file.items else nodes.File(), found, ())
    from lpcl.syntax.recovery import recover

    recovered = recover(marked, length, docs, start)
    items = tuple(recovered.items)
    faults = tuple(sorted(recovered.faults, key=lambda fault: (fault.span.start, fault.span.end)))
    if not faults:
        place = min(max(farthest, 0), length)
        faults = (Fault("unexpected", Span(place, min(place + 1, length)), "this is not understood"),)
    span = Span(items[0].span.start, items[-1].span.end) if items else Span(0, 0)
    return Parsed(nodes.File(items=items, span=span), found, faults, tuple(recovered.lost))


def _touch(left: Span, right: Span) -> bool:
    return left.start <= right.end and right.start <= left.end
