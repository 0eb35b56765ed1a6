"""The declarations of all loaded files, and what a name refers to in each of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from lpcl.cache.territory import shown_path
from lpcl.syntax import nodes
from lpcl.syntax.parser import Parsed
from lpcl.syntax.pieces import Cut, Piece, Placed
from lpcl.syntax.span import Span


@dataclass(frozen=True, eq=False)
class SourceFile:
    """A text with its tree. `path` is how the user knows it; `origin` says where it was found.

    `origin` is ``project``, ``stdlib`` or the name and version of an installed distribution. Files compare by
    identity.
    """

    path: str
    text: str
    parsed: Parsed
    origin: str = "project"

    @cached_property
    def package(self) -> str:
        """The dotted name after `package`; empty where the file states none."""
        return next((item.path for item in self.bare_items() if isinstance(item, nodes.Package)), "")

    @cached_property
    def asks_what_is_left(self) -> bool:
        """Whether it reads `machine.gpu.memory.free`, so that the order of starts matters."""
        return "gpu.memory.free" in self.text

    @cached_property
    def imports(self) -> tuple[nodes.Import, ...]:
        """The file's imports, in order."""
        found = [item for placed in self.parsed.pieces for item in _imports(placed)]
        return tuple(found)

    @cached_property
    def declared(self) -> tuple[Declared, ...]:
        """What the file declares, in order; tests have no names, and are not among it."""
        head = f"{self.package}." if self.package else ""
        return tuple(
            Declared(head + item.name.text, placed, index, self)
            for placed in self.parsed.pieces
            for index, item in enumerate(placed.bare)
            if isinstance(item, _NAMED)
        )

    def bare_items(self) -> Iterator[nodes.Item]:
        """The items, for all but their positions, which cost something where the text was edited."""
        return (item for placed in self.parsed.pieces for item in placed.bare)

    def line(self, offset: int) -> int:
        """The line of a character, from 1."""
        return self.text.count("\n", 0, offset) + 1


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a clause stands: the text that a ledger or a finding can point at. As a text it is for people."""

    file: SourceFile
    span: Span

    def __str__(self) -> str:
        return f"{shown_path(self.file.path)}:{self.file.line(self.span.start)}"


Named = nodes.Resource | nodes.Machine | nodes.Interface | nodes.Contract | nodes.Application
_NAMED = (nodes.Resource, nodes.Machine, nodes.Interface, nodes.Contract, nodes.Application)


def _imports(placed: Placed) -> tuple[nodes.Import, ...]:
    if not any(isinstance(item, nodes.Import) for item in placed.bare):
        return ()
    return tuple(item for item in placed.items if isinstance(item, nodes.Import))


Mark = tuple[Piece, int]
"""A declaration by the piece of text that it was parsed from: the same mark, the same declaration."""


@dataclass(frozen=True, slots=True, eq=False)
class Declared:
    """A named declaration with the file that it stands in, as one of the items of a piece.

    Those of one program compare by identity; across programs, `mark` tells whether one is what it was.
    """

    qualified: str
    placed: Placed
    index: int
    file: SourceFile

    @classmethod
    def made(cls, qualified: str, node: Named, file: SourceFile) -> Declared:
        """A declaration that does not stand in the text of its file."""
        cut = Cut(node.span.start, node.span.end, (node,))
        return cls(qualified, Placed(Piece(node.span.start, cut, ()), 0), 0, file)

    @property
    def node(self) -> Named:
        """The declaration's tree."""
        item = self.placed.items[self.index]
        assert isinstance(item, _NAMED)
        return item

    @property
    def bare(self) -> Named:
        """The tree for all but its positions, which are those of the text where it was parsed."""
        item = self.placed.bare[self.index]
        assert isinstance(item, _NAMED)
        return item

    @property
    def mark(self) -> Mark:
        """What stays the same where only what is around the declaration changes."""
        return self.placed.piece, self.index

    @property
    def name(self) -> str:
        """The last part of the qualified name."""
        return self.bare.name.text

    @property
    def origin(self) -> Origin:
        """Where the declaration's name stands."""
        return Origin(self.file, self.node.name.span)


