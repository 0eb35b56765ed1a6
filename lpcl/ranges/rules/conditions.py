"""An `assume` that can never hold or always does, and a `when` that is never true."""

from __future__ import annotations

from collections.abc import Iterator

from lpcl.compose.terms import Value, conjunction, negation
from lpcl.ranges.readings import Reading, assumptions
from lpcl.ranges.rules.subject import Subject
from lpcl.ranges.world import World
from lpcl.syntax import nodes


def check(subject: Subject) -> None:
    """Judge the conditions of a declaration."""
    for reading in subject.readings:
        if isinstance(reading.expression, nodes.Boolean):
            continue  # whoever writes `true` or `false` means it
        if reading.role == "assume":
            _assume(subject, reading)
        elif reading.role in ("guard", "hazard"):
            _guard(subject, reading)


def _assume(subject: Subject, reading: Reading) -> None:
    def value(world: World) -> Value:
        return world.value(reading.expression, subject.place(reading, world))

    span = reading.expression.span
    holds = subject.can(value, witness=False)
    if holds.no:
        subject.report(
            "impossible-assumption",
            span,
            "this can never hold, whatever the machine and the settings",
            help_text="state what has to hold for the contract to speak true",
        )
        return
    together = subject.can(
        lambda world: conjunction(value(world), *_earlier(subject, reading, world)), witness=False
    )
    if together.no:
        subject.report(
            "impossible-assumption",
            span,
            "this can never hold together with what is assumed before it",
            help_text="state what has to hold for the contract to speak true",
        )
        return
    fails = subject.can(lambda world: negation(value(world)), witness=False)
    if fails.no and holds.yes:
        subject.report(
            "empty-assumption",
            span,
            "this always holds, whatever the machine and the settings",
            help_text="leave it out: ranges, and what a machine is, say it already",
        )
    elif not holds.yes or not fails.yes:
        subject.undecided(span, "whether this can hold, and whether it can fail,")


def _earlier(subject: Subject, reading: Reading, world: World) -> Iterator[Value]:
    """What is assumed before an assumption."""
    for clause, operation in assumptions(subject.contract, reading.operation):
        if clause.node is reading.clause:
            return
        yield world.value(clause.node.condition, world.place(clause.file, operation))


def _guard(subject: Subject, reading: Reading) -> None:
    def value(world: World) -> Value:
        place = subject.place(reading, world)
        return conjunction(subject.reached(reading, world, place), world.value(reading.expression, place))

    span = reading.expression.span
    answer = subject.can(value, witness=False)
    if answer.no:
        what = "this hazard" if reading.role == "hazard" else "the clause"
        earlier = any(not holds for _, holds in reading.guards)
        subject.report(
            "unreachable-clause",
            span,
            f"this is never true, so that {what} never counts",
            help_text="mend the condition, or those of the clauses before it, which come first"
            if earlier
            else f"mend the condition, or remove {what}",
        )
    elif not answer.yes:
        subject.undecided(span, "whether this can be true")
