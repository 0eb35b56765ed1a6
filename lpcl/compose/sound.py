"""The condition under which a term has a value at all."""

from __future__ import annotations

from lpcl.compose.terms import DIVISIONS, Term, Value, apply, conjunction, disjunction, is_partial, negation


def sound(value: Value, known: dict[Term, Value] | None = None) -> Value:
    """The condition under which no division by zero is met while `value` is worked out.

    What is `known` of terms by now is taken from there, and left there.
    """
    return _sound(value, {} if known is None else known)


def certain(condition: Value) -> Value:
    """The condition that one holds and divides by nothing."""
    return conjunction(sound(condition), condition)


def _sound(value: Value, memo: dict[Term, Value]) -> Value:
    if not isinstance(value, Term) or not is_partial(value):
        return True
    known = memo.get(value)
    if known is not None:
        return known
    args = value.args
    if value.op == "knob":
        found: Value = True
    elif value.op == "if":
        found = conjunction(
            _sound(args[0], memo),
            disjunction(negation(args[0]), _sound(args[1], memo)),
            disjunction(args[0], _sound(args[2], memo)),
        )
    elif value.op in ("and", "or"):
        found = True
        for arg in reversed(args):
            through = disjunction(negation(arg), found) if value.op == "and" else disjunction(arg, found)
            found = conjunction(_sound(arg, memo), through)
    else:
        found = conjunction(*(_sound(arg, memo) for arg in args))
        if value.op in DIVISIONS:
            found = conjunction(found, apply("!=", args[1], 0))
    memo[value] = found
    return found
