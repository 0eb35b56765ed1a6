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
from typing import TypeAlias

from lpcl.compose.solver import Verdict
from lpcl.compose.terms import (
    DivisionByZero,
    Number,
    Plain,
    Term,
    Value,
    apply,
    conjunction,
    disjunction,
    knob,
    knobs_of,
    negation,
    settle,
    whole,
)
from lpcl.ranges.space import Free, Kind

_STEPS = 120
"""How often the conditions are written anew for one question."""

_ROUNDS = 12
"""How often values are narrowed before something is taken to be so, for each may narrow others a little."""

_COMPARISONS = frozenset(("==", "!=", "<", "<=", ">", ">="))
_SWAPPED = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_TRUTHS = frozenset(("and", "or", "not", *_COMPARISONS))


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


def holds(condition: Value, values: Mapping[str, Plain]) -> bool:
    """Whether a condition is true where the open values are as said, and divides by nothing."""
    try:
        return settle(condition, values) is True
    except DivisionByZero:
        return False


_Conditions: TypeAlias = dict[Value, None]
"""Conditions that must all hold, none of them plain, each once, in order."""


@dataclass(frozen=True, slots=True)
class _State:
    """Conditions that are left, and what is known of the open values: plain, or within narrower bounds."""

    left: _Conditions
    known: Mapping[str, Value]
    words: Mapping[str, tuple[str, ...]]


