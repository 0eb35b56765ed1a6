"""Which copy of which library serves which: the runtimes behind the `uses` of an application's contracts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from lpcl.compose.refusal import Refusal
from lpcl.model.contracts import Clause, Contract
from lpcl.model.contracts import contract as flatten
from lpcl.model.program import Declared, Origin, Program, SourceFile
from lpcl.syntax import nodes

Choice = Callable[[str, str | None], Declared | None]


@dataclass(frozen=True, eq=False)
class Runtime:
    """A contract as one loaded copy of its library. `key` is its name, or ``name@owner`` for a private copy.

    Where several packages have contracts of that name, it is the full name.
    """

    contract: Contract
    key: str
    providers: Mapping[str, Runtime]

    @property
    def name(self) -> str:
        """The library's name in reports."""
        return self.contract.name


class Linker:
    """Makes each runtime once. Raises `Refusal` for what has no provider or uses itself."""

    def __init__(
        self,
        program: Program,
        bindings: Mapping[str, tuple[Mapping[str, nodes.Binding], SourceFile]],
        versions: Mapping[str, str],
        choose: Callable[[str, str | None], Declared],
    ) -> None:
        self._program = program
        self._bindings = bindings
        self._versions = versions
        self._choose = choose
        self._contracts: dict[str, Contract] = {}
        self._runtimes: dict[str, Runtime] = {}
        self._open: list[str] = []

    def contract(self, declared: Declared) -> Contract:
        """The contract of that name whose version fits, flattened."""
        found = self._contracts.get(declared.qualified)
        if found is None:
            chosen = (
                self._choose(declared.qualified, self._versions.get(declared.qualified))
                if isinstance(declared.node, nodes.Contract)
                else declared
            )
            found = self._contracts[declared.qualified] = flatten(self._program, chosen)
        return found

    def find(self, file: SourceFile, path: str) -> Declared | None:
        """The contract or interface that `path` names in `file`."""
        found = self._program.find(file, path)
        if found is not None and isinstance(found.node, nodes.Contract | nodes.Interface):
            return found
        return None

    def runtime(self, declared: Declared, origin: Origin, owner: str | None = None) -> Runtime:
        """The shared runtime of a contract, or the private copy that `owner` carries."""
        contract = self.contract(declared)
        name = contract.name
        if name in self._program.names_of_several:
            name = contract.declared.qualified
        key = name if owner is None else f"{name}@{owner}"
        known = self._runtimes.get(key)
        if known is not None and known.contract is contract:
            return known
        if contract.declared.qualified in self._open:
            cycle = [
                *self._open[self._open.index(contract.declared.qualified) :],
                contract.declared.qualified,
            ]
            raise Refusal(
                "cyclic-uses",
                f"`{contract.name}` uses itself",
                origin,
                notes=(" uses ".join(cycle),),
                help="take one `uses` out of the circle",
            )
        self._open.append(contract.declared.qualified)
        try:
            providers = {
                name: self._provider(contract, name, clause, key) for name, clause in contract.uses.items()
            }
        finally:
            self._open.pop()
        made = self._runtimes[key] = Runtime(contract, key, providers)
        return made

    def _provider(self, contract: Contract, name: str, clause: Clause[nodes.Uses], owner: str) -> Runtime:
        bound, file = self._bindings.get(contract.declared.qualified, ({}, clause.file))
        binding = bound.get(name)
        ref = binding.provider if binding is not None else clause.node.provider
        where = file if binding is not None else clause.file
        private = binding.private if binding is not None else clause.node.private
        origin = Origin(where, binding.span if binding is not None else clause.node.span)
        if ref is None and clause.node.interface is None:
            itself = self.find(clause.file, name)  # `uses numpy` alone names the contract
            if itself is not None and isinstance(itself.node, nodes.Contract):
                return self.runtime(itself, origin, owner if private else None)
        if ref is None:
            raise Refusal(
                "no-provider",
                f"nothing provides `{name}` for `{contract.name}`",
                clause.origin,
                help=f"say which library does: use {contract.name} {{ {name} = ... }}",
            )
        declared = self.find(where, ref.path)
        if declared is None or not isinstance(declared.node, nodes.Contract):
            raise Refusal("unknown-name", f"there is no contract `{ref.path}`", Origin(where, ref.span))
        return self.runtime(declared, origin, owner if private else None)
