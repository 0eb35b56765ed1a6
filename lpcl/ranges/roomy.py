"""Machines with room: that fixed amounts do not fit into a small one says nothing about a contract."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from lpcl.compose.machine import MachineView
from lpcl.compose.machines import Machines, free, in_order
from lpcl.compose.solver import Solver, Verdict
from lpcl.compose.terms import Number, Plain, Value, apply, conjunction, knob, knobs_of
from lpcl.ranges.figures import FIGURES
from lpcl.ranges.narrow import Found, limits, narrowed
from lpcl.ranges.question import WORK
from lpcl.ranges.space import Free

_GIB = 2**30
_ROOM: dict[str, Number] = {
    "memory.total": 64 * _GIB,
    "memory.limit": 64 * _GIB,
    "memory.bandwidth": 10**10,
    "shm": 8 * _GIB,
    "gpus": 1,
    "gpu.memory": 16 * _GIB,
}
_PER_CPU = {"memory.total": 4 * _GIB, "memory.limit": 4 * _GIB, "shm": 512 * 2**20}
"""What a roomy machine has for each of its CPUs."""

_TRIED: tuple[Mapping[str, int], ...] = (
    {"cpus.online": 8},
    {"cpus.online": 1},
    {"cpus.online": 8, "cpus.affinity": 4},
    {"cpus.online": 8, "cpus.quota": 2},
)

Figures = Mapping[str, int]
"""Of one machine, by their ids, in steps."""


@dataclass(frozen=True, eq=False)
class Roomy:
    """Machines with room on which the figures of these paths are free; the others follow from them."""

    paths: tuple[str, ...]

    @cached_property
    def machines(self) -> Machines:
        """All of them, and smaller ones."""
        stated = [free(path, _ROOM.get(path, FIGURES[path].low), FIGURES[path].high) for path in self.paths]
        return Machines(MachineView("a machine", {}, {}), in_order(stated))

    @cached_property
    def conditions(self) -> tuple[Value, ...]:
        """What makes one of them of the machines: the ranges, and the room for each CPU."""
        view = self.machines.open()
        room = [
            apply(">=", view.facts[path], apply("*", view.facts["cpus.online"], _PER_CPU[path]))
            for path in self.paths
            if path in _PER_CPU
        ]
        return (*self.machines.conditions(), *room)

    @cached_property
    def typical(self) -> tuple[Figures | None, ...]:
        """A few machines; None for those of which a figure is not free here. The first is always there."""
        return tuple(self.machine(cpus) if cpus.keys() <= set(self.paths) else None for cpus in _TRIED)

    def machine(self, tried: Mapping[str, int]) -> Figures:
        """The machine with these amounts, by path, and of all else the least."""
        figures: dict[str, int] = {}
        for item in self.machines.figures:
            if item.path in tried:
                figures[item.id] = int(tried[item.path] / item.step)
            elif item.path in ("cpus.affinity", "cpus.quota"):
                figures[item.id] = int(tried["cpus.online"] / item.step)
            else:
                figures[item.id] = max(item.low, _PER_CPU.get(item.path, 0) * tried["cpus.online"])
        return figures

    @cached_property
    def open(self) -> Mapping[str, Free]:
        """The figures that are free, by id, each with steps that a person would try first."""
        return {
            item.id: Free(
                item.id,
                item.path,
                "machine",
                "whole",
                item.low,
                item.high,
                first=tuple(int(amount / item.step) for amount in FIGURES[item.path].first),
            )
            for item in self.machines.figures
        }

    def least_room(self, path: str, cpus: Number) -> Number:
        """The room that a machine has at least."""
        return max(_ROOM.get(path, FIGURES[path].low), _PER_CPU.get(path, 0) * cpus)

    def named(self, figures: Figures) -> Mapping[str, Number]:
        """The machine's CPUs, and what else is more than the room that it has at least."""
        named = self.machines.named(figures)
        cpus = named["cpus.online"]
        return {
            path: value
            for path, value in named.items()
            if path.startswith("cpus.") or value != max(_ROOM.get(path, 0), _PER_CPU.get(path, 0) * cpus)
        }


