"""Configurations that would be right, and what tells one from another: workers and sizes of pools."""

from __future__ import annotations

from dataclasses import dataclass

from lpcl.compose.knobs import Configuration, Knob
from lpcl.compose.structure import Process, all_activities
from lpcl.compose.terms import Number, Value, choose

ABSENT = -1
"""The figure of workers or a pool that a configuration does not have."""


@dataclass(frozen=True)
class Alternative:
    """A configuration without a finding: how many CPUs it uses, the knobs it changes, and its shape, in
    order.
    """

    configuration: Configuration
    changes: tuple[Knob, ...]
    cpu: Number
    shape: tuple[Figure, ...]


@dataclass(frozen=True, slots=True)
class Figure:
    """A number that tells configurations apart: of ``workers`` or of a pool's ``threads``, at a place."""

    place: str
    kind: str
    value: Value


def shape_of(root: Process) -> tuple[Figure, ...]:
    """What tells two configurations apart: numbers of workers and sizes of pools, in order."""
    found: list[Figure] = []
    for activity in all_activities(root):
        if root.imaginary and not activity.place.operation:
            continue  # an application is no worker of another one
        place = f"{activity.place.application}: " if activity.place.application else ""
        place += str(activity.place)
        there = activity.condition
        if activity.workers is not None:
            count = choose(there, activity.workers.count, ABSENT)
            found.append(Figure(place, "workers", count))
        if activity.pool is not None and not activity.pool.own_thread:
            size = choose(there, activity.pool.size, ABSENT)
            found.append(Figure(place, "threads", size))
    return tuple(item for item in found if item.value != ABSENT)
