"""Which contracts a user means by the names, packages and files of a command line."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from lpcl import service
from lpcl.diagnostics.diagnostic import Diagnostic
from lpcl.model.program import Declared
from lpcl.packages import configuration, roots
from lpcl.syntax import nodes


@dataclass(frozen=True, eq=False)
class Chosen:
    """Contracts of one workspace, in order."""

    workspace: service.Workspace
    contracts: tuple[Declared, ...]

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        """What keeps these contracts from meaning anything: the errors in their files."""
        paths = {item.file.path for item in self.contracts}
        return tuple(item for item in self.workspace.errors if item.location.path in paths)


@dataclass(frozen=True, slots=True)
class Selection:
    """The contracts that are meant; `missing` are names of nothing, each with names that are like it.

    `unreadable` are findings for files and folders that cannot be read.
    """

    chosen: tuple[Chosen, ...]
    missing: tuple[tuple[str, tuple[str, ...]], ...] = ()
    unreadable: tuple[Diagnostic, ...] = ()


def select(arguments: Sequence[str]) -> Selection:
    """The contracts that `arguments` mean.

    A word is the name of a contract, bare or with its package, or of a package; where there is none of that
    name, and for all that is no word, it is a file or folder. Names are looked up in the project's own
    folders, then among what is installed, then in the standard library: the first that knows a name provides
    it. Without arguments: the project's own contracts.
    """
    missing = list(dict.fromkeys(item for item in arguments if _is_name(item)))
    paths = [item for item in arguments if not _is_name(item)]
    chosen: list[Chosen] = []
    unreadable: tuple[Diagnostic, ...] = ()
    known: set[str] = set()
    for place in _places():
        if not missing:
            break
        workspace = service.open_workspace(place)
        contracts = _contracts(workspace)
        wanted = tuple(item for item in contracts if any(_names(item, name) for name in missing))
        missing = [name for name in missing if not any(_names(item, name) for item in wanted)]
        known.update(item.name for item in contracts)
        if wanted:
            chosen.append(Chosen(workspace, wanted))
    paths += [name for name in missing if os.path.exists(name)]
    missing = [name for name in missing if not os.path.exists(name)]
    if paths or not arguments:
        workspace = service.open_workspace(paths)
        chosen.append(Chosen(workspace, _contracts(workspace)))
        unreadable = tuple(item for item in workspace.errors if item.code == "unreadable-file")
    close = tuple((name, tuple(get_close_matches(name, sorted(known), n=3))) for name in missing)
    return Selection(tuple(chosen), close, unreadable)


def _is_name(argument: str) -> bool:
    return not argument.endswith(".lpcl") and all(part.isidentifier() for part in argument.split("."))


def _places() -> Iterator[list[str]]:
    """The places where contracts are looked for by name, each a list of folders."""
    settings = configuration.nearest(os.getcwd())
    folders = configuration.load(settings).contracts if settings is not None else ()
    own = roots.stdlib()
    for place in (list(folders), [root.folder for root in roots.installed()], [own.folder] if own else []):
        if place:
            yield place


def _contracts(workspace: service.Workspace) -> tuple[Declared, ...]:
    return tuple(
        item
        for items in workspace.program.declarations.values()
        for item in items
        if isinstance(item.node, nodes.Contract) and item.file in workspace.targets
    )


def _names(declared: Declared, name: str) -> bool:
    """Whether a contract is meant by `name`."""
    package = declared.file.package
    return name in (declared.name, declared.qualified, package) or package.startswith(f"{name}.")
