"""Clauses whose meaning depends on what can be set: all settings at once, held against asking each."""

from __future__ import annotations

from itertools import product

import pytest

from lpcl.compose.alternatives import at_least, shape_of
from lpcl.compose.answers import answers
from lpcl.compose.anywhere import anywhere
from lpcl.compose.assess import assess
from lpcl.compose.composition import Composition, compose, composed
from lpcl.compose.findings import Kind
from lpcl.compose.joint import parts
from lpcl.compose.machine import MachineView
from lpcl.compose.machines import Machines, free
from lpcl.compose.meaning import peak
from lpcl.compose.measures import CpuMeasure
from lpcl.compose.refusal import Refusal
from lpcl.compose.settings import Settings
from lpcl.compose.solver import Verdict
from lpcl.compose.suspects import key_of
from lpcl.compose.why import explain
from lpcl.model.program import Program
from tests.property.applications import configurations, program_of

PAR = """
contract par {
  operation threads(n: count) { workers threads n }
  operation many(n: count) { workers threads n when n > 1 }
  operation held(n: count) { workers threads n { limit q.threads = 2 when n > 1 } }
  operation start(n: count, how: {fork, spawn} = fork) { workers processes n { start how } }
}
contract q { control threads: count in 1..3 { env Q_THREADS  default 2 } }
"""
MACHINE = "cpus.online = 4  memory.total = 64 MiB  limits.threads = 12  gpus = 2  gpu.memory = 3 MiB"


def program(contract: str, application: str, machine: str = MACHINE) -> Program:
    """A contract `p`, and an application that uses it."""
    return program_of(
        f"package random\nimport lpcl.core.*\n{PAR}\n{contract}\n"
        f"application app {{ machine {{ {machine} }} use p, par\n{application} }}"
    )


def composition(contract: str, application: str, machine: str = MACHINE) -> Composition:
    """The application composed."""
    whole = program(contract, application, machine)
    outcome = compose(whole, whole.declarations["random.app"][0])
    assert outcome.composition is not None, outcome.diagnostics
    return outcome.composition


def agreed(one: Composition) -> dict[tuple[object, ...], int]:
    """The CPUs that each right setting has at work, once all questions agree with asking each setting."""
    questions = one.questions
    over: set[str | None] = set()
    right: dict[tuple[object, ...], int] = {}
    for configuration in configurations(one):
        assessment = questions.assessed(configuration)
        if assessment is None:
            continue
        over |= {
            item.resource for item in assessment.findings if item.kind is Kind.OVERCOMMIT and item.certain
        }
        if not assessment.alarms:
            root = questions.elaborated(configuration).root
            right[tuple(configuration.values())] = int(peak(root, CpuMeasure("low", spinning=False)).amount)
    for name in ("cpu", "memory", "threads", "vram"):
        answer = questions.can_happen(f"lpcl.core.{name}")
        assert (answer.verdict is Verdict.YES) == (f"lpcl.core.{name}" in over), name
        assert answer.verdict is not Verdict.UNDECIDED
    assert questions.avoidable().verdict is (Verdict.YES if right else Verdict.NO)
    shown, verdict = questions.alternatives(most=64)
    assert verdict is (Verdict.YES if right else Verdict.NO)
    for item in shown:
        assert right[tuple(item.configuration.values())] == max(right.values())
        assert item.shape == shape_of(questions.elaborated(item.configuration).root)
        assert not any(
            other.shape != item.shape
            and len(other.changes) <= len(item.changes)
            and at_least(other.shape, item.shape)
            for other in shown
        )
    return right


