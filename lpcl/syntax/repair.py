"""The one small change that makes a broken clause right, if there is one.

A clause that only lacks a mark, or has a word misspelled or a token too many, is read as it was meant: it
stays in the tree, and what refers to it is not reported in its wake.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from lpcl.syntax import _generated, build, familiar, messages, phrases
from lpcl.syntax.faults import Fault
from lpcl.syntax.span import Span
from lpcl.syntax.spelling import nearest
from lpcl.syntax.tokens import Token, skip, token
from lpcl.syntax.trial import Edit, Trial, Window


@dataclass(frozen=True, slots=True)
class Failure:
    """Where a clause stops being right: the token there, those before it, and what could follow."""

    found: Token
    tokens: tuple[Token, ...]
    apart: bool
    keys: tuple[str, ...]

    @property
    def before(self) -> Token | None:
        return self.tokens[-1] if self.tokens else None

    @property
    def wants_unit(self) -> bool:
        """Whether a word stands where a number's unit could."""
        return (
            self.found.kind == "word"
            and not self.apart
            and "token:Unit" in self.keys
            and bool(self.tokens)
            and self.tokens[-1].kind == "number"
        )

    @property
    def expected(self) -> tuple[str, ...]:
        """What could follow, in words."""
        return phrases.expected(self.keys, _generated.TOKENS)

    @property
    def words(self) -> tuple[str, ...]:
        """The words among what could follow."""
        found: list[str] = []
        for key in self.keys:
            kind, _, name = key.partition(":")
            if kind == "word":
                found.append(name)
            elif kind == "token":
                found += [w for w in _generated.TOKENS.get(name, ()) if w[0].isalpha() and name != "Unit"]
        return tuple(found)


@dataclass(frozen=True, slots=True)
class Repair:
    """A change, what the clause is with it, and the fault that tells of it."""

    edit: Edit
    trial: Trial
    fault: Fault


Accepts = Callable[[Trial, Edit], bool]


def repair(
    text: str, window: Window, rule: str, failure: Failure, accepts: Accepts, *, head: bool = False
) -> Repair | None:
    """The first change after which `accepts` what the window is."""
    for edit, fault in _changes(text, window, failure, rule, head):
        trial = window.attempt(rule, head=head, edit=edit)
        if trial.made is not None and accepts(trial, edit):
            return Repair(edit, trial, fault)
    return None


def _changes(
    text: str, window: Window, failure: Failure, rule: str, head: bool
) -> Iterator[tuple[Edit, Fault]]:
    inside = failure.found.start < window.stop
    if inside and failure.found.kind == "open_text":
        yield from _closed_texts(text, window, failure.found)
        return
    yield from familiar.changes(text, window.stop, rule, failure.found, failure.tokens, failure.keys, head)
    if inside:
        yield from _merged(failure)
        yield from _respelled(text, window.stop, failure)
    yield from _inserted_marks(text, window, failure)
    yield from _inserted_words(text, window, failure)
    if inside:
        yield from _replaced(text, window, failure)
        yield from _respelled_before(failure)
        operand = "rule:Operand" in failure.keys
        if not operand or not (failure.found.kind == "word" or failure.found.text in _OPERATORS):
            yield _left_out(text, window.stop, failure)
    before = failure.before
    if before is not None and before.text == ",":
        yield Edit(before.start, before.end, ""), messages.superfluous(before)


def _left_out(text: str, stop: int, failure: Failure) -> tuple[Edit, Fault]:
    found = failure.found
    place = unit_at(text, found.start, stop) if failure.wants_unit else None
    if place is not None:
        return Edit(found.start, place[0], ""), messages.not_a_unit(found.start, place[0], place[1], None)
    return Edit(found.start, found.end, ""), messages.superfluous(found, failure.expected)


# ---------------------------------------------------------------- spelling

