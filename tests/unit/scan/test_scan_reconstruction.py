"""From observations that are put together by hand to the file that describes them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lpcl import service
from lpcl.format import format_text
from lpcl.model.host import HostFacts, Reading
from lpcl.scan.observation import Observation, ProcessSeen, ThreadSeen
from lpcl.scan.question import Explained
from lpcl.scan.reconstruction import Scanned, known_contracts
from lpcl.scan.summary import summary
from tests.unit.scan.conftest import BLAS, CPUS, OTHER_BLAS, PYTHON, TEAM, Machine

GOLDEN = Path(__file__).resolve().parents[2] / "golden/scan"


def tracker(machine: Machine, module: str, parent: ProcessSeen, threads: int = 0) -> ProcessSeen:
    """A helper process of `parent`, with threads of a BLAS."""
    made = machine.process("python -c x", {BLAS: threads} if threads else {}, parent=parent)
    return replace(made, command=(made.command[0], "-c", f"from {module} import main; main(3)"))


def spawned(machine: Machine, code: str, **how: Any) -> ProcessSeen:
    """A worker that is started with a command line of its own."""
    made = machine.process("python -c x", **how)
    return replace(made, command=(made.command[0], *code.split("|")))


def forked_workers(machine: Machine, parent: ProcessSeen, first: float, last: float) -> list[ProcessSeen]:
    """Three processes that went on where their parent was, and multiply matrices."""
    return [
        machine.process(
            "python program.py",
            {BLAS: 7},
            parent=parent,
            libraries=["numpy"],
            busy=[BLAS],
            forked=True,
            span=(first, last),
        )
        for _ in range(3)
    ]


LOKY = "-m|joblib.externals.loky.backend.popen_loky_posix|--process-name|LokyProcess-1"
SPAWN = "-c|from multiprocessing.spawn import spawn_main; spawn_main(3)|--multiprocessing-fork"


def loky(machine: Machine) -> Scanned:
    root = machine.process("python program.py", {BLAS: 7, PYTHON: 2}, libraries=["numpy"])
    workers = [
        spawned(
            machine,
            LOKY,
            parent=root,
            libraries=["numpy", "scipy", "scikit-learn"],
            threads={BLAS: 1, OTHER_BLAS: 1, TEAM: 1},
            busy=[TEAM],
            environment={"OMP_NUM_THREADS": "2", "OPENBLAS_NUM_THREADS": "2"},
            span=(1.0, 3.9),
        )
        for _ in range(4)
    ]
    helpers = [
        tracker(machine, "joblib.externals.loky.backend.resource_tracker", root, 7),
        tracker(machine, "multiprocessing.resource_tracker", root),
    ]
    return machine.scan(root, *helpers, *workers)


def threads(machine: Machine) -> Scanned:
    machine.program(
        "program.py",
        "import numpy\nfrom concurrent.futures import ThreadPoolExecutor\na = numpy.ones(3)\na @ a\n",
    )
    root = machine.process(
        "python program.py", {BLAS: 7, PYTHON: 5}, libraries=["numpy"], busy=[BLAS, PYTHON], main=0.1
    )
    return machine.scan(root)


def forks(machine: Machine) -> Scanned:
    root = machine.process("python program.py", {BLAS: 7, PYTHON: 3}, libraries=["numpy"], main=0.2)
    return machine.scan(root, *forked_workers(machine, root, 1.0, 3.9))


def spawns(machine: Machine) -> Scanned:
    root = machine.process("python program.py", libraries=[], main=0.2)
    workers = [
        spawned(
            machine, SPAWN, parent=root, libraries=["numpy"], threads={BLAS: 7}, busy=[BLAS], span=(1.0, 3.9)
        )
        for _ in range(2)
    ]
    return machine.scan(root, tracker(machine, "multiprocessing.resource_tracker", root), *workers)


def boosting(machine: Machine) -> Scanned:
    root = machine.process(
        "python program.py",
        {BLAS: 3, OTHER_BLAS: 3, TEAM: 3},
        libraries=["numpy", "scipy", "scikit-learn"],
        busy=[TEAM],
        environment={"OMP_NUM_THREADS": "4"},
    )
    return machine.scan(root)


def shell(machine: Machine) -> Scanned:
    root = machine.process("/bin/sh several.sh", main=0.0)
    children = [
        machine.process(
            "python program.py",
            {BLAS: 1},
            parent=root,
            libraries=["numpy"],
            busy=[BLAS],
            environment={"OMP_NUM_THREADS": "2"},
        )
        for _ in range(3)
    ]
    return machine.scan(root, *children, command=("sh", "several.sh"))


def in_turn(machine: Machine) -> Scanned:
    root = machine.process("/bin/sh steps.sh", main=0.0)
    first = machine.process("/bin/gzip data", parent=root, span=(0.0, 2.0))
    second = machine.process("/bin/sort data", parent=root, span=(2.1, 4.0))
    return machine.scan(root, first, second, command=("sh", "steps.sh"))


def pinned(machine: Machine) -> Scanned:
    root = machine.process("python program.py", {BLAS: 1}, libraries=["numpy"], busy=[BLAS], affinity=2)
    return machine.scan(root, command=("taskset", "-c", "0,1", "python", "program.py"))


def unowned(machine: Machine) -> Scanned:
    """Where the kernel does not let us see whose the threads are."""
    root = machine.process("python program.py", {None: 7}, libraries=["numpy"], busy=[None])
    return machine.scan(root)


def too_many(machine: Machine) -> Scanned:
    """More threads of a library than its contract can account for."""
    root = machine.process("python program.py", {BLAS: 9}, libraries=["numpy"], busy=[BLAS])
    return machine.scan(root)


def allocator(machine: Machine) -> Scanned:
    """Threads that an allocator keeps in a library, asleep, beside one more of a pool at work."""
    root = machine.process("python program.py", {BLAS: 8}, libraries=["numpy"], busy=[BLAS])
    kept = (ThreadSeen(n, "jemalloc_bg_thd", 0.0, 4.0, 0.0, machine.path(BLAS)) for n in range(2))
    return machine.scan(replace(root, threads=(*root.threads, *kept)))


def stranger(machine: Machine) -> Scanned:
    """A program that no contract speaks about, with threads of its own."""
    root = machine.process("/opt/render --password=hunter2 --token abc scene", main=2.0)
    own = tuple(ThreadSeen(n, "render", 0.0, 4.0, 1.0, root.executable) for n in range(3))
    root = replace(root, threads=(*root.threads, *own))
    return machine.scan(root, command=root.command)


def threads_beside_forks(machine: Machine) -> Scanned:
    """A thread of the parent's own while its children work, who load what it has not loaded."""
    root = machine.process("python program.py", {PYTHON: 1})
    return machine.scan(root, *forked_workers(machine, root, 0.5, 4.0))


