"""Which contracts speak about what was seen: by mapped files, installed distributions, commands and program
texts.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property

from packaging.utils import canonicalize_name

from lpcl.compose.pools import FOREVER
from lpcl.model.contracts import Contract
from lpcl.model.contracts import contract as flatten
from lpcl.model.program import Declared, Program
from lpcl.packages.versions import admits
from lpcl.scan.installed import Environment, Installed, is_interpreter
from lpcl.scan.observation import ProcessSeen
from lpcl.scan.program_text import ProgramText
from lpcl.syntax import nodes

_SECRET = re.compile(r"PASS|SECRET|TOKEN|CREDENTIAL|API_?KEY", re.IGNORECASE)


@dataclass(frozen=True)
class Known:
    """A contract with what its `library` clause says: distributions with constraints, patterns of files and
    commands.
    """

    contract: Contract
    distributions: tuple[tuple[str, str], ...]
    files: tuple[str, ...]
    commands: tuple[str, ...]

    @property
    def qualified(self) -> str:
        return self.contract.declared.qualified

    @property
    def variables(self) -> Iterator[str]:
        """The environment variables that the contract's controls read."""
        for control in self.contract.controls.values():
            for clause in control.node.clauses:
                if isinstance(clause, nodes.EnvSource):
                    yield from (name.text for name in clause.names)

    @property
    def ambient(self) -> bool:
        """Whether it speaks about every program of an interpreter, as that of Python's own modules does."""
        return any(is_interpreter(pattern) for pattern in self.commands)


@dataclass(frozen=True)
class Recognised:
    """A contract that speaks about a process: why it is thought so, the version seen, and since when."""

    known: Known
    version: str | None
    why: str
    since: float

    @property
    def contract(self) -> Contract:
        return self.known.contract

    @property
    def name(self) -> str:
        return self.known.contract.name


@dataclass(frozen=True)
class Contracts:
    """All contracts that can be found."""

    program: Program
    known: tuple[Known, ...]

    @cached_property
    def variables(self) -> frozenset[str]:
        """The environment variables that some contract reads; none that looks like a secret."""
        names = {name for item in self.known for name in item.variables}
        return frozenset(name for name in names if not _SECRET.search(name))

    def provider(self, contract: Contract, uses: nodes.Uses) -> Declared | None:
        """The contract that stands behind a `uses` clause where nothing else is said."""
        clause = next(item for item in contract.uses.values() if item.node is uses)
        ref = uses.provider or uses.interface
        return None if ref is None else self.program.find(clause.file, ref.path)


def contracts_in(program: Program) -> Contracts:
    """The contracts of a program, flattened, those that carry no `library` clause left out."""
    found = []
    for declared in program.declarations.values():
        for item in declared:
            if isinstance(item.node, nodes.Contract):
                contract = flatten(program, item)
                if contract.library is not None:
                    found.append(_known(contract, contract.library.node))
    return Contracts(program, tuple(sorted(found, key=lambda item: item.qualified)))


def _known(contract: Contract, library: nodes.Library) -> Known:
    distributions: list[tuple[str, str]] = []
    files: list[str] = []
    commands: list[str] = []
    for entry in library.entries:
        match entry:
            case nodes.PypiEntry():
                name = canonicalize_name(entry.distribution.value)
                distributions.append((name, entry.versions.value if entry.versions else ""))
            case nodes.FileEntry():
                files += [pattern.value for pattern in entry.patterns]
            case nodes.CommandEntry():
                commands += [pattern.value for pattern in entry.patterns]
    return Known(contract, tuple(distributions), tuple(files), tuple(commands))


def recognise(
    contracts: Contracts, process: ProcessSeen, environment: Environment, text: ProgramText, told: str
) -> tuple[Recognised, ...]:
    """The contracts that speak about a process, in the order in which their libraries came up.

    `told` holds the command lines of the process and of its helpers, in which the modules of pure Python
    libraries are named. Of several contracts of one name the one whose constraint admits the installed
    version is taken; the last where none is installed.
    """
    mapped = _mapped_distributions(process, environment)
    found: dict[str, Recognised] = {}
    for known in contracts.known:
        if not known.contract.operations and not known.contract.pools:
            continue
        installed = [
            (item, constraint)
            for name, constraint in known.distributions
            if (item := environment.found.get(name)) is not None
        ]
        if any(not admits(constraint, item.version) for item, constraint in installed):
            continue
        seen = _evidence(known, process, [item for item, _ in installed], mapped, text, told)
        if seen is not None:
            why, since = seen
            version = installed[0][0].version if installed else None
            found[known.qualified] = Recognised(known, version, why, since)
    return tuple(sorted(found.values(), key=lambda item: (item.since, item.known.qualified)))


def _evidence(
    known: Known,
    process: ProcessSeen,
    installed: list[Installed],
    mapped: Mapping[str, tuple[str, float]],
    text: ProgramText,
    told: str,
) -> tuple[str, float] | None:
    """Why a contract is thought to speak about a process, and since when; None where nothing says so."""
    for path, since in process.files.items():
        if any(matches(path, pattern) for pattern in known.files):
            return f"{os.path.basename(path)}, which is mapped", since
    for item in installed:
        if item.name in mapped:
            path, since = mapped[item.name]
            return f"{os.path.basename(path)} of {item.name} {item.version}, which is mapped", since
    for command in _commands(process):
        if not known.ambient and any(fnmatchcase(command, pattern) for pattern in known.commands):
            return f"the command {command}", process.first
    for item in installed:
        if item.folders:
            continue  # what has shared objects would have mapped one of them
        modules = item.modules | {item.name.replace("-", "_")}
        if any(re.search(rf"\b(?:from|import|-m) {re.escape(module)}\b", told) for module in sorted(modules)):
            return f"{item.name} {item.version}, named by a command line", process.first
        imported = sorted(modules & text.modules)
        if imported:
            return (
                f"{item.name} {item.version}, whose {imported[0]} the program's text imports",
                process.first,
            )
    return None


