"""Declarations that are the same, with all that they can refer to, need no comparison."""

from __future__ import annotations

from lpcl.model.program import Declared, Program, SourceFile


class Unchanged:
    """Tells whether files of two programs, and all that they import, say the same."""

    def __init__(self, old: Program, new: Program) -> None:
        self._old, self._new = _packages(old), _packages(new)
        self._known: dict[str, bool] = {}

    def for_sure(self, old: Declared, new: Declared) -> bool:
        """Whether two declarations certainly mean the same; false where they may, too."""
        return old.node == new.node and self._package(old.file.package)

    def _package(self, name: str) -> bool:
        """Whether a package, and those that its files import, have the same texts."""
        waiting, seen = [name], {name}
        while waiting:
            package = waiting.pop()
            before, after = self._old.get(package, []), self._new.get(package, [])
            if package not in self._known:
                self._known[package] = sorted(f.text for f in before) == sorted(f.text for f in after)
            if not self._known[package]:
                return False
            for file in before:
                for item in file.imports:
                    for wanted in (item.path, item.path.rpartition(".")[0]):
                        if wanted in self._old and wanted not in seen:
                            seen.add(wanted)
                            waiting.append(wanted)
        return True


def _packages(program: Program) -> dict[str, list[SourceFile]]:
    found: dict[str, list[SourceFile]] = {}
    for file in program.files:
        found.setdefault(file.package, []).append(file)
    return found
