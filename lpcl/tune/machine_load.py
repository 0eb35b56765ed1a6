"""Reads what the whole machine and this control group go through: pressure, busy CPUs, throttling."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from lpcl.tune.proc import read_bytes

PRESSURES = ("cpu", "memory", "io")


@dataclass(frozen=True, slots=True)
class MachineLoad:
    """Totals since the machine or the control group started; a difference is what happened in between.

    `pressure` maps ``cpu``, ``memory`` and ``io`` to the seconds in which some task waited; `busy` is the CPU
    time of the CPUs that this process may use, in seconds; `periods` and `throttled` count the periods of the
    control group's CPU quota. None, or a missing key, where the kernel does not say.
    """

    pressure: dict[str, float]
    busy: float | None
    periods: int | None
    throttled: int | None


def machine_load(root: str = "/", cpus: frozenset[int] | None = None) -> MachineLoad:
    """The totals now. `root` is the folder of ``proc`` and the control groups (other than ``/`` in tests).

    `cpus` are the numbers of the CPUs to count, by default those that this process may run on.
    """
    base = root.rstrip("/")
    allowed = frozenset(os.sched_getaffinity(0)) if cpus is None else cpus
    periods, throttled = _throttling(base)
    return MachineLoad(
        pressure={name: value for name in PRESSURES if (value := _pressure(base, name)) is not None},
        busy=_busy(base, allowed),
        periods=periods,
        throttled=throttled,
    )


def _pressure(base: str, name: str) -> float | None:
    for line in (read_bytes(f"{base}/proc/pressure/{name}") or b"").splitlines():
        words = line.split()
        if words and words[0] == b"some":
            return int(words[-1].removeprefix(b"total=")) / 1e6
    return None


def _busy(base: str, cpus: frozenset[int]) -> float | None:
    ticks, found = 0, False
    for line in (read_bytes(f"{base}/proc/stat") or b"").splitlines():
        name, *counts = line.split()
        if name[:3] == b"cpu" and name[3:].isdigit() and int(name[3:]) in cpus:
            # user nice system idle iowait irq softirq steal; guests are in user already
            ticks += sum(int(count) for index, count in enumerate(counts[:8]) if index not in (3, 4))
            found = True
    return ticks / os.sysconf("SC_CLK_TCK") if found else None


def _throttling(base: str) -> tuple[int | None, int | None]:
    """Periods and throttled periods of the group on the way to the root that was throttled most."""
    worst: tuple[int, int] | None = None
    for directory in _cpu_groups(base):
        counts = dict(
            line.split()[:2]
            for line in (read_bytes(f"{directory}/cpu.stat") or b"").splitlines()
            if b" " in line
        )
        if b"nr_periods" in counts and b"nr_throttled" in counts:
            here = (int(counts[b"nr_periods"]), int(counts[b"nr_throttled"]))
            if here[0] > 0 and (worst is None or here[1] > worst[1]):
                worst = here
    return worst if worst is not None else (None, None)


def _cpu_groups(base: str) -> Iterator[str]:
    """The directories of this process's control group and its parents, of version 2 and of version 1."""
    paths: dict[str, str] = {}
    for line in (read_bytes(f"{base}/proc/self/cgroup") or b"").decode(errors="replace").splitlines():
        _, _, rest = line.partition(":")
        controllers, _, path = rest.partition(":")
        if controllers == "" or "cpu" in controllers.split(","):
            paths["cgroup2" if controllers == "" else "cgroup"] = path
    for line in (read_bytes(f"{base}/proc/self/mountinfo") or b"").decode(errors="replace").splitlines():
        left, _, right = line.partition(" - ")
        fields, kind = left.split(), right.split()
        if len(fields) < 5 or len(kind) < 3 or kind[0] not in paths:
            continue
        if kind[0] == "cgroup" and "cpu" not in kind[2].split(","):
            continue
        inside, mount = PurePosixPath(paths[kind[0]]), PurePosixPath(fields[4])
        shown = PurePosixPath(fields[3])
        below = inside.relative_to(shown) if inside.is_relative_to(shown) else PurePosixPath()
        while True:
            yield f"{base}{mount / below}"
            if below == PurePosixPath():
                break
            below = below.parent
