"""Every sum that a resource's capacity is held against: the whole machine, each process class, each
device.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from lpcl.compose.machine import MachineView
from lpcl.compose.measures import Bound, CpuMeasure, HeldMeasure, Measure, ProcessMeasure, ThreadMeasure
from lpcl.compose.resources import CPU, PROCESSES, THREADS, Resource, capacity_of
from lpcl.compose.structure import Held, Process, all_activities, processes, starter_id
from lpcl.compose.terms import Number, Term, Value, apply

MOST_DEVICES = 1024


def placed(where: str) -> str:
    """Where a sum is counted, as part of a sentence: ``in each of the workers of ...``, ``on device 0``."""
    process = where.removeprefix("process: ")
    if process == where:
        return f"on {where}"
    return f"in each of the {process}" if process.startswith("workers of ") else f"in {process}"


@dataclass(frozen=True, eq=False)
class Sum:
    """A measure over one scope against one capacity.

    `starter` is the id of the place that starts the process whose copies each have the capacity for
    themselves ('' for the root), None for the machine. `where` is the scope in words, and `there` whether the
    machine has it.
    """

    resource: Resource
    where: str
    capacity: Value
    starter: str | None
    device: int | None = None
    there: Value = True

    def measure(self, bound: Bound) -> Measure:
        """What is summed, by its lower or its upper bound."""
        follows = self.starter is None or self.resource.qualified == CPU
        if self.resource.qualified == CPU:
            return CpuMeasure(bound)
        if self.resource.qualified == THREADS:
            return ThreadMeasure(bound, follows)
        if self.resource.qualified == PROCESSES:
            return ProcessMeasure(bound, follows)
        return HeldMeasure(bound, follows, self.resource.qualified, self.device)


def sums(root: Process, machine: MachineView, declared: Mapping[str, Resource]) -> tuple[Sum, ...]:
    """The sums that matter for an application: those with a known capacity of a resource that it asks for."""
    demanded = _demanded(root)
    found: list[Sum] = []
    for qualified, resource in declared.items():
        counted = qualified in (CPU, THREADS, PROCESSES)
        if not counted and qualified not in demanded:
            continue
        capacity = capacity_of(resource, machine)
        if capacity is None:
            continue
        if resource.per == "process":
            found.extend(
                Sum(resource, f"process: {process.name}", capacity, starter_id(process))
                for process in processes(root)
                if process.condition is not False
            )
        elif resource.per == "device":
            found.extend(
                Sum(resource, f"device {device}", capacity, None, device, _has(machine, device))
                for device in _devices(demanded[qualified], machine)
            )
        else:
            found.append(Sum(resource, "machine", capacity, None))
        if qualified == CPU:
            found.extend(
                Sum(resource, f"process: {process.name}", process.cpus, starter_id(process))
                for process in processes(root)
                if process.pinned and process.condition is not False
            )
    return tuple(found)


def _has(machine: MachineView, device: int) -> Value:
    gpus = machine.fact("gpus")
    return apply("<", device, gpus) if isinstance(gpus, Term) else True


def unchecked(root: Process, machine: MachineView, declared: Mapping[str, Resource]) -> tuple[Resource, ...]:
    """Resources that the application asks for and the machine says nothing about."""
    return tuple(
        declared[qualified]
        for qualified in sorted(_demanded(root))
        if qualified in declared
        and declared[qualified].capacity is not None
        and capacity_of(declared[qualified], machine) is None
    )


def _demanded(root: Process) -> dict[str, list[Held]]:
    held: list[Held] = []
    for process in processes(root):
        held.extend(process.held)
        for library in process.loaded:
            held.extend(library.demands)
    for activity in all_activities(root):
        held.extend(activity.demands)
    demanded: dict[str, list[Held]] = {}
    for item in held:
        if item.high != 0:
            demanded.setdefault(item.resource, []).append(item)
    return demanded


def _devices(demands: list[Held], machine: MachineView) -> list[int]:
    """The devices that something is asked for on, or may be where that is open."""
    gpus = machine.fact("gpus")
    most = _highest(gpus)
    found: set[int] = set()
    for item in demands:
        if isinstance(item.device, Term):
            least, last = item.device.low or 0, item.device.high
            ends = [one for one in (last, None if most is None else most - 1) if one is not None]
            found.update(_few(math.ceil(max(0, least)), min(ends, default=None)))
        elif item.device == "all":
            found.update(_few(0, None if most is None else most - 1))
        elif isinstance(item.device, int):
            found.add(item.device)
    return sorted(found)


def _highest(gpus: Value | None) -> Number | None:
    if isinstance(gpus, Term):
        return gpus.high
    return gpus if isinstance(gpus, int | Fraction) else None


def _few(first: int, last: Number | None) -> range:
    """The devices of a range; the first one where there are too many, or nobody knows how many."""
    if last is None or last - first >= MOST_DEVICES:
        return range(first, first + 1)
    return range(first, math.floor(last) + 1)
