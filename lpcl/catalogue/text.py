"""A contract in the terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence

from lpcl.catalogue.minute import answers
from lpcl.catalogue.sheets import Notes, Sheet
from lpcl.catalogue.terms import terms
from lpcl.catalogue.words import MEANING, exists, multiplies, way

WIDTH = 100


def render(sheet: Sheet, *, colour: bool = False) -> str:
    """The whole contract, section by section."""
    return "\n".join(_lines(sheet, colour)).rstrip()


def _lines(sheet: Sheet, colour: bool) -> Iterator[str]:
    yield _heading(sheet.name + (f"  ({sheet.versions})" if sheet.versions else ""), colour)
    yield f"{sheet.qualified}: line {sheet.line} of {sheet.path}"
    yield from _paragraphs(sheet.doc, "")
    sections = (
        ("In a minute", _answers(sheet)),
        ("Set by, the first that is set wins", _controls(sheet)),
        ("Pools", _pools(sheet)),
        ("Values", _lets(sheet)),
        ("Operations", _operations(sheet)),
        ("On loading", _sentences(sheet.on_load_words)),
        ("Holds", _sentences(item.words for item in sheet.demands)),
        ("Beware", _hazards(sheet)),
        ("Measurements", _sentences(f"{item.name}: {item.words}" for item in sheet.signals)),
        ("Recognised by", _recognised(sheet)),
        ("Evidence", _evidence(sheet)),
        ("Sources", _sources(sheet.notes)),
        ("Words", _words(sheet)),
    )
    for title, lines in sections:
        found = list(lines)
        if found:
            yield ""
            yield _heading(title, colour)
            yield from (f"  {line}" if line else "" for line in found)


def _answers(sheet: Sheet) -> Iterator[str]:
    for answer in answers(sheet):
        for number, line in enumerate((*answer.lines, *answer.added)):
            yield from textwrap.wrap(
                line,
                WIDTH - 2,
                initial_indent=(answer.question if not number else "").ljust(_QUESTION),
                subsequent_indent=" " * (_QUESTION + 2),
                break_on_hyphens=False,
            )


_QUESTION = 20
"""Columns for a question."""


def _sentences(lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        yield from _wrapped(line, "")


def _lets(sheet: Sheet) -> Iterator[str]:
    for item in sheet.lets:
        counts = f" ({item.counts})" if item.counts else ""
        yield from _wrapped(f"{item.name} = {item.words}{counts}", "")
        yield from _paragraphs(item.doc, "    ")


def _words(sheet: Sheet) -> Iterator[str]:
    for item in terms([sheet]):
        about = f" ({item.address})" if item.address else ""
        yield from textwrap.wrap(
            f"{item.word}: {item.meaning}{about}",
            WIDTH - 2,
            subsequent_indent="  ",
            break_on_hyphens=False,
            break_long_words=False,
        )


def _heading(text: str, colour: bool) -> str:
    return f"\x1b[1m{text}\x1b[0m" if colour else text


def _wrapped(text: str, indent: str) -> Iterator[str]:
    yield from textwrap.wrap(
        text, WIDTH - 2, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False
    ) or [""]


def _paragraphs(doc: str | None, indent: str) -> Iterator[str]:
    for paragraph in (doc or "").split("\n\n"):
        if paragraph.strip():
            if not indent:
                yield ""
            yield from _wrapped(" ".join(paragraph.split()), indent)


def _recognised(sheet: Sheet) -> Iterator[str]:
    words = {"pypi": "distribution", "file": "shared object", "command": "program"}
    for kind, names, versions in sheet.recognised:
        yield f"{words[kind]} {', '.join(names)} {versions}".rstrip()
    if sheet.uses:
        yield f"uses {', '.join(one.text for one in sheet.uses)}"


def _controls(sheet: Sheet) -> Iterator[str]:
    for item in sheet.controls:
        yield f"{item.name}: {item.values}"
        for number, one in enumerate(item.ways, 1):
            yield f"  {number}. {way(one)}"
        counts = f"   ({item.counts})" if item.counts else ""
        yield from _wrapped(f"else {item.default_words}{counts}", "  ")
        by_variable = any(one.kind == "env" for one in item.ways)
        facts = [f"read {MEANING['read'][item.read or 'first use']}" if by_variable or item.read else ""]
        if by_variable:
            facts.append(f"invalid values: {MEANING['invalid'][item.invalid or 'ignored']}")
        if item.scope != "process":
            facts.append(f"holds for the {item.scope}")
        stated = "; ".join(fact for fact in facts if fact)
        if stated:
            yield from _wrapped(stated, "  ")
        yield from _paragraphs(item.doc, "    ")


def _pools(sheet: Sheet) -> Iterator[str]:
    for item in sheet.pools:
        size = item.size_words or "as many as its operations say"
        yield from _wrapped(f"{item.name}: {size} at work, {MEANING['caller'][item.caller]}", "")
        yield from _wrapped(f"threads that exist: {exists(item)}", "  ")
        yield from _wrapped(multiplies(item), "  ")
        yield from _wrapped(MEANING["threads"][item.threads], "  ")
        yield from _wrapped(f"made {MEANING['created'][item.created]}; idle: {item.idle_words}", "  ")
        yield from _wrapped(f"after a fork: {MEANING['fork'][item.fork]}", "  ")
        yield from _paragraphs(item.doc, "    ")


def _operations(sheet: Sheet) -> Iterator[str]:
    for item in sheet.operations:
        parameters = f"({', '.join(item.parameters)})" if item.parameters else ""
        yield from _wrapped(f"{item.name}{parameters}", "")
        for effect in item.does:
            yield from _wrapped(effect.words + (", each with:" if effect.inner else ""), "  ")
            for line in effect.inner_words:
                yield from _wrapped(line, "    ")
        yield from _paragraphs(item.doc, "    ")


def _hazards(sheet: Sheet) -> Iterator[str]:
    for item in sheet.hazards:
        how = f" ({item.effect.replace('_', ' ')})" if item.effect else ""
        yield from _wrapped(f"{item.message}{how}, when {item.condition}", "")
    for one in sheet.assumes:
        yield from _wrapped(f"counted on is {one.condition}, else: {one.message}", "")


def _evidence(sheet: Sheet) -> Iterator[str]:
    covered = sheet.coverage
    if covered.clauses:
        yield f"{covered.covered} of {covered.clauses} facts are held to an experiment"
    for item in sheet.evidence:
        record = item.record
        tried = (
            f"  [{record.outcome} {record.date}: {', '.join(record.versions)}]" if record is not None else ""
        )
        yield from _wrapped(f"- {item.title}{tried}", "")


def _sources(notes: Notes) -> Sequence[str]:
    found = [f"{item.title}: {item.address}" for item in notes.sources]
    return [*found, f"measured with {', '.join(notes.measured)}"] if notes.measured else found
