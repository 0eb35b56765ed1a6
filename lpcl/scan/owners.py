"""Whose code a thread runs: the file that holds the function in which it was started.

The C library keeps, for each thread, a descriptor at the top of its stack: it begins with its own address,
twice, and holds the address of the thread's first function. The kernel tells where a sleeping thread's
stack is (`/proc/PID/task/TID/syscall`) and lets the owner of a process read its memory. Nothing is stopped
or changed. This knows the descriptors of glibc on 64-bit x86; elsewhere, and where reading is not allowed,
no owner is found.
"""

from __future__ import annotations

import os
import struct
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

_WORD = 8
_SELF = 2
"""Words from the descriptor's first copy of its own address to the second."""
_FIRST, _LAST = 0x2D0 // _WORD, 0x900 // _WORD
"""Where in the descriptor the address of the first function can stand, in words."""
_ALIGNMENT = 64
_TOP = 1 << 13
"""Bytes at the top of a stack in which the descriptor of its thread can be."""
_SMALLEST_STACK = 1 << 14
_REACH = 1 << 20
"""Bytes above the stack pointer that are searched for the descriptor."""
_GENERIC = ("libstdc++.so", "libc++.so")
"""Libraries whose thread function only calls the one that an object of another library names."""


@dataclass(frozen=True, slots=True)
class Area:
    """A mapped part of a process's memory; `path` is empty where no file is behind it."""

    start: int
    end: int
    flags: str
    path: str


def owners(process: str, areas: Sequence[Area], threads: Iterable[str]) -> Mapping[str, str]:
    """The owning files of those `threads` (ids) of a process (``/proc/123``) for which they can be told
    now.
    """
    found: dict[str, str] = {}
    running: set[int] = set()
    memory = -1
    try:
        memory = os.open(f"{process}/mem", os.O_RDONLY | os.O_CLOEXEC)
        starts = [area.start for area in areas]
        for thread in threads:
            stack = _stack_pointer(process, thread)
            if stack is None:
                running.add(int(thread))
                continue
            owner = _owner(memory, areas, starts, stack)
            if owner is not None:
                found[thread] = owner
        if running:
            found.update(_at_the_tops(memory, areas, starts, running))
    except OSError:
        return found  # the process has ended, or its memory is not for us to read
    finally:
        if memory >= 0:
            os.close(memory)
    return found


def _stack_pointer(process: str, thread: str) -> int | None:
    """The stack pointer of a thread that sleeps in the kernel; None for one that runs. Raises `OSError`."""
    try:
        with open(f"{process}/task/{thread}/syscall", "rb") as file:
            fields = file.read().split()
    except (FileNotFoundError, ProcessLookupError):
        return None
    try:
        return int(fields[-2], 16) if len(fields) >= 3 else None
    except ValueError:
        return None


def _owner(memory: int, areas: Sequence[Area], starts: Sequence[int], stack: int) -> str | None:
    area = _area(areas, starts, stack)
    if area is None:
        return None
    offset = stack & ~(_WORD - 1)
    words = _words(memory, offset, min(area.end - offset, _REACH))
    for at in range(len(words) - _SELF):
        address = offset + _WORD * at
        if words[at] == address and words[at + _SELF] == address and address % _ALIGNMENT == 0:
            return _first_function(memory, areas, starts, words[at : at + _LAST + 2])
    return None


def _at_the_tops(
    memory: int, areas: Sequence[Area], starts: Sequence[int], wanted: set[int]
) -> Mapping[str, str]:
    """The owners of threads whose stacks the kernel does not tell: looked for at the upper end of each
    area.
    """
    found: dict[str, str] = {}
    for area in areas:
        if area.path or not area.flags.startswith("rw") or area.end - area.start < _SMALLEST_STACK:
            continue
        words = _words(memory, area.end - _TOP, _TOP)
        for at in range(0, len(words) - _FIRST, _ALIGNMENT // _WORD):
            address = area.end - _TOP + _WORD * at
            if words[at] == address and words[at + _SELF] == address:
                thread = words[at + _FIRST] & 0xFFFFFFFF  # its number stands where the search below begins
                owner = _first_function(memory, areas, starts, words[at : at + _LAST + 2])
                if thread in wanted and owner is not None:
                    found[str(thread)] = owner
    return found


def _first_function(
    memory: int, areas: Sequence[Area], starts: Sequence[int], descriptor: Sequence[int]
) -> str | None:
    for word, argument in zip(descriptor[_FIRST:], descriptor[_FIRST + 1 :], strict=False):
        area = _area(areas, starts, word)
        if area is None or "x" not in area.flags or not area.path.startswith("/"):
            continue
        if os.path.basename(area.path).startswith(_GENERIC):
            table = _words(memory, argument, _WORD)
            named = _area(areas, starts, table[0]) if table else None
            if named is not None and named.path.startswith("/"):
                return named.path
        return area.path
    return None


def _area(areas: Sequence[Area], starts: Sequence[int], address: int) -> Area | None:
    at = bisect_right(starts, address) - 1
    return areas[at] if at >= 0 and address < areas[at].end else None


def _words(memory: int, address: int, size: int) -> tuple[int, ...]:
    """The words at an address of a process's memory; none where they cannot be read."""
    try:
        data = os.pread(memory, size - size % _WORD, address)
    except (OSError, OverflowError):
        return ()
    return struct.unpack(f"<{len(data) // _WORD}Q", data[: len(data) - len(data) % _WORD])
