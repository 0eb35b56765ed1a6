"""From a plan's settings to the arguments and the environment that are really used."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from lpcl.plan.model import (
    ApplicationInfo,
    Apply,
    Candidate,
    Choice,
    Constant,
    Constraint,
    Knob,
    KnobRef,
    MachineInfo,
    Plan,
    Range,
)
from lpcl.tune.configurations import (
    command_of,
    configurations,
    executable,
    setting_text,
    surprises,
    value_text,
    with_argument,
)
from lpcl.tune.errors import TuneError

PLAN = Plan(
    application=ApplicationInfo("a", "", "", ""),
    machine=MachineInfo("host", {"cpus": 2}),
    knobs=(
        Knob("omp", "env", "int", Range(1, 64), apply="OMP_NUM_THREADS", current=4),
        Knob("blas", "env", "int", Range(1, 64), apply="OPENBLAS_NUM_THREADS"),
        Knob("jobs", "argument", "int", Range(1, 64), apply="--jobs {}", current=2),
        Knob("inner", "control", "string", Choice(("a", "b")), current="a"),
    ),
    candidates=(
        Candidate("c1", {"omp": None, "blas": 1, "jobs": 3}, 3, text="all at once"),
        Candidate("c2", {"jobs": None}, 1),
        Candidate("c3", {"inner": "b"}, 1),
        Candidate("c4", {"omp": 9}, 1),
    ),
    constraints=(
        Constraint(
            Apply(
                "implies", (Apply("defined", (KnobRef("omp"),)), Apply("<=", (KnobRef("omp"), Constant(8))))
            ),
            "omp <= 8",
        ),
    ),
    command="python 'my app.py' --jobs=7 input",
)


def test_the_present_configuration_and_the_candidates() -> None:
    now, one, two, three, four = configurations(PLAN, command_of(PLAN, ()))
    assert now.id == "now"
    assert now.argv == ("python", "my app.py", "--jobs", "2", "input")
    assert now.env == {"OMP_NUM_THREADS": "4", "OPENBLAS_NUM_THREADS": None}
    assert now.changes == ()
    assert one.argv == ("python", "my app.py", "--jobs", "3", "input")
    assert one.env == {"OMP_NUM_THREADS": None, "OPENBLAS_NUM_THREADS": "1"}
    assert (one.text, one.changes, one.obstacle) == ("all at once", ("omp", "blas", "jobs"), None)
    assert two.argv == ("python", "my app.py", "input")
    assert two.text == "no --jobs"
    assert three.obstacle == "the program itself must be changed: inner has to be set to b inside it"
    assert four.obstacle == "it violates a constraint of the plan: omp <= 8"


def test_the_environment_is_that_of_the_tuner_but_for_the_knobs() -> None:
    base = {"PATH": "/bin", "OMP_NUM_THREADS": "16", "OPENBLAS_NUM_THREADS": "16"}
    now, one, *_ = configurations(PLAN, ("x",))
    assert now.environment(base) == {"PATH": "/bin", "OMP_NUM_THREADS": "4"}
    assert one.environment(base) == {"PATH": "/bin", "OPENBLAS_NUM_THREADS": "1"}
    assert list(surprises(PLAN, base)) == [
        "OMP_NUM_THREADS is 16 in this shell, but 4 in the plan; measured as the plan says",
        "OPENBLAS_NUM_THREADS is 16 in this shell, but not set in the plan; measured as the plan says",
    ]
    assert list(surprises(PLAN, {"OMP_NUM_THREADS": "4"})) == []


@pytest.mark.parametrize(
    ("argv", "template", "value", "expected"),
    [
        ("p", "--jobs {}", "3", "p --jobs 3"),
        ("p --jobs 8 x", "--jobs {}", "3", "p --jobs 3 x"),
        ("p --jobs=8 x", "--jobs {}", "3", "p --jobs 3 x"),
        ("p --jobs 8 x", "--jobs={}", "3", "p --jobs=3 x"),
        ("p --jobs 8 x --jobs=9", "--jobs {}", "3", "p --jobs 3 x"),
        ("p --jobs 8 x", "--jobs {}", None, "p x"),
        ("p --jobs", "--jobs {}", "3", "p --jobs --jobs 3"),
        ("p --jobs-max 8", "--jobs {}", "3", "p --jobs-max 8 --jobs 3"),
        ("p -j8 x", "-j{}", "3", "p -j3 x"),
        ("p -o jobs=8 -o x=1", "-o jobs={}", "3", "p -o jobs=3 -o x=1"),
        ("p 8", "{}", "3", "p 8 3"),
        ("--jobs 8", "--jobs {}", "3", "--jobs 8 --jobs 3"),
    ],
)
def test_arguments_take_the_place_of_what_was_there(
    argv: str, template: str, value: str | None, expected: str
) -> None:
    assert with_argument(argv.split(), template, value) == tuple(expected.split())


def test_values_as_text() -> None:
    assert [value_text(value) for value in (3, Fraction(1, 4), Fraction(1, 3), True, False, "loky")] == [
        "3",
        "0.25",
        "0.333333333333",
        "true",
        "false",
        "loky",
    ]
    omp, _, jobs, inner = PLAN.knobs
    assert setting_text(omp, 1) == "OMP_NUM_THREADS=1"
    assert setting_text(omp, None) == "OMP_NUM_THREADS not set"
    assert setting_text(jobs, 4) == "--jobs 4"
    assert setting_text(inner, "b") == "inner=b"


@pytest.mark.parametrize(
    ("command", "override", "words"),
    [
        ("a 'b c' d", (), ("a", "b c", "d")),
        (("a", "b c"), (), ("a", "b c")),
        ("a b", ("x", "y z"), ("x", "y z")),
        (None, ("x",), ("x",)),
    ],
)
def test_the_words_of_the_command(
    command: str | tuple[str, ...] | None, override: Sequence[str], words: tuple[str, ...]
) -> None:
    assert command_of(replace(PLAN, command=command), override) == words


@pytest.mark.parametrize(
    ("command", "message"),
    [(None, "the plan has no command"), ("a 'b", "cannot be split into words"), ("  ", "is empty")],
)
def test_no_command(command: str | None, message: str) -> None:
    with pytest.raises(TuneError, match=message):
        command_of(replace(PLAN, command=command), ())


def test_programs_are_found_as_a_shell_finds_them(tmp_path: Path) -> None:
    program = tmp_path / "bin" / "prog"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    (tmp_path / "bin" / "data").write_text("")
    assert executable("prog", {"PATH": str(program.parent)}, Path("/")) == program
    assert executable("bin/prog", {}, tmp_path) == program
    assert executable(sys.executable, {}, tmp_path) == Path(sys.executable)
    for name, message in [
        ("prog", "not found on PATH"),
        ("", "not found on PATH"),
        ("bin/none", "does not exist"),
        ("bin/data", "not an executable file"),
        ("./bin", "not an executable file"),
    ]:
        with pytest.raises(TuneError, match=message):
            executable(name, {"PATH": "/nowhere"}, tmp_path)
