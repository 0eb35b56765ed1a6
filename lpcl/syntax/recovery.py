"""Finding one's way through a text with faults: what is broken is reported once, the rest is kept.

A text is parsed declaration by declaration. Where that fails, the declaration is taken apart: its header,
and in its block one clause after the other, each tried whole (`reading`). A clause that fails is repaired if
one small change makes it right (`broken`, `repair`), else it is skipped up to where the next clause starts.
What no clause starts with is looked at in `strange`. Where braces do not match, the indentation says which
one is missing (`layout`), and the reading with fewer faults counts.
"""

from __future__ import annotations

from collections.abc import Callable

from lpcl.syntax import _generated, messages
from lpcl.syntax.effort import ALLOWED, Enough
from lpcl.syntax.faults import Fault, Lost
from lpcl.syntax.layout import layout
from lpcl.syntax.pieces import Cut
from lpcl.syntax.reading import Reading
from lpcl.syntax.span import Span
from lpcl.syntax.tokens import closes, skip, token
from lpcl.syntax.way import Source, State

SHOWN = 1000
"""After so many faults no more is looked for."""


def recover(
    source: Source,
    cuts: list[Cut],
    offset: int,
    joins: Callable[[int, list[Cut]], bool] = lambda _, __: False,
) -> int:
    """Add what can be made of a text, from the token at `offset` on, to the `cuts` before it.

    It ends with the text, or where `joins` says of an offset and the cuts so far that the rest is known;
    gives that offset. The last of the cuts before it may turn out to be broken, and is read again then.
    """
    effort = source.effort
    number = sum(len(cut.faults) for cut in cuts)
    ended = False
    while offset < source.length and not joins(offset, cuts):
        repairs, left = source.repairs, effort.left
        item, state = source.declaration(offset)
        position, end, far = state[:3]
        if item is not None:
            cuts.append(Cut(offset, end, (item,)))
            offset = position
            continue
        effort.declaration(source.text, offset, far, source.length)
        if ended or number >= SHOWN:
            offset = source.length if effort.overspent else source.following(offset)
            continue
        if not effort.affords(far - offset):
            ended = True
            cuts.append(_unread(source, offset, state))
            offset = cuts[-1].end
            continue
        stop = source.following(far)
        if cuts and cuts[-1].whole and not _declares(source, offset):
            offset = cuts.pop().start
        reading, reach = _read(source, offset, stop, SHOWN - number)
        end = _end(source, reading, offset)
        faults = tuple(reading.faults)
        number += len(faults)
        if reading.given_up is not None:
            ended = True
            faults = (*(faults or (_failure(source, state),)), messages.too_much(reading.given_up))
        elif number >= SHOWN:
            faults = (*faults, messages.too_many(reading.offset))
        items = tuple(reading.stack[0].members)
        reach = source.following(source.following(reach))
        lost = tuple(reading.lost)
        closed = reading.given_up is None and closes(source.text, offset, end)
        repairs, left = repairs - source.repairs, left - effort.left
        cuts.append(Cut(offset, end, items, False, faults, lost, reach, repairs, left, closed))
        offset = reading.offset
    return offset


def _unread(source: Source, offset: int, state: State) -> Cut:
    """A declaration with a fault so far in it that reading it again would be too much."""
    fault = _failure(source, state)
    line = source.lines.start(source.lines.line(state[2]))
    stop = source.following(max(line - 1, offset))
    faults = (fault, messages.too_much(fault.span.end))
    lost = Lost(Span(offset, stop), "Item", None)
    return Cut(offset, stop, (), False, faults, (lost,), stop, effort=ALLOWED, closed=False)


def _failure(source: Source, state: State) -> Fault:
    """What is wrong with a declaration, as far as the parser alone can tell."""
    _, _, far, expected, special = state
    if special is not None:
        return messages.special(*special)
    keys = tuple(dict.fromkeys(_generated.EXPECTED[index] for index in expected))
    return messages.unexpected(token(source.text, far, source.length), None, False, keys, None)


def _end(source: Source, reading: Reading, start: int) -> int:
    """Behind the last token of a reading, so that the comments behind it belong to what follows."""
    if start < reading.end and skip(source.text, reading.end) == reading.offset:
        return reading.end
    if source.effort.spent:
        return reading.offset
    try:
        last = reading.before(start, reading.offset)
    except Enough:
        return reading.offset
    return last.end if last is not None and last.end <= reading.offset else reading.offset


def _declares(source: Source, offset: int) -> bool:
    """Whether a declaration starts at an offset."""
    found = token(source.text, offset, source.length)
    return found.text == "@" or found.text in _generated.ELEMENTS["Item"]


def _read(source: Source, start: int, stop: int, most: int) -> tuple[Reading, int]:
    """The reading of a stretch with a fault that leaves the fewest, and not more than `most` faults.

    Beside it, how far the readings looked.
    """
    plain = Reading(source, start, stop, None, most)
    plain.run(lambda: plain.offset > stop)
    if not plain.braces and plain.offset <= stop:
        return plain, stop
    try:
        marks = layout(source.text, source.lines, start, stop, source.effort)
    except Enough:
        plain.run()
        return plain, max(stop, plain.offset)
    laid_out = Reading(source, start, stop, marks, most)
    laid_out.run()
    plain.run(lambda: len(plain.faults) >= len(laid_out.faults))
    reach = max(stop, plain.offset, laid_out.offset)
    return laid_out if len(laid_out.faults) <= len(plain.faults) else plain, reach
