"""Runs the application's command once and returns what became of it, whatever that is."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import lpcl
from lpcl.tune import output, proc
from lpcl.tune.signals import RunSignals

MARK = "LPCL_RUN"
"""An environment variable that every process of a run inherits; its value is the run's own."""

RunEnd = Literal["ok", "crashed", "timed_out", "unstartable"]


@dataclass(frozen=True, slots=True)
class RunSpec:
    """One run: what to start, with which environment, where, how long at most, and where its output goes.

    `executable` is the path of the program, `argv` its arguments with the name by which it was called first.
    """

    executable: str
    argv: tuple[str, ...]
    env: Mapping[str, str]
    cwd: Path
    limit: float
    stdout: Path
    stderr: Path


@dataclass(frozen=True, slots=True)
class RunOutcome:
    """What became of a run.

    - `end`: ``ok`` (exit code 0), ``crashed`` (another code or a signal), ``timed_out``, or ``unstartable``.
    - `exit_code`: the command's exit code; None where a signal ended it or it never started.
    - `signal`: the name of the signal that ended it by itself (``SIGABRT``), or None.
    - `wall`: seconds from its start to its end, or to the time limit.
    - `signals`: what was seen; None where it never started or its supervisor was lost.
    - `stdout_tail`, `stderr_tail`: the last lines that it printed.
    - `leftovers`: processes that were still there a second after the command's end, and were ended.
    - `note`: anything else that a person should know.
    """

    end: RunEnd
    exit_code: int | None
    signal: str | None
    wall: float
    signals: RunSignals | None
    stdout_tail: str
    stderr_tail: str
    leftovers: int = 0
    note: str = ""


def supported() -> str | None:
    """Why runs cannot be supervised on this system, or None where they can."""
    if not sys.platform.startswith("linux"):
        return f"the tuner reads Linux's /proc; this is {sys.platform}"
    if proc.task_times("/proc/self", str(os.getpid())) is None:
        return "/proc shows no scheduler statistics (schedstat) of threads"
    if proc.read_bytes(f"/proc/self/task/{os.getpid()}/children") is None:
        return "/proc shows no children of threads (the kernel was built without CONFIG_PROC_CHILDREN)"
    return None


def run(spec: RunSpec) -> RunOutcome:
    """Runs a command to its end and ends every process that it started.

    An exception that arrives meanwhile (KeyboardInterrupt) ends the whole process tree before it goes on.
    """
    mark = uuid.uuid4().hex
    orders = {
        "executable": spec.executable,
        "argv": list(spec.argv),
        "env": {**spec.env, MARK: mark},
        "cwd": str(spec.cwd.absolute()),
        "stdout": str(spec.stdout.absolute()),
        "stderr": str(spec.stderr.absolute()),
        "limit": spec.limit,
        "parent": os.getpid(),
    }
    answer = _supervise(json.dumps(orders), mark)
    if answer is None:
        _sweep(mark)
    return _outcome(answer, spec)


def _supervise(orders: str, mark: str) -> dict[str, Any] | None:
    """The supervisor's answer; None where it died without one."""
    root = str(Path(lpcl.__file__).parent.parent)
    start = f"import sys; sys.path.insert(0, {root!r}); from lpcl.tune.supervisor import main; main()"
    supervisor = subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", start],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        cwd="/",
    )
    try:
        printed, complaint = supervisor.communicate(orders.encode())
    except BaseException:
        _stop(supervisor, mark)
        raise
    try:
        answer = json.loads(printed)
    except ValueError:
        answer = None
    if not isinstance(answer, dict) and complaint:
        raise RuntimeError(f"the supervisor of a run failed: {complaint.decode(errors='replace')}")
    return answer if isinstance(answer, dict) else None


def _stop(supervisor: subprocess.Popen[bytes], mark: str) -> None:
    """Lets the supervisor end its tree; further interruptions wait until that is done."""
    while True:
        with suppress(KeyboardInterrupt):
            supervisor.terminate()
            try:
                supervisor.wait(timeout=25)
            except subprocess.TimeoutExpired:
                supervisor.kill()
                supervisor.wait()
                _sweep(mark)
            return


def _sweep(mark: str) -> None:
    """Ends every process whose environment carries the mark: for when the supervisor could not do it."""
    wanted = f"{MARK}={mark}".encode()
    for _ in range(50):
        found = False
        for entry in os.listdir("/proc"):
            if entry.isdigit() and wanted in (proc.read_bytes(f"/proc/{entry}/environ") or b"").split(b"\0"):
                found = True
                with suppress(ProcessLookupError, PermissionError):
                    os.kill(int(entry), signal.SIGKILL)
        if not found:
            return
        time.sleep(0.02)


def _outcome(answer: dict[str, Any] | None, spec: RunSpec) -> RunOutcome:
    tails = (output.tail(spec.stdout), output.tail(spec.stderr))
    if answer is None:
        return RunOutcome("crashed", None, "SIGKILL", 0.0, None, *tails, note="its supervisor was killed too")
    if answer["outcome"] == "unstartable":
        return RunOutcome("unstartable", None, None, 0.0, None, *tails, note=answer["reason"])
    exit_code, signal_name = _status(answer["status"]) if answer["outcome"] == "exited" else (None, None)
    end: RunEnd = "timed_out" if answer["outcome"] == "timed_out" else "ok" if exit_code == 0 else "crashed"
    stuck = answer["stuck"]
    return RunOutcome(
        end=end,
        exit_code=exit_code,
        signal=signal_name,
        wall=answer["wall"],
        signals=RunSignals.from_json(answer["signals"]),
        stdout_tail=tails[0],
        stderr_tail=tails[1],
        leftovers=answer["leftovers"],
        note=f"{stuck} of its processes could not be ended" if stuck else "",
    )


def _status(status: int | None) -> tuple[int | None, str | None]:
    if status is None:
        return None, None
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        try:
            return None, signal.Signals(number).name
        except ValueError:
            return None, f"signal {number}"
    return os.WEXITSTATUS(status), None
