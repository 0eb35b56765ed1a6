"""Types, units and constant values of expressions; what is wrong is reported at the operator or the name."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import cache

from lpcl.check.context import Context, label, listed, name_span, nearest, offered
from lpcl.check.figures import figure_called
from lpcl.check.folding import arithmetic, common_type, logic, ordered, result_type, rounded
from lpcl.check.scopes import NOT_KNOWN, Problem, Scope, Value
from lpcl.check.unit_hints import amount_hint, other_unit_hint, unit_hint
from lpcl.diagnostics.diagnostic import Label
from lpcl.model import types
from lpcl.model.quantities import PLAIN, Dimension, show
from lpcl.model.types import BOOL, STRING, UNKNOWN, BoolType, EnumType, NumberType, StringType, UnknownType
from lpcl.syntax import nodes
from lpcl.syntax.span import Span

FUNCTIONS = ("abs", "ceil", "clamp", "defined", "floor", "loaded", "max", "min")
_MEASURING = ("threadpool",)
_VERBS = {
    "+": "add {1} to {0}",
    "-": "subtract {1} from {0}",
    "div": "divide {0} by {1} with `div`",
    "mod": "divide {0} by {1} with `mod`",
}
_COMPARISONS = frozenset({"==", "!=", "<", "<=", ">", ">="})
_LOGIC = frozenset({"and", "or"})


def same_dimension(kind: NumberType) -> NumberType:
    """What a figure of this kind must be where only its dimension matters."""
    return NumberType(kind.dimension)


class Typer:
    """Infers the types of expressions in one scope, and reports what is wrong unless it is `silent`."""

    def __init__(self, scope: Scope, *, silent: bool = False) -> None:
        self.scope = scope
        self.context: Context = scope.context
        self.file = scope.file
        self.silent = silent

    # -------------------------------------------------------------- what the rules ask for

    def require(
        self,
        expression: nodes.Expression,
        wanted: types.Type,
        what: str,
        declared: Label | None = None,
    ) -> Value:
        """Infer `expression` and report where it does not fit `wanted`. `what` begins the headline."""
        value = self.infer(expression, wanted)
        self.fit(expression, value, wanted, what, declared)
        return value

    def infer(self, expression: nodes.Expression, expected: types.Type | None = None) -> Value:
        """The type of `expression`; `expected` lets bare words be members of an enumeration."""
        match expression:
            case nodes.Quantity():
                return _quantity(expression)
            case nodes.Boolean():
                return Value(BOOL, expression.value)
            case nodes.Text():
                return Value(STRING, expression.value)
            case nodes.Reference():
                return self._reference(expression, expected)
            case nodes.Parenthesis():
                return self.infer(expression.inner, expected)
            case nodes.Unary():
                return self._unary(expression)
            case nodes.Conditional():
                return self._conditional(expression, expected)
            case nodes.Call():
                return self._call(expression, expected)
            case nodes.Binary():
                return self._binary(expression)

    # -------------------------------------------------------------- fitting a type

    def fit(
        self,
        expression: nodes.Expression,
        value: Value,
        wanted: types.Type,
        what: str,
        declared: Label | None,
    ) -> None:
        """Report where a value already inferred does not fit `wanted`."""
        labels = (declared,) if declared is not None else ()
        found = value.type
        if isinstance(found, UnknownType) or isinstance(wanted, UnknownType):
            return
        if isinstance(found, NumberType) and isinstance(wanted, NumberType):
            self._fit_number(expression, value, found, wanted, what, labels)
        elif isinstance(found, EnumType) and isinstance(wanted, EnumType):
            strange = [member for member in found.members if member not in wanted.members]
            if strange:
                self._report(
                    "type-mismatch",
                    expression.span,
                    f"{what} has to be {types.describe(wanted)}, but this may be {listed(strange, 'or')}",
                    labels=labels,
                )
        elif type(found) is not type(wanted):
            hint = None
            if (
                isinstance(found, StringType)
                and isinstance(wanted, EnumType)
                and isinstance(value.constant, str)
            ):
                word = value.constant
                close = word if word in wanted.members else nearest(word, wanted.members)
                hint = f"write `{close}`, without quotes" if close is not None else None
            elif isinstance(wanted, StringType) and isinstance(expression, nodes.Reference):
                hint = f'write `"{expression.path}"` if the text itself is meant'
            elif isinstance(value.constant, str) and _is_written_as(value.constant, wanted):
                hint = f"write `{value.constant}`, without quotes"
            self._report(
                "type-mismatch",
                expression.span,
                f"{what} has to be {types.describe(wanted)}, but this is {types.describe(found)}",
                label=f"this is {types.describe(found)}",
                labels=labels,
                help_text=hint,
            )

    def _fit_number(
        self,
        expression: nodes.Expression,
        value: Value,
        found: NumberType,
        wanted: NumberType,
        what: str,
        labels: tuple[Label, ...],
    ) -> None:
        constant = value.constant if isinstance(value.constant, Fraction) else None
        if found.dimension != wanted.dimension:
            self._report(
                "dimension-mismatch",
                expression.span,
                f"{what} has to be {types.describe(same_dimension(wanted))}, but this is "
                f"{types.describe(same_dimension(found))}",
                label=f"this is {types.describe(same_dimension(found))}",
                labels=labels,
                help_text=unit_hint(constant, found.dimension, wanted.dimension)
                or other_unit_hint(constant, found.dimension, wanted.dimension),
            )
        elif wanted.whole and not found.whole and (constant is None or constant.denominator != 1):
            shown = show(constant, found.dimension) if constant is not None else "this may be a fraction"
            self._report(
                "fractional-value",
                expression.span,
                f"{what} has to be a whole number, but "
                + (f"this is {shown}" if constant is not None else shown),
                labels=labels,
                help_text="round it down with `floor(...)` or up with `ceil(...)`",
            )
        elif constant is not None and not wanted.allows(constant):
            self._report(
                "out-of-range",
                expression.span,
                f"{what} has to be {types.bounds(wanted)}, but this is {show(constant, found.dimension)}",
                labels=labels,
                help_text="choose one in the range" + (", or widen the range" if labels else ""),
            )

    # -------------------------------------------------------------- names

    def _reference(self, node: nodes.Reference, expected: types.Type | None) -> Value:
        found = self.scope.lookup(node.path)
        if isinstance(found, Value):
            return found
        if "." not in node.path:
            if isinstance(expected, EnumType) and node.path in expected.members:
                return Value(EnumType((node.path,)), node.path)
            if isinstance(expected, UnknownType):
                return NOT_KNOWN
        self._report_problem(node, found, expected)
        return NOT_KNOWN

    def _report_problem(self, node: nodes.Reference, problem: Problem, expected: types.Type | None) -> None:
        members = expected.members if isinstance(expected, EnumType) else ()
        bare = "." not in node.path
        alike = self.scope.alike(members) if bare else set()
        if bare and self.scope.is_excused(node.path, alike):
            return
        headline, help_text = problem.headline, problem.help
        if problem.code == "unknown-name" and bare:
            if members:
                headline = f"`{node.path}` is neither known here nor one of {', '.join(members)}"
            close = nearest(node.path, alike)
            if close is None and help_text is None:
                close = figure_called(node.path)
            if close is not None:
                help_text = f"did you mean `{close}`?"
            elif help_text is None:
                help_text = offered(node.path, alike, "known here")
        self._report(problem.code, name_span(node, problem.part), headline, help_text=help_text)

    def _is_loose(self, expression: nodes.Expression) -> bool:
        """Whether this is a bare word that means nothing by itself: a member of an enumeration, perhaps."""
        while isinstance(expression, nodes.Parenthesis):
            expression = expression.inner
        return (
            isinstance(expression, nodes.Reference)
            and "." not in expression.path
            and isinstance(self.scope.lookup(expression.path), Problem)
        )

    # -------------------------------------------------------------- operators

    def _unary(self, node: nodes.Unary) -> Value:
        negations: list[nodes.Unary] = []
        inner: nodes.Expression = node
        while isinstance(inner, nodes.Unary):
            negations.append(inner)
            inner = inner.operand
        value = self.infer(inner)
        for operator in reversed(negations):
            value = self._negated(operator, value)
        return value

    def _negated(self, node: nodes.Unary, value: Value) -> Value:
        found = value.type
        if node.op == "not":
            self._operand("not", node.operand, found, BOOL)
            return Value(BOOL, not value.constant if isinstance(value.constant, bool) else None)
        if not isinstance(found, NumberType):
            self._operand("-", node.operand, found, types.REAL)
            return NOT_KNOWN
        constant = -value.constant if isinstance(value.constant, Fraction) else None
        return Value(NumberType(found.dimension, found.whole), constant)

    def _operand(self, op: str, operand: nodes.Expression, found: types.Type, wanted: types.Type) -> bool:
        """Report an operand of the wrong kind; whether it is of the right one."""
        if type(found) is type(wanted):
            return True
        if not isinstance(found, UnknownType):
            needs = "true or false" if isinstance(wanted, BoolType) else "a number"
            self._report(
                "type-mismatch",
                operand.span,
                f"`{op}` takes {needs}, but this is {types.describe(found)}",
            )
        return False

    def _implied(self, node: nodes.Binary) -> Value:
        """A chain of `implies`, which groups to the right and may be long."""
        last: nodes.Expression = node
        while isinstance(last, nodes.Binary) and last.op == "implies":
            self._operand("implies", last.left, self.infer(last.left).type, BOOL)
            last = last.right
        self._operand("implies", last, self.infer(last).type, BOOL)
        return Value(BOOL)

    def _binary(self, node: nodes.Binary) -> Value:
        if node.op == "implies":
            return self._implied(node)
        chain: list[nodes.Binary] = []
        left: nodes.Expression = node
        while isinstance(left, nodes.Binary):
            chain.append(left)
            left = left.left
        first = chain[-1]
        if first.op in _COMPARISONS and self._is_loose(left) and not self._is_loose(first.right):
            right = self.infer(first.right)
            value = self._combined(first, self.infer(left, right.type), right)
            chain.pop()
        else:
            value = self.infer(left)
        for operator in reversed(chain):
            expected = value.type if operator.op in _COMPARISONS else None
            value = self._combined(operator, value, self.infer(operator.right, expected))
        return value

    def _combined(self, node: nodes.Binary, left: Value, right: Value) -> Value:
        if node.op in _LOGIC:
            good = self._operand(node.op, node.left, left.type, BOOL)
            good = self._operand(node.op, node.right, right.type, BOOL) and good
            return Value(BOOL, logic(node.op, left.constant, right.constant) if good else None)
        if node.op in _COMPARISONS:
            return self._compared(node, left, right)
        good = self._operand(node.op, node.left, left.type, types.REAL)
        good = self._operand(node.op, node.right, right.type, types.REAL) and good
        if not good or not isinstance(left.type, NumberType) or not isinstance(right.type, NumberType):
            return NOT_KNOWN
        return self._calculated(node, left, left.type, right, right.type)

    def _calculated(
        self, node: nodes.Binary, left: Value, a: NumberType, right: Value, b: NumberType
    ) -> Value:
        if node.op in ("/", "div", "mod") and right.constant == 0:
            self._report(
                "division-by-zero",
                node.op_span,
                "this divides by zero",
                labels=[label(self.file, node.right.span, "this is 0")],
                help_text="divide by what is never 0, or guard the division with `if`",
            )
            return Value(result_type(node.op, a, b))
        if node.op in _VERBS and a.dimension != b.dimension:
            self._unlike(node, left, a.dimension, right, b.dimension)
            return NOT_KNOWN
        return Value(result_type(node.op, a, b), arithmetic(node.op, left.constant, right.constant))

    def _unlike(self, node: nodes.Binary, left: Value, a: Dimension, right: Value, b: Dimension) -> None:
        verb = _VERBS.get(node.op, "compare {0} with {1}").format(a, b)
        hint = unit_hint(left.constant, a, b) or unit_hint(right.constant, b, a)
        if hint is None and PLAIN in (a, b):
            number, dimension = (node.left, b) if a == PLAIN else (node.right, a)
            hint = amount_hint(self.file.text[number.span.start : number.span.end], dimension)
        self._report(
            "dimension-mismatch",
            node.op_span,
            f"cannot {verb}",
            labels=[
                label(self.file, node.left.span, f"this is {a}"),
                label(self.file, node.right.span, f"this is {b}"),
            ],
            help_text=hint,
        )

    def _compared(self, node: nodes.Binary, left: Value, right: Value) -> Value:
        a, b = left.type, right.type
        if isinstance(a, UnknownType) or isinstance(b, UnknownType):
            return Value(BOOL)
        if isinstance(a, NumberType) and isinstance(b, NumberType):
            if a.dimension != b.dimension:
                self._unlike(node, left, a.dimension, right, b.dimension)
                return Value(BOOL)
            return Value(BOOL, ordered(node.op, left.constant, right.constant))
        if type(a) is not type(b):
            self._report(
                "type-mismatch",
                node.op_span,
                f"cannot compare {types.describe(a)} with {types.describe(b)}",
                labels=[
                    label(self.file, node.left.span, f"this is {types.describe(a)}"),
                    label(self.file, node.right.span, f"this is {types.describe(b)}"),
                ],
            )
        elif node.op not in ("==", "!="):
            self._report(
                "type-mismatch",
                node.op_span,
                f"`{node.op}` compares numbers, but these are {types.describe(a)}",
                help_text="only `==` and `!=` compare other things than numbers",
            )
        elif isinstance(a, EnumType) and isinstance(b, EnumType) and not set(a.members) & set(b.members):
            self._report(
                "type-mismatch",
                node.op_span,
                f"these can never be equal: {types.describe(a)}, and {types.describe(b)}",
            )
        return Value(BOOL)

    def _conditional(self, node: nodes.Conditional, expected: types.Type | None) -> Value:
        self.require(node.condition, BOOL, "the condition after `if`")
        then_first = expected is not None or not self._is_loose(node.then)
        if then_first:
            then = self.infer(node.then, expected)
            otherwise = self.infer(node.otherwise, expected or then.type)
        else:
            otherwise = self.infer(node.otherwise, expected)
            then = self.infer(node.then, otherwise.type)
        joined = common_type(then.type, otherwise.type)
        if joined is None:
            a, b = types.describe(then.type), types.describe(otherwise.type)
            unlike = isinstance(then.type, NumberType) and isinstance(otherwise.type, NumberType)
            self._report(
                "dimension-mismatch" if unlike else "type-mismatch",
                node.otherwise.span,
                f"the two branches of `if` are unlike: {a} and {b}",
                label=f"this is {b}",
                labels=[label(self.file, node.then.span, f"this is {a}")],
                help_text=unit_hint(otherwise.constant, _dimension(otherwise.type), _dimension(then.type)),
            )
            return NOT_KNOWN
        return Value(joined)

    # -------------------------------------------------------------- functions

    def _call(self, node: nodes.Call, expected: types.Type | None) -> Value:
        if node.function in ("min", "max"):
            return self._extreme(node, expected)
        if node.function in ("floor", "ceil", "abs"):
            return self._rounded(node)
        if node.function == "clamp":
            return self._clamped(node)
        if node.function == "defined":
            return self._defined(node)
        if node.function == "loaded":
            return self._loaded(node)
        if node.function in _MEASURING:
            return self._threadpool(node)
        span = Span(node.span.start, node.span.start + len(node.function))
        own = self.scope.function(node.function)
        if own is not None:
            return self._own_function(node, span, own)
        known = [*FUNCTIONS, *(_MEASURING if self.scope.groups else ())]
        close = nearest(node.function, known)
        self._report(
            "unknown-function",
            span,
            f"there is no function `{node.function}`",
            help_text=f"did you mean `{close}`?" if close else f"the functions are {listed(known)}",
        )
        for argument in node.args:
            self.infer(argument, UNKNOWN)
        return NOT_KNOWN

    def _own_function(self, node: nodes.Call, span: Span, found: Value | Problem) -> Value:
        """A function of one count that only this place knows."""
        if isinstance(found, Problem):
            self._report(found.code, span, found.headline, help_text=found.help)
            return NOT_KNOWN
        if self._counted(node, 1, 1):
            self.require(node.args[0], types.COUNT, f"the argument of `{node.function}`")
        return found

    def _counted(self, node: nodes.Call, least: int, most: int | None) -> bool:
        """Whether the number of arguments is right and the result is not taken apart; else a finding."""
        number = len(node.args)
        if node.member is not None:
            self._report(
                "unknown-member", node.span, f"the value of `{node.function}` has no part `{node.member}`"
            )
            return False
        if number >= least and (most is None or number <= most):
            return True
        wants = f"at least {least}" if most is None else str(least)
        self._report(
            "argument-count",
            node.span,
            f"`{node.function}` takes {wants} argument{'' if least == 1 else 's'}, here are {number}",
            help_text=f"write `{_CALLS.get(node.function, node.function + '(...)')}`",
        )
        return False

    def _extreme(self, node: nodes.Call, expected: types.Type | None) -> Value:
        if not self._counted(node, 2, None):
            return NOT_KNOWN
        return self._alike(node, node.args, expected, max if node.function == "max" else min)

    def _alike(
        self,
        node: nodes.Call,
        arguments: tuple[nodes.Expression, ...],
        expected: types.Type | None,
        fold: object,
    ) -> Value:
        first: tuple[nodes.Expression, NumberType] | None = None
        whole, constants = True, []
        for argument in arguments:
            value = self.infer(argument, expected)
            if not self._operand(node.function, argument, value.type, types.REAL):
                return NOT_KNOWN
            assert isinstance(value.type, NumberType)
            if first is None:
                first = (argument, value.type)
            elif value.type.dimension != first[1].dimension:
                self._report(
                    "dimension-mismatch",
                    argument.span,
                    f"`{node.function}` compares {first[1].dimension} with {value.type.dimension}",
                    label=f"this is {value.type.dimension}",
                    labels=[label(self.file, first[0].span, f"this is {first[1].dimension}")],
                    help_text=unit_hint(value.constant, value.type.dimension, first[1].dimension),
                )
                return NOT_KNOWN
            whole = whole and value.type.whole
            constants.append(value.constant)
        assert first is not None
        numbers = [item for item in constants if isinstance(item, Fraction)]
        constant = None
        if len(numbers) == len(constants) and fold in (min, max):
            constant = max(numbers) if fold is max else min(numbers)
        return Value(NumberType(first[1].dimension, whole), constant)

    def _rounded(self, node: nodes.Call) -> Value:
        if not self._counted(node, 1, 1):
            return NOT_KNOWN
        value = self.infer(node.args[0])
        if not self._operand(node.function, node.args[0], value.type, types.REAL):
            return NOT_KNOWN
        assert isinstance(value.type, NumberType)
        constant = None
        if isinstance(value.constant, Fraction):
            constant = rounded(node.function, value.constant)
        return Value(NumberType(value.type.dimension, value.type.whole or node.function != "abs"), constant)

    def _clamped(self, node: nodes.Call) -> Value:
        if not self._counted(node, 3, 3):
            return NOT_KNOWN
        return self._alike(node, node.args, None, None)

    def _defined(self, node: nodes.Call) -> Value:
        if not self._counted(node, 1, 1):
            return Value(BOOL)
        argument = node.args[0]
        if not isinstance(argument, nodes.Reference):
            self._report(
                "type-mismatch",
                argument.span,
                "`defined` takes the name of a control or an environment variable",
            )
            return Value(BOOL)
        if is_variable(argument.path) or argument.path in self._controls():
            return Value(BOOL)
        found = self.scope.lookup(argument.path)
        if isinstance(found, Problem):
            self._report_problem(argument, found, None)
        elif not isinstance(found.type, UnknownType):
            self._report(
                "unknown-name",
                argument.span,
                f"`{argument.path}` is neither a control of this library nor an environment variable",
                help_text="`defined` tells whether one of these is set",
            )
        return Value(BOOL)

    def _controls(self) -> Iterable[str]:
        """The controls that can be set or left alone: the contract's or the application's own."""
        return self.scope.owner.controls if self.scope.owner is not None else self.scope.known()

    def _loaded(self, node: nodes.Call) -> Value:
        if not self._counted(node, 1, 1):
            return Value(BOOL)
        argument = node.args[0]
        if not isinstance(argument, nodes.Reference):
            self._report(
                "type-mismatch", argument.span, "`loaded` takes the name of a contract or an interface"
            )
            return Value(BOOL)
        known = self.scope.library(argument.path) is not None
        if not known and not self.context.may_be_imported(self.file, argument.path):
            owner = self.scope.owner
            names = {*self.context.program.scope(self.file), *(owner.uses if owner else ())}
            close = nearest(argument.path, names)
            self._report(
                "unknown-name",
                argument.span,
                f"`{argument.path}` is not a contract or interface that is known here",
                help_text=f"did you mean `{close}`?" if close else "import it first",
            )
        return Value(BOOL)

    def _threadpool(self, node: nodes.Call) -> Value:
        if not self.scope.groups:
            self._report(
                "unknown-function",
                Span(node.span.start, node.span.start + len(node.function)),
                f"`{node.function}` measures a running program",
                help_text="only a signal's source can use it",
            )
            return NOT_KNOWN
        if len(node.args) != 1:
            self._report(
                "argument-count", node.span, f"`{node.function}` takes 1 argument, here are {len(node.args)}"
            )
        elif node.args:
            self.require(node.args[0], STRING, "the name of the pool's library")
        if node.member != "num_threads":
            wrong = f"has no measurement `{node.member}`" if node.member else "is not a number by itself"
            self._report(
                "unknown-measurement",
                node.span,
                f"a thread pool {wrong}",
                help_text=f'write `{node.function}("...").num_threads`',
            )
        return Value(types.COUNT)

    # -------------------------------------------------------------- reporting

    def _report(
        self,
        code: str,
        span: Span,
        headline: str,
        *,
        label: str = "",
        labels: tuple[Label, ...] | list[Label] = (),
        help_text: str | None = None,
    ) -> None:
        if not self.silent:
            self.context.report(
                code, self.file, span, headline, label=label, labels=labels, help_text=help_text
            )


def is_variable(name: str) -> bool:
    """Whether a name is written as environment variables are: capitals, digits and underscores."""
    return bool(name) and name[0].isalpha() and name == name.upper() and name.replace("_", "").isalnum()


def _quantity(node: nodes.Quantity) -> Value:
    return Value(_number(node.unit, node.unit != "%" and node.value.denominator == 1), node.value)


@cache
def _number(unit: str | None, whole: bool) -> NumberType:
    return NumberType(types.unit_dimension(unit), whole)


def _dimension(kind: types.Type) -> Dimension:
    return kind.dimension if isinstance(kind, NumberType) else PLAIN


_CALLS = {
    "clamp": "clamp(value, low, high)",
    "min": "min(a, b, ...)",
    "max": "max(a, b, ...)",
    "floor": "floor(number)",
    "ceil": "ceil(number)",
    "abs": "abs(number)",
    "defined": "defined(NAME)",
    "loaded": "loaded(library)",
}
"""How the functions are called."""


def _is_written_as(text: str, wanted: types.Type) -> bool:
    """Whether a text, without its quotes, would be a value of a type."""
    if isinstance(wanted, BoolType):
        return text in ("true", "false")
    return isinstance(wanted, NumberType) and wanted.dimension == PLAIN and text.strip().isdigit()
