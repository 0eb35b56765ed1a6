"""The libraries that an application loads, directly and through what they use."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lpcl.check.context import Context
from lpcl.model.program import Declared, SourceFile
from lpcl.packages.versions import Ambiguity, choose
from lpcl.syntax import nodes


@dataclass(frozen=True)
class Reach:
    """`used` are the libraries that the application names, `all` those and what they lead to, by simple name.

    `leading` is the item of `use` that first leads to a library, by the library's qualified name.
    `named` are the names after `use`, those that lead nowhere among them.
    `whole` is whether all names lead somewhere, `sound` whether no declaration in it has a fault of syntax;
    else the application may lead to more than is in `all`.
    `unbound` are dependencies for which neither the library nor the application chooses a provider: the item
    that leads there, the library, and the clause.
    """

    named: frozenset[str]
    used: dict[str, Declared]
    all: dict[str, Declared]
    unbound: tuple[tuple[nodes.UseItem, Declared, nodes.Uses], ...]
    leading: dict[str, nodes.UseItem]
    whole: bool = True
    sound: bool = True

    def variables(self, context: Context) -> set[str]:
        """The environment variables that one of these libraries reads."""
        names: set[str] = set()
        for declared in self.all.values():
            contract = context.contract(declared)
            for ancestor in {id(item): item for item in contract.controls.values()}.values():
                for clause in ancestor.node.clauses:
                    if isinstance(clause, nodes.EnvSource):
                        names.update(name.text for name in clause.names)
            for node in context.below(declared.node, nodes.Call):
                if node.function == "defined":
                    names.update(item.path for item in node.args if isinstance(item, nodes.Reference))
        return names


def items(node: nodes.Application) -> Iterator[nodes.UseItem]:
    """All that an application says to use, in order."""
    for member in node.members:
        if isinstance(member, nodes.Use):
            yield from member.items


def used(context: Context, file: SourceFile, item: nodes.UseItem) -> Declared | Ambiguity | None:
    """The contract that an item of `use` names, in the version that applies."""
    found = context.program.find(file, item.library.path)
    if found is None or not isinstance(found.node, nodes.Contract):
        return None
    return choose(context.program, found.qualified, item.version.value if item.version else None)


def reach(context: Context, file: SourceFile, node: nodes.Application) -> Reach:
    """What an application loads."""
    direct: dict[str, Declared] = {}
    everything: dict[str, Declared] = {}
    leading: dict[str, nodes.UseItem] = {}
    bound: dict[str, dict[str, Declared | None]] = {}
    queue: list[tuple[nodes.UseItem, Declared]] = []
    whole, sound = True, not context.is_broken(file, node.span)
    for item in items(node):
        found = used(context, file, item)
        if not isinstance(found, Declared):
            whole = False
            continue
        direct.setdefault(item.library.path, found)
        direct.setdefault(found.name, found)
        choices = bound.setdefault(found.qualified, {})
        for binding in item.bindings:
            provider = context.find(file, binding.provider.path)
            is_contract = provider is not None and isinstance(provider.node, nodes.Contract)
            choices[binding.name.text] = provider if is_contract else None
            whole = whole and is_contract
        queue.append((item, found))
    unbound: list[tuple[nodes.UseItem, Declared, nodes.Uses]] = []
    seen: set[str] = set()
    while queue:
        item, library = queue.pop(0)
        everything.setdefault(library.name, library)
        if library.qualified in seen:
            continue
        seen.add(library.qualified)
        leading[library.qualified] = item
        contract = context.contract(library)
        whole = whole and context.is_whole(contract)
        sound = sound and not context.is_broken(library.file, library.node.span)
        uses = contract.uses
        for name, clause in uses.items():
            target = context.dependency(clause)
            whole = whole and target.is_found(clause.node)
            if target.interface is not None:
                everything.setdefault(target.interface.name, target.interface)
            choices = bound.get(library.qualified, {})
            provider = choices.get(name, target.provider)
            if provider is not None:
                queue.append((item, provider))
            elif target.interface is not None and name not in choices and choices.keys() <= uses.keys():
                unbound.append((item, library, clause.node))
    named = frozenset(item.library.path for item in items(node))
    return Reach(named, direct, everything, tuple(unbound), leading, whole, sound)
