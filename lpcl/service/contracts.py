"""The contracts that can be found, and those that an application uses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lpcl.model.program import Declared, Program
from lpcl.packages import loader
from lpcl.service.workspace import Workspace
from lpcl.syntax import nodes

if TYPE_CHECKING:
    from lpcl.packages.catalogue import Entry


def contracts() -> tuple[Entry, ...]:
    """All contracts that can be found from the current folder."""
    from lpcl.packages.catalogue import catalogue

    return catalogue(loader.everything())


def contracts_to_read() -> tuple[Program, tuple[Declared, ...], tuple[Declared, ...]]:
    """All contracts that can be found from the current folder, with their program, for a reader.

    What only others extend is left out: it is in each of them. Contracts in files with faults of syntax come
    separately, last: what is left of them need not mean what was meant.
    """
    from lpcl.packages.versions import requirements

    program = loader.everything()
    found = [
        item
        for _, items in sorted(program.declarations.items())
        for item in items
        if isinstance(item.node, nodes.Contract)
    ]
    bases = {
        id(base)
        for item in found
        if isinstance(item.node, nodes.Contract) and item.node.base is not None
        for base in [program.find(item.file, item.node.base.path)]
    }
    whole = [item for item in found if not item.file.parsed.faults]
    read = tuple(item for item in whole if id(item) not in bases or requirements(item))
    return program, read, tuple(item for item in found if item.file.parsed.faults)


def stdlib_folder() -> str | None:
    """Where the standard library's contracts are; None where it is not installed."""
    from lpcl.packages import roots

    root = roots.stdlib()
    return None if root is None else root.folder


def contracts_of(workspace: Workspace, application: Declared) -> tuple[Entry, ...]:
    """The contracts of the names that an application uses, and of those that these lead to."""
    from lpcl.check.context import Context
    from lpcl.check.reach import items, reach
    from lpcl.packages.catalogue import catalogue

    node = application.node
    assert isinstance(node, nodes.Application)
    found = reach(Context(workspace.program), application.file, node)
    stated: dict[str, str] = {}
    for item in items(node):
        declared = workspace.program.find(application.file, item.library.path)
        if declared is not None and item.version is not None:
            stated[declared.qualified] = item.version.value
    names = [item.qualified for item in (*found.used.values(), *found.all.values())]
    return catalogue(workspace.program, names, stated)


def known_program() -> Program:
    """All files that can be found from the current folder, those of the standard library among them."""
    return loader.everything()
