"""Faults in words."""

from __future__ import annotations

import unicodedata

from lpcl.syntax import _generated, build, phrases
from lpcl.syntax.faults import Fault
from lpcl.syntax.span import Span
from lpcl.syntax.tokens import Token

_CONTINUATIONS = ("token:Unit", "token:BinaryOperator", "mark:.")  # what could always follow a value
_SHOWN = 3  # so many expected things are named in a headline


def unexpected(
    found: Token, before: Token | None, apart: bool, keys: tuple[str, ...], meant: str | None
) -> Fault:
    """`found` is not what can follow `before`; `apart` tells that it stands on a later line."""
    expected = phrases.expected(keys, _generated.TOKENS)
    where = Span(found.start, found.end)
    telling = phrases.expected([key for key in keys if key not in _CONTINUATIONS], _generated.TOKENS)
    if found.kind == "other":
        return Fault("unexpected", where, character(found.text), expected, meant)
    listed = alternatives(telling or expected)
    if before is not None and (apart or found.kind == "end"):
        place = Span(before.end, before.end)
        headline = f"expected {listed}" if listed else "something is missing"
        return Fault("unexpected", place, f"{headline} after {shown(before)}", expected, meant)
    if meant is not None:
        return Fault(
            "unexpected", where, f"unexpected {shown(found)}: did you mean `{meant}`?", expected, meant
        )
    if listed:
        return Fault("unexpected", where, f"expected {listed}, found {shown(found)}", expected)
    return Fault("unexpected", where, f"unexpected {shown(found)}", expected)


def missing(what: str, before: Token | None, found: Token) -> Fault:
    """`what` is to stand between `before` and `found`."""
    where = Span(found.start, found.start) if before is None else Span(before.end, before.end)
    beside = f"before {shown(found)}" if before is None else f"after {shown(before)}"
    return Fault("unexpected", where, f"`{what}` is missing {beside}", (f"`{what}`",))


def superfluous(found: Token, expected: tuple[str, ...] = ()) -> Fault:
    """Everything is right without `found`. What may stand in place of a word is told where that is little."""
    headline = character(found.text) if found.kind == "other" else f"unexpected {shown(found)}"
    few = expected if found.kind == "word" and alternatives(expected) else ()
    return Fault("unexpected", Span(found.start, found.end), headline, few)


def misspelled(start: int, end: int, text: str, meant: str, expected: tuple[str, ...] = ()) -> Fault:
    """`text` was probably to be `meant`."""
    return Fault(
        "unexpected",
        Span(start, end),
        f"unexpected `{brief(text)}`: did you mean `{meant}`?",
        expected,
        meant,
    )


def not_a_unit(start: int, end: int, text: str, meant: str | None) -> Fault:
    """A number is followed by what is not a unit."""
    question = f": did you mean `{meant}`?" if meant else ""
    return Fault(
        "unexpected",
        Span(start, end),
        f"`{brief(text)}` is not a unit{question}",
        (phrases.TOKENS["Unit"],),
        meant,
    )


def misplaced(found: Token, element: str, homes: list[str]) -> Fault:
    """A clause that exists, but not here; `homes` are the blocks that have it."""
    expected = (phrases.RULES[element],)
    places = alternatives(phrases.places(homes))
    belongs = f": it belongs {places}" if places else ""
    headline = f"{shown(found)} is not {phrases.noun(element)}{belongs}"
    return Fault("unexpected", Span(found.start, found.end), headline, expected)


def special(kind: str, start: int, end: int) -> Fault:
    """What the grammar allows and the language does not."""
    where = Span(start, end)
    if kind == "number":
        return Fault("number", where, f"a number can have at most {build.MAX_DIGITS} characters")
    if kind == "nesting":
        return Fault("nesting", where, f"nested more than {build.MAX_NESTING} levels deep")
    if kind == "row":
        headline = f"{build.MAX_HEIGHT} operators or more in a row: give parts of it names with `let`"
        return Fault("nesting", where, headline)
    if kind == "height":
        return Fault("nesting", where, f"an expression of more than {build.MAX_HEIGHT} levels")
    headline = "comparisons do not chain: write `a < b and b < c` for `a < b < c`"
    return Fault("unexpected", where, headline, ("`and`",))


def unclosed(place: int, opened: list[tuple[int | None, int]]) -> Fault:
    """A `}` is missing at `place` for blocks with a brace, or else a start, each."""
    related = tuple(
        (Span(start, start + 1), "the block starts here")
        if brace is None
        else (Span(brace, brace + 1), "this `{` is not closed")
        for brace, start in opened
    )
    return Fault("unclosed", Span(place, place), "`}` is missing", ("`}`",), None, related)


def stray(offset: int) -> Fault:
    """A `}` too many."""
    return Fault("unexpected", Span(offset, offset + 1), "this `}` closes nothing")


def too_many(place: int) -> Fault:
    """The reading ends; declarations behind it are in the tree if they are right."""
    return Fault("limit", Span(place, place), "too many faults: those behind this place are not shown")


def too_much(place: int) -> Fault:
    """The reading of what is broken ends; declarations behind it are in the tree if they are right."""
    headline = "too much is broken here: faults behind this place are not shown"
    return Fault("limit", Span(place, place), headline)


def unterminated(found: Token) -> Fault:
    """A text or a comment without its end."""
    if found.kind == "open_comment":
        return Fault(
            "unterminated", Span(found.start, found.start + 2), "this comment is not closed", ("`*/`",)
        )
    mark = '"""' if found.text.startswith('"""') else '"'
    end = found.end if mark == '"' else found.start + 3
    return Fault("unterminated", Span(found.start, end), "this text is not closed", (f"`{mark}`",))


def alternatives(expected: tuple[str, ...]) -> str | None:
    """A few expected things in a row, or None where they are too many."""
    plain = [item for item in expected if ", such as " not in item]
    exemplified = [item for item in expected if ", such as " in item]
    if len(exemplified) > 1:
        plain += [item.partition(", such as ")[0] for item in exemplified[:-1]]
    listed = [*plain, *exemplified[-1:]]
    if not listed or len(listed) > (2 * _SHOWN if len(plain) == len(expected) else _SHOWN):
        return None
    return listed[0] if len(listed) == 1 else f"{', '.join(listed[:-1])} or {listed[-1]}"


def shown(found: Token) -> str:
    """A token as it is quoted in a sentence."""
    if found.kind == "end":
        return "the end of the file"
    if found.kind in ("text", "open_text"):
        return brief(found.text.splitlines()[0])
    return f"`{brief(found.text)}`"


def brief(text: str) -> str:
    """Not more of a text than a sentence can bear."""
    cut = text if len(text) <= 40 else text[:39] + "…"
    return "".join(char if char.isprintable() else "\ufffd" for char in cut)


_HINTS = {
    ";": "clauses need no `;` between them",
    "'": 'texts stand in double quotes: "text"',
    "“": 'texts stand in straight quotes: "text"',
    "”": 'texts stand in straight quotes: "text"',
    "#": "comments start with `//`",
    "&": "write `and`",
    "|": "write `or`",
    "!": "write `not`",
    "\ufffd": "this is not UTF-8",
}


def character(char: str) -> str:
    """What to say of a character that no token starts with."""
    hint = _HINTS.get(char)
    if hint is not None and char != "\ufffd":
        return f"unexpected `{char}`: {hint}"
    if char.isprintable() and not char.isspace():
        return f"unexpected `{char}`"
    name = unicodedata.name(char, "")
    return f"unexpected character U+{ord(char):04X}{f' ({name.lower()})' if name else ''}"