class _No(Exception):
    """The conditions cannot hold together."""


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
        self._forms: dict[Term, _Form] = {}
        self._is_whole: dict[Term, bool] = {}

    def of(self, conditions: Sequence[Value]) -> Found:
        """Whether the conditions can hold together."""
        try:
            return self._searched(self._begun(conditions))
        except _No:
            return _NO
        except _TooMuch:
            return _OPEN

    def narrowest(self, conditions: Sequence[Value]) -> _State | None:
        """What is left of the values by bounds alone; None where nothing is, or it takes too long."""
        try:
            return self._fixed(self._begun(conditions))
        except (_No, _TooMuch):
            return None

    def _begun(self, conditions: Sequence[Value]) -> _State:
        """All conditions, and what the open values say of themselves. Raises `_No` where one is nothing."""
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
                    raise _No
                known[name] = _between(name, low, high)
                as_they_are = as_they_are and known[name] is knob(name, item.low, item.high)
        state = _State({}, known, words)
        if not as_they_are:
            return self._written(conditions, state, {})
        for condition in conditions:
            _flatten(condition, True, state.left)
        return state

    # -------------------------------------------------------------- one state

    def _searched(self, state: _State) -> Found:
        """Whether what is left can hold. Raises `_TooMuch`."""
        try:
            state = self._fixed(state)
        except _No:
            return _NO
        found = self._tried(state)
        if found is not None:
            return found
        choice = _choice(state.left)
        if choice is None:
            return self._labelled(state)
        verdict = _NO
        for condition, holds, memo in self._in_order(choice):
            try:
                taken = self._taken(state, condition, holds, memo)
            except _No:
                continue
            found = self._searched(taken)
            if found.verdict is Verdict.YES:
                return found
            if found.verdict is Verdict.UNDECIDED:
                verdict = found
        return verdict

    def _in_order(self, choice: _Choice) -> Iterable[tuple[Value, bool, dict[Term, Value]]]:
        """Both ways, first the one that is so with what is usual."""
        ways = ((choice.condition, True, choice.then), (choice.condition, False, choice.otherwise))
        return ways if holds(choice.condition, self._usual) else ways[::-1]

    def _taken(self, state: _State, condition: Value, holds: bool, memo: dict[Term, Value]) -> _State:
        made = self._written(state.left, state, memo)
        _flatten(condition, holds, made.left)
        return made

    def _written(self, conditions: Iterable[Value], state: _State, memo: dict[Term, Value]) -> _State:
        """The conditions with what is known by now. Raises `_No` where one cannot hold, and `_TooMuch`."""
        self._steps += 1
        if self._steps > _STEPS:
            raise _TooMuch
        left: _Conditions = {}
        for condition in conditions:
            try:
                made = settle(condition, state.known, memo)
            except DivisionByZero:
                made = condition  # that its divisor is not 0 is another condition
            _flatten(made, True, left)
        return _State(left, state.known, state.words)

    def _fixed(self, state: _State) -> _State:
        """The state once nothing narrows a value any further. Raises `_No` where nothing is left."""
        for _ in range(_ROUNDS):
            changes = _Changes(self, state)
            for condition in state.left:
                changes.by(condition)
            if not changes.settings and not changes.memo:
                return _State(changes.left, state.known, state.words)
            known = {**state.known, **changes.settings}
            state = _State({}, known, {**state.words, **changes.words})
            state = self._written(changes.left, state, changes.memo)
        return state

    # -------------------------------------------------------------- values

    def _tried(self, state: _State) -> Found | None:
        """Yes, if what is usual, as far as it is left, makes all hold."""
        values = self._point(state)
        if all(holds(condition, values) for condition in state.left):
            return Found(Verdict.YES, values)
        return None

    def _point(self, state: _State) -> dict[str, Plain]:
        return {name: next(self._candidates(name, state)) for name in self._opens}

    def _candidates(self, name: str, state: _State) -> Iterator[Plain]:
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

    def _labelled(self, state: _State) -> Found:
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
                fixed = _State(state.left, {**state.known, name: candidate}, state.words)
                try:
                    state = self._fixed(self._written(state.left, fixed, {}))
                    break
                except _No:
                    continue
            else:
                return _OPEN
        return Found(Verdict.YES, self._point(state))

    # -------------------------------------------------------------- forms

    def kind(self, name: str) -> Kind:
        """What kind of value an open one is."""
        return self._opens[name].kind

    def form(self, comparison: Term) -> _Form:
        """A comparison of numbers as a sum that is compared with 0."""
        found = self._forms.get(comparison)
        if found is None:
            found = self._forms[comparison] = self._formed(comparison)
        return found

    def _formed(self, comparison: Term) -> _Form:
        op = comparison.op
        left, right = comparison.args
        if op in (">", ">="):
            left, right, op = right, left, _SWAPPED[op]
        parts: dict[Term, Number] = {}
        plain: Number = 0
        stack: list[tuple[Value, Number]] = [(left, 1), (right, -1)]
        while stack:
            item, times = stack.pop()
            if not isinstance(item, Term):
                assert not isinstance(item, str)
                plain += times * item
                continue
            args = item.args
            if item.op in ("+", "-"):
                stack += [(args[0], times), (args[1], times if item.op == "+" else -times)]
            elif item.op == "neg":
                stack.append((args[0], -times))
            elif item.op == "*" and (factor := _number(args[0])) is not None:
                stack.append((args[1], times * factor))
            elif item.op == "*" and (factor := _number(args[1])) is not None:
                stack.append((args[0], times * factor))
            elif item.op == "/" and (factor := _number(args[1])):
                stack.append((args[0], times / Fraction(factor)))
            else:
                parts[item] = parts.get(item, 0) + times
        found = tuple((part, times) for part, times in parts.items() if times != 0)
        steps = all(
            (isinstance(times, int) or times.denominator == 1) and self.is_whole(part)
            for part, times in found
        )
        return _Form(op, found, plain, steps and plain == math.floor(plain))

    def is_whole(self, value: Value) -> bool:
        """Whether a number is certainly a whole one."""
        if not isinstance(value, Term):
            return isinstance(value, int)
        found = self._is_whole.get(value)
        if found is None:
            if value.op == "knob":
                found = self._opens[str(value.args[0])].kind == "whole"
            elif value.op in ("floor", "ceil", "div"):
                found = True
            elif value.op == "/":
                found = False
            else:
                found = all(map(self.is_whole, value.args[1:] if value.op == "if" else value.args))
            self._is_whole[value] = found
        return found


def _number(value: Value) -> Number | None:
    return value if isinstance(value, int | Fraction) and not isinstance(value, bool) else None


def _between(name: str, low: Number | None, high: Number | None) -> Value:
    return low if low is not None and low == high else knob(name, low, high)


# ------------------------------------------------------------------ conditions


