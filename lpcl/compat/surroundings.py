"""What a contract says of its surroundings: dependencies, signals, interfaces, and its library."""

from __future__ import annotations

from lpcl.compat.change import Level
from lpcl.compat.pair import Pair, Side, clause_of
from lpcl.model import types
from lpcl.model.contracts import Clause
from lpcl.packages.versions import specifiers
from lpcl.syntax import nodes


def compare(pair: Pair) -> None:
    """Compare dependencies, signals, interfaces and the library."""
    _uses(pair)
    _signals(pair)
    _interfaces(pair)
    _library(pair)
    _deprecated(pair)


# ------------------------------------------------------------------ dependencies


def _uses(pair: Pair) -> None:
    before, after = pair.old.contract.uses, pair.new.contract.uses
    for name, old in before.items():
        new = after.get(name)
        if new is None:
            pair.breaks("uses-removed", f"the dependency `{name}` is gone", old)
            continue
        a, b = pair.old.names.dependency(old), pair.new.names.dependency(new)
        for word, one, other in (
            ("interface", a.interface, b.interface),
            ("provider", a.provider, b.provider),
        ):
            was, now = (None if item is None else item.qualified for item in (one, other))
            if was != now:
                shown = [item or "not stated" for item in (was, now)]
                adds = was is None and word == "provider"
                pair.report(
                    Level.ADDS if adds else Level.BREAKS,
                    "uses",
                    f"the {word} of `{name}` was {shown[0]}, and is {shown[1]}",
                    old,
                    new,
                )
        if old.node.private != new.node.private:
            words = ("shared", "private") if new.node.private else ("private", "shared")
            pair.breaks("uses", f"the copy of `{name}` was {words[0]}, and is {words[1]}", old, new)
    for name, new in after.items():
        if name in before:
            continue
        found = pair.new.names.dependency(new)
        if found.provider is None:
            pair.breaks("uses-added", f"it needs a provider of `{name}`", None, new)
        elif _asks(pair.new, found.provider.qualified):
            pair.breaks(
                "uses-added", f"it also loads `{found.provider.name}`, which asks for more", None, new
            )
        else:
            pair.report(Level.ADDS, "uses-added", f"it also loads `{found.provider.name}`", None, new)


def _asks(side: Side, qualified: str, seen: frozenset[str] = frozenset()) -> bool:
    """Whether merely loading a library asks for something, or does something to its process."""
    if qualified in seen:
        return False
    items = side.names.program.declarations.get(qualified, ())
    for item in items[:1]:
        contract = side.names.contract(item)
        at_load = any(
            isinstance(found := clause_of(pool.node, nodes.Created), nodes.Created) and found.moment == "load"
            for pool in contract.pools.values()
        )
        if at_load or contract.demands or contract.on_load or contract.assumes or contract.hazards:
            return True
        for clause in contract.uses.values():
            provider = side.names.dependency(clause).provider
            if provider is not None and _asks(side, provider.qualified, seen | {qualified}):
                return True
    return False


# ------------------------------------------------------------------ signals and interfaces


def _signals(pair: Pair) -> None:
    before, after = pair.old.contract.signals, pair.new.contract.signals
    for name, old in before.items():
        new = after.get(name)
        if new is None:
            pair.breaks("signal-removed", f"the signal `{name}` is gone", old)
        elif types.of(old.node.type) != types.of(new.node.type):
            a, b = types.describe(types.of(old.node.type)), types.describe(types.of(new.node.type))
            pair.breaks("signal-type", f"the signal `{name}` was {a}, and is {b}", old, new)
        elif old.node.source != new.node.source:
            pair.report(Level.NEUTRAL, "signal-source", f"`{name}` is measured in another way", old, new)
        elif old.node.indications != new.node.indications:
            pair.report(Level.NEUTRAL, "signal-indicates", f"`{name}` indicates something else", old, new)
    for name, new in after.items():
        if name not in before:
            pair.report(Level.ADDS, "signal-added", f"a signal `{name}`", None, new)