PROGRAMS = {
    one.__name__: one
    for one in (
        loky,
        threads,
        forks,
        threads_beside_forks,
        spawns,
        boosting,
        shell,
        in_turn,
        pinned,
        unowned,
        too_many,
        allocator,
        stranger,
    )
}

EXPECTED = {
    "loky": "joblib.parallel(n_jobs = n_jobs",
    "threads": "concurrent_futures.thread_pool(max_workers = max_workers)",
    "forks": "multiprocessing.pool(processes = processes, start = fork)",
    "threads_beside_forks": "multiprocessing.process(n = process, start = fork)",
    "spawns": "multiprocessing.process(n = process, start = spawn)",
    "boosting": "sklearn.hist_gradient_boosting",
    "shell": "system.processes(n = processes)",
    "in_turn": "system.processes(n = 1)",
    "pinned": "cpus.affinity = 2",
    "unowned": "numpy.matmul",
    "too_many": "2 more of openblas in numpy than contracts account for",
    "allocator": "2 more of the allocator jemalloc in",
    "stranger": "system.threads(n = threads)",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_is_written(name: str, machine: Machine, golden: Callable[[Path, str], None]) -> None:
    """The file names what was seen, is sound and in the house style, and predicts as many threads."""
    scanned = PROGRAMS[name](machine)
    assert EXPECTED[name] in scanned.text
    path = str(machine.folder / "scan.lpcl")
    workspace = service.open_workspace((path,), {path: scanned.text})
    assert [item.headline for item in workspace.diagnostics] == []
    assert format_text(scanned.text) == scanned.text
    assert scanned.predicted == scanned.seen
    assert any(unexplained(scanned.explained)) is (name in ("too_many", "allocator"))
    golden(GOLDEN / f"{name}.lpcl", scanned.text)


def unexplained(one: Explained) -> list[object]:
    """The threads of each process that no contract accounts for."""
    return [one.unexplained, *(item for child in one.children for item in unexplained(child))]


def test_secrets_of_a_command_line_are_not_written(machine: Machine) -> None:
    text = stranger(machine).text
    assert "hunter2" not in text
    assert "abc" not in text
    assert "--password=***" in text


def test_the_name_of_a_library_is_not_taken_for_the_application(machine: Machine) -> None:
    root = machine.process("python numpy.py", {BLAS: 7}, libraries=["numpy"])
    assert "application numpy_run {" in machine.scan(root).text


@pytest.mark.parametrize("script", ["run.py", "2024-fit.py", "été.py", "application.py", "-.py", "class.py"])
def test_any_script_gives_a_name(script: str, machine: Machine) -> None:
    scanned = machine.scan(machine.process(f"python {script}"))
    assert "application" in scanned.text


def test_processes_that_come_and_go_are_passed_over(machine: Machine) -> None:
    root = machine.process("python program.py", libraries=["numpy"], threads={BLAS: 7})
    asked = machine.process("/sbin/ldconfig -p", parent=root, span=(0.5, 0.52), main=0.0)
    forked = machine.process("python program.py", parent=root, span=(0.4, 0.41), main=0.0, forked=True)
    text = machine.scan(root, asked, forked).text
    assert "ldconfig" not in text
    assert "fork" not in text
    assert "2 short-lived processes" in text


def test_an_option_with_the_number_of_workers_is_taken_for_the_one_that_sets_it(machine: Machine) -> None:
    root = machine.process("python program.py --threads 5", {PYTHON: 5}, busy=[PYTHON])
    text = machine.scan(root, command=("python", "program.py", "--threads", "5")).text
    assert 'argument "--threads"' in text
    assert "whether it sets it is a guess" in text


def test_two_options_with_that_number_are_no_hint(machine: Machine) -> None:
    root = machine.process("python program.py --threads 5 --rounds=5", {PYTHON: 5}, busy=[PYTHON])
    text = machine.scan(root, command=("python", "program.py", "--threads", "5", "--rounds=5")).text
    assert 'argument "--threads"' not in text


def test_programs_with_variables_of_their_own_are_told_apart(machine: Machine) -> None:
    root = machine.process("/bin/sh several.sh", main=0.0)
    children = [
        machine.process(
            "python program.py",
            {BLAS: n - 1},
            parent=root,
            libraries=["numpy"],
            environment={"OMP_NUM_THREADS": str(n)},
        )
        for n in (2, 4)
    ]
    text = machine.scan(root, *children, command=("sh", "several.sh")).text
    assert "OMP_NUM_THREADS was set to 2 here, which an application cannot say of one process" in text
    assert "OMP_NUM_THREADS was set to 4 here" in text
    assert "env OMP_NUM_THREADS" not in text


PICKY = """package picky

import lpcl.core.*

contract picky {
  library { command "picky" }
  control threads: count in 1..8 { env PICKY_THREADS  default 2  read at load  invalid rejects }
  pool workers { size threads  callers queue  caller joins  created at load }
  operation work { runs on workers }
}
"""


def test_a_variable_that_a_contract_refuses_is_left_out_and_said(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    (machine.folder / "picky.lpcl").write_text(PICKY, encoding="utf-8")
    monkeypatch.chdir(machine.folder)
    machine.contracts = known_contracts()
    assert "PICKY_THREADS" in machine.contracts.variables
    root = machine.process("/bin/picky", environment={"PICKY_THREADS": "99"})
    text = machine.scan(root, command=("picky",)).text
    assert "env PICKY_THREADS" not in text
    assert "PICKY_THREADS: set to a value that a contract refuses, and left out" in text
    assert "picky.load" in text


def test_threads_that_were_not_there_together_are_said_to_be_so(machine: Machine) -> None:
    root = machine.process("python program.py", {BLAS: 7, PYTHON: 2}, libraries=["numpy"], busy=[PYTHON])
    early = tuple(replace(t, last=1.0) if t.owner == machine.path(BLAS) else t for t in root.threads)
    late = tuple(replace(t, first=1.1) if t.owner == machine.path(PYTHON) else t for t in early)
    text = " ".join(machine.scan(replace(root, threads=late)).text.replace("//", "").split())
    assert "8 threads seen, 10 predicted" in text
    assert "not all of them at once: 2 of the program's own were not there when there were most" in text


def native(machine: Machine, command: str, owners: Mapping[str, int]) -> ProcessSeen:
    """A program that is no Python, with threads in the code of its executable and of its libraries."""
    root = machine.process(command, main=0.5)
    made = [
        ThreadSeen(next(machine.numbers), "worker", 0.0, 4.0, 0.5, owner)
        for owner, count in owners.items()
        for _ in range(count)
    ]
    return replace(root, threads=(*root.threads, *made))


CREW = """package crew
import lpcl.core.*

contract crew {
  library { command "crew" }
  operation serve(processes: count in 1..64 = 1, hands: count in 1..64 = 1) {
    workers processes processes { start fork  demand threads = 1 }
    calls work(hands = hands) with block
  }
  operation work(hands: count in 1..64 = 1) { workers threads hands { caller waits } }
}
"""


def crew(machine: Machine, monkeypatch: pytest.MonkeyPatch, each: Sequence[int]) -> tuple[ProcessSeen, ...]:
    """A program that forks processes with so many threads each, and whose contract has both figures."""
    (machine.folder / "crew.lpcl").write_text(CREW, encoding="utf-8")
    monkeypatch.chdir(machine.folder)
    machine.contracts = known_contracts()
    root = native(machine, "/bin/crew", {})
    made = [native(machine, "/bin/crew", {"/bin/crew": number}) for number in each]
    return root, *(replace(one, parent=root.id, forked=True) for one in made)


def test_a_start_is_given_how_many_threads_its_processes_have(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    scanned = machine.scan(*crew(machine, monkeypatch, [5, 5, 5]), command=("crew",))
    assert "crew.serve(processes = processes, hands = hands)" in scanned.text
    assert "system.threads" not in scanned.text
    assert "default 4" in scanned.text  # one of the five is there without the figure
    assert scanned.predicted == scanned.seen == 19


def told(scanned: Scanned) -> list[str]:
    """What the summary says of threads that were not there at once."""
    host = HostFacts({"cpus.online": Reading(CPUS, "/sys")}, {})
    seen = Observation(tuple(scanned.explained.group.everyone), 4.0, 200, 0.02, "ended", 0, host, host)
    return [line for line in summary(seen, scanned, "-") if line.startswith("not at once")]


def test_processes_of_one_kind_that_are_not_alike_are_told(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    scanned = machine.scan(*crew(machine, monkeypatch, [5, 3, 5]), command=("crew",))
    assert (scanned.predicted, scanned.seen) == (19, 17)
    assert told(scanned) == [
        "not at once: its 3 processes had 6, 6 and 4 threads, and 6 each are predicted (`crew`)"
    ]
    alike = machine.scan(*crew(machine, monkeypatch, [5, 5]), command=("crew",))
    assert told(alike) == []


def test_threads_that_were_gone_are_told(machine: Machine) -> None:
    root = machine.process("python program.py", {BLAS: 1, PYTHON: 2}, libraries=["numpy"], busy=[PYTHON])
    early = tuple(replace(t, last=1.0) if t.owner == machine.path(BLAS) else t for t in root.threads)
    late = tuple(replace(t, first=1.1) if t.owner == machine.path(PYTHON) else t for t in early)
    scanned = machine.scan(replace(root, threads=late, environment={"OPENBLAS_NUM_THREADS": "2"}))
    assert (scanned.predicted, scanned.seen) == (4, 3)
    assert told(scanned) == [
        "not at once: 1 of openblas in numpy was not there when there were most (`python3.11 program.py`)"
    ]


@pytest.mark.parametrize(
    ("command", "seen", "operation", "number", "option"),
    [
        ("/usr/bin/samtools sort -@ 3 -o out.bam in.bam", 8, "sort", 3, "-@"),
        ("/usr/bin/samtools view -b -@4 in.bam", 6, "view", 4, None),
        ("/usr/bin/samtools flagstat --threads=5 in.bam", 6, "scan", 5, "--threads"),
    ],
)
def test_threads_that_an_operation_holds_explain_those_of_a_program_and_its_libraries(
    machine: Machine, command: str, seen: int, operation: str, number: int, option: str | None
) -> None:
    words = command.split()
    root = native(machine, command, {"/usr/bin/samtools": seen - 3, "/usr/lib/libhts.so.1.16": 3})
    scanned = machine.scan(root, command=words)
    assert f"samtools.{operation}(threads = threads)" in scanned.text
    assert f"default {number}" in scanned.text
    assert (f'argument "{option}"' in scanned.text) is (option is not None)
    assert ("the program may have asked for all CPUs" in scanned.text) is (option is None)
    assert scanned.predicted == scanned.seen == seen + 1
    assert not any(unexplained(scanned.explained))


def test_code_on_a_command_line_is_not_told(machine: Machine) -> None:
    root = machine.process("/bin/sh -c read(http://a/b)", main=0.1)
    assert "`sh -c ...`" in machine.scan(root, command=root.command).text