def _flatten(value: Value, holds: bool, into: _Conditions) -> None:
    """Add what must be so for a condition to hold, or to fail, in parts. Raises `_No` where it cannot."""
    stack = [(value, holds)]
    while stack:
        item, holds = stack.pop()
        if isinstance(item, bool):
            if item is not holds:
                raise _No
            continue
        assert isinstance(item, Term)
        op, args = item.op, item.args
        if op == "not":
            stack.append((args[0], not holds))
        elif op == ("and" if holds else "or"):
            stack += [(arg, holds) for arg in reversed(args)]
        elif op == "if" and any(isinstance(arg, bool) for arg in args[1:]):
            condition, then, otherwise = args
            either = conjunction(disjunction(negation(condition), then), disjunction(condition, otherwise))
            stack.append((either, holds))
        elif op in _COMPARISONS:
            if any(isinstance(arg, bool) for arg in args):
                plain, other = args if isinstance(args[0], bool) else (args[1], args[0])
                stack.append((other, (plain is (op == "==")) is holds))
                continue
            if not holds:
                negated = negation(item)
                assert isinstance(negated, Term)
                item = negated
            parts = _parts(item)
            if parts is None:
                into[item] = None
            else:
                stack += [(part, True) for part in reversed(parts)]
        elif not holds and op == "and":
            stack.append((disjunction(*map(negation, args)), True))
        else:
            into[item if holds else negation(item)] = None


def _parts(comparison: Term) -> tuple[Value, ...] | None:
    """The same said of the parts of what is compared; None where there is no plainer way to say it."""
    left, right = comparison.args
    op = comparison.op
    if not isinstance(left, Term) or (left.op not in _PLAINER and isinstance(right, Term)):
        left, right, op = right, left, _SWAPPED[op]
    if not isinstance(left, Term) or left.op not in _PLAINER:
        return None
    inner = left.args
    if left.op in ("min", "max"):
        if op in ((">", ">=") if left.op == "min" else ("<", "<=")):
            return apply(op, inner[0], right), apply(op, inner[1], right)
        return None
    number = _number(right)
    if left.op == "/":
        below = inner[1].low if isinstance(inner[1], Term) else None
        if below is None or below <= 0:
            return None
        return (apply(op, inner[0], apply("*", right, inner[1])),)
    if number is None:
        return None
    if left.op == "abs":
        if op in ("<", "<="):
            return apply(op, inner[0], number), apply(_SWAPPED[op], inner[0], -number)
        if op in (">", ">="):
            return (disjunction(apply(op, inner[0], number), apply(_SWAPPED[op], inner[0], -number)),)
        return None
    if left.op == "ceil":
        return _ceiled(op, inner[0], number)
    times: Value = 1
    if left.op == "div":
        times = inner[1]
        below = times.low if isinstance(times, Term) else _number(times)
        if below is None or below <= 0:
            return None
    return _floored(op, inner[0], number, times)


_PLAINER = frozenset(("min", "max", "floor", "ceil", "div", "/", "abs"))


def _floored(op: str, of: Value, number: Number, times: Value) -> tuple[Value, ...] | None:
    """What a comparison of floor(of / times) with a number says of `of`, where `times` is above 0."""
    least = math.ceil(number) if op in (">=", "<", "==") else math.floor(number) + 1
    end = apply("*", times, least)
    if op in (">=", ">"):
        return (apply(">=", of, end),)
    if op in ("<", "<="):
        return (apply("<", of, end),)
    if op == "==":
        if number != least:
            return (False,)
        return apply(">=", of, end), apply("<", of, apply("*", times, least + 1))
    return None


def _ceiled(op: str, of: Value, number: Number) -> tuple[Value, ...] | None:
    """What a comparison of the next whole number with a number says."""
    most = math.floor(number) if op in ("<=", ">", "==") else math.ceil(number) - 1
    if op in ("<=", "<"):
        return (apply("<=", of, most),)
    if op in (">", ">="):
        return (apply(">", of, most),)
    if op == "==":
        return (apply("<=", of, most), apply(">", of, most - 1)) if number == most else (False,)
    return None


@dataclass(frozen=True, slots=True)
class _Form:
    """A sum of `parts`, each so many times, and of a plain number; `op` compares it with 0.

    It takes `steps` of whole numbers or not.
    """

    op: str
    parts: tuple[tuple[Term, Number], ...]
    plain: Number
    steps: bool


