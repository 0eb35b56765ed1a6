"""Values are held to the ranges that their declarations state, wherever they come from."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from lpcl.cli import cli

LIBRARY = """package example

import lpcl.core.*

machine eight { cpus.online = 8 }

contract lib {
  control level: count in 1..4 { env LIB_LEVEL  default 2 }
  operation spread(n: count in 1..6) { workers threads n }
  operation half(n: count in 1..machine.cpus.affinity div 2) { workers threads n }
  operation narrow(to: int) { workers processes 2 { start spawn  pin cpus = to } }
}
"""


def composed(folder: Path, members: str, *words: str) -> Result:
    """`lpclc compose` of an application of the library."""
    path = folder / "app.lpcl"
    path.write_text(f"{LIBRARY}\napplication app {{ machine eight  use lib  {members} }}\n")
    return CliRunner().invoke(cli, ["compose", str(path), *words])


@pytest.mark.parametrize(
    ("members", "said"),
    [
        ("control n: int { default 7 }  run { lib.spread(n = n) }", "`n` of `lib.spread` is 7 here"),
        ("let n = machine.cpus.online  run { lib.spread(n = n) }", "which is not in 1..6"),
        ("let n = machine.cpus.online - 8  run { lib.spread(n = n) }", "`n` of `lib.spread` is 0 here"),
        ("run { lib.half(n = 5) }", "which is not in 1..4"),
        ("let n = machine.cpus.online - 8  run { lib.narrow(to = n) }", "to 0 CPUs here"),
        ("run { lib.narrow(to = -1) }", "to -1 CPUs here"),
        (
            "control n: int in 1..machine.cpus.online { default machine.cpus.online + 1 }"
            "  run { lib.spread(n = 1) }",
            "`n` is 9 here, which is not in 1..8",
        ),
        ("background cpu = 0 - machine.cpus.online  run { lib.spread(n = 1) }", "comes out below 0"),
    ],
)
def test_what_is_out_of_range_is_refused(tmp_path: Path, members: str, said: str) -> None:
    result = composed(tmp_path, members)
    assert result.exit_code == 2, result.output
    assert said in result.output


@pytest.mark.parametrize(
    ("control", "operation", "least", "most"),
    [
        ("int in 0..20", "spread(n = n)", 1, 6),
        ("int in -3..20", "half(n = n)", 1, 4),
        ("int in 0..20", "narrow(to = n)", 1, 20),
    ],
)
def test_nothing_out_of_range_is_proposed(
    tmp_path: Path, control: str, operation: str, least: int, most: int
) -> None:
    members = f"control n: {control} {{ argument '--n'  default 2 }}  run {{ lib.{operation} }}"
    result = composed(tmp_path, members.replace("'", '"'), "--format", "json")
    told = json.loads(result.output)
    assert told["alternatives"]
    chosen = [one["settings"].get("argument:n", 2) for one in told["alternatives"]]
    witnesses = [one["witness"] or {"argument:n": 2} for one in told["can_happen"]]
    assert all(least <= value <= most for value in [*chosen, *(one["argument:n"] for one in witnesses)])
