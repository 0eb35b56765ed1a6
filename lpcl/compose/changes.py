"""What would change a value: settings and machines that are tried, one at a time, and what comes of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from lpcl.compose.composition import Composition
from lpcl.compose.knobs import Knob, Setting, cpu_count, environment_knobs
from lpcl.compose.machine import MachineView
from lpcl.compose.refusal import Refusal
from lpcl.compose.terms import Plain, Value, whole
from lpcl.compose.trials import Trial
from lpcl.compose.why import BadQuestion, Explained, Reading, explain
from lpcl.model.machine import AT_MOST, FACTS

MOST_TRIED = 8
"""How many settings of one knob are tried before it is taken to make no difference; of words, all are."""


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
    for fact, figures in _figures(composition.machine):
        for figure in figures:
            differing = _differing(composition, explained, Trial(facts={fact: figure}))
            if differing:
                found.append(Change(differing, fact=fact, figure=figure))
                break
    return tuple(found)


def _knobs(composition: Composition, explained: Explained) -> Iterator[Knob]:
    """The knobs, and the variables that could give the value though they decide nothing."""
    yield from composition.knobs
    known = {knob.name for knob in composition.knobs}
    further = {name: (0, place) for place, name in enumerate(explained.variables) if name not in known}
    for part in composition.parts if further else ():
        env = composition.stated(part).here.state.env
        for knob in environment_knobs(composition.runtimes, composition.machine, env, further):
            yield replace(knob, application=part.label)


def tried(knob: Knob, machine: MachineView) -> Iterator[Setting]:
    """The settings of a knob, today's not among them, that show whether it makes a difference: all of a few.

    Of many, those at which contracts mostly turn: the least, as many as there are CPUs and half as many, the
    bounds, and those next to today's.
    """
    some = [one for one in knob.choices or range(knob.low, knob.high + 1) if not _same(one, knob.current)]
    if len(some) > MOST_TRIED and not all(isinstance(one, str) for one in some):
        some = _telling(some, knob.current, cpu_count(machine))
    yield from some
    if knob.may_be_unset and knob.current is not None:
        yield None


def _same(one: Setting, other: Setting) -> bool:
    return one == other and isinstance(one, bool) is isinstance(other, bool)


def _telling(some: Sequence[Plain], now: Setting, cpus: int) -> list[Plain]:
    """A few of many settings, in order."""
    amounts = [one for one in some if not isinstance(one, str)]
    wanted: list[Plain] = [1, 2, cpus, max(1, cpus // 2), amounts[0], amounts[-1]]
    if isinstance(now, int | Fraction):
        below, above = [one for one in amounts if one < now], [one for one in amounts if one > now]
        wanted += [*below[-1:], *above[:1]]
    wanted.append(amounts[len(amounts) // 2])
    return [one for one in dict.fromkeys(wanted) if one in some][:MOST_TRIED]


def _setting(knob: Knob, setting: Setting) -> Trial:
    if knob.kind == "env":
        return Trial(knob.application, env={knob.name: setting})
    assert setting is not None
    return Trial(knob.application, controls={knob.name: setting})


def _figures(machine: MachineView) -> Iterator[tuple[str, tuple[Value, ...]]]:
    """Each stated figure with what is tried instead: half of it and twice as much, where that can be."""
    for fact, value in machine.facts.items():
        if not isinstance(value, int | Fraction) or isinstance(value, bool):
            continue
        half = value // 2 if FACTS[fact].whole else whole(Fraction(value) / 2)
        bounded = [machine.facts.get(lower) for lower, upper in AT_MOST.items() if upper == fact]
        upper = machine.facts.get(AT_MOST.get(fact, ""))
        possible: list[Value] = []
        if (half >= 1 or not FACTS[fact].whole) and not any(_below(half, one) for one in bounded):
            possible.append(half)
        if not _below(upper, 2 * value):
            possible.append(2 * value)
        yield fact, tuple(possible)


def _below(one: Value | None, other: Value | None) -> bool:
    """Whether both are numbers, the first the smaller one."""
    return isinstance(one, int | Fraction) and isinstance(other, int | Fraction) and one < other


def _differing(composition: Composition, explained: Explained, trial: Trial) -> tuple[Reading, ...]:
    """The readings that are not as they were; none where nothing comes of it, or nothing can be composed."""
    try:
        after = explain(composition.tried(trial), explained.name)
    except (BadQuestion, Refusal):
        return ()
    before = dict(_numbered(explained.readings))
    return tuple(
        reading
        for place, reading in _numbered(after.readings)
        if place not in before or before[place].value != reading.value
    )


def _numbered(readings: Sequence[Reading]) -> Iterator[tuple[tuple[str, int], Reading]]:
    """Readings by where they are; processes that one operation starts in several places have one name."""
    seen: Counter[str] = Counter()
    for reading in readings:
        yield (reading.where, seen[reading.where]), reading
        seen[reading.where] += 1
