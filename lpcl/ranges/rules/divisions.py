"""A division by zero that can happen."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from lpcl.check.context import label
from lpcl.compose.terms import Value, apply, conjunction, negation
from lpcl.diagnostics.diagnostic import Label
from lpcl.model.program import Origin, SourceFile
from lpcl.model.types import constant
from lpcl.ranges.readings import Reading, reached
from lpcl.ranges.rules.subject import Subject
from lpcl.ranges.space import Space
from lpcl.ranges.world import Place, World
from lpcl.syntax import nodes

_DIVISIONS = ("/", "div", "mod")
_MOST = 200
"""Ways in which one expression may come to divisions; more are not followed."""


def check(subject: Subject) -> None:
    """Judge each division that a declaration's clauses come to, through `let`s, too."""
    seen: set[int] = set()
    for reading in subject.readings:
        if reading.role == "let":
            continue  # what nobody reads divides nothing
        if any(isinstance(node, nodes.Binary | nodes.Reference) for node in reading.expression.walk()):
            _reading(subject, reading, seen)


def _reading(subject: Subject, reading: Reading, seen: set[int]) -> None:
    start = subject.place(reading, subject.world(Space()))
    found = list(islice(divisions(start, reading.expression), _MOST))
    if len(found) == _MOST:
        subject.undecided(reading.expression.span, "whether a division by zero can happen here")
    for node, file, path, where in found:
        if id(node) in seen or constant(node.right) is not None:
            continue

        def happens(
            world: World,
            node: nodes.Binary = node,
            path: tuple[tuple[nodes.Expression, Place, bool], ...] = path,
            where: Place = where,
        ) -> Value:
            held: list[Value] = [reached(reading, world, subject.place(reading, world))]
            for condition, place, holds in path:
                value = world.value(condition, place.over(world))
                held.append(value if holds else negation(value))
            return conjunction(*held, apply("==", world.value(node.right, where.over(world)), 0))

        answer = subject.can(happens)
        if answer.no:
            continue
        seen.add(id(node))
        if answer.yes:
            _report(subject, reading, node, file, str(answer))
        else:
            subject.undecided(reading.expression.span, "whether a division by zero can happen here")


def _report(
    subject: Subject, reading: Reading, node: nodes.Binary, file: SourceFile, shown: str
) -> None:
    labels: list[Label] = [label(file, node.right.span, "this can be 0")]
    inside = reading.expression.span
    if file is not subject.file or not inside.start <= node.span.start < inside.end:
        labels.append(label(subject.file, inside, "it is read here"))
    subject.context.report(
        "division-by-zero",
        file,
        node.op_span,
        "this can divide by zero",
        labels=labels,
        notes=[f"so it is with {shown}"] if shown else [],
        help_text="guard the division with `if`, or give the divisor a range that leaves out 0",
    )


Step = tuple[nodes.Expression, Place, bool]
Found = tuple[nodes.Binary, SourceFile, tuple[Step, ...], Place]


def divisions(
    place: Place, expression: nodes.Expression, path: tuple[Step, ...] = ()
) -> Iterator[Found]:
    """The divisions that an expression comes to, each with the conditions on the way and where it is read."""
    match expression:
        case nodes.Parenthesis():
            yield from divisions(place, expression.inner, path)
        case nodes.Unary():
            yield from divisions(place, expression.operand, path)
        case nodes.Call():
            if expression.function not in ("defined", "loaded"):
                for argument in expression.args:
                    yield from divisions(place, argument, path)
        case nodes.Conditional():
            yield from divisions(place, expression.condition, path)
            yield from divisions(place, expression.then, (*path, (expression.condition, place, True)))
            yield from divisions(place, expression.otherwise, (*path, (expression.condition, place, False)))
        case nodes.Binary():
            yield from divisions(place, expression.left, path)
            holds = {"and": True, "implies": True, "or": False}.get(expression.op)
            further = path if holds is None else (*path, (expression.left, place, holds))
            yield from divisions(place, expression.right, further)
            if expression.op in _DIVISIONS:
                yield expression, place.file, path, place
        case nodes.Reference():
            let = None if "." in expression.path or expression.path in place.parameters else (
                place.let(expression.path)
            )
            if let is not None and expression.path not in place.resolving:
                origin = Origin(place.file, expression.span)
                yield from divisions(place.inside(expression.path, let, origin), let.node.value, path)
