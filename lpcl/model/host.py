"""The machine that this process runs on, as far as the kernel tells: what `machine host` means.

Everything is read from files below a root folder, so that a folder can stand for another machine. Nothing is
measured and no process is started.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path

from lpcl.model import cgroups
from lpcl.model.machine import FACTS
from lpcl.model.quantities import BYTES, show


@dataclass(frozen=True, slots=True)
class Reading:
    """A figure in its base unit (1 or bytes), and where it was read."""

    value: int | Fraction
    source: str


@dataclass(frozen=True, slots=True)
class Absent:
    """Why a figure has no value: nothing limits it, or nothing tells it."""

    reason: str


@dataclass(frozen=True, slots=True)
class HostFacts:
    """The host's figures by their names in `lpcl.model.machine.FACTS`; each is in one of the two.

    `readings` are those that have a value, `absent` those that have none.
    """

    readings: Mapping[str, Reading]
    absent: Mapping[str, Absent]

    @property
    def values(self) -> dict[str, int | Fraction]:
        """The exact values alone."""
        return {path: reading.value for path, reading in self.readings.items()}


def read_host(root: Path = Path("/"), process: str = "self") -> HostFacts:
    """Read the figures of the machine whose ``proc``, ``sys`` and ``dev`` are below `root`.

    Masks and limits are those of `process`: this one, or one that is named by its number.

    A CPU quota or memory limit that nobody sets is what it follows from, `cpus.online` or `memory.total`; any
    other limit that nobody sets is absent. What cannot be read is absent too: nothing is raised.
    """
    host = _Host(root, process)
    found = {path: _READERS[path](host) for path in FACTS}
    return HostFacts(
        {path: item for path, item in found.items() if isinstance(item, Reading)},
        {path: item for path, item in found.items() if isinstance(item, Absent)},
    )


_CAP_IPC_LOCK, _CAP_SYS_ADMIN, _CAP_SYS_RESOURCE = 14, 21, 24


class _Host:
    """The files of one machine, each read once."""

    def __init__(self, root: Path, process: str) -> None:
        self.root = root
        self.process = process

    def text(self, path: str) -> str:
        """A file's text; nothing where it cannot be read."""
        try:
            return (self.root / path).read_text(encoding="utf-8", errors="replace")
        except OSError:
            return ""

    def shown(self, path: Path) -> str:
        """A path as the machine itself knows it."""
        return f"/{path.relative_to(self.root)}"

    def number(self, path: str) -> int | None:
        """The number that is all of a file."""
        text = self.text(path).strip()
        return int(text) if text.isdecimal() else None

    @cached_property
    def online(self) -> frozenset[int] | None:
        return cpu_list(self.text("sys/devices/system/cpu/online"))

    @cached_property
    def status(self) -> Mapping[str, str]:
        """The fields of /proc/self/status."""
        return dict(_fields(self.text(f"proc/{self.process}/status")))

    @cached_property
    def resource_limits(self) -> Mapping[str, str]:
        """The soft limits of this process as /proc/self/limits has them, by the names that it gives them."""
        lines = re.finditer(
            r"^(Max [a-z ]+?) {2,}(\S+)", self.text(f"proc/{self.process}/limits"), re.MULTILINE
        )
        return {line[1]: line[2] for line in lines}

    def privileged(self, *capabilities: int) -> bool:
        """Whether the kernel grants this process one of these rights over the whole machine."""
        held = self.status.get("CapEff", "0")
        bits = int(held, 16) if re.fullmatch("[0-9a-fA-F]+", held) else 0
        # Within a user namespace, rights (and being user 0) do not reach beyond it.
        everyone = self.text(f"proc/{self.process}/uid_map").split() in ([], ["0", "0", "4294967295"])
        return everyone and any(bits >> number & 1 for number in capabilities)


def cpu_list(text: str) -> frozenset[int] | None:
    """The CPUs of a list as the kernel writes it (``0-3,8``); None where it is no such list."""
    found: set[int] = set()
    for part in text.strip().split(","):
        ends = re.fullmatch(r"(\d+)(?:-(\d+))?", part)
        if ends is None:
            return None
        found.update(range(int(ends[1]), int(ends[2] or ends[1]) + 1))
    return frozenset(found)


