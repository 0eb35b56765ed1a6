"""Follows a process tree through /proc, seldom enough not to disturb what it measures."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass

from lpcl.tune import proc

PERIOD = 0.04
"""Seconds between two samples of an ordinary run: 25 a second."""

FIRST_PERIOD = 0.005
"""Seconds before the first sample; the gaps grow from here to `PERIOD`: a run of 50 ms is seen too."""

LONGEST_PERIOD = 0.25
"""Seconds that a sample may be put off at most, however dear it is."""

COST_SHARE = 0.05
"""The part of one CPU that sampling may take; with thousands of threads the period grows accordingly."""

RUNNABLE_WINDOW = 0.1
"""Seconds over which runnable threads are averaged: the kernel counts a wait only once it is over."""


@dataclass(slots=True)
class _Thread:
    run: int = 0
    delay: int = 0


class Sampler:
    """Sums up what the processes below `root` do, `root` itself left out.

    Call `sample` whenever `next_at` has come, and once more before the last process is reaped.
    """

    def __init__(self, root: int, started: float, proc_root: str = "/proc") -> None:
        """`started` is the run's start on the clock of `time.monotonic`."""
        self._root = root
        self._proc = proc_root
        self._threads: dict[tuple[int, str], _Thread] = {}
        self._run = 0
        self._delay = 0
        self._last = started
        self._window = (started, 0)
        self._gap = FIRST_PERIOD
        self._page = os.sysconf("SC_PAGE_SIZE")
        self.next_at = started + FIRST_PERIOD
        self.samples = 0
        self.longest_gap = 0.0
        self.peak_threads = 0
        self.peak_processes = 0
        self.peak_rss = 0
        self.peak_runnable = 0.0

    @property
    def observed_run_time(self) -> float:
        """CPU seconds of all threads that were ever seen."""
        return self._run / 1e9

    @property
    def run_delay(self) -> float:
        """Seconds that all threads that were ever seen waited for a CPU."""
        return self._delay / 1e9

    def sample(self) -> None:
        """Looks at every thread of the tree once, and sets `next_at`."""
        now = time.monotonic()
        threads = processes = pages = 0
        for pid in proc.descendants(self._proc, self._root):
            directory = f"{self._proc}/{pid}"
            tasks = proc.tasks(directory)
            for task in tasks:
                self._add(pid, task, proc.task_times(directory, task))
            threads += len(tasks)
            processes += bool(tasks)
            pages += proc.resident_pages(directory)
        self.samples += 1
        self.longest_gap = max(self.longest_gap, now - self._last)
        self._last = now
        self.peak_threads = max(self.peak_threads, threads)
        self.peak_processes = max(self.peak_processes, processes)
        self.peak_rss = max(self.peak_rss, pages * self._page)
        self._close_window(now)
        cost = time.monotonic() - now
        self._gap = min(max(min(self._gap * 1.5, PERIOD), cost / COST_SHARE), LONGEST_PERIOD)
        self.next_at = now + cost + self._gap

    def _add(self, pid: int, task: str, times: proc.TaskTimes | None) -> None:
        if times is None:
            return
        seen = self._threads.setdefault((pid, task), _Thread())
        if times.run < seen.run or times.delay < seen.delay:
            seen.run = seen.delay = 0  # the id belongs to a new thread; what the old one used is in the sums
        self._run += times.run - seen.run
        self._delay += times.delay - seen.delay
        seen.run, seen.delay = times.run, times.delay

    def _close_window(self, now: float) -> None:
        start, before = self._window
        busy = self._run + self._delay
        if now - start >= RUNNABLE_WINDOW:
            self.peak_runnable = max(self.peak_runnable, (busy - before) / 1e9 / (now - start))
            self._window = (now, busy)

    def finish(self, wall: float) -> None:
        """Ends the measurement of a run of `wall` seconds; one shorter than a window is a window itself."""
        if self.peak_runnable == 0 and wall > 0:
            self.peak_runnable = (self._run + self._delay) / 1e9 / wall
