"""What names refer to: declarations in files, contracts with what they inherit, dependencies, variables."""

from __future__ import annotations

from dataclasses import dataclass, field

from lpcl.model import contracts
from lpcl.model.program import Declared, Program, SourceFile
from lpcl.packages.versions import choose
from lpcl.syntax import nodes

Readers = dict[str, list[tuple[str, contracts.Clause[nodes.Control]]]]


@dataclass(frozen=True, slots=True)
class Dependency:
    """What a `uses` clause or a binding leads to; both None where its names lead nowhere."""

    interface: Declared | None
    provider: Declared | None

    @property
    def seen(self) -> Declared | None:
        """What the user of the dependency may rely on: the interface, else the provider."""
        return self.interface or self.provider

    def is_found(self, node: nodes.Uses) -> bool:
        """Whether all that the clause names leads somewhere."""
        if node.interface is None and node.provider is None:
            return self.seen is not None
        return (node.interface is None or self.interface is not None) and (
            node.provider is None or self.provider is not None
        )


@dataclass
class Names:
    """Look-ups in one program, without judgement. What has been found once is kept."""

    program: Program
    _contracts: dict[int, contracts.Contract] = field(default_factory=dict, init=False)
    _readers: Readers | None = field(default=None, init=False)
    _chosen: dict[str, Declared | None] = field(default_factory=dict, init=False)

    def contract(self, declared: Declared) -> contracts.Contract:
        """The contract or interface with what it inherits."""
        found = self._contracts.get(id(declared.node))
        if found is None:
            found = self._contracts[id(declared.node)] = contracts.contract(self.program, declared)
        return found

    def find(self, file: SourceFile, path: str) -> Declared | None:
        """What a path refers to in a file; of several versions the one that applies here."""
        found = self.program.find(file, path)
        if found is None or len(self.program.declarations[found.qualified]) == 1:
            return found
        if found.qualified not in self._chosen:
            chosen = choose(self.program, found.qualified)
            self._chosen[found.qualified] = chosen if isinstance(chosen, Declared) else None
        return self._chosen[found.qualified] or found

    def dependency(self, clause: contracts.Clause[nodes.Uses]) -> Dependency:
        """Resolve a `uses` clause: `uses n: I = P`; `uses n` alone names the interface or contract itself."""
        node, file = clause.node, clause.file
        interface = self._of_kind(file, node.interface, nodes.Interface)
        provider = self._of_kind(file, node.provider, nodes.Contract)
        if node.interface is None and node.provider is None:
            found = self.find(file, node.name.text)
            if found is not None and isinstance(found.node, nodes.Interface):
                interface = found
            elif found is not None and isinstance(found.node, nodes.Contract):
                provider = found
        return Dependency(interface, provider)

    def _of_kind(self, file: SourceFile, ref: nodes.Ref | None, kind: type[nodes.Node]) -> Declared | None:
        found = self.find(file, ref.path) if ref is not None else None
        return found if found is not None and isinstance(found.node, kind) else None

    def readers(self) -> Readers:
        """For each environment variable, the controls of all loaded libraries that it sets."""
        if self._readers is None:
            self._readers = {}
            for items in self.program.declarations.values():
                for item in items:
                    if isinstance(item.node, nodes.Contract | nodes.Interface):
                        self._read_variables(self._readers, item, item.node)
        return self._readers

    def _read_variables(
        self, readers: Readers, item: Declared, node: nodes.Contract | nodes.Interface
    ) -> None:
        for member in node.members:
            for clause in member.clauses if isinstance(member, nodes.Control) else ():
                for name in clause.names if isinstance(clause, nodes.EnvSource) else ():
                    assert isinstance(member, nodes.Control)
                    readers.setdefault(name.text, []).append((item.name, contracts.Clause(member, item.file)))
