"""The resources of a program: what they count, how they add up, and what a machine has of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from lpcl.compose.evaluate import evaluate
from lpcl.compose.machine import MachineView
from lpcl.compose.refusal import Refusal
from lpcl.compose.terms import Value, apply
from lpcl.model.dimensions import dimension_of
from lpcl.model.machine import FACTS
from lpcl.model.program import Declared, Origin, Program, SourceFile
from lpcl.model.quantities import Dimension
from lpcl.syntax import nodes

CPU = "lpcl.core.cpu"
THREADS = "lpcl.core.threads"
PROCESSES = "lpcl.core.processes"


@dataclass(frozen=True, eq=False)
class Resource:
    """A declared resource with its rules. `capacity` is its clause, None where the declaration lacks it."""

    declared: Declared
    node: nodes.Resource

    @property
    def qualified(self) -> str:
        """The resource's full name."""
        return self.declared.qualified

    @property
    def name(self) -> str:
        """The resource's own name, as reports give it."""
        return self.node.name.text

    @property
    def per(self) -> str:
        """Over what its demands add up: ``machine``, ``process`` or ``device``."""
        return self.node.per or "machine"

    @property
    def fails(self) -> bool:
        """Whether asking for too much fails, rather than slows everybody down."""
        return any(isinstance(c, nodes.Exceed) and c.effect == "fails" for c in self.node.clauses)

    @property
    def dimension(self) -> Dimension:
        """The dimension of its amounts."""
        return dimension_of(self.node.type)

    @property
    def capacity(self) -> nodes.Expression | None:
        """The expression that says how much there is."""
        return next((c.value for c in self.node.clauses if isinstance(c, nodes.Capacity)), None)


@lru_cache(maxsize=2)  # a program is asked about each of its operations
def resources(program: Program) -> Mapping[str, Resource]:
    """Every declared resource by its full name."""
    return {
        qualified: Resource(item, item.node)
        for qualified, item in program.resources.items()
        if isinstance(item.node, nodes.Resource)
    }


@dataclass(frozen=True)
class _MachineScope:
    file: SourceFile
    machine: MachineView

    def name(self, path: str, origin: Origin) -> Value:
        value = self.machine.fact(path.removeprefix("machine."))
        if value is None:
            raise Refusal("machine-fact-missing", f"`{path}` is not stated", origin)
        return value

    def question(self, function: str, path: str, origin: Origin) -> Value:
        if function == "defined":
            return self.machine.fact(path.removeprefix("machine.")) is not None
        raise Refusal("unknown-function", f"`{function}` has no meaning in a capacity", origin)


def capacity_of(resource: Resource, machine: MachineView) -> Value | None:
    """How much of it the machine has; None where the machine does not say, which limits nothing."""
    known = machine.capacities
    if resource not in known:
        known[resource] = _capacity(resource, machine)
    return known[resource]


def _capacity(resource: Resource, machine: MachineView) -> Value | None:
    expression = resource.capacity
    if expression is None:
        return None
    try:
        return evaluate(expression, _MachineScope(resource.declared.file, machine))
    except Refusal as refusal:
        if refusal.diagnostic.code == "machine-fact-missing":
            return None
        raise


def capacity_reason(resource: Resource, machine: MachineView) -> tuple[str, Origin | None]:
    """What limits the resource, in words, and the clause that states it."""
    expression = resource.capacity
    if expression is None:
        return "", None
    span = expression.span
    text = resource.declared.file.text[span.start : span.end]
    paths = [
        node.path.removeprefix("machine.")
        for node in expression.walk()
        if isinstance(node, nodes.Reference) and node.path.startswith("machine.")
    ]
    decisive = [source for fact in paths for source in _sources(fact, machine)]
    if not decisive:
        return text, Origin(resource.declared.file, span)
    read = "; ".join(_said(name, machine) for name in decisive)
    words = read if isinstance(expression, nodes.Reference) else f"{text}, from {read}"
    return words, machine.origins.get(decisive[0])


def _said(fact: str, machine: MachineView) -> str:
    """A figure of the machine, what it is, and where it was read if it was."""
    meaning = f"{fact}, {FACTS[fact].meaning}" if fact in FACTS else fact
    return f"{meaning}, read from {machine.sources[fact]}" if fact in machine.sources else meaning


def _sources(fact: str, machine: MachineView) -> list[str]:
    """The stated facts that a fact comes from; of `cpus`, the one that is the least."""
    if fact == "cpus":
        affinity, quota = machine.fact("cpus.affinity"), machine.fact("cpus.quota")
        narrower = "cpus.affinity" if apply("<=", affinity or 0, quota or 0) is True else "cpus.quota"
        return _sources(narrower, machine)
    if fact in machine.facts:
        return [fact]
    follows = FACTS[fact].follows if fact in FACTS else None
    return [] if follows is None else _sources(follows, machine)
