"""Runs of real programs: whatever they do, they become a result, and nothing of them stays behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from lpcl.tune import output, runner
from lpcl.tune.runner import RunOutcome, RunSpec, run

RunPython = Callable[..., RunOutcome]


def gone(pid: int) -> bool:
    """Whether a process is no more, or is dead and only waits to be collected."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return True
    return status.rpartition(")")[2].split()[0] in "ZX"


def test_a_program_that_ends_well(run_python: RunPython, tmp_path: Path) -> None:
    outcome = run_python(
        "import os, sys; print('hello', os.environ['X']); print('oops', file=sys.stderr)", X="y"
    )
    assert (outcome.end, outcome.exit_code, outcome.signal, outcome.leftovers) == ("ok", 0, None, 0)
    assert outcome.stdout_tail == "hello y"
    assert outcome.stderr_tail == "oops"
    assert (tmp_path / "out").read_text() == "hello y\n"


def test_it_starts_in_its_folder_with_nothing_to_read_and_a_session_of_its_own(
    run_python: RunPython, tmp_path: Path
) -> None:
    outcome = run_python(
        "import os, signal, sys\n"
        "print(os.getcwd(), sys.stdin.read() == '', os.getsid(0) == os.getpid())\n"
        "print(signal.pthread_sigmask(signal.SIG_BLOCK, []), signal.getsignal(signal.SIGTERM).name)"
    )
    first, second = outcome.stdout_tail.splitlines()
    assert first == f"{tmp_path} True True"
    assert second == "set() SIG_DFL"


