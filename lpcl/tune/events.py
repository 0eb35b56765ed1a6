"""What the tuner tells its caller while it works: all that a progress bar needs to know."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from lpcl.tune.configurations import Configuration
from lpcl.tune.design import Departure, Step
from lpcl.tune.records import BaselineRecord, RunRecord
from lpcl.tune.result import Result


@dataclass(frozen=True, slots=True)
class SessionStarted:
    """Everything is in order and measuring begins; `resumed` of the `expected` runs are there already."""

    configs: tuple[Configuration, ...]
    expected: int
    resumed: int
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BaselineMeasured:
    """The noise of the machine was measured."""

    baseline: BaselineRecord


@dataclass(frozen=True, slots=True)
class RunStarted:
    """A run begins, number `number` (from 1) of `expected`; it may take `limit` seconds."""

    step: Step
    number: int
    expected: int
    limit: float


@dataclass(frozen=True, slots=True)
class RunFinished:
    """A run is over and kept; `expected` runs there will be, as far as can be said now."""

    record: RunRecord
    number: int
    expected: int


@dataclass(frozen=True, slots=True)
class CandidateLeft:
    """A candidate is not run any further."""

    departure: Departure


@dataclass(frozen=True, slots=True)
class SessionEnded:
    """All is measured, or the session was interrupted."""

    result: Result


Event = SessionStarted | BaselineMeasured | RunStarted | RunFinished | CandidateLeft | SessionEnded
Listener = Callable[[Event], None]
