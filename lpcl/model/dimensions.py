"""The dimension of what a type describes."""

from __future__ import annotations

from lpcl.model.quantities import BANDWIDTH, BYTES, PLAIN, TIME, Dimension
from lpcl.syntax import nodes

_DIMENSIONS = {"bytes": BYTES, "time": TIME, "bandwidth": BANDWIDTH}


def dimension_of(kind: nodes.Type) -> Dimension:
    """The dimension of the type's values, factors multiplied out; plain for truths, words and text."""
    if isinstance(kind, nodes.EnumType):
        return PLAIN
    result = _DIMENSIONS.get(kind.first, PLAIN)
    for factor in kind.rest:
        other = _DIMENSIONS.get(factor.name, PLAIN)
        result = result * other if factor.op == "*" else result / other
    return result
