"""Applications at the edges: each has a clear answer."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from lpcl.compose import solver
from lpcl.compose.answers import answers
from lpcl.compose.composition import Composition, Outcome, compose
from lpcl.compose.findings import Grade, Kind
from lpcl.compose.solver import Verdict
from lpcl.compose.structure import Resolution
from lpcl.model.program import Program, SourceFile
from lpcl.syntax.parser import parse
from tests.property.applications import CORE

LIBRARY = """
contract lib {
  control threads: count in 1..64 { env LIB_THREADS  default machine.cpus.affinity }
  pool team { size threads  callers fork  caller joins  threads coupled  created at first use }
  operation split(n: count) { workers threads n }
  operation fork(n: count) { workers processes n { start fork } }
  operation fit { runs on team }
}
"""


def outcome(run: str, machine: str = "cpus.online = 8", more: str = "", use: str = "lib") -> Outcome:
    """An application composed on a machine."""
    text = (
        f"package t\nimport lpcl.core.*\n{LIBRARY}\n{more}\n"
        f"application app {{ machine {{ {machine} }} use {use}\n run {{ {run} }} }}\n"
    )
    files = tuple(SourceFile(path, source, parse(source)) for path, source in (("core", CORE), ("t", text)))
    assert not any(file.parsed.faults for file in files)
    program = Program(files)
    return compose(program, program.declarations["t.app"][0])


def composed(run: str, machine: str = "cpus.online = 8", more: str = "", use: str = "lib") -> Composition:
    """The same where it can be composed."""
    found = outcome(run, machine, more, use)
    assert found.composition is not None, found.diagnostics
    return found.composition


def refused(*args: str) -> str:
    """The code of what keeps it from being composed."""
    return outcome(*args).diagnostics[0].code


def headlines(composition: Composition) -> list[str]:
    """What is wrong as it stands."""
    return [finding.headline for finding in composition.assessment.findings]


@pytest.fixture
def no_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """A solver that may do next to nothing."""
    monkeypatch.setattr(solver.Solver.__init__, "__defaults__", (1, *solver.Solver.__init__.__defaults__[1:]))


@pytest.mark.usefixtures("no_work")
def test_a_limit_that_is_hit_is_said() -> None:
    told = answers(composed("lib.split(n = 4) { lib.fit }", "cpus.online = 8"))
    assert told.decided is Verdict.UNDECIDED
    assert told.findings
    assert composed("lib.split(n = 4) { lib.fit }").questions.avoidable().verdict is Verdict.UNDECIDED


NEVER = 'contract never { assume 1 > 2 else "no way"  operation fit { } }'


def test_a_contract_that_no_setting_satisfies() -> None:
    told = answers(
        composed(
            "never.fit", more='contract never { assume 1 > 2 else "no way"  operation fit { } }', use="never"
        )
    )
    assert [finding.kind for finding in told.findings] == [Kind.ASSUMPTION]
    assert told.decided is Verdict.NO


@pytest.mark.parametrize("cpus", ["cpus.online = 0", "cpus.online = 4  cpus.quota = 0"])
def test_a_machine_without_cpus(cpus: str) -> None:
    assert refused("lib.fit", cpus) == "impossible-machine"


@pytest.mark.parametrize(
    ("quota", "threads", "grade"),
    [("0.5", 1, Grade.MILD), ("0.5", 2, Grade.COLLAPSE), ("1.5", 2, Grade.COLLAPSE), ("0.01", 1, Grade.MILD)],
)
def test_a_quota_of_less_than_a_cpu(quota: str, threads: int, grade: Grade) -> None:
    composition = composed(
        f"limit lib.threads = {threads} {{ lib.fit }}", f"cpus.online = 8  cpus.quota = {quota}"
    )
    (finding,) = composition.assessment.findings
    assert finding.kind is Kind.OVERCOMMIT
    assert finding.grade is grade


def test_a_million_processes() -> None:
    composition = composed("lib.fork(n = 1000000) { lib.fit }")
    assert headlines(composition) == ["cpu: 8000000 asked for, 8 available (1000000x)"]
    assert answers(composition).decided is Verdict.NO


def test_a_million_processes_of_a_million_threads() -> None:
    run = "lib.fork(n = 1000000) { lib.split(n = 1000000) { lib.fit } }"
    assert headlines(composed(run)) == ["cpu: 8000000000000 asked for, 8 available (1000000000000x)"]


def test_huge_numbers() -> None:
    more = f"contract big {{ operation fit {{ demand memory = 1 B * {10**30} }} }}"
    composition = composed("big.fit", f"cpus.online = 8  memory.total = 1 B * {10**30}", more, "big")
    assert headlines(composition) == []
    over = composed("big.fit big.fit", f"cpus.online = 8  memory.total = 1 B * {10**30 - 1}", more, "big")
    assert [finding.demand for finding in over.assessment.findings] == [10**30]
    assert answers(over).decided is Verdict.NO


def test_uses_in_a_circle() -> None:
    more = """