DEFINED = """contract p {
  control on: bool { env P_ON  default true }
  control threads: count in 1..4 { env P_THREADS  default 2 }
  pool safe { size threads  callers submit  fork resets }
  pool unsafe { size threads  callers submit  fork unsafe }
  operation go {
    let forced = defined(on) and on
    runs on unsafe when forced
    runs on safe when on and not forced
  }
  operation wide { workers threads 3 when defined(threads) }
}"""
SPINS = """contract p {
  control threads: count in 1..4 { env P_THREADS  default 3 }
  pool team { size threads  callers fork  idle spins for (if threads > 1 then 1 h else 0 s) }
  operation go { runs on team }
  operation rest
}"""
LOADS = """contract p {
  control threads: count in 1..4 { env P_THREADS  default 4  read at load }
  pool team { size threads  callers queue }
  on load { set P_THREADS = 1 }
  operation go { runs on team when defined(threads) }
}"""
LATER = """contract other { on load { set P_THREADS = 1 }  operation go }
contract p {
  control threads: count in 1..4 { env P_THREADS  default 4  read at load }
  operation go { workers threads threads }
}"""
DEVICES = """contract p {
  control threads: count in 1..4 { env P_THREADS  default 1 }
  operation on(d: count) { demand vram on d = floor(threads / 2) * 2 MiB }
  operation span { demand memory in (threads - 2) * 1 MiB .. 4 MiB }
}"""
INSIDE = """contract p {
  control threads: count in 1..3 { env P_THREADS  default 2 }
  pool team { size threads  callers join  caller joins }
  operation go { runs on team }
  operation wide { workers threads 3 when defined(threads) }
}"""
NOWHERE = """contract bad { assume machine.cpus < 1 else "never"  demand memory = 1 MiB * (0 - machine.cpus)
  operation go }
contract p {
  control on: bool { env P_ON  default true }
  operation wide(k: int) { workers threads 3 when on and 4 div k > 1 }
  operation hold(k: int) { demand memory = 1 MiB * (4 div k) when on }
  operation pick(k: int) { workers threads if on then 4 div k else 2 }
  operation ask(k: int) { workers threads 3 when if on then 4 div k > 1 else true }
  operation name(k: int) { let share = 4 div k  workers threads (if on then share else 1) }
  operation set(k: int) { workers processes 2 { set P_ON = 4 div k > 1 when on } }
  operation bad { calls bad.go when on }
}"""
JOBS = 'control jobs: count in 1..4 { argument "--jobs"  default 2 }'


@pytest.mark.parametrize(
    ("contract", "application"),
    [
        (DEFINED, "env P_ON = true  run { p.go par.start(n = 2) { p.go } }"),
        (DEFINED, "run { p.go par.start(n = 2) { p.go } }"),
        (DEFINED, "env P_THREADS = 1  run { par.threads(n = 3) { p.wide } }"),
        (DEFINED, f"{JOBS} run {{ par.threads(n = if defined(P_THREADS) then jobs else 4) {{ p.go }} }}"),
        (SPINS, "run { p.go p.rest }"),
        (SPINS, f"{JOBS} limit p.threads = jobs  run {{ par.threads(n = 2) {{ p.go p.rest }} }}"),
        (LOADS, f"{JOBS} run {{ par.many(n = jobs) {{ p.go }} }}"),
        (LATER, f"use other {JOBS} run {{ par.many(n = jobs) {{ other.go p.go }} }}"),
        (DEVICES, "run { p.on(d = 2) }"),
        (DEVICES, f"{JOBS} run {{ p.on(d = jobs - 1) }}"),
        (DEVICES, "env P_THREADS = 2  run { p.span }"),
        (INSIDE, "background cpu = 1  run { p.go { p.wide { p.go } } }"),
        (INSIDE, f"{JOBS} run {{ par.threads(n = jobs) {{ p.go {{ p.wide {{ p.go }} }} p.go }} }}"),
        (INSIDE, f"{JOBS} run {{ par.held(n = jobs) {{ p.go }} p.wide }}"),
        *(
            (NOWHERE, f"env P_ON = false  run {{ p.{one}(k = 0) }}")
            for one in ("wide", "hold", "pick", "ask")
        ),
        *((NOWHERE, f"env P_ON = false  run {{ p.{one} }}") for one in ("name(k = 0)", "set(k = 0)", "bad")),
        (
            DEFINED,
            "env P_ON = true  control how: {fork, spawn} { default fork }"
            " run { p.go par.start(n = 2, how = how) { p.go } }",
        ),
        (
            DEFINED,
            f"{JOBS} control how: {{fork, spawn}} {{ default spawn }}"
            " run { limit p.threads = 1 { par.start(n = jobs, how = how) { p.go } } }",
        ),
    ],
)
def test_the_questions_agree_with_asking_each_setting(contract: str, application: str) -> None:
    agreed(composition(contract, application))


