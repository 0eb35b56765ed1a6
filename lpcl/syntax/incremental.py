"""Parsing a text again after an edit: only the pieces that the edit can have touched.

What the parser makes of a declaration depends on the text from there on, and on nothing behind its last token
but the next token. So the pieces in front of an edit stay, up to the one before the edit; from there on
declarations are parsed as ever, until the parser stands at the start of one whose text is all behind the edit
and has not changed. Where that cannot be told, or does not happen soon, the whole text is parsed. The result
equals that of `parse` in any case.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from lpcl.syntax.comments import comments, documentation
from lpcl.syntax.effort import ALLOWED
from lpcl.syntax.parser import Parsed, first_token, parse
from lpcl.syntax.pieces import Cut, Placed, pieces
from lpcl.syntax.recovery import recover
from lpcl.syntax.tokens import skip
from lpcl.syntax.way import REPAIRS, Source

_AHEAD = 4
"""So many pieces behind an edit are parsed at most before the whole text is."""

_BREAK = re.compile(r"[\r\n]")


@dataclass(frozen=True, slots=True)
class Change:
    """The characters from `start` to `end` of a text became those from `start` to `new_end` of another."""

    start: int
    end: int
    new_end: int

    @property
    def by(self) -> int:
        """How far what is behind the change has moved."""
        return self.new_end - self.end


def change(before: str, after: str) -> Change:
    """The shortest change that makes one text the other."""
    shorter = min(len(before), len(after))
    start = _longest(shorter, lambda size: before[:size] == after[:size])
    left = shorter - start
    tail = _longest(left, lambda size: not size or before[-size:] == after[-size:])
    return Change(start, len(before) - tail, len(after) - tail)


def reparse(parsed: Parsed, before: str, text: str) -> Parsed:
    """What `parse` makes of `text`, given what it made of the text `before`."""
    if before == text:
        return parsed
    return _joined(parsed.pieces, change(before, text), text) or parse(text)


def _longest(most: int, fits: Callable[[int], bool]) -> int:
    """The greatest size up to `most` that fits, where each less than one that fits does, too."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if fits(middle):
            low = middle
        else:
            high = middle - 1
    return low


def _joined(old: tuple[Placed, ...], edit: Change, text: str) -> Parsed | None:
    """The text in pieces, as many as can be of the old ones; None where that cannot be done."""
    if not all(item.piece.cut.closed for item in old):
        return None
    first = _first(old, edit.start)
    behind = bisect_left(old, edit.end, key=lambda item: item.begin)
    last = min(behind + _AHEAD, len(old) - 1)
    stop = len(text) if last == len(old) - 1 else old[last].end + edit.by
    begin = old[first].begin
    known = {old[number].start + edit.by: number for number in range(behind, last + 1) if old[number].whole}
    if behind < len(old) and old[behind].begin == edit.end:
        known.pop(old[behind].start + edit.by, None)  # whether its documentation starts a line may change
    if 0 < behind < len(old) and not old[behind - 1].whole and old[behind - 1].end == old[behind].start:
        known.pop(old[behind].start + edit.by, None)  # its documentation may lie in what is read again

    def follows(number: int | None, cuts: list[Cut]) -> bool:
        """Whether an old piece has the same in front of it as it had."""
        end = cuts[-1].end if cuts else begin
        return number is not None and old[number].begin + edit.by == end

    def joins(offset: int, cuts: list[Cut]) -> bool:
        return offset >= stop or follows(known.get(offset), cuts)

    marked = text + "\n\0"
    found = comments(text, begin, stop)
    cuts: list[Cut] = []
    start = skip(marked, begin) if first else first_token(text)
    source = Source(marked, len(text), documentation(text, found), begin)
    try:
        offset = recover(source, cuts, start, joins)
    except RecursionError:
        return None
    made = pieces(cuts, found, begin, len(text))
    rest: list[Placed] = []
    if offset < len(text):
        number = known.get(offset)
        if not follows(number, cuts):
            return None
        made.pop()
        rest = (
            [Placed(item.piece, item.by + edit.by) for item in old[number:]] if edit.by else [*old[number:]]
        )
    placed = (*old[:first], *made, *rest)
    broken = [item for item in placed if not item.whole]
    if not all(item.piece.cut.closed for item in broken):
        return None
    if sum(item.piece.cut.repairs for item in broken) >= REPAIRS:
        return None
    if sum(item.piece.cut.effort for item in broken) >= ALLOWED // 2:  # it may come to more in another order
        return None
    if broken and not any(item.piece.cut.faults for item in broken):
        return None
    later = next((item for item in rest if not item.whole), None)
    if later is not None and not _BREAK.search(text, edit.new_end, later.start):
        return None  # a reading looks at the whole line that it starts in
    return Parsed.joined(placed)


def _first(old: Sequence[Placed], start: int) -> int:
    """The first piece to parse again: the one before those that an edit at `start` can have touched."""
    first = max(bisect_right(old, start, key=lambda item: item.begin) - 2, 0)
    for number in range(first):
        item = old[number]
        if not item.whole and item.piece.cut.reach + item.by >= start:
            first = number
            break
    return first - 1 if first and old[first - 1].whole else first
