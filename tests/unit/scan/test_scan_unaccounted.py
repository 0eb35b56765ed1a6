"""Threads and processes that live for a moment only, and CPU time that nobody accounts for."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Sequence
from dataclasses import replace

import pytest

from lpcl.model.host import HostFacts
from lpcl.scan.observation import Observation, ProcessSeen, ThreadSeen
from lpcl.scan.reconstruction import Scanned, known_contracts
from lpcl.scan.sampling import Sampler
from lpcl.scan.summary import summary
from lpcl.scan.unaccounted import LARGE, MANY, Brief, Unaccounted
from lpcl.scan.wording import seconds
from tests.unit.scan.conftest import BLAS, PYTHON, Machine

TEAM_PER_CALL = """package matcher
import lpcl.core.*

contract matcher {
  library { command "matcher"  file "libmatcher.so*" }
  control workers: count in 1..64 { api "match(workers=)"  default 1  scope call }
  let threads = workers
  pool team { size threads  existing size  callers fork  caller waits  created at first use }
  operation match { runs on team when threads > 1 }
}
"""
"""A library that starts a team for each call and ends it."""


def brief(
    machine: Machine, owner: str | None, calls: int, each: int, run: float = 0.005, length: float = 0.02
) -> tuple[ThreadSeen, ...]:
    """The threads of short calls, one call after another, each with a team of its own."""
    return tuple(
        ThreadSeen(next(machine.numbers), "team", at, at + length, run, owner)
        for at in (0.5 + 3.0 * call / calls for call in range(calls))
        for _ in range(each)
    )


def with_threads(process: ProcessSeen, more: Sequence[ThreadSeen], cpu: float | None = None) -> ProcessSeen:
    return replace(process, threads=(*process.threads, *more), cpu=cpu)


def told(scanned: Scanned) -> list[str]:
    """What the summary and, as one text, the file say of it: both the same."""
    host = HostFacts({}, {})
    seen = Observation(tuple(scanned.explained.group.everyone), 4.0, 200, 0.02, "ended", 0, host, host)
    lines = list(scanned.unaccounted.told())
    file = " ".join(scanned.text.replace("//", "").split())
    assert [line for line in lines if f"not explained: {line}" not in summary(seen, scanned, "-")] == []
    assert [line for line in lines if f"not explained: {line}." not in file] == []
    return lines


@pytest.mark.parametrize("owned", [True, False], ids=["of a library", "of unknown owners"])
def test_threads_of_short_calls_beside_a_programs_own_are_told(machine: Machine, owned: bool) -> None:
    """Four threads call a library that starts two for each call: the numbers of lasting threads agree."""
    root = machine.process("python program.py", {PYTHON: 4, BLAS: 1}, libraries=["numpy"], main=0.1)
    root = replace(root, environment={"OPENBLAS_NUM_THREADS": "2"})
    made = brief(machine, machine.path("numpy.libs/libother.so") if owned else None, 28, 8)
    scanned = machine.scan(with_threads(root, made, cpu=5.0))
    assert scanned.predicted == scanned.seen == 6
    assert told(scanned) == [
        "224 threads that lived for a moment (about 8 at once, 4.9 s of CPU)",
        "4.9 of 5 s of CPU, used by threads that no contract accounts for",
    ]


def test_short_threads_of_the_programs_own_are_told(machine: Machine) -> None:
    root = machine.process("python program.py")
    made = brief(machine, machine.path(PYTHON), 50, 1)
    assert told(machine.scan(with_threads(root, made))) == [
        "50 threads that lived for a moment (about 1 at once, 0.25 s of CPU)"
    ]


def matcher(machine: Machine, monkeypatch: pytest.MonkeyPatch, lasting: int) -> ProcessSeen:
    """A program with a library that has a team for each call; of so many threads one call was long."""
    (machine.folder / "matcher.lpcl").write_text(TEAM_PER_CALL, encoding="utf-8")
    monkeypatch.chdir(machine.folder)
    machine.contracts = known_contracts()
    root = machine.process("/opt/matcher", main=0.5)
    library = "/opt/libmatcher.so.1"
    made = (ThreadSeen(next(machine.numbers), "team", 3.6, 3.9, 0.2, library) for _ in range(lasting))
    return replace(with_threads(root, tuple(made)), files={library: 0.1})


@pytest.mark.parametrize("owner", ["/opt/libmatcher.so.1", None])
def test_short_threads_that_a_contract_explains_are_not_told(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, owner: str | None
) -> None:
    """Most calls are too short for their threads to count: those of a long one explain them."""
    root = matcher(machine, monkeypatch, 3)
    made = brief(machine, owner, 40, 3)
    scanned = machine.scan(with_threads(root, made, cpu=9.0), command=("matcher",))
    assert "matcher.match" in scanned.text
    assert scanned.unaccounted.threads == Brief()
    assert told(scanned) == []


def test_more_at_once_than_a_contract_explains_are_told(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = matcher(machine, monkeypatch, 3)
    made = brief(machine, "/opt/libmatcher.so.1", 10, 12)
    scanned = machine.scan(with_threads(root, made), command=("matcher",))
    assert scanned.unaccounted.threads.number == 90
    assert "90 threads that lived for a moment (about 9 at once" in told(scanned)[0]


def test_the_number_that_a_program_gave_a_library_is_a_control(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = matcher(machine, monkeypatch, 8)
    text = machine.scan(root, command=("matcher",)).text
    assert "limit matcher.workers = workers {" in text
    assert "control workers: count in 1..16 {" in text
    assert "default 8" in text
    assert "the program may have asked for all CPUs" in text
    text = machine.scan(root, command=("matcher", "--jobs", "8")).text
    assert 'argument "--jobs"' in text


@pytest.mark.parametrize(
    ("number", "run", "matters"), [(MANY - 1, 0.001, False), (MANY, 0.001, True), (2, 0.04, True)]
)
def test_a_few_short_threads_with_next_to_nothing_are_passed_over(
    machine: Machine, number: int, run: float, matters: bool
) -> None:
    made = brief(machine, machine.path(PYTHON), 1, number, run)
    scanned = machine.scan(with_threads(machine.process("python program.py"), made))
    assert bool(told(scanned)) is matters


@pytest.mark.parametrize("number", [2, 30])
def test_short_processes_are_told_where_they_are_many(machine: Machine, number: int) -> None:
    root = machine.process("python program.py")
    made = [
        machine.process("python program.py", parent=root, forked=True, span=(at, at + 0.02), main=0.01)
        for at in (0.5 + 0.1 * n for n in range(number))
    ]
    expected = ["30 processes that lived for a moment (about 1 at once, 0.3 s of CPU)"]
    assert told(machine.scan(root, *made)) == (expected if number >= MANY else [])


@pytest.mark.parametrize(("cpu", "large"), [(1.2, False), (1.3, False), (1.5, True), (4.0, True)])
def test_a_large_part_of_the_cpu_time_that_no_thread_was_seen_to_use_is_told(
    machine: Machine, cpu: float, large: bool
) -> None:
    scanned = machine.scan(replace(machine.process("python program.py"), cpu=cpu))
    assert (cpu - 1.0 > LARGE * cpu) is large
    assert bool(told(scanned)) is large


def test_what_a_thread_used_after_the_last_look_at_it_is_not_missed(machine: Machine) -> None:
    """Eight threads that end before the program does: up to a gap each was not seen."""
    root = machine.process("python program.py", {PYTHON: 8}, busy=[PYTHON], main=0.0)
    ended = tuple(t if t.main else replace(t, last=1.0) for t in root.threads)
    scanned = machine.scan(replace(root, threads=ended, cpu=8.0 + 8 * 0.02))
    assert scanned.unaccounted.cpu == pytest.approx(0.0, abs=1e-6)


def test_busy_threads_beyond_what_contracts_account_for_count_too(machine: Machine) -> None:
    root = machine.process("python program.py", {BLAS: 14}, libraries=["numpy"], busy=[BLAS])
    lines = told(machine.scan(root))
    assert lines == ["7 of 15 s of CPU, used by threads that no contract accounts for"]


def test_threads_that_ended_unseen_are_in_the_cpu_time_of_their_process() -> None:
    def burn() -> None:
        end = time.thread_time() + 0.15
        while time.thread_time() < end:
            pass

    before = time.process_time()
    sampler = Sampler(os.getpid(), frozenset(), 0.02, inclusive=True)
    sampler.sample()
    thread = threading.Thread(target=burn)
    thread.start()
    thread.join()
    sampler.sample()
    host = HostFacts({}, {})
    found = sampler.observation("ended", None, host, host)
    assert found is not None
    assert 0.12 <= found.root.used <= time.process_time() - before + 0.03


def test_seconds_are_never_written_with_an_exponent() -> None:
    assert [seconds(one) for one in (0.0312, 1.26, 9.99, 12.6, 1234.5)] == [
        "0.031",
        "1.3",
        "10",
        "13",
        "1234",
    ]


def test_a_few_short_processes_of_a_program_that_does_nothing_are_no_matter(machine: Machine) -> None:
    root = machine.process("/bin/sh steps.sh", main=0.001)
    made = machine.process("/bin/true", parent=root, span=(0.5, 0.51), main=0.001)
    assert told(machine.scan(root, made, command=("sh", "steps.sh"))) == []


def test_nothing_missed_tells_nothing() -> None:
    assert list(Unaccounted().told()) == []
