"""What is told of an application, held against it: its ledgers, its plan, and every form of output."""

from __future__ import annotations

import html
import json
import os
import re
from fractions import Fraction
from itertools import combinations

import jsonschema
from hypothesis import HealthCheck, given, note, settings

from lpcl.compose.answers import Answers, answers
from lpcl.compose.choices import settings_of
from lpcl.compose.composition import Composition, compose
from lpcl.compose.findings import Finding, Kind
from lpcl.compose.knobs import Knob, Setting, assignment
from lpcl.compose.meaning import peak
from lpcl.compose.measures import CpuMeasure, HeldMeasure, ProcessMeasure, ThreadMeasure
from lpcl.compose.planning import plan_of
from lpcl.compose.render.forms import FORMS, render
from lpcl.compose.render.json import document
from lpcl.compose.render.text import describe_setting, show_value
from lpcl.compose.structure import process_of
from lpcl.compose.terms import knobs_of, settle
from lpcl.plan import plan_from_text, plan_schema, plan_to_json, plan_to_text
from lpcl.plan.expressions import EvaluationError, holds
from lpcl.plan.integrity import problems
from lpcl.plan.model import Plan
from tests.property.applications import applications, composed, configurations, program_of
from tests.property.enumeration import TooManySnapshots
from tests.property.test_participants import asked
from tests.property.test_told_values import check_reason

EXAMPLES = int(os.environ.get("LPCL_EXAMPLES", "6"))
SCHEMA = jsonschema.Draft202012Validator(plan_schema())


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(applications())
def test_what_is_told_of_an_application_is_so(text: str) -> None:
    """Who is in it, what its plan says, and what each form of output says."""
    note(text)
    composition = composed(text)
    if composition is None:
        return
    told = answers(composition)
    for finding in told.findings:
        check_ledger(finding)
        check_participants(composition, finding)
    check_plan(text, told, plan_of(told))
    check_forms(told)


def check_ledger(finding: Finding) -> None:
    """That a ledger adds up to what is asked for, and that its clauses are where it says."""
    if finding.ledger:
        assert sum(entry.total for entry in finding.ledger) == finding.demand
    for entry in finding.ledger:
        assert entry.each * entry.copies == entry.total
        if entry.origin is None:
            assert entry.who in ("main thread", "the process itself"), entry
            continue
        clause = entry.origin.file.text[entry.origin.span.start : entry.origin.span.end]
        saying = re.match(r"(demand|pool|runs|size|workers|calls|\w+\.\w+)\b", clause)
        assert saying or clause == entry.who.rpartition(".")[2], (entry, clause)
        for reason in entry.reasons:
            check_reason(reason, "")


def check_participants(composition: Composition, finding: Finding) -> None:
    """That each set of participants asks for too much, and no longer does with any one of them out of it."""
    if finding.kind is not Kind.OVERCOMMIT or finding.capacity is None:
        return
    (item,) = (
        one.sum
        for one in composition.assessment.demands
        if (one.sum.resource.qualified, one.sum.starter, one.sum.device)
        == (finding.resource, finding.starter, finding.device)
    )
    measure = item.measure("low" if finding.certain else "high")
    if isinstance(measure, ProcessMeasure) or not isinstance(
        measure, CpuMeasure | HeldMeasure | ThreadMeasure
    ):
        return
    process = process_of(composition.elaborated.root, item.starter)
    room = finding.capacity - finding.background
    for one in finding.participants:
        who = frozenset(place.id for place in one)
        assert len(who) == len(one)
        try:
            assert asked(process, measure, who) > room
            assert all(asked(process, measure, who - {each}) <= room for each in who)
        except TooManySnapshots:
            continue
    for one, other in combinations(finding.participants, 2):
        assert not set(one) <= set(other)
        assert not set(other) <= set(one)


