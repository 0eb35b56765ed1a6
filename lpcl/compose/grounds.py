"""Where the values in an expression of a contract come from: one reason for each name that counts in it."""

from __future__ import annotations

from collections.abc import Iterator

from lpcl.compose.figures import FigureKind, figure_of
from lpcl.compose.kinds import Names, figure_of_fact
from lpcl.compose.machine import Pinning
from lpcl.compose.refusal import Refusal
from lpcl.compose.said import branch, written
from lpcl.compose.scopes import ContractScope, resolve
from lpcl.compose.starts import FREE, holders
from lpcl.compose.structure import Resolution
from lpcl.compose.terms import Value
from lpcl.model.machine import DERIVED, FACTS
from lpcl.model.program import Origin
from lpcl.model.quantities import BYTES
from lpcl.syntax import nodes

MOST_TAKEN = 8
"""Holders of a device that are written out."""


def reads(node: nodes.Node, scope: ContractScope) -> Iterator[nodes.Reference | nodes.Call]:
    """The names, and the questions `defined(x)`, that count in an expression: of an `if`, the branch taken
    and then what its condition reads.
    """
    taken = branch(node, scope)
    if taken is not None:
        assert isinstance(node, nodes.Conditional)
        yield from reads(taken, scope)
        yield from reads(node.condition, scope)
    elif isinstance(node, nodes.Reference) or (
        isinstance(node, nodes.Call) and node.function in ("defined", "loaded")
    ):
        yield node
    else:
        for child in node.children():
            yield from reads(child, scope)


def grounds(node: nodes.Expression, names: Names) -> tuple[Resolution, ...]:
    """A reason for each name in an expression, with what that rests on; words that stand for themselves have
    none.
    """
    found: dict[str, Resolution] = {}
    for one in reads(node, names.scope):
        path = _path(one)
        if path not in found:
            ground = _asked(one, path, names) if isinstance(one, nodes.Call) else _named(one, names)
            if ground is not None:
                found[path] = ground
    return tuple(found.values())


def _path(node: nodes.Reference | nodes.Call) -> str:
    if isinstance(node, nodes.Reference):
        return node.path
    argument = node.args[0] if node.args else None
    return argument.path if isinstance(argument, nodes.Reference) else ""


def _named(node: nodes.Reference, names: Names) -> Resolution | None:
    path, scope = node.path, names.scope
    try:
        value = names.value(node)
    except Refusal:
        return None
    if path.startswith("machine."):
        return fact_ground(path.removeprefix("machine."), value, names)
    let = scope.let(path)
    if let is not None:
        inside = names.at(let.file)
        return Resolution(
            path,
            value,
            written(let.node.value, inside.scope, True),
            Origin(let.file, let.node.span),
            kind=inside.figure(let.node.value),
            because=grounds(let.node.value, inside),
            given=True,
        )
    if path == "callers":
        return Resolution(f"callers of {_call(names)}", value, "the most that are there at one moment")
    fresh = names.afresh()
    fresh.name(path, Origin(scope.file, node.span))
    if fresh.reasons:
        return fresh.reasons[0]
    default = names.default(path)
    kind = names.type_of(path)
    if default is None or kind is None:
        return None
    text, origin = default
    return Resolution(
        f"{path} of {_call(names)}",
        value,
        f"default {text}",
        origin,
        kind=figure_of(kind),
        given=True,
    )


def _call(names: Names) -> str:
    library, operation = names.scope.runtime.name, names.scope.operation
    return f"{library}.{operation}" if operation else library


def _asked(node: nodes.Call, path: str, names: Names) -> Resolution | None:
    """Of `defined(x)`, what x is; of `loaded(x)`, nothing more can be said."""
    scope = names.scope
    if node.function != "defined":
        return None
    if path in scope.runtime.contract.controls:
        return resolve(scope.runtime, path, scope.here, scope.overrides, given=scope.given)
    held = scope.here.state.env.get(path)
    if held is None or held.present is False:
        return Resolution(path, "not set", "no variable of this name")
    return Resolution(path, held.value, f"set{held.how}", held.origin)


# ------------------------------------------------------------------ figures of the machine


def fact_ground(fact: str, value: Value, names: Names) -> Resolution:
    """Where a figure of the machine comes from, as the process sees it."""
    scope = names.scope
    machine = scope.here.state.machine
    name = f"machine.{fact}"
    if fact == FREE:
        whole = machine.fact("gpu.memory")
        assert whole is not None
        because = (fact_ground("gpu.memory", whole, names), *_taken(scope))
        how = "what those that have started before leave of machine.gpu.memory"
        return Resolution(name, value, how, kind=FigureKind(BYTES), because=because)
    known = FACTS.get(fact)
    meaning = DERIVED.get(fact, fact if known is None else known.meaning)
    pins = tuple(pin_ground(pin) for pin in machine.pins)
    if fact in ("cpus", "cpus.affinity") and pins and value == machine.pin:
        return Resolution(name, value, f"{meaning}, as the process is pinned", because=pins)
    if fact in machine.sources:
        how = f"{meaning}, read from {machine.sources[fact]}"
    elif fact in machine.facts or fact in DERIVED or known is None:
        how = f"{meaning}, of {machine.title}"
    else:
        how = f"{meaning}, which {machine.title} does not state: as machine.{known.follows}"
    origin = machine.origins.get(fact)
    if origin is None and known is not None and known.follows is not None:
        origin = machine.origins.get(known.follows)
    return Resolution(name, value, how, origin, kind=figure_of_fact(fact))


def _taken(scope: ContractScope) -> tuple[Resolution, ...]:
    """Who holds how much of the device when this starts."""
    here = scope.here
    live = (*here.live, *here.state.live)
    found = [
        Resolution(f"taken by {who}", amount, how, origin, kind=FigureKind(BYTES))
        for who, amount, how, origin in holders(live, here.device, most=here.most)
    ]
    if len(found) > MOST_TAKEN:
        others = Resolution(f"and {len(found) - MOST_TAKEN} more", "", "each started before")
        return (*found[:MOST_TAKEN], others)
    return tuple(found)


# ------------------------------------------------------------------ pins


def pin_names(pin: Pinning) -> Names:
    """The names in the clause of a pin."""
    scope = pin.said.scope
    assert isinstance(scope, ContractScope)
    return Names(scope.afresh())


def pin_ground(pin: Pinning) -> Resolution:
    """Who pins a process, to how many CPUs, and what that number rests on."""
    names = pin_names(pin)
    who = f"{pin.who}.{pin.operation}" if pin.operation else f"importing {pin.who}"
    expression = pin.said.expression
    how = "always so many" if pin.said.is_literal else written(expression, names.scope, True)
    because = grounds(expression, names)
    return Resolution(f"pin of {who}", pin.count, how, pin.said.origin, because=because, given=True)
