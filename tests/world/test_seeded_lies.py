"""Lies in copies of contracts: the evidence refutes them, on the libraries that are installed.

Each experiment is made once; what was seen is then held against the contract with the lie in its text. What
an experiment sees does not depend on what the contract says, so that is the same as making it for each lie.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import pytest

from lpcl import service
from lpcl.model.contracts import contract as flatten
from lpcl.model.host import HostFacts, read_host
from lpcl.verify.experiments import Experiment, experiment, variables_of
from lpcl.verify.judgement import Outcome, Verdict, judge
from lpcl.verify.laboratory import unsupported
from lpcl.verify.trials import carry_out

pytestmark = [
    pytest.mark.world,
    pytest.mark.skipif(unsupported() is not None, reason=unsupported() or ""),
]

STDLIB = Path(__file__).resolve().parents[2] / "stdlib_contracts"


@dataclass(frozen=True)
class Seed:
    """A lie: the file, the experiments that are about it (beginnings of titles), what stands there, and what
    is said instead.
    """

    kind: str
    file: str
    contract: str
    titles: tuple[str, ...]
    true: str
    lie: str


OPENBLAS = ("openblas/openblas.lpcl", "openblas", ("the variables, their order", "the call passes"))
POOL = ("openblas/openblas.lpcl", "openblas", ("one caller at a time", "a forked child"))
IDLE = ("openblas/openblas.lpcl", "openblas", ("idle threads spin",))
JOBLIB = ("joblib/joblib.lpcl", "joblib", ("CPUs as joblib counts", "loky's workers: how many"))
NUMBA = ("numba/numba.lpcl", "numba", ("the variable, what it refuses",))
SKLEARN = ("sklearn/sklearn.lpcl", "sklearn", ("the size of its teams", "gradient boosting starts"))
LIMITS = ("threadpoolctl/threadpoolctl.lpcl", "threadpoolctl", ("a limit",))
POOLS = ("multiprocessing/multiprocessing.lpcl", "multiprocessing", ("a pool",))
FUTURES = ("concurrent_futures/concurrent_futures.lpcl", "concurrent_futures", ("workers", "a thread pool"))
SCIPY = ("scipy/scipy.lpcl", "scipy", ("a transform in several",))
NUMPY = ("numpy/numpy.lpcl", "numpy", ("a product works",))
ORDER = "env OPENBLAS_NUM_THREADS, OPENBLAS_DEFAULT_NUM_THREADS, GOTO_NUM_THREADS, OMP_NUM_THREADS"

SEEDS = (
    Seed("precedence", *OPENBLAS, ORDER, ORDER.replace("GOTO_NUM_THREADS, OMP", "OMP_NUM_THREADS, GOTO", 1)),
    Seed(
        "precedence",
        *OPENBLAS,
        ORDER,
        "env OMP_NUM_THREADS, OPENBLAS_NUM_THREADS, OPENBLAS_DEFAULT_NUM_THREADS, GOTO_NUM_THREADS",
    ),
    Seed("variable", *OPENBLAS, ORDER, f"{ORDER}, MKL_NUM_THREADS"),
    Seed(
        "default", *OPENBLAS, "default min(machine.cpus.affinity, 64)", "default min(machine.cpus.online, 64)"
    ),
    Seed("default", *OPENBLAS, "default min(machine.cpus.affinity, 64)", "default 1"),
    Seed("clamp", *OPENBLAS, "count in 1..min(machine.cpus.affinity, 64)", "count in 1..64"),
    Seed("clamp", *OPENBLAS, "invalid clamps above", "invalid ignored"),
    Seed("size", *OPENBLAS, "size size", "size size + 1"),
    Seed("created", *OPENBLAS, "created at load", "created at first use"),
    Seed("policy", *POOL, "callers queue", "callers fork"),
    Seed("policy", *POOL, "callers queue", "callers join"),
    Seed("caller", *POOL, "caller joins", "caller waits"),
    Seed("fork", *POOL, "fork safe", "fork unsafe"),
    Seed("fork", *POOL, "fork safe", "fork resets"),
    Seed("idle", *IDLE, "then 120 ms", "then 0 s"),
    Seed("default", *JOBLIB, "machine.cpus.affinity, ceil(machine.cpus.quota), max_cpus", "max_cpus"),
    Seed("clamp", *JOBLIB, "int in 1..65536", "int in 2..65536"),
    Seed("inheritance", *JOBLIB, "let inner = max(1, cpus div jobs)", "let inner = cpus"),
    Seed("inheritance", *JOBLIB, "set default MKL_NUM_THREADS = inner", "set default OTHER = inner"),
    Seed("inheritance", *JOBLIB, "set default OMP_NUM_THREADS = inner", "set OMP_NUM_THREADS = inner"),
    Seed("import", *JOBLIB, 'set default KMP_INIT_AT_FORK = "FALSE"', 'set KMP_INIT_AT_FORK = "FALSE"'),
    Seed("default", *NUMBA, "default machine.cpus.affinity", "default machine.cpus.online"),
    Seed("invalid", *NUMBA, "invalid rejects\n    scope thread", "invalid clamps\n    scope thread"),
    Seed("variable", *NUMBA, "env NUMBA_NUM_THREADS", "env NUMBA_NUM_THREADS, OMP_NUM_THREADS"),
    Seed(
        "default", *SKLEARN, "then openmp.threads else min(openmp.threads, usable)", "then usable else usable"
    ),
    Seed(
        "import", *SKLEARN, 'set default KMP_DUPLICATE_LIB_OK = "True"', 'set KMP_DUPLICATE_LIB_OK = "True"'
    ),
    Seed(
        "limit", *LIMITS, "limit blas.threads = limits when user_api != openmp", "limit blas.threads = limits"
    ),
    Seed("limit", *LIMITS, "limit openmp.threads = limits when user_api != blas", ""),
    Seed("helpers", *POOLS, "demand threads = 3 + helpers", "demand threads = 2 + helpers"),
    Seed("helpers", *POOLS, "demand processes = helpers", "demand processes = 0"),
    Seed("default", *FUTURES, "min(32, cpus + 4)", "cpus"),
    Seed("helpers", *FUTURES, "demand threads = 2 + helpers", "demand threads = 3 + helpers"),
    Seed("size", *SCIPY, "existing machine.cpus.online", "existing machine.cpus.affinity"),
    Seed("created", *SCIPY, "created at first use", "created at load"),
    Seed("operation", *NUMPY, "operation matmul { calls blas.compute }", "operation matmul {}"),
)


@cache
def host() -> HostFacts:
    return read_host()


@cache
def seen(file: str, contract: str, titles: tuple[str, ...]) -> tuple[Outcome, ...]:
    """What comes of the experiments with the contract as it is."""
    return tuple(settled(one) for one in experiments(file, contract, titles, "", ""))


def settled(one: Experiment) -> Outcome:
    """What comes of an experiment; a machine that is busy with other tests gets more time to show it."""
    for _ in range(3):
        outcome = carry_out(one, variables_of(one.program), host())
        if outcome.verdict is not Verdict.UNSTEADY:
            break
    return outcome


def experiments(file: str, name: str, titles: tuple[str, ...], true: str, lie: str) -> tuple[Experiment, ...]:
    """The experiments of a copy of a contract in which the first `true` is replaced by the lie."""
    path = STDLIB / file
    text = path.read_text(encoding="utf-8")
    assert true in text, f"{file} does not say {true!r} any more: seed another lie"
    workspace = service.open_workspace([str(path)], {str(path): text.replace(true, lie, 1)})
    assert [item.headline for item in workspace.errors] == []
    declared = next(
        item
        for items in workspace.program.declarations.values()
        for item in items
        if item.name == name and item.file in workspace.targets
    )
    contract = flatten(workspace.program, declared)
    made = tuple(
        experiment(workspace.program, contract, clause, host())
        for clause in contract.evidence
        if clause.node.title.value.startswith(titles)
    )
    assert made, f"{file} has no such evidence: {titles}"
    return made


@pytest.mark.parametrize("seed", SEEDS, ids=[f"{one.contract}-{one.kind}-{n}" for n, one in enumerate(SEEDS)])
def test_a_lie_is_refuted(seed: Seed) -> None:
    outcomes = seen(seed.file, seed.contract, seed.titles)
    tried = [one for one in outcomes if one.verdict is not Verdict.NOT_TRIED]
    if not tried:
        pytest.skip(outcomes[0].reason or "")
    if "cpus.online" in seed.true + seed.lie and (host().values["cpus.online"] < 2):
        pytest.skip("one CPU does not tell the mask from the machine")
    assert [one.verdict for one in tried] == [Verdict.PROVED] * len(tried), "the truth is not proved"
    lying = experiments(seed.file, seed.contract, seed.titles, seed.true, seed.lie)
    verdicts = [
        judge(
            replace(liar, trials=outcome.experiment.trials, fault=None),
            [attempt.observation for attempt in outcome.attempts],
            host(),
        ).verdict
        for liar, outcome in zip(lying, outcomes, strict=True)
        if outcome.attempts
    ]
    assert Verdict.REFUTED in verdicts, f"nobody notices {seed.lie!r} instead of {seed.true!r}"
