"""What an application writes and could write differently: numbers, and the words and truths of its calls."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from lpcl.compose.figures import COUNTED
from lpcl.compose.joint import Part
from lpcl.compose.kinds import figure_of_literal
from lpcl.compose.settable import Settable
from lpcl.compose.stories import is_own
from lpcl.compose.structure import Place
from lpcl.compose.terms import Value, whole
from lpcl.compose.trials import Trial
from lpcl.model.contracts import Contract
from lpcl.model.program import Origin
from lpcl.syntax import nodes
from lpcl.syntax.build import quantity


def numbers_of(part: Part) -> Iterator[Settable]:
    """The numbers that an application hands to operations, and those of its limits."""
    for node in part.node.walk():
        match node:
            case nodes.Invocation():
                for argument in node.arguments:
                    amount = _amount(argument.value)
                    if amount is not None:
                        yield _argument(node, argument.name.text, amount, part)
            case nodes.Limit() | nodes.LimitBlock():
                amount = _amount(node.value)
                if amount is not None:
                    yield _limit(node, amount, part)


_Amount = tuple[nodes.Quantity, int]
"""A number as it is written, and -1 where it stands behind a minus, else 1."""


def _amount(node: nodes.Expression) -> _Amount | None:
    """A number; 0 and those below 0 where they have no unit, for which many libraries take all CPUs."""
    match node:
        case nodes.Quantity() if node.value > 0 or node.unit is None:
            return node, 1
        case nodes.Unary(op="-", operand=nodes.Quantity() as number) if number.unit is None:
            return number, -1
    return None


def _argument(call: nodes.Invocation, name: str, amount: _Amount, part: Part) -> Settable:
    start = call.operation.span.start

    def trial(value: Value) -> Trial:
        return Trial(part.label, arguments={(start, name): value})

    return _number("call", name, f"{name} of `{call.operation.path}`", amount, part, trial)


def _limit(limit: nodes.Limit | nodes.LimitBlock, amount: _Amount, part: Part) -> Settable:
    target = limit.target

    def trial(value: Value) -> Trial:
        return Trial(part.label, limits={target.span.start: value})

    return _number("limit", target.path, target.path, amount, part, trial)


def _number(
    kind: str, name: str, called: str, amount: _Amount, part: Part, trial: Callable[[Value], Trial]
) -> Settable:
    """A number that an application writes. It moves by its last digit, or by the third after the point."""
    node, sign = amount
    unit = step = quantity("1", node.unit)
    while (node.value / step).denominator != 1 and step * 1000 > unit:
        step /= 10
    figure, origin = figure_of_literal(node), Origin(part.declared.file, node.span)
    return Settable(kind, name, called, whole(sign * node.value), figure, origin, trial, whole(step))


def words_of(
    place: Place, contract: Contract, parts: Iterable[Part]
) -> Iterator[tuple[Settable, list[Value]]]:
    """The words and truths that a call hands to its operation, or leaves at their defaults, each with what
    else it could be. The call is one of the application's own.
    """
    operation = contract.operations.get(place.operation)
    call = next((call for part in parts for call in _calls(part) if _is_at(call, part, place)), None)
    if operation is None or call is None or not is_own(place):
        return
    for parameter in operation.node.parameters:
        values = _all_values(parameter.type)
        given = next((one.value for one in call.arguments if one.name.text == parameter.name.text), None)
        now = _plain(parameter.default if given is None else given)
        if now in values:
            yield _word(place, parameter.name.text, now), [value for value in values if value != now]


def _calls(part: Part) -> Iterator[nodes.Invocation]:
    for node in part.node.walk():
        if isinstance(node, nodes.Invocation):
            yield node


def _is_at(call: nodes.Invocation, part: Part, place: Place) -> bool:
    return part.label == place.application and call.operation.span.start == place.origin.span.start


def _all_values(kind: nodes.Type) -> list[Value]:
    if isinstance(kind, nodes.EnumType):
        return [member.text for member in kind.members]
    is_truth = isinstance(kind, nodes.ValueType) and kind.first == "bool" and not kind.rest
    return [True, False] if is_truth else []


def _plain(node: nodes.Expression | None) -> Value | None:
    """A word or a truth as it is written; None for anything else."""
    if isinstance(node, nodes.Reference):
        return node.path
    return node.value if isinstance(node, nodes.Boolean) else None


def _word(place: Place, name: str, now: Value) -> Settable:
    start = place.origin.span.start

    def trial(value: Value) -> Trial:
        return Trial(place.application, arguments={(start, name): value})

    return Settable("call", name, f"{name} of `{place}`", now, COUNTED, place.origin, trial)
