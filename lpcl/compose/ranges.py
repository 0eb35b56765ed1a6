"""The ranges that declarations state, and values held to them."""

from __future__ import annotations

from fractions import Fraction

from lpcl.compose.evaluate import Scope, evaluate
from lpcl.compose.refusal import Refusal
from lpcl.compose.terms import Term, Value, apply, conjunction
from lpcl.model.dimensions import dimension_of
from lpcl.model.program import Origin
from lpcl.model.quantities import show
from lpcl.syntax import nodes


def bounds(kind: nodes.ValueType, scope: Scope) -> tuple[Value | None, Value | None]:
    """The least and the greatest value of a type, None where it has none."""
    if kind.range is not None:
        return evaluate(kind.range.low, scope), evaluate(kind.range.high, scope)
    if kind.first in ("count", "bytes", "time", "bandwidth"):
        return 0, None
    if kind.first == "share":
        return 0, 1
    return None, None


def in_range(value: Value, low: Value | None, high: Value | None) -> Value:
    """Whether a number lies between two bounds."""
    valid: Value = True
    for op, bound in ((">=", low), ("<=", high)):
        if bound is not None:
            valid = conjunction(valid, apply(op, value, bound))
    return valid


def held(kind: nodes.Type, value: Value, scope: Scope, what: str, at: Origin, declared: Origin) -> Value:
    """The condition under which `value` lies in the range of `kind`, which is True where that is sure.

    Raises `Refusal` where it surely does not; `what` names it then.
    """
    if isinstance(kind, nodes.EnumType) or isinstance(value, bool | str):
        return True
    low, high = bounds(kind, scope)
    valid = in_range(value, low, high)
    fraction = kind.first in ("int", "count") and isinstance(value, Fraction)
    if valid is not False and not fraction:
        return valid
    assert not isinstance(value, Term)
    dimension = dimension_of(kind)
    least, most = ("" if isinstance(one, Term | str | None) else show(one, dimension) for one in (low, high))
    raise Refusal(
        "out-of-range",
        f"{what} is {show(value, dimension)} here, "
        + ("and has to be whole" if fraction else f"which is not in {least}..{most}"),
        at,
        labels=((declared, "declared here"),),
        help="give a value in its range, or widen the range if the library takes it",
    )
