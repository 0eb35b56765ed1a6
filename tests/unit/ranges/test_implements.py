"""What interfaces promise beyond names and types, and what they leave open."""

from __future__ import annotations

import pytest

from lpcl.compat.implements import implementations
from tests.unit.ranges.conftest import program

INTERFACE = """package p
import lpcl.core.*
interface kind {
  control n: count in 1..16 { default 4 }
  pool team { size n  callers fork  fork safe }
  operation go(size: bytes in 1 B..1 GiB = 1 MiB) { demand memory = 2 * size }
}
contract c implements kind {
  control n: count in RANGE { env N  default DEFAULT  invalid INVALID }
  pool team { size SIZE  callers CALLERS  fork FORK }
  operation go(size: bytes in 1 B..MOST = 1 MiB) { demand memory = AMOUNT }
}
"""
KEPT = {
    "RANGE": "1..16",
    "DEFAULT": "4",
    "INVALID": "rejects",
    "SIZE": "n",
    "CALLERS": "fork",
    "FORK": "resets",
    "MOST": "1 GiB",
    "AMOUNT": "size",
}


def found(**changed: str) -> list[tuple[str, str]]:
    """The headlines and notes about a provider with some clauses changed."""
    text = INTERFACE
    for word, value in {**KEPT, **changed}.items():
        text = text.replace(word, value)
    made = program(text)
    return [(item.headline, " ".join(item.notes)) for item in implementations(made, made.files[:1])]


def test_a_promise_that_is_kept() -> None:
    assert found() == []


def test_what_is_clamped_may_be_less() -> None:
    assert found(RANGE="1..8", INVALID="clamps") == []


def test_less_may_be_asked_for() -> None:
    assert found(SIZE="max(1, n - 1)", AMOUNT="size / 2") == []


@pytest.mark.parametrize(
    ("changed", "headline", "note"),
    [
        ({"RANGE": "1..8"}, "`n` no longer takes 16", ""),
        ({"RANGE": "1..64"}, "`n` can be 32, which is out of the range", ""),
        ({"DEFAULT": "8"}, "the default of `n` was 4 and is 8", ""),
        ({"SIZE": "n + 1"}, "the pool `team` grows from 4 to 5", "so it is with n = 4"),
        ({"FORK": "unsafe"}, "the pool `team`: after a fork it is `safe` before, and `unsafe` now", ""),
        ({"MOST": "1 MiB"}, "`size` of `go` no longer takes 64 MiB", ""),
        (
            {"AMOUNT": "3 * size"},
            "the demand for memory of `go` grows from 2 MiB to 3 MiB",
            "so it is with size = 1 MiB",
        ),
    ],
)
def test_a_promise_that_is_broken(changed: dict[str, str], headline: str, note: str) -> None:
    assert found(**changed) == [(f"not as `kind` promises: {headline}", note)]


def between(promised: str, given: str) -> list[str]:
    """The headlines about a provider of an interface, each with these clauses."""
    text = (
        "package p\nimport lpcl.core.*\n"
        f"interface kind {{ {promised} }}\n"
        f"contract c implements kind {{ control n: count in 0..16 {{ env N  default 4 }}\n{given} }}\n"
    )
    made = program(text)
    return [
        item.headline.removeprefix("not as `kind` promises: ")
        for item in implementations(made, made.files[:1])
    ]


TEAM = "pool team { size n  callers fork"


@pytest.mark.parametrize(
    ("promised", "given", "told"),
    [
        (
            "pool team { callers fork  existing 0 }",
            TEAM + " }",
            "the number of threads that exist in `team` grows from 0 to 4",
        ),
        (
            "pool team { callers fork  existing 0 }",
            TEAM + "  existing size }",
            "the number of threads that exist in `team` grows from 0 to 4",
        ),
        (
            "operation o { demand cpu = 0 }",
            TEAM + " }  operation o",
            "the demand for cpu of `o` grows from 0 to 1",
        ),
        (
            "operation o { workers processes 2 { set V = 1 } }",
            TEAM + " }  operation o { workers processes 2 { set V = 2 } }",
            "`set V` in the workers of `o` was 1 and is 2",
        ),
        (
            "operation o { workers processes 2 { set V = 1 } }",
            TEAM + " }  operation o { workers processes 2 }",
            "`set V` in the workers of `o` is gone",
        ),
    ],
)
def test_what_is_stated_of_a_member_is_promised(promised: str, given: str, told: str) -> None:
    assert between(promised, given) == [told]


@pytest.mark.parametrize(
    ("promised", "given"),
    [
        ("pool team { callers fork  existing size + 2 }", TEAM + "  existing 100 }"),
        ("operation o", TEAM + " }  operation o { demand cpu = 2 }"),
        (
            'operation o(n: int in 1..2) { assume defined(N) else "no" }',
            TEAM + ' }  operation o(n: int in 0..2) { assume defined(N) and n > 0 else "no" }',
        ),
        ("operation o { demand cpu = 2 }", TEAM + " }  operation o"),
        (
            "operation o { workers processes 2 }",
            TEAM + " }  operation o { workers processes 2 { set V = 1  start fork } }",
        ),
        (
            "operation o { workers threads 2 }",
            TEAM + " }  operation o { workers threads 2 { caller joins } }",
        ),
    ],
)
def test_what_is_left_out_of_a_member_is_open(promised: str, given: str) -> None:
    assert between(promised, given) == []
