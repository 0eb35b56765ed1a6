"""Cutting any text into tokens, for finding one's way after a fault. The parser itself does without."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from lpcl.syntax import _generated
from lpcl.syntax.comments import COMMENT_OR_TEXT

DECLARATIONS: tuple[str, ...] = tuple(_generated.ELEMENTS["Item"])
"""The words that start a declaration."""


class Token(NamedTuple):
    """`kind` is one of word, number, text, mark, other, open_text, open_comment and end."""

    kind: str
    start: int
    end: int
    text: str


_PATTERN = re.compile(
    r'(?P<text>"""(?s:.*?)"""|"(?!"")[^"\\\r\n]*+(?:\\[^\r\n][^"\\\r\n]*+)*+")'
    r'|(?P<open_text>"""|"[^\r\n]*)'
    r"|(?P<open_comment>/\*)"
    r"|(?P<word>[^\d\W]\w*)"
    r"|(?P<number>\d[\d_]*(?:\.\d+)?)"
    rf"|(?P<mark>{'|'.join(re.escape(mark) for mark in _generated.MARKS)})"
    r"|(?P<other>(?s:.))"
)

_BRACES = ("{", "}", ".{")
_COMMENT = "(?![/*])"


@lru_cache(maxsize=64)
def plain(but: Iterable[str] | None = ()) -> Callable[[str, int, int], re.Match[str] | None]:
    """Matches a run of tokens on one line that are no braces, texts, comments, and no words but those `but`.

    It begins behind a token; group 1 is its last token. With None no words are in it.
    """
    marks = (re.escape(mark) for mark in _generated.MARKS if mark not in (*_BRACES, "/", "."))
    words = "" if but is None else rf"|{_without(tuple(but))}[^\d\W]\w*"
    one = rf'/{_COMMENT}|\d[\d_]*(?:\.\d+)?{words}|{"|".join(marks)}|\.(?!\{{)|[^\w \t\r\n{{}}"/.]'
    return re.compile(rf"(?:[ \t]*({one})){{1,1000}}").match


def run_behind(
    text: str, end: int, stop: int, run: Callable[[str, int, int], re.Match[str] | None]
) -> tuple[int, int] | None:
    """The last of the plain tokens that follow on the same line behind the token that ends at `end`."""
    if text[end : end + 1] in _BRACES:
        return None
    last = None
    while (found := run(text, end, stop)) is not None:
        last = found.span(1)
        end = last[1]
    return last


def _without(words: tuple[str, ...]) -> str:
    return rf"(?!(?:{'|'.join(words)})(?!\w))" if words else ""


_BESIDE = (
    r'"""(?s:.*?)"""|"(?!"")[^"\\\r\n]*+(?:\\[^\r\n][^"\\\r\n]*+)*+"'
    r'|"(?!"")[^\r\n]*'
    r"|//[^\r\n]*"
)
_STARTS = rf"|(?:(?<=[\r\n])|\A\ufeff?)((?:{'|'.join(DECLARATIONS)})\b|@)"
_OUTLINE = re.compile(rf"{_BESIDE}|/\*(?:(?s:.*?)\*/|()){_STARTS}")
_OUTLINE_BEHIND = re.compile(_BESIDE + _STARTS)
"""The same where no comment is closed any more."""

_BEGINNING = re.compile(r'["/]')
"""What a text or a comment begins with."""

_INDENT = re.compile(r"[ \t\ufeff]*")
_CODE_LINE = re.compile(r"(?:\r\n|\n|\r)([ \t]*)(?=[^ \t\r\n])")
_LINE = re.compile(r"[^\r\n]*")
_CODE = re.compile(rf"(?:\r\n|\n|\r)(?=(?:{'|'.join(DECLARATIONS)})\b|@|///)")
_OPENING = re.compile(r'[ \t]*\S.*[ \t(,=]"""[ \t]*\Z')
"""A line that opens a text: something stands apart in front of its marks; `f()\"\"\"` is an end."""


def skip(text: str, offset: int) -> int:
    """The offset of the next token, behind blanks and comments."""
    if text[offset : offset + 1] in _BRACES:
        return offset
    return _generated.skip(text, offset).end()


def token(text: str, offset: int, length: int) -> Token:
    """The token at an offset where one starts, in a text whose own length is `length`."""
    if offset >= length:
        return Token("end", length, length, "")
    first = text[offset]
    if first in "{}":
        return Token("mark", offset, offset + 1, first)
    found = _PATTERN.match(text, offset, length)
    assert found is not None
    kind = found.lastgroup
    assert kind is not None
    end = found.end()
    if kind == "text" and swallows(text, offset, end):
        kind = "open_text"
    if kind == "open_text":
        end = text_end(text, offset, length)
    elif kind == "open_comment":
        end = comment_end(text, offset, length)
    return Token(kind, offset, end, text[offset:end])


def swallows(text: str, start: int, end: int) -> bool:
    """Whether the marks that end a `\"\"\"` text look like the ones that open the next."""
    if not text.startswith('"""', start) or end - start < 6:
        return False
    line = max(text.rfind("\n", start, end), text.rfind("\r", start, end)) + 1
    if not line or not _OPENING.match(text[line:end]):
        return False
    return text[end : end + 1] in ("\n", "\r")


def closes(text: str, start: int, end: int) -> bool:
    """Whether what begins of texts and comments between two offsets surely ends there.

    It does not where a `\"\"\"` is ended only by the one that was to open the next text.
    """
    behind = at = start
    while (mark := _BEGINNING.search(text, at, end)) is not None:
        found = COMMENT_OR_TEXT.match(text, mark.start())
        if found is None:
            at = mark.start() + 1
            continue
        first, last = found.span()
        unended = first > behind and text.startswith('"""', first - 1)
        if last > end or unended or swallows(text, first, last):
            return False
        behind = at = last
    return True


def text_end(text: str, start: int, length: int) -> int:
    """Where a text that is not closed was probably meant to end."""
    if not text.startswith('"""', start):
        line = _LINE.match(text, start, length)
        assert line is not None
        return line.end()
    indent = indentation(text, max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1)
    for line in _CODE_LINE.finditer(text, start, length):
        if len(line[1]) <= indent:
            return line.start()
    return length


def comment_end(text: str, start: int, length: int) -> int:
    """Where a comment that is not closed was probably meant to end: before what is surely code."""
    code = _CODE.search(text, start, length)
    return code.start() if code else length


def indentation(text: str, line: int) -> int:
    """How far the line that starts at an offset is indented."""
    blanks = _INDENT.match(text, line)
    assert blanks is not None
    return blanks.end() - line


def outline(text: str, start: int, length: int) -> Iterator[int]:
    """The offsets of the declarations, and of their annotations, that start a line from `start` on."""
    for found in _OUTLINE.finditer(text, start, length):
        if found[1] is not None:
            behind = _OUTLINE_BEHIND.finditer(text, found.end(), length)
            yield from (each.start(1) for each in behind if each[1] is not None)
            return
        if found[2] is not None:
            yield found.start(2)
