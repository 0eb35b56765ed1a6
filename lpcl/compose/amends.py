"""What would have to change in the program or on the machine, where nothing that can be set is enough.

Tried one by one are the controls that a finding rests on and that only the program can set, the numbers that
the application writes in calls and limits, and the limit of the machine that the finding runs into. What is
told was composed, and is free of the finding; the next step is not.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from functools import partial
from typing import Any

from lpcl.compose.assess import Assessment, assess
from lpcl.compose.composition import Composition, composed
from lpcl.compose.findings import Finding, Kind
from lpcl.compose.meaning import TooManyOptions
from lpcl.compose.refusal import Refusal
from lpcl.compose.terms import Number, whole
from lpcl.model.machine import AT_MOST, FACTS
from lpcl.model.program import Declared, Origin
from lpcl.model.quantities import BYTES, PLAIN, Dimension
from lpcl.syntax import nodes
from lpcl.syntax.build import quantity

MOST_FINDINGS = 4
"""Findings for which a remedy is looked for, the gravest first."""
MOST_NUMBERS = 6
"""Numbers of the application that are tried for each."""

RAISED = frozenset(name for name, fact in FACTS.items() if fact.limit) | {"cpus.quota", "memory.limit", "shm"}
"""Figures of a machine that whoever runs the program can raise."""

Same = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Amendment:
    """The nearest `value` to today's, `now`, with which a finding is gone: of a number or a machine's figure.

    `name` is an argument with the operation that is called, a control, or a path such as ``limits.files``.
    `least` tells whether it has to be at least that much, else at most. `unit` is the one to write it with;
    both figures are in the base unit. `how` is the library's call or configuration that sets a control.
    """

    name: str
    origin: Origin | None
    value: Number
    now: Number
    unit: str | None = None
    least: bool = False
    how: str = ""


@dataclass(frozen=True, slots=True)
class Amended:
    """A finding, and what would remove it, each by itself."""

    finding: Finding
    amendments: tuple[Amendment, ...]


def amended(composition: Composition) -> tuple[Amended, ...]:
    """The over-commits that a number of the program or a limit of the machine would remove."""
    tried = _Trials(composition)
    found = (
        Amended(finding, (*_lowered(composition, finding, tried), *_raised(composition, finding, tried)))
        for finding in composition.assessment.alarms[:MOST_FINDINGS]
        if finding.kind is Kind.OVERCOMMIT
    )
    return tuple(one for one in found if one.amendments)


@dataclass(frozen=True, slots=True)
class _Number:
    """A number of one of the applications (`part`) that could be less, and how to write it another way."""

    part: int
    name: str
    now: Number
    step: Number
    unit: str | None
    origin: Origin
    changed: Callable[[nodes.Application, Number], nodes.Application]
    how: str = ""


class _Trials:
    """Compositions with one number changed, each assessed once."""

    def __init__(self, composition: Composition) -> None:
        self._composition = composition
        self._known: dict[tuple[int, Origin, Number], Assessment | None] = {}

    def with_number(self, number: _Number, value: Number) -> Assessment | None:
        """What comes of another number in its place; None where that is refused."""
        key = number.part, number.origin, value
        if key not in self._known:
            parts = list(self._composition.parts)
            part = parts[number.part]
            node = number.changed(part.node, value)
            made = Declared.made(part.declared.qualified, node, part.declared.file)
            parts[number.part] = replace(part, declared=made)
            self._known[key] = _assessed(
                lambda: composed(self._composition.program, tuple(parts), self._composition.machine)
            )
        return self._known[key]

    def with_fact(self, fact: str, value: Number) -> Assessment | None:
        """What comes of another figure of the machine; None where that is refused."""
        machine = self._composition.machine
        machine = replace(machine, facts={**machine.facts, fact: value})
        return _assessed(lambda: composed(self._composition.program, self._composition.parts, machine))


def _assessed(make: Callable[[], Composition]) -> Assessment | None:
    try:
        made = make()
        return assess(made.elaborated, made.context, explain=False)
    except (Refusal, TooManyOptions):
        return None


def _lowered(composition: Composition, finding: Finding, tried: _Trials) -> Iterator[Amendment]:
    """For each number of the application, the largest below today's with which a finding is gone."""
    before = {_same(one) for one in composition.assessment.alarms}

    def is_gone(number: _Number, steps: int, step: Number) -> bool:
        after = tried.with_number(number, steps * step)
        return after is not None and {_same(one) for one in after.alarms} <= before - {_same(finding)}

    numbers = [*_calls(composition, finding), *_numbers(composition)]
    for number in [one for one in numbers if one.now > 0][:MOST_NUMBERS]:
        step = number.step
        gone, there = 1, math.ceil(number.now / step)
        if gone >= there or not is_gone(number, gone, step):
            continue
        while there - gone > 1:
            middle = (gone + there) // 2
            if is_gone(number, middle, step):
                gone = middle
            else:
                there = middle
        value = whole(gone * step)
        yield Amendment(number.name, number.origin, value, whole(number.now), number.unit, how=number.how)


