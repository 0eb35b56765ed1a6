"""What users of a contract would notice of a next version, whatever the machine and the settings."""

from __future__ import annotations

from collections.abc import Iterator

from packaging.specifiers import SpecifierSet

from lpcl.syntax import nodes
from tests.property.plain_broken import (
    Broken,
    Found,
    at_load,
    dimension_of,
    shown,
    word,
)
from tests.property.plain_values import (
    OTHER_WAYS,
    NodeT,
    Setting,
    Version,
    clause,
    number_of,
    variables_of,
)


def always(old: Version, new: Version) -> Found:
    """What is noticed whatever the machine and the settings."""
    for name, control in old.controls.items():
        if name not in new.controls:
            yield Broken("control-removed", name)
        else:
            yield from _control(name, control, new.controls[name], old)
    for name, pool in old.pools.items():
        if name not in new.pools:
            yield Broken("pool-removed", name)
        else:
            yield from _pool(name, pool, new.pools[name])
    for name, operation in old.operations.items():
        if name not in new.operations:
            yield Broken("operation-removed", name)
        else:
            yield from _parameters(name, operation, new.operations[name])
    yield from _around(old.node, new.node)


def _type(rule: str, member: str, about: str, old: nodes.Type, new: nodes.Type) -> Found:
    if isinstance(old, nodes.EnumType) and isinstance(new, nodes.EnumType):
        lost = {one.text for one in old.members} - {one.text for one in new.members}
        if lost:
            yield Broken(f"{rule}-range", member, about)
    elif word(old) != word(new) and (word(old), word(new)) != ("int", "real"):
        yield Broken(f"{rule}-type", member, about)


def _control(name: str, old: nodes.Control, new: nodes.Control, version: Version) -> Found:
    yield from _type("control", name, "", old.type, new.type)
    if clause(old, nodes.Default) is not None and clause(new, nodes.Default) is None:
        yield Broken("control-default", name)
    before, after = variables_of(old), variables_of(new)
    read = {variable for control in version.controls.values() for variable in variables_of(control)}
    for variable in (*before, *after):
        if variable not in after or (variable not in before and variable in read):
            yield Broken("control-setting", name, f"`{variable}`")
    both = [one for one in before if one in after]
    if both != [one for one in after if one in before]:
        yield Broken("control-precedence", name)
    for kind in OTHER_WAYS:
        one, other = clause(old, kind), clause(new, kind)
        if one is not None and one != other:
            assert isinstance(one, nodes.ApiSource | nodes.ArgumentSource | nodes.ConfigSource)
            yield Broken("control-setting", name, f'"{one.text.value}"')
    moments = [
        one.moment if one else "first use" for one in (clause(old, nodes.Read), clause(new, nodes.Read))
    ]
    if " ".join(moments[0].split()) != " ".join(moments[1].split()):
        yield Broken("control-read", name)
    reach = [one.reach if one else "process" for one in (clause(old, nodes.Scope), clause(new, nodes.Scope))]
    if reach[0] != reach[1]:
        yield Broken("control-scope", name)
    was, now = (
        one.policy if one else "ignored" for one in (clause(old, nodes.Invalid), clause(new, nodes.Invalid))
    )
    if was not in ("rejects", now):
        yield Broken("control-invalid", name)


def at_work(policy: str, size: int, callers: int) -> int:
    """The threads at work of a pool that so many callers use."""
    return {"fork": callers * size, "join": size - 1 + callers}.get(policy, size)


def _pool(name: str, old: nodes.Pool, new: nodes.Pool) -> Found:
    was, now = (clause(one, nodes.CallersPolicy) for one in (old, new))
    if was is not None and now is not None and was.policy not in ("forbid", now.policy):
        waits = ("queue", "submit")
        more = any(
            at_work(now.policy, size, callers) > at_work(was.policy, size, callers)
            for size in range(1, 4)
            for callers in range(1, 4)
        )
        if more or now.policy == "forbid" or (now.policy in waits and was.policy not in waits):
            yield Broken("pool-callers", name)
    role = [
        one.role if one else "waits" for one in (clause(old, nodes.CallerRole), clause(new, nodes.CallerRole))
    ]
    if role == ["joins", "waits"]:
        yield Broken("pool-caller", name)
    coupling = [one.kind if one else "" for one in (clause(old, nodes.Coupling), clause(new, nodes.Coupling))]
    if coupling[0] != "coupled" == coupling[1]:
        yield Broken("pool-coupling", name)
    if not at_load(old) and at_load(new):
        yield Broken("pool-created", name)
    fork = [
        one.effect if one else ""
        for one in (clause(old, nodes.ForkBehaviour), clause(new, nodes.ForkBehaviour))
    ]
    if fork[0] != "unsafe" == fork[1]:
        yield Broken("pool-fork", name)
    idle = [_spins(one) for one in (old, new)]
    if ("", "for a time", "for good").index(idle[1]) > ("", "for a time", "for good").index(idle[0]):
        yield Broken("pool-idle", name)
    if clause(old, nodes.Nested) is None and clause(new, nodes.Nested) is not None:
        yield Broken("pool-nested", name)


