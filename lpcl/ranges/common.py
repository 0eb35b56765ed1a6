"""A space that all questions about one declaration share, for the answers that are plain.

What they have in common, such as the values of controls and what is assumed, is worked out once. A question
concerns the open values that it reads, and those that are bound to them, also through others.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from lpcl.compose.solver import Verdict
from lpcl.compose.sound import sound
from lpcl.compose.terms import Plain, Term, Value, holds, knobs_of
from lpcl.ranges.narrow import searched
from lpcl.ranges.space import Space
from lpcl.ranges.usual import Usual


class Common:
    """The space, and what is known of it by now. It is of no use any more once something in it has failed."""

    def __init__(self) -> None:
        self.space = Space()
        self.failed = False
        self._usual = Usual(self.space)
        self._bindings: list[tuple[Value, frozenset[str]]] = []
        self._sound: dict[Term, Value] = {}
        self._shown: deque[dict[str, Plain]] = deque(maxlen=4)  # values for which earlier conditions held

    def plainly(self, asked: Value) -> Verdict:
        """Whether a condition over the space can hold, as far as bounds and a few values decide it.

        Raises `Refusal` and `TooLarge`, after which it has failed.
        """
        if asked is False:
            return Verdict.NO
        values = self._learnt()
        if self.failed:
            return Verdict.UNDECIDED
        conditions: list[Value] = [asked, sound(asked, self._sound)]
        reached = set(knobs_of(asked))
        left = self._bindings
        while True:
            further = []
            for item in left:
                if item[1].isdisjoint(reached):
                    further.append(item)
                else:
                    conditions.append(item[0])
                    reached |= item[1]
            if len(further) == len(left):
                break
            left = further
        if conditions[1] is False:
            return Verdict.NO
        opens = {name: self.space.free[name] for name in self._in_order(reached)}
        if all(item.takes(values[name]) for name, item in opens.items()) and all(
            holds(condition, values) for condition in conditions
        ):
            return Verdict.YES
        for shown in self._shown:
            if shown.keys() >= opens.keys() and all(holds(condition, shown) for condition in conditions):
                return Verdict.YES
        found = searched(conditions, opens, values, bounded=True)
        if found.values is not None:
            self._shown.appendleft({name: found.values[name] for name in opens})
        return found.verdict

    def _in_order(self, names: set[str]) -> Iterable[str]:
        return [name for name in self.space.free if name in names]

    def _learnt(self) -> dict[str, Plain]:
        """What is usual, and what binds values, of all that was met by now."""
        self.failed = True
        values = self._usual.values()
        known = len(self._bindings)
        for condition in self.space.conditions()[known:]:
            self._bindings.append((condition, knobs_of(condition)))
        # A bound that nothing meets concerns values of which nobody knows which they are.
        self.failed = any(condition is False for condition, _ in self._bindings[known:])
        return values
