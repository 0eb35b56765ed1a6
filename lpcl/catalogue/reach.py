"""What of other libraries belongs to a library's page.

That is the pools that its operations run on, and what is loaded with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from lpcl.catalogue import phrases
from lpcl.model.contracts import Clause, Contract
from lpcl.model.contracts import contract as flatten
from lpcl.model.program import Declared, Program
from lpcl.syntax import nodes


@dataclass(frozen=True, eq=False)
class Reached:
    """A pool of another library: as whose `alias` it is used, whether that is a copy of its own, which
    operations come to it, and the size in words where all of them ask for the same one.

    `controls` are the names of the library's controls that make its size.
    """

    library: Contract
    alias: str
    private: bool
    pool: Clause[nodes.Pool]
    operations: tuple[str, ...]
    size: str | None
    controls: frozenset[str]


def provider(program: Program, contract: Contract, alias: str) -> Declared | None:
    """The contract that a library uses under a name; None where it is left to the application."""
    clause = contract.uses.get(alias)
    if clause is None:
        return None
    node = clause.node
    ref = node.provider or node.interface
    found = program.find(clause.file, ref.path if ref is not None else node.name.text)
    return found if found is not None and isinstance(found.node, nodes.Contract) else None


def pools(program: Program, contract: Contract) -> tuple[Reached, ...]:
    """The pools of other libraries that operations run on, by themselves or by what they call."""
    found: dict[tuple[int, str], Reached] = {}
    for name in contract.operations:
        for one in _of(program, contract, name, None, frozenset()):
            key = id(one.library), one.pool.node.name.text
            known = found.get(key)
            if known is None:
                found[key] = replace(one, operations=(name,))
                continue
            found[key] = replace(
                known,
                private=known.private and one.private,
                operations=tuple(dict.fromkeys((*known.operations, name))),
                size=known.size if known.size == one.size else None,
                controls=known.controls | one.controls,
            )
    return tuple(found.values())


def loaded(program: Program, contract: Contract) -> tuple[Contract, ...]:
    """The libraries that come with a library, and those that come with them."""
    found: dict[int, Contract] = {}

    def follow(one: Contract) -> None:
        for alias in one.uses:
            declared = provider(program, one, alias)
            if declared is None:
                continue
            used = flatten(program, declared)
            if id(used) not in found:
                found[id(used)] = used
                follow(used)

    follow(contract)
    return tuple(found.values())


def _of(
    program: Program,
    contract: Contract,
    operation: str,
    entry: nodes.Uses | None,
    seen: frozenset[tuple[int, str]],
) -> Iterator[Reached]:
    """What an operation of a contract comes to, which is used by `entry` or is the one asked about."""
    clause = contract.operations.get(operation)
    here = id(contract), operation
    if clause is None or here in seen:
        return
    for item in clause.node.clauses:
        if not isinstance(item, nodes.RunsOn | nodes.Calls):
            continue
        ref = item.pool if isinstance(item, nodes.RunsOn) else item.target
        alias, _, member = ref.path.rpartition(".")
        declared = provider(program, contract, alias) if alias else contract.declared
        if declared is None:
            continue
        library = flatten(program, declared)
        used = contract.uses[alias].node if alias else entry
        if isinstance(item, nodes.Calls):
            yield from _of(program, library, member, used, seen | {here})
        elif used is not None and member in library.pools:
            pool = library.pools[member]
            size = phrases.value(clause.file, item.size) if item.size is not None else None
            controls = _names(pool.node) if size is None or not alias else _names_of(contract, alias)
            yield Reached(library, used.name.text, used.private, pool, (operation,), size, controls)


def _names(node: nodes.Node) -> frozenset[str]:
    """The names that stand in a clause."""
    return frozenset(one.path for one in node.walk() if isinstance(one, nodes.Reference))


def _names_of(contract: Contract, alias: str) -> frozenset[str]:
    """The names of another library that stand in a contract."""
    clauses: list[Clause[Any]] = [
        *contract.controls.values(),
        *contract.lets.values(),
        *contract.operations.values(),
    ]
    paths = frozenset[str]().union(*(_names(item.node) for item in clauses))
    return frozenset(path.removeprefix(f"{alias}.") for path in paths if path.startswith(f"{alias}."))
