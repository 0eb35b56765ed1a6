"""Files to format: finding them, reading them, and writing them so that nobody sees half of one."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Sequence
from contextlib import suppress

from lpcl.cache.territory import WHY_NOT, is_installed
from lpcl.cache.world import files_below
from lpcl.packages import configuration
from lpcl.packages.reading import display as display


class NotOurs(Exception):
    """A file that is not rewritten, because an installer put it there; the text of this says so."""


class Unreadable(Exception):
    """A path that cannot be formatted; the text of this says why."""


def find(paths: Sequence[str]) -> tuple[list[str], list[str]]:
    """The files that are meant by `paths`, as absolute paths, and the paths that do not exist.

    Without paths: those in the folders that `[tool.lpcl]` of the nearest `pyproject.toml` names, else in the
    current folder.
    """
    found: dict[str, None] = {}
    missing = []
    for path in paths or _own_folders():
        absolute = os.path.abspath(path)
        if os.path.isdir(absolute):
            found.update(dict.fromkeys(files_below(absolute)))
        elif os.path.exists(absolute):
            found[absolute] = None
        else:
            missing.append(path)
    return list(found), missing


def _own_folders() -> Sequence[str]:
    place = configuration.nearest(".")
    return (configuration.load(place).contracts if place is not None else ()) or (".",)


def read(path: str) -> str:
    """The text of a file with its byte order mark and line ends as they are. Raises `Unreadable`."""
    try:
        with open(path, "rb") as file:
            return decode(file.read())
    except OSError as problem:
        raise Unreadable(problem.strerror or str(problem)) from None


def decode(data: bytes) -> str:
    """UTF-8 bytes as text. Raises `Unreadable`."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as problem:
        line = data.count(b"\n", 0, problem.start) + 1
        raise Unreadable(f"line {line} is not UTF-8") from None


def write(path: str, text: str) -> None:
    """Replace a file at once, with the permissions that it had. Raises `OSError`, `NotOurs` where it is
    installed.
    """
    if is_installed(path):
        raise NotOurs(WHY_NOT)
    target = os.path.realpath(path)
    handle, partial = tempfile.mkstemp(
        prefix=f".{os.path.basename(target)}.", suffix=".part", dir=os.path.dirname(target)
    )
    try:
        with open(handle, "wb") as file:
            file.write(text.encode("utf-8"))
        shutil.copymode(target, partial)
        os.replace(partial, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(partial)
        raise
