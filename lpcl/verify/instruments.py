"""What the code of an experiment can measure with. It runs in its process and imports nothing of LPCL.

Threads are those that the kernel counts for this process, whatever library made them.
"""

from __future__ import annotations

import os
import signal
import statistics
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

PATIENCE = 10
"""Seconds in which a forked child has to come back."""


def tasks() -> int:
    """Threads that exist in this process, its main one included."""
    return len(os.listdir("/proc/self/task"))


def at_work(call: Callable[[], Any], callers: int = 1, seconds: float = 0.8, share: float = 0.5) -> int:
    """Threads that run or could run at the same time while so many callers call again and again.

    `share` is the quantile of what is seen: 0.5 is the median, 0.9 what is reached in a tenth of the time.
    """
    call()
    with _calling(call, callers):
        time.sleep(min(0.2, seconds / 4))
        seen = []
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            seen.append(_running())
            time.sleep(0.004)
    return sorted(seen)[min(len(seen) - 1, int(share * len(seen)))]


@contextmanager
def _calling(call: Callable[[], Any], callers: int) -> Iterator[None]:
    """Meanwhile so many callers, each a thread, call again and again; they are gone afterwards."""
    going = True

    def work() -> None:
        while going:
            call()

    threads = [threading.Thread(target=work) for _ in range(callers)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        going = False
        _end(threads)


def _running() -> int:
    """Threads that are on a CPU or wait for one, this one left out."""
    own, count = threading.get_native_id(), 0
    for task in os.listdir("/proc/self/task"):
        if int(task) != own:
            try:
                with open(f"/proc/self/task/{task}/stat", encoding="ascii", errors="replace") as file:
                    count += file.read().rpartition(")")[2].split()[0] == "R"
            except OSError:
                continue  # it has ended meanwhile
    return count


def busy(call: Callable[[], Any], least: float = 0.05) -> int:
    """Threads that take part in a call: those that spend at least so much of the busiest one's CPU time.

    Threads that have ended again when the call returns are among them.
    """
    spent: dict[str, float] = {}
    before = _cpu_times()
    going = True

    def watch() -> None:
        while going:
            spent.update(_cpu_times())
            time.sleep(0.005)

    watcher = threading.Thread(target=watch)
    watcher.start()
    call()
    spent.update(_cpu_times())
    going = False
    _end([watcher])
    own = [
        seconds - before.get(task, 0.0) for task, seconds in spent.items() if int(task) != watcher.native_id
    ]
    return sum(seconds > 0 and seconds >= least * max(own) for seconds in own)


def _cpu_times() -> dict[str, float]:
    """CPU time of each thread in seconds."""
    return {task: ran / 1e9 for task, (ran, _) in _scheduled().items()}


def beside(call: Callable[[], Any], callers: int = 1, before: int | None = None) -> int:
    """Threads that there are beside so many new callers, once each has called, and those `before`.

    `before` is what `tasks()` says now unless it is given.
    """
    before = tasks() if before is None else before
    called, leave = threading.Barrier(callers + 1), threading.Barrier(callers + 1)

    def work() -> None:
        call()
        called.wait()
        call()
        called.wait()
        leave.wait()

    threads = [threading.Thread(target=work, daemon=True) for _ in range(callers)]
    for thread in threads:
        thread.start()
    called.wait()
    called.wait()
    count = tasks() - before - callers
    leave.wait()
    _end(threads)
    return count


def _end(threads: list[threading.Thread]) -> None:
    """Wait until the kernel too counts them no more, which comes a little after Python's end of a thread."""
    for thread in threads:
        thread.join()
        while os.path.exists(f"/proc/self/task/{thread.native_id}"):
            time.sleep(0.001)


def spun(call: Callable[[], Any], seconds: float = 0.3) -> float:
    """Seconds of CPU time that are spent in so many seconds after a call: what idle threads spin."""
    call()
    seen = []
    for _ in range(5):
        call()
        start = time.process_time()
        time.sleep(seconds)
        seen.append(time.process_time() - start)
    return statistics.median(seen)


def caller_share(call: Callable[[], Any], times: int = 5) -> float:
    """How much of the CPU time of calls the calling thread itself spends, from 0 to 1."""
    call()
    own, whole = time.thread_time(), time.process_time()
    for _ in range(times):
        call()
    own, whole = time.thread_time() - own, time.process_time() - whole
    return own / whole if whole else 0.0


def waiting(call: Callable[[], Any], callers: int = 1, seconds: float = 0.6) -> float:
    """How long threads waited for a CPU while so many callers called, over how long they ran.

    It is what the signal `process.run_delay / process.run_time` is in that time. The process is kept to one
    CPU meanwhile, so that the threads of a call are too many on any machine.
    """
    call()
    usable = os.sched_getaffinity(0)
    masks = _kept_to({task: {min(usable)} for task in os.listdir("/proc/self/task")})
    with _calling(call, callers):
        before = _scheduled()
        time.sleep(seconds)
        after = _scheduled()
    _kept_to({task: masks.get(task, usable) for task in os.listdir("/proc/self/task")})
    ran, waited = (
        sum(after[task][part] - before.get(task, (0, 0))[part] for task in after) for part in (0, 1)
    )
    return waited / ran if ran else 0.0


def _kept_to(wanted: dict[str, set[int]]) -> dict[str, set[int]]:
    """Give threads masks, and return those that they had."""
    before: dict[str, set[int]] = {}
    for task, mask in wanted.items():
        try:
            before[task] = os.sched_getaffinity(int(task))
            os.sched_setaffinity(int(task), mask)
        except OSError:
            continue  # it has ended meanwhile
    return before


def _scheduled() -> dict[str, tuple[int, int]]:
    """Of each thread: nanoseconds on a CPU, and waiting for one."""
    found: dict[str, tuple[int, int]] = {}
    for task in os.listdir("/proc/self/task"):
        try:
            with open(f"/proc/self/task/{task}/schedstat", encoding="ascii") as file:
                ran, waited, _ = map(int, file.read().split())
        except OSError:
            continue  # it has ended meanwhile
        found[task] = ran, waited
    return found


def forked(call: Callable[[], Any], seconds: int = PATIENCE) -> str:
    """What becomes of a call in a forked child: `works`, `hangs`, `fails` with an exception, or `dies`."""
    pid = os.fork()
    if pid == 0:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(seconds)
        try:
            call()
        except BaseException:
            os._exit(1)
        os._exit(0)
    _, status = os.waitpid(pid, 0)
    if os.WIFSIGNALED(status):
        return "hangs" if os.WTERMSIG(status) == signal.SIGALRM else "dies"
    return "works" if os.WEXITSTATUS(status) == 0 else "fails"


def when_read(variable: str, value: str, load: Callable[[], Any], use: Callable[[], int]) -> str:
    """When a library reads a variable: `load`, `first use` or `each call`.

    Each answer comes of a child that is forked before the library is loaded: `load` imports it, `use` uses
    it and returns a whole number that depends on the variable. Raises ValueError where it does not.
    """

    def child(moment: int) -> int:
        def act() -> int:
            for number, step in enumerate((load, use, use)):
                if moment == number:
                    os.environ[variable] = value
                answer = step()
            return int(answer)

        return _answer(act)

    never, at_load, after_load, after_use = (child(moment) for moment in (3, 0, 1, 2))
    if at_load == never:
        raise ValueError(
            f"{variable}={value} changes nothing: {never} with and without it (`use` is called twice in a "
            "process: what there is afterwards tells, not what a call adds)"
        )
    if after_use == at_load:
        return "each call"
    return "first use" if after_load == at_load else "load"


def _answer(act: Callable[[], int]) -> int:
    """What `act` returns in a forked child. Raises ValueError where it does not come back."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reading)
        signal.alarm(6 * PATIENCE)
        try:
            os.write(writing, str(act()).encode())
        except BaseException:
            os._exit(1)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as stream:
        text = stream.read()
    os.waitpid(pid, 0)
    if not text:
        raise ValueError("a child did not come back with a number")
    return int(text)


GIVEN = (tasks, at_work, busy, beside, spun, caller_share, waiting, forked, when_read)
"""What the code finds by name."""
