"""Configurations that would be right, and what tells one from another: workers and sizes of pools."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from lpcl.compose.knobs import Configuration, Knob
from lpcl.compose.structure import Activity, Process, ProcessWorkers, Statement, members
from lpcl.compose.terms import Number, Value, apply, choose

ABSENT = -1
"""The figure of workers or a pool that a configuration does not have."""


@dataclass(frozen=True)
class Alternative:
    """A configuration without a finding: how many CPUs it uses, the knobs it changes, and its shape, in
    order. `instead` are, by the id of a knob that it changes, those that could be set to the same in its
    place.
    """

    configuration: Configuration
    changes: tuple[Knob, ...]
    cpu: Number
    shape: tuple[Figure, ...]
    instead: Mapping[str, tuple[Knob, ...]] = field(default_factory=dict)

    def is_each(self, figure: Figure) -> bool:
        """Whether a figure of the shape is that of each of several workers."""
        return any(
            other.kind == "workers" and other.place in figure.under and other.value not in (0, 1)
            for other in self.shape
        )


@dataclass(frozen=True, slots=True)
class Figure:
    """A number that tells configurations apart: of ``workers`` or of a pool's ``threads``, at a place.

    `under` are the places whose workers are at it. `id` also tells several ways to carry out one operation
    apart, such as by threads or by processes.
    """

    place: str
    kind: str
    value: Value
    under: tuple[str, ...] = ()
    id: str = ""


def shape_of(root: Process) -> tuple[Figure, ...]:
    """What tells two configurations apart: numbers of workers and sizes of pools, in order."""
    return tuple(item for item in _figures(root.body, (), root.imaginary) if item.value != ABSENT)


def at_least(one: Sequence[Figure], other: Sequence[Figure]) -> bool:
    """Whether two shapes have the same workers and pools, and those of `one` are none fewer or smaller."""
    return [(item.id, item.kind) for item in one] == [(item.id, item.kind) for item in other] and all(
        apply(">=", mine.value, theirs.value) is True for mine, theirs in zip(one, other, strict=True)
    )


def _figures(statement: Statement, under: tuple[str, ...], imaginary: bool) -> Iterator[Figure]:
    if not isinstance(statement, Activity):
        for member in members(statement):
            yield from _figures(member, under, imaginary)
        return
    place = f"{statement.place.application}: " if statement.place.application else ""
    place += str(statement.place)
    counts = not imaginary or bool(statement.place.operation)  # an application is no worker of another one
    there, workers, inside = statement.condition, statement.workers, under
    if counts and workers is not None:
        yield Figure(place, "workers", choose(there, workers.count, ABSENT), under, statement.place.id)
        inside = (*under, place)
    if counts and statement.pool is not None and not statement.pool.own_thread:
        yield Figure(place, "threads", choose(there, statement.pool.size, ABSENT), under, statement.place.id)
    if statement.body is not None:
        yield from _figures(statement.body, inside, imaginary)
    if isinstance(workers, ProcessWorkers):
        yield from _figures(workers.process.body, inside, imaginary)