contract one { uses other: two = two  operation fit { calls other.fit } }
contract two { uses other: one = one  operation fit { calls other.fit } }
"""
    assert refused("one.fit", "cpus.online = 8", more, "one") in ("cyclic-uses", "cyclic-call", "too-deep")


CHAIN = "".join(f"let x{i} = x{i - 1} + x{i - 1}\n" for i in range(1, 301))


def test_values_that_build_on_each_other() -> None:
    more = f"contract chain {{ let x0 = 1\n{CHAIN} operation fit {{ demand memory = 1 B * (x300 mod 7) }} }}"
    composition = composed("chain.fit", "cpus.online = 8  memory.total = 1 GiB", more, "chain")
    memory = next(one for one in composition.assessment.demands if one.sum.resource.name == "memory")
    assert memory.high == 2**300 % 7


def test_values_that_build_on_each_other_over_knobs() -> None:
    chain = "".join(f"let x{i} = max(x{i - 1}, x{i - 1} + 0)\n" for i in range(1, 61))
    more = f"""contract chain {{
  control threads: count in 1..64 {{ env CHAIN_THREADS  default 16 }}
  let x0 = threads
  {chain}
  pool team {{ size x60  callers fork  caller joins  threads coupled  created at first use }}
  operation fit {{ runs on team }}
}}"""
    told = answers(composed("chain.fit", "cpus.online = 8", more, "chain"))
    assert [one.configuration["env:CHAIN_THREADS"] for one in told.alternatives] == [8]


def controls_that_build_on_each_other(each: str) -> str:
    """A contract of 40 controls, each of which reads the two before it, three times in all."""
    controls = "".join(
        f"  control c{i}: count in 0..1000000 {{ {each.format(i)}"
        f"  default c{i - 1} + c{max(0, i - 2)} - c{max(0, i - 2)} }}\n"
        for i in range(1, 40)
    )
    return f"""contract chain {{
  control c0: count in 0..1000000 {{ default 16 }}
{controls}
  pool team {{ size c39  callers fork  caller joins  threads coupled  created at first use }}
  operation fit {{ runs on team }}
}}"""


@pytest.mark.parametrize("each", ["", "env C{0}", "env C{0}  invalid clamps", "env C{0}  read at load"])
def test_controls_that_build_on_each_other(each: str) -> None:
    composition = composed("chain.fit", "cpus.online = 8", controls_that_build_on_each_other(each), "chain")
    (finding,) = composition.assessment.findings
    assert finding.demand == 16
    told = answers(composition)
    if each:
        assert [one.configuration["env:C39"] for one in told.alternatives] == [8]
    else:
        assert not told.alternatives


def told(reasons: Sequence[Resolution]) -> int:
    """How many lines it takes to tell reasons in full."""
    return sum(1 + told(reason.because) for reason in reasons)


def test_reasons_that_build_on_each_other_are_told_once() -> None:
    composition = composed("chain.fit", "cpus.online = 8", controls_that_build_on_each_other(""), "chain")
    (finding,) = composition.assessment.findings
    assert 40 <= told([reason for entry in finding.ledger for reason in entry.reasons]) < 1_000


def test_values_of_an_application_that_build_on_each_other() -> None:
    text = f"application app {{ machine {{ cpus.online = 8 }} use lib\nlet x0 = 1\n{CHAIN}\n"
    text += "run { lib.split(n = x300 mod 7 + 1) { lib.fit } } }"
    files = [SourceFile("core", CORE, parse(CORE))]
    source = f"package t\nimport lpcl.core.*\n{LIBRARY}\n{text}"
    files.append(SourceFile("t", source, parse(source)))
    program = Program(tuple(files))
    composition = compose(program, program.declarations["t.app"][0]).composition
    assert composition is not None
    assert [one.demand for one in composition.assessment.findings] == [8 * (2**300 % 7 + 1)]


def test_values_in_a_circle() -> None:
    more = "contract loop { let a = b  let b = a  operation fit { demand memory = 1 B * a } }"
    assert refused("loop.fit", "cpus.online = 8  memory.total = 1 GiB", more, "loop") == "cyclic-value"
