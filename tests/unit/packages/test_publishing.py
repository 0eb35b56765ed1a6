"""A package of contracts is built with the standard tools, put on an index, installed, and found.

All of it without a network; skipped where the tools that build it are not installed.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
HOW_TO = (ROOT / "docs" / "how-to" / "publish-contracts.md").read_text(encoding="utf-8")

pytest.importorskip("hatchling")
pytest.importorskip("pip")

APPLICATION = """\
package app

import tiny_solver.tiny_solver
import joblib.joblib

application grid {
  machine { cpus.online = 8 }
  use tiny_solver, joblib "1.4.2"
  run { joblib.parallel(n_jobs = 2) { tiny_solver.compute } }
}
"""


def run(*command: str, folder: Path, path: Path | None = None) -> str:
    """What a Python program prints, with the distributions in `path` installed."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(str(item) for item in (ROOT, path) if item)}
    done = subprocess.run(
        [sys.executable, "-m", *command],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def published(source: Path, name: str, folder: Path) -> Path:
    """The folder into which a distribution was installed from an index, which is a folder of wheels, too."""
    index, target = folder / "index", folder / "site"
    run(
        "pip",
        "wheel",
        "--no-deps",
        "--no-build-isolation",
        "--no-index",
        "-w",
        str(index),
        ".",
        folder=source,
    )
    (wheel,) = index.iterdir()
    assert wheel.name.endswith("none-any.whl")
    options = ("--no-index", "--find-links", str(index), "--no-deps", "--target", str(target))
    run("pip", "install", *options, name, folder=folder)
    return target


def rows(text: str) -> list[list[str]]:
    """The columns of what `lpclc list` prints."""
    return [re.split(r"  +", line[3:]) for line in text.splitlines()]


def test_a_package_is_found_once_it_is_installed(tmp_path: Path) -> None:
    run("lpcl", "new", "package", "tiny-solver", folder=tmp_path)
    site = published(tmp_path / "lpcl-tiny-solver", "lpcl-tiny-solver", tmp_path)
    user = tmp_path / "user"
    user.mkdir()
    (user / "app.lpcl").write_text(APPLICATION)
    listed = rows(run("lpcl", "list", folder=user, path=site))
    assert ["tiny_solver.tiny_solver", "tiny-solver", "lpcl-tiny-solver 0.1.0", "the only one"] in listed
    chosen = run("lpcl", "list", "--for", "app.lpcl:grid", folder=user, path=site).splitlines()
    assert [line.split()[1] for line in chosen if line.startswith("*")] == [
        "joblib.joblib",
        "tiny_solver.tiny_solver",
    ]
    assert any("version 1.4.2 is stated" in line for line in chosen)
    assert "nothing to report" in run("lpcl", "check", folder=user, path=site)
    assert "tiny_solver.tiny_solver" not in run("lpcl", "list", folder=user)


def test_a_library_ships_its_contract_in_its_own_distribution(tmp_path: Path) -> None:
    library = tmp_path / "library"
    contracts = library / "src" / "rows" / "contracts"
    contracts.mkdir(parents=True)
    project = re.search(r"^```toml\n(.*?)^```$", HOW_TO, re.DOTALL | re.MULTILINE)
    contract = re.search(r"^```lpcl\n// file: \S+\n(.*?)^```$", HOW_TO, re.DOTALL | re.MULTILINE)
    assert project is not None
    assert contract is not None
    (library / "pyproject.toml").write_text(project[1])
    (contracts / "rows.lpcl").write_text(contract[1])
    (library / "src" / "rows" / "__init__.py").write_text('raise SystemExit("this was run")\n')
    assert "nothing to report" in run("lpcl", "check", "--strict", folder=library)
    assert "1 passed" in run("lpcl", "test", folder=library)
    site = published(library, "rows", tmp_path)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    assert ["rows.rows", "rows >=1.3", "rows 1.3.0", "the only one; rows 1.3.0 is installed"] in rows(
        run("lpcl", "list", folder=elsewhere, path=site)
    )
