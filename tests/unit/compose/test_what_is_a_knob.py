"""Whatever a clause reads a variable for, it is a knob, and all questions agree with asking each setting."""

from __future__ import annotations

import pytest

from tests.unit.compose.test_open_settings import agreed, composition

CONDITIONS = {
    "control": ("k > 1", "P_K"),
    "variable": ("defined(P_FLAG)", "P_FLAG"),
    "control's variable": ("defined(P_K)", "P_K"),
}
PLACES = {
    "idle": "pool team { size 3 callers fork idle spins for (if IT then 1 h else 0 s) }",
    "created": "pool team { size if IT then 3 else 2 callers queue created at load }",
    "existing": "pool team { size 2 callers fork existing if IT then 6 else 1 }",
    "size": "pool team { size if IT then 6 else 2 callers fork }",
    "loading": "pool team { size other callers fork } on load { limit other = 2 when IT }",
    "loading, a value": "pool team { size other callers fork } on load { limit other = if IT then 4 else 1 }",
    "loading, a variable": "pool team { size other callers fork } on load { set P_OTHER = 4 when IT }",
    "held": "pool team { size 2 callers fork } demand memory = 80 MiB when IT",
    "assumed": 'pool team { size 2 callers fork } assume not (IT) else "no"',
    "a hazard": 'pool team { size 2 callers fork } hazard "no" when IT',
}
CLAUSES = {
    "on": "runs on team when IT",
    "workers": "workers threads 6 when IT",
    "a limit": "runs on team limit other = 2 when IT",
    "how workers start": "workers processes 2 { start (if IT then fork else spawn) }",
    "what workers set": "workers processes 2 { start spawn set P_OTHER = 4 when IT }",
    "what workers are limited to": "workers threads 2 { limit other = 4 when IT }",
    "what is called": "calls one when IT",
    "an argument": "calls many(n = if IT then 6 else 1)",
    "a default": "calls by_default",
    "a hazard": 'hazard "no" when IT',
    "assumed": 'assume not (IT) else "no"',
    "a demand": "demand memory = 80 MiB when IT",
    "a pin": "workers processes 2 { start spawn pin cpus = if IT then 1 else 2 }",
}
OPERATIONS = """
  operation one { runs on team }
  operation more { workers threads other }
  operation many(n: count) { workers threads n }
  operation by_default(n: count = if IT then 6 else 1) { workers threads n }
  operation around { CLAUSE }
"""


def contract(condition: str, place: str, clause: str) -> str:
    """A contract whose clause, in an operation or outside, depends on a condition."""
    text = (
        "contract p { control k: count in 1..2 { env P_K  default 2 }\n"
        "control other: count in 1..6 { env P_OTHER  default 3 }\n"
        f"{place}\n{OPERATIONS} }}"
    )
    return text.replace("CLAUSE", clause).replace("IT", condition)


@pytest.mark.parametrize("condition", CONDITIONS)
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("env", ["", "env P_K = 1", "env P_FLAG = yes"])
def test_what_a_library_reads_is_a_knob(condition: str, place: str, env: str) -> None:
    """Outside its operations."""
    text, variable = CONDITIONS[condition]
    found = composition(contract(text, PLACES[place], "runs on team"), f"{env} run {{ p.around p.more }}")
    assert variable in {knob.name for knob in found.knobs}
    agreed(found)


@pytest.mark.parametrize("condition", CONDITIONS)
@pytest.mark.parametrize("clause", CLAUSES)
@pytest.mark.parametrize("env", ["", "env P_K = 1", "env P_FLAG = yes"])
def test_what_an_operation_reads_is_a_knob(condition: str, clause: str, env: str) -> None:
    """In an operation."""
    text, variable = CONDITIONS[condition]
    pool = "pool team { size 3 callers fork fork unsafe }"
    run = f"{env} run {{ p.one p.around {{ p.one p.more }} }}"
    found = composition(contract(text, pool, CLAUSES[clause]), run)
    assert variable in {knob.name for knob in found.knobs}
    agreed(found)


@pytest.mark.parametrize("env", ["", "env P_K = 1"])
def test_what_an_application_asks_about_a_variable_makes_a_knob(env: str) -> None:
    """Also in the default of a control, which is worked out before the values of its variables are."""
    text = contract("k > 1", "pool team { size 3 callers fork }", "runs on team")
    found = composition(
        text,
        f"{env} control jobs: count in 1..8 {{ default if defined(P_K) then 1 else 6 }}\n"
        "run { p.many(n = jobs) p.many(n = if defined(P_FLAG) then 5 else 2) }",
    )
    assert found.stated(found.parts[0]).controls["jobs"] == (1 if env else 6)
    assert {knob.name for knob in found.knobs} >= {"jobs", "P_FLAG"}
    agreed(found)
