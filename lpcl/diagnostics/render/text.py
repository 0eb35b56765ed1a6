"""Findings as a person reads them: headline, source lines with marks and labels, notes, help."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from lpcl.cache.territory import shown_path
from lpcl.diagnostics.diagnostic import Diagnostic, Label, Severity
from lpcl.diagnostics.lines import Lines

_TAB = 4
_WIDEST = 140
_BEFORE = 40
_READ = 4 * _WIDEST

_RESET = "\x1b[0m"
_BOLD = "\x1b[1m"
_COLOURS = {Severity.ERROR: "\x1b[31m", Severity.WARNING: "\x1b[33m", Severity.INFO: "\x1b[36m"}
_BLUE = "\x1b[34m"
_GREEN = "\x1b[32m"


def render(diagnostics: Iterable[Diagnostic], texts: Mapping[str, str], *, colour: bool = False) -> str:
    """All findings, one after another. `texts` gives the text of each file by its path."""
    renderer = _Renderer(texts, colour)
    return "\n".join(renderer.finding(item) for item in diagnostics)


def summary(diagnostics: Sequence[Diagnostic], files: Collection[str]) -> str:
    """One line that says how many findings there are, in these files and in others that they lead to."""
    checked = f"{len(files)} file{'' if len(files) == 1 else 's'}"
    if not diagnostics:
        return f"{checked} checked, nothing to report."
    parts = []
    for severity, word in (
        (Severity.ERROR, "error"),
        (Severity.WARNING, "warning"),
        (Severity.INFO, "remark"),
    ):
        number = sum(item.severity is severity for item in diagnostics)
        if number:
            parts.append(f"{number} {word}{'' if number == 1 else 's'}")
    places = {item.location.path for item in diagnostics}
    lead = "" if places <= set(files) else f", and what {'it leads' if len(files) == 1 else 'they lead'} to"
    where = f"{len(places)} file{'' if len(places) == 1 else 's'}"
    return f"{_together(parts)} in {where}; {checked} checked{lead}."


def _together(parts: Sequence[str]) -> str:
    """`a`, `a and b`, or `a, b and c`."""
    *first, last = parts
    return f"{', '.join(first)} and {last}" if first else last


@dataclass(frozen=True, slots=True)
class _Mark:
    """A marked piece of one line, in display columns from 0."""

    start: int
    end: int
    primary: bool
    message: str


class _Renderer:
    def __init__(self, texts: Mapping[str, str], colour: bool) -> None:
        self._texts = texts
        self._colour = colour
        self._lines: dict[str, Lines] = {}

    def _paint(self, text: str, *codes: str) -> str:
        return f"{''.join(codes)}{text}{_RESET}" if self._colour and text else text

    def finding(self, item: Diagnostic) -> str:
        """One finding, with a newline at its end."""
        tint = _COLOURS[item.severity]
        head = self._paint(f"{item.severity.value}[{item.code}]", _BOLD, tint)
        rows = [f"{head}{self._paint(': ' + item.headline, _BOLD)}"]
        groups = self._by_file(item)
        width = max((len(str(number)) for _, lines in groups for number in lines), default=1)
        for index, (path, lines) in enumerate(groups):
            rows += self._file(item, path, lines, width, first=index == 0)
        edge = " " * width
        notes = [("note", note) for note in item.notes]
        if item.help:
            notes.append(("help", item.help))
        if notes and groups:
            rows.append(self._paint(f"{edge} |", _BLUE))
        for word, message in notes:
            sign = self._paint("=", _BLUE)
            colour = _GREEN if word == "help" else _BLUE
            rows.append(f"{edge} {sign} {self._paint(word, _BOLD, colour)}: {message}")
        return "\n".join(rows) + "\n"

    def _of(self, path: str) -> Lines | None:
        if path not in self._texts:
            return None
        found = self._lines.get(path)
        if found is None:
            found = self._lines[path] = Lines(self._texts[path])
        return found

    def _by_file(self, item: Diagnostic) -> list[tuple[str, dict[int, list[_Mark]]]]:
        """The marks of each file by line; the file of the finding itself first."""
        groups: dict[str, dict[int, list[_Mark]]] = {}
        places = [(Label(item.location, item.label), True), *((label, False) for label in item.labels)]
        for label, primary in places:
            lines = self._of(label.location.path)
            if lines is None:
                continue
            start, end = label.location.start, label.location.end
            line, _ = lines.place(start)
            first, last = lines.bounds(line)
            start = min(start, last)
            text = lines.text[first:last]
            left = _columns(text[: start - first])
            right = max(
                left + 1, left + _columns(text[start - first : max(min(end, last), start) - first], left)
            )
            mark = _Mark(left, right, primary, label.message)
            groups.setdefault(label.location.path, {}).setdefault(line, []).append(mark)
        return list(groups.items())

    def _file(
        self, item: Diagnostic, path: str, lines: dict[int, list[_Mark]], width: int, *, first: bool
    ) -> list[str]:
        source = self._of(path)
        assert source is not None
        if first:
            line, column = source.place(item.location.start)
        else:
            line = min(lines)
            column = next(
                source.place(label.location.start)[1]
                for label in item.labels
                if label.location.path == path and source.place(label.location.start)[0] == line
            )
        edge = " " * width
        bar = self._paint("|", _BLUE)
        arrow = self._paint("-->" if first else ":::", _BLUE)
        rows = [f"{edge}{arrow} {shown_path(path)}:{line}:{column}", f"{edge} {bar}"]
        before: int | None = None
        for number in sorted(lines):
            if before is not None and number == before + 2:
                rows.append(self._source(source, before + 1, width, 0))
            elif before is not None and number > before + 2:
                rows.append(self._paint("...", _BLUE))
            offset = _window(source, number, lines[number])
            rows.append(self._source(source, number, width, offset))
            tint = _COLOURS[item.severity]
            rows += [f"{edge} {bar} {row}".rstrip() for row in self._marks(lines[number], tint, offset)]
            before = number
        return rows

    def _source(self, source: Lines, number: int, width: int, offset: int) -> str:
        start, end = source.bounds(number)
        seen = _expanded(source.text[start : min(end, start + offset + _READ)], offset + _WIDEST + 1)
        if offset:
            seen = _cut(seen, offset + 1)
        room = _WIDEST - 1 if offset else _WIDEST
        kept = seen if _columns(seen) <= room else _kept(seen, room - 1) + "…"
        seen = "…" + kept if offset else kept
        head = self._paint(f"{number:>{width}} |", _BLUE)
        return f"{head} {seen}".rstrip()

    def _marks(self, marks: list[_Mark], tint: str, offset: int) -> list[str]:
        """The rows below a source line: the underlines, then the labels that do not fit beside them."""
        moved = [
            _Mark(
                max(mark.start - offset, 0),
                min(max(mark.end - offset, 1), _WIDEST),
                mark.primary,
                mark.message,
            )
            for mark in marks
        ]
        ordered = sorted(moved, key=lambda mark: (mark.start, not mark.primary))
        length = max(mark.end for mark in ordered)
        owners: list[_Mark | None] = [None] * length
        for mark in sorted(ordered, key=lambda mark: mark.primary):
            owners[mark.start : mark.end] = [mark] * (mark.end - mark.start)
        row = "".join(self._underline(mark, len(list(run)), tint) for mark, run in groupby(owners))
        labelled = [mark for mark in ordered if mark.message]
        rows = []
        if labelled and labelled[-1] is ordered[-1] and all(mark.end <= ordered[-1].end for mark in ordered):
            last = labelled.pop()
            row += " " + self._message(last, tint)
        rows.append(row)
        if labelled:
            rows.append(self._hooks(labelled, tint))
        while labelled:
            mark = labelled.pop()
            lead = self._hooks([other for other in labelled if other.start < mark.start], tint)
            used = max((other.start + 1 for other in labelled if other.start < mark.start), default=0)
            rows.append(lead + " " * (mark.start - used) + self._message(mark, tint))
        return rows

    def _underline(self, mark: _Mark | None, length: int, tint: str) -> str:
        if mark is None:
            return " " * length
        return self._paint("^" * length, _BOLD, tint) if mark.primary else self._paint("-" * length, _BLUE)

    def _hooks(self, marks: list[_Mark], tint: str) -> str:
        row, column = "", 0
        for mark in marks:
            if mark.start >= column:
                row += " " * (mark.start - column) + self._paint("|", tint if mark.primary else _BLUE)
                column = mark.start + 1
        return row

    def _message(self, mark: _Mark, tint: str) -> str:
        return self._paint(mark.message, tint if mark.primary else _BLUE)


def _window(source: Lines, number: int, marks: list[_Mark]) -> int:
    """How many columns of a long line are left out at its beginning so that its first mark is seen."""
    start, end = source.bounds(number)
    first = next((mark.start for mark in marks if mark.primary), marks[0].start)
    if end - start <= _WIDEST // 2 or first < _WIDEST - _BEFORE:
        return 0
    return first - _BEFORE


def _width(character: str) -> int:
    if character < "\x7f":
        return 1
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _columns(text: str, start: int = 0) -> int:
    """How many columns a text takes when it begins at column `start`."""
    if text.isascii() and text.isprintable():
        return len(text)
    column = start
    for character in text:
        column += _TAB - column % _TAB if character == "\t" else _width(character)
    return column - start


def _expanded(text: str, limit: int) -> str:
    """The text up to about `limit` columns with tabs as spaces and control characters made visible."""
    if text.isascii() and text.isprintable():
        return text
    parts: list[str] = []
    column = 0
    for character in text:
        if column > limit + 1:
            break
        if character == "\t":
            step = _TAB - column % _TAB
            parts.append(" " * step)
            column += step
        else:
            shown = character if character.isprintable() or _width(character) == 0 else "\ufffd"
            shown = "\ufffd" if unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp", "Cf") else shown
            parts.append(shown)
            column += _width(character)
    return "".join(parts)


def _cut(text: str, columns: int) -> str:
    """The text without its first `columns` columns."""
    if text.isascii():
        return text[columns:]
    column = 0
    for index, character in enumerate(text):
        if column >= columns:
            return text[index:]
        column += _width(character)
    return ""


def _kept(text: str, columns: int) -> str:
    """As much of the text as fits into `columns` columns."""
    if text.isascii():
        return text[:columns]
    column = 0
    for index, character in enumerate(text):
        column += _width(character)
        if column > columns:
            return text[:index]
    return text
