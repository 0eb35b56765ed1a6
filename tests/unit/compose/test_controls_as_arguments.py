"""A control that a call is given as an argument counts wherever a limit on it would."""

from __future__ import annotations

from pathlib import Path

import pytest

from lpcl import service

CLAUSES = {
    "size": "pool team { size t  callers fork  caller joins }  operation go { runs on team }",
    "existing": "pool team { size 2  existing t  callers fork  caller waits }  operation go { runs on team }",
    "existing of its size": (
        "pool team { size t  existing size + n  callers fork  caller waits }  operation go { runs on team }"
    ),
    "existing, asleep": (
        "pool team { size 2  existing t  callers queue  caller waits  created at first use }"
        "  operation go { runs on team }"
    ),
    "size of the use": (
        "pool team { size 1  callers fork  caller joins }  operation go { runs on team with size = t }"
    ),
    "which pool": (
        "pool team { size 3  callers fork  caller joins }  pool other { size 5  callers fork  caller joins }"
        "  operation go { runs on team when n < 10  runs on other when n >= 10 }"
    ),
    "workers": "operation go { workers threads t }",
    "processes": "operation go { workers processes t { start spawn } }",
    "guard": "operation go { workers threads 3 when n > 8 }",
    "demand": "operation go { demand memory = t * 1 MiB  demand files = 2 * t }",
    "demand of each worker": (
        "operation go { workers processes 2 { start spawn  demand memory = t * 1 MiB } }"
    ),
    "another control": (
        'control most: count { api "most"  default t * 2 }'
        "  pool team { size most  callers fork  caller joins }  operation go { runs on team }"
    ),
    "a limit of the operation": (
        'control inner: count { api "inner"  default 1 }  operation within { workers threads inner }'
        "  operation go { limit inner = t  calls within }"
    ),
    "a variable of its workers": (
        "control inner: count { env INNER_THREADS  default 1 }"
        "  pool team { size inner  callers fork  caller joins }"
        "  operation within { runs on team }"
        "  operation go { workers processes 2 { start spawn  set INNER_THREADS = t } }"
    ),
}
"""What an operation `go` may rest on, by the kind of clause."""
WITHIN = ("a variable of its workers",)
"""Where the workers carry out something themselves."""


def demands(folder: Path, clauses: str, run: str) -> list[tuple[object, ...]]:
    path = folder / "app.lpcl"
    path.write_text(
        "package node\n\nimport lpcl.core.*\n\n"
        "machine big {\n  cpus.online = 64  memory.total = 64 GiB  limits.threads = 10000\n"
        "  limits.files = 1000  limits.processes = 1000\n}\n\n"
        'contract lib {\n  control n: int in -1..64 { api "f(n=)"  default 1 }\n'
        f"  let t = if n < 0 then 8 else n\n  {clauses}\n}}\n\n"
        f"application app {{\n  machine big\n  use lib\n  run {{ {run} }}\n}}\n"
    )
    workspace, applications = service.select_applications([f"{path}:app"])
    outcome = service.compose_applications(workspace, applications, None, ())
    assert outcome.composition is not None, outcome.diagnostics
    return [
        (one.sum.resource.name, one.sum.where, one.low, one.high)
        for one in outcome.composition.assessment.demands
    ]


@pytest.mark.parametrize("kind", CLAUSES)
@pytest.mark.parametrize("value", [10, -1])
def test_an_argument_counts_as_a_limit_does(tmp_path: Path, kind: str, value: int) -> None:
    block = " { lib.within }" if kind in WITHIN else ""
    given = demands(tmp_path, CLAUSES[kind], f"lib.go(n = {value}){block}")
    limited = demands(tmp_path, CLAUSES[kind], f"limit lib.n = {value} {{ lib.go{block} }}")
    assert given == limited
    if value == 10:
        assert given != demands(tmp_path, CLAUSES[kind], f"lib.go{block}")
