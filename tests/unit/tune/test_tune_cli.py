"""The command as users meet it, and as they interrupt it."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from lpcl.cli import cli
from lpcl.plan import plan_to_text
from lpcl.plan.model import Plan

MakePlan = Callable[..., Plan]


@pytest.fixture
def plan_file(make_plan: MakePlan, tmp_path: Path) -> Path:
    path = tmp_path / "plan.json"
    path.write_text(plan_to_text(make_plan({"-": "print('score: 10')", "1": "print('score: 20')"})))
    return path


def lpclc(*arguments: object) -> Result:
    return CliRunner().invoke(cli, ["tune", *(str(argument) for argument in arguments)])


@pytest.mark.usefixtures("quiet")
def test_text_and_json(plan_file: Path, tmp_path: Path) -> None:
    found = lpclc(plan_file, "--out", tmp_path / "out", "--repeat", 4)
    assert found.exit_code == 0
    assert found.stdout.startswith("app: 2 times the score with KNOB=1\n")
    assert found.stderr == ""
    again = lpclc(plan_file, "--out", tmp_path / "out", "--repeat", 4, "--format", "json")
    assert again.exit_code == 0
    assert json.loads(again.stdout)["winner"] == "c1"
    assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL


@pytest.mark.usefixtures("quiet")
def test_a_command_after_two_dashes_replaces_that_of_the_plan(plan_file: Path, tmp_path: Path) -> None:
    found = lpclc(
        plan_file,
        "--out",
        tmp_path / "out",
        "--repeat",
        1,
        "--",
        sys.executable,
        "-c",
        "print('score: 3')",
        "--x",
    )
    assert found.exit_code == 0
    assert "no candidate is better" in found.stdout or "too few runs" in found.stdout


@pytest.mark.usefixtures("quiet")
def test_nothing_measured_is_exit_status_1(plan_file: Path, tmp_path: Path) -> None:
    found = lpclc(
        plan_file, "--out", tmp_path / "out", "--", sys.executable, "-c", "raise SystemExit('no data')"
    )
    assert found.exit_code == 1
    assert "nothing could be measured" in found.stdout
    assert "| no data" in found.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["none.json"], "none.json: No such file or directory"),
        (["{plan}", "--", "no-such-program"], "the command 'no-such-program' does not exist"),
        (["{plan}", "--budget", "1"], "a budget of at least 3 runs"),
        (["{plan}", "--budget", "x"], "'x' is not a valid integer"),
        (["{plan}", "--nonsense"], "No such option"),
        (["{plan}", "--out", "{plan}/x"], "results cannot be kept there"),
        ([], "Missing argument"),
    ],
)
def test_what_it_cannot_do_is_exit_status_2(plan_file: Path, arguments: list[str], message: str) -> None:
    found = lpclc(*(word.replace("{plan}", str(plan_file)) for word in arguments))
    assert found.exit_code == 2
    assert message in found.stderr
    assert "Traceback" not in found.output


@pytest.mark.parametrize(
    "content", [b"", b"\xff\xfe", b"{}", b"[1, 2", b'{"lpcl_plan": 7}', os.urandom(4096)]
)
def test_a_broken_plan_is_exit_status_2(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "plan.json"
    path.write_bytes(content)
    found = lpclc(path)
    assert found.exit_code == 2
    assert found.stderr.startswith(f"lpclc tune: {path}: ")
    assert found.stderr.count("\n") == 1


def counted(folder: Path) -> int:
    """How many runs are kept."""
    lines = [line for path in folder.glob("runs-*.jsonl") for line in path.read_text().splitlines()]
    return sum('"type": "run"' in line for line in lines)


def start(root: Path, *arguments: object, terminal: int | None = None) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", "from lpcl.cli.tune import command; command()", *map(str, arguments)],
        cwd=root,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE if terminal is None else terminal,
        text=True,
        start_new_session=True,
    )


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_by_a_signal_it_keeps_its_runs_and_resumes(
    root: Path, make_plan: MakePlan, tmp_path: Path, number: int
) -> None:
    slow = (
        "open(f'pid-{os.getpid()}', 'w'); time.sleep(0.1); print('score:', 10 * int(knob.replace('-', '1')))"
    )
    plan = make_plan({"-": slow, "2": slow}, prelude=f"os.chdir({str(tmp_path)!r})")
    path = tmp_path / "plan.json"
    path.write_text(plan_to_text(plan))
    out = tmp_path / "out"
    tuner = start(root, path, "--out", out, "--repeat", 4)
    deadline = time.monotonic() + 60
    while counted(out) < 3:
        assert time.monotonic() < deadline, "no run was kept"
        assert tuner.poll() is None, tuner.communicate()
        time.sleep(0.01)
    tuner.send_signal(number)
    printed, complaints = tuner.communicate(timeout=60)
    assert tuner.returncode == 130, complaints
    assert "app: interrupted after" in printed
    assert "Traceback" not in complaints
    kept = counted(out)
    assert 3 <= kept < 17
    for mark in tmp_path.glob("pid-*"):
        assert not Path(f"/proc/{mark.name.removeprefix('pid-')}").exists()
    if number == signal.SIGTERM:
        return
    tuner = start(root, path, "--out", out, "--repeat", 4, "--format", "json")
    printed, complaints = tuner.communicate(timeout=120)
    assert tuner.returncode == 0, complaints
    document = json.loads(printed)
    assert document["runs"] == {"used": 17, "resumed": kept, "budget": 17}
    assert document["winner"] == "c2"
    assert counted(out) == 17


def test_on_a_terminal_a_bar_shows_how_far_it_is(root: Path, plan_file: Path, tmp_path: Path) -> None:
    master, slave = pty.openpty()
    tuner = start(root, plan_file, "--out", tmp_path / "out", "--repeat", 1, terminal=slave)
    os.close(slave)
    shown = b""
    while True:
        try:
            piece = os.read(master, 65536)
        except OSError:
            break
        if not piece:
            break
        shown += piece
    os.close(master)
    printed, _ = tuner.communicate(timeout=60)
    assert tuner.returncode == 0
    assert b"3/" in shown
    assert b"search 1" in shown
    assert "3/" not in printed


def test_help_says_what_a_person_needs() -> None:
    found = lpclc("--help")
    assert found.exit_code == 0
    for word in ("--budget", "--out", "--resume", "Exit status", "COMMAND"):
        assert word in found.output


def test_starting_it_loads_neither_rich_nor_the_tuner(root: Path) -> None:
    code = (
        "import sys, lpcl.cli.tune\n"
        "print([name for name in sys.modules if name.startswith(('rich', 'lpcl.tune', 'lpcl.plan'))])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=root)
    assert found.stdout == "[]\n"
