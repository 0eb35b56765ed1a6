"""What users of a contract would notice of a next version that stood in its place, with one setting of it."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import partial

from lpcl.compose.terms import Plain
from lpcl.model.quantities import TIME
from lpcl.syntax import nodes
from tests.property.plain_broken import (
    Broken,
    Found,
    at_load,
    changed,
    dimension_of,
    grown,
    is_so,
    shown,
    word,
)
from tests.property.plain_effects import conditions, demanded, settings
from tests.property.plain_values import (
    NoValue,
    Version,
    clause,
    number_of,
    value_of,
    way_of,
)


def under(old: Version, new: Version) -> Found:
    """What is noticed with a setting that the old one takes, and where what it assumes holds."""
    if not old.allows() or not is_so(old.assumes):
        return
    lost = False
    for name, control in old.controls.items():
        other, value = new.controls.get(name), old.setting.controls.get(name)
        if other is not None and value is not None and is_so(refuses, new, other.type, value):
            lost = True
            if not isinstance(other.type, nodes.EnumType):
                yield Broken("control-range", name, now=shown(value, dimension_of(control.type)))
    if lost or not new.in_ranges():
        return
    for name, control in old.controls.items():
        if name in new.controls:
            yield from _default(name, control, old, new)
    for name, pool in new.pools.items():
        yield from _sizes(name, old.pools.get(name), pool, old, new)
    yield from conditions("", old.node.members, new.node.members, old, new)
    yield from demanded("", "", old.node.members, new.node.members, old, new)
    loads = _loads(old), _loads(new)
    yield from settings("on load", " when it is loaded", *loads, old, new)
    yield from demanded("on load", " when it is loaded", *loads, old, new)
    for name, operation in old.operations.items():
        if name in new.operations:
            yield from _operation(name, operation, new.operations[name], old, new)


def _loads(version: Version) -> list[nodes.Node]:
    """What loading the library does."""
    return [one for top in version.node.members if isinstance(top, nodes.OnLoad) for one in top.clauses]


def refuses(version: Version, kind: nodes.Type, value: Plain) -> bool:
    return not version.takes(kind, value)


def _default(name: str, control: nodes.Control, old: Version, new: Version) -> Found:
    stated = [clause(one, nodes.Default) for one in (control, new.controls[name])]
    if stated[0] is None or stated[1] is None:
        return
    was, now = stated[0].value, stated[1].value
    broken = Broken("control-default", name)
    dimension = dimension_of(control.type)
    yield from changed(broken, lambda: value_of(was, old), lambda: value_of(now, new), dimension)


def _existing(pool: nodes.Pool, version: Version) -> Fraction:
    """The threads that a pool has beside its callers. Raises `NoValue`."""
    size, existing, role = (
        clause(pool, nodes.Size),
        clause(pool, nodes.Existing),
        clause(pool, nodes.CallerRole),
    )
    assert size is not None
    if existing is not None:
        return number_of(existing.value, version.over(size.value))
    return number_of(size.value, version) - (1 if role is not None and role.role == "joins" else 0)


def _sizes(name: str, before: nodes.Pool | None, after: nodes.Pool, old: Version, new: Version) -> Found:
    if before is None:
        if at_load(after) and is_so(lambda: _existing(after, new) > 0):
            yield Broken("pool-added", name)
        return
    size = [clause(one, nodes.Size) for one in (before, after)]
    was, now = size
    if was is not None and now is not None:
        sizes = (lambda: number_of(was.value, old)), (lambda: number_of(now.value, new))
        yield from grown(Broken("pool-size", name), *sizes)
    existing = (lambda: _existing(before, old)), (lambda: _existing(after, new))
    yield from grown(Broken("pool-existing", name), *existing)
    idle = [clause(one, nodes.Idle) for one in (before, after)]
    spins = [one.duration if one is not None else None for one in idle]
    first, second = spins
    if first is not None and second is not None:
        times = (lambda: number_of(first, old)), (lambda: number_of(second, new))
        yield from grown(Broken("pool-idle", name), *times, TIME)


def _operation(
    name: str, before: nodes.Operation, after: nodes.Operation, old: Version, new: Version
) -> Found:
    if not is_so(old.assumes, before):
        return
    known = {one.name.text: one for one in after.parameters}
    lost = False
    for parameter in before.parameters:
        key, value = parameter.name.text, old.setting.arguments[parameter.name.text]
        if word(parameter.type) == "bool":
            continue  # which nothing reads
        if not is_so(old.takes, parameter.type, value):
            return
        other = known.get(key)
        if other is not None and word(other.type) == "int" and not is_so(new.takes, other.type, value):
            lost = True
            yield Broken("parameter-range", name, f"`{key}` of `{name}`", now=shown(value))
    if not lost:
        yield from _called(name, before, after, old, _uncalled(before, after, new))


def _called(name: str, before: nodes.Operation, after: nodes.Operation, old: Version, new: Version) -> Found:
    """What is noticed of an operation that is called as both versions can be."""
    defaults = ({one.name.text: one.default for one in side.parameters} for side in (before, after))
    stated, given = ({key: one for key, one in side.items() if one is not None} for side in defaults)
    for key in stated.keys() & given.keys():
        broken = Broken("parameter-default", name, f"`{key}` of `{name}`")
        yield from changed(broken, partial(value_of, stated[key], old), partial(value_of, given[key], new))
    yield from conditions(name, before.clauses, after.clauses, old, new)
    yield from demanded(name, f" of `{name}`", before.clauses, after.clauses, old, new, 1)
    yield from settings(name, f" while `{name}` runs", _limits(before), _limits(after), old, new)
    yield from _calls(name, before, after, old, new)
    try:
        ways = way_of(before, old), way_of(after, new)
    except NoValue:
        return
    yield from _way(name, *ways, old, new)


def _uncalled(before: nodes.Operation, after: nodes.Operation, new: Version) -> Version:
    """The new version as those have it who do not know its new parameters: these are at their defaults."""
    known = {one.name.text for one in before.parameters}
    added = {
        one.name.text: value_of(one.default, new)
        for one in after.parameters
        if one.name.text not in known and one.default is not None
    }
    return replace(new, setting=replace(new.setting, arguments={**new.setting.arguments, **added}))


def _limits(operation: nodes.Operation) -> list[nodes.Node]:
    return [one for one in operation.clauses if isinstance(one, nodes.Limit)]


def _calls(name: str, before: nodes.Operation, after: nodes.Operation, old: Version, new: Version) -> Found:
    """Operations that are carried out beside those of before, or with other arguments, or another block."""
    try:
        was, now = _carried_out(before, old), _carried_out(after, new)
    except NoValue:
        return
    left = list(was)
    for call in now:
        if call not in left:
            yield Broken("operation-calls", name)
            return
        left.remove(call)
    if any(block for _, block in left):
        yield Broken("operation-calls", name)


def _carried_out(operation: nodes.Operation, version: Version) -> list[tuple[Plain, bool]]:
    return [
        (value_of(one.arguments[0].value, version), one.passes_block)
        for one in operation.clauses
        if isinstance(one, nodes.Calls) and version.counts(one)
    ]


def _way(
    name: str,
    was: nodes.RunsOn | nodes.Workers | None,
    now: nodes.RunsOn | nodes.Workers | None,
    old: Version,
    new: Version,
) -> Found:
    kinds = [_kind(one) for one in (was, now)]
    if kinds[0] != kinds[1]:
        if kinds != ["pool", ""]:
            yield Broken("operation-way", name)
    elif isinstance(was, nodes.RunsOn) and isinstance(now, nodes.RunsOn):
        if was.size is not None or now.size is not None:
            yield from grown(Broken("operation-size", name), lambda: _size(was, old), lambda: _size(now, new))
    elif isinstance(was, nodes.Workers) and isinstance(now, nodes.Workers):
        yield from grown(
            Broken("workers", name), lambda: number_of(was.count, old), lambda: number_of(now.count, new)
        )
        inside = f" in the workers of `{name}`"
        yield from settings(name, inside, was.clauses, now.clauses, old, new)
        yield from demanded(name, inside, was.clauses, now.clauses, old, new)


def _kind(way: nodes.RunsOn | nodes.Workers | None) -> str:
    if way is None:
        return ""
    return "pool" if isinstance(way, nodes.RunsOn) else way.kind


def _size(way: nodes.RunsOn, version: Version) -> Fraction:
    stated = clause(version.pools[way.pool.path], nodes.Size)
    size = way.size if way.size is not None or stated is None else stated.value
    assert size is not None
    return number_of(size, version)