def check_plan(text: str, told: Answers, plan: Plan) -> None:
    """That a plan reads back, says what the composition says, and its candidates do what it promises."""
    composition = told.composition
    assert not list(SCHEMA.iter_errors(plan_to_json(plan)))
    assert not problems(plan)
    assert plan_from_text(plan_to_text(plan)) == plan
    assert [one.text for one in plan.hypotheses] == [one.headline for one in told.alarms]
    for hypothesis, finding in zip(plan.hypotheses, told.alarms, strict=True):
        if finding.demand is not None:
            assert hypothesis.demand == finding.demand + finding.background
            assert hypothesis.capacity == finding.capacity
            if finding.capacity:
                assert hypothesis.ratio == Fraction(hypothesis.demand) / Fraction(finding.capacity)
        ids = [one.place for one in hypothesis.participants]
        assert ids == [place.id for place in (finding.participants or ((),))[0]]
    _check_candidates(text, told, plan)
    foreign = {knob.id for knob in composition.knobs if knob.foreign}
    learnt = [
        one.condition
        for one in composition.questions.constraints()[0]
        if not isinstance(one.condition, bool) and not knobs_of(one.condition) & foreign
    ]
    for configuration in configurations(composition):
        values = assignment(composition.knobs, configuration)
        try:
            met = all(holds(one.expression, dict(configuration)) for one in plan.constraints)
        except EvaluationError:
            assert composition.questions.assessed(configuration) is None, configuration
            continue
        assert met is all(settle(one, values) is True for one in learnt), configuration


def _setting(knob: Knob, value: Setting) -> Setting:
    """A setting as a plan has it: a text, where today's is none of the knob's values."""
    return show_value(value) if knob.foreign and value is not None else value


def _written(knob: Knob, value: Setting) -> str:
    return f"{knob.name}={value}" if knob.foreign and value is not None else describe_setting(knob, value)


def _check_candidates(text: str, told: Answers, plan: Plan) -> None:
    program = program_of(text)
    declared = program.declarations["random.app"][0]
    settings_told = [one.settings for one in plan.candidates]
    assert all(one != other for one, other in combinations(settings_told, 2))
    expected = [
        {knob.id: _setting(knob, item.configuration[knob.id]) for knob in item.changes}
        for item in told.alternatives
        if item.changes
    ]
    assert settings_told == expected
    knobs = {knob.id: knob for knob in told.composition.knobs}
    for candidate in plan.candidates:
        pairs = [_written(knobs[name], value) for name, value in candidate.settings.items()]
        after = compose(program, declared, settings=settings_of(program, declared, pairs)).composition
        assert after is not None
        kept = {(one.kind, one.headline) for one in after.assessment.findings if one.severity.name != "INFO"}
        assert not kept, (pairs, kept)
        assert candidate.changes == len(candidate.settings)
        use = peak(after.elaborated.root, CpuMeasure("low", spinning=False)).amount
        assert candidate.predicted_cpu == use
        assert set(candidate.removes) == {one.id for one in plan.hypotheses}


def _plainly(text: str) -> str:
    return " ".join(re.sub(r"[`​]", "", text).split())


def check_forms(told: Answers) -> None:
    """That every form of output can be made, and tells the findings, the figures and the alternatives."""
    made = {form: render(told, form) for form in FORMS}
    whole = json.loads(made["json"])
    assert whole == json.loads(json.dumps(document(told)))
    assert [one["headline"] for one in whole["findings"]] == [one.headline for one in told.findings]
    assert whole["verdict"]["alarms"] == len(told.alarms)
    together = document(told, together=True)
    text = _plainly(made["text"])
    page = _plainly(html.unescape(re.sub(r"<[^>]*>", " ", made["html"])))
    flat = page.replace(" ", "")
    for finding in together["findings"]:
        assert _plainly(finding["headline"]) in text
        assert _plainly(finding["headline"]).replace(" ", "") in flat
    for one in whole["alternatives"]:
        for change in one["changes"]:
            assert _plainly(change["text"]) in text, change
            assert _plainly(change["text"]).replace(" ", "") in flat, change
    for demand in together["demands"]:
        if demand["high"] == 0:
            continue
        name = demand["resource"].rpartition(".")[2]
        assert name in text
        assert name in page
    for one in together["amended"]:
        assert _plainly(one["text"]) in text
        assert _plainly(one["text"]).replace(" ", "") in flat
    for one in together["not_enough"]:
        assert _plainly(one["text"]) in text
        assert _plainly(one["text"]).replace(" ", "") in flat
    for item in whole["can_happen"]:
        if item["text"] is not None:
            assert _plainly(item["text"]) in text
            assert _plainly(item["text"]).replace(" ", "") in flat
