"""Comments, and which of them document what follows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lpcl.syntax.span import Span


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment as it stands in the text, its marks included."""

    span: Span
    text: str


COMMENT_OR_TEXT = re.compile(
    r'"""(?s:.*?)"""'
    r'|"(?!"")[^"\\\r\n]*+(?:\\[^\r\n][^"\\\r\n]*+)*+"'
    r'|"(?!"")[^\r\n]*'  # not closed: a fault, and not to be searched again from every `"` in it
    r"|//[^\r\n]*()|/\*(?s:.*?)\*/()"  # a comment: the only ones with a group
    r"|/\*(?s:.*)"  # the same
)
_DOCUMENTATION = re.compile(r"///(?!/) ?(.*)")
_EMPTY = re.compile(r"[ \t\r\n]*+")
_BLANKS = re.compile(r"[ \t]*(?:\r\n|\n|\r)[ \t]*")
_AFTER = re.compile(r"[ \t\r\n]*+(?:(?://[^\r\n]*|/\*(?s:.*?)\*/)[ \t\r\n]*+)*+")


def comments(text: str, start: int = 0, stop: int | None = None) -> tuple[Comment, ...]:
    """The comments of a text in order, from `start`, where none has begun, to `stop`."""
    stop = len(text) if stop is None else stop
    if text.find("//", start, stop) < 0 and text.find("/*", start, stop) < 0:
        return ()
    return tuple(
        Comment(Span(m.start(), m.end()), m[0])
        for m in COMMENT_OR_TEXT.finditer(text, start, stop)
        if m.lastindex is not None
    )


def documentation(text: str, found: tuple[Comment, ...]) -> dict[int, str]:
    """The documentation in front of tokens, by the token's offset.

    Documentation is a run of `///` comments, each alone on its line, without an empty line between them; each
    loses its marks and one space. Other comments may stand between it and the token.
    """
    runs: list[tuple[int, str]] = []  # the last comment of each, and what it says
    run: list[str] = []
    end = last = -1
    for number, comment in enumerate(found):
        line = _DOCUMENTATION.match(comment.text)
        if line is None or not _first_on_its_line(text, comment.span.start):
            continue
        if run and not _BLANKS.fullmatch(text, end, comment.span.start):
            runs.append((last, "\n".join(run)))
            run = []
        run.append(line[1].rstrip())
        end, last = comment.span.end, number
    if run:
        runs.append((last, "\n".join(run)))
    return dict(
        zip(_tokens_after(text, found, [last for last, _ in runs]), (said for _, said in runs), strict=True)
    )


def _tokens_after(text: str, found: tuple[Comment, ...], numbers: list[int]) -> Iterator[int]:
    """The offset of the first token behind each of some comments, which are in order."""
    number = after = -1  # up to this comment, there is nothing but comments in front of `after`
    for wanted in numbers:
        if wanted > number:
            number = wanted
            after = _blanks(text, found[number].span.end)
            while number + 1 < len(found) and found[number + 1].span.start == after:
                number += 1
                after = _blanks(text, found[number].span.end)
            if number + 1 == len(found):  # there may be comments behind those that were looked for
                after = _token_after(text, after)
        yield after


def _blanks(text: str, offset: int) -> int:
    after = _EMPTY.match(text, offset)
    assert after is not None
    return after.end()


def _first_on_its_line(text: str, offset: int) -> bool:
    while offset and text[offset - 1] in " \t":
        offset -= 1
    return offset == 0 or text[offset - 1] in "\r\n\ufeff"


def _token_after(text: str, offset: int) -> int:
    after = _AFTER.match(text, offset)
    assert after is not None
    return after.end()
