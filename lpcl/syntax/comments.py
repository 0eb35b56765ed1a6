"""Comments, and which of them document what follows."""

from __future__ import annotations

import re
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
    r"|(//[^\r\n]*|/\*(?s:.*?)\*/)"
    r"|/\*(?s:.*)"  # the same
)
_DOCUMENTATION = re.compile(r"///(?!/) ?(.*)")
_BLANKS = re.compile(r"[ \t]*(?:\r\n|\n|\r)[ \t]*")
_AFTER = re.compile(r"[ \t\r\n]*+(?:(?://[^\r\n]*|/\*(?s:.*?)\*/)[ \t\r\n]*+)*+")


def comments(text: str, start: int = 0, stop: int | None = None) -> tuple[Comment, ...]:
    """The comments of a text in order, from `start`, where none has begun, to `stop`."""
    stop = len(text) if stop is None else stop
    if text.find("//", start, stop) < 0 and text.find("/*", start, stop) < 0:
        return ()
    return tuple(
        Comment(Span(m.start(), m.end()), m[1])
        for m in COMMENT_OR_TEXT.finditer(text, start, stop)
        if m[1] is not None
    )


def documentation(text: str, found: tuple[Comment, ...]) -> dict[int, str]:
    """The documentation in front of tokens, by the token's offset.

    Documentation is a run of `///` comments, each alone on its line, without an empty line between them; each
    loses its marks and one space. Other comments may stand between it and the token.
    """
    documented: dict[int, str] = {}
    run: list[str] = []
    end = -1
    for comment in found:
        line = _DOCUMENTATION.match(comment.text)
        if line is None or not _first_on_its_line(text, comment.span.start):
            continue
        if run and not _BLANKS.fullmatch(text, end, comment.span.start):
            documented[_token_after(text, end)] = "\n".join(run)
            run = []
        run.append(line[1].rstrip())
        end = comment.span.end
    if run:
        documented[_token_after(text, end)] = "\n".join(run)
    return documented


def _first_on_its_line(text: str, offset: int) -> bool:
    while offset and text[offset - 1] in " \t":
        offset -= 1
    return offset == 0 or text[offset - 1] in "\r\n\ufeff"


def _token_after(text: str, offset: int) -> int:
    after = _AFTER.match(text, offset)
    assert after is not None
    return after.end()
