"""Assumptions and hazards: nothing more is assumed, and nothing more goes wrong."""

from __future__ import annotations

from lpcl.compat.change import Level
from lpcl.compat.pair import Pair
from lpcl.compose.terms import Value, conjunction, disjunction, negation
from lpcl.model.contracts import Clause
from lpcl.ranges.world import World
from lpcl.syntax import nodes

Assumes = list[Clause[nodes.Assume]]
Hazards = list[Clause[nodes.Hazard]]


def assumptions_of(operation: Clause[nodes.Operation]) -> Assumes:
    """What an operation assumes."""
    clauses = operation.node.clauses
    return [Clause(item, operation.file) for item in clauses if isinstance(item, nodes.Assume)]


def hazards_of(operation: Clause[nodes.Operation]) -> Hazards:
    """What can go wrong in an operation."""
    clauses = operation.node.clauses
    return [Clause(item, operation.file) for item in clauses if isinstance(item, nodes.Hazard)]


def assumes(pair: Pair, old: Assumes, new: Assumes, operation: str | None = None) -> None:
    """Compare what is assumed: all of the new must follow from the old."""
    within = _operations(pair, operation)
    for clause in new:

        def fails(_: World, world: World, clause: Clause[nodes.Assume] = clause) -> Value:
            return negation(world.value(clause.node.condition, world.place(clause.file, within[1])))

        answer = pair.can(fails, operation)
        place = next(iter(old), None)
        if answer.yes:
            headline = f'it assumes more: "{clause.node.message.value}"'
            pair.breaks("assume", headline, place, clause, str(answer))
        elif not answer.no:
            pair.report(Level.UNDECIDED, "assume", "whether it assumes more is not decided", place, clause)
    for clause in old:
        if not new:
            gone = f'it no longer assumes: "{clause.node.message.value}"'
            pair.report(Level.NEUTRAL, "assume", gone, clause)


def hazards(pair: Pair, old: Hazards, new: Hazards, operation: str | None = None) -> None:
    """Compare what goes wrong: a new hazard must be one of the old ones of the same effect."""
    within = _operations(pair, operation)
    for clause in new:
        known = [item for item in old if item.node.effect == clause.node.effect]

        def happens(
            a: World, b: World, clause: Clause[nodes.Hazard] = clause, known: Hazards = known
        ) -> Value:
            before = disjunction(*(a.value(c.node.condition, a.place(c.file, within[0])) for c in known))
            now = b.value(clause.node.condition, b.place(clause.file, within[1]))
            return conjunction(now, negation(before))

        answer = pair.can(happens, operation)
        place = next(iter(known), None)
        effect = clause.node.effect
        what = f'"{clause.node.message.value}"' + (f" ({effect.replace('_', ' ')})" if effect else "")
        if answer.yes:
            pair.breaks("hazard", f"a hazard that was not there: {what}", place, clause, str(answer))
        elif not answer.no:
            pair.report(Level.UNDECIDED, "hazard", "whether more goes wrong is not decided", place, clause)
    if old and not new:
        pair.report(Level.NEUTRAL, "hazard", "hazards are gone", old[0])


def _operations(
    pair: Pair, operation: str | None
) -> tuple[Clause[nodes.Operation] | None, Clause[nodes.Operation] | None]:
    if operation is None:
        return None, None
    return pair.old.contract.operations.get(operation), pair.new.contract.operations.get(operation)