_UNIT = re.compile(r"[^\W\d]\w*(?:/\w+)?")
_UNITS = {
    **dict.fromkeys(("sec", "secs", "second", "seconds"), "s"),
    **dict.fromkeys(("msec", "msecs", "millisecond", "milliseconds"), "ms"),
    **dict.fromkeys(("µs", "μs", "usec", "usecs", "microsecond", "microseconds"), "us"),
    **dict.fromkeys(("nsec", "nanosecond", "nanoseconds"), "ns"),
    **dict.fromkeys(("m", "mins", "minute", "minutes"), "min"),
    **dict.fromkeys(("hr", "hrs", "hour", "hours"), "h"),
    **dict.fromkeys(("b", "byte", "bytes"), "B"),
    **{letter.lower(): f"{letter}iB" for letter in "KMGTP"},
    **{letter: f"{letter}iB" for letter in "KMGTP"},
    "percent": "%",
    "pct": "%",
}


def unit(word: str) -> str | None:
    """The unit that was probably meant by a word behind a number."""
    if word in _UNITS:
        return _UNITS[word]
    return nearest(word, build.UNITS, shortest=2)


def unit_at(text: str, offset: int, stop: int) -> tuple[int, str] | None:
    """The end and the text of what looks like a unit."""
    found = _UNIT.match(text, offset, stop)
    return None if found is None else (found.end(), found[0])


def _respelled(text: str, stop: int, failure: Failure) -> Iterator[tuple[Edit, Fault]]:
    found = failure.found
    if found.kind != "word":
        return
    if failure.wants_unit:
        place = unit_at(text, found.start, stop)
        meant = unit(place[1]) if place else None
        if place and meant:
            fault = messages.not_a_unit(found.start, place[0], place[1], meant)
            yield Edit(found.start, place[0], meant), fault
    words = failure.words
    meant = respelled(found.text, [word for word in words if " " not in word])
    if meant:
        yield (
            Edit(found.start, found.end, meant),
            messages.misspelled(found.start, found.end, found.text, meant, failure.expected),
        )
    following = token(text, skip(text, found.end), stop)
    if following.kind == "word" and following.end <= stop:
        two = f"{found.text} {following.text}"
        meant = nearest(two, [word for word in words if " " in word])
        if meant:
            fault = messages.misspelled(found.start, following.end, two, meant, failure.expected)
            yield Edit(found.start, following.end, meant), fault


_SHORT = 4
_EVERY_WORD = tuple(
    dict.fromkeys(
        word
        for key in _generated.EXPECTED
        for word in (
            (key.partition(":")[2],)
            if key.startswith("word:")
            else _generated.TOKENS.get(key.removeprefix("token:"), ())
        )
        if word.isalpha() and key != "token:Unit"
    )
)


def respelled(word: str, candidates: Iterable[str]) -> str | None:
    """The candidate that a word misspells; a short word of the language itself is what it is."""
    if len(word) < _SHORT and word in _EVERY_WORD:
        return None
    return nearest(word, candidates)


def _respelled_before(failure: Failure) -> Iterator[tuple[Edit, Fault]]:
    """A misspelled word that was taken for a name shows only at the word behind it."""
    before = failure.before
    if before is None or before.kind != "word":
        return
    meant = respelled(before.text, _EVERY_WORD)
    if meant:
        fault = messages.misspelled(before.start, before.end, before.text, meant)
        yield Edit(before.start, before.end, meant), fault


# ---------------------------------------------------------------- insertion

_MARKS = (")", "}", "=", ":", ",", "..", "(")


def _inserted_marks(text: str, window: Window, failure: Failure) -> Iterator[tuple[Edit, Fault]]:
    before = failure.before
    at = before.end if before is not None else failure.found.start
    marks = [mark for mark in _MARKS if f"mark:{mark}" in failure.keys]
    called = before is not None and before.kind == "word" and "token:BinaryOperator" in failure.keys
    if called and failure.found.text != ")":
        marks.append("(")  # a function's name is only one in front of a parenthesis
    for mark in dict.fromkeys(marks):
        yield Edit(at, at, f" {mark} "), messages.missing(mark, before, failure.found)
    if "token:StringToken" in failure.keys and failure.found.start < window.stop:
        start = failure.found.start
        for closing in _quotes(text, start, window.stop):
            fault = Fault("unterminated", Span(start, closing + 1), "this text is not opened", ('`"`',))
            yield Edit(start, start, '"'), fault


