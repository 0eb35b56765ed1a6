"""Pools as a process has them: what their clauses say, and how many threads they come to."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from lpcl.compose.evaluate import evaluate
from lpcl.compose.linker import Runtime
from lpcl.compose.refusal import Refusal
from lpcl.compose.said import Said
from lpcl.compose.scopes import ContractScope, Here
from lpcl.compose.structure import PoolInstance, Resolution
from lpcl.compose.terms import Value, apply
from lpcl.model.program import Origin
from lpcl.syntax import nodes

FOREVER = 60
"""Seconds: idle threads that spin for as long as this are taken to spin for ever."""


def pool_instance(
    owner: Runtime, name: str, here: Here, decide: Callable[[Value, Origin], bool]
) -> PoolInstance:
    """The pool as its contract describes it, in the runtime and process at hand.

    `decide` answers how long idle threads spin where that is open.
    """
    clause = owner.contract.pools[name]
    policy, coupled, spins, at_load, fork, nested = (
        "submit",
        False,
        None,
        False,
        "safe",
        False,
    )
    for item in clause.node.clauses:
        match item:
            case nodes.CallersPolicy():
                policy = item.policy
            case nodes.Coupling():
                coupled = item.kind == "coupled"
            case nodes.Idle():
                spins = _spinning(item, ContractScope(owner, clause.file, here), decide)
            case nodes.Created():
                at_load = item.moment == "load"
            case nodes.ForkBehaviour():
                fork = item.effect
            case nodes.Nested():
                nested = True
    return PoolInstance(
        f"{owner.key}.{name}",
        name,
        owner.name,
        policy,
        joins(clause.node),
        coupled,
        spins,
        at_load,
        fork,
        nested,
        clause.origin,
        owner.key.partition("@")[2] or None,
    )


def _spinning(idle: nodes.Idle, scope: ContractScope, decide: Callable[[Value, Origin], bool]) -> str | None:
    """Whether idle threads spin, and whether they ever stop: see decision 0004."""
    if idle.how == "blocks":
        return None
    if idle.duration is None:
        return "always"
    duration = evaluate(idle.duration, scope)
    origin = Origin(scope.file, idle.duration.span)
    if decide(apply("==", duration, 0), origin):
        return None
    return "always" if decide(apply(">=", duration, FOREVER), origin) else "for a time"


def pool_size(owner: Runtime, name: str, here: Here, reasons: list[Resolution]) -> Value:
    """How many threads the pool has at work; `reasons` is given the controls that decide it.

    Raises `Refusal`.
    """
    size, _ = sized(owner, name, here, reasons)
    return size


def sized(
    owner: Runtime,
    name: str,
    here: Here,
    reasons: list[Resolution],
    overrides: Mapping[str, Value] | None = None,
    given: Mapping[str, Resolution] | None = None,
) -> tuple[Value, Said]:
    """The same with how it is reckoned, for a call with arguments of its own."""
    clause = owner.contract.pools[name]
    node = next((c for c in clause.node.clauses if isinstance(c, nodes.Size)), None)
    if node is None:
        raise Refusal(
            "missing-clause",
            f"the pool `{owner.name}.{name}` has no size",
            clause.origin,
            help="add `size` to the pool, or `with size = ...` to the operation",
        )
    scope = ContractScope(
        owner, clause.file, here, overrides=overrides or {}, reasons=reasons, given=given or {}
    )
    size = evaluate(node.value, scope)
    return size, scope.said(node.value, size)


def existing_threads(
    owner: Runtime, name: str, here: Here, size: Value, overrides: Mapping[str, Value] | None = None
) -> Value:
    """How many threads there are of a pool of that size, beside its callers, for a call with `overrides`."""
    clause = owner.contract.pools[name]
    node = next((c for c in clause.node.clauses if isinstance(c, nodes.Existing)), None)
    if node is not None:
        scope = ContractScope(owner, clause.file, here, parameters={"size": size}, overrides=overrides or {})
        existing = evaluate(node.value, scope)
        origin = Origin(clause.file, node.span)
        here.require(
            apply(">=", existing, 0),
            lambda: Refusal(
                "out-of-range",
                f"the pool `{owner.name}.{name}` comes out with {existing} threads beside its callers here",
                origin,
                help="a pool has 0 threads or more: `max(0, ...)`",
            ),
        )
        return existing
    return apply("max", 0, apply("-", size, 1)) if joins(clause.node) else size


def joins(pool: nodes.Pool) -> bool:
    """Whether the thread that calls is one of those that work."""
    return any(
        (isinstance(item, nodes.CallerRole) and item.role == "joins")
        or (isinstance(item, nodes.CallersPolicy) and item.policy == "join")
        for item in pool.clauses
    )