def _interfaces(pair: Pair) -> None:
    before, after = (
        {item.qualified: item for item in side.contract.interfaces} for side in (pair.old, pair.new)
    )
    old, new = pair.old.contract.declared.origin, pair.new.contract.declared.origin
    for name in before:
        if name not in after:
            pair.breaks("interface-dropped", f"it no longer implements `{name}`", old, new)
    for name in after:
        if name not in before:
            pair.report(Level.ADDS, "interface-added", f"it implements `{name}`", old, new)


# ------------------------------------------------------------------ the library


def _library(pair: Pair) -> None:
    before, after = _entries(pair.old.contract.library), _entries(pair.new.contract.library)
    old, new = pair.old.contract.library, pair.new.contract.library
    if old is None and new is None:
        return
    for key, constraint in before.items():
        if key not in after:
            pair.breaks("library", f"it no longer speaks about {_about(key)}", old, new)
        elif set(constraint) != set(after[key]):
            _versions(pair, key, constraint, after[key], old, new)
    for key in after:
        if key not in before:
            pair.report(Level.ADDS, "library", f"it speaks about {_about(key)}, too", old, new)


def _about(key: tuple[str, str]) -> str:
    return f'{key[0]} "{key[1]}"'


def _entries(clause: Clause[nodes.Library] | None) -> dict[tuple[str, str], tuple[str, ...]]:
    """What a library is known by, each with the versions that its entries tell of, any of which will do."""
    found: dict[tuple[str, str], tuple[str, ...]] = {}
    for entry in clause.node.entries if clause is not None else ():
        if isinstance(entry, nodes.PypiEntry):
            keys = [("pypi", entry.distribution.value)]
        elif isinstance(entry, nodes.FileEntry):
            keys = [("file", pattern.value) for pattern in entry.patterns]
        else:
            keys = [("command", pattern.value) for pattern in entry.patterns]
        versions = "" if isinstance(entry, nodes.FileEntry) or not entry.versions else entry.versions.value
        found.update({key: (*found.get(key, ()), versions) for key in keys})
    return found


def _versions(
    pair: Pair,
    key: tuple[str, str],
    was: tuple[str, ...],
    now: tuple[str, ...],
    old: Clause[nodes.Library] | None,
    new: Clause[nodes.Library] | None,
) -> None:
    sides = [[one for one in map(specifiers, side) if one is not None] for side in (was, now)]
    if not all(sides):
        return

    def meant(side: int, version: str) -> bool:
        return any(one.contains(version) for one in sides[side])

    tried = sorted(versions_around(",".join((*was, *now))), key=_release)
    lost = next((one for one in tried if meant(0, one) and not meant(1, one)), None)
    gained = next((one for one in tried if meant(1, one) and not meant(0, one)), None)
    told = [" or ".join(f'"{one}"' for one in side) for side in (was, now)]
    if lost is not None:
        headline = f"it no longer speaks about {key[1]} {lost}: {told[0]} before, {told[1]} now"
        pair.breaks("library", headline, old, new, f"{key[1]} {lost}")
    elif gained is not None:
        headline = f"it speaks about {key[1]} {gained}, too: {told[0]} before, {told[1]} now"
        pair.report(Level.ADDS, "library", headline, old, new)


def _release(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


def versions_around(constraints: str) -> set[str]:
    """Versions at and around each one that constraints name, and far below and above them all."""
    from packaging.version import InvalidVersion, Version

    found = {"0", "999999"}
    for part in constraints.split(","):
        text = part.strip().lstrip("<>=!~ ").removesuffix(".*")
        try:
            release = Version(text).release
        except InvalidVersion:
            continue
        for change in (-1, 0, 1):
            last = release[-1] + change
            if last >= 0:
                found.add(".".join(map(str, (*release[:-1], last))))
        found.add(".".join(map(str, (*release, 1))))
    return found


def _deprecated(pair: Pair) -> None:
    old, new = pair.old.contract.declared, pair.new.contract.declared
    was, now = (
        any(a.name.text == "deprecated" for a in getattr(item.node, "annotations", ())) for item in (old, new)
    )
    if now and not was:
        pair.report(Level.ADDS, "deprecated", "it is deprecated", old.origin, new.origin)
