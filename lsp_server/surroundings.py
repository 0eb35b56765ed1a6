"""What is known at a place: the declaration around it, and the names that mean something there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from lpcl.model.contracts import Clause, Contract
from lpcl.model.program import Declared, SourceFile
from lpcl.syntax import nodes
from lpcl.syntax.span import Span
from lsp_server.expecting import clause
from lsp_server.tokens import Place
from lsp_server.views import View


@dataclass(frozen=True, slots=True)
class Named:
    """Something that has a name. `kind` is a word such as ``control``; `owner` is what it belongs to."""

    kind: str
    name: str
    node: nodes.Node
    file: SourceFile
    owner: Contract | None = None

    @property
    def span(self) -> Span:
        """The place of the name where it is declared."""
        name = getattr(self.node, "name", None)
        return name.span if isinstance(name, nodes.Name) else self.node.span


MEMBERS: Mapping[str, str] = {
    "control": "controls",
    "pool": "pools",
    "operation": "operations",
    "uses": "uses",
    "let": "lets",
    "signal": "signals",
}
"""A member's kind to the attribute of `Contract` that has all of that kind by name."""


@dataclass(frozen=True, eq=False)
class Surroundings:
    """The declaration around a place, and the operation, signal or test if it is in one."""

    view: View
    declared: Declared | None = None
    operation: nodes.Operation | None = None
    signal: nodes.Signal | None = None
    test: nodes.Test | None = None

    @cached_property
    def contract(self) -> Contract | None:
        """The contract or interface around the place, with what it inherits."""
        if self.declared is None or isinstance(self.declared.node, nodes.Application):
            return None
        return self.view.names.contract(self.declared)

    @cached_property
    def applications(self) -> tuple[Declared, ...]:
        """The application around the place, or those that the test around it checks."""
        if self.declared is not None and isinstance(self.declared.node, nodes.Application):
            return (self.declared,)
        checked = [
            self.view.names.find(self.view.file, ref.path)
            for check in (self.test.clauses if self.test else ())
            if isinstance(check, nodes.Check)
            for ref in check.applications
        ]
        return tuple(item for item in checked if item and isinstance(item.node, nodes.Application))

    def values(self) -> dict[str, Named]:
        """The bare names of values, those nearest to the place where several have one name."""
        found: dict[str, Named] = {}
        owner = self.contract
        for kind in ("control", "let", *(("signal",) if self.signal else ())):
            found.update((item.name, item) for item in self.members(owner, kind))
        for application in self.applications:
            for node in members_of(application):
                if isinstance(node, nodes.Control | nodes.Let):
                    found[node.name.text] = Named(kind_of(node), node.name.text, node, application.file)
        if self.operation is not None:
            for node in (*self.operation.parameters, *self.operation.clauses):
                if isinstance(node, nodes.Parameter | nodes.Let):
                    found[node.name.text] = Named(kind_of(node), node.name.text, node, self.view.file, owner)
        return found

    def members(self, owner: Contract | None, *kinds: str) -> Iterator[Named]:
        """The members of a contract or interface that are of these kinds."""
        for kind in kinds if owner is not None else ():
            clauses: Mapping[str, Clause[Any]] = getattr(owner, MEMBERS[kind])
            for name, member in clauses.items():
                yield Named(kind, name, member.node, member.file, owner)

    def library(self, path: str) -> Contract | None:
        """The contract or interface that a name stands for here: of a dependency, or of a declaration."""
        owner = self.contract
        if owner is not None and path in owner.uses:
            found = self.view.names.dependency(owner.uses[path]).seen
        else:
            files = [self.view.file, *(item.file for item in self.applications)]
            names = self.view.names
            found = next((item for file in files if (item := names.find(file, path))), None)
        if found is not None and isinstance(found.node, nodes.Contract | nodes.Interface):
            return self.view.names.contract(found)
        return None

    def member(self, path: str, *kinds: str) -> Named | None:
        """What a bare or dotted name stands for among the members of these kinds."""
        holder, _, name = path.rpartition(".")
        owner = self.library(holder) if holder else self.contract
        found = next((item for item in self.members(owner, *kinds) if item.name == name), None)
        if found is None and not holder and "control" in kinds:
            mine = self.values().get(name)
            found = mine if mine is not None and mine.kind == "control" else None
        return found

    def declarations(self, path: str) -> tuple[Named, ...]:
        """The declarations that a name stands for: of several versions the one that applies here first."""
        found = self.view.names.find(self.view.file, path)
        if found is None:
            return ()
        rivals = self.view.workspace.program.declarations.get(found.qualified, ())
        return tuple(named(item) for item in (found, *(item for item in rivals if item is not found)))

    def uses(self, path: str) -> Named | None:
        """The `uses` clause of this name."""
        return next((item for item in self.members(self.contract, "uses") if item.name == path), None)

    def used(self) -> Iterator[tuple[str, Contract]]:
        """The libraries that the applications around the place use, by the names that they use."""
        for application in self.applications:
            for member in members_of(application):
                for item in member.items if isinstance(member, nodes.Use) else ():
                    found = self.view.names.find(application.file, item.library.path)
                    if found is not None and isinstance(found.node, nodes.Contract):
                        yield item.library.path, self.view.names.contract(found)


