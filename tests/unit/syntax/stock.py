"""The yardstick: what stock textX builds from a text, as our nodes. Slow, and stops at the first fault."""

from __future__ import annotations

import re
from dataclasses import fields
from functools import cache
from typing import Any

from lpcl.syntax import build, nodes, rules
from lpcl.syntax.span import Span

metamodel = cache(rules.metamodel)

_BLANK = re.compile(r"//[^\r\n]*|/\*(?s:.*?)\*/")


def parse(text: str) -> nodes.File:
    """The tree of a text without faults; textX's own exceptions otherwise."""
    if not _BLANK.sub("", text).strip():
        return nodes.File()  # textX itself fails on a text without an item
    made = convert(metamodel().model_from_str(text))
    assert isinstance(made, nodes.File)
    return made


def convert(made: Any) -> Any:
    """One object, list or value of a textX model as ours."""
    if isinstance(made, list):
        return tuple(convert(item) for item in made)
    if isinstance(made, str):
        return re.sub(r"\s+", " ", made)
    if not hasattr(made, "_tx_position"):
        return made
    name = type(made).__name__
    span = Span(made._tx_position, made._tx_position_end)
    if name == "Expression":
        rest = [(tail.op, tail._tx_position, convert(tail.right)) for tail in made.rest]
        return build.fold(convert(made.first), rest)
    if name == "Quantity":
        return nodes.Quantity(value=build.quantity(made.number, made.unit), unit=made.unit, span=span)
    if name == "Text":
        return nodes.Text(value=build.text(made.value), span=span)
    if name == "Boolean":
        return nodes.Boolean(value=made.value == "true", span=span)
    cls = getattr(nodes, name)
    names = [f.name for f in fields(cls) if f.name not in ("span", "doc")]
    return cls(**{n: convert(getattr(made, n)) for n in names}, span=span)


def assert_same(expected: nodes.File, found: nodes.File) -> None:
    """Both trees are equal, node by node and place by place."""
    assert expected == found
    for left, right in zip(expected.walk(), found.walk(), strict=True):
        assert type(left) is type(right)
        assert left.span == right.span, (left, right)
        if isinstance(left, nodes.Binary):
            assert isinstance(right, nodes.Binary)
            assert left.op_span == right.op_span
