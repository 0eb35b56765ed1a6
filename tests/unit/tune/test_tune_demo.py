"""The demo's application, tuned by a plan that was written by hand for two CPUs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from lpcl.plan import load_plan
from lpcl.plan.expressions import holds
from lpcl.tune import Options, tune
from lpcl.tune.metric import find_metric

pytest.importorskip("numpy")

PLAN = load_plan(Path(__file__).with_name("demo_plan.json"))


def test_the_plan_keeps_its_own_constraint() -> None:
    (constraint,) = PLAN.constraints
    assert not holds(constraint.expression, PLAN.present())
    assert all(holds(constraint.expression, PLAN.assignment(candidate)) for candidate in PLAN.candidates)


def test_the_demo_prints_its_metric(root: Path) -> None:
    found = subprocess.run(
        [sys.executable, "demo/search.py", "--jobs", "1", "--seconds", "0.01"],
        capture_output=True,
        text=True,
        check=True,
        cwd=root,
    )
    assert PLAN.objective.pattern is not None
    rate = find_metric(PLAN.objective.pattern, found.stdout)
    assert rate is not None
    assert rate > 0
    assert "best regularisation" in found.stdout


def test_the_demo_refuses_no_jobs(root: Path) -> None:
    found = subprocess.run(
        [sys.executable, "demo/search.py", "--jobs", "0"],
        capture_output=True,
        text=True,
        check=False,
        cwd=root,
    )
    assert found.returncode == 2
    assert "--jobs must be 1 or more" in found.stderr


@pytest.mark.usefixtures("quiet")
def test_the_demo_can_be_tuned(root: Path, tmp_path: Path) -> None:
    command = (sys.executable, "demo/search.py", "--seconds", "0.05")
    options = Options(budget=3, repeat=1, out=tmp_path / "out", cwd=root, command=command)
    result = tune(PLAN, options)
    now, c1, c2 = result.configs
    assert (now.failures, c1.failures) == ((), ())
    assert (now.runs, c1.runs, c2.runs, c2.left) == (1, 1, 0, "the budget did not reach it")
    assert c1.config.env == {"OPENBLAS_NUM_THREADS": "1"}
    assert c2.config.argv[-2:] == ("--jobs", "1")
    (judgement,) = result.judgements
    figures = {reading.source: reading.present for reading in judgement.readings}
    assert figures["process.threads"] is not None
    assert figures["process.threads"] >= 4
