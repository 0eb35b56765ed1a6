"""A composition as a person reads it in a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap

from lpcl.compose.advice import NotEnough
from lpcl.compose.alternatives import Alternative, Figure
from lpcl.compose.answers import Answers
from lpcl.compose.assess import ledger_of
from lpcl.compose.composition import Composition
from lpcl.compose.figures import no_limit
from lpcl.compose.findings import Entry, Finding, Kind
from lpcl.compose.knobs import Configuration, Knob, Setting
from lpcl.compose.reckoning import in_figures
from lpcl.compose.render.checks import condition_lines, step_lines
from lpcl.compose.render.devices import amended_together, demands_together, every_demand, findings_together
from lpcl.compose.render.words import (
    NOT_JUST_SET,
    THERE_ARE_MORE,
    amended_finding,
    fullest,
    meaning,
    outlook,
    participants,
    summary,
)
from lpcl.compose.resources import CPU
from lpcl.compose.solver import Verdict
from lpcl.compose.structure import Resolution
from lpcl.compose.sums import placed
from lpcl.compose.terms import Number, Term, Value
from lpcl.diagnostics.diagnostic import Severity
from lpcl.model.machine import FACTS
from lpcl.model.quantities import PLAIN, Dimension, show, span
from lpcl.syntax import nodes

WIDTH = 110
MOST_INSTEAD = 3
"""Variables that are named in place of another one."""
_COLOURS = {Severity.ERROR: "31;1", Severity.WARNING: "33;1", Severity.INFO: "36;1"}


def render(told: Answers, *, colour: bool = False) -> str:
    """The whole report, ending in a newline."""
    return "\n".join(_report(told, Paint(colour))) + "\n"


class Paint:
    """Texts in colours of the terminal, or as they are."""

    def __init__(self, colour: bool) -> None:
        self._colour = colour

    def __call__(self, text: str, code: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self._colour else text


def _report(told: Answers, paint: Paint) -> Iterator[str]:
    yield header(told.composition, paint)
    yield from about(told.composition)
    for finding in findings_together(told.findings):
        yield ""
        yield from finding_lines(finding, paint)
    yield ""
    yield from demands(told.composition)
    yield from _right(told, paint)
    yield from _not_enough(told)
    yield from _could(told)


def header(composition: Composition, paint: Paint) -> str:
    """What is composed, and on which machine."""
    cpus = composition.machine.fact("cpus")
    count = "" if cpus is None or isinstance(cpus, Term | str) else f", {_count(cpus, 'CPU')}"
    stated = next(iter(composition.machine.origins.values()), None)
    where = "" if stated is None else f" ({stated})"
    return paint(composition.title, "1") + f" on {composition.machine.title}{where}{count}"


def about(composition: Composition) -> Iterator[str]:
    """What the file says about an application, where there is one."""
    if len(composition.parts) == 1 and composition.node.doc:
        yield from _wrapped(" ".join(composition.node.doc.split()), 0, 0)


def _count(number: Value, what: str) -> str:
    return f"1 {what}" if number == 1 else f"{show_value(number)} {what}s"


def show_value(value: Value | None) -> str:
    """A setting's value as one writes it."""
    if value is None:
        return "not set"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Term):
        return "open"
    return value or '""' if isinstance(value, str) else show(value)


def title_of(finding: Finding, paint: Paint) -> str:
    """How grave a finding is, and of which kind."""
    grade = f", {finding.grade.value}" if finding.grade is not None else ""
    kind = finding.kind.value
    effect = f", {finding.effect.replace('_', ' ')}" if finding.effect is not None else ""
    certain = "" if finding.certain else ", possible"
    return paint(f"{finding.severity.value}[{kind}{certain}{grade}{effect}]", _COLOURS[finding.severity])


def finding_lines(finding: Finding, paint: Paint) -> Iterator[str]:
    """A finding with all that shows it."""
    yield f"{title_of(finding, paint)} {paint(finding.headline, '1')}"
    yield from detail(finding)


def detail(finding: Finding) -> Iterator[str]:
    """What stands under a finding's headline: what it means, its ledger, and who is in it."""
    yield from _wrapped(meaning(finding))
    if finding.ledger:
        yield from _ledger(finding.ledger, finding.dimension)
        yield from _limit(finding)
    else:
        yield from explanation(finding)
    yield from _participants(finding)
    for note in finding.notes:
        yield from _wrapped(f"note: {note}")
    if finding.help:
        yield from _wrapped(f"help: {finding.help}")


