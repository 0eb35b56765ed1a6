"""Several versions of one contract: each application goes by its own in what is set and explained."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from lpcl.cli import cli

TEXT = """
package versions
import lpcl.core.*
contract lib {
  library { pypi "lib" "<2" }
  control threads: count in 1..4 { env LIB_THREADS  default 2 }
  control old: count in 1..4 { env LIB_OLD  default 2 }
  pool w { size threads * old  callers fork }
  operation go { runs on w }
}
contract lib {
  library { pypi "lib" ">=2" }
  control threads: count in 1..64 { env LIB_THREADS, LIB_TWO  default 4 }
  control extra: count in 1..4 { env LIB_EXTRA  default 1 }
  pool w { size threads * extra  callers fork }
  pool big { size 2 * threads * extra  callers fork }
  let most = 64 MiB * threads
  operation go { runs on w }
}
machine m { cpus.online = 8  memory.total = 64 GiB }
application one { machine m  use lib "1.0"  run { lib.go } }
application two { machine m  use lib "2.0"  run { lib.go } }
"""


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "versions.lpcl"
    path.write_text(TEXT, encoding="utf-8")
    return str(path)


def run(*words: str) -> str:
    return CliRunner().invoke(cli, list(words), catch_exceptions=False).output


@pytest.mark.parametrize(
    ("application", "choice", "said"),
    [
        ("one", "lib.threads=8", "lib.threads lies in 1..4, and '8' does not"),
        ("one", "lib.extra=2", "lib has no control extra: it has threads, old"),
        ("one", "lib.old=1", "cpu  2  of  8"),
        ("two", "lib.threads=8", "cpu  8  of  8"),
        ("two", "lib.extra=2", "cpu  8  of  8"),
        ("two", "lib.old=1", "lib has no control old: it has threads, extra"),
    ],
)
def test_a_control_is_that_of_the_version_in_use(file: str, application: str, choice: str, said: str) -> None:
    assert said in run("compose", f"{file}:{application}", "--set", choice)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("lib.threads", ["2 in one, lib.go: default 2", "4 in two, lib.go: default 4", "5. its default"]),
        ("lib.old", ["2 in one, lib.go: default 2", "LIB_OLD=1"]),
        ("lib.extra", ["1 in two, lib.go: default 1", "LIB_EXTRA=2"]),
        ("lib.big", ["8 in two, where nothing runs on it: size 2 * threads * extra = 2 * 4 * 1"]),
        ("lib.most", ["256 MiB in two: 64 MiB * threads = 64 MiB * 4"]),
        ("LIB_TWO", ["read by lib.threads"]),
    ],
)
def test_every_version_is_explained(file: str, value: str, said: list[str]) -> None:
    told = run("why", f"{file}:one", f"{file}:two", value)
    for one in said:
        assert one in told
