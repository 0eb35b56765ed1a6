"""Formatting: the same tokens and comments with the blanks that the house style puts between them.

The formatter never writes a token of its own. It walks the tree to learn where clauses and blocks begin and
end and where a clause may be broken (`groups`), lays each clause out within `WIDTH` columns (`layout`), and
puts clauses, comments and empty lines together block by block (`blocks`). What the parser could not read
stays in whole lines as it is, as small a piece as can be told apart from the rest: a clause, else its
block, else the declaration.

Nothing is taken on trust: the outcome is parsed again, and only given out if it has the same tree,
documentation, comments and faults as the text. If it has not, declarations with faults are left alone, and in
the end the whole text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lpcl.format.blocks import Formatter, Unsure
from lpcl.format.layout import WIDTH as WIDTH
from lpcl.syntax.parser import Parsed, parse

__all__ = ["WIDTH", "format_text"]

_LINE_END = re.compile(r"\r\n|\r")
_BLANKS = re.compile(r"\s+")


def format_text(text: str) -> str:
    """A text in the house style. Never raises; a text that cannot be formatted safely comes back as it is."""
    try:
        return _formatted(text)
    except RecursionError:  # called from where little of the stack is left
        return text


def _formatted(text: str) -> str:
    plain = _LINE_END.sub("\n", text.lstrip("\ufeff"))
    if not plain.strip(" \t\n"):
        return ""
    parsed = parse(plain)
    for outcome in _attempts(plain, parsed):
        again = parse(outcome)
        if not _same(parsed, again):
            continue
        if parsed.faults and next(_attempts(outcome, again), None) != outcome:
            continue  # what is around a fault must not lead it to be read anew
        return outcome
    return text


def _attempts(text: str, parsed: Parsed) -> Iterator[str]:
    """The formatted text; where it has faults, also more and more cautious ones."""
    for cautious in (False, True) if parsed.faults else (False,):
        try:
            yield Formatter(text, parsed, cautious=cautious).run()
        except Unsure:
            continue
    if parsed.faults:
        yield text


def _same(before: Parsed, after: Parsed) -> bool:
    return (
        before.file == after.file
        and [(fault.kind, fault.headline) for fault in before.faults]
        == [(fault.kind, fault.headline) for fault in after.faults]
        and [_bare(comment.text) for comment in before.comments]
        == [_bare(comment.text) for comment in after.comments]
        and all(
            one.doc == other.doc for one, other in zip(before.file.walk(), after.file.walk(), strict=True)
        )
    )


def _bare(comment: str) -> str:
    return _BLANKS.sub(" ", comment).strip()
