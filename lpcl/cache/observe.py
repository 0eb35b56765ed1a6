"""The questions that a check asks of the disk and the environment, each answered with plain values.

An answer is all that the asker goes by: where it is the same, so is what follows from it.
"""

from __future__ import annotations

import os
import sys
from stat import S_ISDIR, S_ISREG

try:  # without the weight of OpenSSL
    from _blake2 import blake2b
except ImportError:
    from hashlib import blake2b

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from importlib.machinery import ModuleSpec

GROUP = "lpcl.contracts"
"""The group of entry points under which distributions offer contracts."""

_SKIPPED = frozenset({"__pycache__", "node_modules", "build", "dist"})
_ENDING = ".lpcl"


class Unobservable(Exception):
    """A question that cannot be answered in a way that can be held against a later answer."""


def contents(path: str) -> bytes | tuple[int | None, str]:
    """The bytes of a file, or the number and text of what kept us from reading it."""
    try:
        with open(path, "rb", buffering=0) as file:
            return file.read()
    except OSError as fault:
        return fault.errno, fault.strerror or str(fault)


def kind(path: str) -> str:
    """``folder``, ``file``, ``other``, or nothing where there is no such thing; links are followed."""
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):
        return ""
    return "folder" if S_ISDIR(mode) else "file" if S_ISREG(mode) else "other"


def real(path: str) -> str:
    """The path without links."""
    return os.path.realpath(path)


def files_below(folder: str) -> list[str]:
    """The `.lpcl` files below a folder, sorted; hidden folders and those of build tools are skipped."""
    found: list[str] = []
    for current, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in _SKIPPED)
        found.extend(os.path.join(current, name) for name in names if name.endswith(_ENDING))
    return sorted(found)


def files_beside(folder: str) -> list[str]:
    """The `.lpcl` files in a folder itself, sorted; none where it cannot be read."""
    try:
        names = os.listdir(folder)
    except OSError:
        return []
    return [os.path.join(folder, name) for name in sorted(names) if name.endswith(_ENDING)]


def project_file(start: str) -> str:
    """The `pyproject.toml` in a folder or the closest one above it; nothing where there is none."""
    folder = os.path.abspath(start)
    while True:
        candidate = os.path.join(folder, "pyproject.toml")
        if os.path.isfile(candidate):
            return candidate
        above = os.path.dirname(folder)
        if above == folder:
            return ""
        folder = above


def package_folders(module: str) -> list[str]:
    """The folders of an importable package, found without importing it or its parents."""
    top, *below = module.split(".")
    try:
        spec = _spec(top)
    except (ImportError, ValueError):
        return []
    folders = list(spec.submodule_search_locations or ()) if spec is not None else []
    folders = [os.path.join(folder, *below) for folder in folders]
    return [os.path.abspath(folder) for folder in folders if os.path.isdir(folder)]


def _spec(name: str) -> ModuleSpec | None:
    """As `importlib.util.find_spec` of a name without dots, whose module takes a while to load."""
    if name in sys.modules:
        return getattr(sys.modules[name], "__spec__", None)
    for finder in sys.meta_path:
        find = getattr(finder, "find_spec", None)
        spec: ModuleSpec | None = find(name, None) if find is not None else None
        if spec is not None:
            return spec
    return None


def offers(_: str) -> list[object]:
    """What `importlib.metadata` goes by to tell the entry points of our group: files, as they are."""
    found: list[object] = []
    for place, name in _metadata():
        entries = contents(os.path.join(place, name, "entry_points.txt"))
        if isinstance(entries, bytes):
            offered = GROUP.encode() in entries
            found.append((place, name, entries, _about(place, name) if offered else ()))
        else:
            found.append((place, name))
    return found


def version(distribution: str) -> list[object]:
    """What `importlib.metadata` goes by to tell the version of a distribution: files, as they are."""
    start = _letters(distribution)
    return [
        (place, name, _about(place, name))
        for place, name in _metadata()
        if _letters(name).startswith(start) or _is_egg(place)
    ]


def _about(place: str, name: str) -> list[object]:
    """What may state name and version; an `.egg-info` can be a file itself."""
    folder = os.path.join(place, name)
    files = (os.path.join(folder, "METADATA"), os.path.join(folder, "PKG-INFO"), folder)
    return [contents(file) for file in files]


def _letters(name: str) -> str:
    return "".join(filter(str.isalnum, name.lower()))


def _is_egg(place: str) -> bool:
    return place.lower().endswith(".egg")


def _metadata() -> Iterator[tuple[str, str]]:
    """The folders and files about distributions, in the order in which they are found."""
    for finder in sys.meta_path:
        home = getattr(finder, "__module__", None)
        if hasattr(finder, "find_distributions") and home != "_frozen_importlib_external":
            raise Unobservable(f"{finder!r} knows distributions of its own")
    for entry in sys.path:
        place = entry or "."
        try:
            names = os.listdir(place)
        except OSError:
            if kind(place) == "file":
                raise Unobservable(f"{place} may hold distributions") from None
            continue
        for name in names:
            low = name.lower()
            if low.endswith((".dist-info", ".egg-info")) or (low == "egg-info" and _is_egg(place)):
                yield place, name


def module(path: str) -> tuple[int, int] | None:
    """The size and time of a source file, by which Python itself tells whether it has changed."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_size, found.st_mtime_ns


QUESTIONS: dict[str, Callable[[str], object]] = {
    question.__name__: question
    for question in (
        contents,
        kind,
        real,
        files_below,
        files_beside,
        project_file,
        package_folders,
        offers,
        version,
        module,
    )
}


def digest(answer: object) -> bytes:
    """The fingerprint of an answer, or of any plain value."""
    data = answer if isinstance(answer, bytes) else repr(answer).encode("utf-8", "surrogatepass")
    return blake2b(data, digest_size=32, person=type(answer).__name__.encode()[:16]).digest()
