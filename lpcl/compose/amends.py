"""What would have to change in the program or on the machine, where nothing that can be set is enough.

Each number that the application writes in a call or a limit is tried by itself, and so is the limit of the
machine that a finding runs into. What is told was composed, and is free of the finding; the next step is not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from typing import Any

from lpcl.compose.assess import Assessment, assess
from lpcl.compose.composition import Composition, composed
from lpcl.compose.findings import Finding, Kind
from lpcl.compose.meaning import TooManyOptions
from lpcl.compose.refusal import Refusal
from lpcl.compose.terms import Number, whole
from lpcl.model.machine import AT_MOST, FACTS
from lpcl.model.program import Declared, Origin
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
    `least` tells whether it has to be at least that much, else at most. `unit` is the one that it is written
    with; both figures are in the base unit.
    """

    name: str
    origin: Origin | None
    value: Number
    now: Number
    unit: str | None = None
    least: bool = False


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
    """A number that one of the applications writes, and what it is the number of."""

    part: int
    name: str
    node: nodes.Quantity


class _Trials:
    """Compositions with one number changed, each assessed once."""

    def __init__(self, composition: Composition) -> None:
        self._composition = composition
        self._known: dict[tuple[int, int, Number], Assessment | None] = {}

    def with_number(self, number: _Number, value: Number) -> Assessment | None:
        """What comes of another number in its place; None where that is refused."""
        key = number.part, number.node.span.start, value
        if key not in self._known:
            parts = list(self._composition.parts)
            declared = parts[number.part].declared
            node = _with_value(declared.node, number.node, value)
            made = Declared.made(declared.qualified, node, declared.file)
            parts[number.part] = replace(parts[number.part], declared=made)
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

    numbers = [one for one in _numbers(composition) if one.node.value > 0]
    for number in numbers[:MOST_NUMBERS]:
        step = _step(number.node)
        gone, there = 1, int(number.node.value / step)
        if gone >= there or not is_gone(number, gone, step):
            continue
        while there - gone > 1:
            middle = (gone + there) // 2
            if is_gone(number, middle, step):
                gone = middle
            else:
                there = middle
        origin = Origin(composition.parts[number.part].declared.file, number.node.span)
        node = number.node
        yield Amendment(number.name, origin, whole(gone * step), whole(node.value), node.unit)


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


def _numbers(composition: Composition) -> Iterator[_Number]:
    """The numbers that the applications hand to operations, and those of their limits."""
    for part, application in enumerate(composition.parts):
        for node in application.node.walk():
            match node:
                case nodes.Invocation():
                    for argument in node.arguments:
                        if isinstance(argument.value, nodes.Quantity):
                            name = f"{argument.name.text} of {node.operation.path}"
                            yield _Number(part, name, argument.value)
                case (
                    nodes.Limit(value=nodes.Quantity() as value)
                    | nodes.LimitBlock(value=nodes.Quantity() as value)
                ):
                    yield _Number(part, node.target.path, value)


def _step(node: nodes.Quantity) -> Number:
    """The steps in which a number is lowered: those of its last written digit."""
    step = quantity("1", node.unit)
    while (node.value / step).denominator != 1:
        step /= 10
    return step


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
