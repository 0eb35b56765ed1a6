"""Measures how noisy the machine is: how long an innocent program that fills the CPUs waits for them."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from lpcl.tune.records import BaselineRecord
from lpcl.tune.runner import RunSpec, run
from lpcl.tune.store import now

SECONDS = 0.5
_LIMIT = 30.0

_PROGRAM = """
import hashlib, sys, threading, time
data = bytes(4 << 20)
end = time.monotonic() + float(sys.argv[2])
def work():
    while time.monotonic() < end:
        hashlib.sha256(data)
threads = [threading.Thread(target=work) for _ in range(int(sys.argv[1]))]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""


def measure_baseline(cpus: int, folder: Path) -> BaselineRecord | None:
    """Runs one thread on each of `cpus` CPUs for half a second; None where that could not be measured.

    The threads compute hashes, for which Python lets them run at the same time.
    """
    started = now()
    outcome = run(
        RunSpec(
            executable=sys.executable,
            argv=("baseline", "-I", "-S", "-c", _PROGRAM, str(cpus), str(SECONDS)),
            env={name: value for name, value in os.environ.items() if not name.startswith("PYTHON")},
            cwd=folder,
            limit=_LIMIT,
            stdout=folder / "baseline.out",
            stderr=folder / "baseline.err",
        )
    )
    seen = outcome.signals
    if outcome.end != "ok" or seen is None or seen.observed_run_time <= 0:
        return None
    return BaselineRecord(
        delay_ratio=seen.run_delay / seen.observed_run_time,
        runnable=seen.peak_runnable,
        pressure_cpu=seen.pressure_cpu,
        other_cpus=seen.other_cpus,
        cpus=cpus,
        started=started,
    )
