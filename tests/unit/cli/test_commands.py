"""The command line as a user meets it, in fresh processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import lpcl

ROOT = Path(__file__).resolve().parents[3]

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run `lpclc` in an empty project."""
    (tmp_path / "pyproject.toml").write_text("")

    def lpclc(*words: str, **variables: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "lpcl", *words],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT), **variables},
            check=False,
        )

    return lpclc


def test_version_and_help(run: Run) -> None:
    assert run("--version").stdout == f"lpclc {lpcl.__version__}\n"
    shown = run("--help")
    assert shown.returncode == 0
    assert "check find mistakes" in " ".join(shown.stdout.split())
    assert run("check", "--help").returncode == 0


def test_unknown_commands_and_codes(run: Run) -> None:
    found = run("chekc")
    assert found.returncode == 2
    assert "there is no command 'chekc'. Did you mean 'check'?" in found.stderr
    found = run("explain", "unknwon-name")
    assert found.returncode == 2
    assert "Did you mean 'unknown-name'?" in found.stderr
    assert run("check", "--nonsense").returncode == 2


def test_explain(run: Run) -> None:
    assert run("explain", "out-of-range").stdout.startswith("# out-of-range\n")
    assert "out-of-range" in run("explain").stdout


@pytest.mark.parametrize(
    ("text", "options", "status"),
    [
        ("package p\ncontract c { }\n", (), 0),
        ("package p\ncontract c { let a = b }\n", (), 1),
        ("package p\n@odd contract c { }\n", (), 0),
        ("package p\n@odd contract c { }\n", ("--strict",), 1),
        ("package p\ncontract c { let a = }\n", (), 1),
        ("", (), 0),
    ],
)
def test_status_of_check(run: Run, tmp_path: Path, text: str, options: tuple[str, ...], status: int) -> None:
    (tmp_path / "a.lpcl").write_text(text)
    assert run("check", *options).returncode == status
    assert run("check", "a.lpcl", "--format", "json", *options).returncode == status


def test_what_cannot_be_read(run: Run, tmp_path: Path) -> None:
    found = run("check", "missing.lpcl")
    assert found.returncode == 2
    assert "error[unreadable-file]: cannot read `missing.lpcl`: no such file or folder" in found.stdout
    assert found.stderr == ""
    (tmp_path / "a.lpcl").write_bytes(os.urandom(10_000))
    found = run("check")
    assert found.returncode == 1
    assert "error[encoding]: `a.lpcl` is not UTF-8 text" in found.stdout


def test_an_empty_folder(run: Run) -> None:
    found = run("check")
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr == "There are no .lpcl files here.\n"


def test_json_is_the_only_output(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.lpcl").write_text("package p\ncontract c { let a = b }\n")
    document = json.loads(run("check", "--format", "json").stdout)
    assert document["version"] == 1
    assert [item["code"] for item in document["findings"]] == ["unknown-name"]


def test_colours_only_where_they_are_wanted(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.lpcl").write_text("package p\ncontract c { let a = b }\n")
    assert "\x1b" not in run("check").stdout
    assert "\x1b" in run("check", "--color", "always").stdout


def test_a_large_expression_is_a_finding_or_nothing(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.lpcl").write_text("package p\ncontract c { let a = " + "1 + " * 50_000 + "1 }\n")
    found = run("check")
    assert found.returncode in (0, 1)
    assert "Traceback" not in found.stderr
    assert len(found.stdout) < 2000


def test_a_fault_of_the_tool_is_a_message(run: Run, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import lpcl.service\n"
        "def broken(*_):\n"
        "    raise RuntimeError('something is odd')\n"
        "lpcl.service.open_workspace = broken\n"
    )
    here = {"PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"}
    found = run("check", **here)
    assert found.returncode == 2
    assert "lpclc: internal error: RuntimeError: something is odd" in found.stderr
    assert "Please report it" in found.stderr
    assert "Traceback" not in found.stderr
    assert "Traceback" in run("check", **here, LPCL_DEBUG="1").stderr


@pytest.mark.parametrize("words", ["check", "check --format concise --no-cache", "fmt --diff", "list"])
def test_a_reader_that_leaves_is_no_fault(tmp_path: Path, words: str) -> None:
    (tmp_path / "a.lpcl").write_text("package p\ncontract c { " + "let a = b\n" * 9000 + "}\n")
    command = f"{sys.executable} -m lpcl {words} | head -1"
    found = subprocess.run(
        ["sh", "-c", command],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=False,
    )
    assert found.stderr == ""


def test_a_person_is_shown_so_many_findings(tmp_path: Path, run: Run) -> None:
    lines = "".join(f"  let v{number} = nothing{number}\n" for number in range(1200))
    (tmp_path / "a.lpcl").write_text(f"package p\ncontract c {{\n{lines}}}\n")
    shown = run("check", "--no-cache")
    every = run("check", "--no-cache", "--format", "concise").stdout.count("error[")
    assert every > 1000
    assert shown.stdout.count("error[") == 1000
    assert f"{every - 1000} more not shown; --format concise shows all." in shown.stdout
    assert f"{every} errors in 1 file; 1 file checked." in shown.stdout
