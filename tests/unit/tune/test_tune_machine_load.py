"""Pressure, busy CPUs and throttling, as different kernels show them."""

from __future__ import annotations

from pathlib import Path

import pytest

from lpcl.tune.machine_load import machine_load

STAT = """cpu  100 10 50 1000 20 3 4 5 6 7
cpu0 50 5 25 500 10 1 2 3 3 3
cpu1 40 4 20 400 10 1 1 1 3 4
cpu12 7 0 0 1 0 0 0 0 0 0
intr 12 34
"""


def write(root: Path, files: dict[str, str]) -> str:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return str(root)


def test_pressure_and_busy_cpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.sysconf", lambda _: 100)
    root = write(
        tmp_path,
        {
            "proc/pressure/cpu": "some avg10=1.00 avg60=0.00 total=2500000\nfull avg10=0.00 total=7\n",
            "proc/pressure/memory": "some avg10=0.00 avg60=0.00 avg300=0.00 total=0\n",
            "proc/stat": STAT,
        },
    )
    load = machine_load(root, frozenset({0, 12}))
    assert load.pressure == {"cpu": 2.5, "memory": 0.0}
    assert load.busy == pytest.approx((50 + 5 + 25 + 1 + 2 + 3 + 7) / 100)
    assert (load.periods, load.throttled) == (None, None)


def test_a_kernel_that_shows_nothing(tmp_path: Path) -> None:
    load = machine_load(str(tmp_path), frozenset({0}))
    assert (load.pressure, load.busy, load.periods, load.throttled) == ({}, None, None, None)


def test_throttling_of_version_2_is_that_of_the_tightest_group(tmp_path: Path) -> None:
    root = write(
        tmp_path,
        {
            "proc/self/cgroup": "0::/a/b\n",
            "proc/self/mountinfo": "30 25 0:26 / /sys/fs/cgroup rw shared:4 - cgroup2 cgroup2 rw\n",
            "sys/fs/cgroup/cpu.stat": "usage_usec 9\nnr_periods 0\nnr_throttled 0\n",
            "sys/fs/cgroup/a/cpu.stat": "usage_usec 9\nnr_periods 50\nnr_throttled 20\nthrottled_usec 7\n",
            "sys/fs/cgroup/a/b/cpu.stat": "usage_usec 9\nnr_periods 40\nnr_throttled 1\n",
        },
    )
    load = machine_load(root, frozenset({0}))
    assert (load.periods, load.throttled) == (50, 20)


def test_throttling_of_version_1_inside_a_container(tmp_path: Path) -> None:
    root = write(
        tmp_path,
        {
            "proc/self/cgroup": "8:cpu,cpuacct:/docker/x/job\n7:memory:/docker/x\n0::/\n",
            "proc/self/mountinfo": (
                "30 25 0:26 /docker/x /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
                "31 25 0:27 /docker/x /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"
                "32 25 0:28 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n"
                "broken line\n"
            ),
            "sys/fs/cgroup/cpu,cpuacct/job/cpu.stat": "nr_periods 22\nnr_throttled 21\nthrottled_time 5\n",
            "sys/fs/cgroup/cpu,cpuacct/cpu.stat": "nr_periods 0\nnr_throttled 0\n",
            "sys/fs/cgroup/unified/cpu.stat": "usage_usec 1\n",
        },
    )
    load = machine_load(root, frozenset({0}))
    assert (load.periods, load.throttled) == (22, 21)


def test_this_machine_can_be_read() -> None:
    load = machine_load()
    assert load.busy is not None
    assert load.busy > 0
