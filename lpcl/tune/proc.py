"""Reads processes and their threads from /proc; whatever has ended in the meantime is simply not there."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import NamedTuple


class TaskTimes(NamedTuple):
    """A thread's scheduler statistics, in nanoseconds since it was born."""

    run: int
    delay: int


def read_bytes(path: str) -> bytes | None:
    """The first 64 KiB of a file; None where it cannot be read, as when its process has ended."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        return os.read(descriptor, 65536)
    except OSError:
        return None
    finally:
        os.close(descriptor)


def tasks(process: str) -> list[str]:
    """The ids of a process's threads, given its directory (``/proc/123``); empty where it has ended."""
    try:
        return os.listdir(f"{process}/task")
    except OSError:
        return []


def children(process: str) -> list[int]:
    """The ids of a process's children, those of all of its threads."""
    found: list[int] = []
    for task in tasks(process):
        listed = read_bytes(f"{process}/task/{task}/children")
        if listed:
            found.extend(map(int, listed.split()))
    return found


def descendants(proc: str, root: int) -> Iterator[int]:
    """The ids of all processes below `root`, parents before their children."""
    waiting = children(f"{proc}/{root}")
    seen = {root}
    while waiting:
        pid = waiting.pop()
        if pid not in seen:
            seen.add(pid)
            yield pid
            waiting.extend(children(f"{proc}/{pid}"))


def task_times(process: str, task: str) -> TaskTimes | None:
    """The scheduler statistics of a thread; None where it has ended or the kernel keeps none."""
    fields = (read_bytes(f"{process}/task/{task}/schedstat") or b"").split()
    return TaskTimes(int(fields[0]), int(fields[1])) if len(fields) >= 2 else None


def resident_pages(process: str) -> int:
    """The pages that a process holds in memory, shared ones included; 0 where it has ended."""
    fields = (read_bytes(f"{process}/statm") or b"").split()
    return int(fields[1]) if len(fields) >= 2 else 0
