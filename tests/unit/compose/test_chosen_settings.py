"""What `--set` takes: names, and settings as answers show them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from lpcl.cli import cli

TEXT = """package example

import lpcl.core.*

contract team {
  control threads: count in 1..64 { env TEAM_THREADS  default 8 }
  pool workers { size threads  callers fork }
  operation work { runs on workers }
  operation map(n: count) { workers threads n }
}

machine eight { cpus.online = 8 }

application search {
  machine eight
  use team
  env TEAM_THREADS = 3
  control jobs: count in 1..16 { argument "--jobs"  default 8 }
  control other: count in 1..16 { argument "train.other={}"  default 1 }
  control plain: count in 1..16 { default 1 }
  control n: count in 1..16 { argument "-n"  default 1 }
  run { team.map(n = jobs * other * plain * n) { team.work } }
}
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "app.lpcl").write_text(TEXT)
    (tmp_path / "two.lpcl").write_text(TEXT.replace("package example", "package two"))
    monkeypatch.chdir(tmp_path)


def compose(*words: str) -> Result:
    return CliRunner().invoke(cli, ["compose", "app.lpcl", *words], catch_exceptions=False)


@pytest.mark.parametrize(
    ("choice", "runnable"),
    [
        ("jobs=2", 6),
        ("--jobs=2", 6),
        ("--jobs 2", 6),
        ("jobs = 2", 6),
        ("train.other=2", 48),
        ("train.other = 2", 48),
        ("plain = 2", 48),
        ("-n 2", 48),
        ("-n=2", 48),
        ("TEAM_THREADS=1", 8),
        ("TEAM_THREADS=", 64),
        ("unset TEAM_THREADS", 64),
        ("team.threads=2", 16),
    ],
)
def test_a_setting_in_each_form(choice: str, runnable: int) -> None:
    result = compose("--format", "json", "--set", choice)
    assert json.loads(result.stdout)["structure"]["runnable"] == runnable


def test_what_an_answer_proposes_can_be_given_back() -> None:
    told = json.loads(compose("--format", "json").stdout)
    lines = compose().stdout.splitlines()
    assert told["findings"]
    first = next(line.split(". ", 1)[1] for line in lines if line.lstrip().startswith("1. "))
    words = [word for setting in first.split(", ") for word in ("--set", setting)]
    assert json.loads(compose("--format", "json", *words).stdout)["findings"] == []


@pytest.mark.parametrize("choice", ["--job=2", "--jobs", "--jobs=many", "--jobs 99"])
def test_an_argument_that_is_none(choice: str) -> None:
    result = compose("--set", choice)
    assert result.exit_code == 2
    assert "jobs" in result.stderr
