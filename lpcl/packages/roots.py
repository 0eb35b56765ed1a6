"""The folders that hold contracts: of installed distributions and of the standard library.

Nothing of what is found is imported: a distribution's folder is looked up, its code does not run.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import lru_cache

GROUP = "lpcl.contracts"
_STDLIB = "stdlib_contracts"
_SKIPPED = frozenset({"__pycache__", "node_modules", "build", "dist"})


@dataclass(frozen=True, slots=True)
class Root:
    """A folder with contracts. `origin` is ``project``, ``stdlib`` or a distribution's name and version."""

    folder: str
    origin: str


@lru_cache(maxsize=1)
def stdlib() -> Root | None:
    """The standard library: the folder beside this package, else where its distribution was installed."""
    beside = os.path.join(
        os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), _STDLIB
    )
    if os.path.isdir(beside):
        return Root(beside, "stdlib")
    folders = _package_folders(_STDLIB)
    return Root(folders[0], "stdlib") if folders else None


@lru_cache(maxsize=1)
def installed() -> tuple[Root, ...]:
    """What installed distributions offer under the entry-point group; not the standard library."""
    from importlib.metadata import entry_points

    own = stdlib()
    found: dict[str, Root] = {}
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: (entry.value, entry.name)):
        module = entry.value.partition(":")[0].strip()
        dist = getattr(entry, "dist", None)
        origin = f"{dist.name} {dist.version}" if dist is not None else module
        for folder in _package_folders(module):
            real = os.path.realpath(folder)
            if own is None or real != os.path.realpath(own.folder):
                found.setdefault(real, Root(folder, origin))
    return tuple(found.values())


def _package_folders(module: str) -> list[str]:
    """The folders of an importable package, found without importing it or its parents."""
    from importlib.util import find_spec

    top, *below = module.split(".")
    try:
        spec = find_spec(top)
    except (ImportError, ValueError):
        return []
    folders = list(spec.submodule_search_locations or ()) if spec is not None else []
    folders = [os.path.join(folder, *below) for folder in folders]
    return [os.path.abspath(folder) for folder in folders if os.path.isdir(folder)]


def lpcl_files(folder: str) -> list[str]:
    """The `.lpcl` files below a folder, sorted; hidden folders and those of build tools are skipped."""
    found: list[str] = []
    for current, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in _SKIPPED)
        found.extend(os.path.join(current, name) for name in names if name.endswith(".lpcl"))
    return sorted(found)