def matches(path: str, pattern: str) -> bool:
    """Whether a mapped file is one that a `file` pattern names: by its name, or by its last folders too."""
    parts = path.split("/")
    return fnmatchcase("/".join(parts[-(pattern.count("/") + 1) :]), pattern)


def _mapped_distributions(process: ProcessSeen, environment: Environment) -> Mapping[str, tuple[str, float]]:
    found: dict[str, tuple[str, float]] = {}
    for path, since in process.files.items():
        item = environment.of_file(path)
        if item is not None:
            found.setdefault(item.name, (path, since))
    return found


def _commands(process: ProcessSeen) -> Iterator[str]:
    """The names under which a process's program can be known: its own, and its script's."""
    words = process.command
    if words:
        yield os.path.basename(words[0])
    yield os.path.basename(process.executable)
    if len(words) > 1 and not words[1].startswith("-"):
        yield os.path.basename(words[1])


def needed(contracts: Contracts, found: tuple[Recognised, ...]) -> tuple[Recognised, ...]:
    """Those of some recognised contracts that an application has to name: what others lead to is left out."""
    reached: set[str] = set()
    for item in found:
        reached |= _reached(contracts, item.contract, item.known.qualified)
    return tuple(
        item for item in found if item.known.qualified not in reached or not item.contract.interfaces
    )


def _reached(contracts: Contracts, contract: Contract, first: str) -> set[str]:
    """The qualified names of the contracts that a contract leads to."""
    reached: set[str] = set()
    waiting = [contract]
    while waiting:
        one = waiting.pop()
        for uses in one.uses.values():
            provider = contracts.provider(one, uses.node)
            if provider is not None and provider.qualified not in reached | {first}:
                reached.add(provider.qualified)
                if isinstance(provider.node, nodes.Contract):
                    waiting.append(flatten(contracts.program, provider))
    return reached


@dataclass(frozen=True)
class Binding:
    """Another provider than a contract's own: `library { uses = provider }`."""

    library: str
    uses: str
    provider: Recognised


def bindings(contracts: Contracts, found: tuple[Recognised, ...]) -> tuple[Binding, ...]:
    """The providers that were seen in the place of those that contracts take by default."""
    present = {item.known.qualified for item in found}
    result = []
    for item in found:
        for name, uses in item.contract.uses.items():
            interface = uses.node.interface
            default = contracts.provider(item.contract, uses.node)
            if interface is None or default is None or default.qualified in present:
                continue
            wanted = contracts.program.find(uses.file, interface.path)
            others = [
                other
                for other in found
                if wanted is not None and wanted.qualified in {i.qualified for i in other.contract.interfaces}
            ]
            if len(others) == 1:
                result.append(Binding(item.name, name, others[0]))
    return tuple(result)


_MARGIN = 1.25
"""By how much a thread may spin for longer than its contract says."""


def longest_spin(contract: Contract) -> float:
    """The CPU seconds that an idle thread of a library may use before it sleeps; 0 where it sleeps at once.

    That is the longest time that its `idle` clauses name, times without an end left out.
    """
    named = (
        float(node.value)
        for pool in contract.pools.values()
        for clause in pool.node.clauses
        if isinstance(clause, nodes.Idle) and clause.duration is not None
        for node in clause.duration.walk()
        if isinstance(node, nodes.Quantity) and node.unit in _TIMES and node.value < FOREVER
    )
    return _MARGIN * max(named, default=0.0)


_TIMES = frozenset({"us", "ms", "s", "min", "h"})


Key = tuple[str, str | None]
"""A runtime: the name of its contract, and of the one that carries a private copy of it, if one does."""

OWN: Key = ("own", None)
"""Threads that the program itself starts, or its interpreter for it."""
UNKNOWN: Key = ("?", None)

ALLOCATORS = {"jemalloc_bg_thd": "jemalloc"}
"""Threads that memory allocators keep in the libraries that carry them, by the names that they give them."""


def owner_key(
    contracts: Contracts,
    found: tuple[Recognised, ...],
    environment: Environment,
    executable: str,
    path: str | None,
    name: str = "",
) -> Key:
    """The runtime whose thread one is that was started in the code of a file, and has a name.

    Libraries of a program that is no Python, and that no contract speaks about, are code of its own.
    """
    if path is None:
        return UNKNOWN
    if name in ALLOCATORS:
        carrying = owner_key(contracts, found, environment, executable, path)
        return ALLOCATORS[name], carrying[0]
    if path == executable or is_interpreter(path):
        return OWN
    carrier = environment.of_file(path)
    holder = next(
        (item for item in found if carrier is not None and carrier.name in dict(item.known.distributions)),
        None,
    )
    runtime = next((item for item in found if any(matches(path, p) for p in item.known.files)), None)
    if runtime is None and environment.minor is None:
        return OWN
    if runtime is None or (holder is not None and holder.name == runtime.name):
        return (holder.name, None) if holder is not None else (os.path.basename(path), None)
    if holder is not None:
        for uses in holder.contract.uses.values():
            provider = contracts.provider(holder.contract, uses.node)
            if uses.node.private and provider is not None and provider.qualified == runtime.known.qualified:
                return runtime.name, holder.name
    return runtime.name, None
