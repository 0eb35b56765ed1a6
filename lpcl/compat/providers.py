"""What a change of an interface means for those who hold to it: its providers and those who use it.

What an interface leaves out is open to its providers. What it asks for in addition, or bounds more tightly,
those that were right may not keep; what it no longer states, nobody can count on.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from lpcl.compat.change import Change, Level
from lpcl.compat.pair import Pair, clause_of
from lpcl.model.contracts import Clause
from lpcl.model.program import Origin
from lpcl.syntax import nodes

_POOL: tuple[tuple[type[nodes.Node], str, str], ...] = (
    (nodes.Size, "pool-size", "its size"),
    (nodes.Existing, "pool-existing", "how many threads exist"),
    (nodes.CallersPolicy, "pool-callers", "what several callers get"),
    (nodes.CallerRole, "pool-caller", "what its caller does"),
    (nodes.Coupling, "pool-coupling", "whether its threads are coupled"),
    (nodes.Created, "pool-created", "when it is created"),
    (nodes.Idle, "pool-idle", "what its idle threads do"),
    (nodes.ForkBehaviour, "pool-fork", "what a fork does to it"),
)
_CONTROL: tuple[tuple[type[nodes.Node], str, str], ...] = (
    (nodes.Read, "control-read", "when its variables are read"),
    (nodes.Scope, "control-scope", "for whom a call sets it"),
    (nodes.Invalid, "control-invalid", "what becomes of values that it does not take"),
)


def for_providers(pair: Pair, back: Pair) -> list[Change]:
    """The changes of an interface in `pair`, with what they mean for its providers.

    `back` holds what the old version, as a provider of the new one, does not keep.
    """
    found: list[Change] = []
    kept = pair.changes
    for change, old, new in _stated(pair):
        found.append(change)
        kept = [one for one in kept if one.rule != change.rule or not _about(one, old, new)]
    unkept = {(one.rule, one.new, one.old) for one in back.changes if one.level is Level.BREAKS}
    return [*found, *(_meant(one, (one.rule, one.old, one.new) in unkept) for one in kept)]


def _about(change: Change, old: Origin, new: Origin) -> bool:
    """Whether a change is one between two declarations."""
    return _inside(change.old, old) and _inside(change.new, new)


def _inside(place: Origin | None, whole: Origin) -> bool:
    return (
        place is not None
        and place.file is whole.file
        and whole.span.start <= place.span.start <= place.span.end <= whole.span.end
    )


def _meant(change: Change, unkept: bool) -> Change:
    """A change of an interface as its providers and users have it."""
    if change.level is Level.ADDS:
        further = ": providers that were right may lack it"
    elif change.level is not Level.NEUTRAL:
        return change
    elif unkept:
        further = ": providers that were right may exceed it"
    elif change.rule == "operation-way" or (change.rule == "demand" and change.new is None):
        further = ", or whatever a provider does"
    else:
        return change
    return replace(change, level=Level.BREAKS, headline=change.headline + further)


def _stated(pair: Pair) -> Iterator[tuple[Change, Origin, Origin]]:
    """What one of the two states of a control or pool, and the other leaves open, with these two."""
    old, new = pair.old.contract, pair.new.contract
    for name, control in old.controls.items():
        if name in new.controls:
            yield from _of_one(pair, f"the control `{name}`", _CONTROL, control, new.controls[name])
    for name, pool in old.pools.items():
        if name in new.pools:
            yield from _of_one(pair, f"the pool `{name}`", _POOL, pool, new.pools[name])


def _of_one(
    pair: Pair,
    what: str,
    kinds: tuple[tuple[type[nodes.Node], str, str], ...],
    old: Clause[nodes.Control] | Clause[nodes.Pool],
    new: Clause[nodes.Control] | Clause[nodes.Pool],
) -> Iterator[tuple[Change, Origin, Origin]]:
    for kind, rule, title in kinds:
        was, now = clause_of(old.node, kind), clause_of(new.node, kind)
        if (was is None) == (now is None):
            continue
        before = old.origin if was is None else Origin(old.file, was.span)
        after = new.origin if now is None else Origin(new.file, now.span)
        headline = (
            f"{what}: {title} was open, and is stated: providers that were right may not keep it"
            if was is None
            else f"{what}: {title} was stated, and is open"
        )
        yield Change(Level.BREAKS, rule, pair.subject, headline, "", before, after), old.origin, new.origin