def test_that_a_variable_is_left_unset_is_among_what_would_be_right() -> None:
    one = composition(DEFINED, "env P_ON = true  run { p.go par.start(n = 2) { p.go } }")
    assert {"P_ON"} in [{item.name for item in found.changes} for found in one.questions.alternatives()[0]]


def test_what_only_asks_whether_a_variable_is_set_depends_on_it() -> None:
    one = composition(DEFINED, "env P_THREADS = 1  run { par.threads(n = 3) { p.wide } }")
    assert [item.name for item in one.knobs] == ["P_THREADS"]


def test_a_control_that_is_handed_on_can_be_set() -> None:
    contract = """contract p {
      control threads: count in 1..8 { env P_THREADS  default 8 }
      operation wide(n: count) { workers threads n }
      operation far(n: count) { calls wide(n = n) }
      operation go { calls far(n = max(1, threads)) }
    }"""
    one = composition(contract, "run { p.go }")
    assert [item.name for item in one.knobs] == ["P_THREADS"]
    assert max(agreed(one).values()) == 4


# ------------------------------------------------------------------ what variables hold

TRUTH = """contract p {
  control on: bool { env P_ON  default false }
  control threads: count in 1..4 { env P_THREADS  default 1  text first item }
  operation go(n: count in 1..3 = 1) { workers threads 6 when on  demand memory = n * 1 MiB }
  operation far { calls go(n = threads) }
}"""


@pytest.mark.parametrize("held", ["1", '"1"', "true", '"on"'])
def test_a_truth_may_be_written_as_a_number(held: str) -> None:
    one = composition(TRUTH, f"env P_ON = {held}  run {{ p.go }}")
    assert [item.kind for item in one.assessment.findings] == [Kind.OVERCOMMIT]
    assert one.knobs[0].current is True
    assert [item.current for item in one.knobs] == [True]
    agreed(one)


@pytest.mark.parametrize("held", ["²", "9" * 5_000, "3,2", "٣", ""])
def test_a_text_that_is_no_number_is_a_setting_like_others(held: str) -> None:
    one = composition(TRUTH, f'env P_THREADS = "{held}"  {JOBS} run {{ p.far par.threads(n = jobs * 2) }}')
    agreed(one)
    answers(one)


# ------------------------------------------------------------------ what an application says by its own names

NAMES = """contract p {
  control other: count in 1..4 { env P_OTHER  default 2 }
  control threads: count in (other - 1)..(other * 2) { env P_THREADS  default 2  invalid clamps }
  operation go { workers threads threads }
}"""


@pytest.mark.parametrize(
    ("stated", "name", "value"),
    [
        ("control jobs: count in 1..8 { default 3 }  control n: count in 1..8 { default jobs + 1 }", "n", 4),
        ("control jobs: count in 1..3 { default 3 }  control n: count in jobs..8 { default jobs }", "n", 3),
        ("let half = 6 div 2  control n: count in 1..half + 1 { default half - 1 }", "n", 2),
    ],
)
def test_a_default_may_build_on_other_names(stated: str, name: str, value: int) -> None:
    one = composition(NAMES, f"{stated}  limit p.threads = n  run {{ p.go }}")
    assert {item.name: item.current for item in one.knobs}[name] == value
    assert [reading.value for reading in explain(one, name).readings] == [value]
    agreed(one)


