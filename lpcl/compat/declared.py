"""Resources and machines: declarations that others count on by their figures."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from lpcl.compat.change import Change, Level
from lpcl.compat.pair import told
from lpcl.compose.machine import MachineView
from lpcl.compose.refusal import Refusal
from lpcl.compose.resources import Resource, capacity_of
from lpcl.compose.solver import Verdict
from lpcl.compose.terms import Value, apply
from lpcl.model.machine import FACTS
from lpcl.model.program import Declared
from lpcl.ranges.ask import Answer, can
from lpcl.ranges.figures import FIGURES
from lpcl.ranges.space import Free, Kind, Space
from lpcl.syntax import nodes


def resource(old: Declared, new: Declared) -> list[Change]:
    """Compare two versions of a resource."""
    a, b = Resource(old, _node(old)), Resource(new, _node(new))
    found: list[Change] = []

    def report(level: Level, headline: str, witness: str = "") -> None:
        found.append(Change(level, "resource", old.qualified, headline, witness, old.origin, new.origin))

    if a.dimension != b.dimension:
        report(Level.BREAKS, "its amounts are of another dimension")
        return found
    if a.per != b.per:
        report(Level.BREAKS, f"it was counted per {a.per}, and is counted per {b.per}")
    modes = [
        next((c.mode for c in item.node.clauses if isinstance(c, nodes.Sharing)), "space") for item in (a, b)
    ]
    if modes[0] != modes[1]:
        report(Level.BREAKS, f"it was shared in {modes[0]}, and is shared in {modes[1]}")
    if a.fails != b.fails:
        level = Level.BREAKS if b.fails else Level.NEUTRAL
        words = ("slowed things down", "fails") if b.fails else ("failed", "slows things down")
        report(level, f"too much of it {words[0]}, and now {words[1]}")
    for op, level, verb in (("<", Level.BREAKS, "shrinks"), (">", Level.NEUTRAL, "grows")):
        answer = _asked(partial(_compared, op, b, a))
        if answer.yes:
            assert answer.values is not None
            space = Space(answer.values)
            was, now = (told(_capacity(item, space), item.dimension) for item in (a, b))
            report(level, f"the capacity {verb} from {was} to {now}", str(answer))
            break
        if not answer.no and level is Level.BREAKS:
            report(Level.UNDECIDED, "whether the capacity shrinks is not decided")
            break
    return found


def _compared(op: str, one: Resource, other: Resource, space: Space) -> Value:
    """How the capacity of a resource compares with that of another."""
    return apply(op, _capacity(one, space), _capacity(other, space))


def _node(item: Declared) -> nodes.Resource:
    assert isinstance(item.node, nodes.Resource)
    return item.node


def _asked(build: Callable[[Space], Value]) -> Answer:
    try:
        return can(build)
    except Refusal:
        return Answer(Verdict.UNDECIDED)


def _capacity(item: Resource, space: Space) -> Value:
    facts: dict[str, Value] = {}
    for path, figure in FIGURES.items():
        if path in FACTS:
            kind: Kind = "whole" if figure.type.whole else "fraction"
            name = f"machine.{path}"
            facts[path] = space.value(
                Free(
                    name,
                    name,
                    "machine",
                    kind,
                    figure.low,
                    figure.high,
                    figure.type.dimension,
                    first=figure.first,
                )
            )
    found = capacity_of(item, MachineView("any", facts, {}))
    return 0 if found is None else found


def machine(old: Declared, new: Declared) -> list[Change]:
    """Compare two versions of a machine: whoever composes for it means these figures."""
    assert isinstance(old.node, nodes.Machine)
    assert isinstance(new.node, nodes.Machine)
    before = {fact.path: fact for fact in old.node.facts}
    after = {fact.path: fact for fact in new.node.facts}
    changed = [path for path in dict.fromkeys((*before, *after)) if before.get(path) != after.get(path)]
    if not changed:
        return []
    shown = ", ".join(f"`{path}`" for path in changed)
    headline = f"the machine has other figures: {shown}"
    return [Change(Level.BREAKS, "machine", old.qualified, headline, "", old.origin, new.origin)]
