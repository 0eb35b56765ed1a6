"""The distributions that a watched process's Python can import, read from their metadata; nothing of them
is run.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import Distribution, distributions
from pathlib import Path

from packaging.utils import canonicalize_name

from lpcl.scan.observation import ProcessSeen

_PACKAGES = re.compile(r"^(.*/(?:site|dist)-packages)/")
_VERSION = re.compile(r"python(?:lib)?(\d)\.(\d+)")


@dataclass(frozen=True)
class Installed:
    """A distribution: its canonical name, its version, and the folder that it is installed in."""

    name: str
    version: str
    root: str
    record: str

    @cached_property
    def modules(self) -> frozenset[str]:
        """The names under which its modules are imported."""
        heads = (line.partition(",")[0].strip('"').split("/", 1) for line in self.record.splitlines())
        return frozenset(
            head[0].partition(".")[0] for head in heads if not head[0].endswith((".dist-info", ".."))
        )

    @cached_property
    def folders(self) -> frozenset[str]:
        """The folders and files at its root that hold its shared objects."""
        return frozenset(
            line.partition(",")[0].strip('"').partition("/")[0]
            for line in self.record.splitlines()
            if ".so" in line
        )


@dataclass(frozen=True)
class Environment:
    """What a Python process can import. `minor` is that of its version 3, None for one that is no Python."""

    minor: int | None
    roots: tuple[str, ...]
    found: Mapping[str, Installed]

    def of_file(self, path: str) -> Installed | None:
        """The distribution that a mapped file belongs to."""
        for root in self.roots:
            if path.startswith(root + "/"):
                head = path[len(root) + 1 :].partition("/")[0]
                return self._by_folder.get((root, head))
        return None

    @cached_property
    def _by_folder(self) -> Mapping[tuple[str, str], Installed]:
        return {(item.root, folder): item for item in self.found.values() for folder in item.folders}


NO_PYTHON = Environment(None, (), {})


def environment_of(process: ProcessSeen, known: dict[tuple[str, ...], Environment]) -> Environment:
    """The environment of a process; `known` keeps those that have been read."""
    minor = python_minor(process)
    if minor is None:
        return NO_PYTHON
    roots = tuple(dict.fromkeys(_roots(process, minor)))
    key = (str(minor), *roots)
    if key not in known:
        known[key] = _read(minor, roots)
    return known[key]


def python_minor(process: ProcessSeen) -> int | None:
    """The minor version of the Python 3 that a process runs, by its executable and its library; None if
    none.
    """
    for path in (process.executable, *process.files):
        name = os.path.basename(path)
        if name.startswith(("python", "libpython")):
            version = _VERSION.search(name)
            if version is not None and version[1] == "3":
                return int(version[2])
    return None


def is_interpreter(path: str) -> bool:
    """Whether a file is Python itself: its executable or its library."""
    return os.path.basename(path).startswith(("python", "libpython", "pypy", "libpypy"))


def _roots(process: ProcessSeen, minor: int) -> Iterator[str]:
    for path in process.files:
        inside = _PACKAGES.match(path)
        if inside is not None:
            yield inside[1]
    for prefix in _prefixes(process):
        for name in (f"lib/python3.{minor}", f"lib64/python3.{minor}", "lib/python3"):
            for kind in ("site-packages", "dist-packages"):
                path = os.path.join(prefix, name, kind)
                if os.path.isdir(path):
                    yield path


def _prefixes(process: ProcessSeen) -> Iterator[str]:
    """The folders below which the interpreter's libraries are: those of its virtual environment first."""
    started = process.command[0] if process.command else ""
    if started and "/" not in started:
        found = shutil.which(started) or ""
        started = found if os.path.realpath(found) == os.path.realpath(process.executable) else ""
    if started:
        folder = os.path.dirname(os.path.join(process.folder, started))
        settings = _settings(os.path.join(os.path.dirname(folder), "pyvenv.cfg"))
        if settings is not None:
            yield os.path.normpath(os.path.dirname(folder))
            if settings.get("include-system-site-packages", "").lower() != "true":
                return
    base = os.path.dirname(os.path.dirname(os.path.realpath(process.executable)))
    yield base
    if base == "/usr":
        yield "/usr/local"


def _settings(path: str) -> Mapping[str, str] | None:
    try:
        lines = Path(path).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return None
    pairs = (line.partition("=") for line in lines)
    return {name.strip().lower(): value.strip() for name, _, value in pairs}


def _read(minor: int, roots: tuple[str, ...]) -> Environment:
    found: dict[str, Installed] = {}
    for root in roots:
        for item in distributions(path=[root]):
            entry = _entry(item, root)
            if entry is not None:
                found.setdefault(entry.name, entry)
    return Environment(minor, roots, found)


def _entry(item: Distribution, root: str) -> Installed | None:
    """None for metadata that is broken: what a failed installation leaves behind."""
    name, version = item.metadata["Name"], item.metadata["Version"]
    if not name or not version:
        return None
    return Installed(canonicalize_name(name), version, root, item.read_text("RECORD") or "")
