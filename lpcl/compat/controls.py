"""Controls: what they take, and what that means."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from lpcl.compat.change import Level
from lpcl.compat.pair import Ask, Pair, clause_of, reading, told, variables_of
from lpcl.compose.terms import Number, Value, apply, conjunction, negation, settle, whole
from lpcl.model import types
from lpcl.model.contracts import Clause
from lpcl.model.dimensions import dimension_of
from lpcl.model.program import Origin
from lpcl.model.quantities import PLAIN, Dimension
from lpcl.ranges.space import Free, Space
from lpcl.ranges.world import World
from lpcl.syntax import nodes

_WAYS = (
    (nodes.ApiSource, "api"),
    (nodes.ArgumentSource, "argument"),
    (nodes.ConfigSource, "config"),
)


def compare(pair: Pair, known_variables: frozenset[str]) -> None:
    """Compare the controls. `known_variables` are those that anything read before."""
    before, after = pair.old.contract.controls, pair.new.contract.controls
    for name, old in before.items():
        new = after.get(name)
        if new is None:
            if pair.strict:
                pair.breaks("control-removed", f"the control `{name}` is gone", old)
            continue
        key = f"control:{name}"
        if accepts(pair, f"`{name}`", "control", key, old.node.type, new.node.type, old, new, _policy(new)):
            _default(pair, name, old, new)
        _ways(pair, name, old, new, known_variables)
        _rules(pair, name, old, new)
    for name, new in after.items():
        if name not in before and pair.strict:
            pair.report(Level.ADDS, "control-added", f"a control `{name}`", None, new)


# ------------------------------------------------------------------ what is taken


def accepts(
    pair: Pair,
    what: str,
    rule: str,
    key: str,
    before: nodes.Type,
    after: nodes.Type,
    old: Clause[nodes.Node],
    new: Clause[nodes.Node],
    policy: str = "rejects",
    operation: str | None = None,
) -> bool:
    """Compare the values that a control or parameter takes; whether the two types can be compared at all.

    `key` is its id in a `lpcl.ranges.world.World`.
    """
    places = Origin(old.file, before.span), Origin(new.file, after.span)
    a, b = types.of(before), types.of(after)
    if isinstance(a, types.UnknownType) or isinstance(b, types.UnknownType):
        return False
    if isinstance(a, types.EnumType) and isinstance(b, types.EnumType):
        gone = [word for word in a.members if word not in b.members]
        if gone:
            pair.breaks(f"{rule}-range", f"{what} no longer takes {' or '.join(gone)}", *places)
        elif set(b.members) - set(a.members):
            more = [word for word in b.members if word not in a.members]
            pair.report(Level.ADDS, f"{rule}-range", f"{what} takes {' and '.join(more)}, too", *places)
        return not gone
    if not isinstance(a, types.NumberType) or not isinstance(b, types.NumberType):
        if type(a) is not type(b):
            pair.breaks(f"{rule}-type", f"{what} was {types.describe(a)} and is {types.describe(b)}", *places)
        return type(a) is type(b)
    if a.dimension != b.dimension or (b.whole and not a.whole):
        pair.breaks(f"{rule}-type", f"{what} was {types.describe(a)} and is {types.describe(b)}", *places)
        return False
    if before == after and not any(isinstance(node, nodes.Reference) for node in before.walk()):
        return True
    if a.whole and not b.whole:
        if pair.strict:
            pair.report(Level.ADDS, f"{rule}-range", f"{what} takes fractions, too", *places)
        elif rule == "control":
            pair.breaks(f"{rule}-range", f"{what} can be a fraction, which is out of the range", *places)
    _range(pair, what, rule, key, (before, after), (old, new), policy, operation)
    return True


def _range(
    pair: Pair,
    what: str,
    rule: str,
    key: str,
    kinds: tuple[nodes.Type, nodes.Type],
    clauses: tuple[Clause[nodes.Node], Clause[nodes.Node]],
    policy: str,
    operation: str | None,
) -> None:
    places = Origin(clauses[0].file, kinds[0].span), Origin(clauses[1].file, kinds[1].span)
    dimension = dimension_of(kinds[0])

    def within(world: World, side: int, value: Value) -> Value:
        low, high = world.ends(kinds[side], world.place(clauses[side].file))
        return conjunction(
            True if low is None else apply(">=", value, low),
            True if high is None else apply("<=", value, high),
        )

    def only(taken: int) -> Callable[[World, World], Value]:
        def ask(a: World, b: World) -> Value:
            value = _any_number(a.space, kinds)
            sides = (within(a, 0, value), within(b, 1, value))
            allowed: Value = True  # what the old one assumes of this value, which is open by itself here
            if taken == 0:
                allowed = settle(pair.assumed(a, operation), {key: value})
            return conjunction(sides[taken], negation(sides[1 - taken]), allowed)

        return ask

    if pair.strict or policy == "rejects":
        answer = pair.can(only(0), operation, taken=False)
        if answer.yes:
            value = _tried(answer.values, dimension)
            others = _others(str(answer), value)
            pair.breaks(f"{rule}-range", f"{what} no longer takes {value}", *places, others)
        elif not answer.no:
            pair.report(
                Level.UNDECIDED,
                f"{rule}-range",
                f"whether {what} takes all that it did is not decided",
                *places,
            )
    answer = pair.can(only(1), operation, taken=False)
    if not answer.yes:
        return
    value = _tried(answer.values, dimension)
    if pair.strict:
        pair.report(
            Level.ADDS, f"{rule}-range", f"{what} takes {value}, too", *places, _others(str(answer), value)
        )
    elif rule == "control":
        pair.breaks(
            f"{rule}-range", f"{what} can be {value}, which is out of the range", *places,
            _others(str(answer), value),
        )  # fmt: skip


_TRIED = "a value"


def _any_number(space: Space, kinds: tuple[nodes.Type, nodes.Type]) -> Value:
    found = types.of(kinds[0])
    assert isinstance(found, types.NumberType)
    first = (0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, -1)
    sizes = tuple(n * 2**20 for n in (1, 64, 1024, 65536))
    known = space.known("tried")
    if known is not None:
        return known
    item = Free(
        "tried",
        _TRIED,
        "circumstance",
        "whole" if found.whole else "fraction",
        dimension=found.dimension,
        first=(*(sizes if found.dimension != PLAIN else first), *_ends(kinds)),
    )
    return space.value(item)


def _ends(kinds: tuple[nodes.Type, nodes.Type]) -> Iterator[Number]:
    """The ends of ranges that are plain figures: what a person would try first."""
    for kind in kinds:
        if isinstance(kind, nodes.ValueType) and kind.range is not None:
            for end in (kind.range.high, kind.range.low):
                value = types.constant(end)
                if value is not None:
                    yield whole(value)


def _tried(values: object, dimension: Dimension) -> str:
    assert isinstance(values, dict)
    return told(values["tried"], dimension)


def _others(witness: str, value: str) -> str:
    return ", ".join(part for part in witness.split(", ") if part != f"{_TRIED} = {value}")


def _policy(clause: Clause[nodes.Control]) -> str:
    found = clause_of(clause.node, nodes.Invalid)
    return found.policy if isinstance(found, nodes.Invalid) else "ignored"


# ------------------------------------------------------------------ what it means


def _default(pair: Pair, name: str, old: Clause[nodes.Control], new: Clause[nodes.Control]) -> None:
    before, after = clause_of(old.node, nodes.Default), clause_of(new.node, nodes.Default)
    if isinstance(before, nodes.Default) and isinstance(after, nodes.Default):
        places = Origin(old.file, before.span), Origin(new.file, after.span)
        asks: tuple[Ask, Ask] = reading(before.value, old), reading(after.value, new)
        pair.differs(
            "control-default", f"the default of `{name}`", *asks, places, dimension_of(old.node.type)
        )
    elif before is not None:
        pair.breaks(
            "control-default", f"`{name}` no longer has a default", Origin(old.file, before.span), new
        )
    elif after is not None and pair.strict:
        pair.report(
            Level.ADDS, "control-default", f"`{name}` has a default", old, Origin(new.file, after.span)
        )


def _ways(
    pair: Pair,
    name: str,
    old: Clause[nodes.Control],
    new: Clause[nodes.Control],
    known_variables: frozenset[str],
) -> None:
    before, after = variables_of(old), variables_of(new)
    for variable in before:
        if variable not in after:
            pair.breaks("control-setting", f"`{variable}` no longer sets `{name}`", old, new)
    kept = [item for item in after if item in before]
    order = [item for item in before if item in after]
    if kept != order:
        first, second = next((a, b) for a, b in zip(order, kept, strict=True) if a != b)
        pair.breaks(
            "control-precedence",
            f"of the variables of `{name}`, `{second}` now counts before `{first}`",
            old,
            new,
            f"{first} and {second} are set",
        )
    for variable in after:
        if variable in before or not pair.strict:
            continue
        if variable in known_variables:
            pair.breaks(
                "control-setting",
                f"`{variable}`, which other libraries read, now sets `{name}`",
                old,
                new,
                f"{variable} is set for another library",
            )
        else:
            pair.report(Level.ADDS, "control-setting", f"`{variable}` sets `{name}`, too", old, new)
    for kind, word in _WAYS:
        one, other = clause_of(old.node, kind), clause_of(new.node, kind)
        if one is not None and (other is None or one != other):
            pair.breaks("control-setting", f"{word} {_text(one)} no longer sets `{name}`", old, new)
        if other is not None and (one is None or one != other) and pair.strict:
            pair.report(Level.ADDS, "control-setting", f"{word} {_text(other)} sets `{name}`", old, new)


def _text(node: nodes.Node) -> str:
    assert isinstance(node, nodes.ApiSource | nodes.ArgumentSource | nodes.ConfigSource)
    return f'"{node.text.value}"'


_INVALID = {
    "rejects": "refused",
    "clamps": "moved to the nearest bound",
    "clamps above": "moved to the upper bound or passed over",
    "ignored": "passed over",
}
_READ = {"load": "when the library is loaded", "first use": "at the first use", "each call": "at each call"}


def _rules(pair: Pair, name: str, old: Clause[nodes.Control], new: Clause[nodes.Control]) -> None:
    before, after = _stated(old.node), _stated(new.node)
    for rule, was, now in (
        ("control-read", before["read"], after["read"]),
        ("control-scope", before["scope"], after["scope"]),
    ):
        if was is None and not pair.strict:
            continue
        a, b = was or _LEFT_OUT[rule], now or _LEFT_OUT[rule]
        if a != b:
            headline = (
                f"the variables of `{name}` were read {_READ[a]}, and are read {_READ[b]}"
                if rule == "control-read"
                else f"setting `{name}` by a call was for the {a}, and is for the {b}"
            )
            pair.breaks(rule, headline, old, new)
    a, b = before["invalid"] or "ignored", after["invalid"] or "ignored"
    if a != b and (pair.strict or before["invalid"] is not None):
        headline = f"values that `{name}` does not take were {_INVALID[a]}, and are {_INVALID[b]}"
        level = Level.ADDS if a == "rejects" else Level.BREAKS
        pair.report(level, "control-invalid", headline, old, new)


_LEFT_OUT = {"control-read": "first use", "control-scope": "process"}


def _stated(node: nodes.Control) -> dict[str, str | None]:
    found: dict[str, str | None] = {"read": None, "scope": None, "invalid": None}
    for item in node.clauses:
        if isinstance(item, nodes.Read):
            found["read"] = " ".join(item.moment.split())
        elif isinstance(item, nodes.Scope):
            found["scope"] = item.reach
        elif isinstance(item, nodes.Invalid):
            found["invalid"] = item.policy
    return found
