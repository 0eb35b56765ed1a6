"""Which clauses of contracts have evidence: what it would notice, were a clause to say something else.

Nothing is run. Experiments are thought of as made on a machine of eight CPUs that has all that they need, so
the answer is the same everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

from lpcl.model.contracts import Contract
from lpcl.model.contracts import contract as flatten
from lpcl.model.host import HostFacts, Reading
from lpcl.model.program import Declared, Program
from lpcl.verify.experiments import Experiment, every
from lpcl.verify.weighing import Witness, noticed

GIB = 1024**3

_FIGURES: dict[str, int | Fraction] = {
    "cpus.online": 8,
    "cpus.affinity": 8,
    "cpus.quota": Fraction(8),
    "cpus.physical": 4,
    "memory.total": 64 * GIB,
    "memory.limit": 64 * GIB,
    "shm": 32 * GIB,
    "gpus": 0,
    "limits.files": 1024,
    "limits.threads": 60000,
}

MACHINE = HostFacts({path: Reading(value, "a usual machine") for path, value in _FIGURES.items()}, {})
"""The machine on which experiments are thought of as made."""


class State(Enum):
    """Of a clause: an experiment would notice another; its member is named by one; or neither."""

    COVERED = "covered"
    NAMED = "named"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class ClauseCoverage:
    """A clause, its state, and the titles of the experiments that cover or name it.

    `unnoticed` is what could be said of it instead without an experiment that would notice.
    """

    clause: str
    state: State
    evidence: tuple[str, ...] = ()
    unnoticed: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Coverage:
    """All clauses of one contract, in its order."""

    contract: Contract
    clauses: tuple[ClauseCoverage, ...]

    def number(self, state: State) -> int:
        """How many clauses are in a state."""
        return sum(item.state is state for item in self.clauses)


def coverage(program: Program, contracts: Iterable[Declared]) -> tuple[Coverage, ...]:
    """The coverage of each contract that has clauses at all."""
    found = (_of(program, flatten(program, item)) for item in contracts)
    return tuple(item for item in found if item.clauses)


def _of(program: Program, contract: Contract) -> Coverage:
    witness = Witness(program, contract)
    experiments = every(program, contract, MACHINE)
    notices = [noticed(item, witness, MACHINE) for item in experiments]
    lies: dict[str, list[int]] = {}
    for number, lie in enumerate(witness.lies):
        lies.setdefault(lie.clause, []).append(number)
    everything = frozenset[int]().union(*notices)
    clauses = []
    for clause, numbers in lies.items():
        titles = tuple(
            item.title for item, found in zip(experiments, notices, strict=True) if found & set(numbers)
        )
        unnoticed = tuple(dict.fromkeys(witness.lies[one].text for one in numbers if one not in everything))
        if not unnoticed:
            clauses.append(ClauseCoverage(clause, State.COVERED, titles))
        else:
            clauses.append(_named(clause, experiments, unnoticed))
    for name in contract.signals:
        titles = tuple(item.title for item in experiments if name in about(item))
        clauses.append(ClauseCoverage(f"signal {name}", State.COVERED if titles else State.OPEN, titles))
    return Coverage(contract, tuple(clauses))


def _named(clause: str, experiments: Iterable[Experiment], unnoticed: tuple[str, ...]) -> ClauseCoverage:
    member = clause.partition(".")[0]
    titles = tuple(item.title for item in experiments if member in about(item))
    return ClauseCoverage(clause, State.NAMED if titles else State.OPEN, titles, unnoticed)


def about(experiment: Experiment) -> frozenset[str]:
    """The members that an experiment says it is about."""
    return frozenset(ref.path for ref in experiment.clause.node.subjects)
