"""Texts by name in the user's cache folder: written as a whole, checked when read, the oldest thrown away.

Everything here may fail at any time, because the folder is read-only, full, or somebody else's. Then there is
nothing to read, and nothing is kept.
"""

from __future__ import annotations

import os
import time

from lpcl.cache.observe import digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

VARIABLE = "LPCL_CACHE_DIR"

MOST_FILES = 1_000
MOST_BYTES = 32 * 1024 * 1024
"""How much is kept; beyond it, the files that were not used for the longest time are thrown away."""

LARGEST = MOST_BYTES // 8
"""The bytes of the largest text that is kept."""

_MAGIC = b"lpclc cache 1\n"
_DAY = 24 * 3600
_TEMPORARY = ".tmp"
_TAG = (
    "Signature: 8a477f597d28d172789f06886806bc55\n# Made by lpclc, which fills this folder again as needed.\n"
)
"""How programs that make backups recognise a cache folder (bford.info/cachedir)."""


def folder() -> str:
    """The cache folder: LPCL_CACHE_DIR, else `lpcl` in XDG_CACHE_HOME, else in `~/.cache`."""
    own = os.environ.get(VARIABLE)
    if own:
        return os.path.abspath(own)
    shared = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(shared):
        shared = os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(shared, "lpcl")


def read(name: str) -> bytes | None:
    """A text that was kept, if it is whole and nobody else could have written it."""
    path = os.path.join(folder(), name)
    try:
        with open(path, "rb", buffering=0) as file:
            about = os.fstat(file.fileno())
            if about.st_uid != os.geteuid() or about.st_mode & 0o022:
                return None
            data = file.read()
        if about.st_mtime < time.time() - _DAY:
            os.utime(path)
    except OSError:
        return None
    head = len(_MAGIC) + 32
    text = data[head:]
    return text if data[:head] == _MAGIC + _seal(name, text) else None


def write(texts: Iterable[tuple[str, bytes]]) -> bool:
    """Keep some texts, one after the other, if that is possible, and whether it was."""
    place = folder()
    try:
        _make(place)
        for name, text in texts:
            if len(text) > LARGEST:
                return False
            _replace(os.path.join(place, name), _MAGIC + _seal(name, text) + text)
        _prune(place)
    except OSError:
        return False
    return True


def _seal(name: str, text: bytes) -> bytes:
    return digest(name.encode() + b"\n" + text)


def _make(place: str) -> None:
    if not os.path.isdir(place):
        os.makedirs(os.path.dirname(place), exist_ok=True)
        os.makedirs(place, 0o700, exist_ok=True)
        _replace(os.path.join(place, "CACHEDIR.TAG"), _TAG.encode())


def _replace(path: str, data: bytes) -> None:
    temporary = f"{path}.{os.getpid()}-{os.urandom(4).hex()}{_TEMPORARY}"
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with open(handle, "wb") as file:
            file.write(data)
        os.replace(temporary, path)
    except OSError:
        os.unlink(temporary)
        raise


def _prune(place: str) -> None:
    now = time.time()
    files: list[tuple[float, int, str]] = []
    for entry in os.scandir(place):
        try:
            about = entry.stat(follow_symlinks=False)
        except FileNotFoundError:  # another process was faster
            continue
        if entry.name.endswith(_TEMPORARY):
            if about.st_mtime < now - _DAY:  # of a process that was ended while it wrote
                _remove(entry.path)
        elif len(entry.name) == 2 * 32:
            files.append((about.st_mtime, about.st_size, entry.path))
    files.sort()
    number, size = len(files), sum(item[1] for item in files)
    if number <= MOST_FILES and size <= MOST_BYTES:
        return
    for _, length, path in files:  # leave some room, so that not every run has to look for more
        if number <= MOST_FILES * 3 // 4 and size <= MOST_BYTES * 3 // 4:
            break
        _remove(path)
        number, size = number - 1, size - length


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except FileNotFoundError:
        return
