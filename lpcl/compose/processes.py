"""Processes while they are being built: what they load, what that does to them, and what it holds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from lpcl.compose.clauses import Clauses
from lpcl.compose.linker import Runtime
from lpcl.compose.machine import MachineView
from lpcl.compose.pools import existing_threads, pool_instance, pool_size
from lpcl.compose.refusal import Refusal
from lpcl.compose.scopes import ContractScope, Here, ProcessState
from lpcl.compose.settings import Seen
from lpcl.compose.starts import Live
from lpcl.compose.structure import (
    Activity,
    Condition,
    Held,
    Load,
    Loaded,
    Place,
    Process,
    Resolution,
    Sequence,
    Statement,
)
from lpcl.compose.terms import Value, apply, conjunction, disjunction
from lpcl.model.contracts import Clause
from lpcl.model.program import Origin
from lpcl.syntax import nodes


@dataclass(frozen=True)
class Spot:
    """Where statements are carried out: the process and limits, the pools whose threads do it, and the
    path.
    """

    here: Here
    own_pools: frozenset[str]
    path: str
    depth: int
    used: dict[str, Value]
    conditions: list[Callable[[], Condition]]
    holders: dict[str, set[str]]

    def inside(self, here: Here, path: str, own_pools: frozenset[str]) -> Spot:
        """The place one level further in, in the same process."""
        return Spot(here, own_pools, path, self.depth + 1, self.used, self.conditions, self.holders)


Content = Callable[[Spot], tuple[Statement, ...]]
"""What executors go through, once it is known where."""


@dataclass(frozen=True)
class Processes:
    """Builds processes. `application` is where a machine without CPUs is reported.

    The process classes that are built are left in `built`, parents first, as expressions see them.
    """

    clauses: Clauses
    application: Origin
    built: list[Here] = field(default_factory=list)

    def process(
        self,
        state: ProcessState,
        place: Place | None,
        method: str | None,
        machine: MachineView,
        content: Content | None,
        path: str,
        here: Here,
        held: tuple[Held, ...],
        starter: Runtime | None,
        cpu: Load | None,
        depth: int,
        *,
        pinned: bool = False,
        parent_used: Mapping[str, Value] | None = None,
    ) -> Process:
        """The process class of `content`, once all that it loads is known. Raises `Refusal`."""
        self.built.append(here)
        state.copies = here.copies
        holders: dict[str, set[str]] = {}
        spot = Spot(here, frozenset(), path, depth + 1, {}, [], holders)
        if starter is not None and place is not None:
            self.load(starter, here)
            self.hold(starter, holders, place)
        statements = content(spot) if content is not None else ()
        if not statements and place is not None:
            statements = (
                Activity(
                    replace(place, id=f"{place.id}/work"),
                    cpu=cpu,
                    condition=here.condition,
                ),
            )
        loaded = tuple(
            self._loaded(runtime, here, frozenset(holders.get(runtime.key, ())), spot)
            for runtime in state.loaded.values()
        )
        cpus = state.machine.fact("cpus")
        if cpus is None:
            raise Refusal(
                "machine-fact-missing",
                f"{machine.title} does not state `cpus.online`",
                self.application,
                help="every composition needs to know how many CPUs there are",
            )
        return Process(
            state.name,
            place,
            method,
            cpus,
            pinned or state.machine is not machine,
            loaded,
            held,
            Sequence(statements),
            tuple(later() for later in spot.conditions),
            parent_used or {},
            here.condition,
            environment=dict(state.env),
            pins=state.machine.pins,
            asked=tuple(state.asked),
            questioned=tuple(state.questioned),
        )

    def hold(self, runtime: Runtime, holders: dict[str, set[str]], place: Place) -> None:
        """Note that a library, and what it uses, is loaded through a place."""
        holders.setdefault(runtime.key, set()).add(place.id)
        for provider in runtime.providers.values():
            self.hold(provider, holders, place)

    def load(self, runtime: Runtime, here: Here) -> None:
        """Load a library and what it uses into the process, and let it do what importing it does."""
        state = here.state
        for provider in runtime.providers.values():
            self.load(provider, here)
        known = state.presence.get(runtime.key, False)
        state.presence[runtime.key] = disjunction(known, here.condition)
        if runtime.key not in state.loaded:
            state.loaded[runtime.key] = runtime
            if self.clauses.rests:
                state.live.extend(Live(state.copies, held) for held in self._held_of(runtime, here))
        seen = state.env_at_load.setdefault(runtime.key, Seen())
        on_load = runtime.contract.on_load
        if seen.settled:
            return
        if on_load is not None and not self.clauses.unlimited:
            if not self._reached(here, on_load):
                return
            here = replace(here, condition=True)
            base = Here(state, self.clauses.linker, here.frames, here.requirements)
            scope = ContractScope(runtime, on_load.file, base)
            for clause in on_load.node.clauses:
                match clause:
                    case nodes.SetVariable():
                        self.clauses.set_variable(
                            clause, scope, state.env, f" (set by importing {runtime.name})"
                        )
                    case nodes.Pin():
                        state.machine = self.clauses.pinned(clause, scope, state.machine)
                    case nodes.Limit():
                        state.imported.extend(self.clauses.limits((clause,), scope))
        seen.look(state.env, here.condition)

    def fork(self, parent: ProcessState, child: ProcessState, origin: Origin) -> None:
        """Give a forked child what its parent has imported: it is not imported again, nor read again."""
        child.imported.extend(parent.imported)
        child.env_at_use.update((use, seen.handed_on()) for use, seen in parent.env_at_use.items())
        for key, seen in parent.env_at_load.items():
            runtime = parent.loaded.get(key)
            if runtime is None or not _acts_at_load(runtime):
                imported = True
            else:
                imported = self.clauses.decide(parent.presence[key], origin)
            if imported:
                child.env_at_load[key] = seen.handed_on()

    def _reached(self, here: Here, on_load: Clause[nodes.OnLoad]) -> bool:
        """Whether a library is loaded at all, asked where loading it changes its process."""
        return self.clauses.decide(here.condition, on_load.origin)

    def _loaded(self, runtime: Runtime, here: Here, holders: frozenset[str], spot: Spot) -> Loaded:
        """What a loaded library holds for as long as its process lives, where it is loaded at all."""
        presence = here.state.presence[runtime.key]
        here = replace(here, condition=conjunction(here.condition, presence))
        try:
            return self._there(runtime, here, holders, spot, presence)
        except Refusal:
            if presence is True:
                raise
            here.demand(False)  # a library that has no meaning here must not be loaded
            return Loaded(runtime.contract, runtime.key, holders, (), (), presence)

    def _there(
        self, runtime: Runtime, here: Here, holders: frozenset[str], spot: Spot, presence: Value
    ) -> Loaded:
        demands = self._held_of(runtime, here)
        for item in (*runtime.contract.assumes, *runtime.contract.hazards):
            scope = ContractScope(runtime, item.file, here)
            self.clauses.conditions((item.node,), scope, None, spot.conditions)
        pools = []
        for name in runtime.contract.pools:
            pool = pool_instance(runtime, name, here, self.clauses.decide)
            if pool.created_at_load:
                reasons: list[Resolution] = []
                size = pool_size(runtime, name, here, reasons)
                pools.append((pool, existing_threads(runtime, name, here, size), tuple(reasons)))
        return Loaded(runtime.contract, runtime.key, holders, demands, tuple(pools), presence)

    def _held_of(self, runtime: Runtime, here: Here) -> tuple[Held, ...]:
        """What a library holds in a process once it is loaded."""
        demands = [
            self.clauses.held(clause.node, ContractScope(runtime, clause.file, here))
            for clause in runtime.contract.demands
        ]
        on_load = runtime.contract.on_load
        if on_load is not None:
            scope = ContractScope(runtime, on_load.file, here)
            demands.extend(
                self.clauses.held(c, scope) for c in on_load.node.clauses if isinstance(c, nodes.Demand)
            )
        return tuple(demands)

    def created(self, state: ProcessState) -> Mapping[str, Value]:
        """The pools that have threads in a process since its libraries were loaded, and when these are."""
        found: dict[str, Value] = {}
        for key, runtime in state.loaded.items():
            here = Here(state, self.clauses.linker, (), condition=state.presence[key])
            for name in runtime.contract.pools:
                pool = pool_instance(runtime, name, here, self.clauses.decide)
                if pool.created_at_load:
                    existing = existing_threads(runtime, name, here, pool_size(runtime, name, here, []))
                    found[pool.key] = conjunction(state.presence[key], apply(">=", existing, 1))
        return found


def _acts_at_load(runtime: Runtime) -> bool:
    """Whether it matters when a library is imported: that changes its process, or it reads variables then."""
    return runtime.contract.on_load is not None or any(
        isinstance(item, nodes.Read) and item.moment == "load"
        for control in runtime.contract.controls.values()
        for item in control.node.clauses
    )
