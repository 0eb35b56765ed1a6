"""A composition as other programs read it: one documented object, the same byte for byte for the same input.

Numbers are JSON integers where they are whole and text such as ``"3/2"`` where they are not; amounts are in
the resource's base unit. ``docs/reference/compose-json.md`` describes each member.
"""

from __future__ import annotations

import json
from typing import Any

from lpcl.compose.alternatives import Alternative
from lpcl.compose.answers import Answers
from lpcl.compose.assess import Demanded, ledger_of
from lpcl.compose.composition import Composition
from lpcl.compose.findings import Finding
from lpcl.compose.joint import Part
from lpcl.compose.knobs import Configuration, Knob
from lpcl.compose.pins import capacity_said
from lpcl.compose.render import words
from lpcl.compose.render.devices import amended_together, demands_together, every_demand, findings_together
from lpcl.compose.render.encode import (
    condition_of,
    entry_of,
    origin_of,
    plain,
    remedy_of,
    resolution_of,
    steps_of,
    unit,
)
from lpcl.compose.render.structure import structure
from lpcl.compose.render.text import (
    describe_changes,
    describe_configuration,
    describe_not_enough,
    describe_setting,
    left_wrong,
)
from lpcl.compose.resources import Resource
from lpcl.compose.structure import Place
from lpcl.compose.witness import Answer
from lpcl.syntax import nodes

VERSION = 1


def render(told: Answers) -> str:
    """The object as text, ending in a newline."""
    return json.dumps(document(told), indent=2, ensure_ascii=False) + "\n"


def document(told: Answers, *, together: bool = False) -> dict[str, Any]:
    """The object itself; `together`, what is the same of several devices is in it once, for a reader."""
    composition = told.composition
    findings = findings_together(told.findings) if together else told.findings
    demands = every_demand(composition.assessment)
    assessment, declared = composition.assessment, composition.context.declared
    return {
        "version": VERSION,
        "title": composition.title,
        "applications": [_application(part) for part in composition.parts],
        "verdict": {
            "alarms": len(told.alarms),
            "severity": told.findings[0].severity.value if told.findings else None,
            "text": words.verdict(told),
            "outlook": list(words.outlook(composition, told.decided, told.alternatives)),
        },
        "machine": {
            "name": composition.machine.name,
            "title": composition.machine.title,
            "cpus": plain(composition.machine.fact("cpus")),
            "facts": {name: plain(value) for name, value in sorted(composition.machine.facts.items())},
        },
        "findings": [finding_of(item) for item in findings],
        "demands": [
            {**demanded_of(item, composition), "taken": plain(taken), "too_little_left": short}
            for item, taken, short in (demands_together(demands) if together else demands)
        ],
        "fullest": _fullest(told),
        "resources": [_resource(declared[name]) for name in _named(told)],
        "structure": structure(composition.elaborated.root, assessment, declared),
        "not_checked": [resource.qualified for resource in assessment.unchecked],
        "knobs": [
            {
                "id": item.id,
                "name": item.name,
                "kind": item.kind,
                "application": item.application or None,
                "current": plain(item.current),
                "apply": item.apply_with,
                "values": [plain(value) for value in item.choices] or [item.low, item.high],
            }
            for item in composition.knobs
        ],
        "avoidable": told.decided.value,
        "more": told.more,
        "alternatives": [alternative_of(item) for item in told.alternatives],
        "not_enough": [
            {
                "knobs": [knob.id for knob in one.knobs],
                "to": plain(one.setting),
                "text": describe_not_enough(one),
                "leaves": None if one.leaves is None else one.leaves.headline,
                "left": left_wrong(one),
            }
            for one in told.not_enough
        ],
        "amended": [
            {
                "resource": one.finding.resource,
                "where": one.finding.where,
                "text": words.amended_finding(one),
                "by": [remedy_of(item) for item in one.remedies],
            }
            for one in (amended_together(told.amended) if together else told.amended)
        ],
        "sufficient": [remedy_of(one) for one in told.sufficient],
        "can_happen": [
            {
                "resource": resource,
                "answer": answer.verdict.value,
                "witness": _witness(answer),
                "text": None
                if answer.witness is None
                else describe_configuration(composition.knobs, answer.witness),
            }
            for resource, answer in told.can_happen
        ],
    }


