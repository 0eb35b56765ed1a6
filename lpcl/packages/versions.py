"""Which of several contracts of one name speaks about the library at hand."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING

from lpcl.cache import world
from lpcl.model.program import Declared, Program
from lpcl.syntax import nodes

if TYPE_CHECKING:
    from packaging.specifiers import SpecifierSet


@dataclass(frozen=True, slots=True)
class Ambiguity:
    """Several contracts of one name that speak about the same version of a library, or none that does.

    `candidates` are those between which nothing decides; all of them where none fits.
    """

    qualified: str
    candidates: tuple[Declared, ...]
    reason: str

    @property
    def twins(self) -> bool:
        """Whether no version tells them apart: one is declared more than once."""
        return len(self.candidates) > 1 and not any(
            differ(one, other) for one, other in combinations(self.candidates, 2)
        )


def choose(program: Program, qualified: str, stated_version: str | None = None) -> Declared | Ambiguity:
    """The contract `qualified` for the stated version, else for the installed one, else the newest one.

    A contract fits when each of its `pypi` entries admits the version. Where nothing is stated or installed,
    the one whose versions have no upper bound is taken.
    """
    candidates = program.declarations.get(qualified, ())
    if len(candidates) == 1:
        return candidates[0]
    if not candidates:
        return Ambiguity(qualified, (), f"no contract is called {qualified}")
    if stated_version is not None:
        fitting = tuple(item for item in candidates if _admits_all(item, stated_version))
        where = f"version {stated_version}"
    else:
        versions = {name: installed_version(name) for item in candidates for name, _ in requirements(item)}
        known = {name: version for name, version in versions.items() if version is not None}
        if known:
            fitting = tuple(item for item in candidates if _fits(item, known))
            where = "the installed " + ", ".join(
                f"{name} {version}" for name, version in sorted(known.items())
            )
        else:
            fitting = tuple(item for item in candidates if not _has_upper_bound(item))
            where = "a version that is not installed"
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        found = Ambiguity(qualified, fitting, f"{len(fitting)} contracts speak about {where}")
        return replace(found, reason=_declared_at(fitting)) if found.twins else found
    return Ambiguity(qualified, candidates, f"none of them speaks about {where}")


def unspoken(declared: Declared, stated: str | None) -> str | None:
    """What a contract does not speak about: the version that is stated, else what is installed.

    None where it speaks about it, and where it names no distribution or nothing is stated or installed. Of
    several distributions, each of which may be the library, one that fits is enough.
    """
    needs = requirements(declared)
    if stated is not None:
        if not needs or not is_version(stated) or any(admits(constraint, stated) for _, constraint in needs):
            return None
        return f"version {stated}"
    known = {name: version for name, _ in needs if (version := installed_version(name)) is not None}
    if not known or any(admits(constraint, known[name]) for name, constraint in needs if name in known):
        return None
    return "the installed " + ", ".join(f"{name} {version}" for name, version in sorted(known.items()))


def example(declared: Declared) -> str | None:
    """A version that a contract speaks about and that its constraints name; None where there is none."""
    for _, constraint in requirements(declared):
        for item in specifiers(constraint) or ():
            version = item.version.removesuffix(".*")
            if is_version(version) and admits(constraint, version):
                return version
    return None


def _declared_at(candidates: tuple[Declared, ...]) -> str:
    places = ", ".join(f"{item.file.path}:{item.file.line(item.node.name.span.start)}" for item in candidates)
    times = {2: "twice", 3: "three times"}.get(len(candidates), f"{len(candidates)} times")
    return f"it is declared {times}: {places}"


def differ(one: Declared, other: Declared) -> bool:
    """Whether two declarations are contracts for different versions of a library."""
    first, second = dict(requirements(one)), dict(requirements(other))
    return any(first[name] != second[name] for name in first.keys() & second.keys())


def requirements(declared: Declared) -> tuple[tuple[str, str], ...]:
    """The distributions that a contract names, each with its version constraint."""
    if not isinstance(declared.node, nodes.Contract):
        return ()
    return tuple(
        (entry.distribution.value, entry.versions.value if entry.versions else "")
        for member in declared.node.members
        if isinstance(member, nodes.Library)
        for entry in member.entries
        if isinstance(entry, nodes.PypiEntry)
    )


@world.Once
def installed_version(distribution: str) -> str | None:
    """The version of a distribution in this environment, or None."""
    found = world.version(distribution)
    if not isinstance(found, bool):
        return found
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(distribution)
    except (PackageNotFoundError, ValueError):
        return None


@lru_cache(maxsize=1024)
def specifiers(text: str) -> SpecifierSet | None:
    """A version constraint, or None where the text is not one."""
    from packaging.specifiers import InvalidSpecifier, SpecifierSet

    try:
        return SpecifierSet(text)
    except InvalidSpecifier:
        return None


@lru_cache(maxsize=1024)
def is_version(text: str) -> bool:
    """Whether a text is one version."""
    from packaging.version import InvalidVersion, Version

    try:
        Version(text)
    except InvalidVersion:
        return False
    return True


@lru_cache(maxsize=1024)
def satisfiable(constraint: str) -> bool:
    """Whether some version fits, judged at and around each version that the constraint names."""
    allowed = specifiers(constraint)
    if allowed is None or not list(allowed):
        return True
    from packaging.version import InvalidVersion, Version

    tried: set[str] = {"0", "999999"}
    for item in allowed:
        stated = item.version.removesuffix(".*")
        try:
            release = Version(stated).release
        except InvalidVersion:
            return True  # an arbitrary equality (===) names a version of its own kind
        tried.add(stated)
        tried.add(".".join(map(str, (*release, 0, 1))))
        for place, number in enumerate(release):
            head = release[:place]
            tried.add(".".join(map(str, (*head, number + 1))))
            if number:
                tried.add(".".join(map(str, (*head, number - 1, 999999))))
    return any(admits(constraint, version) for version in sorted(tried))


@lru_cache(maxsize=1024)
def admits(constraint: str, version: str) -> bool:
    """Whether a version fits; anything fits a constraint that is none, nothing is a version that is none."""
    from packaging.version import InvalidVersion

    allowed = specifiers(constraint)
    if allowed is None:
        return True
    try:
        return allowed.contains(version, prereleases=True)
    except InvalidVersion:
        return False


def _admits_all(declared: Declared, version: str) -> bool:
    return all(admits(constraint, version) for _, constraint in requirements(declared))


def _fits(declared: Declared, known: dict[str, str]) -> bool:
    stated = requirements(declared)
    return all(admits(constraint, known[name]) for name, constraint in stated if name in known)


def _has_upper_bound(declared: Declared) -> bool:
    for _, constraint in requirements(declared):
        allowed = specifiers(constraint)
        if allowed is not None and any(item.operator in ("<", "<=", "==", "===", "~=") for item in allowed):
            return True
    return False
