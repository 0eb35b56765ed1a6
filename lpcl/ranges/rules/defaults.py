"""A default that can leave its range on some machine."""

from __future__ import annotations

from lpcl.check.context import label
from lpcl.compose.terms import Value, apply, conjunction, disjunction
from lpcl.model.dimensions import dimension_of
from lpcl.model.types import constant
from lpcl.ranges.readings import Reading
from lpcl.ranges.rules.subject import Subject, told
from lpcl.ranges.space import Space
from lpcl.ranges.world import World
from lpcl.syntax import nodes


def check(subject: Subject) -> None:
    """Judge the defaults of controls and parameters."""
    for reading in subject.readings:
        clause = reading.clause
        if reading.role != "default" or not isinstance(clause, nodes.Control | nodes.Parameter):
            continue
        if isinstance(clause.type, nodes.ValueType) and not _plain(reading.expression, clause.type):
            _default(subject, reading, clause, clause.type)


def _plain(default: nodes.Expression, kind: nodes.ValueType) -> bool:
    """Whether a default and all ends of its range are constants, which the checker compares."""
    if constant(default) is None:
        return False
    return kind.range is None or None not in (constant(kind.range.low), constant(kind.range.high))


def _default(
    subject: Subject, reading: Reading, clause: nodes.Control | nodes.Parameter, kind: nodes.ValueType
) -> None:
    def ends(world: World) -> tuple[Value | None, Value | None]:
        return world.ends(kind, world.place(subject.file))

    def value(world: World) -> Value:
        return world.value(reading.expression, subject.place(reading, world))

    def leaves(world: World) -> Value:
        low, high = ends(world)
        found = value(world)
        if low is None and high is None:
            return False
        outside = disjunction(
            False if low is None else apply("<", found, low),
            False if high is None else apply(">", found, high),
        )
        return conjunction(subject.reached(reading, world, subject.place(reading, world)), outside)

    name = clause.name.text
    answer = subject.can(leaves)
    if answer.no:
        return
    if not answer.yes:
        subject.undecided(reading.expression.span, f"whether the default of `{name}` stays in its range")
        return
    assert answer.values is not None
    dimension = dimension_of(kind)
    low, high = ends(subject.world(Space(answer.values)))
    found = subject.at(answer, value, dimension)
    shown = " to ".join(told(end, dimension) for end in (low, high) if end is not None)
    bounds = (
        shown
        if low is not None and high is not None
        else (f"at least {shown}" if high is None else f"at most {shown}")
    )
    subject.report(
        "default-out-of-range",
        reading.expression.span,
        f"the default of `{name}` can be {found}, and its range is {bounds}",
        answer,
        labels=[label(subject.file, kind.span, "the range")],
        help_text="hold it within the range with `min`, `max` or `clamp`, or widen the range",
    )
