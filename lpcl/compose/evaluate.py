"""The value of an expression where its names have values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, runtime_checkable

from lpcl.compose.refusal import Refusal
from lpcl.compose.sound import sound
from lpcl.compose.terms import (
    DivisionByZero,
    Term,
    Value,
    apply,
    is_partial,
    negation,
    no_number,
    no_truth,
    whole,
)
from lpcl.model.program import Origin, SourceFile
from lpcl.syntax import nodes


class Scope(Protocol):
    """Where names get their values. A scope raises `Refusal` for a name that has none."""

    @property
    def file(self) -> SourceFile:
        """The file that the expression stands in."""
        ...

    def name(self, path: str, origin: Origin) -> Value:
        """The value of a dotted name."""
        ...

    def question(self, function: str, path: str, origin: Origin) -> Value:
        """The answer to `defined(path)` or `loaded(path)`."""
        ...


@runtime_checkable
class FunctionScope(Protocol):
    """A scope that has functions of its own, with dotted names and one argument."""

    def function(self, path: str, argument: Value, origin: Origin) -> Value:
        """The value of a call."""
        ...


@runtime_checkable
class DemandingScope(Protocol):
    """A scope whose knobs may be set so that an expression has no value."""

    def demand(self, condition: Value) -> None:
        """From now on only settings under which this holds are accepted."""


_SIMPLE: dict[str, int | None] = {"floor": 1, "ceil": 1, "abs": 1, "min": None, "max": None}


def evaluate(expression: nodes.Expression, scope: Scope) -> Value:
    """The exact value of `expression`; raises `Refusal` where it has none, naming the place.

    Where knobs decide whether it has one, that becomes a demand of the scope.
    """
    value = _value(expression, scope)
    if is_partial(value) and isinstance(scope, DemandingScope):
        scope.demand(sound(value))
    return value


def _value(expression: nodes.Expression, scope: Scope) -> Value:
    kind = expression.__class__
    how = _HOW.get(kind)
    return (_how(kind) if how is None else how)(expression, scope)


def _how(kind: type[nodes.Node]) -> Callable[[Any, Scope], Value]:
    """How expressions of a kind below a known one are evaluated: watched copies are of such kinds."""
    how = next(_HOW[base] for base in kind.__mro__ if issubclass(base, nodes.Node) and base in _HOW)
    return _HOW.setdefault(kind, how)


def _quantity(expression: nodes.Quantity, _: Scope) -> Value:
    return whole(expression.value)


def _said(expression: nodes.Boolean | nodes.Text, _: Scope) -> Value:
    return expression.value


def _inner(expression: nodes.Parenthesis, scope: Scope) -> Value:
    return _value(expression.inner, scope)


def _reference(expression: nodes.Reference, scope: Scope) -> Value:
    return scope.name(expression.path, Origin(scope.file, expression.span))


def _unary(expression: nodes.Unary, scope: Scope) -> Value:
    operand = _value(expression.operand, scope)
    return negation(operand) if expression.op == "not" else apply("neg", operand)


def _conditional(expression: nodes.Conditional, scope: Scope) -> Value:
    condition = _value(expression.condition, scope)
    if isinstance(condition, bool):
        return _value(expression.then if condition else expression.otherwise, scope)
    then, otherwise = (_where_taken(one, scope) for one in (expression.then, expression.otherwise))
    if then is None or otherwise is None:
        node, other = (expression.then, otherwise) if then is None else (expression.otherwise, then)
        missing = no_truth() if _is_truth(node) or _is_true_or_false(other) else no_number()
        then, otherwise = missing if then is None else then, missing if otherwise is None else otherwise
    return apply("if", condition, then, otherwise)


_WITHOUT_VALUE = frozenset(
    ("division-by-zero", "control-without-value", "value-rejected", "machine-fact-missing", "order-of-starts")
)


def _where_taken(expression: nodes.Expression, scope: Scope) -> Value | None:
    """The value of what may not be looked at; None where it has none, which then must not be looked at."""
    try:
        return _value(expression, scope)
    except Refusal as refusal:
        if refusal.diagnostic.code in _WITHOUT_VALUE:
            return None
        raise


_TRUTHS = frozenset(("==", "!=", "<", "<=", ">", ">=", "and", "or", "implies", "not"))


def _is_truth(expression: nodes.Expression) -> bool:
    """Whether an expression reads as a condition."""
    if isinstance(expression, nodes.Parenthesis):
        return _is_truth(expression.inner)
    if isinstance(expression, nodes.Conditional):
        return _is_truth(expression.then) or _is_truth(expression.otherwise)
    return isinstance(expression, nodes.Binary | nodes.Unary) and expression.op in _TRUTHS


def _is_true_or_false(value: Value | None) -> bool:
    if isinstance(value, Term):
        return value.op in _TRUTHS or (value.op == "if" and _is_true_or_false(value.args[1]))
    return isinstance(value, bool)


def _binary(expression: nodes.Binary, scope: Scope) -> Value:
    left = _value(expression.left, scope)
    if expression.op == "and" and left is False:
        return False
    if expression.op == "or" and left is True:
        return True
    if expression.op == "implies" and left is False:
        return True
    right: Value | None = None
    if expression.op in ("and", "or", "implies") and isinstance(left, Term):
        right = _where_taken(expression.right, scope)
        right = no_truth() if right is None else right
    else:
        right = _value(expression.right, scope)
    try:
        return apply(expression.op, left, right)
    except DivisionByZero:
        raise Refusal(
            "division-by-zero",
            "the divisor is 0 here",
            Origin(scope.file, expression.right.span),
            help="guard the division with `if` or give the divisor a range that leaves out 0",
        ) from None
    except TypeError:
        raise Refusal(
            "type-mismatch",
            f"`{expression.op}` does not go with these values",
            Origin(scope.file, expression.span),
            help="`lpclc check` says what is expected here",
        ) from None


def _call(expression: nodes.Call, scope: Scope) -> Value:
    origin = Origin(scope.file, expression.span)
    function = expression.function
    if function in ("defined", "loaded"):
        argument = expression.args[0] if expression.args else None
        if not isinstance(argument, nodes.Reference):
            raise Refusal("unknown-function", f"`{function}` asks about a name", origin)
        return scope.question(function, argument.path, Origin(scope.file, argument.span))
    args = [_value(arg, scope) for arg in expression.args]
    if "." in function and isinstance(scope, FunctionScope) and len(args) == 1:
        return scope.function(function, args[0], origin)
    try:
        value = _simple(function, args)
    except TypeError:
        raise Refusal(
            "type-mismatch",
            f"`{function}` does not go with these values",
            Origin(scope.file, expression.span),
            help="`lpclc check` says what is expected here",
        ) from None
    if value is not None:
        return value
    raise Refusal("unknown-function", f"`{function}` is not a function that has a value here", origin)


_HOW: dict[type[nodes.Node], Callable[[Any, Scope], Value]] = {
    nodes.Quantity: _quantity,
    nodes.Boolean: _said,
    nodes.Text: _said,
    nodes.Parenthesis: _inner,
    nodes.Reference: _reference,
    nodes.Unary: _unary,
    nodes.Conditional: _conditional,
    nodes.Binary: _binary,
    nodes.Call: _call,
}


def _simple(function: str, args: list[Value]) -> Value | None:
    """The value of a function of numbers; None where it is none, or not of so many."""
    if function == "clamp" and len(args) == 3:
        return apply("min", apply("max", args[0], args[1]), args[2])
    if function not in _SIMPLE or not args or _SIMPLE[function] not in (None, len(args)):
        return None
    if _SIMPLE[function] == 1:
        return apply(function, args[0])
    result = args[0]
    for arg in args[1:]:
        result = apply(function, result, arg)
    return result
