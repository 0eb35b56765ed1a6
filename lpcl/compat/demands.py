"""Demands: no more of any resource than before, whatever the machine and the settings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from lpcl.compat.change import Level
from lpcl.compat.pair import Ask, Pair, Side
from lpcl.compose.terms import Value, apply, choose, conjunction, total
from lpcl.model.contracts import Clause
from lpcl.model.dimensions import dimension_of
from lpcl.model.quantities import PLAIN
from lpcl.ranges.figures import FIGURES
from lpcl.ranges.readings import amounts
from lpcl.ranges.space import Free
from lpcl.ranges.world import World
from lpcl.syntax import nodes

CPU = "lpcl.core.cpu"
Demands = Sequence[Clause[nodes.Demand]]
Under = Callable[[World, World], Value]


def among(clauses: Iterable[Clause[nodes.Node]]) -> list[Clause[nodes.Demand]]:
    """The demands among clauses."""
    return [Clause(c.node, c.file) for c in clauses if isinstance(c.node, nodes.Demand)]


def compare(
    pair: Pair,
    where: str,
    old: Demands,
    new: Demands,
    operation: str | None = None,
    under: Under | None = None,
    *,
    runs: bool = False,
) -> None:
    """Compare what is demanded at one place. With `runs`, an operation that says nothing of the CPU asks for
    one for each that does its work.
    """
    resources: dict[str, None] = {}
    for side, clauses in ((pair.old, old), (pair.new, new)):
        resources.update({side.find(clause, clause.node.resource.path): None for clause in clauses})
    for resource in resources:
        before = [c for c in old if pair.old.find(c, c.node.resource.path) == resource]
        after = [c for c in new if pair.new.find(c, c.node.resource.path) == resource]
        if not before and not pair.strict:
            continue
        bare = 1 if runs and resource == CPU else 0
        places = next(iter(before), None), next(iter(after), None)
        name = resource.rpartition(".")[2]
        declared = _declared(pair, resource)
        dimension = PLAIN if declared is None else dimension_of(declared.type)
        devices = (
            any(c.node.device is not None for c in (*before, *after))
            if declared is None
            else declared.per == "device"
        )
        less = True
        bounded = any(c.node.range is not None for c in (*before, *after))
        for which, words in ((-1, "the most"), (0, "the least")) if bounded else ((-1, ""),):
            what = f"{words} of the demand for {name}{where}" if words else f"the demand for {name}{where}"
            asks = (
                _summed(pair.old, before, which, bare, operation, devices=devices),
                _summed(pair.new, after, which, bare, operation, devices=devices),
            )
            sensible = _sensible(asks[0], under)
            level = pair.grows("demand", what, *asks, places, dimension, operation, sensible, less=less)
            if level in (Level.BREAKS, Level.UNDECIDED):
                break
            less = level is None


def _sensible(old: Ask, under: Under | None) -> Under:
    """Where the old demand is one: below 0 it was refused."""

    def ask(a: World, b: World) -> Value:
        return conjunction(True if under is None else under(a, b), apply(">=", old(a), 0))

    return ask


def _summed(
    side: Side, clauses: Demands, which: int, bare: int, operation: str | None, *, devices: bool
) -> Ask:
    """What clauses ask for together: their lower or upper bound, on any one device where there are `devices`,
    of which a clause that names none means the first.
    """
    held = tuple(clauses)
    within = None if operation is None else side.contract.operations.get(operation)

    def ask(world: World) -> Value:
        if not held:
            return bare
        found: list[Value] = []
        for clause in held:
            place = world.place(clause.file, within)
            value = world.value(amounts(clause.node)[which], place)
            if clause.node.guard is not None:
                value = choose(world.value(clause.node.guard, place), value, 0)
            device = clause.node.device
            if devices and not isinstance(device, nodes.AllDevices):
                at: Value = 0 if device is None else world.value(device, place)
                value = choose(apply("==", at, _device(world)), value, 0)
            found.append(value)
        return total(found)

    return ask


def _device(world: World) -> Value:
    """Any one device."""
    known = world.space.known("device")
    if known is not None:
        return known
    item = Free("device", "on device", "circumstance", "whole", 0, FIGURES["gpus"].high, first=(0, 1, 2, 3))
    return world.space.value(item)


def _declared(pair: Pair, resource: str) -> nodes.Resource | None:
    for side in (pair.new, pair.old):
        for found in side.names.program.declarations.get(resource, ()):
            if isinstance(found.node, nodes.Resource):
                return found.node
    return None