def explanation(finding: Finding) -> Iterator[str]:
    """What shows a finding that has no ledger: its condition in figures, the statements that lead to it."""
    yield from condition_lines(finding, WIDTH)
    if finding.checked is not None and finding.checked.because:
        yield "  where the figures come from"
        yield from grounds(finding.checked.because, 4, set())
    yield from step_lines(finding, WIDTH)
    if finding.capacity_origin is not None:
        yield f"  said by {finding.capacity_origin}"


def _wrapped(text: str, indent: int = 2, further: int = 0) -> Iterator[str]:
    """A text in lines that fit, those after the first one further in."""
    yield from wrap(
        text,
        WIDTH,
        initial_indent=" " * indent,
        subsequent_indent=" " * (indent + further),
        break_long_words=False,
        break_on_hyphens=False,
    )


def _ledger(ledger: Sequence[Entry], dimension: Dimension) -> Iterator[str]:
    """Who asks for how much, and where each figure comes from."""
    several = any(entry.copies != 1 for entry in ledger)
    rows = [
        (entry.process, entry.who, entry.text, *_multiplied(entry, dimension, several), _where(entry.origin))
        for entry in ledger
    ]
    how = "how" if any(entry.text for entry in ledger) else ""
    each = ("in each", "", "processes", "") if several else ("", "", "", "")
    for line in table(("in", "who", how, *each, "total", "said by"), rows, right={3, 5, 7}):
        yield "  " + line
    reasons = [reason for entry in ledger for reason in entry.reasons]
    if reasons:
        yield "  where the figures come from"
        yield from grounds(reasons, 4, set())


def _limit(finding: Finding) -> Iterator[str]:
    """What others use, and what there is."""
    if finding.background:
        yield f"  and {show(finding.background, finding.dimension)} in use by others"
    if finding.capacity is not None:
        there = show(finding.capacity, finding.dimension)
        because = f": {finding.capacity_text}" if finding.capacity_text not in (None, "", there) else ""
        where = f"  ({_where(finding.capacity_origin)})" if finding.capacity_origin is not None else ""
        yield f"  capacity {there}{because}{where}"
        yield from grounds(finding.capacity_because, 4, set())


def grounds(reasons: Sequence[Resolution], indent: int, told: set[str]) -> Iterator[str]:
    """Each reason with what it rests on below it, none told twice, in lines that fit."""
    for reason in reasons:
        text = chain(reason)
        if text in told:
            continue
        told.add(text)
        yield from _wrapped(text, indent, 4)
        yield from grounds(reason.because, indent + 2, told)


def with_grounds(reasons: Sequence[Resolution]) -> Iterator[Resolution]:
    for reason in reasons:
        yield reason
        yield from with_grounds(reason.because)


def chain(reason: Resolution) -> str:
    where = f"  ({_where(reason.origin)})" if reason.origin is not None else ""
    return f"{reason.control} = {_reasoned(reason)}: {describe_reason(reason)}{where}"


def describe_reason(reason: Resolution) -> str:
    """How a control got its value, with the figures of the machine that were read and what is not set."""
    how, figures = _said(reason)
    text, where, named = how.partition(", where ")
    if no_limit(reason.value) and text == f"default {reason.value}":
        text = "by default"
    if figures:
        text += f" = {figures}"
    text += where + named
    shown = () if figures and not named else reason.facts
    facts = [
        f"machine.{name} = {show_fact(name, value)}"
        for name, value in shown
        if reason.how != f"default machine.{name}"
    ]
    if facts:
        text += f"{' and' if ', where ' in text else ', where'} {_and(facts)}"
    if reason.set_with:
        text += f"; set with {_and(reason.set_with)}"
    if reason.unset:
        text += f"; {_and(reason.unset)} {'is' if len(reason.unset) == 1 else 'are'} not set"
    return text


def _said(reason: Resolution) -> tuple[str, str]:
    """How a value comes about and, where a default builds on what its contract names, what these stand for;
    and the same with their values put in.
    """
    said = reason.said
    if said is None:
        return reason.how, reason.figures
    at = said.expression.span
    written = " ".join(said.origin.file.text[at.start : at.end].split())
    text, where, named = said.text.partition(", where ")
    if not named and not isinstance(said.expression, nodes.Reference):
        return reason.how, reason.figures
    beside = reason.how.removeprefix(f"default {written}")
    return f"default {text}{beside}{where}{named}", in_figures(said)


