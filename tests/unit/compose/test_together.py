"""Several applications on one machine at once."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from lpcl import service
from lpcl.cli import cli
from lpcl.compose.composition import Composition
from lpcl.compose.findings import Kind

TEXT = """package node

import lpcl.core.*

resource slots: count per process { capacity 4  sharing space  exceed fails }

machine small { cpus.online = 8  gpus = 1  gpu.memory = 80 GiB  limits.threads = 100 }
machine other { cpus.online = 4 }

contract lib {
  control threads: count in 1..64 { env LIB_THREADS  default machine.cpus.affinity }
  pool team { size threads  callers fork  caller joins  threads coupled }
  operation fit { runs on team }
  operation spread(n: count) { workers processes n { start spawn } }
  operation serve(share: share) { demand gpu_memory on 0 = share * machine.gpu.memory  demand cpu = 0 }
  operation hold { demand slots = 3 }
}

application trainer {
  machine small
  use lib
  control jobs: count in 1..8 { argument "--jobs"  default 2 }
  background cpu = 1
  run { lib.spread(n = jobs) { lib.fit } }
}

application server {
  machine small
  use lib
  env LIB_THREADS = 3
  background cpu = 2
  run { lib.fit }
}

application engine {
  machine small
  use lib
  run { lib.serve(share = 75%) }
}

application second_engine {
  machine small
  use lib
  run { lib.serve(share = 35%) }
}

application holder { machine small  use lib  run { lib.hold } }
application elsewhere { machine other  use lib  run { lib.fit } }
"""


@pytest.fixture(autouse=True)
def _file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "node.lpcl").write_text(TEXT)
    monkeypatch.chdir(tmp_path)


def composed(*names: str, machine: str | None = None, choices: tuple[str, ...] = ()) -> Composition:
    """Applications of the file, at once."""
    workspace, applications = service.select_applications([f"node.lpcl:{name}" for name in names])
    assert not workspace.errors
    outcome = service.compose_applications(workspace, applications, machine, choices)
    assert outcome.composition is not None, outcome.diagnostics
    return outcome.composition


def run(*words: str) -> Result:
    """`lpclc compose`."""
    return CliRunner().invoke(cli, ["compose", *words])


def demands(composition: Composition) -> dict[str, object]:
    """What each machine-wide resource must bear."""
    return {
        item.sum.resource.name: item.high
        for item in composition.assessment.demands
        if item.sum.starter is None
    }


@pytest.mark.parametrize(
    "names",
    [("trainer", "server"), ("server", "trainer"), ("server", "server"), ("trainer", "server", "holder")],
)
def test_demands_add_up(names: tuple[str, ...]) -> None:
    """What the machine must bear is the sum of what each asks for: none knows of the others."""
    alone = [demands(composed(name)) for name in names]
    together = demands(composed(*names))
    for resource in ("cpu", "threads"):
        assert together[resource] == sum(one[resource] for one in alone)  # type: ignore[misc]


def test_two_engines_on_one_device() -> None:
    for name in ("engine", "second_engine"):
        assert not composed(name).assessment.findings
    (finding,) = composed("engine", "second_engine").assessment.findings
    assert finding.kind is Kind.OVERCOMMIT
    assert finding.headline == "gpu_memory on device 0: 88 GiB asked for, 80 GiB available (1.1x)"
    assert finding.libraries == (("lib of engine", "lib of second_engine"),)


def test_what_a_process_has_it_has_for_itself() -> None:
    assert not composed("holder", "holder").assessment.findings


def test_of_the_background_the_most_counts() -> None:
    """Each application says what runs beside it, and that may be the same."""
    (finding,) = composed("trainer", "server").assessment.findings
    assert finding.background == 2


def test_the_knobs_of_each() -> None:
    composition = composed("server", "server")
    assert [one.id for one in composition.knobs] == ["env:server#1/LIB_THREADS", "env:server#2/LIB_THREADS"]
    found = service.answers_of(composition)
    assert not found.alarms
    shapes = {tuple(figure.value for figure in one.shape) for one in found.alternatives}
    assert (3, 3) in shapes
    assert all(sum(shape) <= 6 for shape in shapes)  # 8 CPUs, of which others use 2


def test_a_choice_for_one_or_for_all() -> None:
    assert demands(composed("server", "server", choices=("LIB_THREADS=5",)))["cpu"] == 10
    assert demands(composed("server", "server", choices=("server#2:LIB_THREADS=5",)))["cpu"] == 8
    assert demands(composed("trainer", "server", choices=("jobs=1",)))["cpu"] == 11


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("node.lpcl:server", "node.lpcl:elsewhere"), "name different machines"),
        (("node.lpcl:server", "node.lpcl:severe"), "there is no application severe: did you mean server?"),
        (
            ("node.lpcl:server", "node.lpcl:trainer", "--set", "x:A=1"),
            "'x:A=1' is for none of server, trainer",
        ),
        (("node.lpcl:server", "node.lpcl:trainer", "--set", "A=1"), "is called or reads A: there are"),
    ],
)
def test_what_cannot_be_asked(words: tuple[str, ...], said: str) -> None:
    result = run(*words)
    assert result.exit_code == 2
    assert said in result.output


def test_on_one_machine_all_the_same() -> None:
    result = run("node.lpcl:server", "elsewhere", "--machine", "small")
    assert result.exit_code == 1
    assert "11 asked for beside 2 of others, 8 available" in result.output
