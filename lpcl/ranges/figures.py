"""The machines that there can be: within which bounds a figure lies, and which figures bound each other."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from lpcl.compose.terms import Number
from lpcl.model.machine import FACTS

MOST_CPUS = 4096
"""More than any machine has that runs one Linux."""

LEAST_QUOTA = Fraction(1, 1000)
"""Linux grants no less than 1 ms of CPU time in a period of at most 1 s."""

MOST_BYTES = 2**60
MOST_COUNT = 2**40


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure's bounds, inclusive; the figure `below` is never smaller."""

    low: Number
    high: Number
    below: str | None = None
    first: tuple[Number, ...] = ()


_CPUS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096)
_GIB = 2**30
_SIZES = tuple(n * _GIB for n in (1, 2, 4, 8, 16, 64, 256, 1024)) + (64 * 2**20, 2**20, 1)

FIGURES: dict[str, Figure] = {
    "cpus.online": Figure(1, MOST_CPUS, first=_CPUS),
    "cpus.affinity": Figure(1, MOST_CPUS, below="cpus.online", first=_CPUS),
    "cpus.quota": Figure(LEAST_QUOTA, MOST_CPUS, first=_CPUS),
    "cpus.physical": Figure(1, MOST_CPUS, below="cpus.online", first=_CPUS),
    "memory.total": Figure(1, MOST_BYTES, first=_SIZES),
    "memory.limit": Figure(1, MOST_BYTES, below="memory.total", first=_SIZES),
    "memory.bandwidth": Figure(1, MOST_BYTES, first=(10**9, 10**10, 10**11)),
    "shm": Figure(0, MOST_BYTES, first=(*_SIZES[:-1], 0)),
    "gpus": Figure(0, 1024, first=(0, 1, 2, 4, 8)),
    "gpu.memory": Figure(1, MOST_BYTES, first=_SIZES),
    "gpu.memory.free": Figure(0, MOST_BYTES, below="gpu.memory", first=(*_SIZES, 0)),
    "limits.files": Figure(1, MOST_COUNT, first=(1024, 65536)),
    "limits.threads": Figure(1, MOST_COUNT, first=(4096, 65536)),
    "limits.processes": Figure(1, MOST_COUNT, first=(4096, 65536)),
    "limits.address_space": Figure(1, MOST_BYTES, first=_SIZES),
    "limits.locked_memory": Figure(0, MOST_BYTES, first=(65536, *_SIZES[:-1], 0)),
}
"""By path, without `machine.`. `first` are the values that a person would try, the plainest first."""

assert FIGURES.keys() == FACTS.keys() | {"gpu.memory.free"}
