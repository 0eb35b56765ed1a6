"""Finding one's way through a text with faults: what is broken is reported once, the rest is kept.

A text is parsed declaration by declaration. Where that fails, the declaration is taken apart: its header,
and in its block one clause after the other, each tried whole (`reading`). A clause that fails is repaired if
one small change makes it right (`broken`, `repair`), else it is skipped up to where the next clause starts.
What no clause starts with is looked at in `strange`. Where braces do not match, the indentation says which
one is missing (`layout`), and the reading with fewer faults counts.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from lpcl.syntax import _generated, messages, nodes
from lpcl.syntax.faults import Fault, Lost
from lpcl.syntax.layout import layout
from lpcl.syntax.reading import Reading
from lpcl.syntax.tokens import skip, token
from lpcl.syntax.way import Source

SHOWN = 1000
"""After so many faults no more is looked for."""


@dataclass(slots=True)
class Recovered:
    """What could be made of a text."""

    items: list[nodes.Item] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    lost: list[Lost] = field(default_factory=list)


def recover(text: str, length: int, docs: dict[int, str], start: int) -> Recovered:
    """What can be made of a text from `start` on; it ends in a newline and a NUL beyond its `length`."""
    source = Source(text, length, docs)
    whole = Recovered()
    offset = skip(text, start)
    began = -1
    while offset < length:
        source.parser.reset()
        item = source.parser.rules["Item"](offset)
        if item is not None:
            whole.items.append(item)
            began, offset = offset, source.parser.state()[0]
            continue
        if len(whole.faults) >= SHOWN:
            offset = source.following(offset)
            continue
        stop = source.following(source.parser.state()[2])
        if began >= 0 and not _declares(source, offset):
            whole.items.pop()
            offset = began
        reading = _read(source, offset, stop, SHOWN - len(whole.faults))
        whole.items += reading.stack[0].members
        whole.faults += reading.faults
        whole.lost += reading.lost
        began, offset = -1, reading.offset
        if len(whole.faults) >= SHOWN:
            whole.faults.append(messages.too_many(offset))
    return whole


def _declares(source: Source, offset: int) -> bool:
    """Whether a declaration starts at an offset."""
    found = token(source.text, offset, source.length)
    return found.text == "@" or found.text in _generated.ELEMENTS["Item"]


def _read(source: Source, start: int, stop: int, most: int) -> Reading:
    """The reading of a stretch with a fault that leaves the fewest, and not more than `most`."""
    plain = Reading(source, start, stop, None, most)
    plain.run()
    if not plain.braces and plain.offset <= stop:
        return plain
    laid_out = Reading(source, start, stop, layout(source.text, source.lines, start, stop), most)
    laid_out.run()
    return laid_out if len(laid_out.faults) <= len(plain.faults) else plain