def _fields(text: str) -> Iterator[tuple[str, str]]:
    for line in text.splitlines():
        name, colon, value = line.partition(":")
        if colon:
            yield name.strip(), value.strip()


# ------------------------------------------------------------------ CPUs


def _online(host: _Host) -> Reading | Absent:
    if host.online:
        return Reading(len(host.online), "/sys/devices/system/cpu/online")
    counted = len(re.findall(r"^cpu\d+ ", host.text("proc/stat"), re.MULTILINE))
    if counted:
        return Reading(counted, "/proc/stat")
    return Absent("neither /sys/devices/system/cpu/online nor /proc/stat tells it")


def _affinity(host: _Host) -> Reading | Absent:
    allowed = cpu_list(host.status.get("Cpus_allowed_list", ""))
    if allowed is None:
        return Absent("/proc/self/status does not tell it")
    # The mask may name CPUs that could be plugged in one day.
    present = allowed & host.online if host.online else allowed
    return Reading(len(present), "/proc/self/status, Cpus_allowed_list")


def _quota(host: _Host) -> Reading | Absent:
    limit = cgroups.cpu_quota(host.root, host.process)
    if limit is not None:
        return Reading(limit.value, host.shown(limit.path))
    online = _online(host)
    if isinstance(online, Absent):
        return online
    return Reading(online.value, "no control group limits it: cpus.online")


def _physical(host: _Host) -> Reading | Absent:
    folder = host.root / "sys/devices/system/cpu"
    for name in ("core_cpus_list", "thread_siblings_list"):
        cores = {
            host.text(f"sys/devices/system/cpu/cpu{cpu}/topology/{name}").strip() for cpu in host.online or ()
        }
        if cores and "" not in cores:
            return Reading(len(cores), f"{host.shown(folder)}/cpu*/topology/{name}")
    processors = [dict(_fields(block)) for block in host.text("proc/cpuinfo").split("\n\n")]
    keys = ("physical id", "core id")
    pairs = {tuple(item[key] for key in keys) for item in processors if all(key in item for key in keys)}
    if pairs:
        return Reading(len(pairs), "/proc/cpuinfo, physical id and core id")
    return Absent("neither /sys/devices/system/cpu nor /proc/cpuinfo tells which CPUs share a core")


# ------------------------------------------------------------------ memory


def _memory(host: _Host) -> Reading | Absent:
    total = re.search(r"^MemTotal:\s*(\d+) kB", host.text("proc/meminfo"), re.MULTILINE)
    if total is None:
        return Absent("/proc/meminfo does not tell it")
    return Reading(int(total[1]) * 1024, "/proc/meminfo, MemTotal")


def _memory_limit(host: _Host) -> Reading | Absent:
    total, limit = _memory(host), cgroups.memory(host.root, host.process)
    if isinstance(total, Reading) and (limit is None or limit.value >= total.value):
        return Reading(total.value, "no control group limits it: memory.total")
    return total if limit is None else Reading(limit.value, host.shown(limit.path))


def _bandwidth(_: _Host) -> Reading | Absent:
    return Absent("the kernel does not tell it; state it in a `machine` declaration")


def _shm(host: _Host) -> Reading | Absent:
    try:
        size = os.statvfs(host.root / "dev/shm")
    except OSError as error:
        return Absent(f"/dev/shm: {error.strerror}")
    if size.f_blocks == 0:
        return Absent("/dev/shm has no limit of its own")
    return Reading(size.f_blocks * size.f_frsize, "/dev/shm")


# ------------------------------------------------------------------ GPUs


def _gpus(host: _Host) -> Reading | Absent:
    nvidia, source = _nvidia(host)
    amd = _amd(host)
    if nvidia and amd:
        return Reading(nvidia + len(amd), f"{source} and /sys/class/drm")
    if amd:
        return Reading(len(amd), "/sys/class/drm/card*/device/mem_info_vram_total")
    return Reading(nvidia, source)


