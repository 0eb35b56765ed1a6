"""Who pins a process to how many CPUs, and what would give it as many as it asks for."""

from __future__ import annotations

from fractions import Fraction

from lpcl.compose.elaborate import Elaborated
from lpcl.compose.findings import Remedy
from lpcl.compose.grounds import pin_ground, pin_names
from lpcl.compose.machine import MachineView, Pinning
from lpcl.compose.meaning import number, peak
from lpcl.compose.measures import Bound, CpuMeasure
from lpcl.compose.remedies import Remedies, in_words
from lpcl.compose.resources import CPU, capacity_reason
from lpcl.compose.structure import Place, Process, Resolution, process_of, processes
from lpcl.compose.sums import Sum
from lpcl.compose.terms import Number, Term, Value
from lpcl.compose.trials import Trying
from lpcl.model.program import Origin
from lpcl.model.quantities import show
from lpcl.syntax import nodes


def capacity_said(
    item: Sum, root: Process, machine: MachineView
) -> tuple[str, Origin | None, tuple[Resolution, ...]]:
    """What limits a sum, in words; the clause that says so; and what its figure rests on."""
    if item.starter is None or item.resource.qualified != CPU:
        return (*capacity_reason(item.resource, machine), ())
    process = process_of(root, item.starter)
    pin = narrowest(process)
    if pin is None:
        if process.pins:
            return (*capacity_reason(item.resource, machine), ())
        return "the CPUs that the process is pinned to", None, ()
    whole = machine.fact("cpus")
    there = "" if whole is None else f"; the machine has {_count(whole)}"
    return f"{who(pin)} pins {whom(pin)} to {_cpus(pin.count)}{there}", pin.said.origin, (pin_ground(pin),)


def narrowest(process: Process) -> Pinning | None:
    """The clause that gives a process as few CPUs as it has; None where none does."""
    return next((pin for pin in reversed(process.pins) if pin.count == process.cpus), None)


def who(pin: Pinning) -> str:
    """Who pins: an operation, or a library."""
    return f"`{pin.who}.{pin.operation}`" if pin.operation else f"importing `{pin.who}`"


def whom(pin: Pinning) -> str:
    """Which processes it pins."""
    return "each of its workers" if pin.operation else "its process"


def pin_remedies(
    root: Process, process: Process, demand: Number, bound: Bound, trying: Trying | None
) -> tuple[Remedy, ...]:
    """What gives a process that is pinned as many CPUs as it asks for."""
    pin = narrowest(process)
    if pin is None or trying is None:
        return ()
    expression = pin.said.expression
    wanted = nodes.Quantity(Fraction(demand), span=expression.span)
    enough = nodes.Binary(">=", expression, wanted, span=expression.span)
    before = max(peak(root, CpuMeasure(bound)).amount, number(root.cpus))
    key = (process.name, None if process.starter is None else process.starter.origin)

    def solved(elaborated: Elaborated) -> bool:
        """Whether no such process asks for more CPUs than it has, nor all of them for more than now."""
        if peak(elaborated.root, CpuMeasure(bound)).amount > before:
            return False
        alike = [
            one
            for one in processes(elaborated.root)
            if (one.name, None if one.starter is None else one.starter.origin) == key
        ]
        return bool(alike) and all(peak(one, CpuMeasure(bound)).amount <= number(one.cpus) for one in alike)

    place = _place(root, pin)
    return Remedies(enough, pin_names(pin), place, trying, solved).found()


def _place(root: Process, pin: Pinning) -> Place | None:
    starters = (process.starter for process in processes(root) if process.starter is not None)
    return next((one for one in starters if one.id == pin.place), None)


def _count(value: Value) -> str:
    return str(value) if isinstance(value, bool | str | Term) else show(value)


def _cpus(value: Value) -> str:
    return f"{_count(value)} {'CPU' if value == 1 else 'CPUs'}"


def pin_help(process: Process, demand: Number, remedies: tuple[Remedy, ...]) -> str | None:
    """How to give a pinned process more CPUs, without a full stop; None where no clause pins it."""
    pin = narrowest(process)
    if pin is None:
        return None
    if remedies:
        return in_words(remedies, f"let {who(pin)} pin {whom(pin)} to {_cpus(demand)} or more, with")
    return f"do without the pin of {who(pin)} ({pin.said.origin}), which no single setting makes wide enough"