@pytest.mark.parametrize(
    ("code", "exit_code", "name"),
    [
        ("import sys; sys.exit(3)", 3, None),
        ("import os; os.abort()", None, "SIGABRT"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", None, "SIGSEGV"),
        ("import os; os.kill(os.getpid(), 40)", None, "signal 40"),
        ("raise ValueError('some reason')", 1, None),
    ],
)
def test_a_crash_is_a_result(
    run_python: RunPython, code: str, exit_code: int | None, name: str | None
) -> None:
    outcome = run_python(code)
    assert (outcome.end, outcome.exit_code, outcome.signal) == ("crashed", exit_code, name)
    assert outcome.signals is not None
    if exit_code == 1:
        assert outcome.stderr_tail.endswith("ValueError: some reason")


def test_a_crash_leaves_no_core_file(run_python: RunPython) -> None:
    outcome = run_python("import resource; print(resource.getrlimit(resource.RLIMIT_CORE)[0])")
    assert outcome.stdout_tail == "0"


def test_a_hang_ends_at_the_time_limit(run_python: RunPython) -> None:
    outcome = run_python(
        "import threading; threading.Lock().acquire(); print('waiting', flush=True)\n"
        "lock = threading.Lock(); lock.acquire(); lock.acquire()",
        limit=1.5,
    )
    assert (outcome.end, outcome.exit_code, outcome.signal) == ("timed_out", None, None)
    assert outcome.stdout_tail == "waiting"
    assert outcome.wall >= 1.5


def test_a_program_that_ignores_sigterm_is_ended_all_the_same(run_python: RunPython, tmp_path: Path) -> None:
    outcome = run_python(
        "import os, signal, time\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "open('pid', 'w').write(str(os.getpid()))\n"
        "time.sleep(600)",
        limit=1.5,
    )
    assert outcome.end == "timed_out"
    assert gone(int((tmp_path / "pid").read_text()))


def test_a_program_may_clean_up_when_its_time_is_up(run_python: RunPython) -> None:
    outcome = run_python(
        "import signal, sys, time\n"
        "signal.signal(signal.SIGTERM, lambda *_: sys.exit('cleaned up'))\n"
        "time.sleep(600)",
        limit=1.5,
    )
    assert outcome.end == "timed_out"
    assert outcome.stderr_tail == "cleaned up"


ORPHANS = """
import os, sys, time
def orphan(depth):
    if os.fork() == 0:
        os.setsid()
        if depth:
            orphan(depth - 1)
        else:
            open(f'pid{sys.argv[1]}', 'a').write(f'{os.getpid()} ')
            time.sleep(600)
        os._exit(0)
    os.wait() if depth else None
"""


@pytest.mark.parametrize("ends", [True, False])
def test_children_that_left_group_and_session_are_ended_too(
    run_python: RunPython, tmp_path: Path, ends: bool
) -> None:
    code = ORPHANS.replace("sys.argv[1]", "1") + (
        "orphan(1); orphan(2)\n"
        "while len(open('pid1').read().split()) < 2: time.sleep(0.01)\n"
        + ("" if ends else "time.sleep(600)\n")
    )
    (tmp_path / "pid1").touch()
    outcome = run_python(code, limit=20.0 if ends else 1.5)
    pids = [int(word) for word in (tmp_path / "pid1").read_text().split()]
    assert len(pids) == 2
    assert all(gone(pid) for pid in pids)
    assert outcome.end == ("ok" if ends else "timed_out")
    assert outcome.leftovers == (2 if ends else 0)


def test_helpers_that_end_by_themselves_are_no_leftovers(run_python: RunPython) -> None:
    outcome = run_python("import os, time\nif os.fork() == 0:\n    time.sleep(0.2); os._exit(0)")
    assert (outcome.end, outcome.leftovers) == ("ok", 0)


def test_a_flood_of_output_stays_within_bounds(run_python: RunPython, tmp_path: Path) -> None:
    outcome = run_python(
        "import os\nos.write(1, b'first line\\n')\n"
        "block = b'x' * 99 + b'\\n'\n"
        f"for _ in range({(output.LIMIT + 2**22) // 100_000}): os.write(1, block * 1000)\n"
        "os.write(1, b'last line\\n')"
    )
    assert outcome.end == "ok"
    kept = (tmp_path / "out").read_bytes()
    assert len(kept) < output.LIMIT / 10
    assert kept.startswith(b"first line\n")
    assert kept.endswith(b"last line\n")
    assert b"bytes left out" in kept
    assert outcome.stdout_tail.splitlines()[-1] == "last line"
    assert len(outcome.stdout_tail) <= output.TAIL_BYTES


def test_output_that_is_no_text(run_python: RunPython) -> None:
    assert run_python("import os; os.write(1, b'a\\xff\\x00b')").stdout_tail == "a\ufffd\0b"


def test_a_program_that_cannot_be_started(tmp_path: Path) -> None:
    spec = RunSpec("/nowhere/at/all", ("all",), {}, tmp_path, 5.0, tmp_path / "o", tmp_path / "e")
    outcome = run(spec)
    assert (outcome.end, outcome.note, outcome.signals) == ("unstartable", "No such file or directory", None)
    text = tmp_path / "text"
    text.write_text("no program")
    text.chmod(0o755)
    assert (
        run(RunSpec(str(text), ("t",), {}, tmp_path, 5.0, tmp_path / "o", tmp_path / "e")).end
        == "unstartable"
    )


def test_if_the_supervisor_is_killed_its_processes_are_found_by_their_mark(
    run_python: RunPython, tmp_path: Path
) -> None:
    outcome = run_python(
        "import os, signal, time\n"
        "if os.fork() == 0:\n    os.setsid(); open('pid', 'w').write(str(os.getpid())); time.sleep(600)\n"
        "while not os.path.exists('pid') or not open('pid').read(): time.sleep(0.01)\n"
        "os.kill(os.getppid(), signal.SIGKILL); time.sleep(600)"
    )
    assert (outcome.end, outcome.signal) == ("crashed", "SIGKILL")
    assert "supervisor" in outcome.note
    assert gone(int((tmp_path / "pid").read_text()))


DRIVER = """
import os, sys
from pathlib import Path
from lpcl.tune.runner import RunSpec, run
here = Path(sys.argv[1])
code = "import os, time\\nif os.fork() == 0: os.setsid()\\nopen(f'pid{os.getpid()}', 'w'); time.sleep(600)"
try:
    spec = (sys.executable, ("python", "-c", code), dict(os.environ), here, 600.0, here / "o", here / "e")
    run(RunSpec(*spec))
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_when_the_tuner_is_stopped_its_run_is_ended(root: Path, tmp_path: Path, number: int) -> None:
    driver = subprocess.Popen(
        [sys.executable, "-c", DRIVER, str(tmp_path)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=root,
        start_new_session=True,
    )
    deadline = time.monotonic() + 30
    while len(list(tmp_path.glob("pid*"))) < 2:
        assert time.monotonic() < deadline, "the program did not start"
        time.sleep(0.01)
    driver.send_signal(number)
    printed, _ = driver.communicate(timeout=30)
    assert printed == ("interrupted\n" if number == signal.SIGINT else "")
    pids = [int(path.name.removeprefix("pid")) for path in tmp_path.glob("pid*")]
    deadline = time.monotonic() + 30
    while not all(gone(pid) for pid in pids):
        assert time.monotonic() < deadline, "a process of the run is still there"
        time.sleep(0.01)


def test_runs_in_a_thread_work_too(run_python: RunPython) -> None:
    outcomes: list[RunOutcome] = []
    thread = threading.Thread(target=lambda: outcomes.append(run_python("print(1)")))
    thread.start()
    thread.join()
    assert outcomes[0].end == "ok"


def test_a_faulty_supervisor_is_not_taken_for_a_result(
    monkeypatch: pytest.MonkeyPatch, run_python: RunPython
) -> None:
    monkeypatch.setattr(runner.json, "dumps", lambda _: "no orders")
    with pytest.raises(RuntimeError, match="supervisor"):
        run_python("print(1)")


def test_where_runs_can_be_supervised(monkeypatch: pytest.MonkeyPatch) -> None:
    assert runner.supported() is None
    monkeypatch.setattr(runner.proc, "task_times", lambda process, task: None)  # noqa: ARG005
    assert "schedstat" in (runner.supported() or "")
    monkeypatch.setattr(runner.sys, "platform", "darwin")
    assert "darwin" in (runner.supported() or "")


def test_the_supervisor_loads_little(root: Path) -> None:
    code = "import sys; import lpcl.tune.supervisor; import json; print(json.dumps(sorted(sys.modules)))"
    printed = subprocess.run(
        [sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, {str(root)!r}); {code}"],
        capture_output=True,
        text=True,
        check=True,
        env={"PATH": os.environ["PATH"]},
    ).stdout
    loaded = {name for name in json.loads(printed) if name.startswith("lpcl")}
    wanted = {"proc", "machine_load", "output", "sampling", "signals", "supervisor"}
    assert loaded == {"lpcl", "lpcl.tune", *(f"lpcl.tune.{name}" for name in wanted)}
