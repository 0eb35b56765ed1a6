"""Real programs, held at their busiest place while the threads of all their processes are counted."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

HOLD = '''
"""Keeps executors where they are until the file `leave` appears."""
import os, time, uuid

FOLDER = os.environ["HOLD_FOLDER"]


def hold(n, *ignored):
    """Stay here; when `n` executors do, say that the program is at its busiest."""
    open(os.path.join(FOLDER, "at-" + uuid.uuid4().hex), "w").close()
    while not os.path.exists(os.path.join(FOLDER, "leave")):
        if sum(name.startswith("at-") for name in os.listdir(FOLDER)) >= n:
            open(os.path.join(FOLDER, "ready"), "w").close()
        time.sleep(0.05)
    return 0
'''

MEDDLING = (
    "OMP_",
    "GOMP_",
    "KMP_",
    "OPENBLAS_",
    "GOTO_",
    "MKL_",
    "BLIS_",
    "NUMBA_",
    "NUMEXPR_",
    "PYFFTW_",
    "BLOSC_",
    "ZARR_",
    "LOKY_",
    "JOBLIB_",
    "PYTHON",
)
"""Beginnings of variables that would change what a program does."""

PATIENCE = 60.0
"""Seconds that a program may take to its busiest place."""

AWAITED, OTHER = 0.2, 3.0
"""Seconds for which a count must stay the same."""


def threads_at_busiest(
    program: str, folder: Path, variables: Mapping[str, str], cpus: int | None, awaited: int
) -> int:
    """Run a program in an empty folder, on `cpus` CPUs where that is said, and count the threads of its
    process tree while all its executors are held.

    Helpers may still be starting then: the count is taken again until it stays at what is `awaited`, or
    anywhere else for much longer.
    """
    folder.joinpath("hold.py").write_text(HOLD, encoding="utf-8")
    folder.joinpath("program.py").write_text(program, encoding="utf-8")
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(MEDDLING) and not name.endswith("_NUM_THREADS")
    }
    environment |= {"HOLD_FOLDER": str(folder), "PYTHONPATH": str(folder), **variables}
    errors = folder / "errors"
    mask = os.sched_getaffinity(0)
    if cpus is not None:
        os.sched_setaffinity(0, sorted(mask)[:cpus])  # the program inherits it
    try:
        with errors.open("wb") as stream:
            started = subprocess.Popen(
                [sys.executable, "program.py"],
                cwd=folder,
                env=environment,
                stdout=stream,
                stderr=stream,
                start_new_session=True,
            )
    finally:
        os.sched_setaffinity(0, mask)
    try:
        end = time.monotonic() + PATIENCE
        while not folder.joinpath("ready").exists():
            if started.poll() is not None or time.monotonic() > end:
                raise AssertionError(
                    "the program never was ready:\n" + errors.read_text(errors="replace")[-3000:]
                )
            time.sleep(0.02)
        return _settled(started.pid, awaited)
    finally:
        folder.joinpath("leave").touch()
        with suppress(subprocess.TimeoutExpired):
            started.wait(15)
        with suppress(ProcessLookupError):
            os.killpg(started.pid, signal.SIGKILL)
        started.wait()


def _settled(pid: int, awaited: int) -> int:
    last, since = -1, 0.0
    while True:
        found, now = threads_of_tree(pid), time.monotonic()
        if found != last:
            last, since = found, now
        if now - since > (AWAITED if found == awaited else OTHER):
            return found
        time.sleep(0.03)


def threads_of_tree(pid: int) -> int:
    """The threads of a process and of all that descend from it, as /proc shows them."""
    children: dict[int, list[int]] = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                status = Path("/proc", entry, "stat").read_text(errors="replace")
            except OSError:
                continue
            parent = int(status.rpartition(")")[2].split()[1])
            children.setdefault(parent, []).append(int(entry))
    total, waiting = 0, [pid]
    while waiting:
        one = waiting.pop()
        waiting += children.get(one, [])
        try:
            total += len(os.listdir(f"/proc/{one}/task"))
        except OSError:
            continue
    return total
