"""What kind of figure a type describes, and how such a figure is shown."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from lpcl.compose.terms import Term, Value
from lpcl.model.dimensions import dimension_of
from lpcl.model.quantities import PLAIN, Dimension, show
from lpcl.syntax import nodes
from lpcl.syntax.build import quantity


@dataclass(frozen=True, slots=True)
class FigureKind:
    """The dimension of a figure, whether it is a share of something, and the `unit` to show it in, if any."""

    dimension: Dimension = PLAIN
    share: bool = False
    unit: str | None = None

    def show(self, value: Value) -> str:
        """The figure with its unit, shares in percent."""
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, str | Term):
            return str(value) or '""'
        if no_limit(value):
            return "no limit"
        if self.unit is not None:
            return f"{show(Fraction(value) / quantity('1', self.unit))} {self.unit}"
        return f"{show(Fraction(value) * 100)}%" if self.share else show(value, self.dimension)


_LARGEST = frozenset(2**bits - 1 for bits in (31, 32, 63, 64))


def no_limit(value: Value | None) -> bool:
    """Whether a number is one that stands for "as many as one likes": the largest of a machine word."""
    return isinstance(value, int) and value in _LARGEST


COUNTED = FigureKind()
"""A plain number."""


def figure_of(kind: nodes.Type) -> FigureKind:
    """The kind of figure that a type describes."""
    share = isinstance(kind, nodes.ValueType) and kind.first == "share" and not kind.rest
    return FigureKind(dimension_of(kind), share)
