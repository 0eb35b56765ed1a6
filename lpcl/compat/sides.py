"""What stands for the old and new contracts: files, folders, a git revision, an installed distribution."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from lpcl.cache.world import files_below
from lpcl.compat import revision
from lpcl.diagnostics.diagnostic import Severity
from lpcl.packages import configuration
from lpcl.packages.loader import Loaded, load_alone
from lpcl.packages.reading import decoded
from lpcl.packages.roots import Root, installed, stdlib


class NoSide(ValueError):
    """Something that names no contracts; its text says why and what would be right."""


@dataclass(frozen=True)
class Opened:
    """Contracts that were found. `version` is that of the distribution that they come from, where they do."""

    label: str
    loaded: Loaded
    version: str | None = None


def _opened(
    label: str, targets: Iterable[str], around: Iterable[str] = (), texts: Mapping[str, str] | None = None
) -> Opened:
    """Contracts in the files `targets`, with what they import of those `around`.

    What is around and declares the same as a target is another version of it, and is not looked at.
    """
    asked, others = list(targets), list(around)
    loaded = load_alone(asked, others, texts)
    declared = {item.qualified for file in loaded.targets for item in file.declared}
    rivals = {
        os.path.abspath(file.path)
        for file in loaded.program.files
        if file not in loaded.targets and file.origin == "project"
        if any(item.qualified in declared for item in file.declared)
    }
    if rivals:
        loaded = load_alone(asked, [one for one in others if os.path.abspath(one) not in rivals], texts)
    return Opened(label, loaded)


def open_side(spec: str, other: str | None = None) -> Opened:
    """The contracts that `spec` names; those that `other` names are not looked at. Raises `NoSide`.

    `spec` is a file or folder, ``REVISION:PATH`` of the git repository around the current folder, or an
    installed distribution, ``NAME`` or ``NAME==VERSION``.
    """
    if os.path.exists(spec):
        return _path(spec, other)
    if ":" in spec:
        name, _, path = spec.partition(":")
        if not name:
            raise NoSide(f"{spec}: a git revision is written REVISION:PATH, such as HEAD{spec}")
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
    return _opened(" ".join(paths), files)


def _path(path: str, other: str | None) -> Opened:
    if os.path.isdir(path):
        files = _below(path)
        if not files:
            raise NoSide(f"{path}: there are no .lpcl files in it")
        return _opened(path, files, _without(other, _project(path)))
    folder = os.path.dirname(os.path.abspath(path))
    beside = [os.path.join(folder, name) for name in sorted(os.listdir(folder)) if name.endswith(".lpcl")]
    return _opened(path, [path], _without(other, [*beside, *_project(folder)]))


def _project(folder: str) -> list[str]:
    """The files of the project around a folder. Raises `NoSide`."""
    return [file for place in project_folders(folder) for file in files_below(place)]


def _without(other: str | None, files: Iterable[str]) -> list[str]:
    """The files among these that `other` does not name."""
    avoided = {os.path.realpath(one) for one in _files(other)}
    return [one for one in files if os.path.realpath(one) not in avoided]


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
    """The folders that `[tool.lpcl]` of the nearest `pyproject.toml` names. Raises `NoSide`."""
    place = configuration.nearest(start)
    if place is None:
        return []
    found = configuration.load(place)
    wrong = next((one for one in found.findings if one.severity is Severity.ERROR), None)
    if wrong is not None:
        raise NoSide(f"{wrong.location.path}: {wrong.headline}")
    return [folder for folder in found.contracts if os.path.isdir(folder)]


def at_revision(name: str, paths: Sequence[str]) -> Opened:
    """The contracts at or below some paths of a revision. Raises `NoSide`.

    Paths count from the repository's top, those that begin with `./` or `../` from the current folder.
    """
    label = f"{name}:{' '.join(paths)}"
    try:
        base, below = revision.top(), revision.prefix()
        wanted = [_from_top(path, below) for path in paths]
        if any(path.startswith(("/", "../")) or path == ".." for path in wanted):
            raise NoSide(f"{label}: this is not in the git repository of the current folder")
        found = revision.texts(name, [path for path in wanted if path])
        around = {} if not found else _project_at(name, base, wanted[0])
    except revision.NoRevision as fault:
        raise NoSide(f"{name}: {fault}") from None
    if not found:
        is_file = all(path.endswith(".lpcl") for path in paths)
        why = "there is no such file in that revision" if is_file else "there are no .lpcl files there"
        raise NoSide(f"{label}: {why}")
    read = {path: decoded(f"{name}:{path}", data) for path, data in {**around, **found}.items()}
    texts = {_virtual(name, path): one.text or "" for path, one in read.items()}
    opened = _opened(label, [_virtual(name, path) for path in found], texts, texts)
    faults = [read[path].finding for path in found]
    findings = (*opened.loaded.findings, *(one for one in faults if one is not None))
    return replace(opened, loaded=replace(opened.loaded, findings=findings))


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
    if path.startswith(("./", "../")) or path in (".", ".."):
        path = os.path.join(below, path)
    path = os.path.normpath(path) if path else ""
    return "" if path == "." else path


def _project_at(name: str, base: str, path: str) -> Mapping[str, bytes]:
    """The files of a revision that belong to the project which a path of it is in now."""
    start = os.path.join(base, path)
    while not os.path.isdir(start):
        start = os.path.dirname(start)
    folders = [
        os.path.relpath(os.path.realpath(one), os.path.realpath(base)) for one in project_folders(start)
    ]
    inside = [one for one in folders if not one.startswith("..")]
    return revision.texts(name, [one for one in inside if one != "."]) if inside else {}


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
    return replace(_opened(f"{name} {here}".strip(), files), version=here or None)


def _version(root: Root) -> str:
    if root.origin != "stdlib":
        return root.origin.rpartition(" ")[2]
    from lpcl import __version__

    return __version__


def _name(origin: str) -> str:
    return origin.rpartition(" ")[0] or origin


def _same(a: str, b: str) -> bool:
    return re.sub(r"[-_.]+", "-", a).lower() == re.sub(r"[-_.]+", "-", b).lower()
