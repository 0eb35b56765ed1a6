"""The parts of scan, each by itself: owners of threads, texts of programs, distributions, secrets, texts."""

from __future__ import annotations

import os
import platform
import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lpcl.scan.grouping import Seen
from lpcl.scan.installed import environment_of, is_interpreter
from lpcl.scan.observation import ProcessSeen, ThreadSeen, most_at_once
from lpcl.scan.owners import owners
from lpcl.scan.program_text import program_text
from lpcl.scan.recognition import Contracts, Key, longest_spin, matches
from lpcl.scan.sampling import Sampler, read_areas
from lpcl.scan.wording import concealed
from lpcl.scan.writing import to_text
from lpcl.syntax import nodes
from lpcl.syntax.parser import parse
from tests.unit.scan.conftest import Machine

GLIBC = (
    sys.platform.startswith("linux") and platform.machine() == "x86_64" and platform.libc_ver()[0] == "glibc"
)


@pytest.mark.skipif(not GLIBC, reason="owners are read from glibc's descriptors on 64-bit x86")
def test_a_thread_of_python_is_pythons() -> None:
    leave = threading.Event()
    thread = threading.Thread(target=leave.wait)
    thread.start()
    try:
        process = f"/proc/{os.getpid()}"
        areas = read_areas(Path(process, "maps").read_text(encoding="utf-8"))
        task = str(thread.native_id)
        found: dict[str, str] = {}
        for _ in range(200):  # until it sleeps
            found = dict(owners(process, areas, [task]))
            if found:
                break
        assert is_interpreter(found[task])
    finally:
        leave.set()
        thread.join()


def test_the_owner_of_what_cannot_be_read_is_not_known() -> None:
    assert owners("/proc/4194305", [], ["1"]) == {}


def test_a_process_that_is_not_there_gives_nothing(tmp_path: Path) -> None:
    sampler = Sampler(4194305, frozenset(), 0.02, inclusive=True, proc_root=str(tmp_path))
    assert sampler.sample() == 0


def process(machine: Machine, *words: str) -> ProcessSeen:
    made = machine.process("python x")
    return replace(made, command=(made.command[0], *words))


def test_the_text_of_a_program_and_of_its_own_modules(machine: Machine) -> None:
    machine.program("main.py", "import helper\nfrom joblib import Parallel\nhelper.go()\n")
    machine.program("helper.py", "import numpy as np\ndef go(): np.ones(3) @ np.ones(3)\n")
    text = program_text(process(machine, "main.py", "--fast"))
    assert {"helper", "joblib", "numpy"} <= text.modules
    assert {"Parallel", "matmul", "ones"} <= text.names


@pytest.mark.parametrize(
    ("words", "modules"),
    [
        (["-c", "import numpy"], {"numpy"}),
        (["-X", "dev", "-W", "error", "main.py"], {"polars"}),
        (["-m", "main"], {"polars"}),
        (["-m", "folder"], {"duckdb"}),
        (["folder"], {"duckdb"}),
        (["-c", "from multiprocessing.spawn import spawn_main; spawn_main(3)"], set()),
        (["broken.py"], set()),
        (["nowhere.py"], set()),
        (["-c"], set()),
        ([], set()),
    ],
)
def test_what_a_command_line_runs(words: list[str], modules: set[str], machine: Machine) -> None:
    machine.program("main.py", "import polars")
    machine.program("broken.py", "import numpy\n)")
    (machine.folder / "folder").mkdir()
    machine.program("folder/__main__.py", "import duckdb")
    assert program_text(process(machine, *words)).modules == modules


def test_the_distributions_of_a_virtual_environment(machine: Machine) -> None:
    packages = machine.folder / "lib/python3.11/site-packages"
    (packages / "broken-1.dist-info").mkdir()
    found = environment_of(machine.process("python x", libraries=["numpy"]), {})
    assert found.minor == 11
    assert {name: item.version for name, item in found.found.items()} == {
        "numpy": "2.4.6",
        "scipy": "1.17.1",
        "scikit-learn": "1.9.1",
        "joblib": "1.6.0",
    }
    assert found.found["scikit-learn"].modules >= {"sklearn"}
    owner = found.of_file(machine.path("scikit_learn.libs/libgomp-e985bcbb.so.1.0.0"))
    assert owner is not None
    assert owner.name == "scikit-learn"


def test_what_is_no_python_has_no_distributions(machine: Machine) -> None:
    assert environment_of(machine.process("/bin/ls"), {}).minor is None


