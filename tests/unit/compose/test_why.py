"""Where values come from, and that each change that is told makes just the difference that is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from lpcl.cli import cli

APPLICATIONS = Path(__file__).resolve().parents[2] / "golden" / "compose" / "applications.lpcl"
NAMES = [
    "multiplied",
    "waiting",
    "fitting",
    "spinning",
    "many",
    "engines",
    "capped",
    "held_back",
    "bound",
    "calm",
]
VALUES = [
    "teams.threads",
    "teams.team",
    "queued.threads",
    "cache.cap",
    "TEAM_THREADS",
    "machine.cpus",
    "jobs",
    "cpu",
    "threads",
    "memory",
]


def why(name: str, value: str, *words: str) -> dict[str, object] | None:
    """`lpclc why` as an object; None where there is no such value."""
    result = CliRunner().invoke(
        cli, ["why", f"{APPLICATIONS}:{name}", value, "--format", "json", *words], catch_exceptions=False
    )
    if result.exit_code:
        assert result.exit_code == 2
        assert result.output.startswith("lpclc why: ")
        return None
    told: dict[str, object] = json.loads(result.output)
    return told


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("value", VALUES)
def test_a_change_makes_the_difference_that_is_told(name: str, value: str) -> None:
    told = why(name, value)
    if told is None:
        return
    assert told["readings"]
    for change in told["changes"]:  # type: ignore[attr-defined]
        setting = change["change"]
        if "=" not in setting or setting.startswith("a machine"):
            continue
        after = why(name, value, "--set", setting)
        assert after is not None
        values = {reading["where"]: reading["value"] for reading in after["readings"]}  # type: ignore[attr-defined]
        for reading in change["readings"]:
            assert values[reading["where"]] == reading["value"]


def test_some_of_each_kind_is_explained() -> None:
    """The test above tests something: every value has an explanation and most have a change somewhere."""
    explained = {value: [told for name in NAMES if (told := why(name, value))] for value in VALUES}
    assert all(explained.values())
    assert sum(any(told["changes"] for told in several) for several in explained.values()) >= 8


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("", "nothing here is called '': "),
        ("teams.", "teams has no control or pool '': "),
        ("machine.gpu.memory.free", "machine.gpu.memory.free is what others have left when something starts"),
    ],
)
def test_what_is_no_value_is_told_as_such(value: str, said: str) -> None:
    result = CliRunner().invoke(cli, ["why", f"{APPLICATIONS}:multiplied", value], catch_exceptions=False)
    assert result.exit_code == 2
    assert result.output.startswith(f"lpclc why: {said}")


def test_several_applications_state_their_machine() -> None:
    name = f"{APPLICATIONS}:multiplied"
    result = CliRunner().invoke(cli, ["why", name, name, "machine.cpus"], catch_exceptions=False)
    assert result.exit_code == 0
    assert result.output.startswith("machine.cpus in multiplied#1 and multiplied#2 on ")
    assert "it states" not in result.output


RECKONED = """
package reckoned
import lpcl.core.*
contract p {
  control few: count in 1..64 { env FEW  default 3 }
  control how: {slow, fast, other} { env HOW  default slow }
  let cap = 64 MiB * few
  let half = max(1, machine.cpus.affinity div 2)
  let sum = half + few
  control threads: count in 1..64 { env A_THREADS  default min(sum, 64) }
  pool workers { size if sum > 3 then threads else 1  callers fork }
  operation compute { runs on workers with size = min(threads, half) }
  operation pinned(n: int) { workers processes n { start spawn  pin cpus = half div 2 } }
}
application app {
  machine { cpus.online = 8  cpus.quota = 3.5 }
  use p
  control a: count { default 2 }
  control b: count { argument "--b"  default a + x }
  let x = a + 1
  env FEW = b + x
  run { p.pinned(n = b) { p.compute } }
}
"""


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("p.cap", ["512 MiB in the program: 64 MiB * few = 64 MiB * 8", "p.few = 8: FEW = 8"]),
        (
            "p.workers",
            ["1 in workers of p.pinned, p.compute: size min(threads, half) = min(9, 1), where"],
        ),
        ("p.workers", ["a machine with cpus.online = 16  2"]),
        ("p.how", ["HOW=fast"]),
        ("p.threads", ["default min(sum, 64) = min(9, 64), where sum = half + few and half ="]),
        ("x", ["3: a + 1", "a = 2: its default 2", "a = 1"]),
        ("b", ["5: default a + x, where x = a + 1", "a = 2: its default 2"]),
        (
            "FEW",
            [
                "8 in the program: set by the application to b + x, where x = a + 1",
                "b = 5: its default a + x",
            ],
        ),
        (
            "machine.cpus",
            [
                "3.5: min(cpus.affinity, cpus.quota) = min(8, 3.5)",
                "2 in workers of p.pinned: min(cpus.affinity, cpus.quota) = min(2, 3.5), where `p.pinned`",
                "a machine with cpus.quota = 1.75  1.75, 1.75 in workers of p.pinned",
            ],
        ),
    ],
)
def test_what_is_told_can_be_reckoned_again(tmp_path: Path, value: str, said: list[str]) -> None:
    path = tmp_path / "reckoned.lpcl"
    path.write_text(RECKONED, encoding="utf-8")
    told = CliRunner().invoke(cli, ["why", str(path), value], catch_exceptions=False)
    assert told.exit_code == 0
    for one in said:
        assert one in told.output


def test_processes_of_one_name_are_not_taken_for_each_other(tmp_path: Path) -> None:
    """Two places start workers with one operation: what differs between them is nothing that changes."""
    path = tmp_path / "alike.lpcl"
    path.write_text(
        """
package alike
import lpcl.core.*
contract par { operation pinned(n: int, k: int) { workers processes n { start spawn  pin cpus = k } } }
contract lib {
  control threads: count in 1..64 { env LIB_THREADS  default machine.cpus.affinity }
  pool w { size threads  callers fork }
  operation go { runs on w }
}
application app {
  machine { cpus.online = 8 }
  use par, lib
  control jobs: count in 1..4 { argument "--jobs"  default 2 }
  run { par.pinned(n = jobs, k = 2) { lib.go } par.pinned(n = jobs, k = 4) { lib.go } }
}
""",
        encoding="utf-8",
    )
    told = CliRunner().invoke(cli, ["why", str(path), "machine.cpus.affinity"], catch_exceptions=False).output
    assert "2 in workers of par.pinned: " in told
    assert "4 in workers of par.pinned: " in told
    assert "--jobs" not in told
    assert "LIB_THREADS" not in told


def test_what_has_no_value_where_nothing_reads_it_is_told_as_such(tmp_path: Path) -> None:
    path = tmp_path / "unread.lpcl"
    path.write_text(
        """
package unread
import lpcl.core.*
contract lib {
  control parts: count in 0..8 { env PARTS  default 0 }
  control threads: count { env LIB_THREADS  default 8 div parts }
  pool w { size 8 div parts  callers fork }
  let each = 8 div parts
  operation go
}
application app {
  machine { cpus.online = 8 }
  use lib
  control jobs: count in 0..4 { default 0 }
  let share = 8 div jobs
  run { lib.go }
}
""",
        encoding="utf-8",
    )
    for value in ("lib.threads", "lib.w", "lib.each", "share"):
        told = CliRunner().invoke(cli, ["why", str(path), value], catch_exceptions=False)
        assert told.exit_code == 2
        assert told.output.startswith(f"lpclc why: {value} has no value there: ")
