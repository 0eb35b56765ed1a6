"""Gives the signals that a plan names their figures, as far as they can be seen from outside of the program.

A source is a name or ``name / name``, as the language writes it. What is seen from inside only
(``threadpool(...)``, ``log ...``, ``python ...``) is not measured here, and the report says so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from statistics import median

from lpcl.tune.records import BaselineRecord, RunRecord
from lpcl.tune.signals import RunSignals

WAITING = "process.run_delay / process.run_time"
RUNNABLE = "process.runnable"
PRESSURE = "pressure.cpu"

ENOUGH_COVERAGE = 0.5
"""Below this share of the CPU time seen, waiting times say too little about the run."""

SHORTEST_PRESSURE = 0.2
"""Seconds: in shorter runs the start of the processes is most of the pressure."""


def _run_delay(seen: RunSignals) -> float | None:
    """Seconds of waiting, scaled up by the CPU time of threads that were never seen."""
    return seen.run_delay / seen.coverage if seen.coverage >= ENOUGH_COVERAGE else None


def _long_enough(value: Callable[[RunSignals], float | None]) -> Callable[[RunSignals], float | None]:
    return lambda seen: value(seen) if seen.wall >= SHORTEST_PRESSURE else None


_NAMES: Mapping[str, Callable[[RunSignals], float | None]] = {
    "process.wall": lambda seen: seen.wall,
    "process.run_time": lambda seen: seen.run_time,
    "process.run_delay": _run_delay,
    "process.runnable": lambda seen: seen.peak_runnable,
    "process.threads": lambda seen: seen.peak_threads,
    "process.processes": lambda seen: seen.peak_processes,
    "process.rss": lambda seen: seen.peak_rss,
    "process.voluntary_switches": lambda seen: seen.voluntary_switches,
    "process.involuntary_switches": lambda seen: seen.involuntary_switches,
    "pressure.cpu": _long_enough(lambda seen: seen.pressure_cpu),
    "pressure.memory": _long_enough(lambda seen: seen.pressure_memory),
    "pressure.io": _long_enough(lambda seen: seen.pressure_io),
    "cgroup.throttled_share": lambda seen: seen.throttled_share,
}

_OF_THE_END: Mapping[str, Callable[[RunRecord], float]] = {
    "run.failed": lambda record: float(record.failed),
    "run.killed": lambda record: float(record.signal is not None or record.end == "timed_out"),
}


def same_source(left: str, right: str) -> bool:
    """Whether two sources are the same but for spaces."""
    return left.replace(" ", "") == right.replace(" ", "")


def measurable(source: str) -> bool:
    """Whether the tuner can give this source a figure at all."""
    return all(part in _NAMES or part in _OF_THE_END for part in _parts(source))


def figure(source: str, record: RunRecord) -> float | None:
    """The figure of a source in one run; None where it was not or could not be measured."""
    values = [_value(part, record) for part in _parts(source)]
    if len(values) == 1:
        return values[0]
    if len(values) != 2 or values[0] is None or not values[1]:
        return None
    return values[0] / values[1]


def typical(source: str, records: Sequence[RunRecord]) -> float | None:
    """The median of a source over runs; for the end of runs (``run.failed``) the mean, which is a share."""
    figures = [value for record in records if (value := figure(source, record)) is not None]
    if not figures:
        return None
    return sum(figures) / len(figures) if source in _OF_THE_END else median(figures)


def noise(source: str, baselines: Sequence[BaselineRecord]) -> float:
    """The part of a source's figure that the neighbours can account for: the worst that the baselines saw."""
    worst = 0.0
    for baseline in baselines:
        if same_source(source, WAITING):
            worst = max(worst, baseline.delay_ratio)
        elif source == PRESSURE:
            worst = max(worst, baseline.pressure_cpu or 0.0)
        elif source == RUNNABLE:
            worst = max(worst, baseline.runnable - baseline.cpus)
    return worst


def _parts(source: str) -> list[str]:
    return [part.strip() for part in source.split("/")]


def _value(name: str, record: RunRecord) -> float | None:
    if name in _OF_THE_END:
        return _OF_THE_END[name](record)
    if name not in _NAMES or record.signals is None:
        return None
    return _NAMES[name](record.signals)
