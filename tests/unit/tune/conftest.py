"""Small real programs and plans for them, shared by the tuner's tests."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from lpcl.plan.model import (
    ApplicationInfo,
    Candidate,
    Hypothesis,
    Knob,
    MachineInfo,
    Objective,
    Plan,
    Range,
)
from lpcl.tune.records import BaselineRecord
from lpcl.tune.runner import RunOutcome, RunSpec, run

RunPython = Callable[..., RunOutcome]
MakePlan = Callable[..., Plan]

SCORED = Objective("maximize", "score: {}")


@pytest.fixture
def run_python(tmp_path: Path) -> RunPython:
    """Runs a Python program under the supervisor; its output is in ``out`` and ``err``."""

    def start(code: str, limit: float = 30.0, **env: str) -> RunOutcome:
        return run(
            RunSpec(
                executable=sys.executable,
                argv=("python", "-c", code),
                env={**os.environ, **env},
                cwd=tmp_path,
                limit=limit,
                stdout=tmp_path / "out",
                stderr=tmp_path / "err",
            )
        )

    return start


@pytest.fixture
def make_plan(tmp_path: Path) -> MakePlan:
    """A plan whose program does what is given for the value of the variable KNOB, ``-`` for "not set"."""

    def make(
        behaviours: Mapping[str, str],
        objective: Objective = SCORED,
        hypotheses: tuple[Hypothesis, ...] = (),
        prelude: str = "",
    ) -> Plan:
        program = tmp_path / "program.py"
        branches = "".join(f"if knob == {knob!r}:\n    {code}\n" for knob, code in behaviours.items())
        program.write_text(f"import os, sys, time\nknob = os.environ.get('KNOB', '-')\n{prelude}\n{branches}")
        return Plan(
            application=ApplicationInfo("app", "test", "app.lpcl", ""),
            machine=MachineInfo("host", {"cpus": len(os.sched_getaffinity(0))}),
            knobs=(Knob("knob", "env", "int", Range(1, 99), apply="KNOB"),),
            hypotheses=hypotheses,
            candidates=tuple(
                Candidate(f"c{knob}", {"knob": int(knob)}, 1) for knob in behaviours if knob != "-"
            ),
            command=(sys.executable, str(program)),
            objective=objective,
        )

    return make


@pytest.fixture
def quiet(monkeypatch: pytest.MonkeyPatch) -> BaselineRecord:
    """Lets sessions take the machine for quiet instead of measuring it, which takes a second."""
    record = BaselineRecord(0.01, 2.0, 0.01, 0.0, 2, "2026-01-01T00:00:00.000+00:00")
    monkeypatch.setattr("lpcl.tune.session.measure_baseline", lambda cpus, folder: record)  # noqa: ARG005
    return record
