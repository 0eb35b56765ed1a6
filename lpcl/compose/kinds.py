"""What kind of figure an expression of a contract stands for, given what its names mean."""

from __future__ import annotations

from dataclasses import dataclass, replace

from lpcl.compose.evaluate import evaluate
from lpcl.compose.figures import FigureKind, figure_of
from lpcl.compose.scopes import ContractScope
from lpcl.compose.starts import FREE
from lpcl.compose.terms import Value
from lpcl.model.contracts import Clause
from lpcl.model.machine import FACTS
from lpcl.model.program import Origin, SourceFile
from lpcl.model.quantities import BANDWIDTH, BYTES, TIME
from lpcl.syntax import nodes

_TIMES = ("h", "min", "s", "ms", "us", "ns")
_ROUNDED = ("floor", "ceil", "abs", "min", "max", "clamp")


@dataclass(frozen=True, eq=False)
class Names:
    """The names of an expression, where it is read."""

    scope: ContractScope

    @property
    def file(self) -> SourceFile:
        """The file that the expression stands in."""
        return self.scope.file

    def at(self, file: SourceFile) -> Names:
        """The same names where a clause in `file` reads them."""
        return self if file is self.scope.file else Names(replace(self.scope, file=file))

    def afresh(self) -> ContractScope:
        """A scope in which nothing has been read yet."""
        return replace(self.scope, reasons=[], facts={}, known={}, resolving=())

    def value(self, node: nodes.Expression) -> Value:
        """What an expression comes to. Raises `Refusal`."""
        return evaluate(node, self.afresh())

    def parameter(self, path: str) -> tuple[nodes.Parameter, SourceFile] | None:
        """The parameter of that name, and where it is declared."""
        clause = self.scope.runtime.contract.operations.get(self.scope.operation)
        if clause is None or path not in self.scope.parameters:
            return None
        found = next((one for one in clause.node.parameters if one.name.text == path), None)
        return None if found is None else (found, clause.file)

    def control(self, path: str) -> Clause[nodes.Control] | None:
        """The control of that name, of this library or of another one."""
        runtime = self.scope.runtime
        if path in runtime.contract.controls:
            return runtime.contract.controls[path]
        head, _, name = path.rpartition(".")
        if not head or head == "machine":
            return None
        other = runtime.providers.get(head)
        if other is None:
            declared = self.scope.here.linker.find(self.scope.file, head)
            if declared is None or not isinstance(declared.node, nodes.Contract):
                return None
            other = self.scope.here.linker.runtime(declared, declared.origin)
        return other.contract.controls.get(name)

    def type_of(self, path: str) -> nodes.Type | None:
        """The type of a parameter or a control; None for any other name."""
        parameter = self.parameter(path)
        if parameter is not None:
            return parameter[0].type
        control = self.control(path)
        return None if control is None else control.node.type

    def figure(self, node: nodes.Expression) -> FigureKind:
        """What kind of figure an expression stands for; a plain number where that is not known."""
        match node:
            case nodes.Quantity():
                return _literal(node.unit)
            case nodes.Parenthesis():
                return self.figure(node.inner)
            case nodes.Unary():
                return self.figure(node.operand)
            case nodes.Conditional():
                return self.figure(node.then)
            case nodes.Reference():
                return self._named(node.path)
            case nodes.Call() if node.function in _ROUNDED and node.args:
                return self.figure(node.args[0])
            case nodes.Binary():
                left, right = self.figure(node.left), self.figure(node.right)
                if node.op == "*":
                    return FigureKind(left.dimension * right.dimension, left.share and right.share)
                if node.op in ("/", "div"):
                    return FigureKind(left.dimension / right.dimension)
                return left
        return FigureKind()

    def _named(self, path: str) -> FigureKind:
        if path.startswith("machine."):
            return figure_of_fact(path.removeprefix("machine."))
        let = self.scope.let(path)
        if let is not None:
            return self.at(let.file).figure(let.node.value)
        kind = self.type_of(path)
        return FigureKind() if kind is None else figure_of(kind)

    def default(self, path: str) -> tuple[str, Origin] | None:
        """The default of a parameter as it is written, and where."""
        found = self.parameter(path)
        if found is None or found[0].default is None:
            return None
        parameter, file = found
        assert parameter.default is not None
        span = parameter.default.span
        return " ".join(file.text[span.start : span.end].split()), Origin(file, parameter.span)


def figure_of_fact(fact: str) -> FigureKind:
    """The kind of figure that a fact of the machine is."""
    known = FACTS.get("gpu.memory" if fact == FREE else fact)
    return FigureKind() if known is None else FigureKind(known.dimension)


def figure_of_literal(node: nodes.Quantity) -> FigureKind:
    """The kind of figure that is written as a number, in the unit it is written in."""
    kind = _literal(node.unit)
    return kind if kind.share else replace(kind, unit=node.unit)


def _literal(unit: str | None) -> FigureKind:
    if unit is None:
        return FigureKind()
    if unit == "%":
        return FigureKind(share=True)
    if unit.endswith("/s"):
        return FigureKind(BANDWIDTH)
    return FigureKind(TIME if unit in _TIMES else BYTES)
