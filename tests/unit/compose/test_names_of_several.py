"""Libraries of one name in several packages are several libraries: they share no pool and no setting."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from lpcl.cli import cli

ONE = """package x
interface blas { operation go  control n: count in 1..8  pool w { callers queue } }
contract a implements blas {
  control n: count in 1..8 { env XA  default 2 }
  pool w { size n  callers queue }
  operation go { runs on w }
}
contract c { uses lib: blas  operation go { calls lib.go } }
"""
OTHER = """package y
import x.c
import x.blas
contract a implements blas {
  control n: count in 1..8 { env YA  default 5 }
  pool w { size n  callers queue }
  operation go { runs on w }
}
contract g { uses one: blas = x.a  uses two: blas = a  operation go { calls one.go calls two.go } }
"""


@pytest.mark.parametrize(
    ("members", "cpus"),
    [
        ("use a, x.a  run { together { a.go x.a.go } }", 7),
        ("use x.a, a  run { together { a.go x.a.go } }", 7),
        ("use g  run { together { g.go g.go } }", 7),
        ("use c { lib = x.a }, a  run { together { c.go a.go } }", 7),
        ("use c { lib = a }, x.a  limit x.a.n = 3  run { together { c.go x.a.go } }", 8),
        ("use c { lib = a }, g { one = a, two = a }  run { together { c.go g.go } }", 5),
        ("use a, x.a  env XA = 4  run { together { a.go x.a.go } }", 9),
    ],
)
def test_they_add_up(members: str, cpus: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "x.lpcl").write_text(ONE)
    (tmp_path / "y.lpcl").write_text(
        f"{OTHER}application app {{ machine {{ cpus.online = 2 }} {members} }}\n"
    )
    monkeypatch.chdir(tmp_path)
    run = CliRunner().invoke(cli, ["compose", "y.lpcl", "--format", "json"], catch_exceptions=False)
    found = next(one for one in json.loads(run.stdout)["findings"] if one["kind"] == "overcommit")
    assert found["demand"] == cpus
