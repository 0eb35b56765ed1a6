"""Starts the user's command, or finds a running process, and watches it until it ends.

The command keeps the terminal, standard input, output and error of this process, and stays in its process
group: it behaves as it would alone. Signals that the terminal sends reach both; this process survives them
and waits for the command to end. Orphans of the command become children of this process and stay in sight.
"""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from lpcl.model.host import HostFacts, read_host
from lpcl.scan.observation import Observation
from lpcl.scan.sampling import Sampler
from lpcl.tune import proc

_PR_SET_CHILD_SUBREAPER = 36
_STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

TERMINATE = 3.0
"""Seconds between the polite signal to a command whose time is up and the last one."""

_PATIENCE = 2.0
"""Seconds that processes left behind by an ended command are still watched, where no duration is given."""


class Unwatchable(Exception):
    """A command that cannot be started, or a process that cannot be watched; the text says why.

    `status` is the exit status that says so, as shells have it: 127 there is no such command, 126 it cannot
    be run, 2 for a process.
    """

    def __init__(self, reason: str, status: int = 2) -> None:
        super().__init__(reason)
        self.status = status


@dataclass(slots=True)
class _Asked:
    """What signals have asked for so far."""

    stops: int = 0


def watch_command(
    command: Sequence[str], wanted: frozenset[str], interval: float, duration: float | None
) -> Observation:
    """Run a command and watch its process tree. Raises `Unwatchable`.

    After `duration` seconds the command is told to end. A second signal to stop does so too, a third ends
    it at once.
    """
    host = read_host()
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    with _stoppable() as asked:
        started = time.monotonic()
        try:
            main = subprocess.Popen(command)
        except FileNotFoundError:
            raise Unwatchable(f"there is no command '{command[0]}'", 127) from None
        except (OSError, subprocess.SubprocessError) as fault:
            reason = getattr(fault, "strerror", None) or str(fault)
            raise Unwatchable(f"'{command[0]}' cannot be run: {reason}", 126) from None
        sampler = Sampler(os.getpid(), wanted, interval)
        deadline = None if duration is None else started + duration
        limits = _Limits(main.pid, host)
        ended = _follow(sampler, asked, 2, deadline, lambda: limits.look() or _has_ended(main.pid))
        if ended == "ended":
            _reap(main)
            ended = _follow_orphans(sampler, asked, deadline or time.monotonic() + _PATIENCE)
        if ended in ("duration", "interrupted") and main.returncode is None:
            _end(main, asked)
        left = sum(1 for _ in proc.descendants("/proc", os.getpid()))
        status = main.returncode
    found = sampler.observation(ended, status, limits.host, host)
    if found is None:
        raise Unwatchable(
            "the command ended before anything of it could be seen, and nothing was written",
            _shell_status(status),
        )
    # A command that was ended because its time was up has done what was wanted of it.
    return replace(found, left_running=left, status=0 if ended == "duration" else _shell_status(status))


def watch_process(pid: int, wanted: frozenset[str], interval: float, duration: float | None) -> Observation:
    """Watch a running process and what descends from it. Raises `Unwatchable`."""
    directory = f"/proc/{pid}"
    if not os.path.isdir(directory):
        raise Unwatchable(f"there is no process {pid}")
    if not os.access(f"{directory}/maps", os.R_OK) or not _readable(f"{directory}/environ"):
        raise Unwatchable(
            f"process {pid} may not be looked at: it is another user's (run lpclc as that user, or as root)"
        )
    with _stoppable() as asked:
        sampler = Sampler(pid, wanted, interval, inclusive=True)
        deadline = None if duration is None else time.monotonic() + duration
        host = read_host(process=str(pid))
        ended = _follow(sampler, asked, 1, deadline, lambda: not _lives(pid))
    found = sampler.observation(ended, None, host, read_host())
    if found is None:
        raise Unwatchable(f"process {pid} ended before anything of it could be seen")
    return found


