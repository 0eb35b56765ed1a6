"""Runs one command in a process of its own that adopts all of the command's descendants.

Linux hands the orphans of a process tree to the nearest "child subreaper". The supervisor is one: even
children that were forked twice and left group and session stay below it, so it can see them, end them, and
know when none is left; and the kernel's accounts of its children cover the whole tree. It reads its orders as
JSON from standard input and writes what happened as JSON to standard output. `lpcl.tune.runner` is the other
end.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import signal
import sys
import time
from dataclasses import dataclass
from typing import Any

from lpcl.tune import proc
from lpcl.tune.machine_load import PRESSURES, MachineLoad, machine_load
from lpcl.tune.output import BoundedLog
from lpcl.tune.sampling import Sampler
from lpcl.tune.signals import RunSignals

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36

HELPERS_MAY_END = 1.0
"""Seconds that processes left behind by the command get to end by themselves before they are told to."""

TERMINATE = 2.0
"""Seconds between the polite signal and the last one."""

GIVE_UP = 20.0
"""Seconds after which a process that SIGKILL does not end is left: it hangs in the kernel."""

_IGNORED_BY_PYTHON = (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT)


@dataclass(slots=True)
class _Tree:
    """The command's process and what became of it."""

    main: int
    status: int | None = None

    def reap(self) -> bool:
        """Collects what has ended; false once no child is left at all."""
        while True:
            try:
                pid, status, _ = os.wait4(-1, os.WNOHANG)
            except ChildProcessError:
                return False
            if pid == 0:
                return True
            if pid == self.main:
                self.status = status

    def main_has_ended(self) -> bool:
        """Whether the command's own process has ended; it is not collected, its figures stay readable."""
        return os.waitid(os.P_PID, self.main, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

    def signal(self, number: int) -> int:
        """Sends a signal to every process of the tree and returns how many there were."""
        count = 0
        for pid in proc.descendants("/proc", os.getpid()):
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                continue
            count += 1
        return count

    def ends_within(self, seconds: float) -> bool:
        """Waits until no process of the tree is left, `seconds` at most; says whether that came about."""
        deadline = time.monotonic() + seconds
        while self.reap():
            if time.monotonic() >= deadline:
                return False
            time.sleep(0.005)
        return True

    def end(self, politely: bool) -> int:
        """Ends every process of the tree; returns how many could not be ended."""
        if politely:
            self.signal(signal.SIGTERM)
            if self.ends_within(TERMINATE):
                return 0
        deadline = time.monotonic() + GIVE_UP
        while True:
            left = self.signal(signal.SIGKILL)
            if self.ends_within(0.05):
                return 0
            if time.monotonic() >= deadline:
                return left


def main() -> None:
    """Carries out the orders on standard input."""
    orders = json.load(sys.stdin)
    prctl = ctypes.CDLL(None).prctl
    prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD, signal.SIGTERM})
    prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    if os.getppid() != orders["parent"]:
        return  # the tuner is gone already, and nobody would read the answer
    hard = resource.getrlimit(resource.RLIMIT_CORE)[1]
    resource.setrlimit(resource.RLIMIT_CORE, (0, hard))
    json.dump(_run(orders), sys.stdout)


def _run(orders: dict[str, Any]) -> dict[str, Any]:
    try:
        logs = [BoundedLog(orders["stdout"]), BoundedLog(orders["stderr"])]
    except OSError as error:
        return {"outcome": "unstartable", "reason": f"its output cannot be kept: {error.strerror}"}
    before = machine_load()
    own_before = time.process_time()
    started = time.monotonic()
    try:
        tree = _Tree(_spawn(orders))
    except OSError as error:
        return {"outcome": "unstartable", "reason": error.strerror or str(error)}
    sampler = Sampler(os.getpid(), started)
    outcome = _follow(tree, sampler, logs, started, orders["limit"])
    wall = time.monotonic() - started
    sampler.sample()
    sampler.finish(wall)
    after = machine_load()
    own = time.process_time() - own_before
    leftovers, stuck = _clear_up(tree, outcome)
    for log in logs:
        log.close()
    return {
        "outcome": outcome,
        "status": tree.status,
        "wall": wall,
        "leftovers": leftovers,
        "stuck": stuck,
        "signals": _signals(sampler, wall, before, after, own).to_json(),
    }


def _spawn(orders: dict[str, Any]) -> int:
    """Starts the command in a session of its own, with nothing to read. Raises OSError."""
    os.chdir(orders["cwd"])
    append = os.O_WRONLY | os.O_APPEND
    return os.posix_spawn(
        orders["executable"],
        orders["argv"],
        orders["env"],
        file_actions=[
            (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_OPEN, 1, orders["stdout"], append, 0),
            (os.POSIX_SPAWN_OPEN, 2, orders["stderr"], append, 0),
        ],
        setsid=True,
        setsigmask=[],
        setsigdef=list(_IGNORED_BY_PYTHON),
    )


def _follow(tree: _Tree, sampler: Sampler, logs: list[BoundedLog], started: float, limit: float) -> str:
    """Samples until the command ends, its time is up, or this process is told to stop."""
    deadline = started + limit
    while True:
        now = time.monotonic()
        if now >= deadline:
            return "timed_out"
        received = signal.sigtimedwait(
            {signal.SIGCHLD, signal.SIGTERM}, max(0.0, min(sampler.next_at, deadline) - now)
        )
        if received is not None and received.si_signo == signal.SIGTERM:
            return "aborted"
        if tree.main_has_ended():
            return "exited"
        if time.monotonic() >= sampler.next_at:
            sampler.sample()
            for log in logs:
                log.check()


def _clear_up(tree: _Tree, outcome: str) -> tuple[int, int]:
    """Ends what is left of the tree; returns how many processes were left behind, and how many are stuck."""
    leftovers = 0
    if outcome == "exited":
        if tree.ends_within(HELPERS_MAY_END):
            return 0, 0
        leftovers = sum(1 for _ in proc.descendants("/proc", os.getpid()))
    return leftovers, tree.end(politely=outcome != "aborted")


def _signals(
    sampler: Sampler, wall: float, before: MachineLoad, after: MachineLoad, own: float
) -> RunSignals:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    run_time = max(used.ru_utime + used.ru_stime, sampler.observed_run_time)
    pressure = {
        f"pressure_{name}": min(1.0, (after.pressure[name] - before.pressure[name]) / wall)
        if name in before.pressure and name in after.pressure
        else None
        for name in PRESSURES
    }
    other = None
    if before.busy is not None and after.busy is not None:
        other = max(0.0, after.busy - before.busy - run_time - own) / wall
    throttled = None
    if before.periods is not None and after.periods is not None:
        periods = after.periods - before.periods
        throttled = ((after.throttled or 0) - (before.throttled or 0)) / periods if periods > 0 else 0.0
    return RunSignals(
        wall=wall,
        run_time=run_time,
        voluntary_switches=used.ru_nvcsw,
        involuntary_switches=used.ru_nivcsw,
        observed_run_time=sampler.observed_run_time,
        run_delay=sampler.run_delay,
        peak_threads=sampler.peak_threads,
        peak_processes=sampler.peak_processes,
        peak_rss=max(sampler.peak_rss, used.ru_maxrss * 1024),
        peak_runnable=sampler.peak_runnable,
        samples=sampler.samples,
        longest_gap=sampler.longest_gap,
        throttled_share=throttled,
        other_cpus=other,
        **pressure,
    )
