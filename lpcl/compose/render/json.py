"""A composition as other programs read it: one documented object, the same byte for byte for the same input.

Numbers are JSON integers where they are whole and text such as ``"3/2"`` where they are not; amounts are in
the resource's base unit. ``docs/reference/compose-json.md`` describes each member.
"""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

from lpcl.compose.alternatives import Alternative
from lpcl.compose.answers import Answers
from lpcl.compose.findings import Entry, Finding
from lpcl.compose.render.text import describe_changes
from lpcl.compose.structure import Place, Resolution
from lpcl.compose.terms import Term, Value
from lpcl.compose.witness import Answer
from lpcl.model.program import Origin

VERSION = 1


def render(told: Answers) -> str:
    """The object as text, ending in a newline."""
    return json.dumps(document(told), indent=2, ensure_ascii=False) + "\n"


def document(told: Answers) -> dict[str, Any]:
    """The object itself."""
    composition = told.composition
    return {
        "version": VERSION,
        "applications": [part.declared.qualified for part in composition.parts],
        "machine": {
            "name": composition.machine.name,
            "facts": {name: plain(value) for name, value in sorted(composition.machine.facts.items())},
        },
        "findings": [_finding(item) for item in told.findings],
        "demands": [
            {
                "resource": item.sum.resource.qualified,
                "where": item.sum.where,
                "low": plain(item.low),
                "high": plain(item.high),
                "capacity": plain(item.sum.capacity),
            }
            for item in composition.assessment.demands
        ],
        "not_checked": [resource.qualified for resource in composition.assessment.unchecked],
        "knobs": [
            {
                "id": item.id,
                "name": item.name,
                "kind": item.kind,
                "application": item.application or None,
                "current": plain(item.current),
                "values": [plain(value) for value in item.choices] or [item.low, item.high],
            }
            for item in composition.knobs
        ],
        "avoidable": told.decided.value,
        "alternatives": [_alternative(item) for item in told.alternatives],
        "can_happen": [
            {"resource": resource, "answer": answer.verdict.value, "witness": _witness(answer)}
            for resource, answer in told.can_happen
        ],
    }


def plain(value: Value | None) -> Any:
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, Term):
        return None
    return value


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "kind": finding.kind.value,
        "severity": finding.severity.value,
        "certain": finding.certain,
        "grade": None if finding.grade is None else finding.grade.value,
        "effect": finding.effect,
        "headline": finding.headline,
        "where": finding.where,
        "resource": finding.resource,
        "demand": plain(finding.demand),
        "background": plain(finding.background),
        "capacity": plain(finding.capacity),
        "capacity_from": finding.capacity_text,
        "clause": origin_of(finding.capacity_origin),
        "participants": [[_place(place) for place in one] for one in finding.participants],
        "all_participants_known": finding.complete,
        "ledger": [entry_of(entry) for entry in finding.ledger],
        "notes": list(finding.notes),
        "help": finding.help,
    }


def entry_of(entry: Entry) -> dict[str, Any]:
    return {
        "process": entry.process,
        "who": entry.who,
        "how": entry.text,
        "each": plain(entry.each),
        "copies": plain(entry.copies),
        "total": plain(entry.total),
        "clause": origin_of(entry.origin),
        "because": [resolution_of(item) for item in entry.reasons],
    }


def resolution_of(item: Resolution) -> dict[str, Any]:
    return {
        "control": item.control,
        "value": plain(item.value),
        "how": item.how,
        "clause": origin_of(item.origin),
        "machine": {name: plain(value) for name, value in item.facts},
        "not_set": list(item.unset),
        "because": [resolution_of(ground) for ground in item.because],
    }


def _place(place: Place) -> dict[str, Any]:
    return {
        "library": place.library,
        "operation": place.operation,
        "place": place.id,
        "clause": origin_of(place.origin),
    }


def origin_of(origin: Origin | None) -> dict[str, Any] | None:
    if origin is None:
        return None
    return {"file": origin.file.path, "line": origin.file.line(origin.span.start)}


def _alternative(item: Alternative) -> dict[str, Any]:
    return {
        "settings": {knob.id: plain(item.configuration[knob.id]) for knob in item.changes},
        "text": describe_changes(item),
        "cpu": plain(item.cpu),
        "shape": [
            {"place": figure.place, "kind": figure.kind, "value": plain(figure.value)}
            for figure in item.shape
        ],
    }


def _witness(answer: Answer) -> dict[str, Any] | None:
    if answer.witness is None:
        return None
    return {name: plain(value) for name, value in answer.witness.items()}
