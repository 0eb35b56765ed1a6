"""A demand that can be negative."""

from __future__ import annotations

from lpcl.compose.terms import Value, apply, conjunction
from lpcl.model.dimensions import dimension_of
from lpcl.model.program import Declared
from lpcl.model.quantities import PLAIN, Dimension
from lpcl.ranges.readings import Reading
from lpcl.ranges.rules.subject import Subject
from lpcl.ranges.world import World
from lpcl.syntax import nodes


def check(subject: Subject) -> None:
    """Judge the amounts of a declaration's demands."""
    for reading in subject.readings:
        if reading.role == "amount" and isinstance(reading.clause, nodes.Demand):
            _amount(subject, reading, reading.clause)


def _amount(subject: Subject, reading: Reading, demand: nodes.Demand) -> None:
    def value(world: World) -> Value:
        return world.value(reading.expression, subject.place(reading, world))

    def negative(world: World) -> Value:
        here = subject.reached(reading, world, subject.place(reading, world))
        return conjunction(here, apply("<", value(world), 0))

    name = demand.resource.path
    answer = subject.can(negative)
    if answer.yes:
        found = subject.at(answer, value, _dimension(subject, demand))
        subject.report(
            "demand-below-zero",
            reading.expression.span,
            f"the demand for `{name}` can be {found}, and nothing asks for less than nothing",
            answer,
            help_text="guard it: `max(0, ...)`, or a condition after `when`",
        )
    elif not answer.no:
        subject.undecided(reading.expression.span, f"whether the demand for `{name}` can be negative")


def _dimension(subject: Subject, demand: nodes.Demand) -> Dimension:
    found: Declared | None = subject.context.find(subject.file, demand.resource.path)
    return dimension_of(found.node.type) if found and isinstance(found.node, nodes.Resource) else PLAIN
