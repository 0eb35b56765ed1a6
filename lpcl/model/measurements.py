"""What a signal's source can measure of a running program, by the first part of its name."""

from __future__ import annotations

from lpcl.model.types import COUNT, DURATION, SHARE, SIZE, Type

MEASUREMENTS: dict[str, dict[str, Type]] = {
    "process": {
        "wall": DURATION,
        "run_time": DURATION,
        "run_delay": DURATION,
        "runnable": COUNT,
        "threads": COUNT,
        "processes": COUNT,
        "rss": SIZE,
        "voluntary_switches": COUNT,
        "involuntary_switches": COUNT,
        "faults": COUNT,
    },
    "cgroup": {
        "throttled_share": SHARE,
    },
    "pressure": {
        "cpu": SHARE,
        "memory": SHARE,
        "io": SHARE,
    },
}
"""`process.*` is over the program's process tree, `pressure.*` the share of time in which some task
waited.
"""
