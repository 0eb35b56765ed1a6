"""Bytes on disk to source files; what cannot be read or decoded is a finding."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from lpcl.cache import world
from lpcl.diagnostics.diagnostic import Diagnostic, Location, Severity
from lpcl.model.program import SourceFile
from lpcl.syntax import nodes
from lpcl.syntax.parser import Parsed, parse

_NOTHING = Parsed(nodes.File(), (), ())


@dataclass(frozen=True, slots=True)
class Read:
    """A text, or what kept us from reading it; a text that is not UTF-8 has both."""

    text: str | None
    finding: Diagnostic | None = None


def display(path: str) -> str:
    """A path as a person would type it: relative where it lies below the current folder."""
    absolute = os.path.abspath(path)
    here = os.getcwd()
    return os.path.relpath(absolute, here) if absolute.startswith(here.rstrip(os.sep) + os.sep) else absolute


def read(path: str, overlay: Mapping[str, str]) -> Read:
    """The text of the absolute path `path`, from `overlay` if it is there."""
    if path in overlay:
        return Read(overlay[path])
    shown = display(path)
    try:
        data = world.contents(path)
    except OSError as fault:
        return Read(None, unreadable(shown, fault.strerror or str(fault)))
    return decoded(shown, data)


def decoded(shown: str, data: bytes) -> Read:
    """The text of what a file holds, which is shown by a path."""
    try:
        return Read(data.decode("utf-8-sig"))
    except UnicodeDecodeError as fault:
        text = data.decode("utf-8-sig", errors="replace")
        start = len(data[: fault.start].decode("utf-8-sig", errors="replace"))
        byte = data[fault.start]
        return Read(
            text,
            Diagnostic(
                "encoding",
                Severity.ERROR,
                f"`{shown}` is not UTF-8 text",
                Location(shown, start, min(start + 1, len(text))),
                label=f"the byte 0x{byte:02x} does not belong here",
                help="save the file as UTF-8",
            ),
        )


def unreadable(shown: str, reason: str) -> Diagnostic:
    """The finding for a path that cannot be read."""
    return Diagnostic(
        "unreadable-file",
        Severity.ERROR,
        f"cannot read `{shown}`: {reason[:1].lower()}{reason[1:]}",
        Location(shown, 0, 0),
    )


Making = Callable[[str, str, str], SourceFile]
"""Makes a file of the path that it is shown by, its text, and where it comes from."""


@lru_cache(maxsize=512)
def parsed(shown: str, text: str, origin: str) -> SourceFile:
    """A file, parsed once for each text that it has."""
    return SourceFile(shown, text, parse(text), origin)


def source(
    path: str, origin: str, overlay: Mapping[str, str], make: Making = parsed
) -> tuple[SourceFile | None, Diagnostic | None]:
    """The file `path` with its tree; one that is not UTF-8 has an empty tree."""
    found = read(path, overlay)
    if found.text is None:
        return None, found.finding
    if found.finding is not None:
        return SourceFile(display(path), found.text, _NOTHING, origin), found.finding
    return make(display(path), found.text, origin), None


class Successive:
    """Makes files of texts that are edited: each from the one that the path had before."""

    def __init__(self) -> None:
        self._last: dict[str, SourceFile] = {}

    def __call__(self, shown: str, text: str, origin: str) -> SourceFile:
        from lpcl.syntax.incremental import reparse

        last = self._last.get(shown)
        if last is None or last.origin != origin:
            made = SourceFile(shown, text, parse(text), origin)
        elif last.text == text:
            return last
        else:
            made = SourceFile(shown, text, reparse(last.parsed, last.text, text), origin)
        self._last[shown] = made
        return made
