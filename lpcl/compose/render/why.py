"""The explanation of one value, as text and as an object for other programs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from lpcl.compose.changes import Change
from lpcl.compose.composition import Composition
from lpcl.compose.figures import FigureKind
from lpcl.compose.render.encode import entry_of, origin_of, plain, resolution_of
from lpcl.compose.render.json import VERSION
from lpcl.compose.render.text import (
    chain,
    describe_reason,
    describe_setting,
    show_fact,
    show_value,
    table,
    with_grounds,
)
from lpcl.compose.structure import Resolution
from lpcl.compose.terms import Term, Value
from lpcl.compose.why import Explained, Reading


def render_text(composition: Composition, explained: Explained, changes: Sequence[Change]) -> str:
    """The explanation as a person reads it, ending in a newline."""
    return "\n".join(_lines(composition, explained, changes)) + "\n"


def _lines(composition: Composition, explained: Explained, changes: Sequence[Change]) -> Iterator[str]:
    yield f"{explained.name} in {composition.title} on {composition.machine.title}: {explained.what}"
    for reading in explained.readings:
        yield ""
        yield from _reading(reading)
    if explained.ways:
        yield ""
        yield "The first of these that is there gives it its value:"
        for number, way in enumerate(explained.ways, 1):
            yield f"  {number}. {way}"
    if not changes:
        if not explained.ways:
            yield ""
            if any(knob.name == explained.name for knob in composition.knobs):
                yield f"It is a setting itself: `--set {explained.name}=...` tries another."
            yield "No other setting from outside, and no figure of the machine, was found to change it."
        return
    yield ""
    yield "What would change it, one at a time:"
    rows = [(_change(one), _outcome(one, explained)) for one in changes]
    yield from ("  " + line for line in table((), rows, right=set()))


def _reading(reading: Reading) -> Iterator[str]:
    where = f"  ({reading.origin})" if reading.origin is not None else ""
    own = next((one for one in reading.because if one.how == reading.how), None)
    how = reading.how if own is None else describe_reason(own)
    place = f" in {reading.where}" if reading.where else ""
    yield f"  {_value(reading.value, reading.kind)}{place}: {how}{where}"
    for reason in dict.fromkeys(chain(one) for one in _grounds(reading, own)):
        yield f"    {reason}"
    rows = [
        (entry.process, entry.who, entry.text, reading.kind.show(entry.total), str(entry.origin or ""))
        for entry in reading.ledger
    ]
    yield from ("    " + line for line in table((), rows, right={3}))


def _grounds(reading: Reading, own: Resolution | None) -> Iterator[Resolution]:
    yield from with_grounds(own.because if own is not None else reading.because)


def _value(value: Value, kind: FigureKind) -> str:
    return show_value(value) if isinstance(value, bool | str | Term) else kind.show(value)


def _change(change: Change) -> str:
    if change.knob is not None:
        return describe_setting(change.knob, change.setting)
    return f"a machine with {change.fact} = {show_fact(change.fact, change.figure)}"


def _outcome(change: Change, explained: Explained) -> str:
    if len(explained.readings) == 1 and len(change.readings) == 1:
        (one,) = change.readings
        return _value(one.value, one.kind)
    return ", ".join(_placed(one) for one in change.readings)


def _placed(reading: Reading) -> str:
    value = _value(reading.value, reading.kind)
    return f"{value} in {reading.where}" if reading.where else value


def render_json(composition: Composition, explained: Explained, changes: Sequence[Change]) -> str:
    """The explanation as one object, ending in a newline; ``docs/reference/compose-json.md`` describes it."""
    document = {
        "version": VERSION,
        "applications": [part.declared.qualified for part in composition.parts],
        "machine": composition.machine.name,
        "name": explained.name,
        "what": explained.what,
        "readings": [_document(one) for one in explained.readings],
        "ways": list(explained.ways),
        "changes": [
            {
                "change": _change(one),
                "readings": [{"where": r.where, "value": plain(r.value)} for r in one.readings],
            }
            for one in changes
        ],
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _document(reading: Reading) -> dict[str, Any]:
    return {
        "where": reading.where,
        "value": plain(reading.value),
        "how": reading.how,
        "clause": origin_of(reading.origin),
        "because": [resolution_of(one) for one in reading.because],
        "ledger": [entry_of(one) for one in reading.ledger],
    }
