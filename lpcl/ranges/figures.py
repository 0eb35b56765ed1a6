"""The machines that questions about a contract range over, and the figures that a person tries first."""

from __future__ import annotations

from dataclasses import dataclass

from lpcl.compose.machines import NATURAL
from lpcl.compose.terms import Number
from lpcl.model.machine import AT_MOST, FACTS, FactType


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure's type, its bounds, inclusive, and the figure that is never smaller.

    `first` are the values that a person would try, the plainest first.
    """

    type: FactType
    low: Number
    high: Number
    below: str | None
    first: tuple[Number, ...]


_GIB = 2**30
_CPUS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)
SIZES: tuple[Number, ...] = (*(n * _GIB for n in (1, 2, 4, 8, 16, 64, 256, 1024)), 2**26, 2**20, 1, 0)
"""Amounts of bytes that a person would try."""

_FIRST: dict[str, tuple[Number, ...]] = {
    "memory.bandwidth": (10**10, 10**11),
    "gpus": (0, 1, 2, 4, 8),
    "limits.files": (1024, 65536),
    "limits.threads": (4096, 65536),
    "limits.processes": (4096, 65536),
}


def _first(path: str) -> tuple[Number, ...]:
    return _CPUS if path.startswith("cpus.") else _FIRST.get(path, SIZES)


FIGURES: dict[str, Figure] = {
    path: Figure(kind, *NATURAL[path], AT_MOST.get(path), _first(path)) for path, kind in FACTS.items()
}
"""By path, without `machine.`; within the ranges of machines that people have."""

FIGURES["gpu.memory.free"] = Figure(FACTS["gpu.memory"], 0, NATURAL["gpu.memory"][1], "gpu.memory", SIZES)