@pytest.mark.parametrize(
    ("path", "pattern", "fits"),
    [
        ("/x/numpy.libs/libscipy_openblas64_-32a.so", "libscipy_openblas*.so*", True),
        ("/usr/lib/libgomp.so.1", "libgomp.so*", True),
        ("/x/numexpr/interpreter.cpython-311.so", "numexpr/interpreter*.so", True),
        ("/x/other/interpreter.cpython-311.so", "numexpr/interpreter*.so", False),
        ("/x/mylibgomp.so.1", "libgomp.so*", False),
    ],
)
def test_file_patterns(path: str, pattern: str, fits: bool) -> None:
    assert matches(path, pattern) is fits


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        (["x", "--password", "p"], ["x", "--password", "***"]),
        (["x", "--db-password=p", "y"], ["x", "--db-password=***", "y"]),
        (["x", "API_KEY=abc"], ["x", "API_KEY=***"]),
        (["x", "--token", "--verbose"], ["x", "--token", "--verbose"]),
        (["x", "postgres://me:pw@host/db"], ["x", "postgres://me:***@host/db"]),
        (["x", "--passes", "3"], ["x", "--passes", "3"]),
        (["x", "--tokenizer", "fast"], ["x", "--tokenizer", "fast"]),
    ],
)
def test_what_looks_like_a_secret_is_hidden(command: list[str], shown: list[str]) -> None:
    assert concealed(command) == shown


def test_no_variable_that_contracts_read_looks_like_a_secret(contracts: Contracts) -> None:
    assert "OMP_NUM_THREADS" in contracts.variables
    assert not [name for name in contracts.variables if "TOKEN" in name or "PASS" in name]


def test_most_at_one_moment() -> None:
    lives = [(0, 2), (1, 3), (2, 4), (5, 6), (5, 5)]
    assert most_at_once([ThreadSeen(n, "", a, b, 0.0) for n, (a, b) in enumerate(lives)]) == 3
    assert most_at_once([]) == 0


@given(st.text(st.characters(exclude_characters="\r", exclude_categories=("Cs",)), max_size=40))
def test_any_command_is_read_back_as_it_was_written(command: str) -> None:
    application = nodes.Application(
        nodes.Name("a"), (), (nodes.MachineUse(nodes.Ref("host")), nodes.Command(nodes.Text(command)))
    )
    file = nodes.File((nodes.Package("a"), application))
    parsed = parse(to_text(file, {}))
    assert not parsed.faults
    assert parsed.file == file


# ------------------------------------------------------------------ whether threads worked or spun

NUMPYS, SCIPYS, TEAMS = ("openblas", "numpy"), ("openblas", "scipy"), ("libgomp", "sklearn")


@pytest.mark.parametrize(
    ("what", "main", "threads", "at_work"),
    [
        # CPU seconds of the main thread and of the threads of each runtime. The second and the last are made
        # up; the others were read from programs that ran.
        ("import numpy", 0.108, {NUMPYS: [0.021]}, set()),
        (
            "import numpy, with threads that spin for all of the 120 ms",
            0.108,
            {NUMPYS: [0.118, 0.121, 0.119]},
            set(),
        ),
        ("twelve products", 0.267, {NUMPYS: [0.195]}, {NUMPYS}),
        (
            "boosting in three threads",
            1.856,
            {NUMPYS: [0.008], SCIPYS: [0.011], TEAMS: [0.078, 0.08, 0.106]},
            {TEAMS},
        ),
        ("k-means", 3.036, {NUMPYS: [0.146], SCIPYS: [0.011], TEAMS: [1.249]}, {TEAMS}),
        ("logistic regression", 1.878, {NUMPYS: [0.222], SCIPYS: [0.135]}, {NUMPYS}),
        ("a long program with a short product", 60.0, {NUMPYS: [0.4]}, set()),
    ],
)
def test_idle_threads_that_spin_for_a_while_are_not_taken_for_busy(
    what: str,
    main: float,
    threads: Mapping[Key, Sequence[float]],
    at_work: set[Key],
    contracts: Contracts,
) -> None:
    spin = longest_spin(next(one.contract for one in contracts.known if one.qualified == "openblas.openblas"))
    assert 0.12 <= spin < 0.2
    seen = Seen(
        1 + sum(map(len, threads.values())),
        {key: len(runs) for key, runs in threads.items()},
        {key: sum(runs) for key, runs in threads.items()},
        {},
        main,
        {},
        {key: max(runs) for key, runs in threads.items()},
        {NUMPYS: spin, SCIPYS: spin},
    )
    assert {key for key in threads if seen.busy(key)} == at_work, what
