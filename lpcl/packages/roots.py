"""The folders that hold contracts: of installed distributions and of the standard library.

Nothing of what is found is imported: a distribution's folder is looked up, its code does not run.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

from lpcl.cache import world
from lpcl.cache.observe import GROUP

_STDLIB = "stdlib_contracts"


@dataclass(frozen=True, slots=True)
class Root:
    """A folder with contracts. `origin` is ``project``, ``stdlib`` or a distribution's name and version."""

    folder: str
    origin: str


@world.Once
def stdlib() -> Root | None:
    """The standard library: the folder beside this package, else where its distribution was installed."""
    beside = os.path.join(
        os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), _STDLIB
    )
    if world.is_folder(beside):
        return Root(beside, "stdlib")
    folders = world.package_folders(_STDLIB)
    return Root(folders[0], "stdlib") if folders else None


@world.Once
def installed() -> tuple[Root, ...]:
    """What installed distributions offer under the entry-point group; not the standard library."""
    own = stdlib()
    found: dict[str, Root] = {}
    for value, _, distribution in _offers():
        for folder in world.package_folders(value.partition(":")[0].strip()):
            real = world.real(folder)
            if own is None or real != world.real(own.folder):
                found.setdefault(real, Root(folder, distribution))
    return tuple(found.values())


def _offers() -> list[tuple[str, str, str]]:
    found = world.offers()
    if found is not None:
        return found
    from importlib.metadata import entry_points

    return sorted(
        (entry.value, entry.name, f"{entry.dist.name} {entry.dist.version}" if entry.dist else entry.value)
        for entry in entry_points(group=GROUP)
    )
