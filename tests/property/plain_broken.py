"""Broken promises, and the two kinds of comparison that find them: what is more, and what is another."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from lpcl.compose.terms import Plain
from lpcl.model.quantities import BYTES, PLAIN, TIME, Dimension, show
from lpcl.syntax import nodes
from tests.property.plain_values import (
    NoValue,
    clause,
)


@dataclass(frozen=True)
class Broken:
    """A broken promise: the `rule`, the member that gave it, what it is about, and the figures, in words."""

    rule: str
    member: str
    about: str = ""
    was: str = ""
    now: str = ""


Found = Iterator[Broken]


def shown(value: Plain, dimension: Dimension = PLAIN) -> str:
    """A value in words."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else show(value, dimension)


def dimension_of(kind: nodes.Type) -> Dimension:
    """The dimension of a type's values."""
    word = kind.first if isinstance(kind, nodes.ValueType) else ""
    return {"bytes": BYTES, "time": TIME}.get(word, PLAIN)


ASIDE = ("count", "int"), ("share", "real")
"""Words for types whose values are those of another in a range."""


def word(kind: nodes.Type) -> str:
    if isinstance(kind, nodes.EnumType):
        return "words"
    return dict(ASIDE).get(kind.first, kind.first)


def at_load(pool: nodes.Pool) -> bool:
    created = clause(pool, nodes.Created)
    return created is not None and created.moment == "load"


def is_so(ask: Callable[..., bool], *given: object) -> bool:
    try:
        return ask(*given)
    except NoValue:
        return False


def grown(
    broken: Broken, old: Callable[[], Fraction], new: Callable[[], Fraction], dimension: Dimension = PLAIN
) -> Found:
    try:
        was, now = old(), new()
    except NoValue:
        return
    if now > was:
        yield Broken(broken.rule, broken.member, broken.about, shown(was, dimension), shown(now, dimension))


def changed(
    broken: Broken,
    old: Callable[[], Plain | None],
    new: Callable[[], Plain | None],
    dimension: Dimension = PLAIN,
) -> Found:
    """What is another value than it was, or is there where it was not; None where it is not there."""
    try:
        was, now = old(), new()
    except NoValue:
        return
    if was is None and now is None:
        return
    if was is None or now is None:
        yield broken
    elif was != now:
        yield Broken(broken.rule, broken.member, broken.about, shown(was, dimension), shown(now, dimension))
