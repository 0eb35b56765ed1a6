"""Which files make up a package, found by reading no more of each file than its `package` line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from lpcl.cache import world
from lpcl.packages.roots import Root, installed, stdlib

_HEADER = re.compile(
    r"\A\ufeff?(?:\s++|//[^\n]*+|/\*(?>.*?\*/))*+package\s+([^\W\d]\w*(?:\.[^\W\d]\w*)*)", re.DOTALL
)
_DECLARED = re.compile(r"^[ \t\f\v]*([a-z]+)(?=\s+([^\W\d]\w*))", re.MULTILINE)


def stated_package(text: str) -> str:
    """The name after `package` at the head of a text; empty where there is none."""
    found = _HEADER.match(text)
    return found.group(1) if found else ""


def _head(path: str, overlay: Mapping[str, str]) -> str:
    if path in overlay:
        return overlay[path]
    try:
        data = world.contents(path)
    except OSError:
        return ""
    return data.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")


class Index:
    """Package name to files, on three levels: the project, installed distributions, the standard library.

    The highest level that knows a package provides all of it. A level is only read once one above it did not
    know a package.
    """

    def __init__(self, project: Iterable[str], overlay: Mapping[str, str]) -> None:
        self._project = tuple(project)
        self._overlay = overlay
        self._levels: list[dict[str, list[tuple[str, str]]]] = []
        self._seen: set[str] = set()
        self._real: dict[str, str] = {}
        self._homes: dict[tuple[str, str], dict[str, None]] | None = None

    def files(self, package: str) -> tuple[tuple[str, str], ...]:
        """The files of a package, each with its origin, by path; none where no level knows it."""
        for number in range(3):
            found = self._level(number).get(package)
            if found:
                return tuple(found)
        return ()

    def real(self, path: str) -> str:
        """The path without links."""
        found = self._real.get(path)
        if found is None:
            found = self._real[path] = world.real(path)
        return found

    def packages(self) -> tuple[str, ...]:
        """The names of all packages that can be found, sorted."""
        return tuple(sorted({name for number in range(3) for name in self._level(number) if name}))

    def homes(self, kinds: Iterable[str], name: str) -> tuple[str, ...]:
        """The packages in which a declaration of one of these kinds (``resource``) has the name, sorted."""
        if self._homes is None:
            self._homes = {}
            for package in self.packages():
                for path, _ in self.files(package):
                    for found in _DECLARED.finditer(_head(path, self._overlay)):
                        self._homes.setdefault((found[1], found[2]), {})[package] = None
        return tuple(sorted({package for kind in kinds for package in self._homes.get((kind, name), ())}))

    def _level(self, number: int) -> Mapping[str, list[tuple[str, str]]]:
        while len(self._levels) <= number:
            self._levels.append(self._read(len(self._levels)))
        return self._levels[number]

    def _read(self, number: int) -> dict[str, list[tuple[str, str]]]:
        if number == 0:
            places = [(path, "project") for path in self._project]
        else:
            own = stdlib()
            roots: tuple[Root, ...] = installed() if number == 1 else ((own,) if own else ())
            places = [(path, root.origin) for root in roots for path in world.files_below(root.folder)]
        level: dict[str, list[tuple[str, str]]] = {}
        for path, origin in places:
            real = self.real(path)
            if real not in self._seen:
                self._seen.add(real)
                level.setdefault(stated_package(_head(path, self._overlay)), []).append((path, origin))
        return level
