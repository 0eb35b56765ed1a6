"""Controls that take amounts or shares can be set as threads can: what they lead to is looked at."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from lpcl.cli import cli

TEXT = """package example

import lpcl.core.*

contract engine {
  control part: share { env ENGINE_PART  default 10% }
  control size: bytes in 1 GiB..64 GiB { env ENGINE_SIZE  default 1 GiB }
  operation serve { demand gpu_memory on 0 = part * 160 GB }
  operation hold  { demand memory = size }
}
machine node { cpus.online = 8  gpus = 1  gpu.memory = 80 GB  memory.total = 4 GiB }
application by_variable { machine node  use engine  run { engine.serve } }
application by_argument {
  machine node
  use engine
  control r: share { argument "--r"  default 10% }
  run { engine.serve(part = r) }
}
application by_amount {
  machine node
  use engine
  control s: bytes in 1 GiB..64 GiB { argument "--s"  default 1 GiB }
  run { engine.hold(size = s + s + s) }
}
application twice {
  machine node
  use engine
  env ENGINE_PART = 40%
  run { together { engine.serve engine.serve } }
}
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "app.lpcl").write_text(TEXT)
    monkeypatch.chdir(tmp_path)


def run(*words: str) -> Result:
    return CliRunner().invoke(cli, list(words), catch_exceptions=False)


@pytest.mark.parametrize(
    ("name", "resource"),
    [("by_variable", "gpu_memory"), ("by_argument", "gpu_memory"), ("by_amount", "memory")],
)
def test_what_can_happen_is_found_and_shown(name: str, resource: str) -> None:
    told = run("compose", f"app.lpcl:{name}", "--question", "happen", "--format", "json")
    answer = next(one for one in json.loads(told.output)["can_happen"] if one["resource"].endswith(resource))
    assert answer["answer"] == "yes"
    ((knob, value),) = answer["witness"].items()
    after = run(
        "compose", f"app.lpcl:{name}", "--set", f"{knob.partition(':')[2]}={float(Fraction(value)):.12g}"
    )
    assert f"error[overcommit] {resource}" in after.output


def test_what_would_be_right_is_nearest_to_today() -> None:
    told = run("compose", "app.lpcl:twice")
    assert "128 GB asked for, 80 GB available" in told.output
    assert "engine.part = 40%: ENGINE_PART = 0.4  (app.lpcl:" in told.output
    assert run("compose", "app.lpcl:twice", "--set", "ENGINE_PART=25%").exit_code == 0
    set_today = run("compose", "app.lpcl:by_variable", "--set", "ENGINE_PART=90%")
    assert "ENGINE_PART = 0.9 (chosen)" in set_today.output
    assert "  1. unset ENGINE_PART" in set_today.output
    argument = run("compose", "app.lpcl:by_argument", "--set", "r=90%")
    assert "  1. --r 0.5\n" in argument.output


def test_a_plan_has_them_as_numbers() -> None:
    plan = json.loads(run("build", "app.lpcl:by_argument").output)
    (knob,) = plan["knobs"]
    assert knob["type"] == "real"
    assert len(knob["domain"]["values"]) == 10
    assert run("build", "app.lpcl:by_argument", "-o", "plan.json").exit_code == 0
