"""A contract or interface as its clauses read once `extends` is followed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from lpcl.model.program import Declared, Origin, Program, SourceFile
from lpcl.syntax import nodes

NodeT = TypeVar("NodeT", bound=nodes.Node, covariant=True)


@dataclass(frozen=True, slots=True)
class Clause(Generic[NodeT]):
    """A clause with the file it stands in, which for an inherited one is the base's."""

    node: NodeT
    file: SourceFile

    @property
    def origin(self) -> Origin:
        """Where the clause stands."""
        return Origin(self.file, self.node.span)


@dataclass(frozen=True, eq=False)
class Contract:
    """The clauses of a contract or interface, its base's first; a named one replaces its base's of that name.

    A `library` or `on load` clause of the contract replaces the base's; unnamed clauses of other kinds add
    up. Contracts compare by identity.
    """

    declared: Declared
    controls: Mapping[str, Clause[nodes.Control]]
    pools: Mapping[str, Clause[nodes.Pool]]
    operations: Mapping[str, Clause[nodes.Operation]]
    uses: Mapping[str, Clause[nodes.Uses]]
    lets: Mapping[str, Clause[nodes.Let]]
    signals: Mapping[str, Clause[nodes.Signal]]
    interfaces: tuple[Declared, ...]
    library: Clause[nodes.Library] | None
    on_load: Clause[nodes.OnLoad] | None
    demands: tuple[Clause[nodes.Demand], ...]
    assumes: tuple[Clause[nodes.Assume], ...]
    hazards: tuple[Clause[nodes.Hazard], ...]
    evidence: tuple[Clause[nodes.Evidence], ...]
    scales: tuple[Clause[nodes.Scales], ...]

    @property
    def name(self) -> str:
        """The contract's own name, as reports call the library."""
        return self.declared.name


def lineage(program: Program, declared: Declared) -> tuple[Declared, ...]:
    """The declaration's bases, the most distant first, then itself; a cycle ends where it closes."""
    line = [declared]
    while True:
        node = line[0].node
        if not isinstance(node, nodes.Contract | nodes.Interface) or node.base is None:
            return tuple(line)
        base = program.find(line[0].file, node.base.path)
        if base is None or base in line or type(base.node) is not type(node):
            return tuple(line)
        line.insert(0, base)


def contract(program: Program, declared: Declared) -> Contract:
    """Flatten `declared`, a contract or an interface, along its `extends`; once for each program."""
    known = program.flattened.get(declared)
    if not isinstance(known, Contract):
        known = program.flattened[declared] = _flat(program, declared)
    return known


def _flat(program: Program, declared: Declared) -> Contract:
    line = lineage(program, declared)
    found: dict[type[nodes.Node], list[Clause[Any]]] = {}
    for ancestor in line:
        for member in _members(ancestor):
            kind = type(member)
            kind = kind if kind in _KINDS else next(filter(_KINDS.__contains__, kind.__mro__), kind)
            found.setdefault(kind, []).append(Clause(member, ancestor.file))

    def named(kind: type[NodeT]) -> dict[str, Clause[NodeT]]:
        return {item.node.name.text: item for item in found.get(kind, ())}

    def all_of(kind: type[NodeT]) -> tuple[Clause[NodeT], ...]:
        return tuple(found.get(kind, ()))

    interfaces: dict[str, Declared] = {}
    for ancestor in line:
        if isinstance(ancestor.node, nodes.Contract):
            for ref in ancestor.node.interfaces:
                interface = program.find(ancestor.file, ref.path)
                if interface is not None:
                    interfaces[interface.qualified] = interface
    return Contract(
        declared=declared,
        controls=named(nodes.Control),
        pools=named(nodes.Pool),
        operations=named(nodes.Operation),
        uses=named(nodes.Uses),
        lets=named(nodes.Let),
        signals=named(nodes.Signal),
        interfaces=tuple(interfaces.values()),
        library=next(reversed(all_of(nodes.Library)), None),
        on_load=next(reversed(all_of(nodes.OnLoad)), None),
        demands=all_of(nodes.Demand),
        assumes=all_of(nodes.Assume),
        hazards=all_of(nodes.Hazard),
        evidence=all_of(nodes.Evidence),
        scales=all_of(nodes.Scales),
    )


_KINDS: frozenset[type[nodes.Node]] = frozenset(
    (
        nodes.Control,
        nodes.Pool,
        nodes.Operation,
        nodes.Uses,
        nodes.Let,
        nodes.Signal,
        nodes.Library,
        nodes.OnLoad,
        nodes.Demand,
        nodes.Assume,
        nodes.Hazard,
        nodes.Evidence,
        nodes.Scales,
    )
)


def _members(declared: Declared) -> Iterator[nodes.Node]:
    if isinstance(declared.node, nodes.Contract | nodes.Interface):
        yield from declared.node.members
