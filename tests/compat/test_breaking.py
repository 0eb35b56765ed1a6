"""Pairs of old and new folders, and what `lpclc breaking` says of each; `--update-golden` writes it anew."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from lpcl.cli import cli

CASES = Path(__file__).resolve().parent / "cases"


def told(folder: Path, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> str:
    """What the command prints, and its exit status."""
    monkeypatch.chdir(folder)
    run = CliRunner().invoke(cli, ["breaking", *arguments], catch_exceptions=False)
    return f"{run.output}exit status {run.exit_code}\n"


@pytest.mark.parametrize("case", sorted(path.name for path in CASES.iterdir()))
def test_case(case: str, monkeypatch: pytest.MonkeyPatch, golden: Callable[[Path, str], None]) -> None:
    golden(CASES / case / "told.txt", told(CASES / case, monkeypatch, "old", "new", "--verbose"))


@pytest.mark.parametrize("output", ["json", "github"])
def test_formats(output: str, monkeypatch: pytest.MonkeyPatch, golden: Callable[[Path, str], None]) -> None:
    shown = told(CASES / "workers", monkeypatch, "old", "new", "--format", output)
    golden(CASES.parent / f"workers.{output}.txt", shown)
