"""Fractions of what is left: who starts first has more of it."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st

from lpcl.cli import cli
from lpcl.compose.composition import compose
from lpcl.model.program import Program, SourceFile
from lpcl.syntax.parser import parse

CORE = (Path(__file__).resolve().parents[3] / "stdlib_contracts/core/core.lpcl").read_text()

LIBRARY = """package example

import lpcl.core.*

contract held {
  demand gpu_memory on 0 = 10 GB
  operation rest { demand cpu = 0 }
}

contract engine {
  operation fixed(amount: bytes, device: count = 0) { demand gpu_memory on device = amount  demand cpu = 0 }
  operation greedy(part: share, device: count = 0) {
    demand gpu_memory on device = part * machine.gpu.memory.free
    demand cpu = 0
  }
  operation upto(amount: bytes) { demand gpu_memory on 0 in 0 B .. amount  demand cpu = 0 }
  operation needs(amount: bytes) { assume machine.gpu.memory.free >= amount else "too little is left" }
  operation threads(n: count) { workers threads n }
  operation processes(n: count) { workers processes n { start spawn } }
}

machine node { cpus.online = 8  gpus = 2  gpu.memory = 80 GB }
"""


def program(run: str, members: str = "") -> Program:
    """An application of the library."""
    text = f"{LIBRARY}\napplication app {{ machine node  use engine, held  {members}  run {{ {run} }} }}\n"
    files = []
    for path, source in (("core.lpcl", CORE), ("app.lpcl", text)):
        parsed = parse(source)
        assert not parsed.faults, parsed.faults
        files.append(SourceFile(path, source, parsed))
    return Program(tuple(files))


def asked(run: str, members: str = "") -> tuple[Fraction, Fraction] | str:
    """The least and the most that is asked of device 0, in GB, or why nothing can be said."""
    whole = program(run, members)
    outcome = compose(whole, whole.declarations["example.app"][0])
    if outcome.composition is None:
        return outcome.diagnostics[0].headline
    for item in outcome.composition.assessment.demands:
        if item.sum.device == 0:
            return Fraction(item.low) / 10**9, Fraction(item.high) / 10**9
    return Fraction(0), Fraction(0)


@pytest.mark.parametrize(
    ("run", "low", "high"),
    [
        ("engine.greedy(part = 50%)", 40, 40),
        ("together { engine.greedy(part = 50%)  engine.greedy(part = 50%) }", 60, 60),
        ("together { engine.fixed(amount = 30 GB)  engine.greedy(part = 100%) }", 80, 80),
        ("together { engine.greedy(part = 100%)  engine.fixed(amount = 30 GB) }", 110, 110),
        ("engine.fixed(amount = 70 GB)  engine.greedy(part = 50%)", 70, 70),  # the first one is over
        ("engine.fixed(amount = 30 GB) { engine.greedy(part = 50%) }", 55, 55),  # and here it goes on
        ("held.rest  engine.greedy(part = 50%)", 45, 45),  # what is loaded stays
        ("together { engine.fixed(amount = 80 GB, device = 1)  engine.greedy(part = 50%) }", 40, 40),
        ("together { engine.upto(amount = 40 GB)  engine.greedy(part = 50%) }", 20, 80),
        ("engine.processes(n = 1) { held.rest  engine.greedy(part = 50%) }", 45, 45),
        ("held.rest  engine.processes(n = 1) { engine.greedy(part = 50%) }", 45, 45),
        (
            "together { engine.processes(n = 3) { engine.fixed(amount = 10 GB) } engine.greedy(part = 50%) }",
            55,
            55,
        ),
        (
            "together { engine.threads(n = 2) { held.rest  engine.fixed(amount = 5 GB) } "
            "engine.greedy(part = 50%) }",
            50,
            50,
        ),
    ],
)
def test_who_starts_first(run: str, low: int, high: int) -> None:
    assert asked(run) == (low, high)


def test_what_others_use_is_not_left() -> None:
    assert asked("engine.greedy(part = 50%)", "background gpu_memory = 20 GB") == (30, 30)


@pytest.mark.parametrize("workers", ["threads", "processes"])
def test_several_at_once_have_no_order(workers: str) -> None:
    said = asked(f"engine.{workers}(n = 2) {{ engine.greedy(part = 50%) }}")
    assert isinstance(said, str)
    assert "is read here by 2 at once" in said


def test_an_assumption_about_what_is_left() -> None:
    whole = program("together { engine.fixed(amount = 50 GB)  engine.needs(amount = 40 GB) }")
    outcome = compose(whole, whole.declarations["example.app"][0])
    assert outcome.composition is not None
    assert [finding.kind.value for finding in outcome.composition.assessment.findings] == ["assumption"]


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.lists(st.tuples(st.sampled_from(["fixed", "greedy"]), st.integers(0, 10)), min_size=1, max_size=5))
def test_as_plain_arithmetic_has_it(starts: list[tuple[str, int]]) -> None:
    """One after the other, each takes its tenth of what the ones before have left, or its amount."""
    taken = Fraction(0)
    calls = []
    for kind, tenths in starts:
        if kind == "fixed":
            taken += tenths
            calls.append(f"engine.fixed(amount = {tenths} GB)")
        else:
            taken += Fraction(tenths, 10) * max(Fraction(0), 80 - taken)
            calls.append(f"engine.greedy(part = {10 * tenths}%)")
    run = calls[0] if len(calls) == 1 else f"together {{ {'  '.join(calls)} }}"
    assert asked(run) == (taken, taken)


def run_command(folder: Path, *words: str) -> Result:
    """`lpclc compose` in a folder with two applications."""
    applications = (
        "application first { machine node  use engine  run { engine.greedy(part = 75%) } }\n"
        "application second { machine node  use engine  run { engine.fixed(amount = 40 GB) } }\n"
    )
    (folder / "node.lpcl").write_text(LIBRARY + applications)
    return CliRunner().invoke(cli, ["compose", *words])


@pytest.mark.parametrize(("order", "demand"), [("first second", "100 GB"), ("second first", "70 GB")])
def test_applications_start_as_they_are_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, order: str, demand: str
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run_command(tmp_path, *(f"node.lpcl:{name}" for name in order.split()))
    assert f"{demand}" in result.output
    assert result.exit_code == (1 if demand == "100 GB" else 0)
