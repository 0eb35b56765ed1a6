"""The expressions of a declaration, each with where it is read and under which conditions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from lpcl.compose.terms import Value, conjunction, negation
from lpcl.model.contracts import Clause, Contract
from lpcl.model.program import Declared
from lpcl.ranges.world import Place, World
from lpcl.syntax import nodes

Role: TypeAlias = Literal[
    "default", "end", "size", "existing", "time", "guard", "count", "amount", "device", "given", "let",
    "assume", "hazard", "part",
]  # fmt: skip

Guard: TypeAlias = tuple[nodes.Expression, bool]
"""A condition, and whether it holds or fails to."""


@dataclass(frozen=True)
class Reading:
    """An expression in its role: the `clause` whose value it is, its operation, and its guards."""

    expression: nodes.Expression
    role: Role
    clause: nodes.Node
    operation: Clause[nodes.Operation] | None = None
    guards: tuple[Guard, ...] = ()

    def under(self, *guards: Guard) -> Reading:
        """The same under conditions that come before its own."""
        return replace(self, guards=(*guards, *self.guards))


def readings(declared: Declared) -> Iterator[Reading]:
    """The expressions that a contract or interface states itself."""
    node = declared.node
    assert isinstance(node, nodes.Contract | nodes.Interface)
    for member in node.members:
        if isinstance(member, nodes.Operation):
            yield from _operation(Clause(member, declared.file))
        elif isinstance(member, nodes.OnLoad):
            for clause in member.clauses:
                yield from _clause(clause)
        else:
            yield from _clause(member)


def _clause(node: nodes.Node) -> Iterator[Reading]:
    match node:
        case nodes.Control():
            yield from _ends(node.type, node)
            for clause in node.clauses:
                if isinstance(clause, nodes.Default):
                    yield Reading(clause.value, "default", node)
        case nodes.Pool():
            for part in node.clauses:
                if isinstance(part, nodes.Size):
                    yield Reading(part.value, "size", node)
                elif isinstance(part, nodes.Existing):
                    yield Reading(part.value, "existing", node)
                elif isinstance(part, nodes.Idle) and part.duration is not None:
                    yield Reading(part.duration, "time", node)
        case nodes.Let():
            yield Reading(node.value, "let", node)
        case nodes.Assume():
            yield Reading(node.condition, "assume", node)
        case nodes.Hazard():
            yield Reading(node.condition, "hazard", node)
        case nodes.Scales():
            yield Reading(node.fraction, "part", node)
        case nodes.Start():
            yield Reading(node.method, "given", node)
        case nodes.Pin():
            yield Reading(node.value, "given", node)
        case nodes.SetVariable() | nodes.Limit():
            yield from _guarded([Reading(node.value, "given", node)], node.guard, node)
        case nodes.Demand():
            found = [Reading(one, "amount", node) for one in amounts(node)]
            if node.device is not None and not isinstance(node.device, nodes.AllDevices):
                found.append(Reading(node.device, "device", node))
            yield from _guarded(found, node.guard, node)


def amounts(node: nodes.Demand) -> tuple[nodes.Expression, ...]:
    """What a demand asks for: one amount, or the least and the most."""
    if node.range is not None:
        return node.range.low, node.range.high
    return () if node.amount is None else (node.amount,)


def _ends(kind: nodes.Type, clause: nodes.Node) -> Iterator[Reading]:
    if isinstance(kind, nodes.ValueType) and kind.range is not None:
        yield Reading(kind.range.low, "end", clause)
        yield Reading(kind.range.high, "end", clause)


def _guarded(found: list[Reading], guard: nodes.Expression | None, clause: nodes.Node) -> Iterator[Reading]:
    if guard is None:
        yield from found
    else:
        yield Reading(guard, "guard", clause)
        yield from (item.under((guard, True)) for item in found)


def _operation(operation: Clause[nodes.Operation]) -> Iterator[Reading]:
    node = operation.node
    for parameter in node.parameters:
        yield from _ends(parameter.type, parameter)
        if parameter.default is not None:
            yield Reading(parameter.default, "default", parameter, operation)
    earlier = earlier_ways(node)
    for clause in node.clauses:
        if isinstance(clause, nodes.RunsOn | nodes.Workers):
            found = list(_way(clause))
            before = earlier[id(clause)]
        elif isinstance(clause, nodes.Calls):
            given = [Reading(item.value, "given", clause) for item in clause.arguments]
            found, before = list(_guarded(given, clause.guard, clause)), ()
        else:
            found, before = list(_clause(clause)), ()
        yield from (replace(item.under(*before), operation=operation) for item in found)


def earlier_ways(node: nodes.Operation) -> dict[int, tuple[Guard, ...]]:
    """For each clause that says how the work is done, that none of those before it applies.

    `runs on` goes before `workers`; one without a condition leaves nothing to those behind it, which the
    checker reports.
    """
    found: dict[int, tuple[Guard, ...]] = {}
    before: tuple[Guard, ...] = ()
    for clause in ways_of(node):
        found[id(clause)] = before
        if clause.guard is not None:
            before = (*before, (clause.guard, False))
    return found


def ways_of(node: nodes.Operation) -> tuple[nodes.RunsOn | nodes.Workers, ...]:
    """The clauses that say how the work is done, in the order in which they are asked."""
    pools = tuple(c for c in node.clauses if isinstance(c, nodes.RunsOn))
    return (*pools, *(c for c in node.clauses if isinstance(c, nodes.Workers)))


def _way(clause: nodes.RunsOn | nodes.Workers) -> Iterator[Reading]:
    if isinstance(clause, nodes.RunsOn):
        sizes = [] if clause.size is None else [Reading(clause.size, "size", clause)]
        yield from _guarded(sizes, clause.guard, clause)
        return
    inner = [Reading(clause.count, "count", clause)]
    for item in clause.clauses:
        inner.extend(_clause(item))
    yield from _guarded(inner, clause.guard, clause)


def place_of(reading: Reading, world: World, declared: Declared) -> Place:
    """Where a reading's names are looked up."""
    place = world.place(declared.file, reading.operation)
    if reading.role == "existing" and isinstance(reading.clause, nodes.Pool):
        size = next((c.value for c in reading.clause.clauses if isinstance(c, nodes.Size)), None)
        if size is not None:
            place = replace(place, size=size)
    return place


def guarded(reading: Reading, world: World, place: Place) -> Value:
    """The condition that an expression's guards make."""
    held = []
    for guard, holds in reading.guards:
        value = world.value(guard, place)
        held.append(value if holds else negation(value))
    return conjunction(*held)


def assumptions(
    contract: Contract, operation: Clause[nodes.Operation] | None
) -> Iterator[tuple[Clause[nodes.Assume], Clause[nodes.Operation] | None]]:
    """What a contract, and one of its operations, assume, in order, each with the operation that says so."""
    for clause in contract.assumes:
        yield clause, None
    if operation is not None:
        for item in operation.node.clauses:
            if isinstance(item, nodes.Assume):
                yield Clause(item, operation.file), operation