class _Changes:
    """What the conditions of one state say of its values: narrower bounds, and conditions that are left."""

    def __init__(self, search: _Search, state: _State) -> None:
        self._search = search
        self._state = state
        self.left: _Conditions = {}
        self.settings: dict[str, Value] = {}
        self.words: dict[str, tuple[str, ...]] = {}
        self.memo: dict[Term, Value] = {}

    def by(self, condition: Value) -> None:
        """Take a condition in. Raises `_No` where nothing makes it hold."""
        assert isinstance(condition, Term)
        op = condition.op
        if op == "knob":
            self._truth(str(condition.args[0]), True)
        elif op == "not" and isinstance(of := condition.args[0], Term) and of.op == "knob":
            self._truth(str(of.args[0]), False)
        elif op in _COMPARISONS:
            sort = self._sort(condition)
            if sort == "number":
                self._number(condition)
            elif sort == "word":
                self._word(condition)
            else:
                self.left[condition] = None
        else:
            self.left[condition] = None

    def _truth(self, name: str, value: bool) -> None:
        if self.settings.setdefault(name, value) is not value:
            raise _No

    def _sort(self, value: Value) -> str:
        """What is compared: numbers, words or truths."""
        assert isinstance(value, Term)
        for arg in value.args[1:] if value.op == "if" else value.args:
            if isinstance(arg, str):
                return "word"
            if isinstance(arg, bool):
                return "truth"
            if isinstance(arg, Term):
                if arg.op == "knob":
                    kind = self._search.kind(str(arg.args[0]))
                    return kind if kind in ("word", "truth") else "number"
                if arg.op in _TRUTHS:
                    return "truth"
                if arg.op == "if":
                    return self._sort(arg)
                return "number"
        return "number"

    def _word(self, condition: Term) -> None:
        item, word = condition.args
        if isinstance(item, str):
            item, word = word, item
        if not isinstance(word, str) or not isinstance(item, Term) or item.op != "knob":
            self.left[condition] = None
            return
        name = str(item.args[0])
        left = self.words.get(name, self._state.words[name])
        kept = tuple(one for one in left if (one == word) is (condition.op == "=="))
        if not kept:
            raise _No
        for one in left:
            if one not in kept:
                for args in ((item, one), (one, item)):
                    for op in ("==", "!="):
                        term = apply(op, *args)
                        assert isinstance(term, Term)
                        self.memo[term] = op == "!="
        self.words[name] = kept
        if len(kept) == 1:
            self.settings[name] = kept[0]

    def _number(self, condition: Term) -> None:
        form = self._search.form(condition)
        if form.op == "!=":
            needed = self._other(form)
        elif form.op == "==":
            needed = self._at_most(form, form.parts, form.plain, strict=False)
            turned = tuple((part, -times) for part, times in form.parts)
            needed = self._at_most(form, turned, -form.plain, strict=False) or needed
        else:
            needed = self._at_most(form, form.parts, form.plain, strict=form.op == "<")
        if needed:
            self.left[condition] = None

    def _other(self, form: _Form) -> bool:
        """A sum that is not 0; whether the bounds leave that open."""
        if not form.parts:
            if form.plain == 0:
                raise _No
            return False
        low, high = _sum(form)
        if (low is not None and low > 0) or (high is not None and high < 0):
            return False
        if low == 0 == high:
            raise _No
        if len(form.parts) > 1 or form.parts[0][0].op != "knob":
            return True
        part, times = form.parts[0]
        name = str(part.args[0])
        if self._search.kind(name) != "whole":
            return True
        left_out = whole(Fraction(-form.plain) / times)
        if not isinstance(left_out, int):
            return False
        if part.low == left_out:
            self._bound(part, left_out + 1, None)
            return False
        if part.high == left_out:
            self._bound(part, None, left_out - 1)
            return False
        return True

    def _at_most(
        self, form: _Form, parts: tuple[tuple[Term, Number], ...], plain: Number, *, strict: bool
    ) -> bool:
        """A sum that is at most 0, or below it; whether the bounds leave that open."""
        if strict and form.steps:
            plain, strict = plain + 1, False
        lows = [_times(part, times)[0] for part, times in parts]
        highs = [_times(part, times)[1] for part, times in parts]
        missing = sum(low is None for low in lows)
        least = plain + sum(low for low in lows if low is not None)
        if not missing and (least > 0 or (strict and least == 0)):
            raise _No
        if None not in highs:
            most = plain + sum(high for high in highs if high is not None)
            if most < 0 or (most == 0 and not strict):
                return False
        one = len(parts) == 1
        for (part, times), low in zip(parts, lows, strict=True):
            if missing > (low is None):
                continue
            rest = least - (0 if low is None else low)
            end = whole(Fraction(-rest) / times)
            if self._search.is_whole(part):
                end = _stepped(end, strict=strict, up=times < 0)
            if part.op == "knob":
                self._bound(part, None if times > 0 else end, end if times > 0 else None)
                if one and (not strict or self._search.is_whole(part)):
                    return False  # the bound says it all
            elif part.op == ("max" if times > 0 else "min"):
                _flatten(apply("<=" if times > 0 else ">=", part, end), True, self.left)
        return True

    def _bound(self, part: Term, low: Number | None, high: Number | None) -> None:
        """A value's bounds, with what other conditions said of it before."""
        name = str(part.args[0])
        known = self.settings.get(name, part)
        if isinstance(known, Term):
            old_low, old_high = known.low, known.high
        else:
            assert not isinstance(known, str)
            old_low = old_high = known
        tighter = False
        if low is None or (old_low is not None and old_low >= low):
            low = old_low
        else:
            tighter = True
        if high is None or (old_high is not None and old_high <= high):
            high = old_high
        else:
            tighter = True
        if low is not None and high is not None and low > high:
            raise _No
        if tighter:
            self.settings[name] = _between(name, low, high)


