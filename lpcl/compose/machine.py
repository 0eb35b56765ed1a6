"""A machine as a process sees it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from lpcl.compose.said import Said
from lpcl.compose.terms import Value, apply
from lpcl.model.machine import FACTS
from lpcl.model.program import Origin

ANY_MACHINE = "any machine"
STATED, STATED_BY_ALL = "its own machine", "their own machine"
"""The names of a machine in braces: of one application, of several."""
_NAMELESS = (STATED, STATED_BY_ALL, ANY_MACHINE)


@dataclass(frozen=True, eq=False)
class Pinning:
    """A clause that pins a process to so many CPUs: of the library `who`, in its `operation` or, where that
    is empty, on being loaded. `place` is the id of the place that starts the process.
    """

    who: str
    operation: str
    count: Value
    said: Said
    place: str = ""


@dataclass(frozen=True, eq=False)
class MachineView:
    """The facts that are stated, and the affinity where it has been narrowed (`pin`).

    `origins` are the clauses that state them, `sources` where they were read instead (`machine host`), and
    `pins` the clauses that have narrowed the affinity, the outermost first.
    """

    name: str
    facts: Mapping[str, Value]
    origins: Mapping[str, Origin]
    sources: Mapping[str, str] = field(default_factory=dict)
    pin: Value | None = None
    pins: tuple[Pinning, ...] = ()

    @property
    def title(self) -> str:
        """How a sentence names it."""
        if self.sources:
            return "this machine"
        return self.name if self.name in _NAMELESS else f"the machine `{self.name}`"

    @cached_property
    def capacities(self) -> dict[object, Value | None]:
        """Where `lpcl.compose.resources.capacity_of` keeps what it worked out."""
        return {}

    def fact(self, path: str) -> Value | None:
        """The fact `path` (without `machine.`) or what follows for it; None where nothing does."""
        if path == "cpus":
            affinity, quota = self.fact("cpus.affinity"), self.fact("cpus.quota")
            return None if affinity is None or quota is None else apply("min", affinity, quota)
        stated = self.facts.get(path)
        if stated is None:
            follows = FACTS[path].follows if path in FACTS else None
            stated = None if follows is None else self.fact(follows)
        if path == "cpus.affinity" and self.pin is not None and stated is not None:
            return apply("min", self.pin, stated)
        return stated

    def with_quota(self, cpus: Value) -> MachineView:
        """The same machine with no more CPU time than `cpus` allow."""
        known = self.fact("cpus.quota")
        quota = cpus if known is None else apply("min", cpus, known)
        return replace(self, facts={**self.facts, "cpus.quota": quota})

    def pinned(self, count: Value, by: Pinning | None = None) -> MachineView:
        """The same machine with the affinity narrowed to `count` CPUs, by a clause where one does it."""
        pins = self.pins if by is None else (*self.pins, by)
        return replace(self, pin=count if self.pin is None else apply("min", self.pin, count), pins=pins)
