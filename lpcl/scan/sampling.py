"""Looks at a process tree through /proc again and again, seldom enough not to disturb what it watches."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from lpcl.model.host import HostFacts
from lpcl.scan.observation import Observation, ProcessSeen, ThreadSeen
from lpcl.scan.owners import Area, owners
from lpcl.tune import proc

FIRST_PERIOD = 0.002
"""Seconds between the first samples; the gaps grow from here to the interval that was asked for."""

COST_SHARE = 0.1
"""The part of one CPU that looking may take; with thousands of threads it is done less often."""

LONGEST_PERIOD = 0.5

MAPS_PERIOD = 0.25
"""Seconds after which a process's mapped files are read again, where its threads have not changed."""

SETTLED = 2
"""Samples after which a thread has the name that it is given after its start."""

OWNER_TRIES = 12

_SEMAPHORES = "/dev/shm/sem."

_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(slots=True)
class _Thread:
    first: float
    last: float
    name: str = ""
    seen: int = 0
    run: int = 0
    base: int = 0
    owner: str | None = None
    tries: int = 0
    asleep: Counter[str] = field(default_factory=Counter)


@dataclass(slots=True)
class _Process:
    id: int
    parent: int
    first: float
    last: float = 0.0
    command: tuple[str, ...] = ()
    executable: str = ""
    folder: str = ""
    layout: str = ""
    environment: Mapping[str, str] = field(default_factory=dict)
    affinity: frozenset[int] = frozenset()
    files: dict[str, float] = field(default_factory=dict)
    semaphores: set[str] = field(default_factory=set)
    threads: dict[tuple[str, int], _Thread] = field(default_factory=dict)
    born: dict[str, int] = field(default_factory=dict)
    maps_at: float = -1.0
    alive_threads: int = 0
    most: int = 0
    samples: int = 0
    withheld: dict[str, None] = field(default_factory=dict)
    used: int = 0
    base: int = 0


class Sampler:
    """Follows the processes below `root` (`root` itself with `inclusive`) and keeps what they showed.

    Of environments only the variables in `wanted` are kept. Call `sample` whenever `next_at` (on the clock of
    `time.monotonic`) has come, and `observation` in the end.
    """

    def __init__(
        self,
        root: int,
        wanted: frozenset[str],
        interval: float,
        *,
        inclusive: bool = False,
        proc_root: str = "/proc",
    ) -> None:
        self._root = root
        self._inclusive = inclusive
        self._wanted = wanted
        self._interval = interval
        self._proc = proc_root
        self._start = self._last = time.monotonic()
        self._processes: dict[tuple[int, int], _Process] = {}
        self._gap = FIRST_PERIOD
        self.next_at = self._start
        self.samples = 0
        self.longest_gap = 0.0

    def sample(self) -> int:
        """Look at every process and thread once; the number of processes that are there."""
        began = time.monotonic()
        now = began - self._start
        alive = sum(self._process(pid, parent, now) > 0 for pid, parent in self._tree())
        self.samples += 1
        self.longest_gap = max(self.longest_gap, began - self._last)
        self._last = began
        cost = time.monotonic() - began
        self._gap = min(max(min(self._gap * 1.3, self._interval), cost / COST_SHARE), LONGEST_PERIOD)
        self.next_at = began + cost + self._gap
        return alive

    @property
    def seen(self) -> int:
        """How many processes were seen at all."""
        return len(self._processes)

    def _tree(self) -> list[tuple[int, int]]:
        """The processes with their parents, parents before children."""
        found = [(self._root, 0)] if self._inclusive else []
        waiting = [self._root]
        seen = {self._root}
        while waiting:
            parent = waiting.pop(0)
            for pid in proc.children(f"{self._proc}/{parent}"):
                if pid not in seen:
                    seen.add(pid)
                    found.append((pid, parent if parent != self._root or self._inclusive else 0))
                    waiting.append(pid)
        return found

    def _process(self, pid: int, parent: int, now: float) -> int:
        directory = f"{self._proc}/{pid}"
        status = _status(proc.read_bytes(f"{directory}/stat"))
        if status is None or status.state in "ZX":
            return 0
        known = self._processes.get((pid, status.started))
        if known is None:
            known = self._processes[(pid, status.started)] = _Process(pid, parent, now)
            known.base = status.used if self.samples == 0 and self._inclusive else 0
        known.used = status.used
        known.last = now
        known.samples += 1
        tasks = proc.tasks(directory)
        for task in tasks:
            self._thread(known, directory, task, now)
        grown = len(tasks) != known.alive_threads
        known.alive_threads = len(tasks)
        known.most = max(known.most, len(tasks))
        if known.samples <= 4 or now - known.maps_at >= MAPS_PERIOD or grown or self._unowned(known, now):
            self._describe(known, directory, now)
        return len(tasks)

    def _thread(self, known: _Process, directory: str, task: str, now: float) -> None:
        born = known.born.get(task)
        thread = known.threads.get((task, born)) if born is not None else None
        times = proc.task_times(directory, task)
        gone = times is not None and thread is not None and times.run < thread.run
        if thread is None or gone or thread.seen % 8 < SETTLED:
            status = _status(proc.read_bytes(f"{directory}/task/{task}/stat"))
            if status is None:
                return
            thread = known.threads.get((task, status.started))
            if thread is None:
                known.born[task] = status.started
                thread = known.threads[(task, status.started)] = _Thread(now, now)
                # CPU time from before the watch is not the watch's; a thread born in it starts with none.
                thread.base = times.run if times is not None and self.samples == 0 and self._inclusive else 0
            thread.name = status.name
            if status.state in "SDI" and thread.seen:
                place = proc.read_bytes(f"{directory}/task/{task}/wchan")
                if place and place != b"0":
                    thread.asleep[place.decode("ascii", "replace")] += 1
        thread.seen += 1
        thread.last = now
        if times is not None:
            thread.run = times.run

    def _unowned(self, known: _Process, now: float) -> bool:
        return any(
            thread.owner is None and thread.last == now and thread.tries < OWNER_TRIES
            for (task, _), thread in known.threads.items()
            if task != str(known.id)
        )

    def _describe(self, known: _Process, directory: str, now: float) -> None:
        """Read what a process has mapped, how it was started, and whose its new threads are."""
        known.maps_at = now
        text = _whole(f"{directory}/maps")
        if text is None:
            known.withheld["its mapped files"] = None
        areas = read_areas(text or "")
        for area in areas:
            if area.path.startswith(_SEMAPHORES):
                known.semaphores.add(area.path)
            elif area.path.startswith("/") and ".so" in area.path:
                known.files.setdefault(area.path.removesuffix(" (deleted)"), now)
        layout = next((f"{area.start:x}" for area in areas if area.path in ("[vdso]", "[stack]")), "")
        if layout and layout != known.layout:  # the first look, or another program since then
            known.layout = layout
            known.files = {path: at for path, at in known.files.items() if any(a.path == path for a in areas)}
        command = _whole(f"{directory}/cmdline")
        if command:
            known.command = tuple(command.rstrip("\0").split("\0"))
        known.executable = _link(f"{directory}/exe") or known.executable
        known.folder = _link(f"{directory}/cwd") or known.folder
        environment = _whole(f"{directory}/environ")
        if environment is None:
            known.withheld["its environment"] = None
        elif environment:
            known.environment = _variables(environment, self._wanted)
        with suppress(OSError):  # it may just have ended; what was read before stays
            known.affinity = frozenset(os.sched_getaffinity(known.id))
        unknown = {
            task: thread
            for (task, _), thread in known.threads.items()
            if thread.owner is None and thread.last == now and task != str(known.id)
        }
        if unknown and areas:
            found = owners(directory, areas, unknown)
            for task, thread in unknown.items():
                thread.tries += 1
                thread.owner = found.get(task)

    def observation(
        self, ended: str, status: int | None, host: HostFacts, own_host: HostFacts
    ) -> Observation | None:
        """What was seen; None where not one process was there to be looked at."""
        seen = list(self._processes.values())
        if not seen:
            return None
        layouts = {process.id: process.layout for process in seen}
        return Observation(
            processes=tuple(_frozen(process, layouts) for process in seen),
            duration=time.monotonic() - self._start,
            samples=self.samples,
            longest_gap=self.longest_gap,
            ended=ended,
            status=status,
            host=host,
            own_host=own_host,
        )