def _raised(composition: Composition, finding: Finding, tried: _Trials) -> Iterator[Amendment]:
    """The limits of the machine that a finding runs into, as far as they can be raised."""
    before = {_same(one) for one in composition.assessment.alarms}
    assert finding.demand is not None
    needed = finding.demand + finding.background
    for fact, now in composition.machine.facts.items():
        if fact not in RAISED or now != finding.capacity:
            continue
        upper = composition.machine.facts.get(AT_MOST.get(fact, ""))
        if isinstance(upper, Number) and needed > upper:
            continue
        after = tried.with_fact(fact, needed)
        if after is not None and {_same(one) for one in after.alarms} <= before - {_same(finding)}:
            assert isinstance(now, Number)
            yield Amendment(fact, composition.machine.origins.get(fact), needed, now, least=True)


def _same(finding: Finding) -> Same:
    """What makes two findings of different compositions the same one."""
    return finding.kind, finding.resource, finding.where, finding.device, finding.pool


def _calls(composition: Composition, finding: Finding) -> Iterator[_Number]:
    """The controls that a finding rests on and that only a call or a configuration in the program can set."""
    known = {name for application in composition.parts for name, _ in _literals(application.node)}
    waiting = [reason for entry in finding.ledger for reason in entry.reasons]
    while waiting:
        reason = waiting.pop(0)
        waiting.extend(reason.because)
        library, _, name = reason.control.partition(".")
        now, origin = reason.value, reason.origin
        if not isinstance(now, int | Fraction) or isinstance(now, bool) or origin is None:
            continue
        how = None if reason.given or reason.variables else _set_in_program(composition, library, name)
        if how is None or reason.control in known or reason.dimension not in _STEPS:
            continue
        known.add(reason.control)
        unit = _STEPS[reason.dimension]
        limited = partial(_with_limit, path=reason.control)
        for part in range(len(composition.parts)):
            yield _Number(part, reason.control, now, quantity("1", unit), unit, origin, limited, how)


_STEPS: Mapping[Dimension, str | None] = {PLAIN: None, BYTES: "MiB"}
"""The unit in whose steps a control is lowered, by its dimension."""


def _set_in_program(composition: Composition, library: str, name: str) -> str | None:
    """What sets a control of a library in a program; None where nothing does."""
    for runtime in composition.runtimes:
        control = runtime.contract.controls.get(name) if runtime.name == library else None
        for clause in () if control is None else control.node.clauses:
            if isinstance(clause, nodes.ApiSource | nodes.ConfigSource):
                return clause.text.value
    return None


def _with_limit(application: nodes.Application, value: Number, *, path: str) -> nodes.Application:
    limit = nodes.Limit(nodes.Ref(path), nodes.Quantity(Fraction(value)))
    return replace(application, members=(*application.members, limit))


def _numbers(composition: Composition) -> Iterator[_Number]:
    """The numbers that the applications hand to operations, and those of their limits."""
    for part, application in enumerate(composition.parts):
        for name, literal in _literals(application.node):
            yield _Number(
                part,
                name,
                literal.value,
                _step(literal),
                literal.unit,
                Origin(application.declared.file, literal.span),
                partial(_with_literal, literal=literal),
            )


def _literals(application: nodes.Application) -> Iterator[tuple[str, nodes.Quantity]]:
    for node in application.walk():
        match node:
            case nodes.Invocation():
                for argument in node.arguments:
                    if isinstance(argument.value, nodes.Quantity):
                        yield f"{argument.name.text} of {node.operation.path}", argument.value
            case (
                nodes.Limit(value=nodes.Quantity() as value)
                | nodes.LimitBlock(value=nodes.Quantity() as value)
            ):
                yield node.target.path, value


def _step(node: nodes.Quantity) -> Number:
    """The steps in which a number is lowered: those of its last written digit."""
    step = quantity("1", node.unit)
    while (node.value / step).denominator != 1:
        step /= 10
    return step


def _with_literal(
    application: nodes.Application, value: Number, *, literal: nodes.Quantity
) -> nodes.Application:
    changed: nodes.Application = _with_value(application, literal, value)
    return changed


def _with_value(top: Any, target: nodes.Quantity, value: Number) -> Any:
    """A tree with another value in the place of one of its numbers."""
    if isinstance(top, nodes.Quantity) and top.span == target.span:
        return replace(top, value=Fraction(value))
    if isinstance(top, tuple):
        return tuple(_with_value(one, target, value) for one in top)
    if not isinstance(top, nodes.Node) or not _is_within(target, top):
        return top
    held = {item.name: getattr(top, item.name) for item in fields(top) if item.name not in ("span", "doc")}
    return replace(top, **{name: _with_value(one, target, value) for name, one in held.items()})


def _is_within(target: nodes.Node, top: nodes.Node) -> bool:
    return top.span.start <= target.span.start and target.span.end <= top.span.end
