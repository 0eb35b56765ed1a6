"""Small random trees of processes and activities, and how they read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from hypothesis import strategies as st

from lpcl.compose.structure import (
    Activity,
    Held,
    Load,
    Loaded,
    Place,
    PoolInstance,
    PoolUse,
    Process,
    ProcessWorkers,
    Sequence,
    Statement,
    ThreadWorkers,
    Together,
    members,
    processes,
)
from lpcl.model.contracts import Contract, contract
from lpcl.model.program import Origin, Program, SourceFile
from lpcl.syntax.parser import parse
from lpcl.syntax.span import Span

RESOURCES = ("memory", "gpu")
COUNTED = ("lpcl.core.threads", "lpcl.core.processes")
DEVICES = (0, 1)
POLICIES = ("fork", "queue", "submit", "join", "forbid")

_TEXT = "package p contract lib {}"
_FILE = SourceFile("p.lpcl", _TEXT, parse(_TEXT))
HERE = Origin(_FILE, Span(0, len(_TEXT)))
LIBRARY: Contract = contract(Program((_FILE,)), Program((_FILE,)).declarations["p.lib"][0])


@dataclass
class _Context:
    """What a tree under construction has so far, and what it may still have."""

    pools: list[PoolInstance]
    places: int = 0
    activities: int = 7
    mine: list[str] = field(default_factory=list)

    def place(self) -> Place:
        self.places += 1
        place = Place(f"a{self.places}", "lib", f"a{self.places}", HERE)
        self.mine.append(place.id)
        return place


@st.composite
def pools(draw: st.DrawFn, index: int) -> PoolInstance:
    """A pool of any kind. Callers that work beside the pool's threads join it, as the word says."""
    policy = draw(st.sampled_from(POLICIES))
    return PoolInstance(
        key=f"P{index}",
        name=f"P{index}",
        library="lib",
        policy=policy,
        joins=policy == "join" or draw(st.booleans()),
        coupled=False,
        spins=draw(st.sampled_from([None, "always", "for a time"])),
        created_at_load=draw(st.sampled_from([False, False, True])),
        fork="safe",
        nested=draw(st.sampled_from([False, False, True])),
        origin=HERE,
    )


@st.composite
def uses(draw: st.DrawFn, pool: PoolInstance, own_pools: frozenset[str]) -> PoolUse:
    """A use of a pool by a thread of `own_pools`; some pools keep more threads than are at work."""
    size = draw(st.sampled_from([2, 1, 3, 4, 0]))
    besides = max(0, size - 1) if pool.joins else size
    more = 0 if size <= 1 else draw(st.sampled_from([0, 0, 0, 2]))
    at_load = int(pool.key[1:]) + 1 if pool.created_at_load else 0
    return PoolUse(pool, size, besides + more, pool.key in own_pools and not pool.nested, at_load=at_load)


@st.composite
def demands(draw: st.DrawFn) -> tuple[Held, ...]:
    """Up to two demands, some of them known by bounds only and some on a device."""
    found = []
    for _ in range(draw(st.sampled_from([0, 0, 1, 2]))):
        low = draw(st.integers(0, 3))
        high = low + draw(st.sampled_from([0, 0, 2]))
        resource = draw(st.sampled_from((*RESOURCES, *COUNTED)))
        device = draw(st.sampled_from([None, 0, 1, "all"])) if resource == "gpu" else None
        found.append(Held(resource, low, high, HERE, device))
    return tuple(found)


def _cpu(draw: st.DrawFn) -> Load | None:
    return draw(st.sampled_from([None, None, Load(1, 1), Load(0, 2), Load(2, 3), Load(0, 0)]))


def _activity(draw: st.DrawFn, context: _Context, own_pools: frozenset[str], depth: int) -> Activity:
    context.activities -= 1
    place = context.place()
    held = draw(demands())
    kinds = ["leaf", "pool", "pool", "pool"]
    if depth > 0 and context.activities > 0:
        kinds += ["block", "threads", "threads", "processes"]
    kind = draw(st.sampled_from(kinds))
    if kind == "processes":
        outer, context.mine = context.mine, []
        process = _process(draw, context, place, depth - 1)
        context.mine = outer
        count = draw(st.sampled_from([2, 1, 3, 0]))
        return Activity(place, held, None, workers=ProcessWorkers(count, process, HERE))
    cpu = _cpu(draw)
    if kind == "leaf":
        return Activity(place, held, cpu)
    if kind == "block":
        return Activity(place, held, cpu, body=_sequence(draw, context, own_pools, depth - 1))
    with_block = depth > 0 and context.activities > 0 and draw(st.booleans())
    if kind == "threads":
        count, joins = draw(st.sampled_from([2, 1, 3, 4, 0])), draw(st.booleans())
        body = _sequence(draw, context, frozenset(), depth - 1) if with_block else None
        return Activity(place, held, cpu, workers=ThreadWorkers(count, joins, HERE), body=body)
    use = draw(uses(draw(st.sampled_from(context.pools)), own_pools))
    inner = own_pools if use.own_thread else frozenset((use.pool.key,))
    body = _sequence(draw, context, inner, depth - 1) if with_block else None
    return Activity(place, held, cpu, pool=use, body=body)


