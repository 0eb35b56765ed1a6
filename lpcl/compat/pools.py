"""Pools: how many threads, what several callers get, and what the threads do between."""

from __future__ import annotations

from dataclasses import dataclass, replace

from lpcl.compat.change import Level
from lpcl.compat.pair import Ask, Pair, clause_of, reading
from lpcl.compose.terms import apply
from lpcl.model.contracts import Clause
from lpcl.model.program import Origin
from lpcl.model.quantities import TIME
from lpcl.syntax import nodes

_FEWER = {("fork", "join"), ("queue", "submit"), ("submit", "queue")}
"""Changes of what several callers get, from and to, that ask for no more and let nobody wait who did not."""

_GETS = {
    "fork": "a team for each caller",
    "queue": "one caller at a time, while the others wait",
    "submit": "one pool for all callers, who wait",
    "join": "callers at work beside the pool",
    "forbid": "one caller alone",
}


@dataclass(frozen=True, slots=True)
class _Word:
    """A clause of one word: its kind, what it is called, what it is left out, and how grave each word is."""

    rule: str
    title: str
    left_out: str
    weights: dict[str, int]


_WORDS = {
    nodes.CallerRole: _Word("pool-caller", "its caller", "waits", {"joins": 0, "waits": 1}),
    nodes.Coupling: _Word(
        "pool-coupling", "its threads are", "independent", {"independent": 0, "coupled": 1}
    ),
    nodes.Created: _Word("pool-created", "it is created at", "first use", {"first use": 0, "load": 1}),
    nodes.ForkBehaviour: _Word(
        "pool-fork", "after a fork it is", "safe", {"safe": 0, "resets": 0, "unsafe": 1}
    ),
}


def compare(pair: Pair) -> None:
    """Compare the pools."""
    before, after = pair.old.contract.pools, pair.new.contract.pools
    for name, old in before.items():
        new = after.get(name)
        if new is None:
            if pair.strict:
                pair.breaks("pool-removed", f"the pool `{name}` is gone", old)
            continue
        _sizes(pair, name, old, new)
        _policy(pair, name, old, new)
        _words(pair, name, old, new)
        _idle(pair, name, old, new)
        if pair.strict:
            _nested(pair, name, old, new)
    for name, new in after.items():
        if name not in before and pair.strict:
            _added(pair, name, new)


def _added(pair: Pair, name: str, new: Clause[nodes.Pool]) -> None:
    """A pool that is new: of threads that exist wherever the library is loaded there are more than before."""
    existing = _existing(new, size_of(new))
    if existing is not None and _word(new.node, nodes.Created) == "load":
        answer = pair.can(lambda _, world: apply(">", existing(world), 0))
        if answer.yes:
            headline = f"a pool `{name}`, whose threads exist once the library is loaded"
            pair.breaks("pool-added", headline, None, new, str(answer))
            return
        if not answer.no:
            headline = f"whether loading the library starts threads of the new pool `{name}` is not decided"
            pair.report(Level.UNDECIDED, "pool-added", headline, None, new)
            return
    pair.report(Level.ADDS, "pool-added", f"a pool `{name}`", None, new)


def size_of(clause: Clause[nodes.Pool]) -> Ask | None:
    """The size of a pool, as a value on its side."""
    node = clause_of(clause.node, nodes.Size)
    return reading(node.value, clause) if isinstance(node, nodes.Size) else None


def _sizes(pair: Pair, name: str, old: Clause[nodes.Pool], new: Clause[nodes.Pool]) -> None:
    before, after = size_of(old), size_of(new)
    level: Level | None = None
    if before is not None and after is not None:
        places = _place(old, nodes.Size), _place(new, nodes.Size)
        level = pair.grows("pool-size", f"the pool `{name}`", before, after, places)
        if level in (Level.BREAKS, Level.UNDECIDED):
            return
    stated = [clause_of(clause.node, nodes.Existing) is not None for clause in (old, new)]
    same = _role(old) == _role(new)
    if _role(new) == "waits" and not (same or any(stated)):
        return  # that there is one more is told with the caller
    asks = _existing(old, before), _existing(new, after)
    if asks[0] is not None and asks[1] is not None and (pair.strict or stated[0]):
        places = _place(old, nodes.Existing), _place(new, nodes.Existing)
        what = f"the number of threads that exist in `{name}`"
        pair.grows("pool-existing", what, asks[0], asks[1], places, less=level is None and same)


def _role(clause: Clause[nodes.Pool]) -> str:
    return _word(clause.node, nodes.CallerRole) or _WORDS[nodes.CallerRole].left_out