def test_a_variable_may_build_on_other_names() -> None:
    one = composition(NAMES, f"{JOBS} let more = jobs + 1  env P_THREADS = more * 1  run {{ p.go }}")
    assert {item.name: item.current for item in one.knobs}["P_THREADS"] == 3
    agreed(one)


def test_a_range_may_depend_on_another_control() -> None:
    agreed(composition(NAMES, "run { p.go }"))


# ------------------------------------------------------------------ which devices

OPEN_DEVICES = """contract p {
  control threads: count in 1..4 { default min(4, machine.cpus.affinity) }
  operation one { demand vram on threads - 1 in 0 MiB .. 4 MiB }
  operation each { demand vram on all = 2 MiB }
  operation last { demand vram on 1 = threads * 1 MiB when machine.gpus > 1 }
}"""


@pytest.mark.parametrize("run", ["p.one", "together { p.each p.last }"])
def test_every_device_is_looked_at_on_all_machines(run: str) -> None:
    whole = program(OPEN_DEVICES, f"run {{ {run} }}")
    declared = whole.declarations["random.app"][0]
    figures = (free("cpus.online", 1, 4), free("gpus", 0, 3))
    base = {"gpu.memory": 3 * 2**20, "memory.total": 2**30}
    told = anywhere(whole, parts([(declared, Settings())]), Machines(MachineView("some", base, {}), figures))
    found: dict[object, set[tuple[int, int]]] = {}
    for online, gpus in product(range(1, 5), range(4)):
        view = MachineView("one", {**base, "cpus.online": online, "gpus": gpus}, {})
        try:
            one = composed(whole, parts([(declared, Settings())]), view)
            findings = assess(one.elaborated, one.context, explain=False).findings
        except Refusal:
            found.setdefault(None, set()).add((online, gpus))
            continue
        for item in findings:
            if item.kind is not Kind.UNDERUSE:
                found.setdefault(key_of(item), set()).add((online, gpus))
    assert told.decided
    assert {one.key for one in told.found} == set(found)
    for somewhere in told.found:
        smallest = tuple(somewhere.smallest[item.path] for item in figures)
        assert smallest == min(found[somewhere.key])


# ------------------------------------------------------------------ what cannot be


def refused(contract: str, application: str) -> str:
    """The code of what keeps an application from being composed."""
    whole = program(contract, application)
    return compose(whole, whole.declarations["random.app"][0]).diagnostics[0].code


BELOW = """contract p {
  control threads: count in 0..4 { env P_THREADS  default 2 }
  pool team { size threads  existing threads - 1  callers submit }
  pool less { size threads - 1  callers submit }
  operation go { runs on team }
  operation small { runs on less }
  operation wide { workers threads threads - 1 }
}"""


@pytest.mark.parametrize("operation", ["go", "small", "wide"])
def test_less_than_no_thread_is_refused_however_it_comes_about(operation: str) -> None:
    assert refused(BELOW, f"env P_THREADS = 0  run {{ p.{operation} }}") == "out-of-range"
    agreed(composition(BELOW, f"run {{ p.{operation} }}"))
    whole = program(BELOW.replace("default 2", "default machine.cpus - 1"), f"run {{ p.{operation} }}")
    figures = (free("cpus.online", 1, 3),)
    part = parts([(whole.declarations["random.app"][0], Settings())])
    told = anywhere(whole, part, Machines(MachineView("some", {}, {}), figures))
    assert [(one.key, one.smallest) for one in told.found] == [(None, {"cpus.online": 1})]


@pytest.mark.parametrize("amount", ["jobs", "jobs + 1", "max(1, half)"])
def test_what_others_use_is_not_for_the_application_to_set(amount: str) -> None:
    assert refused(BELOW, f"{JOBS} let half = 1  background cpu = {amount}  run {{ p.go }}") == "unknown-name"
