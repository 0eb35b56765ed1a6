"""What `lpclc check` has to say, and must not say, of the values of a contract, seen with one setting.

A finding is its code and the place of the expression that it is about.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from lpcl.compose.terms import Plain
from lpcl.syntax import nodes
from tests.property.plain_values import NoValue, Version, clause, holds, value_of

Finding: TypeAlias = tuple[str, int]

DIVISION: Finding = ("division-by-zero", 0)
"""A division by zero, wherever it is: that of a `let` is told where it stands, not where it is read."""


@dataclass(frozen=True)
class Seen:
    """What a setting shows: findings that have to be told, and those that must not be."""

    so: set[Finding] = field(default_factory=set)
    not_so: set[Finding] = field(default_factory=set)

    def look(self, version: Version) -> None:
        """Look at all that a contract says, with a setting that it takes."""
        assumed = [one for one in version.node.members if isinstance(one, nodes.Assume)]
        self._assumptions(version, [], assumed)
        if not _holds(version, assumed):
            return
        for member in version.node.members:
            match member:
                case nodes.Control():
                    self._default(version, member)
                case nodes.Pool():
                    self._pool(version, member)
                case nodes.Operation():
                    self._operation(version, member, assumed)
                case nodes.OnLoad():
                    for one in member.clauses:
                        self._clause(version, one)
                case _:
                    self._clause(version, member)

    # -------------------------------------------------------------- expressions

    def _value(self, version: Version, expression: nodes.Expression | None) -> Plain | None:
        """The value of an expression that is read; None where it has none."""
        if expression is None:
            return None
        try:
            return value_of(expression, version)
        except NoValue:
            self.so.add(DIVISION)
            return None

    def _counts(self, version: Version, guard: nodes.Expression | None) -> bool:
        """Whether a condition holds, which then must not be told never to."""
        if guard is None:
            return True
        found = self._value(version, guard) is True
        if found:
            self.not_so.add(("unreachable-clause", guard.span.start))
        return found

    # -------------------------------------------------------------- clauses

    def _assumptions(
        self, version: Version, before: Sequence[nodes.Assume], assumed: Sequence[nodes.Assume]
    ) -> None:
        for one in assumed:
            start = one.condition.span.start
            try:
                found = holds(one.condition, version)
            except NoValue:
                if _holds(version, [other for other in (*before, *assumed) if other is not one]):
                    self.so.add(DIVISION)
                continue
            if not found:
                self.not_so.add(("empty-assumption", start))
            elif _holds(version, [*before, *assumed[: assumed.index(one)]]):
                self.not_so.add(("impossible-assumption", start))

    def _default(self, version: Version, control: nodes.Control) -> None:
        stated = clause(control, nodes.Default)
        found = None if stated is None else self._value(version, stated.value)
        if stated is None or found is None or not isinstance(control.type, nodes.ValueType):
            return
        try:
            inside = version.takes(control.type, found)
        except NoValue:
            return
        if not inside:
            self.so.add(("default-out-of-range", stated.value.span.start))

    def _pool(self, version: Version, pool: nodes.Pool) -> None:
        for one in pool.clauses:
            if isinstance(one, nodes.Size):
                self._value(version, one.value)
            elif isinstance(one, nodes.Existing):
                size = clause(pool, nodes.Size)
                self._value(version if size is None else version.over(size.value), one.value)
            elif isinstance(one, nodes.Idle):
                self._value(version, one.duration)

    def _clause(self, version: Version, node: nodes.Node) -> None:
        if isinstance(node, nodes.Hazard):
            self._counts(version, node.condition)
        elif isinstance(node, nodes.Start):
            self._value(version, node.method)
        elif isinstance(node, nodes.Pin | nodes.SetVariable | nodes.Limit):
            if self._counts(version, getattr(node, "guard", None)):
                self._value(version, node.value)
        elif isinstance(node, nodes.Calls) and self._counts(version, node.guard):
            for given in node.arguments:
                self._value(version, given.value)
        elif isinstance(node, nodes.Demand) and self._counts(version, node.guard):
            if not isinstance(node.device, nodes.AllDevices):
                self._value(version, node.device)
            ends = (node.range.low, node.range.high) if node.range is not None else (node.amount,)
            for amount in ends:
                found = self._value(version, amount)
                if amount is not None and found is not None and not isinstance(found, str) and found < 0:
                    self.so.add(("demand-below-zero", amount.span.start))

    def _operation(
        self, version: Version, operation: nodes.Operation, before: Sequence[nodes.Assume]
    ) -> None:
        for parameter in operation.parameters:
            value = version.setting.arguments[parameter.name.text]
            if parameter.name.text in _read(operation) and not version.takes(parameter.type, value):
                return
        assumed = [one for one in operation.clauses if isinstance(one, nodes.Assume)]
        self._assumptions(version, before, assumed)
        if not _holds(version, assumed):
            return
        for kind in (nodes.RunsOn, nodes.Workers):
            for way in operation.clauses:
                if isinstance(way, kind) and self._counts(version, way.guard):
                    self._way(version, way)
                    break
            else:
                continue
            break
        for one in operation.clauses:
            self._clause(version, one)

    def _way(self, version: Version, way: nodes.RunsOn | nodes.Workers) -> None:
        if isinstance(way, nodes.RunsOn):
            self._value(version, way.size)
            return
        self._value(version, way.count)
        for one in way.clauses:
            self._clause(version, one)


def _read(operation: nodes.Operation) -> set[str]:
    return {one.path for one in operation.walk() if isinstance(one, nodes.Reference)}


def _holds(version: Version, assumed: Sequence[nodes.Assume]) -> bool:
    try:
        return all(holds(one.condition, version) for one in assumed)
    except NoValue:
        return False