def _stepped(end: Number, *, strict: bool, up: bool) -> int:
    """The last whole number on the way down to an end, or up to it; one before it, if the end is left out."""
    if up:
        return math.floor(end) + 1 if strict else math.ceil(end)
    return math.ceil(end) - 1 if strict else math.floor(end)


def _times(part: Term, times: Number) -> tuple[Number | None, Number | None]:
    """The bounds of a part of a sum."""
    low = None if part.low is None else part.low * times
    high = None if part.high is None else part.high * times
    return (low, high) if times > 0 else (high, low)


def _sum(form: _Form) -> tuple[Number | None, Number | None]:
    """The bounds of a sum."""
    low: Number | None = form.plain
    high: Number | None = form.plain
    for part, times in form.parts:
        least, most = _times(part, times)
        low = None if low is None or least is None else low + least
        high = None if high is None or most is None else high + most
    return low, high


# ------------------------------------------------------------------ what to take to be so


@dataclass(frozen=True, slots=True)
class _Choice:
    """A condition that may hold or not, with what certain terms are then."""

    condition: Value
    then: dict[Term, Value]
    otherwise: dict[Term, Value]


def _choice(conditions: _Conditions) -> _Choice | None:
    """What decides most of the first condition that can be decided so; None where there is none."""
    for condition in conditions:
        assert isinstance(condition, Term)
        if condition.op == "or":
            return _whether(condition.args[0])
        inner = _open_inside(condition)
        if inner is not None:
            return inner
    return None


def _whether(condition: Value) -> _Choice:
    assert isinstance(condition, Term)
    opposite = negation(condition)
    assert isinstance(opposite, Term)
    return _Choice(condition, {condition: True, opposite: False}, {condition: False, opposite: True})


def _open_inside(condition: Term) -> _Choice | None:
    """What a comparison, or a choice between truths, depends on."""
    least: Term | None = None
    seen: set[Term] = set()
    stack: list[Value] = [condition]
    while stack:
        item = stack.pop()
        if not isinstance(item, Term) or item in seen:
            continue
        seen.add(item)
        if item.op == "if":
            return _whether(item.args[0])
        if item is not condition and item.op in _TRUTHS:
            return _whether(item)
        if item.op in ("min", "max", "abs") and least is None:
            least = item
        stack.extend(reversed(item.args))
    if least is None:
        return None
    a = least.args[0]
    b = least.args[1] if least.op != "abs" else 0
    if least.op == "abs":
        return _Choice(apply("<=", a, 0), {least: apply("neg", a)}, {least: a})
    lesser, larger = (a, b) if least.op == "min" else (b, a)
    return _Choice(apply("<=", a, b), {least: lesser}, {least: larger})
