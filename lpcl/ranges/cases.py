"""What to take to be so, and then to be otherwise, where bounds alone decide nothing."""

from __future__ import annotations

from dataclasses import dataclass

from lpcl.compose.terms import Term, Value, apply, negation
from lpcl.ranges.apart import TRUTHS, Conditions


@dataclass(frozen=True, slots=True)
class Choice:
    """A condition that may hold or not, with what certain terms are then."""

    condition: Value
    then: dict[Term, Value]
    otherwise: dict[Term, Value]


def choice(conditions: Conditions) -> Choice | None:
    """What decides most of the first condition that can be decided so; None where there is none."""
    for condition in conditions:
        assert isinstance(condition, Term)
        if condition.op == "or":
            return _whether(condition.args[0])
        inner = _open_inside(condition)
        if inner is not None:
            return inner
    return None


def _whether(condition: Value) -> Choice:
    assert isinstance(condition, Term)
    opposite = negation(condition)
    assert isinstance(opposite, Term)
    return Choice(condition, {condition: True, opposite: False}, {condition: False, opposite: True})


def _open_inside(condition: Term) -> Choice | None:
    """What a comparison, or a choice between truths, depends on."""
    least: Term | None = None
    seen: set[Term] = set()
    stack: list[Value] = [condition]
    while stack:
        item = stack.pop()
        if not isinstance(item, Term) or item in seen:
            continue
        seen.add(item)
        if item.op == "if":
            return _whether(item.args[0])
        if item is not condition and item.op in TRUTHS:
            return _whether(item)
        if item.op in ("min", "max", "abs") and least is None:
            least = item
        stack.extend(reversed(item.args))
    if least is None:
        return None
    a = least.args[0]
    b = least.args[1] if least.op != "abs" else 0
    if least.op == "abs":
        return Choice(apply("<=", a, 0), {least: apply("neg", a)}, {least: a})
    lesser, larger = (a, b) if least.op == "min" else (b, a)
    return Choice(apply("<=", a, b), {least: lesser}, {least: larger})
