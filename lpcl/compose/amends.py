"""What would have to change in the program or on the machine, where what can be set is not enough, or leaves
CPUs idle that such a change would keep busy.

Tried one by one are the controls that a finding rests on and that only the program can set, the numbers that
the application writes in calls and limits, and the limit of the machine that the finding runs into. What is
told was composed, and is free of the finding; the next step is not.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import islice

from lpcl.compose.assess import assess
from lpcl.compose.composition import Composition
from lpcl.compose.figures import FigureKind
from lpcl.compose.findings import Finding, Kind, Remedy
from lpcl.compose.meaning import TooManyOptions, peak
from lpcl.compose.nearest import Bound, last_good, readable
from lpcl.compose.refusal import Refusal
from lpcl.compose.search import AT_WORK
from lpcl.compose.settable import RAISED, Settable, fact_of
from lpcl.compose.structure import Resolution
from lpcl.compose.terms import Number, Term, Value, whole
from lpcl.compose.trials import Trial
from lpcl.compose.written import numbers_of, words_of
from lpcl.diagnostics.diagnostic import Severity
from lpcl.model.machine import AT_MOST
from lpcl.model.quantities import BYTES, PLAIN, Dimension
from lpcl.syntax import nodes
from lpcl.syntax.build import quantity

MOST_FINDINGS = 4
"""Findings for which a remedy is looked for, the gravest first."""
MOST_NUMBERS = 6
"""Numbers of the application that are tried for each."""

_UNITS: Mapping[Dimension, str | None] = {PLAIN: None, BYTES: "MiB"}
"""The unit in whose steps a control is lowered, by its dimension."""

Same = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Amended:
    """A finding, and what would remove it, each by itself."""

    finding: Finding
    remedies: tuple[Remedy, ...]


def amended(composition: Composition) -> tuple[Amended, ...]:
    """The over-commits that a number of the program or a limit of the machine would remove, and the hazards
    that other words of a call would, no other finding coming up: of each, its own remedies among them.
    """
    amends = _Amends(composition)
    before = {_same(one) for one in composition.assessment.alarms}
    found: list[Amended] = []
    for one in composition.assessment.alarms[:MOST_FINDINGS]:
        left = before - {_same(one)}
        if one.kind is Kind.OVERCOMMIT:
            found.append(
                Amended(
                    one, _each_once((*one.remedies, *amends.lowered(one, left), *amends.raised(one, left)))
                )
            )
        elif one.kind is Kind.HAZARD and not one.remedies:
            found.append(Amended(one, tuple(amends.reworded(one, left))))
    return tuple(one for one in found if one.remedies)


def sufficient(composition: Composition, busier_than: Number | None) -> tuple[Remedy, ...]:
    """Single changes of the program or the machine after which nothing is wrong: limits of what fails that
    can be raised, and where `busier_than` is given, numbers, and words of calls that run into a hazard, with
    which more CPUs than so many are at work.
    """
    amends = _Amends(composition)
    alarms = composition.assessment.alarms
    found: list[Remedy] = []
    for one in alarms[:MOST_FINDINGS]:
        if busier_than is not None and one.kind is Kind.HAZARD:
            found += amends.reworded(one, set(), busier_than)
        if one.kind in (Kind.ASSUMPTION, Kind.HAZARD) and len(alarms) == 1:
            found += (remedy for remedy in one.remedies if remedy.kind == "call")
        if one.kind is not Kind.OVERCOMMIT:
            continue
        if busier_than is not None:
            found += (*(one.remedies if len(alarms) == 1 else ()), *amends.lowered(one, set(), busier_than))
        if busier_than is not None or one.severity is Severity.ERROR:
            found += amends.raised(one, set())
    return _each_once(found)


def _each_once(remedies: Iterable[Remedy]) -> tuple[Remedy, ...]:
    return tuple({one.text: one for one in remedies}.values())


class _Amends:
    """Compositions with one value changed, each assessed once."""

    def __init__(self, composition: Composition) -> None:
        self._composition = composition
        self._written = [one for part in composition.parts for one in numbers_of(part)]
        self._controls: dict[tuple[str, str], Settable] = {}
        self._known: dict[tuple[Settable, Value], tuple[set[Same], Number] | None] = {}

    def lowered(self, finding: Finding, left: set[Same], busier_than: Number = -1) -> Iterator[Remedy]:
        """The largest values of numbers, below today's, with which no alarms but those are `left`, and more
        CPUs than so many are at work. In place of one that is not above 0, from 1 to as many as CPUs.
        """
        for one in islice((*self._held_by_calls(finding), *self._written), MOST_NUMBERS):
            step, now = one.step, one.now
            assert isinstance(step, Number)
            assert isinstance(now, Number)
            there = math.ceil(now / step) * step if now > 0 else self._cpus() + step
            does = partial(self._does, one, left=left, busier_than=busier_than)
            if there <= step or not does(step):
                continue
            most = there if now <= 0 and does(there) else last_good(there, step, step, does)
            if one.figure.show(most).startswith("~"):
                one = replace(one, figure=replace(one.figure, unit=_UNITS[one.figure.dimension]))
            yield one.remedy("at most", (most,)) if now > 0 else one.remedy("from", (step, most))

    def _cpus(self) -> Number:
        cpus = self._composition.machine.fact("cpus")
        return 0 if cpus is None or isinstance(cpus, str | Term) else math.floor(cpus)

    def raised(self, finding: Finding, left: set[Same]) -> Iterator[Remedy]:
        """The limits of the machine that a finding runs into, as far as they can be raised, with which no
        alarms but those are `left`.
        """
        assert finding.demand is not None
        facts = self._composition.machine.facts
        for fact, now in facts.items():
            if fact in RAISED and now == finding.capacity:
                one = fact_of(self._composition.machine, fact)
                needed = readable(Bound(finding.demand + finding.background, True), 1, one.figure).value
                upper = facts.get(AT_MOST.get(fact, ""))
                if not (isinstance(upper, Number) and needed > upper) and self._does(one, needed, left, -1):
                    yield one.remedy("at least", (needed,))

    def reworded(self, finding: Finding, left: set[Same], busier_than: Number = -1) -> Iterator[Remedy]:
        """Other words and truths of the calls that are in a finding, with which no alarms but those are
        `left`, and more CPUs than so many are at work.
        """
        contracts = {runtime.name: runtime.contract for runtime in self._composition.runtimes}
        for place in dict.fromkeys(place for places in finding.participants for place in places):
            if place.library not in contracts:
                continue
            for one, others in words_of(place, contracts[place.library], self._composition.parts):
                good = tuple(value for value in others if self._does(one, value, left, busier_than))
                if good:
                    yield one.remedy("is", good)

    def _does(self, one: Settable, value: Value, left: set[Same], busier_than: Number) -> bool:
        """Whether another value leaves no alarms but those, and enough CPUs at work."""
        if (one, value) not in self._known:
            self._known[one, value] = self._tried(one.trial(value))
        after = self._known[one, value]
        if after is None:
            return False
        alarms, at_work = after
        return alarms <= left and at_work > busier_than

    def _tried(self, trial: Trial) -> tuple[set[Same], Number] | None:
        """The alarms after a change, and how many CPUs are at work; None where it is refused."""
        try:
            made = self._composition.tried(trial)
            assessment = assess(made.elaborated, replace(made.context, unlimited=None), explain=False)
        except (Refusal, TooManyOptions):
            return None
        alarms = {_same(one) for one in assessment.alarms}
        return alarms, peak(made.elaborated.root, AT_WORK).amount

    def _held_by_calls(self, finding: Finding) -> Iterator[Settable]:
        """The controls that a finding rests on and that only the program can set."""
        written = {one.name for one in self._written}
        waiting = [reason for entry in finding.ledger for reason in entry.reasons]
        while waiting:
            reason = waiting.pop(0)
            waiting.extend(reason.because)
            if reason.control not in written:
                written.add(reason.control)
                yield from self._held_by_call(reason)

    def _held_by_call(self, reason: Resolution) -> Iterator[Settable]:
        library, _, name = reason.control.partition(".")
        now, origin, dimension = reason.value, reason.origin, reason.dimension
        if reason.given or reason.variables or origin is None or dimension not in _UNITS:
            return
        how = self._set_in_program(library, name)
        if how is None or not isinstance(now, int | Fraction) or isinstance(now, bool) or now <= 0:
            return
        contract, by = how
        for part in self._composition.parts:

            def trial(value: Value, label: str = part.label) -> Trial:
                return Trial(label, library={(contract, name): value})

            made = Settable(
                "library",
                reason.control,
                reason.control,
                now,
                FigureKind(dimension),
                origin,
                trial,
                whole(quantity("1", _UNITS[dimension])),
                by=by,
            )
            yield self._controls.setdefault((part.label, reason.control), made)

    def _set_in_program(self, library: str, name: str) -> tuple[str, str] | None:
        """The contract of a library, and what sets its control in a program; None where nothing does."""
        for runtime in self._composition.runtimes:
            control = runtime.contract.controls.get(name) if runtime.name == library else None
            for clause in () if control is None else control.node.clauses:
                if isinstance(clause, nodes.ApiSource | nodes.ConfigSource):
                    return runtime.contract.declared.qualified, clause.text.value
        return None


def _same(finding: Finding) -> Same:
    """What makes two findings of different compositions the same one."""
    return finding.kind, finding.resource, finding.where, finding.device, finding.pool
