"""The questions over all configurations, held against asking each configuration in turn."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

import pytest
import z3
from hypothesis import HealthCheck, Phase, example, given, note, settings

from lpcl.compose.alternatives import Figure, shape_of
from lpcl.compose.composition import Composition
from lpcl.compose.findings import Kind
from lpcl.compose.knobs import assignment
from lpcl.compose.meaning import peak
from lpcl.compose.measures import CpuMeasure
from lpcl.compose.solver import Verdict
from lpcl.compose.structure import processes
from lpcl.compose.sums import starter_id
from lpcl.compose.terms import settle
from tests.property.applications import WORK, applications, composed, configurations
from tests.property.enumeration import Enumeration, TooManySnapshots

CPU, MEMORY, THREADS = "lpcl.core.cpu", "lpcl.core.memory", "lpcl.core.threads"
SLOTS, VRAM = "lpcl.core.slots", "lpcl.core.vram"
Right = dict[tuple[object, ...], tuple[int, tuple[Figure, ...]]]
EXAMPLES = int(os.environ.get("LPCL_EXAMPLES", "60"))
PARTS = 4 if EXAMPLES >= 1_000 else 1
"""A long run is cut into parts, so that it has work for several processors."""


def _enumerated(composition: Composition) -> tuple[set[str], Right]:
    """The resources that some configuration certainly over-commits; CPU use of each that has no alarm."""
    questions = composition.questions
    over: set[str] = set()
    right: Right = {}
    for configuration in configurations(composition):
        assessment = questions.assessed(configuration)
        if assessment is None:
            continue
        over.update(
            finding.resource or ""
            for finding in assessment.findings
            if finding.kind is Kind.OVERCOMMIT and finding.certain
        )
        if not assessment.alarms:
            root = questions.elaborated(configuration).root
            use = peak(root, CpuMeasure("low", spinning=False)).amount
            right[tuple(configuration.values())] = (int(use), shape_of(root))
    return over, right


def _demands_are_those_of_plain_enumeration(composition: Composition) -> None:
    """What stands in the report is the largest amount over all snapshots, each looked at by itself."""
    root = composition.elaborated.root
    plain = Enumeration(limit=3_000)
    for item in composition.assessment.demands:
        process = root
        if item.sum.starter is not None:
            process = next(one for one in processes(root) if starter_id(one) == item.sum.starter)
        for bound, amount in (("low", item.low), ("high", item.high)):
            name = item.sum.resource.qualified
            if name == CPU:
                expected = plain.cpu(process, bound)
            elif name == THREADS:
                expected = plain.threads(process, bound)
            else:
                follows = item.sum.starter is None
                expected = plain.held(process, name, item.sum.device, bound, follows=follows)
            assert amount == expected, (name, item.sum.where, bound)


def _exceeds(a: tuple[Figure, ...], b: tuple[Figure, ...]) -> bool:
    """Whether a shape has the same workers and pools, none fewer or smaller, and is another one."""
    return (
        a != b
        and [(item.id, item.kind) for item in a] == [(item.id, item.kind) for item in b]
        and all(mine.value >= other.value for mine, other in zip(a, b, strict=True))  # type: ignore[operator]
    )


@pytest.fixture(scope="module", autouse=True)
def _one_context() -> Iterator[None]:
    """Every solver in one context: making a context of its own for each took a sixth of the time."""
    context = z3.Context()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(z3, "Context", lambda: context)
        yield


def _found(p: str, q: str, machine: str, run: str, jobs: int = 2) -> str:
    """An application on which an answer has been wrong: its pools, its machine, and what it runs."""
    contracts = "".join(
        f"contract {name} {{ control threads: count in 1..2 {{ env A_THREADS  default machine.cpus.affinity"
        f"  invalid clamps }}\n  pool workers {{ size threads  {pool}  threads coupled  created at load"
        "  idle blocks  fork safe }\n  operation compute { runs on workers } }\n"
        for name, pool in (("p", p), ("q", q))
    )
    return (
        f"package random\nimport lpcl.core.*\n{contracts}{WORK}\nmachine m {{ {machine} }}\n"
        "application app { machine m  use p, q, own, work\n"
        f'  control jobs: count in 1..2 {{ argument "--jobs"  default {jobs} }}\n  run {{ {run} }} }}\n'
    )


TEAMS = "callers fork  caller joins"
SMALL = "cpus.online = 2  memory.total = 1 B  limits.threads = 4  gpus = 3  gpu.memory = 3 B"
TWO = "cpus.online = 3  memory.total = 1 B  limits.threads = 2  gpus = 3  gpu.memory = 3 B"
FOUR = "cpus.online = 4  memory.total = 1 B  limits.threads = 4  gpus = 3  gpu.memory = 3 B"
APART = "together { work.threads(n = jobs) { work.plain } p.compute { work.on(device = 0) } }"
HALVES = "work.threads(n = max(1, 6 div (jobs - 2))) { p.compute }"
BUSY = "work.plain q.compute { p.compute { q.compute } }"
NESTED = "q.compute { q.compute } work.plain work.plain"


@pytest.mark.parametrize("part", range(PARTS))
@settings(
    max_examples=EXAMPLES // PARTS,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.explicit, Phase.generate, Phase.shrink),
)
@given(applications())
@example(_found(TEAMS, TEAMS, SMALL, "p.compute work.modal(n = jobs) { work.hold }"))
@example(_found(TEAMS, "callers forbid  caller joins", FOUR, NESTED))
@example(_found(TEAMS, "callers queue  caller waits", FOUR, NESTED))
@example(_found("callers queue  caller joins", TEAMS, SMALL, APART, jobs=1))
@example(_found(TEAMS, TEAMS, FOUR, HALVES, jobs=1))
@example(_found(f"- 1  {TEAMS}", "callers submit  caller joins", TWO, BUSY, jobs=1))
def test_solver_and_enumeration_agree(part: int, text: str) -> None:
    """Can it happen, can it be avoided, the best use of the CPUs, and what a plan's constraints rule out."""
    note(f"part {part}\n{text}")
    composition = composed(text)
    if composition is None:
        return
    with contextlib.suppress(TooManySnapshots):
        _demands_are_those_of_plain_enumeration(composition)
    questions = composition.questions
    over, right = _enumerated(composition)
    for resource in (CPU, MEMORY, THREADS, SLOTS, VRAM):
        answer = questions.can_happen(resource)
        assert (answer.verdict is Verdict.YES) == (resource in over), (resource, answer)
        if answer.assessment is not None:
            assert any(
                item.kind is Kind.OVERCOMMIT and item.certain and item.resource == resource
                for item in answer.assessment.findings
            )
    assert (questions.avoidable().verdict is Verdict.YES) == bool(right)
    alternatives, verdict = questions.alternatives(most=64)
    assert verdict is (Verdict.YES if right else Verdict.NO)
    if right:
        best = max(use for use, _ in right.values())
        found = {tuple(item.configuration.values()) for item in alternatives}
        assert found <= {values for values, (use, _) in right.items() if use == best}
        changes: dict[tuple[Figure, ...], int] = {}
        for values, (use, shape) in right.items():
            if use == best:
                changed = sum(
                    value != item.current for value, item in zip(values, questions.knobs, strict=True)
                )
                changes[shape] = min(changes.get(shape, changed), changed)
        assert {item.shape for item in alternatives} == {
            shape
            for shape, changed in changes.items()
            if not any(_exceeds(other, shape) and changes[other] <= changed for other in changes)
        }
        fewest = min(changes.values())
        assert len(alternatives[0].changes) == fewest

    _constraints_rule_out_just_what_is_wrong(composition)


def _constraints_rule_out_just_what_is_wrong(composition: Composition) -> None:
    """No constraint rejects a configuration that is right; together they reject every over-commit."""
    questions = composition.questions
    learnt, complete = questions.constraints()
    for configuration in configurations(composition):
        assessment = questions.assessed(configuration)
        if assessment is None:
            continue
        values = assignment(composition.knobs, configuration)
        met = all(settle(item.condition, values) is True for item in learnt)
        if not assessment.alarms:
            assert met
        elif complete and any(item.kind is Kind.OVERCOMMIT for item in assessment.alarms):
            assert not met