def _existing(clause: Clause[nodes.Pool], size: Ask | None) -> Ask | None:
    """The threads that exist beside the callers; None where they follow from a size that is left open."""
    node = clause_of(clause.node, nodes.Existing)
    stated = clause_of(clause.node, nodes.Size)
    if isinstance(node, nodes.Existing):
        if isinstance(stated, nodes.Size):
            return lambda world: world.value(node.value, replace(world.place(clause.file), size=stated.value))
        parts = [part.path for part in node.value.walk() if isinstance(part, nodes.Reference)]
        return None if "size" in parts else reading(node.value, clause)
    if size is None:
        return None
    joins = _word(clause.node, nodes.CallerRole) == "joins"
    return lambda world: apply("-", size(world), 1) if joins else size(world)


def _place(clause: Clause[nodes.Pool], kind: type[nodes.Node]) -> Origin:
    node = clause_of(clause.node, kind)
    return clause.origin if node is None else Origin(clause.file, node.span)


def _policy(pair: Pair, name: str, old: Clause[nodes.Pool], new: Clause[nodes.Pool]) -> None:
    one, other = clause_of(old.node, nodes.CallersPolicy), clause_of(new.node, nodes.CallersPolicy)
    if not isinstance(one, nodes.CallersPolicy) or not isinstance(other, nodes.CallersPolicy):
        return
    was, now = one.policy, other.policy
    if was == now:
        return
    headline = f"the callers of `{name}` had {_GETS[was]}, and have {_GETS[now]}"
    places = Origin(old.file, one.span), Origin(new.file, other.span)
    if (was, now) in _FEWER:
        pair.report(Level.NEUTRAL, "pool-callers", headline, *places)
    elif was == "forbid":
        pair.report(Level.ADDS, "pool-callers", headline, *places)
    else:
        pair.breaks("pool-callers", headline, *places, "two callers at once")


def _word(node: nodes.Pool, kind: type[nodes.Node]) -> str | None:
    found = clause_of(node, kind)
    match found:
        case nodes.CallerRole():
            return found.role
        case nodes.Coupling():
            return found.kind
        case nodes.Created():
            return " ".join(found.moment.split())
        case nodes.ForkBehaviour():
            return found.effect
    return None


def _words(pair: Pair, name: str, old: Clause[nodes.Pool], new: Clause[nodes.Pool]) -> None:
    for kind, word in _WORDS.items():
        stated = _word(old.node, kind)
        if stated is None and not pair.strict:
            continue
        was, now = stated or word.left_out, _word(new.node, kind) or word.left_out
        if was != now:
            worse = word.weights[now] > word.weights[was]
            level = Level.BREAKS if worse else Level.NEUTRAL
            headline = f"the pool `{name}`: {word.title} `{was}` before, and `{now}` now"
            pair.report(level, word.rule, headline, _place(old, kind), _place(new, kind))


def _idle(pair: Pair, name: str, old: Clause[nodes.Pool], new: Clause[nodes.Pool]) -> None:
    one, other = clause_of(old.node, nodes.Idle), clause_of(new.node, nodes.Idle)
    if one is None and not pair.strict:
        return
    places = _place(old, nodes.Idle), _place(new, nodes.Idle)
    was = one.how if isinstance(one, nodes.Idle) else "blocks"
    now = other.how if isinstance(other, nodes.Idle) else "blocks"
    if was != now:
        level = Level.BREAKS if now == "spins" else Level.NEUTRAL
        pair.report(level, "pool-idle", f"idle threads of `{name}`: `{was}` before, and `{now}` now", *places)
    elif was == "spins":
        assert isinstance(one, nodes.Idle)
        assert isinstance(other, nodes.Idle)
        if one.duration is not None and other.duration is not None:
            asks = reading(one.duration, old), reading(other.duration, new)
            pair.grows("pool-idle", f"the time for which idle threads of `{name}` spin", *asks, places, TIME)
        elif one.duration is not None:
            pair.breaks("pool-idle", f"idle threads of `{name}` spin for good", *places)
        elif other.duration is not None:
            pair.report(
                Level.NEUTRAL, "pool-idle", f"idle threads of `{name}` spin for a time alone", *places
            )


def _nested(pair: Pair, name: str, old: Clause[nodes.Pool], new: Clause[nodes.Pool]) -> None:
    was = clause_of(old.node, nodes.Nested) is not None
    now = clause_of(new.node, nodes.Nested) is not None
    if was != now:
        level = Level.BREAKS if now else Level.NEUTRAL
        what = "use it again" if now else "run on their caller alone"
        pair.report(level, "pool-nested", f"calls from threads of `{name}` {what}", old, new)
