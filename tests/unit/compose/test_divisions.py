"""Settings under which a division has no value are not accepted, wherever it stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from lpcl import service
from lpcl.compose.solver import Verdict
from lpcl.compose.terms import DivisionByZero, Value, apply, holds, knob, settle

N = knob("n", 1, 4)
QUOTIENT = apply("div", 6, apply("-", N, 2))
AWAY = apply("!=", N, 2)
LARGE = apply(">", QUOTIENT, 1)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (apply("and", AWAY, LARGE), False),
        (apply("or", apply("==", N, 2), LARGE), True),
        (apply("implies", AWAY, LARGE), True),
        (apply("if", AWAY, QUOTIENT, 7), 7),
        (apply("+", apply("if", AWAY, QUOTIENT, 7), 1), 8),
    ],
    ids=str,
)
def test_what_is_not_needed_does_not_matter(value: Value, expected: Value) -> None:
    assert settle(value, {"n": 2}) == expected


@pytest.mark.parametrize(
    "value",
    [
        QUOTIENT,
        LARGE,
        apply("not", LARGE),
        apply("and", LARGE, AWAY),
        apply("or", LARGE, apply("==", N, 2)),
        apply("if", LARGE, 1, 2),
        apply("*", 0, QUOTIENT),
        apply("-", QUOTIENT, QUOTIENT),
        apply("==", QUOTIENT, QUOTIENT),
        apply("max", QUOTIENT, QUOTIENT),
    ],
    ids=str,
)
def test_what_is_needed_has_to_have_a_value(value: Value) -> None:
    with pytest.raises(DivisionByZero):
        settle(value, {"n": 2})
    assert not holds(value, {"n": 2})
    settle(value, {"n": 3})


PLACES = {
    "an argument": ("go(n = 6 div (jobs - 2))", "operation go(n: int) { workers threads max(1, n) }"),
    "an argument that is not read": (
        "go(n = 6 div (jobs - 2))",
        "operation go(n: int) { workers threads 1 }",
    ),
    "a count of workers": ("go(n = jobs)", "operation go(n: int) { workers threads max(1, 6 div (n - 2)) }"),
    "a guard": ("go(n = jobs)", "operation go(n: int) { workers threads 2 when 6 div (n - 2) > 3 }"),
    "a demand": ("go(n = jobs)", "operation go(n: int) { demand memory = 6 / (n - 2) * 0 B }"),
    "a demand of what nothing limits": (
        "go(n = jobs)",
        "operation go(n: int) { demand shm = max(0, 6 div (n - 2)) * 1 B }",
    ),
    "a let": ("go(n = jobs)", "operation go(n: int) { let m = 8 mod (n - 2)  workers threads m + 1 }"),
    "a default": (
        "go(n = jobs)",
        "control t: count { env T  default abs(6 div (machine.cpus - 6)) }"
        "  pool team { size t  callers fork  caller joins }"
        "  operation go(n: int) { runs on team with size = max(1, 8 div (n - 2)) }",
    ),
    "a variable": (
        "go(n = jobs)",
        "control t: count in 1..64 { env T  default 1 }  pool team { size t  callers fork  caller joins }"
        "  operation run { runs on team }"
        "  operation go(n: int) { workers processes 1 { start spawn  set T = abs(6 div (n - 2)) }"
        "    calls run }",
    ),
    "an assumption": ("go(n = jobs)", 'operation go(n: int) { assume 6 div (n - 2) < 9 else "no" }'),
}


@pytest.mark.parametrize("place", PLACES)
def test_no_such_settings_are_proposed(tmp_path: Path, place: str) -> None:
    call, clauses = PLACES[place]
    file = tmp_path / "app.lpcl"
    file.write_text(f"""import lpcl.core.*
contract lib {{ {clauses} }}
application app {{
  machine {{ cpus.online = 8  memory.total = 1 GiB  limits.threads = 100 }}
  use lib
  control jobs: count in 1..4 {{ argument "--jobs"  default 3 }}
  run {{ lib.{call} }}
}}
""")
    workspace, applications = service.select_applications([f"{file}:app"])
    composition = service.compose_applications(workspace, applications, None, ()).composition
    assert composition is not None
    questions = composition.questions
    (jobs,) = (item for item in composition.knobs if item.kind == "argument")
    today = {item.id: item.current for item in composition.knobs}
    accepted = [value for value in range(1, 5) if questions.assessed({**today, jobs.id: value}) is not None]
    assert accepted == [1, 3, 4]
    found, _ = questions.alternatives()
    assert found
    assert all(questions.assessed(one.configuration) is not None for one in found)
    questions.constraints()
    assert questions.can_happen("lpcl.core.cpu").verdict is Verdict.NO