def _spins(pool: nodes.Pool) -> str:
    idle = clause(pool, nodes.Idle)
    if idle is None or idle.how == "blocks":
        return ""
    return "for good" if idle.duration is None else "for a time"


def _parameters(name: str, old: nodes.Operation, new: nodes.Operation) -> Found:
    before, after = ({one.name.text: one for one in side.parameters} for side in (old, new))
    for key, parameter in before.items():
        about = f"`{key}` of `{name}`"
        other = after.get(key)
        if other is None:
            yield Broken("parameter-removed", name, about)
            continue
        yield from _type("parameter", name, about, parameter.type, other.type)
        if parameter.default is not None and other.default is None:
            yield Broken("parameter-default", name, about)
    for key, other in after.items():
        if key not in before and other.default is None:
            yield Broken("parameter-added", name, f"`{key}`")


_SPEAKS_OF = [f"{major}.{minor}" for major in range(4) for minor in range(10)]


def _around(old: nodes.Node, new: nodes.Node) -> Found:
    assert isinstance(old, nodes.Contract)
    assert isinstance(new, nodes.Contract)
    for lost in {one.path for one in old.interfaces} - {one.path for one in new.interfaces}:
        yield Broken("interface-dropped", "", lost)
    before, after = ({one.name.text: one for one in _of(side, nodes.Uses)} for side in (old, new))
    for name, uses in before.items():
        other = after.get(name)
        if other is None:
            yield Broken("uses-removed", name)
        elif uses.private != other.private or (uses.provider not in (None, other.provider)):
            yield Broken("uses", name)
    for name, other in after.items():
        if name not in before and (other.provider is None or other.provider.path != "quiet"):
            yield Broken("uses-added", name)
    was, now = ({one.name.text: one for one in _of(side, nodes.Signal)} for side in (old, new))
    for name, signal in was.items():
        if name not in now:
            yield Broken("signal-removed", name)
        elif signal.type != now[name].type:
            yield Broken("signal-type", name)
    if any(_speaks_of(old, one) and not _speaks_of(new, one) for one in ("libp.so", *_SPEAKS_OF)):
        yield Broken("library", "")


def _of(node: nodes.Contract, kind: type[NodeT]) -> Iterator[NodeT]:
    return (one for one in node.members if isinstance(one, kind))


def _speaks_of(node: nodes.Contract, what: str) -> bool:
    """Whether a contract is about a file, or a version of the one distribution."""
    entries = [entry for library in _of(node, nodes.Library) for entry in library.entries]
    if what.endswith(".so"):
        return any(isinstance(entry, nodes.FileEntry) for entry in entries)
    stated = [entry.versions for entry in entries if isinstance(entry, nodes.PypiEntry)]
    return any(one is None or SpecifierSet(one.value).contains(what) for one in stated)


def beside(old: nodes.File, new: nodes.File, setting: Setting) -> Found:
    """What is noticed of the other declarations of a file."""
    before, after = ({one.name.text: one for one in _declared(side)} for side in (old, new))
    for name, item in before.items():
        other = after.get(name)
        if other is None:
            yield Broken("declaration-removed", name)
        elif type(other) is not type(item):
            yield Broken("kind", name)
        elif isinstance(item, nodes.Machine) and item != other:
            yield Broken("machine", name)
        elif isinstance(item, nodes.Resource) and isinstance(other, nodes.Resource):
            yield from _resource(item, other, setting)


def _declared(
    file: nodes.File,
) -> Iterator[nodes.Contract | nodes.Interface | nodes.Resource | nodes.Machine]:
    for item in file.items:
        if isinstance(item, nodes.Contract | nodes.Interface | nodes.Resource | nodes.Machine):
            yield item


def _resource(old: nodes.Resource, new: nodes.Resource, setting: Setting) -> Found:
    name, dimension = old.name.text, dimension_of(old.type)
    if dimension != dimension_of(new.type):
        yield Broken("resource", name)
        return
    before, after = _about(old), _about(new)
    worse = (before[2], after[2]) == ("degrades", "fails")
    if old.per != new.per or before[1] != after[1] or worse:
        yield Broken("resource", name)
    alone = Version(nodes.Contract(old.name), setting)
    was, now = number_of(before[0], alone), number_of(after[0], alone)
    if now < was:
        yield Broken("resource", name, "capacity", shown(was, dimension), shown(now, dimension))


def _about(resource: nodes.Resource) -> tuple[nodes.Expression, str, str]:
    """The capacity of a resource, how it is shared, and what comes of too much."""
    capacity, sharing, exceed = resource.clauses
    assert isinstance(capacity, nodes.Capacity)
    assert isinstance(sharing, nodes.Sharing)
    assert isinstance(exceed, nodes.Exceed)
    return capacity.value, sharing.mode, exceed.effect
