"""What a signal's source can measure of a running program, by the first part of its name."""

from __future__ import annotations

from lpcl.model.types import COUNT, DURATION, SHARE, SIZE, Type

MEASUREMENTS: dict[str, dict[str, Type]] = {
    "process": {
        "run_time": DURATION,
        "run_delay": DURATION,
        "threads": COUNT,
        "rss": SIZE,
        "voluntary_switches": COUNT,
        "involuntary_switches": COUNT,
        "faults": COUNT,
    },
    "cgroup": {
        "throttled_share": SHARE,
        "throttled_time": DURATION,
        "memory": SIZE,
    },
    "pressure": {
        "cpu": SHARE,
        "memory": SHARE,
        "io": SHARE,
    },
}
"""`process.*` is the sum over the program's process tree, `pressure.*` the share of time in which some task waited."""