def _and(words: Sequence[str]) -> str:
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last


def show_fact(name: str, value: Value) -> str:
    """A figure of the machine with its unit."""
    if isinstance(value, bool | str | Term):
        return show_value(value)
    return show(value, FACTS[name].dimension if name in FACTS else PLAIN)


def _reasoned(reason: Resolution) -> str:
    value = reason.value
    if isinstance(value, bool | str | Term):
        return show_value(value)
    return reason.kind.show(value)


def _multiplied(entry: Entry, dimension: Dimension, several: bool) -> tuple[str, ...]:
    each, whole = show(entry.each, dimension), show(entry.total, dimension)
    return (each, "x", show(entry.copies), "=", whole) if several else ("", "", "", "", whole)


def _where(origin: object) -> str:
    return "" if origin is None else str(origin)


def _participants(finding: Finding) -> Iterator[str]:
    if not finding.participants:
        return
    sets = dict.fromkeys(
        participants(places, alone=finding.kind is Kind.OVERCOMMIT) for places in finding.participants
    )
    more = "" if finding.complete else "; there may be more"
    yield from _wrapped(f"who is in it: {'; '.join(sets)}{more}", 2, 4)


def demands(composition: Composition) -> Iterator[str]:
    """What is asked for of each resource at the busiest moment, and what there is."""
    rows = []
    every = demands_together(every_demand(composition.assessment))
    over = {
        (finding.resource, finding.where): "too much" if finding.certain else "possibly too much"
        for finding in findings_together(composition.assessment.findings)
        if finding.kind is Kind.OVERCOMMIT
    }
    background = composition.context.background
    for item, taken, short in every:
        if item.high == 0 and item.sum.resource.qualified != CPU and not short:
            continue
        dimension = item.sum.resource.dimension
        capacity = item.sum.capacity
        where = "" if item.sum.where == "machine" else placed(item.sum.where)
        others = background.get(item.sum.resource.qualified, 0) if item.sum.starter is None else 0
        rows.append(
            (
                item.sum.resource.name,
                span(item.low, item.high, dimension),
                _beside(others, taken, dimension),
                "of",
                show_value(capacity) if isinstance(capacity, str | Term) else show(capacity, dimension),
                over.get((item.sum.resource.qualified, item.sum.where), "too little left" if short else ""),
                where,
                summary(item.sum.resource),
            )
        )
    yield "At its busiest moment it asks for"
    for line in table((), rows, right={1, 4}):
        yield "  " + line.rstrip()
    names = [resource.name for resource in composition.assessment.unchecked]
    if names:
        yield f"  not checked, since the machine does not state it: {', '.join(names)}"


def _beside(others: Number, taken: Number | None, dimension: Dimension) -> str:
    """What others have, where anything is known of it."""
    if others:
        return f"and {show(others, dimension)} of others"
    return f"and {show(taken, dimension)} taken by others" if taken else ""


def _right(told: Answers, paint: Paint) -> Iterator[str]:
    yield ""
    first, *others = outlook(told.composition, told.decided, told.alternatives)
    yield paint(first, "1") if told.alternatives and told.alarms else first
    item = told.composition.assessment.fullest
    if item is not None and not told.alarms:
        yield f"  {fullest(told)}"
        ledger = ledger_of(told.composition.elaborated.root, item)
        yield from _ledger(ledger, item.sum.resource.dimension)
    yield from (paint(other, "1") for other in others)
    yield from numbered(told.alternatives)
    if told.more:
        yield f"  {THERE_ARE_MORE}"
    if told.sufficient:
        yield f"{NOT_JUST_SET}{', by one of these' if len(told.sufficient) > 1 else ''}:"
        for remedy in told.sufficient:
            yield from _wrapped(remedy.text, 2, 4)
    for one in amended_together(told.amended):
        yield f"  {amended_finding(one)}{', by one of these' if len(one.remedies) > 1 else ''}:"
        for remedy in one.remedies:
            yield from _wrapped(remedy.text, 4, 4)
    if told.decided is Verdict.NO and not told.amended and any(one.help for one in told.alarms):
        yield "  What could change is said above, in the help of each finding."
    if told.alternatives and told.decided is Verdict.UNDECIDED:
        yield "  (there may be better ones: the allowed work did not suffice to know)"


