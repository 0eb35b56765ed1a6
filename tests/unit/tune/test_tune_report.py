"""The report and the winner's files, for results of every kind."""

from __future__ import annotations

import json
import math
import shlex
import subprocess
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from lpcl.plan.model import (
    ApplicationInfo,
    Candidate,
    Choice,
    Hypothesis,
    Knob,
    MachineInfo,
    Objective,
    Plan,
    Range,
)
from lpcl.tune.configurations import configurations
from lpcl.tune.design import Design, Entrant
from lpcl.tune.options import Options
from lpcl.tune.records import BaselineRecord, RunRecord
from lpcl.tune.report import headline, result_to_json, text_report
from lpcl.tune.result import Result, Session, conclude
from lpcl.tune.writers import env_file, export_script, write_atomically, write_results

SHORT = """OPENBLAS_NUM_THREADS=1, SHARE not set, WORD=it's "so" $HOME \\ `x`"""
ODD = 'it\'s "so" $HOME \\ `x`'
PLAN = Plan(
    ApplicationInfo("search", "demo", "", ""),
    MachineInfo("host", {"cpus": 2}),
    knobs=(
        Knob("blas", "env", "int", Range(1, 64), apply="OPENBLAS_NUM_THREADS"),
        Knob("share", "env", "real", Range(0, 1), apply="SHARE", current=Fraction(1, 2)),
        Knob("word", "env", "string", Choice(("plain", ODD)), apply="WORD", current="plain"),
        Knob("jobs", "argument", "int", Range(1, 64), apply="--jobs {}"),
    ),
    hypotheses=(
        Hypothesis(
            "h1", "overcommit", "cpu 4 / 2", resource="cpu", demand=4, capacity=2, interventions=("c1",)
        ),
    ),
    candidates=(
        Candidate("c1", {"blas": 1, "share": None, "word": ODD}, 3, text="one thread"),
        Candidate("c2", {"jobs": 3}, 1),
    ),
    command=("prog", "in put"),
    objective=Objective("maximize", "models/s: {}"),
)


def result(
    tmp_path: Path,
    values: dict[str, list[float]],
    plan: Plan = PLAN,
    baselines: tuple[BaselineRecord, ...] = (),
    interrupted: bool = False,
) -> Result:
    """The result of a session whose search gave these values, -1 for a crash."""
    configs = configurations(plan, ("prog", "in put"))
    entrants = [Entrant(config.id, len(config.changes)) for config in configs[1:]]
    direction = "more" if plan.objective.kind == "maximize" else "less"
    design = Design.of(entrants, Options(budget=20), direction)  # type: ignore[arg-type]
    records = [
        RunRecord("search", number, config, "ok", value, 1.0, 10.0, "")
        if value > 0
        else RunRecord(
            "search", number, config, "crashed", None, 1.0, 10.0, "", 1, stderr_tail="a\n" * 9 + "reason"
        )
        for config, of_one in values.items()
        for number, value in enumerate(of_one)
    ]
    records.append(RunRecord("warmup", 0, "now", "ok", 1.0, 1.0, 10.0, ""))
    session = Session(0, interrupted, ("a note",), tmp_path, tmp_path / "runs.jsonl")
    return conclude(plan, configs, design, records, baselines, session)


GAIN = {"now": [10.0, 11, 9, 10, 12], "c1": [30.0, 31, 29, 30, 33], "c2": [10.5] * 5}


def test_the_text_of_a_gain(tmp_path: Path) -> None:
    found = result(tmp_path, GAIN, baselines=(BaselineRecord(0.5, 2.5, 0.4, 0.9, 2, ""),))
    text = text_report(found)
    assert text.startswith(f"search: 3 times the models/s with {SHORT}\n\n")
    for line in [
        f"  {'now':<50}            10  (9 to 12 in 5 runs)",
        f"  {SHORT[:49]}…            30  (29 to 33 in 5 runs)",
        "* c1   one thread: 5 runs, 30  × 3 (2.5 to 3.33)",
        "  c2   --jobs 3: 5 runs, 10.5",
        "  h1  cpu 4 / 2",
        "      not decided: fewer than 2 signals speak clearly",
        "Note: a note.",
        "other programs kept up to 0.9 of 2 CPUs busy",
        f"To use it:  source {tmp_path}/apply.sh",
    ]:
        assert line in text
    assert text.endswith("\n")
    assert "Run it as" not in text