PLAIN = Roomy(("cpus.online", "memory.total", "memory.bandwidth", "shm", "gpus", "gpu.memory"))
"""Machines that nothing narrows."""

NARROWED = Roomy((*PLAIN.paths, "cpus.affinity", "cpus.quota", "memory.limit"))


class Search:
    """Looks for a roomy machine on which conditions hold; the solver is asked where that is not plain.

    What the conditions leave open beside the machine is true or false where it is among the `truths`, else a
    whole number.
    """

    def __init__(self, roomy: Roomy, truths: frozenset[str] = frozenset()) -> None:
        self._roomy = roomy
        self._truths = truths

    @cached_property
    def _solver(self) -> Solver:
        made = Solver(self._truths, frozenset(), WORK)
        for condition in self._roomy.conditions:
            made.add(condition)
        return made

    def check(self, *assumed: Value) -> Verdict:
        """Whether the conditions hold on one of the machines."""
        return self._found(assumed).verdict

    def _found(self, assumed: tuple[Value, ...]) -> Found:
        conditions = self._all(assumed)
        plainly = narrowed(conditions, *self._open(conditions))
        return plainly if plainly.verdict is not Verdict.UNDECIDED else Found(self._solver.check(*assumed))

    def plainest(self, *assumed: Value) -> Figures:
        """Such a machine, with figures that a person would try where they do, else the least that there are.

        There has to be one.
        """
        chosen: list[Value] = []
        figures: dict[str, int] = {}
        shown: Mapping[str, Plain] = {}  # a machine on which all that is chosen holds
        for item in self._roomy.open.values():
            term = knob(item.id)
            conditions = (*assumed, *chosen)
            every = self._all(conditions)
            low, high = limits(every, *self._open(every))[item.id]
            within = replace(item, low=low, high=high)
            for steps in self._candidates(within, figures):
                if shown.get(item.id) == steps:
                    break
                found = self._found((*conditions, apply("==", term, steps)))
                if found.verdict is Verdict.YES:
                    shown = found.values or {}
                    break
            else:
                steps = self._least(within, conditions)
                shown = {}
            figures[item.id] = steps
            chosen.append(apply("==", term, steps))
        return figures

    def _all(self, assumed: tuple[Value, ...]) -> tuple[Value, ...]:
        return conjunction(*assumed), *self._roomy.conditions

    def _open(self, conditions: tuple[Value, ...]) -> tuple[Mapping[str, Free], Mapping[str, Plain]]:
        """All that is open, and what it is taken to be first."""
        opens = dict(self._roomy.open)
        typical = self._roomy.typical[0]
        assert typical is not None
        usual: dict[str, Plain] = {**typical}
        for name in sorted(knobs_of(conditions[0]) - opens.keys()):
            truth = name in self._truths
            opens[name] = Free(name, name, "circumstance", "truth" if truth else "whole")
            usual[name] = False if truth else 0
        return opens, usual

    def _candidates(self, item: Free, figures: Figures) -> Iterator[int]:
        machines = self._roomy.machines
        lows = {one.id: one.low for one in machines.figures}
        cpus = machines.named({**lows, **figures})["cpus.online"]
        step = machines.figure(item.id).step
        for steps in (*item.first, int(self._roomy.least_room(item.label, cpus) / step)):
            if item.takes(steps):
                assert isinstance(steps, int)
                yield steps

    def _least(self, item: Free, assumed: tuple[Value, ...]) -> int:
        low, high = item.low, item.high
        assert isinstance(low, int)
        assert isinstance(high, int)
        middle = low  # which bounds alone do not leave out
        while low < high:
            found = self._found((*assumed, apply("<=", knob(item.id), middle)))
            if found.verdict is Verdict.YES:
                shown = (found.values or {}).get(item.id)
                high = shown if isinstance(shown, int) and shown < middle else middle
            else:
                low = middle + 1
            middle = (low + high) // 2
        return low
