"""Who is in it where several enter one pool: those without whom it would not be, and nobody else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from lpcl.cli import cli

TEXT = """
package entered
import lpcl.core.*
contract par {{
  operation threads(n: count) {{ workers threads n }}
}}
contract lib {{
  pool w {{ size 4  callers {policy}  caller joins  created at load }}
  operation go {{ runs on w }}
  operation also {{ runs on w }}
}}
application app {{
  machine {{ cpus.online = 64 }}
  use par, lib
  run {{ {run} }}
}}
"""


def finding_of(path: Path, policy: str, run: str) -> dict[str, object] | None:
    path.write_text(TEXT.format(policy=policy, run=run), encoding="utf-8")
    told = CliRunner().invoke(cli, ["compose", str(path), "--format", "json"], catch_exceptions=False)
    found = [one for one in json.loads(told.output)["findings"] if one["kind"] in ("serialized", "hazard")]
    return found[0] if found else None


CASES = [
    ("par.threads(n = 8) { lib.go } lib.go lib.also", {("par.threads", "lib.go")}),
    (
        "par.threads(n = 8) { lib.go } par.threads(n = 1) { lib.also }",
        {("par.threads", "lib.go")},
    ),
    (
        "par.threads(n = 8) { lib.go } par.threads(n = 8) { lib.also }",
        {("par.threads", "lib.go"), ("par.threads", "lib.also")},
    ),
]


@pytest.mark.parametrize("policy", ["queue", "submit", "forbid"])
@pytest.mark.parametrize(("run", "expected"), CASES)
def test_who_never_enters_at_that_moment_is_not_in_it(
    tmp_path: Path, policy: str, run: str, expected: set[tuple[str, str]]
) -> None:
    found = finding_of(tmp_path / "app.lpcl", policy, run)
    assert found is not None
    sets = found["participants"]
    assert isinstance(sets, list)
    assert {tuple(f"{one['library']}.{one['operation']}" for one in each) for each in sets} == expected
    steps = found["steps"]
    assert isinstance(steps, list)
    if policy == "forbid":
        assert tuple(one["who"] for one in steps) == ("par.threads", "lib.go")
        assert steps[-1]["text"] == "lib.go is entered by 8 threads at the same time"


@pytest.mark.parametrize("policy", ["queue", "forbid"])
def test_members_of_together_are_in_it_together(tmp_path: Path, policy: str) -> None:
    found = finding_of(tmp_path / "app.lpcl", policy, "together { lib.go lib.also } lib.go")
    assert found is not None
    sets = found["participants"]
    assert isinstance(sets, list)
    (only,) = sets
    assert [one["operation"] for one in only] == ["go", "also"]


def test_one_of_a_resource_is_named_in_the_singular(tmp_path: Path) -> None:
    path = tmp_path / "app.lpcl"
    path.write_text(
        """
package single
import lpcl.core.*
contract par { operation forked(n: count) { workers processes n { start spawn } } }
contract lib { operation go }
application app {
  machine { cpus.online = 1  cpus.quota = 0.5  limits.processes = 2 }
  use par, lib
  run { par.forked(n = 2) { lib.go } lib.go }
}
""",
        encoding="utf-8",
    )
    told = CliRunner().invoke(cli, ["compose", str(path)], catch_exceptions=False).output
    assert "ask for at least 1 process less at once" in told
    path.write_text(
        """
package single
import lpcl.core.*
contract lib { operation go }
application app { machine { cpus.online = 1  cpus.quota = 0.5 }  use lib  run { lib.go } }
""",
        encoding="utf-8",
    )
    told = CliRunner().invoke(cli, ["compose", str(path)], catch_exceptions=False).output
    assert "1 thread would be runnable" in told


def test_a_pool_of_one_thread_is_not_to_be_given_one(tmp_path: Path) -> None:
    text = (
        TEXT.format(policy="queue", run="par.threads(n = 8) { lib.go }")
        .replace("size 4", "size 1")
        .replace("caller joins", "caller waits")
    )
    path = tmp_path / "app.lpcl"
    path.write_text(text, encoding="utf-8")
    told = CliRunner().invoke(cli, ["compose", str(path)], catch_exceptions=False).output
    assert "callers want `lib.w` of 1 thread, which serves 1 at a time" in told
    assert "give the pool one thread" not in told
    assert "help: call it from fewer" in told
