"""What else is to be known about settings: those that do as well as others, and those that are not enough.

Both are told of what a report names, a few settings of each, so that a large application costs little more.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from lpcl.compose.alternatives import Alternative, shape_of
from lpcl.compose.assess import Assessment
from lpcl.compose.changes import tried
from lpcl.compose.composition import Composition
from lpcl.compose.findings import Finding
from lpcl.compose.knobs import Configuration, Knob, Setting
from lpcl.compose.meaning import peak
from lpcl.compose.refusal import Refusal
from lpcl.compose.search import AT_WORK
from lpcl.compose.structure import Process, Resolution, all_activities

MOST_ACTIVITIES = 200
"""In an application with more of them than this, neither is looked for."""
MOST_COMPARED = 16
"""Settings that are tried in place of those of the alternatives."""
MOST_NAMED = 6
"""Knobs of which it is said that they are not enough."""


@dataclass(frozen=True, slots=True)
class NotEnough:
    """Knobs that a finding rests on, their best setting, and what is still wrong with it by itself.

    They do all the same. `leaves` is None where they make no difference at all.
    """

    knobs: tuple[Knob, ...]
    setting: Setting
    leaves: Finding | None


def without_idle_changes(found: Sequence[Alternative]) -> tuple[Alternative, ...]:
    """The alternatives without those that set what another one sets, and more, for the same figures."""
    return tuple(one for one in found if not any(_sets_more(one, other) for other in found))


def _sets_more(one: Alternative, other: Alternative) -> bool:
    mine, others = ({knob.id: item.configuration[knob.id] for knob in item.changes} for item in (one, other))
    return others.items() < mine.items() and _counts(one) == _counts(other)


def _counts(one: Alternative) -> list[tuple[str, str, object]]:
    return [(figure.place, figure.kind, figure.value) for figure in one.shape]


def with_others(composition: Composition, found: Sequence[Alternative]) -> tuple[Alternative, ...]:
    """The alternatives, each with what could be set in place of what it sets."""
    if is_large(composition):
        return tuple(found)
    left = MOST_COMPARED
    told: list[Alternative] = []
    for one in found:
        alike_to: dict[str, tuple[Knob, ...]] = {}
        shape: object = None
        for knob in one.changes:
            rivals = [other for other in _rivals(composition, knob) if other not in one.changes][:left]
            left -= len(rivals)
            if rivals and shape is None:
                shape = shape_of(composition.questions.elaborated(one.configuration).root)
            alike = tuple(other for other in rivals if _is_alike(composition, one, shape, knob, other))
            if alike:
                alike_to[knob.id] = alike
        told.append(_with_preferred(composition, replace(one, instead=alike_to)))
    return tuple(told)


def _with_preferred(composition: Composition, one: Alternative) -> Alternative:
    """The same, where several settings do as well by the command's argument, else by the nearest variable."""
    order = {knob.id: place for place, knob in enumerate(reversed(composition.knobs))}
    configuration = dict(one.configuration)
    changes: list[Knob] = []
    instead: dict[str, tuple[Knob, ...]] = {}
    for knob in one.changes:
        rivals = (knob, *one.instead.get(knob.id, ()))
        first, *others = sorted(rivals, key=lambda rival: (rival.kind == "env", order[rival.id]))
        configuration[knob.id], configuration[first.id] = knob.current, one.configuration[knob.id]
        changes.append(first)
        if others:
            instead[first.id] = tuple(others)
    swapped = replace(one, configuration=configuration, changes=tuple(changes), instead=instead)
    several = len(set(one.changes) - set(changes)) > 1  # each by itself is known to do as well
    assessment = composition.questions.assessed(configuration) if several else None
    return one if several and (assessment is None or assessment.alarms) else swapped


def is_large(composition: Composition) -> bool:
    """Whether an application is too large for advice that takes compositions of its own."""
    return sum(1 for _ in all_activities(composition.elaborated.root)) > MOST_ACTIVITIES


def _rivals(composition: Composition, knob: Knob) -> Iterator[Knob]:
    """What else the same figure rests on, the most direct first."""
    names: set[str] = set()
    for finding in composition.assessment.alarms:
        for reason in (reason for entry in finding.ledger for reason in entry.reasons):
            mine = set(_named((reason,)))
            names |= mine if _is_among(knob, mine) else set()
    for other in reversed(composition.knobs):
        if other is not knob and other.application == knob.application and _is_among(other, names):
            yield other


def _is_among(knob: Knob, names: Collection[str]) -> bool:
    return (knob.name if knob.kind == "env" else knob.apply_with) in names


def _is_alike(composition: Composition, one: Alternative, shape: object, knob: Knob, other: Knob) -> bool:
    """Whether one knob in place of another leads to the same shape and use of the CPUs."""
    value = one.configuration[knob.id]
    if value is None or knob.foreign or not other.takes(value):
        return False
    changed: Configuration = {**one.configuration, knob.id: knob.current, other.id: value}
    assessment = composition.questions.assessed(changed)
    if assessment is None or assessment.alarms:
        return False
    root = composition.questions.elaborated(changed).root
    return shape_of(root) == shape and _use(root) == one.cpu


def _use(root: Process) -> object:
    return peak(root, AT_WORK).amount


def not_enough(composition: Composition, found: Sequence[Alternative]) -> tuple[NotEnough, ...]:
    """The knobs that the findings rest on and no alternative sets, each at its best."""
    alarms = composition.assessment.alarms
    if not alarms or is_large(composition):
        return ()
    used = {knob.id for one in found for knob in one.changes}
    used |= {knob.id for one in found for knobs in one.instead.values() for knob in knobs}
    named = set(_named([one for finding in alarms for entry in finding.ledger for one in entry.reasons]))
    left = [knob for knob in reversed(composition.knobs) if knob.id not in used and _is_among(knob, named)]
    told: dict[tuple[str, Setting, str | None], NotEnough] = {}
    for knob in left[:MOST_NAMED]:
        one = _at_best(composition, knob)
        if one is not None:
            headline = None if one.leaves is None else one.leaves.headline
            key = knob.application, one.setting, headline
            known = told.get(key)
            told[key] = one if known is None else replace(known, knobs=(*known.knobs, knob))
    return tuple(told.values())


def _named(reasons: Sequence[Resolution]) -> Iterator[str]:
    """The variables and arguments that figures rest on."""
    waiting = list(reasons)
    while waiting:
        reason = waiting.pop()
        waiting.extend(reason.because)
        yield from reason.unset
        yield from reason.set_with
        yield from reason.variables[:1]


def _at_best(composition: Composition, knob: Knob) -> NotEnough | None:
    """What a knob leaves wrong where it is set to its best; None where it is a remedy, or cannot be set."""
    today = composition.questions.today()
    before = [one.headline for one in composition.assessment.alarms]
    best: tuple[Setting, Assessment] | None = None
    for setting in tried(knob, composition.machine):
        try:
            after = composition.questions.assessed({**today, knob.id: setting})
        except Refusal:
            continue
        if after is None:
            continue
        if not after.alarms:
            return None
        if best is None or _ease(after) > _ease(best[1]):
            best = setting, after
    if best is None:
        return None
    setting, after = best
    changed = [one.headline for one in after.alarms] != before
    return NotEnough((knob,), setting, after.alarms[0] if changed else None)


def _ease(assessment: Assessment) -> tuple[object, ...]:
    """How little is wrong: the less grave the gravest finding is, and the fewer there are."""
    alarms = assessment.alarms
    gravest = alarms[0]
    over = 0 if gravest.demand is None else gravest.demand + gravest.background
    return (*gravest.sort_key()[:4], -len(alarms), -over)
