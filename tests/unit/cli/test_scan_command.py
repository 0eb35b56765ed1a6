"""`lpclc scan` on programs that end at once, fail, need input, are interrupted, or cannot be watched at
all.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from lpcl import service
from lpcl.scan.watching import Unwatchable, watch_process

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="programs are watched on Linux")

LPCLC = (sys.executable, "-m", "lpcl", "scan")
WAITING = "import time; time.sleep(0.6)"


def scan(
    folder: Path, *words: str, data: bytes = b"", timeout: float = 60
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*LPCLC, *words], cwd=folder, input=data, capture_output=True, timeout=timeout, check=False
    )


def python(code: str) -> list[str]:
    return ["--", sys.executable, "-c", code]


def told(run: subprocess.CompletedProcess[bytes]) -> str:
    return run.stderr.decode()


def sound(path: Path) -> None:
    workspace = service.open_workspace((str(path),))
    assert [item.headline for item in workspace.diagnostics] == []


def test_what_the_command_prints_and_its_status_are_its_own(tmp_path: Path) -> None:
    code = (
        "import sys,time; time.sleep(.5); sys.stdout.buffer.write(bytes(range(256)));"
        "sys.stderr.write('oh'); sys.exit(3)"
    )
    run = scan(tmp_path, *python(code))
    assert run.stdout == bytes(range(256))
    assert told(run).startswith("oh")
    assert run.returncode == 3
    assert "next: lpclc compose scan.lpcl" in told(run)
    sound(tmp_path / "scan.lpcl")


def test_the_command_reads_what_is_meant_for_it(tmp_path: Path) -> None:
    code = "import sys,time; time.sleep(.5); sys.stdout.write(sys.stdin.read().upper())"
    run = scan(tmp_path, *python(code), data=b"hello")
    assert (run.stdout, run.returncode) == (b"HELLO", 0)


@pytest.mark.parametrize(("code", "status"), [("pass", 0), ("raise SystemExit(7)", 7)])
def test_a_command_that_ends_at_once(code: str, status: int, tmp_path: Path) -> None:
    run = scan(tmp_path, *python(code))
    assert run.returncode == status
    assert "Traceback" not in told(run)
    assert (tmp_path / "scan.lpcl").exists() or "nothing was written" in told(run)


def test_a_command_that_a_signal_ends(tmp_path: Path) -> None:
    run = scan(tmp_path, *python("import os,time; time.sleep(.4); os.kill(os.getpid(), 11)"))
    assert run.returncode == 128 + signal.SIGSEGV
    sound(tmp_path / "scan.lpcl")


@pytest.mark.parametrize(
    ("words", "status", "reason"),
    [
        ([], 2, "give the command to watch after '--', or a process with --pid"),
        (["--pid", "1", "--", "true"], 2, "give the command to watch"),
        (["--pid", "0"], 2, "0 is not in the range"),
        (["--pid", "4194305"], 2, "there is no process 4194305"),
        (["--duration", "0", "--", "true"], 2, "duration"),
        (["--", "no-such-command"], 127, "there is no command 'no-such-command'"),
        (["--", "./plain"], 126, "'./plain' cannot be run: Permission denied"),
        (["-o", "plain", "--", "true"], 2, "it has to end in .lpcl"),
        (["-o", "no/where.lpcl", "--", "true"], 2, "there is no folder no"),
        (["-o", "folder.lpcl", "--", "true"], 2, "folder.lpcl is a folder"),
        (["-o", "there.lpcl", "--", "touch", "ran"], 2, "is there already"),
    ],
)
def test_what_cannot_be_done(words: Sequence[str], status: int, reason: str, tmp_path: Path) -> None:
    (tmp_path / "plain").write_text("no program")
    (tmp_path / "there.lpcl").write_text("package mine\n")
    (tmp_path / "folder.lpcl").mkdir()
    run = scan(tmp_path, *words)
    assert run.returncode == status
    assert reason in told(run)
    assert "Traceback" not in told(run)
    assert not (tmp_path / "ran").exists(), "nothing is run where its description could not be kept"
    assert (tmp_path / "there.lpcl").read_text() == "package mine\n"


def test_a_file_that_is_there_is_written_over_when_that_is_asked_for(tmp_path: Path) -> None:
    (tmp_path / "there.lpcl").write_text("package mine\n")
    run = scan(tmp_path, "--force", "-o", "there.lpcl", *python(WAITING))
    assert run.returncode == 0
    assert "application" in (tmp_path / "there.lpcl").read_text()


def test_the_file_on_standard_output(tmp_path: Path) -> None:
    run = scan(tmp_path, "-o", "-", *python(WAITING))
    assert run.stdout.startswith(b"package ")
    assert not (tmp_path / "scan.lpcl").exists()


def test_a_duration_ends_the_command_even_one_that_ignores_signals(tmp_path: Path) -> None:
    code = "import signal,time; [signal.signal(s, signal.SIG_IGN) for s in (2, 15)]; time.sleep(100)"
    run = scan(tmp_path, "--duration", "1", *python(code), timeout=40)
    assert run.returncode == 0
    assert "watched until its time was up" in told(run)
    sound(tmp_path / "scan.lpcl")


def test_a_running_process_is_watched_and_left_as_it_is(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"]) as other:
        try:
            run = scan(tmp_path, "--pid", str(other.pid), "--duration", "0.5")
            assert run.returncode == 0
            assert other.poll() is None
            text = (tmp_path / "scan.lpcl").read_text()
            assert "a running process" in text
            assert "command" not in text
            sound(tmp_path / "scan.lpcl")
        finally:
            other.kill()


def test_a_process_that_vanishes(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3)"]) as other:
        run = scan(tmp_path, "--pid", str(other.pid))
    assert run.returncode in (0, 2)
    assert "Traceback" not in told(run)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_a_process_of_somebody_else() -> None:
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.setgroups([])
        os.setuid(65534)
        try:
            watch_process(os.getppid(), frozenset(), 0.02, 1.0)
        except Unwatchable as problem:
            os.write(writing, f"{problem.status} {problem}".encode())
        finally:
            os._exit(0)
    os.close(writing)
    os.waitpid(child, 0)
    with os.fdopen(reading, "rb") as pipe:
        assert pipe.read().decode() == (
            f"2 process {os.getpid()} may not be looked at: it is another user's "
            "(run lpclc as that user, or as root)"
        )


def test_what_detaches_is_seen_and_left_alone(tmp_path: Path) -> None:
    code = (
        "import os,time\n"
        "if os.fork() == 0:\n"
        "    os.setsid()\n"
        "    if os.fork() == 0:\n"
        "        open('here', 'w').write(str(os.getpid())); time.sleep(30)\n"
        "    os._exit(0)\n"
        "time.sleep(.5)\n"
    )
    run = scan(tmp_path, *python(code))
    pid = int((tmp_path / "here").read_text())
    try:
        assert run.returncode == 0
        assert "1 process of it still running" in told(run)
        os.kill(pid, 0)
    finally:
        os.kill(pid, signal.SIGKILL)


def test_ctrl_c_reaches_the_command_and_the_file_is_written(tmp_path: Path) -> None:
    code = (
        "import time\ntry: time.sleep(60)\nexcept KeyboardInterrupt: print('stopping'); raise SystemExit(5)"
    )
    running = subprocess.Popen(
        [*LPCLC, *python(code)],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    time.sleep(3)
    os.killpg(running.pid, signal.SIGINT)  # as a terminal does: to lpclc and to the command
    out, err = running.communicate(timeout=40)
    assert out == b"stopping\n", err
    assert running.returncode == 5
    sound(tmp_path / "scan.lpcl")


def test_a_second_ctrl_c_ends_a_command_that_ignores_the_first(tmp_path: Path) -> None:
    code = "import signal,time; signal.signal(2, signal.SIG_IGN); time.sleep(60)"
    running = subprocess.Popen(
        [*LPCLC, *python(code)], cwd=tmp_path, stderr=subprocess.PIPE, start_new_session=True
    )
    time.sleep(3)
    os.killpg(running.pid, signal.SIGINT)
    time.sleep(0.5)
    os.killpg(running.pid, signal.SIGINT)
    _, err = running.communicate(timeout=40)
    assert running.returncode == 128 + signal.SIGTERM, err
    assert b"interrupted" in err
    sound(tmp_path / "scan.lpcl")


def test_variables_that_no_contract_reads_are_not_kept(tmp_path: Path) -> None:
    variables = {**os.environ, "MY_API_TOKEN": "hunter2", "OMP_NUM_THREADS": "3"}
    code = "import numpy,time; numpy.ones((400, 400)) @ numpy.ones((400, 400)); time.sleep(1)"
    subprocess.run(
        [*LPCLC, *python(code)],
        cwd=tmp_path,
        env=variables,
        check=True,
        capture_output=True,
    )
    text = (tmp_path / "scan.lpcl").read_text()
    assert "hunter2" not in text
    assert "env OMP_NUM_THREADS = 3" in text
