"""Terms made one where they are equal, and the condition under which a term has a value at all."""

from __future__ import annotations

from collections.abc import Iterable

from lpcl.compose.terms import (
    DivisionByZero,
    Term,
    Value,
    apply,
    choose,
    conjunction,
    disjunction,
    negation,
)

_DIVISIONS = ("/", "div", "mod")


class Tidy:
    """Rebuilds terms so that equal ones are the same object, which lets more of them be decided at once."""

    def __init__(self) -> None:
        self._known: dict[tuple[object, ...], Term] = {}
        self._memo: dict[int, tuple[Term, Value]] = {}

    def __call__(self, value: Value) -> Value:
        """The same value."""
        if not isinstance(value, Term):
            return value
        stack = [value]
        while stack:
            item = stack[-1]
            if id(item) in self._memo:
                stack.pop()
                continue
            if item.op == "knob":
                self._memo[id(item)] = (item, self._one(item))
                stack.pop()
                continue
            waiting = [arg for arg in item.args if isinstance(arg, Term) and id(arg) not in self._memo]
            if waiting:
                stack.extend(waiting)
                continue
            self._memo[id(item)] = (item, self._rebuilt(item))
            stack.pop()
        return self._memo[id(value)][1]

    def _rebuilt(self, item: Term) -> Value:
        args = tuple(self._memo[id(arg)][1] if isinstance(arg, Term) else arg for arg in item.args)
        if item.op in ("and", "or") or (item.op == "if" and not isinstance(args[0], Term)):
            made = conjunction(*args) if item.op == "and" else disjunction(*args)
            if item.op == "if":
                made = choose(*args)
        elif item.op in _COMPARISONS and isinstance(args[0], Term) and args[0].op == "knob":
            # a bound of an open value, which would be plainly true
            made = Term(item.op, args) if args[0] is not args[1] else apply(item.op, *args)
        else:
            try:
                made = apply(item.op, *args)
            except DivisionByZero:
                made = Term(item.op, args)
        return self._one(made) if isinstance(made, Term) else made

    def _one(self, item: Term) -> Term:
        key = (item.op, *((id(arg),) if isinstance(arg, Term) else (type(arg), arg) for arg in item.args))
        return self._known.setdefault(key, item)


_COMPARISONS = frozenset(("==", "!=", "<", "<=", ">", ">="))


def sound(values: Iterable[Value]) -> Value:
    """The condition under which no division by zero is met while `values` are worked out."""
    memo: dict[int, Value] = {}
    return conjunction(*(_sound(value, memo) for value in values))


def _sound(value: Value, memo: dict[int, Value]) -> Value:
    if not isinstance(value, Term):
        return True
    known = memo.get(id(value))
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
        if value.op in _DIVISIONS:
            found = conjunction(found, apply("!=", args[1], 0))
    memo[id(value)] = found
    return found
