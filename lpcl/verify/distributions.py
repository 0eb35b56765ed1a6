"""The installed distributions that an experiment is about, and whether they are the ones that it needs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from lpcl.model.contracts import Contract
from lpcl.packages.versions import admits, installed_version
from lpcl.syntax import nodes


@dataclass(frozen=True, slots=True)
class Distribution:
    """A distribution, the versions that are needed (any if empty), what is installed, and what was measured.

    `installed` and `measured` are versions, or None where it is not installed or not named by `@measured`.
    """

    name: str
    constraint: str
    installed: str | None
    measured: str | None = None

    @property
    def fits(self) -> bool:
        """Whether a version that is needed is installed."""
        return self.installed is not None and admits(self.constraint, self.installed)

    @property
    def obstacle(self) -> str:
        """Why an experiment that needs it cannot be tried."""
        if self.installed is None:
            return f"{self.name} is not installed"
        return f"{self.name} {self.installed} is installed, and this is about {self.constraint}"


Installed = Callable[[str], str | None]
"""The version of a distribution that is installed in some environment, or None."""


@dataclass(frozen=True, slots=True, order=True)
class Requirement:
    """A distribution that an environment for an experiment has to have, in versions that fit a constraint."""

    name: str
    constraint: str = ""

    def __str__(self) -> str:
        return f"{self.name}{self.constraint}"


def requirements(contract: Contract, evidence: nodes.Evidence) -> tuple[Requirement, ...]:
    """What an environment has to have for an experiment to be tried there, in order of name.

    That is what the evidence `needs`, in versions of which the contract speaks; where it needs nothing, the
    first of the contract's own distributions.
    """
    entries = contract.library.node.entries if contract.library is not None else ()
    stated = (item for item in entries if isinstance(item, nodes.PypiEntry))
    own = {plain_name(item.distribution.value): _constraint(item) for item in stated}
    found: dict[str, set[str]] = {}
    for clause in evidence.clauses:
        if isinstance(clause, nodes.Needs):
            found.setdefault(plain_name(clause.distribution.value), set()).add(_constraint(clause))
    if not own.keys() & found.keys() and own:
        first = next(iter(own))
        found.setdefault(first, set())
    for name, constraints in found.items():
        constraints.add(own.get(name, ""))
    return tuple(
        sorted(
            Requirement(name, ",".join(sorted(item for item in constraints if item)))
            for name, constraints in found.items()
        )
    )


def _constraint(entry: nodes.Needs | nodes.PypiEntry) -> str:
    return "".join(entry.versions.value.split()) if entry.versions is not None else ""


def needed(
    contract: Contract, evidence: nodes.Evidence, installed: Installed | None = None
) -> tuple[tuple[Distribution, ...], str | None]:
    """The distributions that an experiment is about, and why it cannot be tried with them, or None.

    What `needs` names has to be there. Of the contract's own distributions, those that are installed have to
    be of a version that it speaks about, and where the evidence names none, one of them has to be there.
    """
    installed = installed or installed_version
    measured = _measured(contract, evidence)
    stated = [
        _distribution(clause, clause.distribution, measured, installed)
        for clause in evidence.clauses
        if isinstance(clause, nodes.Needs)
    ]
    entries = contract.library.node.entries if contract.library is not None else ()
    own = [
        _distribution(entry, entry.distribution, measured, installed)
        for entry in entries
        if isinstance(entry, nodes.PypiEntry)
    ]
    unfit = [item for item in stated if not item.fits]
    unfit += [item for item in own if item.installed is not None and not item.fits]
    if not stated and own and all(item.installed is None for item in own):
        names = " nor ".join(item.name for item in own)
        return tuple(own), f"{'neither ' if len(own) > 1 else ''}{names} is {_not(own)}installed"
    present = {plain_name(item.name): item for item in (*own, *stated) if item.installed is not None}
    return tuple(present.values()), unfit[0].obstacle if unfit else None


def _not(own: list[Distribution]) -> str:
    return "" if len(own) > 1 else "not "


def _distribution(
    entry: nodes.Needs | nodes.PypiEntry, name: nodes.Text, measured: dict[str, str], installed: Installed
) -> Distribution:
    constraint = entry.versions.value if entry.versions is not None else ""
    return Distribution(name.value, constraint, installed(name.value), measured.get(plain_name(name.value)))


def _measured(contract: Contract, evidence: nodes.Evidence) -> dict[str, str]:
    """Distribution to the version that `@measured` names, on the evidence or else on the contract."""
    found = dict(_versions(contract.declared.node.annotations))
    found.update(_versions(evidence.annotations))
    return found


def _versions(annotations: tuple[nodes.Annotation, ...]) -> Iterator[tuple[str, str]]:
    for annotation in annotations:
        if annotation.name.text == "measured":
            for text in annotation.args:
                words = text.value.split()
                if len(words) > 1:
                    yield plain_name(words[0]), words[1]


def plain_name(name: str) -> str:
    """A distribution's name as the package index compares it."""
    return re.sub(r"[-_.]+", "-", name).lower()