def _nvidia(host: _Host) -> tuple[int, str]:
    """The device files count, which a container has only of those given to it; else what the driver lists."""
    files = [name for name in _names(host.root / "dev") if re.fullmatch(r"nvidia\d+", name)]
    if files:
        return len(files), "/dev/nvidia*"
    listed = _names(host.root / "proc/driver/nvidia/gpus")
    return len(listed), "/proc/driver/nvidia/gpus" if listed else "no GPU's driver is at work"


def _amd(host: _Host) -> dict[str, int]:
    """The memory of each GPU that tells it in /sys, in bytes."""
    cards = [name for name in _names(host.root / "sys/class/drm") if re.fullmatch(r"card\d+", name)]
    sizes = {card: host.number(f"sys/class/drm/{card}/device/mem_info_vram_total") for card in cards}
    return {card: size for card, size in sizes.items() if size is not None}


def _gpu_memory(host: _Host) -> Reading | Absent:
    nvidia, _ = _nvidia(host)
    sizes = _amd(host)
    if nvidia:
        return Absent("the driver does not tell it in a file; state it in a `machine` declaration")
    if not sizes:
        return Absent("there is no GPU")
    return Reading(min(sizes.values()), "/sys/class/drm/card*/device/mem_info_vram_total, the smallest")


def _names(folder: Path) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


# ------------------------------------------------------------------ limits


def _resource_limit(host: _Host, name: str, short: str) -> Reading | Absent:
    soft = host.resource_limits.get(name)
    if soft is None:
        return Absent("/proc/self/limits does not tell it")
    return Reading(int(soft), short) if soft.isdecimal() else Absent(f"not limited ({short})")


def _files(host: _Host) -> Reading | Absent:
    return _resource_limit(host, "Max open files", "RLIMIT_NOFILE")


def _address_space(host: _Host) -> Reading | Absent:
    return _resource_limit(host, "Max address space", "RLIMIT_AS")


def _locked_memory(host: _Host) -> Reading | Absent:
    found = _resource_limit(host, "Max locked memory", "RLIMIT_MEMLOCK")
    if isinstance(found, Reading) and host.privileged(_CAP_IPC_LOCK):
        return Absent(
            f"not limited (RLIMIT_MEMLOCK is {show(Fraction(found.value), BYTES)}, "
            "which does not bind a process with CAP_IPC_LOCK)"
        )
    return found


def _tasks(host: _Host) -> Reading | Absent:
    """Threads, which to the kernel are tasks as processes are: one limit serves both."""
    limits = []
    allowed = _resource_limit(host, "Max processes", "RLIMIT_NPROC, for all that the user runs")
    if isinstance(allowed, Reading) and not host.privileged(_CAP_SYS_RESOURCE, _CAP_SYS_ADMIN):
        limits.append(allowed)
    group = cgroups.tasks(host.root, host.process)
    if group is not None:
        limits.append(Reading(group.value, host.shown(group.path)))
    for name in ("threads-max", "pid_max"):
        number = host.number(f"proc/sys/kernel/{name}")
        if number is not None:
            limits.append(Reading(number, f"/proc/sys/kernel/{name}, for the whole machine"))
    return min(limits, key=lambda limit: limit.value) if limits else Absent("nothing under /proc tells it")


_READERS: dict[str, Callable[[_Host], Reading | Absent]] = {
    "cpus.online": _online,
    "cpus.affinity": _affinity,
    "cpus.quota": _quota,
    "cpus.physical": _physical,
    "memory.total": _memory,
    "memory.limit": _memory_limit,
    "memory.bandwidth": _bandwidth,
    "shm": _shm,
    "gpus": _gpus,
    "gpu.memory": _gpu_memory,
    "limits.files": _files,
    "limits.threads": _tasks,
    "limits.processes": _tasks,
    "limits.address_space": _address_space,
    "limits.locked_memory": _locked_memory,
}
