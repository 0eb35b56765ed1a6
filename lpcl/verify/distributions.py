"""The installed distributions that an experiment is about, and whether they are the ones that it needs."""

from __future__ import annotations

import re
from collections.abc import Iterator
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


def needed(contract: Contract, evidence: nodes.Evidence) -> tuple[tuple[Distribution, ...], str | None]:
    """The distributions that an experiment is about, and why it cannot be tried with them, or None.

    What `needs` names has to be there. Of the contract's own distributions, those that are installed have to
    be of a version that it speaks about, and where the evidence names none, one of them has to be there.
    """
    measured = _measured(contract, evidence)
    stated = [
        _distribution(clause, clause.distribution, measured)
        for clause in evidence.clauses
        if isinstance(clause, nodes.Needs)
    ]
    entries = contract.library.node.entries if contract.library is not None else ()
    own = [
        _distribution(entry, entry.distribution, measured)
        for entry in entries
        if isinstance(entry, nodes.PypiEntry)
    ]
    unfit = [item for item in stated if not item.fits]
    unfit += [item for item in own if item.installed is not None and not item.fits]
    if not stated and own and all(item.installed is None for item in own):
        names = " nor ".join(item.name for item in own)
        return tuple(own), f"{'neither ' if len(own) > 1 else ''}{names} is {_not(own)}installed"
    present = {_key(item.name): item for item in (*own, *stated) if item.installed is not None}
    return tuple(present.values()), unfit[0].obstacle if unfit else None


def _not(own: list[Distribution]) -> str:
    return "" if len(own) > 1 else "not "


def _distribution(
    entry: nodes.Needs | nodes.PypiEntry, name: nodes.Text, measured: dict[str, str]
) -> Distribution:
    constraint = entry.versions.value if entry.versions is not None else ""
    return Distribution(name.value, constraint, installed_version(name.value), measured.get(_key(name.value)))


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
                    yield _key(words[0]), words[1]


def _key(name: str) -> str:
    """A distribution's name as the package index compares it."""
    return re.sub(r"[-_.]+", "-", name).lower()