def _not_enough(told: Answers) -> Iterator[str]:
    if told.not_enough:
        yield "Not enough by itself:"
    for one in told.not_enough:
        yield from _wrapped(f"{describe_not_enough(one)}: {left_wrong(one)}", 2, 4)


def numbered(alternatives: Sequence[Alternative]) -> Iterator[str]:
    """What to set where, for each alternative that changes something."""
    for number, one in enumerate((one for one in alternatives if one.changes), start=1):
        yield f"  {number}. {describe_alternative(one)}"
        if one.shape:
            yield f"     {describe_shape(one)}"


def describe_changes(one: Alternative) -> str:
    """What to set where, in a line."""
    if not one.changes:
        return "as it stands"
    return ", ".join(describe_setting(item, one.configuration[item.id]) for item in one.changes)


def describe_alternative(one: Alternative) -> str:
    """What to set where, in a line, with the variables that could be set instead."""
    return ", ".join(
        describe_setting(item, one.configuration[item.id])
        + _or(one.instead.get(item.id, ()), one.configuration[item.id])
        for item in one.changes
    )


def _or(knobs: Sequence[Knob], value: Setting) -> str:
    return f" (or {' or '.join(_setting(item, value) for item in knobs[:MOST_INSTEAD])})" if knobs else ""


def describe_not_enough(one: NotEnough) -> str:
    """The settings that are not enough, in a line; those of which no value makes a difference by name."""
    first, *others = one.knobs
    if one.leaves is None and first.choices:
        return " and ".join(knob_name(knob) for knob in one.knobs)
    return describe_setting(first, one.setting) + _or(others, one.setting)


def left_wrong(one: NotEnough) -> str:
    """What a setting by itself leaves."""
    if one.leaves is not None:
        return f"still {one.leaves.headline}"
    return "nothing changes, whatever the value" if one.knobs[0].choices else "nothing changes"


def describe_setting(item: Knob, value: Setting) -> str:
    """One setting as one would write it, with the application that it is for where there are several."""
    return f"{item.application}: {_setting(item, value)}" if item.application else _setting(item, value)


def knob_name(item: Knob) -> str:
    """A knob as one knows it: a variable, an option of the command, a control."""
    return (item.apply_with or item.name).partition("{")[0].rstrip(" =")


def _setting(item: Knob, value: Setting) -> str:
    if item.kind == "env":
        return f"unset {item.name}" if value is None else f"{item.name}={show_value(value)}"
    if item.apply_with is not None:
        template = item.apply_with if "{}" in item.apply_with else f"{item.apply_with} {{}}"
        return template.replace("{}", show_value(value))
    return f"{item.name} = {show_value(value)}"


def describe_shape(one: Alternative) -> str:
    """The workers and pools of an alternative, in a line."""
    return ", ".join(f"{item.place}: {counted(item, one)}" for item in one.shape)


def counted(item: Figure, one: Alternative) -> str:
    """A figure of a shape with what it counts, and "each" where there are several such places at once."""
    what = item.kind if item.value != 1 else item.kind[:-1]
    return f"{show_value(item.value)} {what}{' each' if one.is_each(item) else ''}"


def describe_configuration(knobs: Sequence[Knob], configuration: Configuration) -> str:
    """Every knob that is not as it is today, in a line."""
    shown = [
        describe_setting(item, configuration[item.id])
        for item in knobs
        if configuration[item.id] != item.current
    ]
    return ", ".join(shown) or "as it stands"


def _could(told: Answers) -> Iterator[str]:
    declared = told.composition.context.declared
    for qualified, answer in told.can_happen:
        name = declared[qualified].name
        if answer.verdict is Verdict.YES and answer.witness is not None:
            with_what = describe_configuration(told.composition.knobs, answer.witness)
            yield f"To be avoided, since it would over-commit {name}: {with_what}"
        elif answer.verdict is Verdict.UNDECIDED:
            yield (
                f"Whether other settings could over-commit {name} is not decided: "
                "the allowed work did not suffice."
            )


def table(head: Sequence[str], rows: Sequence[Sequence[str]], right: set[int]) -> Iterator[str]:
    """Rows in columns as wide as needed, those in `right` flush right; the head is left out if it is
    empty.
    """
    every = [*([head] if head else []), *rows]
    if not rows:
        return
    widths = [max(len(row[column]) for row in every) for column in range(len(every[0]))]
    for row in every:
        cells = [
            cell.rjust(width) if column in right else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
            if width
        ]
        yield "  ".join(cells).rstrip()
