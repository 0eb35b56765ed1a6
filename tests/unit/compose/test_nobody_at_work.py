"""Work does not vanish: a pool of 0 threads leaves it to its callers, whatever the pool's policy."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from lpcl.cli import cli

TEXT = """package example

import lpcl.core.*

contract packer {{
  control n: count in 0..8 {{ env N  default 0 }}
  pool workers {{ size n  callers {policy}  caller {role} }}
  operation pack {{ runs on workers }}
  operation split(k: count) {{ workers threads k }}
}}
machine four {{ cpus.online = 4 }}
application alone {{ machine four  use packer  run {{ packer.pack }} }}
application several {{ machine four  use packer  run {{ packer.split(k = 3) {{ packer.pack }} }} }}
application within {{ machine four  use packer  run {{ packer.pack {{ packer.pack }} }} }}
"""

POLICIES = ["fork", "queue", "submit", "join", "forbid"]


def cpu(folder: Path, application: str, *words: str) -> tuple[int, list[str]]:
    """What is asked of the CPUs, and the kinds of the findings."""
    words = ("compose", "--format", "json", f"{folder}/app.lpcl:{application}", *words)
    result = CliRunner().invoke(cli, list(words), catch_exceptions=False)
    told = json.loads(result.stdout)
    return told["structure"]["runnable"], [one["kind"] for one in told["findings"]]


@pytest.mark.parametrize("role", ["joins", "waits"])
@pytest.mark.parametrize("policy", POLICIES)
def test_callers_do_the_work_of_a_pool_of_no_threads(tmp_path: Path, policy: str, role: str) -> None:
    (tmp_path / "app.lpcl").write_text(TEXT.format(policy=policy, role=role))
    assert cpu(tmp_path, "alone")[0] == 1
    amount, kinds = cpu(tmp_path, "several")
    assert amount == 3
    assert "serialized" not in kinds
    assert "hazard" not in kinds
    assert cpu(tmp_path, "within")[0] == 1


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("default", [1, 2])
def test_a_block_on_a_pool_that_it_calls_itself(tmp_path: Path, policy: str, default: int) -> None:
    text = TEXT.format(policy=policy, role="waits").replace("default 0", f"default {default}")
    (tmp_path / "app.lpcl").write_text(text)
    assert cpu(tmp_path, "within")[0] == default


@pytest.mark.parametrize("policy", ["fork", "queue", "submit"])
def test_the_ledger_says_why(tmp_path: Path, policy: str) -> None:
    text = TEXT.format(policy=policy, role="waits").replace("cpus.online = 4", "cpus.online = 2")
    (tmp_path / "app.lpcl").write_text(text)
    words = ["compose", f"{tmp_path}/app.lpcl:several"]
    told = CliRunner().invoke(cli, words, catch_exceptions=False).stdout
    assert "3 callers at work, for the pool `packer.workers` has no threads" in told, told