def _quotes(text: str, start: int, stop: int) -> Iterator[int]:
    line = re.compile(r'[^"\r\n]*"').match(text, start, stop)
    if line:
        yield line.end() - 1


def _inserted_words(text: str, window: Window, failure: Failure) -> Iterator[tuple[Edit, Fault]]:
    words = [key.partition(":")[2] for key in failure.keys if key.startswith("word:")]
    found = failure.found
    behind = skip(text, found.end)
    lone = found.start >= window.stop or (found.kind in ("word", "number") and behind >= window.stop)
    if lone and len(failure.keys) > 1:
        return
    before = failure.before
    at = before.end if before is not None else found.start
    for word in dict.fromkeys(words):
        if before is not None and before.text == word:
            yield Edit(at, at, f" {word} "), messages.unexpected(before, None, False, ("token:Word",), None)
        else:
            yield Edit(at, at, f" {word} "), messages.missing(word, before, found)


# ---------------------------------------------------------------- replacement

_OPERATORS = _generated.TOKENS["BinaryOperator"]
_FAMILIAR = {
    "=": "==",
    "===": "==",
    "&&": "and",
    "||": "or",
    "=<": "<=",
    "=>": ">=",
    "%": "mod",
}
_MERGED = {"<>": "!=", "==": "=", ":=": "=", "===": "=="}
_LONGEST = 3


def _replaced(text: str, window: Window, failure: Failure) -> Iterator[tuple[Edit, Fault]]:
    found = failure.found
    if found.kind not in ("mark", "other"):
        return
    if "token:BinaryOperator" in failure.keys:
        for length in range(_LONGEST, 0, -1):
            written = text[found.start : found.start + length]
            meant = _FAMILIAR.get(written)
            if meant:
                end = found.start + length
                yield (
                    Edit(found.start, end, f" {meant} "),
                    messages.misspelled(found.start, end, written, meant),
                )
    if found.text == "!" and "rule:Operand" in failure.keys:
        yield (
            Edit(found.start, found.end, "not "),
            messages.misspelled(found.start, found.end, "!", "not"),
        )
    if found.text in "'“”":
        quoted = re.compile(r"(['“”])([^'“”\"\\\r\n]*)['“”]").match(text, found.start, window.stop)
        if quoted:
            fault = messages.superfluous(found)
            fault = Fault(fault.kind, Span(*quoted.span()), fault.headline)
            yield Edit(quoted.start(), quoted.end(), f'"{quoted[2]}"'), fault
    for mark in _MARKS:
        if f"mark:{mark}" in failure.keys:
            yield (
                Edit(found.start, found.end, f" {mark} "),
                messages.misspelled(found.start, found.end, found.text, mark),
            )


def _merged(failure: Failure) -> Iterator[tuple[Edit, Fault]]:
    """A mark of another language of which the first part fits."""
    found, before = failure.found, failure.before
    if before is None or before.end != found.start:
        return
    written = before.text + found.text
    meant = _MERGED.get(written)
    if meant:
        fault = messages.misspelled(before.start, found.end, written, meant)
        yield Edit(before.start, found.end, meant), fault


def _closed_texts(text: str, window: Window, found: Token) -> Iterator[tuple[Edit, Fault]]:
    fault = messages.unterminated(found)
    stop = min(found.end, window.stop)
    if found.text.startswith('"""'):
        yield Edit(stop, stop, '\n"""'), fault
        return
    body = text[found.start : stop].rstrip()
    end = found.start + len(body)
    if body.endswith("\\"):
        yield Edit(end - 1, end, '"'), fault
        return
    ends = [end]
    while body.endswith("}"):
        body = body[:-1].rstrip()
        ends.append(found.start + len(body))
    opened = text[text.rfind("\n", 0, found.start) + 1 : found.start]
    if opened.count("{") > opened.count("}"):
        ends.reverse()
    for place in ends:
        yield Edit(place, place, '"'), fault
    for comma in re.finditer(r"[,)]", body):
        place = found.start + comma.start()
        yield Edit(place, place, '"'), fault