def _frozen(process: _Process, layouts: Mapping[int, str]) -> ProcessSeen:
    withheld = dict(process.withheld)
    threads = tuple(
        ThreadSeen(
            int(task),
            thread.name,
            thread.first,
            thread.last,
            max(0, thread.run - thread.base) / 1e9,
            thread.owner,
            thread.asleep.most_common(1)[0][0] if thread.asleep else None,
            task == str(process.id),
        )
        for (task, _), thread in process.threads.items()
    )
    return ProcessSeen(
        process.id,
        process.parent,
        process.first,
        process.last,
        process.command,
        process.executable,
        process.folder,
        bool(process.layout) and layouts.get(process.parent) == process.layout,
        process.environment,
        process.affinity,
        dict(process.files),
        threads,
        frozenset(process.semaphores),
        tuple(withheld),
        (process.used - process.base) / _TICKS,
    )


@dataclass(frozen=True, slots=True)
class _Status:
    name: str
    state: str
    started: int
    used: int


def _status(data: bytes | None) -> _Status | None:
    """What ``stat`` says; None where the process or thread has ended. `started` and `used`,
    the CPU time of a process or thread, are in clock ticks, the first since boot.
    """
    if not data:
        return None
    head, _, rest = data.rpartition(b")")
    fields = rest.split()
    if len(fields) < 20:
        return None
    name = head.partition(b"(")[2].decode("utf-8", "replace")
    return _Status(name, fields[0].decode("ascii"), int(fields[19]), int(fields[11]) + int(fields[12]))


def read_areas(text: str) -> list[Area]:
    """The mapped parts of a process's memory, as its ``maps`` tells them."""
    found = []
    for line in text.splitlines():
        fields = line.split(None, 5)
        start, _, end = fields[0].partition("-")
        found.append(Area(int(start, 16), int(end, 16), fields[1], fields[5] if len(fields) > 5 else ""))
    return found


def _variables(text: str, wanted: Iterable[str]) -> dict[str, str]:
    pairs = (item.partition("=") for item in text.split("\0"))
    names = frozenset(wanted)
    return {name: value for name, _, value in pairs if name in names}


def _whole(path: str) -> str | None:
    """A file's text; empty where its process has ended, None where it must not be read."""
    try:
        with open(path, encoding="utf-8", errors="replace", newline="") as file:
            return file.read()
    except PermissionError:
        return None
    except OSError:
        return ""


def _link(path: str) -> str:
    try:
        return os.readlink(path).removesuffix(" (deleted)")
    except OSError:
        return ""
