"""A division by zero that can happen."""

from __future__ import annotations

from collections.abc import Iterator

from lpcl.check.context import label
from lpcl.compose.terms import Value, apply, conjunction, negation
from lpcl.diagnostics.diagnostic import Label
from lpcl.model.program import Origin, SourceFile
from lpcl.model.types import constant
from lpcl.ranges.readings import Reading
from lpcl.ranges.rules.subject import Subject
from lpcl.ranges.space import Space
from lpcl.ranges.world import DEEPEST, Place, TooLarge, World, depth
from lpcl.syntax import nodes

_DIVISIONS = ("/", "div", "mod")
_MOST = 500
"""Ways from one expression through `let`s; more are not followed."""

_DEEPEST = 40
"""`let`s that read each other in a row; more are not followed."""


def check(subject: Subject) -> None:
    """Judge each division that a declaration's clauses come to, through `let`s, too."""
    seen: set[int] = set()
    world = subject.world(Space())
    for reading in subject.readings:
        if reading.role == "let":
            continue  # what nobody reads divides nothing
        if any(isinstance(node, nodes.Binary | nodes.Reference) for node in reading.expression.walk()):
            _reading(subject, world, reading, seen)


def _reading(subject: Subject, world: World, reading: Reading, seen: set[int]) -> None:
    start = subject.place(reading, world)
    try:
        if depth(reading.expression) > DEEPEST:
            raise TooLarge
        found = list(Walk().divisions(start, reading.expression))
    except TooLarge:
        subject.undecided(reading.expression.span, "whether a division by zero can happen here")
        return
    for node, file, path, where in found:
        if id(node) in seen or constant(node.right) is not None:
            continue

        def happens(
            world: World,
            node: nodes.Binary = node,
            path: tuple[tuple[nodes.Expression, Place, bool], ...] = path,
            where: Place = where,
        ) -> Value:
            held: list[Value] = [subject.reached(reading, world, subject.place(reading, world))]
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


def _report(subject: Subject, reading: Reading, node: nodes.Binary, file: SourceFile, shown: str) -> None:
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


class Walk:
    """Looks for the divisions that an expression comes to, through the `let`s that it reads.

    Each comes with the conditions on the way and the place where it is read. A `let` that is read again on
    the same way is passed over. Raises `TooLarge` where there are too many ways.
    """

    def __init__(self) -> None:
        self._seen: set[tuple[int, ...]] = set()

    def divisions(
        self, place: Place, expression: nodes.Expression, path: tuple[Step, ...] = ()
    ) -> Iterator[Found]:
        """The divisions of an expression that is read at `place` under the conditions of `path`."""
        match expression:
            case nodes.Parenthesis():
                yield from self.divisions(place, expression.inner, path)
            case nodes.Unary():
                yield from self.divisions(place, expression.operand, path)
            case nodes.Call():
                if expression.function not in ("defined", "loaded"):
                    for argument in expression.args:
                        yield from self.divisions(place, argument, path)
            case nodes.Conditional():
                condition = expression.condition
                yield from self.divisions(place, condition, path)
                yield from self.divisions(place, expression.then, (*path, (condition, place, True)))
                yield from self.divisions(place, expression.otherwise, (*path, (condition, place, False)))
            case nodes.Binary():
                yield from self.divisions(place, expression.left, path)
                holds = {"and": True, "implies": True, "or": False}.get(expression.op)
                further = path if holds is None else (*path, (expression.left, place, holds))
                yield from self.divisions(place, expression.right, further)
                if expression.op in _DIVISIONS:
                    yield expression, place.file, path, place
            case nodes.Reference():
                yield from self._reference(place, expression, path)

    def _reference(self, place: Place, node: nodes.Reference, path: tuple[Step, ...]) -> Iterator[Found]:
        name = node.path
        let = None if "." in name or name in place.parameters else place.let(name)
        if let is None or name in place.resolving:
            return
        way = (id(let.node), *(id(condition) for condition, _, _ in path))
        if way in self._seen:
            return
        self._seen.add(way)
        if len(self._seen) > _MOST or len(place.resolving) > _DEEPEST:
            raise TooLarge
        inside = place.inside(name, let, Origin(place.file, node.span))
        yield from self.divisions(inside, let.node.value, path)
