"""The open values of a question: each with its bounds, what binds it to others, and plain values to try."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from lpcl.compose.terms import Number, Plain, Term, Value, apply, disjunction, knob
from lpcl.model.quantities import PLAIN, Dimension

Kind = Literal["whole", "fraction", "truth", "word"]
Group = Literal["machine", "control", "argument", "circumstance"]


@dataclass(frozen=True, slots=True)
class Free:
    """One thing that is not fixed. `label` is how the reader knows it, `group` what it is.

    `first` are values to try, the plainest first; `usual` gives what it is where nothing sets it, None where
    nothing says so. A text whose value matters to nobody is `OTHER_TEXT`.
    """

    id: str
    label: str
    group: Group
    kind: Kind
    low: Number | None = None
    high: Number | None = None
    dimension: Dimension = PLAIN
    words: tuple[str, ...] = ()
    text: bool = False
    first: tuple[Plain, ...] = ()
    usual: Callable[[], Value | None] = field(default=lambda: None, compare=False)

    @property
    def candidates(self) -> tuple[Plain, ...]:
        """Values to try, the plainest first, all within the bounds."""
        if self.kind == "truth":
            return (False, True)
        if self.kind == "word":
            return self.words
        ends = [end for end in (self.low, self.high) if end is not None]
        return tuple(
            one
            for one in dict.fromkeys([*self.first, *ends])
            if not isinstance(one, str)
            and (self.low is None or self.low <= one)
            and (self.high is None or one <= self.high)
        )

    def takes(self, value: Plain) -> bool:
        """Whether a value lies within the bounds, or is one of the words."""
        if self.kind == "truth":
            return isinstance(value, bool)
        if self.kind == "word":
            return value in self.words
        return (
            not isinstance(value, str)
            and (self.low is None or self.low <= value)
            and (self.high is None or value <= self.high)
            and (self.kind == "fraction" or value == math.floor(value))
        )


OTHER_TEXT = "another text"


class Space:
    """What is open, by id, in the order in which it was met. With `values` nothing is open.

    `depth` is how deep the evaluation of expressions over it has come.
    """

    def __init__(self, values: Mapping[str, Plain] | None = None) -> None:
        self.values = values
        self.free: dict[str, Free] = {}
        self.depth = 0
        self._terms: dict[str, Value] = {}
        self._conditions: list[Callable[[], Value]] = []
        self._done: list[Value] = []

    def known(self, id: str) -> Value | None:
        """The value of something that was met before."""
        return self._terms.get(id)

    def value(self, item: Free) -> Value:
        """The value of `item`: an open one, or what it is fixed to."""
        found = self._terms.get(item.id)
        if found is not None:
            return found
        self.free[item.id] = item
        if self.values is not None:
            made: Value = self.values[item.id]
        else:
            made = knob(item.id, item.low, item.high)
        self._terms[item.id] = made
        return made

    def limits(self) -> Iterator[Value]:
        """What each open value alone must be: within its bounds, or one of its words."""
        for item in self.free.values():
            made = self._terms[item.id]
            if item.kind == "word":
                yield disjunction(*(apply("==", made, word) for word in item.words))
            elif item.kind != "truth":
                for op, end in ((">=", item.low), ("<=", item.high)):
                    if end is not None:
                        yield bound(op, made, end)

    def bind(self, condition: Callable[[], Value]) -> None:
        """From now on this must hold. It is worked out when the conditions are asked for."""
        self._conditions.append(condition)

    def conditions(self) -> list[Value]:
        """All that binds values to others, of what was met by now and of what that leads to."""
        while self._conditions:
            waiting, self._conditions = self._conditions, []
            self._done.extend(condition() for condition in waiting)
        return self._done


def bound(op: str, value: Value, end: Value | None) -> Value:
    """A bound as a condition of its own: what an open value knows of its bounds would make it true."""
    assert end is not None
    return Term(op, (value, end)) if isinstance(value, Term) else apply(op, value, end)
