"""What was seen of a run from outside: the figures that hypotheses are tested against."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class RunSignals:
    """Figures of the process tree of a run; times in seconds, memory in bytes, shares from 0 to 1.

    Exact, because the kernel adds them up when processes are reaped:
    - `run_time`: CPU time of all processes.
    - `voluntary_switches`, `involuntary_switches`: of all threads.

    Sampled; threads that lived between two samples are not in them:
    - `observed_run_time`, `run_delay`: CPU time, and time spent runnable but waiting for a CPU, of the
      threads seen.
    - `peak_threads`, `peak_processes`: the most at one sample. `peak_rss`: the largest sum over the
      processes, pages that they share counted in each.
    - `peak_runnable`: the most threads that ran or waited for a CPU, as a mean over about a tenth of a
      second.
    - `samples`, `longest_gap`: how many there were, and the longest time without one.

    Of the whole machine or the control group, between start and end of the run; None where the kernel does
    not say:
    - `pressure_cpu`, `pressure_memory`, `pressure_io`: share of the time in which some task waited for it.
    - `throttled_share`: share of the control group's periods that were throttled.
    - `other_cpus`: CPUs kept busy by anything but the run, of those that the tuner may use.
    """

    wall: float
    run_time: float
    voluntary_switches: int
    involuntary_switches: int
    observed_run_time: float
    run_delay: float
    peak_threads: int
    peak_processes: int
    peak_rss: int
    peak_runnable: float
    samples: int
    longest_gap: float
    pressure_cpu: float | None = None
    pressure_memory: float | None = None
    pressure_io: float | None = None
    throttled_share: float | None = None
    other_cpus: float | None = None

    @property
    def coverage(self) -> float:
        """The share of the CPU time that belongs to threads that were seen, at most 1."""
        return min(1.0, self.observed_run_time / self.run_time) if self.run_time > 0 else 1.0

    def to_json(self) -> dict[str, Any]:
        """The figures under their own names."""
        return asdict(self)

    @staticmethod
    def from_json(document: dict[str, Any]) -> RunSignals:
        """The figures of a document that `to_json` made. Raises TypeError where names do not fit."""
        return RunSignals(**document)
