"""Comments that allow a finding, with a reason: ``// lpcl: allow(CODE) why it is right here``.

At the end of a line, the comment speaks about that line; alone on its line, about the next one that holds
more than comments, with the annotations in front of it; ``allow-file`` speaks about the whole file. Errors
cannot be allowed: what has one means nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from lpcl.diagnostics.codes import CODES
from lpcl.diagnostics.diagnostic import Diagnostic, Edit, Fix, FixGrade, Location, Severity
from lpcl.diagnostics.lines import Lines

MARK = "lpcl:"
"""A text without it allows nothing: nobody needs to look at its comments."""

_MARK = re.compile(r"//[ \t]*lpcl:[ \t]*")
_ALLOW = re.compile(r"allow(?P<file>-file)?[ \t]*\((?P<codes>[^()]*)\)[ \t:–-]*(?P<reason>.*)")
_CODE = re.compile(r"[^\s,]+")


@dataclass(frozen=True, slots=True)
class Source:
    """A text with the places of its comments; `whole` tells whether all of it could be parsed."""

    text: str
    comments: tuple[tuple[int, int], ...]
    whole: bool


@dataclass(frozen=True, slots=True)
class Suppressed:
    """A finding that is allowed, and why."""

    diagnostic: Diagnostic
    reason: str


@dataclass(frozen=True, slots=True)
class Sifted:
    """The findings that stay, with those about the suppressions themselves, and those that are allowed."""

    kept: tuple[Diagnostic, ...]
    suppressed: tuple[Suppressed, ...]


@dataclass(frozen=True, slots=True)
class _Allowance:
    """One comment. `first` to `last` are the lines that it speaks about, None for the whole file."""

    place: Location
    codes: tuple[tuple[str, Location], ...]
    reason: str
    first: int | None
    last: int | None

    def covers(self, line: int) -> bool:
        return self.first is None or self.last is None or self.first <= line <= self.last


def sift(
    diagnostics: Iterable[Diagnostic],
    sources: Mapping[str, Source],
    unasked: frozenset[str] = frozenset(),
) -> Sifted:
    """Take out what comments allow, and report comments that allow nothing or do not say why.

    Findings of files that are not in `sources` stay as they are. Families of codes that are `unasked` have
    not been looked for, so that nothing is said about comments that allow one of theirs.
    """
    allowances: dict[str, list[_Allowance]] = {}
    lines: dict[str, Lines] = {}
    about: list[Diagnostic] = []
    for path, source in sources.items():
        if MARK in source.text:
            lines[path] = Lines(source.text)
            allowances[path] = list(_allowances(path, source, lines[path], about))
    kept: list[Diagnostic] = []
    suppressed: list[Suppressed] = []
    listed = tuple(diagnostics)
    wrong = {item.location.path for item in listed if CODES[item.code].severity is Severity.ERROR}
    used: set[Location] = set()
    for item in listed:
        path = item.location.path
        found = None
        if path in allowances and CODES[item.code].severity is not Severity.ERROR:
            line, _ = lines[path].place(item.location.start)
            found = _allowed(allowances[path], item.code, line, used)
        if found is None:
            kept.append(item)
        else:
            suppressed.append(Suppressed(item, found.reason))
    for path, some in allowances.items():
        whole = sources[path].whole and path not in wrong
        for allowance in some:
            about += _judged(allowance, sources[path].text, used, unasked, whole=whole)
    return Sifted((*kept, *about), tuple(suppressed))


def _allowed(listed: list[_Allowance], code: str, line: int, used: set[Location]) -> _Allowance | None:
    for allowance in listed:
        for name, place in allowance.codes:
            if name == code and allowance.covers(line):
                used.add(place)
                return allowance
    return None


def _allowances(path: str, source: Source, lines: Lines, about: list[Diagnostic]) -> Iterator[_Allowance]:
    for start, end in source.comments:
        comment = source.text[start:end]
        mark = _MARK.match(comment)
        if mark is None:
            continue
        place = Location(path, start, end)
        found = _ALLOW.fullmatch(comment, mark.end())
        codes = () if found is None else tuple(_CODE.finditer(comment, *found.span("codes")))
        if found is None or not codes:
            about.append(
                _report(
                    "unused-suppression",
                    "this comment to `lpclc` is not understood",
                    place,
                    "write `// lpcl: allow(CODE) reason`, or `allow-file` for the whole file",
                )
            )
            continue
        first, last = (None, None) if found["file"] else _lines(lines, start)
        named = tuple((one[0], Location(path, start + one.start(), start + one.end())) for one in codes)
        yield _Allowance(place, named, found["reason"].strip(), first, last)


def _lines(lines: Lines, start: int) -> tuple[int, int]:
    """The lines that a comment speaks about."""
    own, _ = lines.place(start)
    begin, _ = lines.bounds(own)
    if lines.text[begin:start].strip(" \t\ufeff"):
        return own, own
    first = 0
    for number in range(own + 1, len(lines) + 1):
        text = lines.text[slice(*lines.bounds(number))].strip()
        if text and not text.startswith("//"):
            first = first or number
            if not text.startswith("@"):
                return first, number
    return (first, len(lines)) if first else (own, own)


def _judged(
    allowance: _Allowance, text: str, used: set[Location], unasked: frozenset[str], *, whole: bool
) -> Iterator[Diagnostic]:
    if not allowance.reason:
        yield _report(
            "suppression-without-reason",
            f"why {_names(allowance)} may be here is not said",
            allowance.place,
            "say why behind the parenthesis: `// lpcl: allow(CODE) reason`",
        )
    for code, place in allowance.codes:
        if place in used:
            continue
        known = CODES.get(code)
        headline, help_text = f"there is no `{code}` here to allow", "remove it"
        if known is None:
            from difflib import get_close_matches

            close = get_close_matches(code, CODES, n=1)
            headline = f"there is no code `{code}`"
            help_text = f"did you mean `{close[0]}`?" if close else "`lpclc explain` lists the codes"
        elif known.family == "composition":
            headline = f"`{code}` is found by composing an application, and cannot be allowed"
            help_text = "say with `expect` in a test what is known to happen"
        elif known.severity is Severity.ERROR:
            headline = f"`{code}` is an error, and cannot be allowed"
            help_text = "mend it: what has an error means nothing"
        elif not whole or known.family in unasked:
            continue  # what it is for may not have been found because of the errors
        yield _report(
            "unused-suppression",
            headline,
            place,
            help_text,
            _removal(allowance, text) if len(allowance.codes) == 1 and known else None,
        )


def _report(code: str, headline: str, place: Location, help_text: str, fix: Fix | None = None) -> Diagnostic:
    return Diagnostic(code, CODES[code].severity, headline, place, help=help_text, fix=fix)


def _names(allowance: _Allowance) -> str:
    return " and ".join(f"`{code}`" for code, _ in allowance.codes)


def _removal(allowance: _Allowance, text: str) -> Fix:
    """Take the comment out, with its line where it stands alone."""
    path, start, end = allowance.place.path, allowance.place.start, allowance.place.end
    while start and text[start - 1] in " \t":
        start -= 1
    if start == 0 or text[start - 1] in "\r\n":
        after = re.compile(r"\r\n|\r|\n").match(text, end)
        end = after.end() if after else end
    return Fix("remove the comment", FixGrade.SAFE, (Edit(Location(path, start, end), ""),))
