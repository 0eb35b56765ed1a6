"""The door: two programs, and every change between what they declare."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from lpcl.check.names import Names
from lpcl.compat import conditions, controls, demands, effects, operations, pools, surroundings
from lpcl.compat.change import Change, Level, in_order
from lpcl.compat.declared import machine, resource
from lpcl.compat.pair import Pair, Side
from lpcl.compat.providers import for_providers
from lpcl.compat.unchanged import Unchanged
from lpcl.model.program import Declared, Program, SourceFile
from lpcl.packages.versions import requirements
from lpcl.syntax import nodes


def compare(
    old: tuple[Program, Iterable[SourceFile]], new: tuple[Program, Iterable[SourceFile]]
) -> tuple[Change, ...]:
    """Every change between the declarations of two programs' files, in order.

    Applications and tests are nobody's to build on, and are left out.
    """
    before, after = _declared(*old), _declared(*new)
    names = Names(old[0]), Names(new[0])
    same = Unchanged(old[0], new[0])
    variables = frozenset(names[0].readers())
    changes: list[Change] = []
    for qualified, items in before.items():
        for one, other in matched(items, after.get(qualified, ())):
            if one is None:
                assert other is not None
                changes.append(_alone(Level.ADDS, other, "is new"))
            elif other is None:
                changes.append(_alone(Level.BREAKS, one, "is gone"))
            elif not same.for_sure(one, other):
                changes += between(names, one, other, variables)
    for qualified, items in after.items():
        if qualified not in before:
            changes += [_alone(Level.ADDS, item, "is new") for item in items]
    return in_order(changes)


def between(
    names: tuple[Names, Names], old: Declared, new: Declared, variables: frozenset[str]
) -> list[Change]:
    """The changes between two versions of a declaration. `variables` are those that anything read before."""
    if type(old.node) is not type(new.node):
        headline = f"it was a {_word(old)}, and is a {_word(new)}"
        return [Change(Level.BREAKS, "kind", old.qualified, headline, "", old.origin, new.origin)]
    if isinstance(old.node, nodes.Resource) and isinstance(new.node, nodes.Resource):
        return resource(old, new)
    if isinstance(old.node, nodes.Machine) and isinstance(new.node, nodes.Machine):
        return machine(old, new)
    pair = Pair(Side(names[0], names[0].contract(old)), Side(names[1], names[1].contract(new)))
    members(pair, variables)
    if isinstance(old.node, nodes.Interface):
        back = Pair(pair.new, pair.old, strict=False)
        members(back, variables)
        pair.changes[:] = for_providers(pair, back)
    if not pair.changes and old.node != new.node:
        texts = [item.file.text[item.node.span.start : item.node.span.end] for item in (old, new)]
        if texts[0] != texts[1]:
            headline = "it is written differently and means the same"
            pair.report(Level.NEUTRAL, "wording", headline, old.origin, new.origin)
    return pair.changes


def members(pair: Pair, variables: frozenset[str]) -> None:
    """Compare all that two contracts or interfaces say."""
    controls.compare(pair, variables)
    pools.compare(pair)
    operations.compare(pair)
    if not pair.strict:
        return
    before, after = pair.old.contract, pair.new.contract
    demands.compare(pair, "", list(before.demands), list(after.demands))
    conditions.assumes(pair, list(before.assumes), list(after.assumes))
    conditions.hazards(pair, list(before.hazards), list(after.hazards))
    effects.on_load(pair)
    surroundings.compare(pair)


def _declared(program: Program, files: Iterable[SourceFile]) -> Mapping[str, list[Declared]]:
    wanted = set(files)
    found: dict[str, list[Declared]] = {}
    for qualified, items in program.declarations.items():
        own = [item for item in items if item.file in wanted and not isinstance(item.node, nodes.Application)]
        if own:
            found[qualified] = own
    return found


def matched(
    old: Iterable[Declared], new: Iterable[Declared]
) -> list[tuple[Declared | None, Declared | None]]:
    """Pairs of declarations of one name: those about the same versions, then one by one as they stand."""
    waiting = list(new)
    found: list[tuple[Declared | None, Declared | None]] = []
    unpaired: list[Declared] = []
    for item in old:
        same = next((other for other in waiting if requirements(other) == requirements(item)), None)
        if same is None:
            unpaired.append(item)
        else:
            waiting.remove(same)
            found.append((item, same))
    for item in unpaired:
        found.append((item, waiting.pop(0) if waiting else None))
    return [*found, *((None, other) for other in waiting)]


def _word(item: Declared) -> str:
    return type(item.node).__name__.lower()


def _alone(level: Level, item: Declared, what: str) -> Change:
    versions = ", ".join(f"{name} {constraint}".strip() for name, constraint in requirements(item))
    about = f" about {versions}" if versions else ""
    places = (item.origin, None) if level is Level.BREAKS else (None, item.origin)
    rule = "declaration-removed" if level is Level.BREAKS else "declaration-added"
    headline = f"the {_word(item)} `{item.name}`{about} {what}"
    return Change(level, rule, item.qualified, headline, "", *places)
