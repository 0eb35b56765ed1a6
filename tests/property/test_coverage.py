"""What random applications are made of: every clause that section "What an application demands" speaks of."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from hypothesis import HealthCheck, Phase, given, settings

from lpcl.compose.assess import Assessment
from lpcl.compose.composition import Composition
from lpcl.compose.findings import Kind
from lpcl.compose.structure import (
    Activity,
    Process,
    ProcessWorkers,
    Statement,
    ThreadWorkers,
    Together,
    activities,
    all_activities,
    members,
    processes,
)
from tests.property.applications import POLICIES, applications, composed

EXAMPLES = 300

WANTED = {
    *(f"pool {policy}" for policy in POLICIES),
    *(f"pool {policy} with a block" for policy in POLICIES),
    *(f"pool: {clause}" for clause in ("caller joins", "caller waits", "made at load", "made at first use")),
    *(f"pool: {clause}" for clause in ("blocks", "spins always", "spins for a time", "nests")),
    *(f"pool: fork {effect}" for effect in ("safe", "unsafe", "resets")),
    "pool inside its own threads",
    "pool inside another pool",
    "one pool at several places",
    "private runtime",
    "together",
    "block",
    "threads",
    "processes",
    "threads in threads",
    "threads in processes",
    "processes in threads",
    "processes in processes",
    *(f"start {method}" for method in ("fork", "spawn")),
    *("limit", "set", "set default", "pin", "env", "background"),
    *("demand with bounds", "demand of a loaded library", "per process", "per device", "cpu demand"),
    *("knob argument", "knob env", "a knob that guards workers"),
    *("a division that settings make one by zero", "a division that looks before it divides"),
    *("spins as settings say", "existing", "runs on with size", "runs on where something is set"),
    *("import sets a variable", "import limits a control", "read at load", "read at each call"),
    *("workers where something is set", "a call that takes the block", "a start that settings decide"),
    "a demand that settings make nothing",
    *("overcommit certain", "overcommit possible", "serialized", "hazard", "assumption", "nothing wrong"),
}


def _of_pools(root: Process) -> Iterator[str]:
    for process in processes(root):
        used = Counter(a.pool.pool.key for a in activities(process.body) if a.pool is not None)
        if any(times > 1 for times in used.values()):
            yield "one pool at several places"
    for activity in all_activities(root):
        use = activity.pool
        if use is None:
            continue
        pool = use.pool
        yield f"pool {pool.policy}"
        yield f"pool: caller {'joins' if pool.joins else 'waits'}"
        yield f"pool: made at {'load' if pool.created_at_load else 'first use'}"
        yield f"pool: spins {pool.spins}" if pool.spins else "pool: blocks"
        yield f"pool: fork {pool.fork}"
        if pool.nested:
            yield "pool: nests"
        if pool.owner is not None:
            yield "private runtime"
        if use.own_thread:
            yield "pool inside its own threads"
        elif activity.body is not None:
            yield f"pool {pool.policy} with a block"
            if any(
                one.pool is not None and one.pool.pool.key != pool.key for one in activities(activity.body)
            ):
                yield "pool inside another pool"


def _of_structure(statement: Statement, outside: str | None) -> Iterator[str]:
    if isinstance(statement, Together):
        yield "together"
    if not isinstance(statement, Activity):
        for member in members(statement):
            yield from _of_structure(member, outside)
        return
    kind, inside = None, statement.body
    if isinstance(statement.workers, ThreadWorkers):
        kind = "threads"
    elif isinstance(statement.workers, ProcessWorkers):
        kind, inside = "processes", statement.workers.process.body
        yield f"start {statement.workers.process.method}"
    elif inside is not None:
        yield "block"
    if kind is not None:
        yield kind
        if outside is not None:
            yield f"{kind} in {outside}"
    if inside is not None:
        yield from _of_structure(inside, kind or outside)


def _of_demands(composition: Composition) -> Iterator[str]:
    root = composition.elaborated.root
    for activity in all_activities(root):
        if any(item.low != item.high for item in activity.demands):
            yield "demand with bounds"
        if any(item.device is not None for item in activity.demands):
            yield "per device"
        if activity.cpu is not None:
            yield "cpu demand"
    if any(library.demands for process in processes(root) for library in process.loaded):
        yield "demand of a loaded library"
    if any(item.sum.resource.per == "process" for item in composition.assessment.demands):
        yield "per process"
    if any(process.pinned for process in processes(root)):
        yield "pin"
    if composition.context.background:
        yield "background"


def _of_findings(assessment: Assessment) -> Iterator[str]:
    for finding in assessment.findings:
        if finding.kind is Kind.OVERCOMMIT:
            yield f"overcommit {'certain' if finding.certain else 'possible'}"
        else:
            yield finding.kind.value
    if not assessment.alarms:
        yield "nothing wrong"


OF_CONTRACTS = {
    "spins as settings say": r"spins for if",
    "existing": r"existing",
    "runs on with size": r"with size",
    "runs on where something is set": r"when defined",
    "import sets a variable": r"on load \{ set",
    "import limits a control": r"on load \{ limit",
    "read at load": r"read at load",
    "read at each call": r"read at each call",
}


def features(text: str) -> Iterator[str]:
    """What an application has of all that is wanted, and more."""
    composition = composed(text)
    if composition is None:
        return
    yield from _of_pools(composition.elaborated.root)
    yield from _of_structure(composition.elaborated.root.body, None)
    yield from _of_demands(composition)
    yield from _of_findings(composition.assessment)
    for item in composition.knobs:
        yield f"knob {item.kind}"
        if item.name in ("ON", "MODE"):
            yield "a knob that guards workers"
    run = text[text.index("application app") :]
    for word, pattern in (
        ("limit", r"limit [pq]\.threads = "),
        ("set", r"work\.spawned\("),
        ("set default", r"work\.defaulted\("),
        ("env", r"\n  env [AB]_THREADS"),
        ("workers where something is set", r"work\.told\("),
        ("a call that takes the block", r"work\.passed\("),
        ("a start that settings decide", r"work\.begun\("),
        ("a demand that settings make nothing", r"work\.partly_on\("),
        ("a division that settings make one by zero", r"\(3 - jobs\)|work\.split"),
        ("a division that looks before it divides", r"if jobs == 2|work\.maybe_split"),
    ):
        if re.search(pattern, run):
            yield word
    for name in ("p", "q"):
        contract = text.partition(f"contract {name} {{")[2].partition("\ncontract ")[0]
        if f"{name}.compute" in run:
            yield from (word for word, pattern in OF_CONTRACTS.items() if re.search(pattern, contract))


def test_random_applications_have_every_clause() -> None:
    """Each of them more than once, so that a change of the generator that loses one is noticed."""
    found: Counter[str] = Counter()

    @settings(
        max_examples=EXAMPLES,
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        phases=(Phase.generate,),
    )
    @given(applications())
    def collect(text: str) -> None:
        found.update(set(features(text)))

    collect()
    rare = {one: found[one] for one in sorted(WANTED) if found[one] < 2}
    assert not rare, f"of {EXAMPLES} random applications, too few have: {rare}"
