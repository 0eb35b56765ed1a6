"""Whole kinds of faults that were once found in the composer, so that none of a kind comes back."""

from __future__ import annotations

import pytest

from lpcl.compose.answers import Answers, answers
from lpcl.compose.composition import Outcome, compose
from lpcl.compose.planning import plan_of
from lpcl.compose.settings import EnvValue, Settings
from lpcl.compose.solver import Verdict
from lpcl.model.program import Program, SourceFile
from lpcl.plan.integrity import problems
from lpcl.syntax.parser import parse
from tests.property.applications import CORE

DEVICES = "resource vram: bytes per device { capacity machine.gpu.memory  sharing space  exceed fails }\n"
POOL = """
contract lib {
  control threads: count in 1..64 { env LIB_THREADS  default machine.cpus.affinity }
  control on: bool { env LIB_ON  default true }
  control mode: {wide, narrow} { env LIB_MODE  default wide }
  control room: bytes in 1 MiB..8 GiB { env LIB_ROOM  default 4 GiB }
  pool team { size threads  callers fork  caller joins  threads coupled }
  pool shared { size 4  callers submit  caller waits  nested }
  operation fit { runs on team }
  operation work { runs on shared }
  operation guarded { workers threads 16 when on }
  operation modal { workers threads 16 when mode == wide }
  operation threads(n: int) { workers threads n }
  operation held { demand memory = room }
  operation ram(low: bytes, high: bytes) { demand memory in low..high }
  operation on_device(device: count) { demand vram on device = 1 GiB }
}
"""


def outcome(run: str, machine: str = "cpus.online = 8", settings: Settings | None = None) -> Outcome:
    """An application that runs `run` over `lib`."""
    text = (
        f"package test\nimport lpcl.core.*\n{DEVICES}{POOL}"
        f"application app {{ machine {{ {machine} }}  use lib  run {{ {run} }} }}\n"
    )
    files = []
    for path, source in (("core.lpcl", CORE), ("test.lpcl", text)):
        parsed = parse(source)
        assert not parsed.faults, parsed.faults
        files.append(SourceFile(path, source, parsed))
    program = Program(tuple(files))
    return compose(program, program.declarations["test.app"][0], settings=settings)


def told(run: str, machine: str = "cpus.online = 8", settings: Settings | None = None) -> Answers:
    """All answers about an application that can be composed."""
    found = outcome(run, machine, settings)
    assert found.composition is not None, found.diagnostics
    return answers(found.composition)


def refused(run: str, machine: str = "cpus.online = 8") -> str:
    """The headline of why an application cannot be composed."""
    found = outcome(run, machine)
    assert found.composition is None
    return found.diagnostics[0].headline


@pytest.mark.parametrize("count", [1, 150])
def test_length_decides_nothing(count: int) -> None:
    """Terms of long applications stay flat, and one statement is asked after the other."""
    found = told("lib.fit\n" * count)
    assert not found.alarms
    assert found.decided is Verdict.YES


@pytest.mark.parametrize(
    ("run", "changed"),
    [("lib.guarded", "LIB_ON=false"), ("lib.modal", "LIB_MODE=narrow")],
)
def test_what_a_guard_reads_is_a_knob(run: str, changed: str) -> None:
    name, _, value = changed.partition("=")
    found = told(run)
    assert found.alarms
    best = found.alternatives[0]
    assert [item.name for item in best.changes] == [name]
    assert str(best.configuration[f"env:{name}"]).lower() == value


def test_amounts_are_knobs() -> None:
    found = told("lib.held", "cpus.online = 8  memory.total = 1 GiB")
    assert found.alarms
    assert [item.name for item in found.alternatives[0].changes] == ["LIB_ROOM"]


@pytest.mark.parametrize("value", ["4,2", "two", "", "-1", 10**20, True])
def test_a_variable_may_hold_anything(value: str | int) -> None:
    """What is none of a control's values counts as not set, and the plan is sound all the same."""
    settings = Settings({"LIB_THREADS": EnvValue(True, value, None, "")})
    found = told("lib.fit", settings=settings)
    assert found.composition.assessment.demands[0].high == 8
    assert problems(plan_of(found)) == []


def test_no_workers_is_a_number_of_workers() -> None:
    found = told("lib.threads(n = 0) { lib.fit }")
    assert not found.alarms
    assert found.decided is Verdict.YES


def test_a_pool_entered_from_its_own_threads() -> None:
    """Its threads carry on with what they find, and none of them waits for another one."""
    found = told("lib.work { lib.work }")
    assert found.composition.assessment.demands[0].high == 4
    assert not found.alarms


@pytest.mark.parametrize(
    ("run", "machine", "expected"),
    [
        ("lib.on_device(device = 5)", "cpus.online = 8  gpus = 2  gpu.memory = 4 GiB", "on device 5"),
        ("lib.on_device(device = 0)", "cpus.online = 8  gpus = 0", "the machine has 0"),
        ("lib.ram(low = 2 GiB, high = 1 GiB)", "cpus.online = 8", "the wrong way round"),
        ("lib.threads(n = -1)", "cpus.online = 8", "no number of workers"),
        ("limit lib.threads = -2 { lib.fit }", "cpus.online = 8", "-2 threads"),
    ],
)
def test_what_cannot_be_is_refused(run: str, machine: str, expected: str) -> None:
    assert expected in refused(run, machine)


def test_a_huge_machine_is_a_machine() -> None:
    found = told("lib.fit", f"cpus.online = {10**30}")
    assert found.composition.assessment.demands[0].high == 10**30
