"""What is set, limited, started and pinned: in workers, in operations, and when a library is loaded."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from lpcl.compat import demands
from lpcl.compat.change import Level
from lpcl.compat.pair import Pair
from lpcl.compose.terms import Value, choose, conjunction, disjunction, negation
from lpcl.model.contracts import Clause
from lpcl.ranges.world import World
from lpcl.syntax import nodes

Under = Callable[[World, World], Value]
Clauses = Sequence[Clause[nodes.Node]]


def on_load(pair: Pair) -> None:
    """Compare what loading the library does."""
    before, after = (_clauses(side.contract.on_load) for side in (pair.old, pair.new))
    where = " when it is loaded"
    settings(pair, where, before, after)
    demands.compare(pair, where, demands.among(before), demands.among(after))


def _clauses(clause: Clause[nodes.OnLoad] | None) -> list[Clause[nodes.Node]]:
    return [] if clause is None else [Clause(item, clause.file) for item in clause.node.clauses]


def settings(
    pair: Pair,
    where: str,
    old: Clauses,
    new: Clauses,
    operation: str | None = None,
    under: Under | None = None,
) -> None:
    """Compare what is set at one place: each thing under the same conditions, and to the same value."""
    before, after = _grouped(old), _grouped(new)
    for title in dict.fromkeys((*before, *after)):
        if not before.get(title) and not pair.strict:
            continue
        _setting(pair, f"{title}{where}", before.get(title, []), after.get(title, []), operation, under)


def _grouped(clauses: Clauses) -> Mapping[str, list[Clause[nodes.Node]]]:
    """Clauses by what they set, in words."""
    found: dict[str, list[Clause[nodes.Node]]] = {}
    for clause in clauses:
        match clause.node:
            case nodes.SetVariable():
                weak = "default " if clause.node.weak else ""
                title = f"`set {weak}{clause.node.name.text}`"
            case nodes.Limit():
                title = f"`limit {clause.node.target.path}`"
            case nodes.Start():
                title = "`start`"
            case nodes.Pin():
                title = "`pin cpus`"
            case nodes.CallerRole():
                title = "`caller`"
            case _:
                continue
        found.setdefault(title, []).append(clause)
    return found


def _setting(
    pair: Pair, what: str, old: Clauses, new: Clauses, operation: str | None, under: Under | None
) -> None:
    sides = (
        (old, None if operation is None else pair.old.contract.operations.get(operation)),
        (new, None if operation is None else pair.new.contract.operations.get(operation)),
    )

    def there(world: World, side: int) -> Value:
        clauses, within = sides[side]
        return disjunction(*(_guard(world, clause, within) for clause in clauses))

    def value(world: World, side: int) -> Value:
        clauses, within = sides[side]
        found: Value | None = None
        for clause in reversed(clauses) if _first_counts(clauses) else clauses:
            one = _value(world, clause, within)
            found = one if found is None else choose(_guard(world, clause, within), one, found)
        assert found is not None
        return found

    def reach(a: World, b: World) -> Value:
        return True if under is None else under(a, b)

    places = next(iter(old), None), next(iter(new), None)
    for side, words in ((0, "is gone"), (1, "is new")):

        def alone(a: World, b: World, side: int = side) -> Value:
            here, other = there((a, b)[side], side), there((a, b)[1 - side], 1 - side)
            return conjunction(reach(a, b), here, negation(other))

        answer = pair.can(alone, operation)
        if answer.yes:
            pair.breaks("setting", f"{what} {words}", *places, str(answer))
            return
        if not answer.no:
            headline = f"whether {what} {words} is not decided"
            pair.report(Level.UNDECIDED, "setting", headline, *places)
            return
    if old and new:

        def both(a: World, b: World) -> Value:
            return conjunction(reach(a, b), there(a, 0), there(b, 1))

        def value_of(side: int) -> Callable[[World], Value]:
            return lambda world: value(world, side)

        pair.differs("setting", what, value_of(0), value_of(1), places, operation=operation, under=both)


def _first_counts(clauses: Clauses) -> bool:
    """Whether the first of several that hold counts, not the last: a variable that is set has no default."""
    return any(isinstance(clause.node, nodes.SetVariable) and clause.node.weak for clause in clauses)


def _guard(world: World, clause: Clause[nodes.Node], within: Clause[nodes.Operation] | None) -> Value:
    guard = getattr(clause.node, "guard", None)
    return True if guard is None else world.value(guard, world.place(clause.file, within))


def _value(world: World, clause: Clause[nodes.Node], within: Clause[nodes.Operation] | None) -> Value:
    match clause.node:
        case nodes.SetVariable() | nodes.Limit() | nodes.Pin():
            return world.value(clause.node.value, world.place(clause.file, within))
        case nodes.Start():
            return world.value(clause.node.method, world.place(clause.file, within))
        case nodes.CallerRole():
            return clause.node.role
    raise AssertionError(f"sets nothing: {clause.node!r}")
