"""What is assumed, goes wrong, is demanded and is set at one place of two versions, with one setting."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import partial

from lpcl.compose.terms import Plain
from lpcl.model.quantities import BYTES, PLAIN
from lpcl.syntax import nodes
from tests.property.plain_broken import (
    Broken,
    Found,
    changed,
    grown,
    is_so,
)
from tests.property.plain_values import (
    Version,
    holds,
    number_of,
    value_of,
)

RESOURCES = {"plain": PLAIN, "cpu": PLAIN, "vram": BYTES}


def conditions(
    member: str, before: Iterable[nodes.Node], after: Iterable[nodes.Node], old: Version, new: Version
) -> Found:
    known = [one for one in before if isinstance(one, nodes.Hazard)]
    for item in after:
        if isinstance(item, nodes.Assume) and is_so(lambda c: not holds(c, new), item.condition):
            yield Broken("assume", member)
        if isinstance(item, nodes.Hazard) and is_so(lambda c: holds(c, new), item.condition):
            same = [one for one in known if one.effect == item.effect]
            if is_so(lambda held: not any(holds(one.condition, old) for one in held), same):
                yield Broken("hazard", member)


def demanded(
    member: str,
    where: str,
    before: Sequence[nodes.Node],
    after: Sequence[nodes.Node],
    old: Version,
    new: Version,
    bare: int = 0,
) -> Found:
    """What is demanded of each resource; `bare` CPUs where nothing is said of them."""
    for resource, dimension in RESOURCES.items():
        was, now = (
            [one for one in side if isinstance(one, nodes.Demand) and one.resource.path == resource]
            for side in (before, after)
        )
        least = bare if resource == "cpu" else 0
        broken = Broken("demand", member, f"demand for {resource}{where}")
        for which in (0, -1):
            asked = partial(_sum, was, which, old, least), partial(_sum, now, which, new, least)
            if is_so(_is_demand, asked[0]):
                yield from grown(broken, *asked, dimension)


def _is_demand(amount: Callable[[], Fraction]) -> bool:
    return amount() >= 0


def _sum(demands: Sequence[nodes.Demand], which: int, version: Version, bare: int) -> Fraction:
    """What demands of one resource come to, in their least or their most; `bare` where there are none."""
    if not demands:
        return Fraction(bare)
    return sum((_amount(one, which, version) for one in demands), Fraction(0))


def _amount(demand: nodes.Demand, which: int, version: Version) -> Fraction:
    if not version.counts(demand):
        return Fraction(0)
    if demand.resource.path == "vram" and not isinstance(demand.device, nodes.AllDevices):
        device = 0 if demand.device is None else value_of(demand.device, version)
        if device != version.setting.device:
            return Fraction(0)
    amounts = (demand.range.low, demand.range.high) if demand.range is not None else (demand.amount,)
    stated = amounts[which]
    assert stated is not None
    return number_of(stated, version)


_TITLES = ("set V", "set default V", "limit depth", "start", "pin cpus", "caller")


def settings(
    member: str,
    where: str,
    before: Sequence[nodes.Node],
    after: Sequence[nodes.Node],
    old: Version,
    new: Version,
) -> Found:
    """What is set, limited, started and pinned at a place."""
    for title in _TITLES:
        broken = Broken("setting", member, f"`{title}`{where}")
        yield from changed(broken, partial(_set, title, before, old), partial(_set, title, after, new))


def _set(title: str, clauses: Sequence[nodes.Node], version: Version) -> Plain | None:
    """What is set by a kind of clause: by the last whose condition holds, of defaults by the first."""
    found: Plain | None = None
    for one in clauses:
        if _title(one) != title or not version.counts(one):
            continue
        if found is not None and title.startswith("set default"):
            continue
        match one:
            case nodes.Start():
                found = value_of(one.method, version)
            case nodes.CallerRole():
                found = one.role
            case nodes.SetVariable() | nodes.Limit() | nodes.Pin():
                found = value_of(one.value, version)
    return found


def _title(node: nodes.Node) -> str:
    match node:
        case nodes.SetVariable():
            return f"set default {node.name.text}" if node.weak else f"set {node.name.text}"
        case nodes.Limit():
            return f"limit {node.target.path}"
        case nodes.Start() | nodes.Pin() | nodes.CallerRole():
            return {nodes.Start: "start", nodes.Pin: "pin cpus", nodes.CallerRole: "caller"}[type(node)]
    return ""
