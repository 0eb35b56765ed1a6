"""What stands for the old and new contracts: files, folders, a git revision, an installed distribution."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lpcl.cache.world import files_below
from lpcl.compat import revision
from lpcl.packages import configuration
from lpcl.packages.loader import Loaded, load_alone
from lpcl.packages.roots import Root, installed, stdlib


class NoSide(ValueError):
    """Something that names no contracts; its text says why and what would be right."""


@dataclass(frozen=True)
class Opened:
    """Contracts that were found. `version` is that of the distribution that they come from, where they do."""

    label: str
    loaded: Loaded
    version: str | None = None


def open_side(spec: str, other: str | None = None) -> Opened:
    """The contracts that `spec` names; those that `other` names are not looked at. Raises `NoSide`.

    `spec` is a file or folder, ``REVISION:PATH`` of the git repository around the current folder, or an
    installed distribution, ``NAME`` or ``NAME==VERSION``.
    """
    if os.path.exists(spec):
        return _path(spec, other)
    if ":" in spec:
        name, _, path = spec.partition(":")
        return at_revision(name, [path])
    found = _installed(spec)
    if found is not None:
        return found
    if spec.endswith(".lpcl") or "/" in spec:
        raise NoSide(f"{spec}: there is no such file or folder")
    offered = sorted({_name(root.origin) for root in installed()} | {"stdlib"})
    raise NoSide(
        f"{spec}: there is no such file or folder, and no installed distribution of that name has contracts "
        f"({', '.join(offered)} {'has' if len(offered) == 1 else 'have'} some); "
        "a git revision is written REVISION:PATH"
    )


def open_paths(paths: Sequence[str]) -> Opened:
    """The contracts of some files and folders. Raises `NoSide`."""
    if len(paths) == 1:
        return open_side(paths[0])
    files = [file for path in paths for file in (_below(path) if os.path.isdir(path) else [path])]
    return Opened(" ".join(paths), load_alone(files, files))


def _path(path: str, other: str | None) -> Opened:
    if os.path.isdir(path):
        files = _below(path)
        if not files:
            raise NoSide(f"{path}: there are no .lpcl files in it")
        return Opened(path, load_alone(files, files))
    folder = os.path.dirname(os.path.abspath(path))
    beside = [os.path.join(folder, name) for name in sorted(os.listdir(folder)) if name.endswith(".lpcl")]
    project = [*beside, *(file for place in project_folders(folder) for file in files_below(place))]
    avoided = {os.path.realpath(one) for one in _files(other)}
    return Opened(path, load_alone([path], [one for one in project if os.path.realpath(one) not in avoided]))


def _files(path: str | None) -> list[str]:
    """The files that a path of the disk stands for."""
    if path is None or not os.path.exists(path):
        return []
    return _below(path) if os.path.isdir(path) else [path]


def _below(folder: str) -> list[str]:
    """The contract files in a folder and below. Raises `NoSide` for a whole disk."""
    place = os.path.abspath(folder)
    if os.path.dirname(os.path.realpath(place)) == os.path.realpath(place):
        raise NoSide(f"{folder}: this is the whole disk; name the folder that holds the contracts")
    return files_below(place)


def project_folders(start: str = ".") -> list[str]:
    """The folders that `[tool.lpcl]` of the nearest `pyproject.toml` names."""
    place = configuration.nearest(start)
    return [] if place is None else [f for f in configuration.load(place).contracts if os.path.isdir(f)]


def at_revision(name: str, paths: Sequence[str]) -> Opened:
    """The contracts at or below some paths of a revision. Raises `NoSide`.

    Paths count from the repository's top, those that begin with `./` from the current folder.
    """
    try:
        base, below = revision.top(), revision.prefix()
        wanted = [_from_top(path, below) for path in paths]
        found = revision.texts(name, [path for path in wanted if path])
        around = _project_at(name, base)
    except revision.NoRevision as fault:
        raise NoSide(f"{name}: {fault}") from None
    if not found:
        raise NoSide(f"{name}:{' '.join(paths)}: there are no .lpcl files there")
    texts = {_virtual(name, path): text for path, text in {**around, **found}.items()}
    targets = [_virtual(name, path) for path in found]
    return Opened(f"{name}:{' '.join(paths)}", load_alone(targets, list(texts), texts))


def below_top(path: str) -> str:
    """A path of the current disk from the repository's top. Raises `NoSide`."""
    try:
        base = os.path.realpath(revision.top())
    except revision.NoRevision as fault:
        raise NoSide(str(fault)) from None
    relative = os.path.relpath(os.path.realpath(path), base)
    if relative.startswith(".."):
        raise NoSide(f"{path} is not in the git repository of the current folder")
    return "" if relative == "." else relative


def _from_top(path: str, below: str) -> str:
    if path.startswith("./") or path == ".":
        path = os.path.normpath(os.path.join(below, path))
    return "" if path in (".", "") else path.rstrip("/")


def _project_at(name: str, base: str) -> Mapping[str, str]:
    folders = [os.path.relpath(os.path.realpath(one), os.path.realpath(base)) for one in project_folders()]
    inside = [one for one in folders if not one.startswith("..") and one != "."]
    return revision.texts(name, inside) if inside else {}


def _virtual(name: str, path: str) -> str:
    """A path that no file has, by which findings name a file of a revision."""
    return os.path.abspath(f"{name}:{path}")


def _installed(spec: str) -> Opened | None:
    name, _, version = (part.strip() for part in spec.partition("=="))
    own = stdlib()
    roots = [root for root in installed() if _same(_name(root.origin), name)]
    if own is not None and name == "stdlib":
        roots = [own]
    if not roots:
        return None
    here = _version(roots[0])
    if version and version != here:
        raise NoSide(
            f"{name} {here} is installed, and {version} is not: install it into another environment and name "
            "its folder, or compare with a git revision"
        )
    files = [file for root in roots for file in files_below(root.folder)]
    return Opened(f"{name} {here}".strip(), load_alone(files, files), here or None)


def _version(root: Root) -> str:
    if root.origin != "stdlib":
        return root.origin.rpartition(" ")[2]
    from lpcl import __version__

    return __version__


def _name(origin: str) -> str:
    return origin.rpartition(" ")[0] or origin


def _same(a: str, b: str) -> bool:
    return re.sub(r"[-_.]+", "-", a).lower() == re.sub(r"[-_.]+", "-", b).lower()
