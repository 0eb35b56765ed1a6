"""Machines whose figures are free within ranges: as terms, as conditions, and each one by itself.

A free figure is a whole number of steps: CPUs one by one, a quota in hundredths of a CPU, memory byte by
byte. So every machine in range is one of finitely many, and every boundary is exact.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from lpcl.compose.machine import MachineView
from lpcl.compose.terms import Number, Plain, Value, apply, knob, whole
from lpcl.model.machine import AT_MOST, FACTS
from lpcl.model.program import Origin

_MIB, _GIB, _TIB = 2**20, 2**30, 2**40

NATURAL: dict[str, tuple[Number, Number]] = {
    "cpus.online": (1, 1024),
    "cpus.affinity": (1, 1024),
    "cpus.quota": (Fraction(1, 100), 1024),
    "cpus.physical": (1, 1024),
    "memory.total": (256 * _MIB, 16 * _TIB),
    "memory.limit": (64 * _MIB, 16 * _TIB),
    "memory.bandwidth": (10**9, 2 * 10**12),
    "shm": (64 * _MIB, 8 * _TIB),
    "gpus": (0, 16),
    "gpu.memory": (_GIB, 512 * _GIB),
    "limits.files": (256, 2**20),
    "limits.threads": (1024, 2**22),
    "limits.processes": (1024, 2**22),
    "limits.address_space": (_GIB, 2**47),
    "limits.locked_memory": (64 * 2**10, 16 * _TIB),
}
"""The least and the largest figures of machines that people have, in base units."""

STEPS: dict[str, Number] = {"cpus.quota": Fraction(1, 100)}
"""What a figure is a multiple of, where that is not 1: of a quota, the least that Linux grants."""


@dataclass(frozen=True, slots=True)
class Free:
    """A figure of the machine that is free, as so many of its steps: `low`..`high`.

    `origin` is the clause that states the range, None where it is the natural one or comes from the command
    line.
    """

    path: str
    low: int
    high: int
    origin: Origin | None = None

    @property
    def id(self) -> str:
        """The name under which terms know its number of steps."""
        return f"machine:{self.path}"

    @property
    def step(self) -> Number:
        """The amount of one step, in the figure's base unit."""
        return STEPS.get(self.path, 1)

    def term(self) -> Value:
        """Its amount, open."""
        return apply("*", knob(self.id, self.low, self.high), self.step)

    def amount(self, steps: int) -> Number:
        """The amount of so many steps, in the figure's base unit."""
        return whole(steps * self.step)


def free(path: str, low: Number, high: Number, origin: Origin | None = None) -> Free:
    """The figure `path` between two amounts; only whole numbers of steps lie in it, perhaps none."""
    step = Fraction(STEPS.get(path, 1))
    return Free(path, math.ceil(low / step), math.floor(high / step), origin)


def natural(path: str) -> Free:
    """A figure within the range of machines that people have."""
    return free(path, *NATURAL[path])


@dataclass(frozen=True, eq=False)
class Machines:
    """All machines that have the figures of `base`, and the `figures` within their ranges."""

    base: MachineView
    figures: tuple[Free, ...]

    def open(self) -> MachineView:
        """The machine with its free figures as terms."""
        return self._open

    @cached_property
    def _open(self) -> MachineView:
        return self._with({item.path: item.term() for item in self.figures})

    def at(self, steps: Mapping[str, int]) -> MachineView:
        """One of the machines, by how many steps each free figure has (by the ids of figures)."""
        return self._with({item.path: item.amount(steps[item.id]) for item in self.figures})

    def _with(self, figures: Mapping[str, Value]) -> MachineView:
        origins = {item.path: item.origin for item in self.figures if item.origin is not None}
        return MachineView(
            self.base.name,
            {**self.base.facts, **figures},
            {**self.base.origins, **origins},
            self.base.sources,
            self.base.pin,
        )

    def conditions(self) -> tuple[Value, ...]:
        """What makes a choice of figures a machine in range: the ranges, and what no machine has more of."""
        found: list[Value] = []
        for item in self.figures:
            # Bounds that a term knows are not conditions yet: the solver needs them said.
            steps = knob(item.id)
            found += [apply(">=", steps, item.low), apply("<=", steps, item.high)]
        view = self.open()
        for part, of in AT_MOST.items():
            if part in view.facts and (most := view.fact(of)) is not None:
                found.append(apply("<=", view.facts[part], most))
        return tuple(one for one in found if one is not True)

    def figure(self, name: str) -> Free:
        """The free figure that terms know by `name`."""
        return next(item for item in self.figures if item.id == name)

    def named(self, steps: Mapping[str, Plain]) -> Mapping[str, Number]:
        """The amounts of free figures by their paths, from the values of terms."""
        found: dict[str, Number] = {}
        for item in self.figures:
            value = steps[item.id]
            assert isinstance(value, int)
            found[item.path] = item.amount(value)
        return found


def any_machine(base: MachineView, stated: Sequence[Free] = ()) -> Machines:
    """All machines, but for the figures of `base` and the ranges that are `stated`.

    Free beyond these are the figures that follow from no other one, each in its natural range.
    """
    held = {*base.facts, *(item.path for item in stated)}
    others = (natural(path) for path, kind in FACTS.items() if kind.follows is None and path not in held)
    return Machines(base, in_order((*stated, *others)))


def in_order(figures: Iterable[Free]) -> tuple[Free, ...]:
    """Figures in the order in which the language reference lists them."""
    order = list(FACTS)
    return tuple(sorted(figures, key=lambda item: order.index(item.path)))
