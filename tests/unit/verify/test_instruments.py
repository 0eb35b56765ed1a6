"""What the code of experiments measures with, held against threads whose behaviour is known."""

from __future__ import annotations

import os
import queue
import signal
import threading
import time
from collections.abc import Callable, Iterator

import pytest

from lpcl.verify import instruments
from lpcl.verify.laboratory import unsupported

pytestmark = pytest.mark.skipif(unsupported() is not None, reason=unsupported() or "")


class Pool:
    """A library with `size` threads of its own that it makes when it is first called."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.orders: queue.Queue[queue.Queue[None] | None] = queue.Queue()
        self.threads: list[threading.Thread] = []
        self.making = threading.Lock()

    def call(self) -> None:
        with self.making:
            if not self.threads:
                self.threads = [threading.Thread(target=self._work) for _ in range(self.size)]
                for thread in self.threads:
                    thread.start()
        done: queue.Queue[None] = queue.Queue()
        self.orders.put(done)
        done.get()

    def _work(self) -> None:
        while (order := self.orders.get()) is not None:
            sum(range(20000))
            order.put(None)

    def close(self) -> None:
        for _ in self.threads:
            self.orders.put(None)
        instruments._end(self.threads)


@pytest.fixture
def pool() -> Iterator[Pool]:
    made = Pool(3)
    yield made
    made.close()


@pytest.mark.parametrize("callers", [1, 4])
def test_threads_beside_the_callers(pool: Pool, callers: int) -> None:
    before = instruments.tasks()
    assert instruments.beside(pool.call, callers, before) == 3
    assert instruments.tasks() == before + 3
    assert instruments.beside(pool.call, callers) == 0


def test_a_caller_that_waits_and_one_that_works(pool: Pool) -> None:
    assert instruments.caller_share(lambda: [pool.call() for _ in range(50)]) < 0.5
    assert instruments.caller_share(lambda: sum(range(500000))) > 0.9


def test_threads_at_work() -> None:
    """Callers that compute without the lock of the interpreter can all run."""
    import hashlib

    data = b"x" * 2_000_000
    seen = instruments.at_work(lambda: hashlib.sha256(data), callers=3, share=0.9)
    assert 2 <= seen <= 3
    assert instruments.at_work(lambda: time.sleep(0.001), callers=3) == 0


def test_threads_that_take_part() -> None:
    """A thread that ends within the call counts, one that sleeps does not."""
    import hashlib

    data = b"x" * 200_000_000

    def call() -> None:
        helper = threading.Thread(target=lambda: hashlib.sha256(data))
        sleeper = threading.Thread(target=lambda: time.sleep(0.1))
        helper.start()
        sleeper.start()
        hashlib.sha256(data)
        helper.join()
        sleeper.join()

    assert instruments.busy(call) == 2
    assert instruments.busy(lambda: hashlib.sha256(data)) == 1


def test_threads_that_wait_for_a_cpu() -> None:
    """Those that compute wait for each other on one CPU, which is not kept to afterwards."""
    import hashlib

    usable = os.sched_getaffinity(0)
    data = b"x" * 2_000_000
    assert instruments.waiting(lambda: hashlib.sha256(data), 3) > 0.5
    assert os.sched_getaffinity(0) == usable


def test_what_idle_threads_spend() -> None:
    going = True

    def spin() -> None:
        while going:
            pass

    quiet = instruments.spun(lambda: None, 0.2)
    thread = threading.Thread(target=spin)
    thread.start()
    assert instruments.spun(lambda: None, 0.6) > 3 * quiet + 0.005
    going = False
    instruments._end([thread])


def _raises() -> None:
    raise RuntimeError("broken")


@pytest.mark.parametrize(
    ("call", "end"),
    [
        (lambda: None, "works"),
        (_raises, "fails"),
        (lambda: os.kill(os.getpid(), signal.SIGKILL), "dies"),
        (lambda: time.sleep(30), "hangs"),
    ],
)
def test_a_forked_child(call: Callable[[], None], end: str) -> None:
    assert instruments.forked(call, 1) == end


class Library:
    """A library that reads its variable at one moment."""

    def __init__(self, moment: str) -> None:
        self.moment = moment
        self.size: int | None = None

    def _read(self) -> int:
        return int(os.environ.get("PROBE_THREADS", "1"))

    def load(self) -> int:
        if self.moment == "load":
            self.size = self._read()
        return 0

    def use(self) -> int:
        if self.moment == "each call":
            return self._read()
        if self.size is None:
            self.size = self._read()
        return self.size


@pytest.mark.parametrize("moment", ["load", "first use", "each call"])
def test_when_a_variable_is_read(moment: str) -> None:
    library = Library(moment)
    assert instruments.when_read("PROBE_THREADS", "3", library.load, library.use) == moment
    assert "PROBE_THREADS" not in os.environ
    assert library.size is None


def test_a_variable_that_changes_nothing() -> None:
    library = Library("load")
    with pytest.raises(ValueError, match="PROBE_OTHER=3 changes nothing: 1 with and without it"):
        instruments.when_read("PROBE_OTHER", "3", library.load, library.use)


def test_a_library_that_does_not_come_back() -> None:
    with pytest.raises(ValueError, match="a child did not come back"):
        instruments.when_read("PROBE_THREADS", "3", _raises, lambda: 1)
