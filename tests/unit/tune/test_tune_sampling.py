"""What is seen of process trees: exact sums where the kernel keeps them, honest samples elsewhere."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

from lpcl.tune import proc
from lpcl.tune.runner import RunOutcome
from lpcl.tune.sampling import COST_SHARE, LONGEST_PERIOD, PERIOD, Sampler

RunPython = Callable[..., RunOutcome]


def test_a_sleeper_uses_no_cpu_and_a_spinner_does(run_python: RunPython) -> None:
    sleeper = run_python("import time; time.sleep(0.4)").signals
    spinner = run_python(
        "import time\nend = time.process_time() + 0.4\nwhile time.process_time() < end: pass"
    ).signals
    assert sleeper is not None
    assert spinner is not None
    assert sleeper.run_time < 0.3 < 0.4 <= spinner.run_time
    assert sleeper.wall >= 0.4
    assert spinner.observed_run_time > 0.35
    assert spinner.coverage > 0.8
    assert spinner.peak_threads == spinner.peak_processes == 1
    assert spinner.peak_runnable > 0.3


def test_cpu_time_of_processes_that_live_between_samples_is_not_lost(run_python: RunPython) -> None:
    seen = run_python(
        "import os, time\n"
        "for _ in range(40):\n"
        "    if os.fork() == 0:\n"
        "        end = time.process_time() + 0.01\n"
        "        while time.process_time() < end: pass\n"
        "        os._exit(0)\n"
        "    os.wait()"
    ).signals
    assert seen is not None
    assert seen.run_time >= 0.4
    assert seen.observed_run_time <= seen.run_time * 1.01
    assert 0 <= seen.coverage <= 1


def test_threads_and_processes_are_counted(run_python: RunPython) -> None:
    seen = run_python(
        "import os, threading, time\n"
        "for _ in range(2):\n"
        "    if os.fork() == 0: break\n"
        "threads = [threading.Thread(target=time.sleep, args=(0.5,)) for _ in range(9)]\n"
        "[t.start() for t in threads]; [t.join() for t in threads]"
    ).signals
    assert seen is not None
    assert seen.peak_processes == 3
    assert seen.peak_threads == 30


def test_hundreds_of_threads_are_seen_and_sampled_less_often(run_python: RunPython) -> None:
    seen = run_python(
        "import threading, time\nthreading.stack_size(65536)\n"
        "threads = [threading.Thread(target=time.sleep, args=(1.5,)) for _ in range(600)]\n"
        "[t.start() for t in threads]; [t.join() for t in threads]"
    ).signals
    assert seen is not None
    assert seen.peak_threads == 601
    assert seen.samples >= 3


def test_memory_and_switches(run_python: RunPython) -> None:
    seen = run_python(
        "import os, time\nheld = bytearray(os.urandom(1)) * (64 << 20)\nfor _ in range(50): time.sleep(0.002)"
    ).signals
    assert seen is not None
    assert seen.peak_rss >= 64 << 20
    assert seen.voluntary_switches >= 50


def test_a_run_shorter_than_a_sample_is_seen(run_python: RunPython) -> None:
    seen = run_python("import os; os._exit(0)").signals
    assert seen is not None
    assert seen.samples >= 1
    assert seen.run_time > 0
    assert seen.observed_run_time > 0


def test_more_spinners_than_cpus_wait(run_python: RunPython) -> None:
    cpus = len(os.sched_getaffinity(0))
    seen = run_python(
        "import os, time\n"
        f"for _ in range({3 * cpus - 1}):\n"
        "    if os.fork() == 0: break\n"
        "else:\n    pass\n"
        "end = time.monotonic() + 0.8\n"
        "while time.monotonic() < end: pass\n"
        "try:\n    while True: os.wait()\n"
        "except ChildProcessError: pass"
    ).signals
    assert seen is not None
    assert seen.run_delay / seen.observed_run_time > 0.5
    assert seen.peak_runnable > 2 * cpus


def fake_process(folder: Path, pid: int, tasks: dict[int, tuple[int, int]], children: str = "") -> None:
    """Writes what /proc shows of a process."""
    for task, (run, delay) in tasks.items():
        directory = folder / str(pid) / "task" / str(task)
        directory.mkdir(parents=True, exist_ok=True)
        (directory / "schedstat").write_text(f"{run} {delay} 1\n")
        (directory / "children").write_text(children if task == pid else "")
    (folder / str(pid) / "statm").write_text("100 50 0 0 0 0 0\n")


def test_sums_grow_by_what_is_new_and_keep_what_has_ended(tmp_path: Path) -> None:
    sampler = Sampler(1, time.monotonic(), str(tmp_path))
    fake_process(tmp_path, 1, {1: (10**12, 10**12)}, "2 3 ")
    fake_process(tmp_path, 2, {2: (10**9, 5 * 10**8), 20: (10**9, 0)})
    fake_process(tmp_path, 3, {3: (10**9, 0)})
    sampler.sample()
    assert (sampler.observed_run_time, sampler.run_delay) == (3.0, 0.5)
    assert (sampler.peak_threads, sampler.peak_processes) == (3, 2)
    assert sampler.peak_rss == 2 * 50 * os.sysconf("SC_PAGE_SIZE")
    fake_process(tmp_path, 1, {1: (10**12, 10**12)}, "2 4 ")  # 3 has ended
    fake_process(tmp_path, 2, {2: (2 * 10**9, 5 * 10**8), 20: (10**8, 10**8)})  # 20 is another thread now
    sampler.sample()
    assert (sampler.observed_run_time, sampler.run_delay) == (4.1, 0.6)
    assert sampler.peak_threads == 3


def test_a_dear_sample_puts_the_next_one_off(tmp_path: Path) -> None:
    fake_process(tmp_path, 1, {1: (0, 0)}, "".join(f"{pid} " for pid in range(2, 402)))
    for pid in range(2, 402):
        fake_process(tmp_path, pid, {pid: (1, 1)})
    sampler = Sampler(1, time.monotonic(), str(tmp_path))
    gaps = []
    for _ in range(10):
        before = time.monotonic()
        sampler.sample()
        after = time.monotonic()
        gaps.append((sampler.next_at - after, after - before))
    for gap, cost in gaps:
        assert gap <= LONGEST_PERIOD
        assert gap >= min(LONGEST_PERIOD, 0.5 * cost / COST_SHARE) - 0.01
    assert gaps[-1][0] >= PERIOD * 0.5
    assert sampler.peak_threads == 400


def test_processes_that_form_a_ring_do_not_hold_it_up(tmp_path: Path) -> None:
    fake_process(tmp_path, 1, {1: (0, 0)}, "2")
    fake_process(tmp_path, 2, {2: (0, 0)}, "3")
    fake_process(tmp_path, 3, {3: (0, 0)}, "2 1 9")
    assert sorted(proc.descendants(str(tmp_path), 1)) == [2, 3, 9]


def test_what_has_ended_is_not_there(tmp_path: Path) -> None:
    assert proc.read_bytes(str(tmp_path / "none")) is None
    assert proc.read_bytes(str(tmp_path)) is None
    assert proc.tasks(str(tmp_path)) == []
    assert proc.task_times(str(tmp_path), "1") is None
    assert proc.resident_pages(str(tmp_path)) == 0
