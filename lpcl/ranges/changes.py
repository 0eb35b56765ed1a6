"""What conditions say of the values in them: narrower bounds, fewer words, and what is left to be decided."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from lpcl.compose.terms import Number, Term, Value, apply, knob, whole
from lpcl.ranges.apart import COMPARISONS, TRUTHS, Conditions, Impossible, flatten
from lpcl.ranges.forms import Form, Forms, bounds_of_part, bounds_of_sum


@dataclass(frozen=True, slots=True)
class State:
    """Conditions that are left, and what is known of the open values: plain, or within narrower bounds."""

    left: Conditions
    known: Mapping[str, Value]
    words: Mapping[str, tuple[str, ...]]


class Changes:
    """What the conditions of one state say of its values: narrower bounds, and conditions that are left."""

    def __init__(self, forms: Forms, state: State) -> None:
        self._forms = forms
        self._state = state
        self.left: Conditions = {}
        self.settings: dict[str, Value] = {}
        self.words: dict[str, tuple[str, ...]] = {}
        self.memo: dict[Term, Value] = {}

    def by(self, condition: Value) -> None:
        """Take a condition in. Raises `Impossible` where nothing makes it hold."""
        assert isinstance(condition, Term)
        op = condition.op
        if op == "knob":
            self._truth(str(condition.args[0]), True)
        elif op == "not" and isinstance(of := condition.args[0], Term) and of.op == "knob":
            self._truth(str(of.args[0]), False)
        elif op in COMPARISONS:
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
            raise Impossible

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
                    kind = self._forms.kind(str(arg.args[0]))
                    return kind if kind in ("word", "truth") else "number"
                if arg.op in TRUTHS:
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
            raise Impossible
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
        form = self._forms.form(condition)
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

    def _other(self, form: Form) -> bool:
        """A sum that is not 0; whether the bounds leave that open."""
        if not form.parts:
            if form.plain == 0:
                raise Impossible
            return False
        low, high = bounds_of_sum(form)
        if (low is not None and low > 0) or (high is not None and high < 0):
            return False
        if low == 0 == high:
            raise Impossible
        if len(form.parts) > 1 or form.parts[0][0].op != "knob":
            return True
        part, times = form.parts[0]
        name = str(part.args[0])
        if self._forms.kind(name) != "whole":
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
        self, form: Form, parts: tuple[tuple[Term, Number], ...], plain: Number, *, strict: bool
    ) -> bool:
        """A sum that is at most 0, or below it; whether the bounds leave that open."""
        if strict and form.steps:
            plain, strict = plain + 1, False
        lows = [bounds_of_part(part, times)[0] for part, times in parts]
        highs = [bounds_of_part(part, times)[1] for part, times in parts]
        missing = sum(low is None for low in lows)
        least = plain + sum(low for low in lows if low is not None)
        if not missing and (least > 0 or (strict and least == 0)):
            raise Impossible
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
            if self._forms.is_whole(part):
                end = _stepped(end, strict=strict, up=times < 0)
            if part.op == "knob":
                self._bound(part, None if times > 0 else end, end if times > 0 else None)
                if one and (not strict or self._forms.is_whole(part)):
                    return False  # the bound says it all
            elif part.op == ("max" if times > 0 else "min"):
                flatten(apply("<=" if times > 0 else ">=", part, end), True, self.left)
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
            raise Impossible
        if tighter:
            self.settings[name] = between(name, low, high)


def _stepped(end: Number, *, strict: bool, up: bool) -> int:
    """The last whole number on the way down to an end, or up to it; one before it, if the end is left out."""
    if up:
        return math.floor(end) + 1 if strict else math.ceil(end)
    return math.ceil(end) - 1 if strict else math.floor(end)


def between(name: str, low: Number | None, high: Number | None) -> Value:
    """An open number between bounds, or the number where only one is left."""
    return low if low is not None and low == high else knob(name, low, high)
