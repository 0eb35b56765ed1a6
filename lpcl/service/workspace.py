"""A workspace: a frozen snapshot of files, and what is wrong in them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from functools import cached_property

from lpcl.cache import world
from lpcl.check.asking import Catalogue
from lpcl.check.checker import check
from lpcl.check.memo import Memo
from lpcl.check.names import Names
from lpcl.diagnostics.codes import CODES
from lpcl.diagnostics.diagnostic import Diagnostic, Severity, in_order
from lpcl.diagnostics.suppression import MARK, Sifted, Source, Suppressed, sift
from lpcl.model.program import Declared, Program, SourceFile
from lpcl.packages import loader
from lpcl.packages.reading import Successive, display
from lpcl.syntax import nodes

_BY_VALUES = frozenset({"values"})
"""The families of codes that `Workspace.diagnostics` does not look for."""


@dataclass(frozen=True, eq=False)
class Workspace:
    """The files that were asked for (`targets`) and all that they import, as they were when it was opened.

    `missing` tells whether a path that was asked for does not exist or cannot be read.
    """

    program: Program
    targets: frozenset[SourceFile]
    missing: bool
    _loaded: loader.Loaded = field(repr=False)
    _memo: Memo | None = field(default=None, repr=False)
    _world: world.Known = field(default_factory=dict, repr=False)

    @property
    def files(self) -> tuple[SourceFile, ...]:
        """All files, those that were asked for first."""
        return self.program.files

    @property
    def catalogue(self) -> Catalogue:
        """What can be imported, for suggestions."""
        return self._loaded.index

    @cached_property
    def texts(self) -> Mapping[str, str]:
        """The text of each file by the path that findings name it by."""
        texts = {file.path: file.text for file in self.program.files}
        for setting in self._loaded.settings:
            if setting.findings and setting.path is not None and setting.text is not None:
                texts[display(setting.path)] = setting.text
        return texts

    @cached_property
    def names(self) -> Names:
        """What names refer to: declarations in files, contracts with what they inherit, dependencies."""
        return Names(self.program)

    @cached_property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What is wrong, in order: all of it in the files asked for, and the errors of those they import.

        What comments allow is left out, and severities are as the project sets them. What values can come to
        is not looked into: see `all_diagnostics`.
        """
        return in_order([*self._loaded.findings, *self._weighed(self._sifted.kept)])

    @cached_property
    def all_diagnostics(self) -> tuple[Diagnostic, ...]:
        """The same with what the values of contracts can come to, which may take the solver."""
        sifted = sift([*self._found, *self._values], self._sources)
        return in_order([*self._loaded.findings, *self._weighed(sifted.kept)])

    @property
    def suppressed(self) -> tuple[Suppressed, ...]:
        """What comments in the files asked for allow."""
        return self._sifted.suppressed

    @cached_property
    def _sources(self) -> Mapping[str, Source]:
        return {
            file.path: Source(
                file.text,
                tuple((comment.span.start, comment.span.end) for comment in file.parsed.comments)
                if MARK in file.text
                else (),
                not file.parsed.faults,
            )
            for file in self.targets
        }

    @cached_property
    def _found(self) -> tuple[Diagnostic, ...]:
        wanted = {file.path for file in self.targets}
        with world.taken_as(self._world) if self._memo is not None else nullcontext():
            found = check(
                self.program, catalogue=self.catalogue, practised=self._practised(), memo=self._memo
            )
        return tuple(
            item for item in found if item.severity is Severity.ERROR or item.location.path in wanted
        )

    @cached_property
    def _values(self) -> tuple[Diagnostic, ...]:
        """What values can come to in the files asked for that have no errors."""
        from lpcl.compat.implements import implementations
        from lpcl.ranges.judge import judge

        wrong = {item.location.path for item in self._found if item.severity is Severity.ERROR}
        sound = [file for file in self._practised() if file.path not in wrong]
        return (*implementations(self.program, sound), *judge(self.program, sound))

    @cached_property
    def _sifted(self) -> Sifted:
        return sift(self._found, self._sources, _BY_VALUES)

    def _practised(self) -> list[SourceFile]:
        return [file for file in self.files if file in self.targets]

    def _weighed(self, found: tuple[Diagnostic, ...]) -> Iterator[Diagnostic]:
        for item in found:
            severity = self._loaded.severities(item.location.path).get(item.code, item.severity)
            if severity is not None:
                yield item if severity is item.severity else replace(item, severity=severity)

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        """The findings that keep a program from meaning anything, whatever a project's settings say."""
        return tuple(item for item in self.diagnostics if CODES[item.code].severity is Severity.ERROR)

    def applications(self) -> tuple[Declared, ...]:
        """The applications of the files that were asked for, in order."""
        return tuple(
            item
            for items in self.program.declarations.values()
            for item in items
            if isinstance(item.bare, nodes.Application) and item.file in self.targets
        )


def open_workspace(paths: Sequence[str] = (), overlay: Mapping[str, str] | None = None) -> Workspace:
    """Read files and folders with all that they import.

    Without paths: the folders that `[tool.lpcl]` of the nearest `pyproject.toml` names, else the current
    folder.
    `overlay` gives texts that take the place of what is on disk, by path, as an editor has them.
    """
    loaded = loader.load(paths, overlay)
    return Workspace(loaded.program, loaded.targets, loaded.missing, loaded)


class Session:
    """Workspaces that are opened again and again while their texts are edited.

    Each is what `open_workspace` would give, and costs no more than what changed since the one before: files
    are parsed from the texts that they had, and findings kept where nothing they rest on changed. A workspace
    that was given out does not change.
    """

    KEPT = 32
    """So many sets of paths are kept in mind, those that were opened last."""

    def __init__(self) -> None:
        self._make = Successive()
        self._memos: dict[tuple[str, ...], Memo] = {}
        self._world: world.Known = {}

    def stale(self) -> None:
        """Something may have changed that is not in the texts: until this is said, the disk is read once."""
        self._world = {}

    def open(self, paths: Sequence[str], overlay: Mapping[str, str] | None = None) -> Workspace:
        """See `open_workspace`."""
        key = tuple(paths)
        memo = self._memos[key] = self._memos.pop(key, Memo())
        if len(self._memos) > self.KEPT:
            del self._memos[next(iter(self._memos))]
        with world.taken_as(self._world):
            loaded = loader.load(paths, overlay, self._make)
        return Workspace(loaded.program, loaded.targets, loaded.missing, loaded, memo, self._world)
