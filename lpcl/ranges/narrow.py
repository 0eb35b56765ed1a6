"""Can conditions over open values hold together? Told without a solver, where that is plain enough.

What each value can be is narrowed by the conditions, which are written anew with what is known of it by then.
Where that shows nothing, one of the things that they depend on is taken to be so, and then to be otherwise.
A no follows from bounds alone; a yes comes with values for which all conditions have been evaluated.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from lpcl.compose.solver import Verdict
from lpcl.compose.terms import (
    DivisionByZero,
    Number,
    Plain,
    Term,
    Value,
    holds,
    knob,
    knobs_of,
    settle,
    whole,
)
from lpcl.ranges.apart import Conditions, Impossible, flatten
from lpcl.ranges.cases import Choice, choice
from lpcl.ranges.changes import Changes, State, between
from lpcl.ranges.forms import Forms
from lpcl.ranges.space import Free

_STEPS = 120
"""How often the conditions are written anew for one question."""

_ROUNDS = 12
"""How often values are narrowed before something is taken to be so, for each may narrow others a little."""


@dataclass(frozen=True, slots=True)
class Found:
    """Whether the conditions can hold together, and for yes with which values, by name."""

    verdict: Verdict
    values: Mapping[str, Plain] | None = None


_NO = Found(Verdict.NO)
_OPEN = Found(Verdict.UNDECIDED)


def narrowed(conditions: Sequence[Value], opens: Mapping[str, Free], usual: Mapping[str, Plain]) -> Found:
    """Whether `conditions` can hold together over the values that are `opens`.

    The first condition is the one in question; the others bind its values to each other, or concern it not at
    all. `usual` is what is tried first, for every value. A quotient counts as having a value: that no divisor
    is 0 has to be among the conditions.
    """
    for chosen in _chosen(conditions):
        found = searched(chosen, opens, usual)
        if found.values is None or all(holds(one, found.values) for one in conditions):
            return found
    return _OPEN


def searched(
    conditions: Sequence[Value],
    opens: Mapping[str, Free],
    usual: Mapping[str, Plain],
    *,
    bounded: bool = False,
) -> Found:
    """The same where all conditions have to do with each other.

    They are `bounded` where the terms for all open values know their bounds.
    """
    found = _Search(opens, usual, bounded=bounded).of(conditions)
    if found.values is None:
        return found
    values = {**usual, **found.values}
    return Found(Verdict.YES, values) if all(holds(one, values) for one in conditions) else _OPEN


def limits(
    conditions: Sequence[Value], opens: Mapping[str, Free], usual: Mapping[str, Plain]
) -> Mapping[str, tuple[Number | None, Number | None]]:
    """The bounds of the open numbers outside of which the conditions certainly do not hold together."""
    state = _Search(opens, usual).narrowest(conditions)
    found = {}
    for name, item in opens.items():
        known = item if state is None else state.known.get(name, item)
        if isinstance(known, Free | Term):
            found[name] = (known.low, known.high)
        elif not isinstance(known, str):
            found[name] = (known, known)
    return found


def _chosen(conditions: Sequence[Value]) -> Iterator[Sequence[Value]]:
    """The conditions that concern the first one, also through others; then all."""
    waiting = [(one, knobs_of(one)) for one in conditions[1:] if one is not True]
    chosen, reached = [conditions[0]], set(knobs_of(conditions[0]))
    while True:
        further = []
        for one, names in waiting:
            if names and names.isdisjoint(reached):
                further.append((one, names))
            else:
                chosen.append(one)
                reached |= names
        if len(further) == len(waiting):
            break
        waiting = further
    yield chosen
    if waiting:
        yield conditions


class _TooMuch(Exception):
    """More steps than one question is worth."""


class _Search:
    def __init__(
        self, opens: Mapping[str, Free], usual: Mapping[str, Plain], *, bounded: bool = False
    ) -> None:
        self._opens = opens
        self._usual = usual
        self._bounded = bounded
        self._steps = 0
        self._forms = Forms(opens)

    def of(self, conditions: Sequence[Value]) -> Found:
        """Whether the conditions can hold together."""
        try:
            return self._searched(self._begun(conditions))
        except Impossible:
            return _NO
        except _TooMuch:
            return _OPEN

    def narrowest(self, conditions: Sequence[Value]) -> State | None:
        """What is left of the values by bounds alone; None where nothing is, or it takes too long."""
        try:
            return self._fixed(self._begun(conditions))
        except (Impossible, _TooMuch):
            return None

    def _begun(self, conditions: Sequence[Value]) -> State:
        """All conditions, and what the open values say of themselves. Raises `Impossible`."""
        known: dict[str, Value] = {}
        words: dict[str, tuple[str, ...]] = {}
        as_they_are = self._bounded
        for name, item in self._opens.items():
            if item.kind == "word":
                words[name] = item.words
                if len(item.words) == 1:
                    known[name] = item.words[0]
                    as_they_are = False
            elif item.kind != "truth":
                low, high = item.low, item.high
                if item.kind == "whole":
                    low = None if low is None else math.ceil(low)
                    high = None if high is None else math.floor(high)
                if low is not None and high is not None and low > high:
                    raise Impossible
                known[name] = between(name, low, high)
                as_they_are = as_they_are and known[name] is knob(name, item.low, item.high)
        state = State({}, known, words)
        if not as_they_are:
            return self._written(conditions, state, {})
        for condition in conditions:
            flatten(condition, True, state.left)
        return state

    # -------------------------------------------------------------- one state

    def _searched(self, state: State) -> Found:
        """Whether what is left can hold. Raises `_TooMuch`."""
        try:
            state = self._fixed(state)
        except Impossible:
            return _NO
        found = self._tried(state)
        if found is not None:
            return found
        case = choice(state.left)
        if case is None:
            return self._labelled(state)
        verdict = _NO
        for condition, true, memo in self._in_order(case):
            try:
                taken = self._taken(state, condition, true, memo)
            except Impossible:
                continue
            found = self._searched(taken)
            if found.verdict is Verdict.YES:
                return found
            if found.verdict is Verdict.UNDECIDED:
                verdict = found
        return verdict

    def _in_order(self, case: Choice) -> Iterable[tuple[Value, bool, dict[Term, Value]]]:
        """Both ways, first the one that is so with what is usual."""
        ways = ((case.condition, True, case.then), (case.condition, False, case.otherwise))
        return ways if holds(case.condition, self._usual) else ways[::-1]

    def _taken(self, state: State, condition: Value, holds: bool, memo: dict[Term, Value]) -> State:
        made = self._written(state.left, state, memo)
        flatten(condition, holds, made.left)
        return made

    def _written(self, conditions: Iterable[Value], state: State, memo: dict[Term, Value]) -> State:
        """The conditions with what is known by now. Raises `Impossible` and `_TooMuch`."""
        self._steps += 1
        if self._steps > _STEPS:
            raise _TooMuch
        left: Conditions = {}
        for condition in conditions:
            try:
                made = settle(condition, state.known, memo)
            except DivisionByZero:
                made = condition  # that its divisor is not 0 is another condition
            flatten(made, True, left)
        return State(left, state.known, state.words)

    def _fixed(self, state: State) -> State:
        """The state once nothing narrows a value any further. Raises `Impossible` where nothing is left."""
        for _ in range(_ROUNDS):
            changes = Changes(self._forms, state)
            for condition in state.left:
                changes.by(condition)
            if not changes.settings and not changes.memo:
                return State(changes.left, state.known, state.words)
            known = {**state.known, **changes.settings}
            state = State({}, known, {**state.words, **changes.words})
            state = self._written(changes.left, state, changes.memo)
        return state

    # -------------------------------------------------------------- values

    def _tried(self, state: State) -> Found | None:
        """Yes, if what is usual, as far as it is left, makes all hold."""
        values = self._point(state)
        if all(holds(condition, values) for condition in state.left):
            return Found(Verdict.YES, values)
        return None

    def _point(self, state: State) -> dict[str, Plain]:
        return {name: next(self._candidates(name, state)) for name in self._opens}

    def _candidates(self, name: str, state: State) -> Iterator[Plain]:
        """What a value can still be, the best first."""
        known = state.known.get(name)
        if known is not None and not isinstance(known, Term):
            yield known
            return
        item = self._opens[name]
        usual = self._usual[name]
        if item.kind == "truth":
            yield usual
            yield not usual
            return
        if item.kind == "word":
            words = state.words[name]
            if usual in words:
                yield usual
            yield from (word for word in words if word != usual)
            return
        assert isinstance(known, Term)
        low, high = known.low, known.high
        for one in (usual, *item.candidates):
            if (
                not isinstance(one, str)
                and (low is None or low <= one)
                and (high is None or one <= high)
                and (item.kind == "fraction" or one == math.floor(one))
            ):
                yield one
        if item.kind == "fraction" and low is not None and high is not None:
            yield whole(Fraction(low + high) / 2)
        if low is not None:
            yield low
        if high is not None:
            yield high
        if low is not None and high is None:
            yield low + 1
        if high is not None and low is None:
            yield high - 1
        if low is None and high is None:
            yield 0

    def _labelled(self, state: State) -> Found:
        """Yes, if fixing one value after another, each narrowing the others, leads to values for all."""
        while state.left:
            values = self._point(state)
            failing = next((one for one in state.left if not holds(one, values)), None)
            if failing is None:
                return Found(Verdict.YES, values)
            names = sorted(knobs_of(failing))
            if not names:
                return _OPEN
            name = next((one for one in names if self._opens[one].kind != "fraction"), names[0])
            for number, candidate in enumerate(self._candidates(name, state)):
                if number == 4:
                    return _OPEN
                fixed = State(state.left, {**state.known, name: candidate}, state.words)
                try:
                    state = self._fixed(self._written(state.left, fixed, {}))
                    break
                except Impossible:
                    continue
            else:
                return _OPEN
        return Found(Verdict.YES, self._point(state))
