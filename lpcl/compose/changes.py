"""What would change a value: settings and machines that are tried, one at a time, and what comes of each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lpcl.compose.composition import Composition
from lpcl.compose.knobs import Knob, Setting, cpu_count
from lpcl.compose.machine import MachineView
from lpcl.compose.refusal import Refusal
from lpcl.compose.terms import Value
from lpcl.compose.trials import Trial
from lpcl.compose.why import BadQuestion, Explained, Reading, explain
from lpcl.model.machine import AT_MOST

MOST_TRIED = 4
"""How many settings of one knob are tried before it is taken to make no difference."""


@dataclass(frozen=True, slots=True)
class Change:
    """One change and the readings that differ after it: a setting of `knob`, or `fact` of the machine."""

    readings: tuple[Reading, ...]
    knob: Knob | None = None
    setting: Setting = None
    fact: str = ""
    figure: Value = 0


def changes(composition: Composition, explained: Explained) -> tuple[Change, ...]:
    """For each knob, and each figure that the machine states, the first change that makes a difference."""
    found: list[Change] = []
    for knob in _knobs(composition, explained):
        if knob.name == explained.name:
            continue  # that it changes with itself says nothing
        for setting in tried(knob, composition.machine):
            differing = _differing(composition, explained, _setting(knob, setting))
            if differing:
                found.append(Change(differing, knob, setting))
                break
    for fact, figure in _figures(composition.machine):
        differing = _differing(composition, explained, Trial(facts={fact: figure}))
        if differing:
            found.append(Change(differing, fact=fact, figure=figure))
    return tuple(found)


def _knobs(composition: Composition, explained: Explained) -> Iterator[Knob]:
    """The knobs, and the variables that could give the value though they decide nothing."""
    yield from composition.knobs
    known = {knob.name for knob in composition.knobs}
    for part in composition.parts:
        for name in explained.variables:
            if name not in known:
                high = cpu_count(composition.machine)
                yield Knob(name, "env", None, 1, high, application=part.label)


def tried(knob: Knob, machine: MachineView) -> Iterator[Setting]:
    """A few settings of a knob, today's not among them, that show whether it makes a difference."""
    if knob.choices:
        some: list[Setting] = [one for one in knob.choices if one != knob.current]
    else:
        cpus = cpu_count(machine)
        some = [
            one
            for one in dict.fromkeys((1, 2, cpus, max(1, cpus // 2), knob.low, knob.high))
            if knob.low <= one <= knob.high and one != knob.current
        ]
    yield from some[:MOST_TRIED]
    if knob.may_be_unset and knob.current is not None:
        yield None


def _setting(knob: Knob, setting: Setting) -> Trial:
    if knob.kind == "env":
        return Trial(knob.application, env={knob.name: setting})
    assert setting is not None
    return Trial(knob.application, controls={knob.name: setting})


def _figures(machine: MachineView) -> Iterator[tuple[str, Value]]:
    """Each stated figure halved, or doubled where half of it could not be."""
    for fact, value in machine.facts.items():
        if isinstance(value, bool | str) or not isinstance(value, int):
            continue
        half = value // 2
        bounded = [machine.facts.get(lower) for lower, upper in AT_MOST.items() if upper == fact]
        possible = half >= 1 and all(not isinstance(one, int) or one <= half for one in bounded)
        upper = machine.facts.get(AT_MOST.get(fact, ""))
        if possible:
            yield fact, half
        elif not isinstance(upper, int) or 2 * value <= upper:
            yield fact, 2 * value


def _differing(composition: Composition, explained: Explained, trial: Trial) -> tuple[Reading, ...]:
    """The readings that are not as they were; none where nothing comes of it, or nothing can be composed."""
    try:
        after = explain(composition.tried(trial), explained.name)
    except (BadQuestion, Refusal):
        return ()
    before = {reading.where: reading.value for reading in explained.readings}
    return tuple(reading for reading in after.readings if before.get(reading.where) != reading.value)