def _fullest(told: Answers) -> dict[str, Any] | None:
    """Where nothing is wrong, what comes nearest to its capacity, and how that adds up."""
    item = told.composition.assessment.fullest
    if item is None or told.alarms:
        return None
    ledger = ledger_of(told.composition.elaborated.root, item)
    return {
        **demanded_of(item, told.composition),
        "text": words.fullest(told),
        "ledger": [entry_of(entry) for entry in ledger],
    }


def _application(part: Part) -> dict[str, Any]:
    command = next((one.text.value for one in part.node.members if isinstance(one, nodes.Command)), None)
    return {
        "name": part.declared.qualified,
        "label": part.label or part.declared.name,
        "about": part.node.doc,
        "command": command,
    }


def demanded_of(item: Demanded, composition: Composition) -> dict[str, Any]:
    resource, background = item.sum.resource, composition.context.background
    from_words, clause, _ = capacity_said(item.sum, composition.elaborated.root, composition.machine)
    return {
        "resource": resource.qualified,
        "where": item.sum.where,
        "low": plain(item.low),
        "high": plain(item.high),
        "background": plain(background.get(resource.qualified, 0) if item.sum.starter is None else 0),
        "capacity": plain(item.sum.capacity),
        "capacity_from": from_words,
        "clause": origin_of(clause),
        "unit": unit(resource.dimension),
    }


def _resource(item: Resource) -> dict[str, Any]:
    return {
        "id": item.qualified,
        "name": item.name,
        "about": item.node.doc,
        "summary": words.summary(item),
        "unit": unit(item.dimension),
        "per": item.per,
        "exceed": "fails" if item.fails else "degrades",
    }


def _named(told: Answers) -> list[str]:
    """The resources that the document speaks of, in the order in which they come up."""
    assessment = told.composition.assessment
    demanded = (item.sum.resource.qualified for item in assessment.demands)
    return list(dict.fromkeys((*demanded, *(resource.qualified for resource in assessment.unchecked))))


def finding_of(finding: Finding) -> dict[str, Any]:
    """A finding with all that shows it."""
    return {
        "kind": finding.kind.value,
        "severity": finding.severity.value,
        "certain": finding.certain,
        "grade": None if finding.grade is None else finding.grade.value,
        "effect": finding.effect,
        "headline": finding.headline,
        "meaning": words.meaning(finding),
        "where": finding.where,
        "resource": finding.resource,
        "demand": plain(finding.demand),
        "background": plain(finding.background),
        "capacity": plain(finding.capacity),
        "unit": unit(finding.dimension),
        "capacity_from": finding.capacity_text,
        "clause": origin_of(finding.capacity_origin),
        "capacity_because": [resolution_of(item) for item in finding.capacity_because],
        "participants": [[_place(place) for place in one] for one in finding.participants],
        "all_participants_known": finding.complete,
        "ledger": [entry_of(entry) for entry in finding.ledger],
        "condition": condition_of(finding.checked),
        "steps": steps_of(finding),
        "notes": list(finding.notes),
        "help": finding.help,
        "remedies": [remedy_of(item) for item in finding.remedies],
    }


def _place(place: Place) -> dict[str, Any]:
    return {
        "library": place.library,
        "operation": place.operation,
        "place": place.id,
        "clause": origin_of(place.origin),
    }


def alternative_of(item: Alternative) -> dict[str, Any]:
    """A configuration that would be right."""
    return {
        "instead": {
            knob: [describe_setting(other, item.configuration[knob]) for other in others]
            for knob, others in sorted(item.instead.items())
        },
        "settings": {knob.id: plain(item.configuration[knob.id]) for knob in item.changes},
        "changes": [_change(knob, item.configuration) for knob in item.changes],
        "text": describe_changes(item),
        "cpu": plain(item.cpu),
        "shape": [
            {
                "place": figure.place,
                "kind": figure.kind,
                "value": plain(figure.value),
                "each": item.is_each(figure),
            }
            for figure in item.shape
        ],
    }


def _change(knob: Knob, configuration: Configuration) -> dict[str, Any]:
    return {
        "knob": knob.id,
        "kind": knob.kind,
        "application": knob.application or None,
        "name": knob.name,
        "apply": knob.apply_with,
        "from": plain(knob.current),
        "to": plain(configuration[knob.id]),
        "text": describe_setting(knob, configuration[knob.id]),
    }


def _witness(answer: Answer) -> dict[str, Any] | None:
    if answer.witness is None:
        return None
    return {name: plain(value) for name, value in answer.witness.items()}
