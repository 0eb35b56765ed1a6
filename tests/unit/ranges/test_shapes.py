"""One tree for several machines says of each of them what a tree of its own says."""

from __future__ import annotations

from pathlib import Path

import pytest

from lpcl.check.context import Context
from lpcl.compose.resources import resources
from lpcl.ranges.references import References
from lpcl.ranges.roomy import NARROWED
from lpcl.ranges.rules.alone import _Use
from lpcl.ranges.rules.subject import Subject
from lpcl.ranges.shapes import Shapes
from lpcl.service import open_workspace
from lpcl.syntax import nodes

TEXT = """\
package p
import lpcl.core.*
contract c {
  let wide = machine.cpus.online > 4
  control jobs: count in 1..4096 { default if wide then machine.cpus.online * 3 else 1 }
  pool workers { size jobs  callers queue  created at load }
  demand memory = machine.cpus.online * 5 GiB when wide
  operation compute { runs on workers }
  operation split { workers processes machine.cpus.online when machine.cpus.quota < 4 { demand shm = 1 GiB } }
  operation hold { demand shm = 3 GiB * machine.cpus.affinity }
  operation nothing {}
}
"""
MACHINES = (
    {"cpus.online": 1},
    {"cpus.online": 4},
    {"cpus.online": 5},
    {"cpus.online": 8},
    {"cpus.online": 8, "cpus.affinity": 4},
    {"cpus.online": 8, "cpus.quota": 2},
    {"cpus.online": 64, "cpus.quota": 3, "cpus.affinity": 5},
)


@pytest.mark.parametrize("operation", ["compute", "split", "hold", "nothing"])
def test_on_each_machine(operation: str, tmp_path: Path) -> None:
    path = tmp_path / "c.lpcl"
    path.write_text(TEXT)
    program = open_workspace([str(path)]).program
    (declared,) = program.declarations["p.c"]
    assert isinstance(declared.node, nodes.Contract)
    subject = Subject(Context(program), declared, References(program))
    use = _Use(subject, operation, resources(program))
    shapes = Shapes(use.build, use.declared, NARROWED.machines)
    told = []
    for tried in MACHINES:
        figures = NARROWED.machine(tried)
        found = use.assessed(NARROWED, figures)
        assert shapes.excesses(figures) == found, tried
        told.append(bool(found))
    assert any(told)
    assert not all(told)
    assert not shapes.nothing_fails(lambda _: True)


def test_nothing_is_too_much(tmp_path: Path) -> None:
    path = tmp_path / "c.lpcl"
    path.write_text("package p\nimport lpcl.core.*\ncontract c { operation o { demand memory = 1 GiB } }\n")
    program = open_workspace([str(path)]).program
    (declared,) = program.declarations["p.c"]
    use = _Use(Subject(Context(program), declared, References(program)), "o", resources(program))
    shapes = Shapes(use.build, use.declared, NARROWED.machines)
    figures = NARROWED.machine({"cpus.online": 8})
    assert shapes.excesses(figures) == ()
    assert shapes.nothing_fails(lambda _: True)
