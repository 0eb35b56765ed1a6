"""What was seen of a running program: frozen values, as the kernel told them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from lpcl.model.host import HostFacts


@dataclass(frozen=True, slots=True)
class ThreadSeen:
    """A thread of a process. Times are seconds since the watch began; `run` is the CPU time it was seen to
    use.

    `owner` is the file whose code the thread was started in (a shared object, or the interpreter itself),
    None where that could not be told. `asleep` is the place in the kernel where it was mostly found waiting.
    """

    id: int
    name: str
    first: float
    last: float
    run: float
    owner: str | None = None
    asleep: str | None = None
    main: bool = False


@dataclass(frozen=True, slots=True)
class ProcessSeen:
    """A process of the tree that was watched.

    `forked` tells whether it went on where its parent was, without starting a program of its own.
    `environment` holds those variables alone that known contracts read. `files` are the shared objects that
    it had mapped, with the moment at which each was first seen. `withheld` says what the kernel would not
    tell. `cpu` are the CPU seconds of all its threads as the kernel counts them, those that have ended among
    them; None where that was not read.
    """

    id: int
    parent: int
    first: float
    last: float
    command: tuple[str, ...]
    executable: str
    folder: str
    forked: bool
    environment: Mapping[str, str]
    affinity: frozenset[int]
    files: Mapping[str, float]
    threads: tuple[ThreadSeen, ...]
    semaphores: frozenset[str] = frozenset()
    withheld: tuple[str, ...] = ()
    cpu: float | None = None

    def most(self, wanted: Callable[[ThreadSeen], bool] | None = None) -> int:
        """The most threads, or threads of a kind, that there were at one moment."""
        return most_at_once([t for t in self.threads if wanted is None or wanted(t)])

    @property
    def run(self) -> float:
        """CPU seconds of all its threads that were seen."""
        return sum(thread.run for thread in self.threads)

    @property
    def used(self) -> float:
        """CPU seconds of all its threads, those that came and went between two looks among them."""
        return max(self.cpu or 0.0, self.run)


def most_at_once(lives: Sequence[ThreadSeen | ProcessSeen]) -> int:
    """The most of some threads or processes that there were at one moment."""
    moments = sorted([(one.first, 0) for one in lives] + [(one.last, 1) for one in lives])
    most = there = 0
    for _, ended in moments:
        there += -1 if ended else 1
        most = max(most, there)
    return most


def fullest(threads: Sequence[ThreadSeen]) -> list[ThreadSeen]:
    """Those that were there at the first moment at which there were most."""
    there: list[ThreadSeen] = []
    for moment in sorted({thread.first for thread in threads}):
        now = [thread for thread in threads if thread.first <= moment <= thread.last]
        there = max(there, now, key=len)
    return there


@dataclass(frozen=True)
class Observation:
    """All that was seen, from the watched process on, parents before children.

    `ended` says how the watch ended: ``ended`` (the program did), ``duration``, ``interrupted``,
    ``vanished`` or ``left`` (the command ended, what it had started goes on). `status` is that of the
    command, None where it was not started here or still runs.
    """

    processes: tuple[ProcessSeen, ...]
    duration: float
    samples: int
    longest_gap: float
    ended: str
    status: int | None
    host: HostFacts
    own_host: HostFacts
    left_running: int = 0

    @property
    def root(self) -> ProcessSeen:
        """The process that was watched: the command's, or the one that was named."""
        return self.processes[0]