def test_the_text_of_other_ends(tmp_path: Path) -> None:
    assert "no candidate is better" in headline(result(tmp_path, {"now": [10.0] * 5, "c1": [9.0] * 5}))
    wavering = {"now": [9.0, 10.0, 11.0, 12.0, 10.0], "c1": [10.0, 11.0, 12.5, 9.5, 11.5]}
    assert "no candidate is better beyond the noise" in headline(result(tmp_path, wavering))
    assert "too few runs to tell" in headline(result(tmp_path, {"now": [10.0] * 2, "c1": [20.0] * 2}))
    assert "nothing could be measured" in headline(result(tmp_path, {"now": [-1.0] * 2}))
    assert "interrupted after" in headline(result(tmp_path, GAIN, interrupted=True))
    failing = result(tmp_path, {"c2": [20.0] * 5, "now": [-1.0] * 2})
    failing = replace(failing, status="fixed", winner="c2", best="c2")
    assert "the present configuration fails; it works with --jobs 3" in headline(failing)
    text = text_report(failing)
    assert (
        "  now: 2 of 2; the last one ended with exit code 1\n" + "      | a\n" * 4 + "      | reason" in text
    )
    assert "Run it as:  prog 'in put' --jobs 3" in text


def test_time_is_told_in_seconds(tmp_path: Path) -> None:
    found = result(tmp_path, {"now": [1.0] * 5, "c1": [0.25] * 5}, replace(PLAN, objective=Objective()))
    text = text_report(found)
    assert text.startswith(f"search: 4 times faster with {SHORT}\n")
    assert "0.25 s  (0.25 to 0.25 s in 5 runs)" in text
    less = replace(PLAN, objective=Objective("minimize", "loss = {}"))
    found = result(tmp_path, {"now": [1.0] * 5, "c1": [0.25] * 5}, less)
    assert headline(found) == f"search: 4 times less loss with {SHORT}"


def test_json_holds_every_figure_and_no_infinity(tmp_path: Path) -> None:
    found = result(tmp_path, {"now": [10.0] * 2, "c1": [20.0] * 2})
    assert found.gain is not None
    assert math.isinf(found.gain.upper)
    document = json.loads(json.dumps(result_to_json(found), allow_nan=False))
    assert document["gain"] == {"estimate": 2.0, "lower": 0.0, "upper": None, "confidence": 1.0}
    assert [item["id"] for item in document["configurations"]] == ["now", "c1", "c2"]
    assert document["configurations"][1]["settings"] == {"blas": 1, "share": None, "word": ODD, "jobs": None}
    assert document["hypotheses"][0]["verdict"] == "not decided"


def test_the_script_survives_odd_values(tmp_path: Path) -> None:
    found = result(tmp_path, GAIN)
    write_results(found)
    script = (tmp_path / "apply.sh").read_text()
    assert script == export_script(found)
    assert "unset SHARE\n" in script
    shown = subprocess.run(
        [
            "sh",
            "-c",
            f"SHARE=1; . {shlex.quote(str(tmp_path))}/apply.sh; "
            'printf "%s|%s|%s" "$OPENBLAS_NUM_THREADS" "$WORD" "$SHARE"',
        ],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert shown == f"1|{ODD}|"


def test_the_env_file(tmp_path: Path) -> None:
    assert env_file(result(tmp_path, GAIN)).splitlines()[1:] == [
        "OPENBLAS_NUM_THREADS=1",
        "# SHARE must not be set",
        'WORD="it\'s \\"so\\" \\$HOME \\\\ `x`"',
    ]


def test_a_text_with_line_breaks_stays_in_its_comment(tmp_path: Path) -> None:
    odd = replace(PLAN, candidates=(replace(PLAN.candidates[0], text="one\nrm -rf x"),))
    found = result(tmp_path, {"now": GAIN["now"], "c1": GAIN["c1"]}, odd)
    assert all(line.startswith(("#", "export ", "unset ")) for line in export_script(found).splitlines())


def test_files_are_replaced_at_once_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_atomically(path, "old")
    assert path.stat().st_mode & 0o777 == 0o644
    with pytest.raises(TypeError):
        write_atomically(path, None)  # type: ignore[arg-type]
    assert path.read_text() == "old"
    write_atomically(path, "new \udcff")
    assert path.read_text() == "new \\udcff"
    assert [item.name for item in tmp_path.iterdir()] == ["file"]
