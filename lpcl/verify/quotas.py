"""A control group of its own for one run, with a quota of CPU time, as a container has it.

The group is made where the kernel's folders can be written, which is for root, and removed after the run. The
process enters it by itself (`lpcl.verify.prelude`) and then sees it as the root of the hierarchy.
"""

from __future__ import annotations

import math
import os
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from lpcl.model import cgroups

PERIOD = 100_000
"""Microseconds in which the quota is counted: what the kernel and containers take unless told otherwise."""

LEAST = Fraction(1, 100)
"""CPUs of the smallest quota that the kernel grants with that period."""

_REMOVAL = 2.0
"""Seconds in which the last processes of a group may go."""


class Unavailable(Exception):
    """Raised where no group can be made here, with the reason."""


@dataclass(frozen=True, slots=True)
class Group:
    """A group, and how the hierarchy that it is in is mounted: what a process needs to enter it.

    `version` is that of control groups, `point` the mount point, `controllers` those of a hierarchy of
    version 1, in the order in which the kernel names them.
    """

    version: int
    folder: str
    point: str
    controllers: str

    def for_the_process(self) -> dict[str, Any]:
        """The same as values of JSON."""
        return asdict(self)


@contextmanager
def group(cpus: Fraction, root: Path = Path("/")) -> Iterator[Group]:
    """A group that allows so many CPUs, until the block ends. Raises `Unavailable`."""
    hierarchy = _hierarchy(root)
    point = hierarchy.folders[-1]
    folder = point / f"lpcl-{uuid.uuid4().hex[:12]}"
    made = Group(hierarchy.version, str(folder), str(point), ",".join(sorted(hierarchy.controllers)))
    try:
        folder.mkdir()
    except OSError as problem:
        raise Unavailable(f"it needs a control group of its own, and {_why(problem, point)}") from None
    try:
        try:
            _limit(made, cpus)
        except OSError as problem:
            raise Unavailable(f"its control group takes no quota: {problem.strerror}") from None
        yield made
    finally:
        _remove(folder)


def _hierarchy(root: Path) -> cgroups.Groups:
    """The hierarchy that has the CPU controller."""
    for found in cgroups.groups(root):
        if "cpu" in found.controllers:
            return found
        if found.version == 2 and "cpu" in _words(found.folders[-1] / "cgroup.subtree_control"):
            return found
    raise Unavailable("it needs a control group of its own, and none here has the CPU controller")


def _limit(made: Group, cpus: Fraction) -> None:
    quota = math.floor(cpus * PERIOD)
    folder = Path(made.folder)
    if made.version == 2:
        (folder / "cpu.max").write_text(f"{quota} {PERIOD}", encoding="ascii")
    else:
        (folder / "cpu.cfs_period_us").write_text(str(PERIOD), encoding="ascii")
        (folder / "cpu.cfs_quota_us").write_text(str(quota), encoding="ascii")


def _remove(folder: Path) -> None:
    """Remove the group; it is left empty where a process in it does not end."""
    deadline = time.monotonic() + _REMOVAL
    while time.monotonic() < deadline:
        with suppress(OSError):
            os.rmdir(folder)
            return
        time.sleep(0.02)


def _words(file: Path) -> list[str]:
    try:
        return file.read_text(encoding="ascii").split()
    except OSError:
        return []


def _why(problem: OSError, point: Path) -> str:
    return f"{point} cannot be written: {problem.strerror}"
