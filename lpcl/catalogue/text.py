"""A contract in the terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from lpcl.catalogue.sheets import Notes, Sheet
from lpcl.catalogue.words import MEANING, multiplies, way

WIDTH = 100


def render(sheet: Sheet, *, colour: bool = False) -> str:
    """The whole contract, section by section."""
    return "\n".join(_lines(sheet, colour)).rstrip()


def _lines(sheet: Sheet, colour: bool) -> Iterator[str]:
    yield _heading(sheet.name + (f"  ({sheet.versions})" if sheet.versions else ""), colour)
    yield f"{sheet.qualified}: line {sheet.line} of {sheet.path}"
    yield from _paragraphs(sheet.doc, "")
    sections = (
        ("Recognised by", _recognised(sheet)),
        ("Set by, the first that is set wins", _controls(sheet)),
        ("Values", (f"{name} = {value}" for name, value, _ in sheet.lets)),
        ("Pools", _pools(sheet)),
        ("Operations", _operations(sheet)),
        ("On import", iter(sheet.on_load)),
        ("Holds", (item.text for item in sheet.demands)),
        ("Beware", _hazards(sheet)),
        ("Signals", (text for _, text, *_ in sheet.signals)),
        ("Evidence", _evidence(sheet)),
        ("Sources", _sources(sheet.notes)),
    )
    for title, lines in sections:
        found = list(lines)
        if found:
            yield ""
            yield _heading(title, colour)
            yield from (f"  {line}" if line else "" for line in found)


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
        yield f"uses {', '.join(sheet.uses)}"


def _controls(sheet: Sheet) -> Iterator[str]:
    for item in sheet.controls:
        yield f"{item.name}: {item.type}"
        for number, one in enumerate(item.ways, 1):
            yield f"  {number}. {way(one)}"
        if item.default is not None:
            counts = f"   ({item.counts})" if item.counts else ""
            yield f"  else {item.default}{counts}"
        facts = [f"read at {item.read}" if item.read else ""]
        if any(one.kind == "env" for one in item.ways):
            facts.append(f"invalid values: {MEANING['invalid'][item.invalid or 'ignored']}")
        if item.scope != "process":
            facts.append(f"holds for the {item.scope}")
        stated = "; ".join(fact for fact in facts if fact)
        if stated:
            yield f"  {stated}"
        yield from _paragraphs(item.doc, "    ")


def _pools(sheet: Sheet) -> Iterator[str]:
    for item in sheet.pools:
        yield f"{item.name}: {item.size or 'as its operations say'} at work, {MEANING['caller'][item.caller]}"
        yield from _wrapped(multiplies(item), "  ")
        yield (
            f"  made at {item.created}; idle: {item.idle}; {item.threads}; "
            f"after a fork: {MEANING['fork'][item.fork]}"
        )
        yield from _paragraphs(item.doc, "    ")


def _operations(sheet: Sheet) -> Iterator[str]:
    for item in sheet.operations:
        parameters = f"({', '.join(item.parameters)})" if item.parameters else ""
        yield from _wrapped(f"{item.name}{parameters}", "")
        for effect in item.does:
            yield from _wrapped(effect.text, "  ")
            for line in effect.inner:
                yield from _wrapped(line, "    ")


def _hazards(sheet: Sheet) -> Iterator[str]:
    for item in sheet.hazards:
        how = f" ({item.effect.replace('_', ' ')})" if item.effect else ""
        yield from _wrapped(f"{item.message}{how}, when {item.condition}", "")
    for message, condition in sheet.assumes:
        yield from _wrapped(f"assumed: {condition}, else {message}", "")


def _evidence(sheet: Sheet) -> Iterator[str]:
    covered = sheet.coverage
    if covered.clauses:
        yield f"{covered.covered} of {covered.clauses} clauses are covered"
    for item in sheet.evidence:
        record = item.record
        tried = (
            f"  [{record.outcome} {record.date}: {', '.join(record.versions)}]" if record is not None else ""
        )
        yield from _wrapped(f"- {item.title}{tried}", "")


def _sources(notes: Notes) -> Sequence[str]:
    found = [f"{item.title}: {item.address}" for item in notes.sources]
    return [*found, f"measured with {', '.join(notes.measured)}"] if notes.measured else found
