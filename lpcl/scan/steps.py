"""What a program does, step by step, as scan thinks it does: the statements of `run`, each with its
remarks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from lpcl.syntax import nodes

Value = int | str
"""A whole number, or the name of a member of an enumeration."""


@dataclass(frozen=True, slots=True)
class Step:
    """An operation with its arguments; `block` is what its workers, or its callers, do.

    `place` tells steps apart that are otherwise the same.
    """

    operation: str
    arguments: tuple[tuple[str, Value], ...] = ()
    block: tuple[AnyStep, ...] | None = None
    remarks: tuple[str, ...] = ()
    place: int = 0


@dataclass(frozen=True, slots=True)
class AtOnce:
    """Steps that go on at the same time."""

    members: tuple[AnyStep, ...]
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Limited:
    """Steps under another value of a control."""

    control: str
    value: Value
    block: tuple[AnyStep, ...]
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class InTurn:
    """Steps one after another, where one place is for one step only."""

    steps: tuple[AnyStep, ...]


AnyStep = Step | AtOnce | Limited | InTurn


def operations(steps: tuple[AnyStep, ...]) -> Iterator[str]:
    """The operations that steps name, in order."""
    for step in steps:
        match step:
            case Step():
                yield step.operation
                yield from operations(step.block or ())
            case AtOnce():
                yield from operations(step.members)
            case Limited():
                yield step.control
                yield from operations(step.block)
            case InTurn():
                yield from operations(step.steps)


def expression(value: Value) -> nodes.Expression:
    """A value as an expression of the language."""
    if isinstance(value, int):
        number = nodes.Quantity(Fraction(abs(value)))
        return number if value >= 0 else nodes.Unary("-", number)
    return nodes.Reference(value)


def statements(steps: tuple[AnyStep, ...], remarks: dict[int, Sequence[str]]) -> tuple[nodes.Statement, ...]:
    """Steps as statements; what is remarked on each is put into `remarks`, by the statement's `id`."""
    return tuple(_statement(step, remarks) for step in steps)


def _statement(step: AnyStep, remarks: dict[int, Sequence[str]]) -> nodes.Statement:
    made: nodes.Statement
    match step:
        case Step():
            arguments = tuple(
                nodes.Argument(nodes.Name(name), expression(value)) for name, value in step.arguments
            )
            block = None if step.block is None else nodes.Block(statements(step.block, remarks))
            made = nodes.Invocation(nodes.Ref(step.operation), arguments, block)
        case AtOnce():
            made = nodes.Together(statements(step.members, remarks))
        case Limited():
            block = nodes.Block(statements(step.block, remarks))
            made = nodes.LimitBlock(nodes.Ref(step.control), expression(step.value), block)
        case InTurn():
            made = nodes.Block(statements(step.steps, remarks))
    if not isinstance(step, InTurn) and step.remarks:
        remarks[id(made)] = step.remarks
    return made
