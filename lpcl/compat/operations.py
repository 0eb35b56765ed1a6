"""Operations: their parameters, who does the work, what it carries out, and what it asks for."""

from __future__ import annotations

from collections.abc import Callable

from lpcl.compat import conditions, controls, demands
from lpcl.compat.change import Level
from lpcl.compat.effects import settings
from lpcl.compat.pair import Ask, Pair, reading, stated
from lpcl.compat.pools import size_of
from lpcl.compose.terms import Value, conjunction, negation
from lpcl.model.contracts import Clause, Contract
from lpcl.model.dimensions import dimension_of
from lpcl.model.program import Origin
from lpcl.ranges.readings import ways_of
from lpcl.ranges.world import World
from lpcl.syntax import nodes

Way = nodes.RunsOn | nodes.Workers | None
Both = tuple[Clause[nodes.Operation], Clause[nodes.Operation]]


def compare(pair: Pair) -> None:
    """Compare the operations."""
    before, after = pair.old.contract.operations, pair.new.contract.operations
    for name, old in before.items():
        new = after.get(name)
        if new is None:
            if pair.strict:
                pair.breaks("operation-removed", f"the operation `{name}` is gone", old)
            continue
        both = (old, new)
        _parameters(pair, name, both)
        if pair.strict or ways_of(old.node):
            _ways(pair, name, both)
        _demands(pair, name, both)
        if pair.strict:
            _calls(pair, name, both)
            settings(
                pair,
                f" while `{name}` runs",
                [Clause(c, old.file) for c in old.node.clauses if isinstance(c, nodes.Limit)],
                [Clause(c, new.file) for c in new.node.clauses if isinstance(c, nodes.Limit)],
                name,
            )
        assumed = conditions.assumptions_of(old), conditions.assumptions_of(new)
        if pair.strict or assumed[0]:
            conditions.assumes(pair, assumed[0], assumed[1], name)
        if pair.strict:
            happening = conditions.hazards_of(old), conditions.hazards_of(new)
            conditions.hazards(pair, happening[0], happening[1], name)
    for name, new in after.items():
        if name not in before and pair.strict:
            pair.report(Level.ADDS, "operation-added", f"an operation `{name}`", None, new)


# ------------------------------------------------------------------ parameters


def _parameters(pair: Pair, name: str, both: Both) -> None:
    before, after = ({item.name.text: item for item in side.node.parameters} for side in both)
    for key, one in before.items():
        other = after.get(key)
        old = Clause(one, both[0].file)
        what = f"`{key}` of `{name}`"
        if other is None:
            pair.breaks("parameter-removed", f"{what} is gone", old, both[1])
            continue
        new = Clause(other, both[1].file)
        argument = f"argument:{name}.{key}"
        if controls.accepts(
            pair, what, "parameter", argument, one.type, other.type, old, new, operation=name
        ):
            _default(pair, name, what, old, new, both)
    for key, other in after.items():
        if key in before:
            continue
        new = Clause(other, both[1].file)
        if other.default is None:
            pair.breaks("parameter-added", f"`{name}` needs `{key}`, which has no default", both[0], new)
        elif pair.strict:
            pair.report(Level.ADDS, "parameter-added", f"a parameter `{key}` of `{name}`", both[0], new)


def _default(
    pair: Pair,
    name: str,
    what: str,
    old: Clause[nodes.Parameter],
    new: Clause[nodes.Parameter],
    both: Both,
) -> None:
    before, after = old.node.default, new.node.default
    if before is not None and after is not None:
        asks = reading(before, both[0], both[0]), reading(after, both[1], both[1])
        places = Origin(old.file, before.span), Origin(new.file, after.span)
        dimension = dimension_of(old.node.type)
        pair.differs("parameter-default", f"the default of {what}", *asks, places, dimension, name)
    elif before is not None:
        pair.breaks("parameter-default", f"{what} no longer has a default", old, new)
    elif after is not None and pair.strict:
        pair.report(Level.ADDS, "parameter-default", f"{what} has a default", old, new)


# ------------------------------------------------------------------ who does the work


def _ways(pair: Pair, name: str, both: Both) -> None:
    before, after = ((*ways_of(side.node), None) for side in both)
    for one in before:
        for other in after:

            def both_taken(a: World, b: World, one: Way = one, other: Way = other) -> Value:
                return conjunction(_taken(a, both[0], one), _taken(b, both[1], other))

            places = _place(one, both[0]), _place(other, both[1])
            if _kind(one) != _kind(other):
                answer = pair.can(both_taken, name)
                if answer.yes:
                    headline = f"`{name}` was done {_kind(one)}, and is done {_kind(other)}"
                    alone = other is None and isinstance(one, nodes.RunsOn)
                    level = Level.NEUTRAL if alone else Level.BREAKS
                    pair.report(level, "operation-way", headline, *places, str(answer))
                elif not answer.no:
                    headline = f"whether `{name}` is done as it was is not decided"
                    pair.report(Level.UNDECIDED, "operation-way", headline, *places)
            elif isinstance(one, nodes.RunsOn) and isinstance(other, nodes.RunsOn):
                _sizes(pair, name, both, one, other, both_taken)
            elif isinstance(one, nodes.Workers) and isinstance(other, nodes.Workers):
                _workers(pair, name, both, one, other, both_taken)


