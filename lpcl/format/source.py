"""A text cut into tokens, with what stands between them."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

from lpcl.syntax import _generated
from lpcl.syntax.comments import Comment

_TEXT = r'"""(?s:.*?)"""|"(?!"")[^"\\\n]*+(?:\\[^\n][^"\\\n]*+)*+"'
_TOKEN = re.compile(
    rf"(?P<text>{_TEXT})"
    r"|(?P<number>\d[\d_]*(?:\.\d+)?)"
    r"|(?P<word>[^\d\W]\w*(?:\.[^\d\W]\w*)*)"
    rf"|(?P<mark>{'|'.join(re.escape(mark) for mark in _generated.MARKS)})"
)
_UNIT = re.compile(r"%|(?:[kKMGTP]i?B|B)(?:/s)?(?!\w)|(?:ns|us|ms|s|min|h)(?!\w)")


class Token(NamedTuple):
    """A token's text and the offsets where it starts and ends."""

    text: str
    start: int
    end: int


class Remark(NamedTuple):
    """A comment between two tokens, and how many line ends stand in front of it."""

    lines: int
    text: str

    @property
    def line(self) -> bool:
        """Whether it goes to the end of its line."""
        return self.text.startswith("//")


class Gap(NamedTuple):
    """What stands between two tokens: comments, and how many line ends behind the last of them."""

    remarks: tuple[Remark, ...]
    lines: int

    @property
    def hard(self) -> bool:
        """Whether comments make it end a line."""
        if not self.remarks:
            return False
        return self.lines > 0 or any(one.lines or one.line or "\n" in one.text for one in self.remarks)


class Source:
    """The tokens of a text, as far as they were asked for, in order."""

    def __init__(self, text: str, comments: Sequence[Comment]) -> None:
        self.text = text
        self.comments = comments
        self.comment_starts = [comment.span.start for comment in comments]
        self.tokens: list[Token] = []
        self.at: dict[int, int] = {}
        self.gaps: list[Gap] = []

    def read(self, start: int, stop: int, brace: int | None = None) -> bool:
        """Add the tokens from `start` to `stop`, or to the first `{` from `brace` on; whether that can be."""
        offset = start
        unit = False
        while offset < stop:
            found = (_UNIT.match(self.text, offset, stop) if unit else None) or _TOKEN.match(
                self.text, offset, stop
            )
            if found is None:
                return False
            unit = found.re is _TOKEN and found.lastgroup == "number"
            self._add(Token(found[0], offset, found.end()))
            if brace is not None and offset >= brace and found[0] == "{":
                return True
            offset = _generated.skip(self.text, found.end()).end()
        return True

    def _add(self, token: Token) -> None:
        self.at[token.start] = len(self.tokens)
        before = self.tokens[-1].end if self.tokens else 0
        self.tokens.append(token)
        self.gaps.append(self.gap(min(before, token.start), token.start))

    def gap(self, start: int, stop: int) -> Gap:
        """What stands between two offsets that are not in a token."""
        if stop - start < 2:
            return Gap((), self.text.count("\n", start, stop))
        remarks = []
        for comment in self.remarks(start, stop):
            lines = self.text.count("\n", start, comment.span.start)
            text = comment.text.rstrip(" \t") if comment.text.startswith("//") else comment.text
            remarks.append(Remark(lines, text))
            start = comment.span.end
        return Gap(tuple(remarks), self.text.count("\n", start, stop))

    def remarks(self, start: int, stop: int) -> Sequence[Comment]:
        """The comments between two offsets."""
        return self.comments[bisect_left(self.comment_starts, start) : bisect_left(self.comment_starts, stop)]

    def index(self, offset: int) -> int:
        """The token that starts at an offset or behind it, among those read so far."""
        known = self.at.get(offset)
        if known is not None:
            return known
        return bisect_left(self.tokens, offset, key=lambda token: token.start)