def _statement(draw: st.DrawFn, context: _Context, own_pools: frozenset[str], depth: int) -> Statement:
    kinds = ["activity"] * 4
    if depth > 0 and context.activities > 1:
        kinds += ["together", "sequence"]
    kind = draw(st.sampled_from(kinds))
    if kind == "activity":
        return _activity(draw, context, own_pools, depth)
    if kind == "sequence":
        return _sequence(draw, context, own_pools, depth - 1)
    count = draw(st.integers(1, 3))
    return Together(tuple(_statement(draw, context, own_pools, depth - 1) for _ in range(count)))


def _sequence(draw: st.DrawFn, context: _Context, own_pools: frozenset[str], depth: int) -> Sequence:
    statements: list[Statement] = []
    for _ in range(draw(st.sampled_from([2, 1, 3]))):
        if statements and context.activities <= 0:
            break
        statements.append(_statement(draw, context, own_pools, depth))
    return Sequence(tuple(statements))


def _process(
    draw: st.DrawFn, context: _Context, starter: Place | None, depth: int, *, crowd: bool = False
) -> Process:
    place = context.place() if crowd else None
    body = _sequence(draw, context, frozenset(), depth)
    if place is not None:
        workers = ThreadWorkers(draw(st.integers(2, 4)), False, HERE)
        body = Sequence((Activity(place, workers=workers, body=body),))
    loaded = []
    ids = st.sampled_from(context.mine if starter is None else [starter.id, *context.mine])
    for index in range(draw(st.sampled_from([0, 0, 1, 2]))):
        at_load = [
            (pool, draw(st.integers(0, 3)), ())
            for pool in context.pools
            if pool.created_at_load and draw(st.booleans())
        ]
        holders = draw(st.frozensets(ids, max_size=2))
        loaded.append(Loaded(LIBRARY, f"L{index}", holders, draw(demands()), tuple(at_load)))
    name = "the program" if starter is None else f"workers of {starter.id}"
    return Process(name, starter, None, 8, False, tuple(loaded), draw(demands()), body)


@st.composite
def trees(draw: st.DrawFn, depth: int = 3) -> Process:
    """An application; every other one is a crowd of threads in one block."""
    count = draw(st.integers(1, 3))
    context = _Context([draw(pools(index)) for index in range(count)])
    return _process(draw, context, None, depth, crowd=draw(st.booleans()))


def used_pools(root: Process) -> tuple[PoolInstance, ...]:
    """The pools of a tree, as its uses and libraries name them."""
    found: dict[str, PoolInstance] = {}
    for process in processes(root):
        for statement in process.body.statements:
            for use in _uses(statement):
                found[use.pool.key] = use.pool
        for library in process.loaded:
            found.update((pool.key, pool) for pool, _, _ in library.pools)
    return tuple(found[key] for key in sorted(found))


def _uses(statement: Statement) -> Iterator[PoolUse]:
    if isinstance(statement, Activity):
        if statement.pool is not None:
            yield statement.pool
        if statement.body is not None:
            yield from _uses(statement.body)
    else:
        for member in members(statement):
            yield from _uses(member)


# ---------------------------------------------------------------------- reading a tree


def describe(root: Process) -> str:
    """The application, so that a person can follow it."""
    lines = []
    for pool in used_pools(root):
        words = [f"pool {pool.key}: {pool.policy}", "caller joins" if pool.joins else "caller waits"]
        words += [f"spins {pool.spins}"] if pool.spins else []
        words += ["created at load"] if pool.created_at_load else []
        words += ["nested"] if pool.nested else []
        lines.append(", ".join(words))
    return "\n".join([*lines, *_describe_process(root)])


def _describe_process(process: Process) -> list[str]:
    lines = [f"process{_held(process.held)} {{"]
    for library in process.loaded:
        at_load = "".join(f" {pool.key}({existing})" for pool, existing, _ in library.pools)
        lines.append(f"  loaded for {sorted(library.holders)}{_held(library.demands)}{at_load}")
    lines += [f"  {line}" for line in _describe(process.body)]
    return [*lines, "}"]


def _describe(statement: Statement) -> list[str]:
    if not isinstance(statement, Activity):
        head = "together {" if isinstance(statement, Together) else "{"
        return [head, *(f"  {line}" for member in members(statement) for line in _describe(member)), "}"]
    head = statement.place.id + _held(statement.demands)
    if statement.cpu is not None:
        head += f" cpu {statement.cpu[0]}..{statement.cpu[1]}"
    use, workers = statement.pool, statement.workers
    if use is not None:
        own = ", own thread" if use.own_thread else ""
        head += f" on {use.pool.key}(size {use.size}, existing {use.existing}, {use.at_load} at load{own})"
    if isinstance(workers, ProcessWorkers):
        return [
            f"{head} in {workers.count} times",
            *(f"  {line}" for line in _describe_process(workers.process)),
        ]
    if workers is not None:
        head += f" in {workers.count} threads" + (", caller joins" if workers.joins else "")
    return [head] if statement.body is None else [head, *(f"  {line}" for line in _describe(statement.body))]


def _held(items: tuple[Held, ...]) -> str:
    return "".join(
        f" [{item.resource} {item.low}..{item.high}{'' if item.device is None else f' on {item.device}'}]"
        for item in items
    )
