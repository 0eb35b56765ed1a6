"""Resources that an assumption that fails is about: what it says is taken of them, beside what there is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from lpcl.compose.conditions import deciding_comparisons, names_of
from lpcl.compose.grounds import reads
from lpcl.compose.kinds import Names
from lpcl.compose.machine import MachineView
from lpcl.compose.reckoning import COMPARING
from lpcl.compose.resources import CPU, Resource, capacity_of
from lpcl.compose.starts import FREE
from lpcl.compose.structure import Condition, Process, starter_id
from lpcl.compose.sums import Sum
from lpcl.compose.terms import Number, Plain
from lpcl.syntax import nodes


@dataclass(frozen=True)
class Concern:
    """A sum of which an assumption says that too little is left, and how much it says others have taken."""

    sum: Sum
    taken: Number | None


def concerns(
    process: Process,
    condition: Condition,
    callers: Mapping[str, Plain],
    machine: MachineView,
    declared: Mapping[str, Resource],
) -> Iterator[Concern]:
    """The resources whose capacity decides an assumption that fails."""
    names = names_of(condition, callers)
    if names is None or condition.said is None:
        return
    deciding = list(deciding_comparisons(condition.said.expression, names, truth=False))
    for resource in declared.values():
        capacity = capacity_of(resource, machine)
        facts = _facts(resource)
        if resource.qualified == CPU or capacity is None or not facts:
            continue
        about = [one for one in deciding if _mentions(*one, facts)]
        if about:
            device = _device(process, condition, resource) if resource.per == "device" else None
            where, starter = "machine", None
            if device is not None:
                where = f"device {device}"
            elif resource.per == "process":
                where, starter = f"process: {process.name}", starter_id(process)
            taken = _taken(*about[0], facts)
            yield Concern(Sum(resource, where, capacity, starter, device), taken)


def _facts(resource: Resource) -> frozenset[str]:
    expression = resource.capacity
    if expression is None:
        return frozenset()
    paths = {
        one.path
        for one in expression.walk()
        if isinstance(one, nodes.Reference) and one.path.startswith("machine.")
    }
    return frozenset(paths | {f"machine.{FREE}"} if "machine.gpu.memory" in paths else paths)


def _mentions(node: nodes.Expression, names: Names, facts: frozenset[str]) -> bool:
    for one in reads(node, names.scope):
        if not isinstance(one, nodes.Reference):
            continue
        let = names.scope.let(one.path)
        if one.path in facts or (let is not None and _mentions(let.node.value, names.at(let.file), facts)):
            return True
    return False


def _device(process: Process, condition: Condition, resource: Resource) -> int:
    """The device on which the call asks for the resource, the first one where that is not said."""
    activity = None if condition.place is None else process.index.get(condition.place.id)
    held = () if activity is None else activity.demands
    devices = (one.device for one in held if one.resource == resource.qualified)
    return next((one for one in devices if isinstance(one, int) and not isinstance(one, bool)), 0)


def _taken(node: nodes.Expression, names: Names, facts: frozenset[str]) -> Number | None:
    """What is taken off the capacity in a comparison."""
    if not isinstance(node, nodes.Binary) or node.op not in COMPARING:
        return None
    for side in (node.left, node.right):
        if not _mentions(side, names, facts):
            continue
        terms = list(_terms(side, names, 1))
        free = [one for _, one, _ in terms if isinstance(one, nodes.Reference) and one.path.endswith(FREE)]
        if free:
            return _difference(names, free[0])
        amounts = [
            where.value(one) for sign, one, where in terms if sign < 0 and not _mentions(one, where, facts)
        ]
        numbers = [one for one in amounts if isinstance(one, int | Fraction)]
        return sum(numbers) if numbers else None
    return None


def _difference(names: Names, free: nodes.Reference) -> Number | None:
    whole, left = names.scope.here.state.machine.fact("gpu.memory"), names.value(free)
    if isinstance(whole, int | Fraction) and isinstance(left, int | Fraction):
        return whole - left
    return None


def _terms(node: nodes.Expression, names: Names, sign: int) -> Iterator[tuple[int, nodes.Expression, Names]]:
    """What is added and taken off in an expression, with its sign."""
    match node:
        case nodes.Parenthesis():
            yield from _terms(node.inner, names, sign)
        case nodes.Binary(op="+" | "-"):
            yield from _terms(node.left, names, sign)
            yield from _terms(node.right, names, sign if node.op == "+" else -sign)
        case nodes.Reference() if (let := names.scope.let(node.path)) is not None:
            yield from _terms(let.node.value, names.at(let.file), sign)
        case nodes.Call() if node.function in ("max", "min", "floor", "ceil") and node.args:
            for one in node.args:
                yield from _terms(one, names, sign)
        case _:
            yield sign, node, names
