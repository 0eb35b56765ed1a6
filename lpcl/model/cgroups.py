"""The control groups that hold a process, as /proc tells them, and the limits that they set.

The process is this one unless another is named by its number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path, PurePosixPath


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit in force, and the file that states it."""

    value: int | Fraction
    path: Path


@dataclass(frozen=True, slots=True)
class Groups:
    """The folders of one hierarchy that hold this process, its own group first.

    `version` is 1 or 2; `controllers` are those of a hierarchy of version 1. Version 2 has them all in one,
    and a controller that is off there has no files.
    """

    version: int
    controllers: frozenset[str]
    folders: tuple[Path, ...]


def cpu_quota(root: Path, process: str = "self") -> Limit | None:
    """The least CPU time a second that the groups on the way up allow, in CPUs; None where none limits it."""
    return _least(_quotas(root, process))


def memory(root: Path, process: str = "self") -> Limit | None:
    """The least memory that the groups on the way up allow, in bytes; None where none limits it.

    Version 1 states "no limit" as a figure near 2^63, which is no limit here either.
    """
    return _least(limit for limit in _memory(root, process) if limit.value < 2**62)


def tasks(root: Path, process: str = "self") -> Limit | None:
    """The least number of tasks (threads of all processes of a group) allowed on the way up, or None."""
    return _least(
        Limit(number, file)
        for _, file in _files(root, process, "pids", {1: "pids.max", 2: "pids.max"})
        if (number := _number(file)) is not None
    )


def groups(root: Path, process: str = "self") -> tuple[Groups, ...]:
    """The hierarchies that a process is in and whose folders can be seen below `root`."""
    mounts = tuple(_mounts(root))
    found = []
    for line in _text(root / "proc" / process / "cgroup").splitlines():
        number, _, rest = line.partition(":")
        names, _, path = rest.partition(":")
        version = 2 if number == "0" and not names else 1
        controllers = frozenset(names.split(",")) if version == 1 else frozenset[str]()
        fitting = [mount for mount in mounts if mount.version == version and controllers <= mount.options]
        folders = max((_folders(root, mount, PurePosixPath(path)) for mount in fitting), key=len, default=())
        if folders:
            found.append(Groups(version, controllers, folders))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Mount:
    version: int
    options: frozenset[str]
    shown: PurePosixPath  # the group that is seen at the mount point
    point: PurePosixPath


def _mounts(root: Path) -> Iterator[_Mount]:
    for line in _text(root / "proc/self/mountinfo").splitlines():
        left, _, right = line.partition(" - ")
        fields, kind = left.split(" "), right.split(" ")
        if len(fields) < 5 or len(kind) < 3 or kind[0] not in ("cgroup", "cgroup2"):
            continue
        version = 2 if kind[0] == "cgroup2" else 1
        shown, point = (PurePosixPath(_unescaped(field)) for field in fields[3:5])
        yield _Mount(version, frozenset(kind[2].split(",")), shown, point)


def _folders(root: Path, mount: _Mount, path: PurePosixPath) -> tuple[Path, ...]:
    """From the process's own group up to the mount point; the mount point alone where the way is not seen."""
    seen = path.is_relative_to(mount.shown) and ".." not in path.parts
    below = path.relative_to(mount.shown) if seen else PurePosixPath()
    top = root / mount.point.relative_to("/")
    return tuple(folder for part in (below, *below.parents) if (folder := top / part).is_dir())


def _files(root: Path, process: str, controller: str, names: dict[int, str]) -> Iterator[tuple[int, Path]]:
    """The files of a controller, with the version of their hierarchy; `names` has the file's name in each."""
    for group in groups(root, process):
        if group.version == 2 or controller in group.controllers:
            for folder in group.folders:
                yield group.version, folder / names[group.version]


def _quotas(root: Path, process: str) -> Iterator[Limit]:
    for version, file in _files(root, process, "cpu", {1: "cpu.cfs_quota_us", 2: "cpu.max"}):
        if version == 2:
            quota, _, period = _text(file).strip().partition(" ")
        else:
            quota, period = (_text(path).strip() for path in (file, file.with_name("cpu.cfs_period_us")))
        if quota.isdecimal() and period.isdecimal() and int(quota) > 0 and int(period) > 0:
            yield Limit(_plain(Fraction(int(quota), int(period))), file)


def _memory(root: Path, process: str) -> Iterator[Limit]:
    for version, file in _files(root, process, "memory", {1: "memory.limit_in_bytes", 2: "memory.max"}):
        number = _number(file)
        if number is not None:
            yield Limit(number, file)
        if version == 1:
            # What groups above the mount point allow, which a container cannot see, is in the statistics.
            statistics = file.with_name("memory.stat")
            for line in _text(statistics).splitlines():
                name, _, figure = line.partition(" ")
                if name == "hierarchical_memory_limit" and figure.isdecimal():
                    yield Limit(int(figure), statistics)


def _least(limits: Iterator[Limit]) -> Limit | None:
    return min(limits, key=lambda limit: limit.value, default=None)


def _number(file: Path) -> int | None:
    """The number in a file; None where there is none, as where it says ``max``."""
    text = _text(file).strip()
    return int(text) if text.isdecimal() else None


def _plain(value: Fraction) -> int | Fraction:
    return value.numerator if value.denominator == 1 else value


def _unescaped(field: str) -> str:
    """A field of mountinfo, in which blanks and backslashes are octal numbers."""
    return re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), field)


def _text(file: Path) -> str:
    """A file's text; nothing where it is not there or must not be read."""
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
