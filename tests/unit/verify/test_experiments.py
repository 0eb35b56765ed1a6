"""From the clauses of evidence to an experiment that is ready for a machine."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from lpcl.model.host import HostFacts
from lpcl.verify.experiments import Setup, variables_of
from lpcl.verify.selection import select

if TYPE_CHECKING:
    from tests.unit.verify.conftest import Bench

CODE = 'python "report(a=1)" expect a == 1'


def setup_of(bench: Bench, clauses: str, host: HostFacts) -> Setup:
    made = bench.experiment(f"{clauses} {CODE}", host)
    assert made.setup is not None, (made.obstacle, made.fault)
    return made.setup


@pytest.mark.parametrize(
    ("clauses", "variables"),
    [
        ("set OMP_NUM_THREADS = 3", {"OMP_NUM_THREADS": "3"}),
        ("set N = machine.cpus.online + 1", {"N": "9"}),
        ("set N = machine.cpus * 2", {"N": "5"}),
        ("set N = 1 / 4", {"N": "0.25"}),
        ("set N = -1", {"N": "-1"}),
        ("set N = true", {"N": "true"}),
        ('set N = "4,2"', {"N": "4,2"}),
        ("set N = 64 MiB", {"N": "67108864"}),
        ("set default N = 1", {"N": "1"}),
        ("set N = 2 set default N = 1", {"N": "2"}),
        ("set N = 2 when machine.cpus.online > 8", {}),
        ("pin cpus = 2 set N = machine.cpus.affinity", {"N": "2"}),
    ],
)
def test_variables(
    bench: Bench, make_host: Callable[..., HostFacts], clauses: str, variables: dict[str, str]
) -> None:
    host = make_host(cpus__online=8, cpus__affinity=8, cpus__quota=Fraction(5, 2))
    assert setup_of(bench, clauses, host).variables == variables


def test_defaults(bench: Bench, make_host: Callable[..., HostFacts]) -> None:
    found = setup_of(bench, "", make_host(cpus__online=8))
    assert (found.cpus, found.seconds, found.variables) == (None, 60, {})


def test_pin_and_timeout(bench: Bench, make_host: Callable[..., HostFacts]) -> None:
    found = setup_of(
        bench, "pin cpus = machine.cpus.affinity div 2 timeout 1500 ms", make_host(cpus__online=8)
    )
    assert (found.cpus, found.seconds) == (4, Fraction(3, 2))
    assert found.machine.fact("cpus.affinity") == 4
    assert found.machine.fact("cpus.online") == 8


@pytest.mark.parametrize(
    ("clauses", "obstacle"),
    [
        ("pin cpus = 4", "it needs 4 CPUs, and 2 can be used here"),
        ("set N = machine.gpu.memory", "`machine.gpu.memory` has no value here: the test does not say"),
    ],
)
def test_what_this_machine_lacks(
    bench: Bench, make_host: Callable[..., HostFacts], clauses: str, obstacle: str
) -> None:
    assert bench.experiment(f"{clauses} {CODE}", make_host(cpus__online=2)).obstacle == obstacle


@pytest.mark.parametrize(
    ("clauses", "fault"),
    [
        (f"pin cpus = machine.cpus.online - 2 {CODE}", "it is to be pinned to 0 CPUs, which runs nothing"),
        (f"set N = 1 / machine.gpus {CODE}", "the divisor is 0 here"),
        (f"set N = 1 / 3 {CODE}", "`N` is to be set to 1/3, which no variable can hold exactly"),
        (f"timeout 0 s {CODE}", "its time limit is 0, which is no time"),
    ],
)
def test_faults(bench: Bench, make_host: Callable[..., HostFacts], clauses: str, fault: str) -> None:
    assert bench.experiment(clauses, make_host(cpus__online=2, gpus=0)).fault == fault


@pytest.mark.parametrize(
    ("clauses", "fault"),
    [
        ('python "report(a=1)"', "it expects nothing: it has no `expect`"),
        ("expect a == 1", "it has no `python` code to run"),
    ],
)
def test_clauses_that_are_missing(
    bench: Bench, make_host: Callable[..., HostFacts], clauses: str, fault: str
) -> None:
    from lpcl.verify.experiments import prepare

    bench.write(f'contract probe {{ evidence "x" {{ {clauses} }} }}')
    chosen = select([str(bench.folder)]).chosen[0]
    assert [item.code for item in chosen.errors] == ["missing-clause"]
    (made,) = prepare(chosen.workspace.program, chosen.contracts, make_host(cpus__online=2))
    assert made.fault == fault


def test_code_has_the_lines_of_its_file(bench: Bench, make_host: Callable[..., HostFacts]) -> None:
    head = '// 1\n// 2\ncontract probe {\n  evidence "x" {\n    python """\n'
    tail = '\n      a = 1\n      b = 2\n    """\n    expect exit_code == 0\n  }\n}\n'
    (made,) = bench.prepare(head + tail, make_host(cpus__online=2))
    assert made.setup is not None
    lines = made.setup.code.splitlines()
    assert (lines[6], lines[7]) == ("a = 1", "b = 2")
    assert made.origin.file.line(made.origin.span.start) == 4


FAMILY = """
contract common {{ evidence "shared" {{ {code} }} }}
contract old extends common {{ library {{ pypi "pytest" "<1" }} }}
contract new extends common {{ library {{ pypi "pytest" ">=1" }} evidence "own" {{ {code} }} }}
"""


def test_inherited_evidence_is_tried_once_where_it_can_be(bench: Bench) -> None:
    made = bench.prepare(FAMILY.format(code=CODE))
    assert [(item.contract.name, item.title, item.obstacle) for item in made] == [
        ("new", "shared", None),
        ("new", "own", None),
    ]


def test_inherited_evidence_that_cannot_be_tried(bench: Bench) -> None:
    made = bench.prepare(
        f"""
        contract common {{ evidence "shared" {{ needs "not-a-distribution" {CODE} }} }}
        contract a extends common {{ library {{ pypi "pytest" }} }}
        """
    )
    assert [item.obstacle for item in made] == ["not-a-distribution is not installed"]


def test_variables_that_must_not_be_inherited(bench: Bench) -> None:
    bench.write(
        """
        interface pool { control threads: count { env POOL_THREADS } }
        contract a {
          control n: count { env FIRST, SECOND  default 1 }
          control m: count { default 2 }
          operation work
        }
        """
    )
    program = select([str(bench.folder)]).chosen[0].workspace.program
    assert variables_of(program) == {"POOL_THREADS", "FIRST", "SECOND"}
