"""All contracts that can be found, and which of several of one name applies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from lpcl.model.program import Declared, Program
from lpcl.packages.versions import Ambiguity, choose, installed_version, requirements, unspoken
from lpcl.syntax import nodes


@dataclass(frozen=True, slots=True)
class Requirement:
    """A distribution that a contract speaks about: in which versions, and which one is installed."""

    distribution: str
    versions: str
    installed: str | None


@dataclass(frozen=True, slots=True)
class Entry:
    """A contract, where it comes from, and whether it is the one that its name stands for here, and why."""

    declared: Declared
    requirements: tuple[Requirement, ...]
    chosen: bool
    reason: str

    @property
    def name(self) -> str:
        """The qualified name."""
        return self.declared.qualified

    @property
    def origin(self) -> str:
        """``project``, ``stdlib``, or the name and version of a distribution."""
        return self.declared.file.origin


def catalogue(
    program: Program, names: Iterable[str] | None = None, stated: Mapping[str, str] | None = None
) -> tuple[Entry, ...]:
    """The contracts of a program, those of `names` alone where it is given, by name and version.

    `stated` gives the versions that an application states, by qualified name.
    """
    wanted = set(names) if names is not None else None
    entries: list[Entry] = []
    for qualified, declared in sorted(program.declarations.items()):
        candidates = [item for item in declared if isinstance(item.node, nodes.Contract)]
        if candidates and (wanted is None or qualified in wanted):
            version = (stated or {}).get(qualified)
            chosen = choose(program, qualified, version)
            entries += [_entry(item, chosen, version, alone=len(candidates) == 1) for item in candidates]
    return tuple(entries)


def _entry(item: Declared, chosen: Declared | Ambiguity, stated: str | None, *, alone: bool) -> Entry:
    needs = tuple(
        Requirement(distribution, versions, installed_version(distribution))
        for distribution, versions in requirements(item)
    )
    is_chosen = isinstance(chosen, Declared) and chosen.node is item.node
    if isinstance(chosen, Ambiguity):
        reason = f"undecided: {chosen.reason}"
    elif is_chosen and (missed := unspoken(item, stated)) is not None:
        is_chosen, reason = False, f"it does not speak about {missed}"
    elif is_chosen:
        reason = _why(needs, stated, alone=alone)
    elif stated is not None:
        reason = f"not for version {stated}, which is stated"
    elif any(need.installed for need in needs):
        reason = "not for what is installed"
    else:
        reason = "of bounded versions, and nothing is installed"
    return Entry(item, needs, is_chosen, reason)


def _why(needs: tuple[Requirement, ...], stated: str | None, *, alone: bool) -> str:
    present = ", ".join(f"{need.distribution} {need.installed}" for need in needs if need.installed)
    if stated is not None:
        return f"version {stated} is stated" + (", and there is no other" if alone else "")
    if alone:
        return f"the only one; {present} is installed" if present else "the only one"
    return f"{present} is installed" if present else "nothing is installed: the one without an upper bound"