def named(declared: Declared) -> Named:
    """A top-level declaration."""
    return Named(kind_of(declared.node), declared.name, declared.node, declared.file)


def kind_of(node: nodes.Node) -> str:
    """What a node is, in a word of the language."""
    return type(node).__name__.lower()


def members_of(declared: Declared) -> tuple[nodes.Node, ...]:
    """The clauses of an application, contract or interface as they stand in its own text."""
    if isinstance(declared.node, nodes.Application | nodes.Contract | nodes.Interface):
        return declared.node.members
    return ()


def declared_as(file: SourceFile, node: nodes.Node) -> Declared | None:
    """The node as a declaration of its file."""
    if not isinstance(
        node, nodes.Resource | nodes.Machine | nodes.Interface | nodes.Contract | nodes.Application
    ):
        return None
    return next((item for item in file.declared if item.name == node.name.text and item.node is node), None)


def around(view: View, nodes_around: Iterable[nodes.Node]) -> Surroundings:
    """What is known at a place that lies in these nodes."""
    declared = operation = signal = test = None
    for node in nodes_around:
        declared = declared_as(view.file, node) or declared
        if isinstance(node, nodes.Operation):
            operation = node
        elif isinstance(node, nodes.Signal):
            signal = node
        elif isinstance(node, nodes.Test):
            test = node
    return Surroundings(view, declared, operation, signal, test)


def chain(file: nodes.File, offset: int) -> list[nodes.Node]:
    """The nodes that hold an offset, outermost first; one that ends there only where none begins there."""
    found: list[nodes.Node] = []
    level: Iterable[nodes.Node] = file.items
    while True:
        holding = [node for node in level if node.span.contains(offset)]
        if not holding:
            return found
        node = next((node for node in holding if offset < node.span.end), holding[0])
        found.append(node)
        level = node.children()


_HOLDERS: Mapping[str, type[nodes.Node]] = {
    "contract": nodes.Contract,
    "interface": nodes.Interface,
    "application": nodes.Application,
    "test": nodes.Test,
}
_UNREAD_SIGNAL = nodes.Signal(nodes.Name("signal"), nodes.ValueType("real"), nodes.Boolean(True))


def around_place(view: View, place: Place) -> Surroundings:
    """What is known at a place of a text that may be half typed there: the tree has what is whole around."""
    outer = place.frames[1] if len(place.frames) > 1 else None
    wanted = _HOLDERS.get(outer.kind) if outer is not None else None
    if outer is None or wanted is None:
        return Surroundings(view)
    holders = [item for item in view.file.parsed.file.items if isinstance(item, wanted)]
    inner: list[nodes.Node] = [item for item in holders if item.span.contains(outer.start)]
    names = {frame.name for frame in place.frames[2:] if frame.kind in ("operation", "parameters")}
    for member in getattr(inner[0], "members", ()) if inner else ():
        if isinstance(member, nodes.Operation) and member.name.text in names:
            inner.append(member)
    current = clause(outer.kind, place.before) if len(place.frames) == 2 else None
    if current is not None and current.head == "signal":
        inner.append(_UNREAD_SIGNAL)
    return around(view, inner)