@dataclass(frozen=True, eq=False)
class Program:
    """All files of a run. Nothing here judges: what is missing or doubled is for `lpcl.check` to report."""

    files: tuple[SourceFile, ...]
    _scopes: dict[SourceFile, Mapping[str, Declared]] = field(default_factory=dict, repr=False)
    _imports: dict[int, Mapping[str, Declared]] = field(default_factory=dict, repr=False)

    @cached_property
    def declarations(self) -> Mapping[str, tuple[Declared, ...]]:
        """Qualified name to its declarations: more than one where contracts of several versions share a
        name.
        """
        found: dict[str, list[Declared]] = {}
        for file in self.files:
            for item in file.declared:
                found.setdefault(item.qualified, []).append(item)
        return {name: tuple(items) for name, items in found.items()}

    @cached_property
    def packages(self) -> Mapping[str, tuple[Declared, ...]]:
        """Package name to everything that is declared in it."""
        found: dict[str, list[Declared]] = {file.package: [] for file in self.files}
        for items in self.declarations.values():
            for item in items:
                found[item.file.package].append(item)
        return {name: tuple(items) for name, items in found.items()}

    @cached_property
    def resources(self) -> Mapping[str, Declared]:
        """The declared resources by their full names."""
        return {
            name: items[0]
            for name, items in self.declarations.items()
            if isinstance(items[0].bare, nodes.Resource)
        }

    @cached_property
    def asks_what_is_left(self) -> bool:
        """Whether some file does; see `SourceFile.asks_what_is_left`."""
        return any(file.asks_what_is_left for file in self.files)

    @cached_property
    def names_of_several(self) -> frozenset[str]:
        """The own names that contracts of several packages have."""
        seen: set[str] = set()
        several: set[str] = set()
        for qualified, items in self.declarations.items():
            if isinstance(items[0].bare, nodes.Contract):
                name = qualified.rpartition(".")[2]
                (several if name in seen else seen).add(name)
        return frozenset(several)

    @cached_property
    def flattened(self) -> dict[Declared, object]:
        """Where `lpcl.model.contracts.contract` keeps what it made."""
        return {}

    def imported(self, file: SourceFile, item: nodes.Import) -> Mapping[str, Declared]:
        """The names that one import brings into its file; empty for those that lead nowhere."""
        found = self._imports.get(id(item))
        if found is None:
            found = self._imports[id(item)] = self._brought(item)
        return found

    def _brought(self, item: nodes.Import) -> Mapping[str, Declared]:
        if item.star:
            return {found.name: found for found in self.packages.get(item.path, ())}
        if item.names:
            wanted = {name.text: f"{item.path}.{name.text}" for name in item.names}
        else:
            wanted = {item.alias.text if item.alias else item.path.rpartition(".")[2]: item.path}
        return {
            local: self.declarations[qualified][0]
            for local, qualified in wanted.items()
            if qualified in self.declarations
        }

    def scope(self, file: SourceFile) -> Mapping[str, Declared]:
        """What each bare name refers to in `file`: its package's declarations before what it imports."""
        scope = self._scopes.get(file)
        if scope is None:
            names: dict[str, Declared] = {}
            for item in file.imports:
                names.update(self.imported(file, item))
            if file.package:
                names.update({found.name: found for found in self.packages[file.package]})
            else:
                names.update({found.name: found for found in self.packages.get("", ()) if found.file is file})
            scope = self._scopes[file] = names
        return scope

    def find(self, file: SourceFile, path: str) -> Declared | None:
        """The declaration that a bare or dotted name refers to in `file`, or None."""
        found = self.scope(file).get(path)
        if found is None and "." in path:
            items = self.declarations.get(path)
            found = items[0] if items else None
        return found

    def tests(self) -> Iterable[tuple[SourceFile, nodes.Test]]:
        """Every test of the project's own files."""
        for file in self.files:
            for item in file.parsed.file.items:
                if isinstance(item, nodes.Test):
                    yield file, item
