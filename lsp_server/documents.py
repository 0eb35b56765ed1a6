"""The documents that are open in the editor, and the paths and addresses by which both sides know a file."""

from __future__ import annotations

import os
from dataclasses import dataclass

from pygls import uris


@dataclass(frozen=True, slots=True)
class Document:
    """An open document. `path` is absolute, and made up where the document was never saved."""

    uri: str
    path: str
    version: int
    text: str


class Documents:
    """All open documents by path. `generation` grows with everything that may change an answer.

    `disk` grows with what may have changed on disk, which is told where the editor watches files (`watched`),
    and may be so at any time where it does not.
    """

    def __init__(self) -> None:
        self.root: str | None = None
        self.generation = 0
        self.disk = 0
        self.watched = False
        self._open: dict[str, Document] = {}

    def path(self, uri: str) -> str:
        """The absolute path of an address; one that is no file lies, so to speak, in the root folder."""
        path = uris.to_fs_path(uri)
        if path:
            return os.path.abspath(path)
        name = uri.rpartition(":")[2].strip("/").replace("/", "_") or "untitled"
        return os.path.join(self.root or os.getcwd(), f"{name}.lpcl")

    def uri(self, path: str) -> str:
        """The address of a path: the editor's own where the document is open."""
        document = self._open.get(path)
        return document.uri if document is not None else uris.from_fs_path(path) or path

    def put(self, uri: str, version: int, text: str) -> Document:
        """A document was opened or changed."""
        document = Document(uri, self.path(uri), version, text)
        if not self.watched or document.path not in self._open:
            self.disk += 1
        self._open[document.path] = document
        self.generation += 1
        return document

    def close(self, uri: str) -> str:
        """A document was closed; gives its path."""
        path = self.path(uri)
        self._open.pop(path, None)
        self.stale()
        return path

    def stale(self) -> None:
        """Something changed on disk."""
        self.generation += 1
        self.disk += 1

    def get(self, path: str) -> Document | None:
        """The open document at a path."""
        return self._open.get(path)

    def paths(self) -> tuple[str, ...]:
        """The paths of all open documents, in the order of their opening."""
        return tuple(self._open)

    @property
    def overlay(self) -> dict[str, str]:
        """The texts that take the place of what is on disk."""
        return {path: document.text for path, document in self._open.items()}