def _taken(world: World, operation: Clause[nodes.Operation], way: Way) -> Value:
    """The condition under which the work is done in a way: its own, and none of those before it."""
    held: list[Value] = []
    for item in ways_of(operation.node):
        if item is way:
            held.append(_guard(world, operation, item))
            break
        held.append(negation(_guard(world, operation, item)))
    return conjunction(*held)


def _guard(world: World, operation: Clause[nodes.Operation], way: nodes.RunsOn | nodes.Workers) -> Value:
    if way.guard is None:
        return True
    return world.value(way.guard, world.place(operation.file, operation))


def _kind(way: Way) -> str:
    if isinstance(way, nodes.RunsOn):
        return f"by the pool `{way.pool.path}`"
    return "by its callers" if way is None else f"by {way.kind}"


def _place(way: Way, operation: Clause[nodes.Operation]) -> Origin:
    return operation.origin if way is None else Origin(operation.file, way.span)


def _sizes(
    pair: Pair,
    name: str,
    both: Both,
    one: nodes.RunsOn,
    other: nodes.RunsOn,
    under: Callable[[World, World], Value],
) -> None:
    if one.size is None and other.size is None:
        return  # the pool's own size is compared with the pool
    before = _size(pair.old.contract, both[0], one)
    after = _size(pair.new.contract, both[1], other)
    if before is not None and after is not None:
        places = _place(one, both[0]), _place(other, both[1])
        what = f"the pool under `{name}`"
        pair.grows("operation-size", what, before, after, places, operation=name, under=under)


def _size(contract: Contract, operation: Clause[nodes.Operation], way: nodes.RunsOn) -> Ask | None:
    if way.size is not None:
        return reading(way.size, operation, operation)
    pool = contract.pools.get(way.pool.path)
    return None if pool is None else size_of(pool)


def _workers(
    pair: Pair,
    name: str,
    both: Both,
    one: nodes.Workers,
    other: nodes.Workers,
    under: Callable[[World, World], Value],
) -> None:
    places = _place(one, both[0]), _place(other, both[1])
    asks = reading(one.count, both[0], both[0]), reading(other.count, both[1], both[1])
    what = f"the number of {one.kind} of `{name}`"
    pair.grows("workers", what, *asks, places, operation=name, under=under)
    inside = f" in the workers of `{name}`"
    before, after = (
        [stated(c, side.file) for c in way.clauses] for side, way in zip(both, (one, other), strict=True)
    )
    settings(pair, inside, before, after, name, under)
    demands.compare(pair, inside, demands.among(before), demands.among(after), name, under)


# ------------------------------------------------------------------ what it asks for, and carries out


def _demands(pair: Pair, name: str, both: Both) -> None:
    before, after = (demands.among(stated(c, side.file) for c in side.node.clauses) for side in both)
    demands.compare(pair, f" of `{name}`", before, after, name, runs=True)


def _calls(pair: Pair, name: str, both: Both) -> None:
    before, after = (
        [Clause(c, side.file) for c in side.node.clauses if isinstance(c, nodes.Calls)] for side in both
    )
    waiting = list(before)
    others: list[Clause[nodes.Calls]] = []
    for new in after:  # those that are the same belong together, in whatever order they stand
        same = next((c for c in waiting if c.node == new.node), None)
        if same is None:
            others.append(new)
        else:
            waiting.remove(same)
            _call(pair, name, both, same, new)
    for new in others:
        old = next((c for c in waiting if c.node.target.path == new.node.target.path), None)
        if old is not None:
            waiting.remove(old)
        _call(pair, name, both, old, new)
    for gone in waiting:
        level = Level.BREAKS if gone.node.passes_block else Level.NEUTRAL
        headline = f"`{name}` no longer carries out `{gone.node.target.path}`"
        pair.report(level, "operation-calls", headline, gone, both[1])


def _call(
    pair: Pair, name: str, both: Both, old: Clause[nodes.Calls] | None, new: Clause[nodes.Calls]
) -> None:
    target = new.node.target.path

    def called(world: World, side: int, call: Clause[nodes.Calls] | None) -> Value:
        if call is None:
            return False
        guard = call.node.guard
        return True if guard is None else world.value(guard, world.place(both[side].file, both[side]))

    def more(a: World, b: World) -> Value:
        return conjunction(called(b, 1, new), negation(called(a, 0, old)))

    def together(a: World, b: World) -> Value:
        return conjunction(called(b, 1, new), called(a, 0, old))

    answer = pair.can(more, name)
    if answer.yes:
        headline = f"`{name}` carries out `{target}`, too"
        pair.breaks("operation-calls", headline, old or both[0], new, str(answer))
    elif not answer.no:
        headline = f"whether `{name}` carries out `{target}` more often is not decided"
        pair.report(Level.UNDECIDED, "operation-calls", headline, old, new)
    if old is None:
        return
    if old.node.passes_block != new.node.passes_block:
        pair.breaks("operation-calls", f"the block of `{name}` goes elsewhere", old, new)
    given = {item.name.text: item.value for item in new.node.arguments}
    for argument in old.node.arguments:
        other = given.get(argument.name.text)
        what = f"`{argument.name.text}` of `{target}` in `{name}`"
        if other is None:
            pair.breaks("operation-calls", f"{what} is no longer given", old, new)
            continue
        asks = reading(argument.value, both[0], both[0]), reading(other, both[1], both[1])
        pair.differs("operation-calls", what, *asks, (old, new), operation=name, under=together)
    known = {item.name.text for item in old.node.arguments}
    for key in given:
        if key not in known:
            pair.breaks("operation-calls", f"`{key}` of `{target}` in `{name}` is given", old, new)
