"""What open values are where nothing sets them, on a machine that is like many others."""

from __future__ import annotations

from lpcl.compose.terms import DivisionByZero, Plain, Term, Value, settle
from lpcl.ranges.space import Free, Space

_CPUS = 8
"""Of a machine that is like many others."""


class Usual:
    """What is usual of all that a space has met, each worked out once."""

    def __init__(self, space: Space) -> None:
        self._space = space
        self._asked: set[str] = set()
        self._values: dict[str, Plain] = {"machine.cpus.online": _CPUS}
        self.terms: dict[str, Value] = {}

    def learn(self) -> None:
        """Ask all that was met what it is usually; what that is computed from is then open, too.

        Raises what a value raises that cannot be worked out.
        """
        free = self._space.free
        while len(self._asked) < len(free):
            for item in [item for item in free.values() if item.id not in self._asked]:
                self._asked.add(item.id)
                usual = item.usual()
                if usual is not None:
                    self.terms[item.id] = usual
            self._space.conditions()

    def values(self) -> dict[str, Plain]:
        """All of it as plain values, by id. Raises what `learn` does."""
        self.learn()
        waiting = [item for item in self._space.free.values() if item.id not in self._values]
        for item in waiting:
            if item.id not in self.terms:
                self._values[item.id] = _first(item)
        for _ in range(3):
            for item in waiting:
                if item.id not in self._values:
                    try:
                        found = settle(self.terms[item.id], self._values)
                    except DivisionByZero:
                        continue
                    if not isinstance(found, Term):
                        self._values[item.id] = found
        for item in waiting:
            if item.id not in self._values:
                self._values[item.id] = _first(item)
        return self._values


def _first(item: Free) -> Plain:
    return next(iter(item.candidates), 0)
