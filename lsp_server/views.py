"""A document with the program around it, as both are at one moment."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from lsprotocol.types import PositionEncodingKind

from lpcl.model.program import Declared, SourceFile
from lpcl.service import Names, Session, Workspace
from lsp_server.documents import Documents
from lsp_server.positions import Positions


@dataclass(frozen=True, eq=False)
class View:
    """What the features look at. `path` is the document's; paths of the workspace are those of `absolute`."""

    path: str
    file: SourceFile
    workspace: Workspace
    encoding: str

    @property
    def names(self) -> Names:
        """What names refer to in the program."""
        return self.workspace.names

    @cached_property
    def positions(self) -> Positions:
        """The positions of the document itself."""
        return Positions(self.file.text, self.encoding)

    def positions_in(self, file: SourceFile) -> Positions:
        """The positions of any file of the program."""
        return self.positions if file is self.file else Positions(file.text, self.encoding)


def absolute(path: str) -> str:
    """The absolute path of a file of the workspace, which names those below the current folder relatively."""
    return os.path.abspath(path)


def _unsaved_beside(path: str, overlay: dict[str, str]) -> list[str]:
    """The open documents of the same folder that are not on disk yet, where nobody else would find them."""
    folder = os.path.dirname(path)
    return [
        other
        for other in overlay
        if other != path and os.path.dirname(other) == folder and not os.path.exists(other)
    ]


class Views:
    """Opens views, and keeps each until something changes."""

    def __init__(self, documents: Documents) -> None:
        self.encoding: str = PositionEncodingKind.Utf16
        self._documents = documents
        self._session = Session()
        self._disk = -1
        self._kept: dict[str, View] = {}
        self._generation = -1

    def view(self, path: str) -> View | None:
        """The open document at `path` with its program; None where it is not open."""
        generation = self._documents.generation
        if generation != self._generation:
            self._kept.clear()
            self._generation = generation
        if self._documents.disk != self._disk:
            self._disk = self._documents.disk
            self._session.stale()
        found = self._kept.get(path)
        if found is None:
            found = self._open(path, self._documents.overlay)
            if found is not None and generation == self._documents.generation:
                self._kept[path] = found
        return found

    def _open(self, path: str, overlay: dict[str, str]) -> View | None:
        if path not in overlay:
            return None
        workspace = self._session.open([path, *_unsaved_beside(path, overlay)], overlay)
        file = next((file for file in workspace.files if absolute(file.path) == path), None)
        return None if file is None else View(path, file, workspace, self.encoding)

    def project(self, view: View, texts: Mapping[str, str]) -> View:
        """The document with all files of its project around it, with texts in the place of what is there.

        The project is the folder that the editor has open where the document lies in it, else its own.
        """
        root, path = self._documents.root, view.path
        folder = (
            root if root is not None and path.startswith(os.path.join(root, "")) else os.path.dirname(path)
        )
        overlay = {**self._documents.overlay, **texts}
        workspace = self._session.open([folder, path], overlay)
        file = next(file for file in workspace.files if absolute(file.path) == path)
        return View(path, file, workspace, view.encoding)

    def packages(self, view: View) -> tuple[str, ...]:
        """The names of all packages that the document could import."""
        return self._index(view).packages()

    def declared_in(self, view: View, package: str) -> tuple[Declared, ...]:
        """The declarations of a package, whether the document imports it or not."""
        files = [path for path, _ in self._index(view).files(package)]
        if not files:
            return ()
        program = self._session.open(files, self._documents.overlay).program
        found = {item.name: item for item in program.packages.get(package, ())}
        return tuple(found.values())

    def _index(self, view: View) -> Index:
        return view.workspace._loaded.index


class Index(Protocol):
    """The packages that can be found, and their files with where each comes from."""

    def packages(self) -> tuple[str, ...]:
        """The names of all packages."""
        ...

    def files(self, package: str) -> tuple[tuple[str, str], ...]:
        """The files of a package."""
        ...
