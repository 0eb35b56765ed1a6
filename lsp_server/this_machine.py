"""What expressions come out as on the machine that the server runs on, where nothing is set."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeAlias

from lpcl.compose.evaluate import evaluate
from lpcl.compose.machine import MachineView
from lpcl.compose.refusal import Refusal
from lpcl.compose.terms import Value
from lpcl.model import types
from lpcl.model.machine import DERIVED, FACTS
from lpcl.model.program import Origin, SourceFile
from lpcl.model.quantities import show
from lpcl.service import host_machine
from lpcl.syntax import nodes
from lsp_server.surroundings import Named, Surroundings

Plain: TypeAlias = int | Fraction | bool | str

_NO_VALUE = (Refusal, ArithmeticError, AssertionError, LookupError, RecursionError, TypeError, ValueError)
_DEPTH = 20


@dataclass(frozen=True)
class _Scope:
    """Names as they come out here. Parameters stand at their defaults, controls at theirs."""

    here: Surroundings
    file: SourceFile
    machine: MachineView
    depth: int = 0

    def name(self, path: str, origin: Origin) -> Value:
        if path.startswith("machine."):
            value = self.machine.fact(path.removeprefix("machine."))
            if value is None:
                raise Refusal("machine-fact-missing", f"`{path}` is not known here", origin)
            return value
        found = self.here.member(path, "control") if "." in path else self.here.values().get(path)
        if found is None:
            return path
        expression = _expression(found)
        if expression is None or self.depth >= _DEPTH:
            raise Refusal("control-without-value", f"`{path}` has no value here", origin)
        return evaluate(expression, replace(self, file=found.file, depth=self.depth + 1))

    def question(self, function: str, path: str, origin: Origin) -> Value:
        if function == "defined":
            return False
        raise Refusal("unknown-name", f"`{path}` may be loaded or not", origin)


def _expression(found: Named) -> nodes.Expression | None:
    match found.node:
        case nodes.Control() as node:
            return default(node)
        case nodes.Let() as node:
            return node.value
        case nodes.Parameter() as node:
            return node.default
    return None


def default(control: nodes.Control) -> nodes.Expression | None:
    """A control's default, as it is written."""
    return next((clause.value for clause in control.clauses if isinstance(clause, nodes.Default)), None)


def value_here(here: Surroundings, expression: nodes.Expression, file: SourceFile) -> Plain | None:
    """The value of an expression on this machine, or None where it has none or nobody can say."""
    try:
        value = evaluate(expression, _Scope(here, file, _machine()))
    except _NO_VALUE:
        return None
    return value if isinstance(value, int | Fraction | bool | str) else None


def fact_here(path: str) -> str | None:
    """A figure of this machine, as a person reads it; None where nothing tells or limits it."""
    value = _machine().fact(path) if path in FACTS or path in DERIVED else None
    if value is None or not isinstance(value, int | Fraction):
        return None
    return show(Fraction(value), FACTS[path].dimension if path in FACTS else types.REAL.dimension)


def written(value: Plain, kind: nodes.Type | None) -> str:
    """A value as LPCL writes it; `kind` is the type that it is meant to have."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value if isinstance(kind, nodes.EnumType) else f'"{value}"'
    known = types.of(kind) if kind is not None else types.UNKNOWN
    dimension = known.dimension if isinstance(known, types.NumberType) else types.REAL.dimension
    return show(Fraction(value), dimension)


_KEPT_FOR = 2.0
_read: tuple[float, MachineView] | None = None


def _machine() -> MachineView:
    """The host, read anew only after a while: one answer may ask for many figures."""
    global _read
    now = time.monotonic()
    if _read is None or now - _read[0] > _KEPT_FOR:
        _read = (now, host_machine())
    return _read[1]
