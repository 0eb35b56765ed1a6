"""The values of expressions of a contract, worked out plainly, where everything that is open has a value."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Protocol, TypeVar

from lpcl.compose.terms import Plain
from lpcl.syntax import nodes


class NoValue(Exception):
    """A division by zero."""


class Names(Protocol):
    """What names stand for."""

    def name(self, path: str) -> Plain:
        """The value of a name; a word that is none stands for itself."""
        ...

    def is_set(self, path: str) -> bool:
        """The answer to `defined(path)`."""
        ...


def _divided(a: Fraction, b: Fraction) -> Fraction:
    if b == 0:
        raise NoValue
    return a / b


_OF_NUMBERS: Mapping[str, Callable[[Fraction, Fraction], Fraction | bool]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": _divided,
    "div": lambda a, b: Fraction(math.floor(_divided(a, b))),
    "mod": lambda a, b: a - b * math.floor(_divided(a, b)),
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def value_of(node: nodes.Expression, names: Names) -> Plain:
    """The value of an expression. Raises `NoValue`."""
    match node:
        case nodes.Quantity() | nodes.Boolean() | nodes.Text():
            return node.value
        case nodes.Parenthesis():
            return value_of(node.inner, names)
        case nodes.Reference():
            return names.name(node.path)
        case nodes.Conditional():
            return value_of(node.then if holds(node.condition, names) else node.otherwise, names)
        case nodes.Unary():
            if node.op == "not":
                return not holds(node.operand, names)
            return -number_of(node.operand, names)
        case nodes.Call(function="defined"):
            asked = node.args[0]
            assert isinstance(asked, nodes.Reference)
            return names.is_set(asked.path)
        case nodes.Call():
            given = [number_of(one, names) for one in node.args]
            match node.function:
                case "min" | "max":
                    return min(given) if node.function == "min" else max(given)
                case "floor" | "ceil":
                    return math.floor(given[0]) if node.function == "floor" else math.ceil(given[0])
                case "abs":
                    return abs(given[0])
        case nodes.Binary():
            return _binary(node, names)
    raise AssertionError(f"no plain value of {node!r}")


def _binary(node: nodes.Binary, names: Names) -> Plain:
    match node.op:
        case "and":
            return holds(node.left, names) and holds(node.right, names)
        case "or":
            return holds(node.left, names) or holds(node.right, names)
        case "implies":
            return not holds(node.left, names) or holds(node.right, names)
        case "==" | "!=":
            return (value_of(node.left, names) == value_of(node.right, names)) is (node.op == "==")
    return _OF_NUMBERS[node.op](number_of(node.left, names), number_of(node.right, names))


def number_of(node: nodes.Expression, names: Names) -> Fraction:
    """The value of an expression that is a number. Raises `NoValue`."""
    found = value_of(node, names)
    assert not isinstance(found, str)
    return Fraction(found)


def holds(node: nodes.Expression, names: Names) -> bool:
    """The value of a condition. Raises `NoValue`."""
    found = value_of(node, names)
    assert isinstance(found, bool)
    return found


# ------------------------------------------------------------------ a contract


@dataclass(frozen=True)
class Setting:
    """A machine, what is set, and what is asked for: each of these has a value.

    `unset` are controls that nothing sets, `undefined` environment variables that are not set.
    """

    figures: Mapping[str, Plain] = field(default_factory=dict)
    controls: Mapping[str, Plain] = field(default_factory=dict)
    arguments: Mapping[str, Plain] = field(default_factory=dict)
    unset: frozenset[str] = frozenset()
    undefined: frozenset[str] = frozenset()
    device: int = 0

    def __str__(self) -> str:
        values = {**self.figures, **self.controls, **self.arguments, "device": self.device}
        shown = [f"{name} = {value}" for name, value in values.items()]
        return ", ".join([*shown, *(f"{name} is not set" for name in sorted(self.unset | self.undefined))])


@dataclass(frozen=True)
class Version:
    """A contract or interface under a setting. Nobody sets the controls and variables in `unknown`."""

    node: nodes.Contract | nodes.Interface
    setting: Setting
    unknown: frozenset[str] = frozenset()
    size: nodes.Expression | None = None

    # -------------------------------------------------------------- names

    def name(self, path: str) -> Plain:
        """See `Names`."""
        if path.startswith("machine."):
            return self.setting.figures[path.removeprefix("machine.")]
        if path == "size" and self.size is not None:
            return value_of(self.size, self)
        if path in self.setting.arguments:
            return self.setting.arguments[path]
        for member in self.node.members:
            if isinstance(member, nodes.Let) and member.name.text == path:
                return value_of(member.value, self)
            if isinstance(member, nodes.Control) and member.name.text == path:
                default = self.default(path) if path in self.unknown else None
                return self.setting.controls[path] if default is None else default
        return path

    def is_set(self, path: str) -> bool:
        """See `Names`."""
        return path not in self.unknown | self.setting.unset | self.setting.undefined

    def over(self, size: nodes.Expression) -> Version:
        """The same where `size` is that of a pool."""
        return Version(self.node, self.setting, self.unknown, size)

    # -------------------------------------------------------------- members

    @property
    def controls(self) -> Mapping[str, nodes.Control]:
        """The controls."""
        return {one.name.text: one for one in self.node.members if isinstance(one, nodes.Control)}

    @property
    def pools(self) -> Mapping[str, nodes.Pool]:
        """The pools."""
        return {one.name.text: one for one in self.node.members if isinstance(one, nodes.Pool)}

    @property
    def operations(self) -> Mapping[str, nodes.Operation]:
        """The operations."""
        return {one.name.text: one for one in self.node.members if isinstance(one, nodes.Operation)}

    # -------------------------------------------------------------- what is taken

    def default(self, control: str) -> Plain | None:
        """What a control is where nothing sets it; None where it has no default, or none with a value."""
        stated = clause(self.controls[control], nodes.Default)
        if stated is None:
            return None
        try:
            return value_of(stated.value, self)
        except NoValue:
            return None

    def takes(self, kind: nodes.Type, value: Plain) -> bool:
        """Whether a value is one of a type, in its range. Raises `NoValue`."""
        if isinstance(kind, nodes.EnumType):
            return value in [member.text for member in kind.members]
        if kind.first in ("bool", "string"):
            return isinstance(value, bool if kind.first == "bool" else str)
        if isinstance(value, bool | str):
            return False
        ends = (
            [] if kind.range is None else [number_of(kind.range.low, self), number_of(kind.range.high, self)]
        )
        low = [] if kind.first in ("int", "real") else [Fraction(0)]
        high = [Fraction(1)] if kind.first == "share" else []
        whole = kind.first not in ("int", "count") or Fraction(value).denominator == 1
        return whole and max([*low, *ends[:1], value]) == value == min([*high, *ends[1:], value])

    def allows(self) -> bool:
        """Whether the setting is one of the contract: in all ranges, and what nothing sets is its default."""
        return self.in_ranges() and self.at_defaults()

    def in_ranges(self) -> bool:
        """Whether all controls have values in their ranges."""
        try:
            return all(self.takes(one.type, self.setting.controls[name]) for name, one in self._open())
        except NoValue:
            return False

    def at_defaults(self) -> bool:
        """Whether the controls that nothing sets are at their defaults."""
        return all(self.is_set_to(one) or self._is_default(name) for name, one in self._open())

    def _open(self) -> Iterator[tuple[str, nodes.Control]]:
        """The controls that have values of the setting."""
        for name, control in self.controls.items():
            unknown = name in self.unknown and self.default(name) is not None
            if name in self.setting.controls and not unknown:
                yield name, control

    def _is_default(self, name: str) -> bool:
        default = self.default(name)
        return default is None or self.setting.controls[name] == default

    def is_set_to(self, control: nodes.Control) -> bool:
        """Whether something may have set a control."""
        variables = variables_of(control)
        other_ways = any(clause(control, kind) is not None for kind in OTHER_WAYS)
        reached = other_ways or not variables or any(map(self.is_set, variables))
        return reached and self.is_set(control.name.text)

    def assumes(self, operation: nodes.Operation | None = None) -> bool:
        """Whether all that is assumed holds, with what an operation assumes. Raises `NoValue`."""
        held = [*self.node.members, *(operation.clauses if operation is not None else ())]
        return all(holds(one.condition, self) for one in held if isinstance(one, nodes.Assume))

    def counts(self, node: nodes.Node) -> bool:
        """Whether the condition of a clause holds. Raises `NoValue`."""
        guard = getattr(node, "guard", None)
        return guard is None or holds(guard, self)


NodeT = TypeVar("NodeT", bound=nodes.Node)
OTHER_WAYS = (nodes.ApiSource, nodes.ArgumentSource, nodes.ConfigSource)


def clause(node: nodes.Control | nodes.Pool, kind: type[NodeT]) -> NodeT | None:
    """The clause of a kind."""
    return next((one for one in node.clauses if isinstance(one, kind)), None)


def variables_of(control: nodes.Control) -> tuple[str, ...]:
    """The environment variables that set a control, in order."""
    stated = clause(control, nodes.EnvSource)
    return () if stated is None else tuple(name.text for name in stated.names)


def way_of(operation: nodes.Operation, version: Version) -> nodes.RunsOn | nodes.Workers | None:
    """How an operation's work is done: by the first pool, else the first workers, whose condition holds."""
    for kind in (nodes.RunsOn, nodes.Workers):
        for one in operation.clauses:
            if isinstance(one, kind) and version.counts(one):
                return one
    return None
