"""The questions that a check asks of the disk and the environment, each answered with plain values.

An answer is all that the asker goes by: where it is the same, so is what follows from it.
"""

from __future__ import annotations

import os
import sys
import time
from stat import S_ISDIR, S_ISREG

try:  # without the weight of OpenSSL
    from _blake2 import blake2b
except ImportError:
    from hashlib import blake2b

from lpcl.cache import territory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from importlib.machinery import ModuleSpec

GROUP = "lpcl.contracts"
"""The group of entry points under which distributions offer contracts."""

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
    """The `.lpcl` files below a folder, sorted; what `territory` passes over is left out."""
    found: list[str] = []
    for current, folders, names in os.walk(folder):
        if current != folder and territory.is_elsewhere([*folders, *names]):
            folders[:] = []
            continue
        folders[:] = sorted(name for name in folders if not territory.passed_over(name))
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


def offers(_: str) -> list[tuple[str, str, str]]:
    """What the installed distributions state in our group: value, name, and distribution with its version.

    As `importlib.metadata.entry_points`, whose module takes as long to load as all else together.
    """
    found: list[tuple[str, str, str]] = []
    seen: set[str] = set()
    for name, folder in _distributions():
        if name in seen:
            continue
        seen.add(name)
        entries = contents(os.path.join(folder, "entry_points.txt"))
        if isinstance(entries, bytes) and GROUP.encode() in entries:
            stated = _stated(folder)
            of = f"{stated.get('name')} {stated.get('version')}"
            found += [(value, entry, of) for entry, value in _entries(entries.decode("utf-8", "replace"))]
    return sorted(found)


def version(distribution: str) -> str | None:
    """The version of an installed distribution; as `importlib.metadata.version`."""
    wanted = _normal(distribution)
    for name, folder in _distributions():
        if name == wanted:
            return _stated(folder).get("version")
    return None


def _entries(text: str) -> Iterator[tuple[str, str]]:
    group = ""
    for line in map(str.strip, text.splitlines()):
        if line.startswith("[") and line.endswith("]"):
            group = line.strip("[]")
        elif group == GROUP and line and not line.startswith("#"):
            name, _, value = line.partition("=")
            yield name.strip(), value.strip()


def _stated(folder: str) -> dict[str, str]:
    """The fields at the head of what a distribution says about itself; an `.egg-info` can be a file."""
    for path in (os.path.join(folder, "METADATA"), os.path.join(folder, "PKG-INFO"), folder):
        text = contents(path)
        if isinstance(text, bytes):
            head = text.decode("utf-8", "replace").replace("\r\n", "\n").partition("\n\n")[0]
            stated: dict[str, str] = {}
            for line in head.splitlines():
                name, _, value = line.partition(":")
                stated.setdefault(name.lower(), value.lstrip(" \t"))
            return stated
    return {}


def _normal(name: str) -> str:
    name = name.lower().replace("-", "_").replace(".", "_")
    while "__" in name:
        name = name.replace("__", "_")
    return name


def _distributions() -> Iterator[tuple[str, str]]:
    """The normal names of distributions, and the folders or files about them, in the order of the path."""
    for finder in sys.meta_path:
        home = getattr(finder, "__module__", None)
        if hasattr(finder, "find_distributions") and home != "_frozen_importlib_external":
            raise Unobservable(f"{finder!r} knows distributions of its own")
    for entry in sys.path:
        place = entry or "."
        try:
            found = _listed(place)
        except OSError:
            found = ()
            if kind(place) == "file":
                raise Unobservable(f"{place} may hold distributions") from None
        if place.lower().endswith(".egg"):
            raise Unobservable(f"{place} is a distribution")
        yield from found


_SETTLED = 10_000_000_000
"""Nanoseconds after which a further change of a folder shows in its time, on any file system."""

_LISTINGS: dict[str, tuple[tuple[int, int, int], tuple[tuple[str, str], ...]]] = {}
"""The distributions in folders as they were at the time that goes with them."""


def _listed(place: str) -> tuple[tuple[str, str], ...]:
    """The normal names of the distributions in a folder, and what is about them. Raises `OSError`."""
    about = os.stat(place)
    state = about.st_dev, about.st_ino, about.st_mtime_ns
    known = _LISTINGS.get(place)
    if known is not None and known[0] == state:
        return known[1]
    found = tuple(
        (_normal(name.rpartition(".")[0].partition("-")[0]), os.path.join(place, name))
        for name in os.listdir(place)
        if name.lower().endswith((".dist-info", ".egg-info"))
    )
    if time.time_ns() - about.st_mtime_ns > _SETTLED:
        _LISTINGS[place] = state, found
    return found


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
