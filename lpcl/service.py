"""The one door of LPCL: a workspace is a frozen snapshot of files, and answers questions about them.

The command line and the language server use this module and nothing behind it. It prints nothing, and it runs
nothing that comes from a contract.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from lpcl.check.checker import check
from lpcl.diagnostics.diagnostic import Diagnostic, Severity, in_order
from lpcl.model.program import Declared, Program, SourceFile
from lpcl.packages import loader
from lpcl.syntax import nodes


@dataclass(frozen=True, eq=False)
class Workspace:
    """The files that were asked for (`targets`) and all that they import, as they were when it was opened.

    `missing` tells whether a path that was asked for does not exist or cannot be read.
    """

    program: Program
    targets: frozenset[SourceFile]
    missing: bool
    _loaded: loader.Loaded = field(repr=False)

    @property
    def files(self) -> tuple[SourceFile, ...]:
        """All files, those that were asked for first."""
        return self.program.files

    @cached_property
    def texts(self) -> Mapping[str, str]:
        """The text of each file by the path that findings name it by."""
        return {file.path: file.text for file in self.program.files}

    @cached_property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What is wrong, in order: all of it in the files asked for, and the errors of those they import."""
        wanted = {file.path for file in self.targets}
        found = check(self.program, packages=self._loaded.index.packages)
        kept = [item for item in found if item.severity is Severity.ERROR or item.location.path in wanted]
        return in_order([*self._loaded.findings, *kept])

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        """The findings that keep a program from meaning anything."""
        return tuple(item for item in self.diagnostics if item.severity is Severity.ERROR)

    def applications(self) -> tuple[Declared, ...]:
        """The applications of the files that were asked for, in order."""
        return tuple(
            item
            for items in self.program.declarations.values()
            for item in items
            if isinstance(item.node, nodes.Application) and item.file in self.targets
        )


def open_workspace(paths: Sequence[str] = (), overlay: Mapping[str, str] | None = None) -> Workspace:
    """Read files and folders with all that they import.

    Without paths: the folders that `[tool.lpcl]` of the nearest `pyproject.toml` names, else the current folder.
    `overlay` gives texts that take the place of what is on disk, by path, as an editor has them.
    """
    loaded = loader.load(paths, overlay)
    return Workspace(loaded.program, loaded.targets, loaded.missing, loaded)
