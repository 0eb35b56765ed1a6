"""What a call of `lpclc verify` tries, where, and what it proves."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from lpcl.model.contracts import Clause, Contract
from lpcl.model.contracts import contract as flatten
from lpcl.model.host import HostFacts
from lpcl.model.program import Program
from lpcl.syntax import nodes
from lpcl.verify.distributions import Installed, requirements
from lpcl.verify.environments import Environments, Failed, Needs, merged
from lpcl.verify.experiments import Experiment, experiment, prepare, variables_of
from lpcl.verify.judgement import Outcome
from lpcl.verify.selection import Chosen, Selection
from lpcl.verify.trials import carry_out
from lpcl.verify.weighing import Witness, clauses_of, refuted, signals_of


@dataclass(frozen=True, eq=False)
class Planned:
    """Evidence of a contract, and what its environment has to have; None for the interpreter of LPCL."""

    program: Program
    contract: Contract
    clause: Clause[nodes.Evidence]
    needs: Needs | None = None

    @property
    def label(self) -> str:
        """Contract and title, as a person reads them."""
        return f"{self.contract.name}: {self.clause.node.title.value}"


@dataclass(frozen=True, eq=False)
class Proof:
    """The clauses of one contract that experiments proved, and how many there are."""

    contract: Contract
    proved: tuple[str, ...]
    clauses: tuple[str, ...]


def installed_here(
    selection: Selection, host: HostFacts, installed: Installed | None = None
) -> tuple[Experiment, ...]:
    """The experiments of the contracts with what is installed beside LPCL, or as `installed` says.

    Those that cannot be made are among them.
    """
    return tuple(
        item
        for chosen in selection.chosen
        for item in prepare(chosen.workspace.program, chosen.contracts, host, installed)
    )


def to_install(selection: Selection) -> tuple[Planned, ...]:
    """The evidence of every contract, with the environment that each is to be tried in.

    What a contract only passes on to others that name a library is tried with those.
    """
    found: list[Planned] = []
    for chosen in selection.chosen:
        for contract in _speaking(chosen):
            wanted = [requirements(contract, clause.node) for clause in contract.evidence]
            shared = merged(wanted)
            found.extend(
                Planned(chosen.workspace.program, contract, clause, shared[needs])
                for clause, needs in zip(contract.evidence, wanted, strict=True)
            )
    return tuple(found)


def _speaking(chosen: Chosen) -> Iterator[Contract]:
    program = chosen.workspace.program
    flat = [flatten(program, item) for item in chosen.contracts]
    passed_on = {id(clause.node) for item in flat if item.library is not None for clause in item.evidence}
    for item in flat:
        own = tuple(clause for clause in item.evidence if id(clause.node) not in passed_on)
        if item.library is not None:
            yield item
        elif own:
            yield replace(item, evidence=own)


def made_ready(planned: Planned, environments: Environments, host: HostFacts) -> tuple[Experiment, str]:
    """The experiment in its environment, which is made where it is not there yet; and the interpreter."""
    if not planned.needs:
        return experiment(planned.program, planned.contract, planned.clause, host), sys.executable
    environment = environments.get(planned.needs)
    if isinstance(environment, Failed):
        made = Experiment(planned.program, planned.contract, planned.clause, (), obstacle=environment.reason)
        return made, sys.executable
    made = experiment(planned.program, planned.contract, planned.clause, host, environment.installed)
    return made, environment.python


class Judge:
    """Carries out experiments, and keeps count of the clauses that they prove."""

    def __init__(self, selection: Selection, host: HostFacts) -> None:
        self._host = host
        self._foreign = frozenset[str]().union(
            *(variables_of(chosen.workspace.program) for chosen in selection.chosen)
        )
        self._witnesses: dict[int, Witness] = {}
        self._refuted: dict[int, set[int]] = {}
        self._outcomes: dict[int, list[Outcome]] = {}

    def outcome(self, experiment: Experiment, python: str = sys.executable) -> Outcome:
        """What becomes of an experiment, and the clauses of which it refutes every lie."""
        key = id(experiment.contract.declared.node)
        witness = self._witnesses.setdefault(key, Witness(experiment.program, experiment.contract))
        outcome = carry_out(experiment, self._foreign, self._host, python)
        lies = refuted(outcome, witness, self._host)
        self._refuted.setdefault(key, set()).update(lies)
        made = replace(outcome, proves=(*clauses_of(lies, witness), *signals_of([outcome], witness)))
        self._outcomes.setdefault(key, []).append(made)
        return made

    def proofs(self) -> tuple[Proof, ...]:
        """What all experiments together prove of each contract, in the order in which they were tried."""
        return tuple(
            Proof(
                witness.contract,
                (*clauses_of(self._refuted[key], witness), *signals_of(self._outcomes[key], witness)),
                witness.clauses,
            )
            for key, witness in self._witnesses.items()
        )


def matching(pattern: str | None, experiments: Sequence[Experiment]) -> list[Experiment]:
    """Those whose contract or title contains a text."""
    return [item for item in experiments if is_meant(pattern, item.contract, item.title)]


def is_meant(pattern: str | None, contract: Contract, title: str) -> bool:
    """Whether a contract's name and the title of evidence contain a text."""
    return pattern is None or pattern.lower() in f"{contract.declared.qualified} {title}".lower()