@dataclass(slots=True)
class _Limits:
    """The machine as the command's own process may use it, read once it has had time to become what it is."""

    pid: int
    host: HostFacts
    due: float = field(default_factory=lambda: time.monotonic() + 0.3)

    def look(self) -> bool:
        if self.due and time.monotonic() >= self.due and _lives(self.pid):
            self.due, self.host = 0.0, read_host(process=str(self.pid))
        return False


def _follow(
    sampler: Sampler, asked: _Asked, stops: int, deadline: float | None, over: Callable[[], bool]
) -> str:
    """Sample until it is over, the time is up, or as many signals to stop as are heeded have come."""
    while True:
        now = time.monotonic()
        if deadline is not None and now >= deadline:
            return "duration"
        if sampler.samples and over():
            return "ended"
        if asked.stops >= stops:
            return "interrupted"
        if now >= sampler.next_at:
            sampler.sample()
        wake = min(sampler.next_at, deadline or sampler.next_at)
        time.sleep(max(0.0005, min(wake - time.monotonic(), 0.05)))


def _follow_orphans(sampler: Sampler, asked: _Asked, deadline: float) -> str:
    """Watch what an ended command has left behind, until it ends too."""
    while True:
        _reap_orphans()
        if not proc.children(f"/proc/{os.getpid()}"):
            return "ended"
        if asked.stops > 1 or time.monotonic() >= deadline:
            return "left"
        if time.monotonic() >= sampler.next_at:
            sampler.sample()
        time.sleep(0.005)


def _end(main: subprocess.Popen[bytes], asked: _Asked) -> None:
    """End a command whose time is up, and what it has started: politely first."""
    _signal_tree(signal.SIGTERM)
    limit = time.monotonic() + TERMINATE
    while True:
        if _has_ended(main.pid):
            break
        if time.monotonic() >= limit or asked.stops > 2:
            _signal_tree(signal.SIGKILL)
            break
        time.sleep(0.01)
    _reap(main)
    until = time.monotonic() + TERMINATE
    while proc.children(f"/proc/{os.getpid()}") and time.monotonic() < until:
        _reap_orphans()
        time.sleep(0.01)
    _signal_tree(signal.SIGKILL)


def _signal_tree(number: int) -> None:
    for pid in list(proc.descendants("/proc", os.getpid())):
        try:
            os.kill(pid, number)
        except (ProcessLookupError, PermissionError):
            continue  # it has ended, or has become another user's


def _reap(main: subprocess.Popen[bytes]) -> None:
    main.wait()


def _reap_orphans() -> None:
    while True:
        try:
            pid, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if pid == 0:
            return


def _has_ended(pid: int) -> bool:
    """Whether a child has ended; it is not collected, so that its number stays its own."""
    try:
        return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    except ChildProcessError:
        return True


def _lives(pid: int) -> bool:
    data = proc.read_bytes(f"/proc/{pid}/stat") or b""
    state = data.rpartition(b")")[2].split()[:1]
    return bool(state) and state[0] not in (b"Z", b"X")


def _readable(path: str) -> bool:
    try:
        Path(path).read_bytes()
    except PermissionError:
        return False
    except OSError:
        return True  # it has ended: the watch will say so
    return True


def _shell_status(status: int | None) -> int:
    """An exit status as a shell shows it: 128 and the signal's number for a command that one ended."""
    if status is None:
        return 0
    return 128 - status if status < 0 else status


@contextmanager
def _stoppable() -> Iterator[_Asked]:
    """Count signals to stop instead of ending, and hand on to the command those that it does not get itself.

    One that is ignored when lpclc starts (`nohup`) stays so, for the command too.
    """
    asked = _Asked()

    def count(number: int, _: object) -> None:
        asked.stops += 1
        if number != signal.SIGINT or asked.stops > 1:
            _signal_children(number)

    heeded = [number for number in _STOPS if signal.getsignal(number) is not signal.SIG_IGN]
    before = {number: signal.signal(number, count) for number in heeded}
    try:
        yield asked
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _signal_children(number: int) -> None:
    for pid in proc.children(f"/proc/{os.getpid()}"):
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            continue
