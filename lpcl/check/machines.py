"""Rules of machines: figures that exist, of the right dimension, and that a machine can have."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from lpcl.check.context import Context, label, listed
from lpcl.check.expressions import Typer
from lpcl.check.figures import figure_hint
from lpcl.check.scopes import Scope
from lpcl.model import types
from lpcl.model.machine import AT_MOST, DERIVED, FACTS
from lpcl.model.program import SourceFile
from lpcl.model.quantities import show
from lpcl.syntax import nodes
from lpcl.syntax.span import Span

_AT_LEAST_ONE = frozenset({"cpus.online", "cpus.affinity", "cpus.physical"})


def facts(context: Context, file: SourceFile, stated: Iterable[nodes.Fact]) -> None:
    """Check the figures of one machine."""
    scope = Scope(context, file)
    seen: dict[str, nodes.Fact] = {}
    values: dict[str, tuple[Fraction, nodes.Fact]] = {}
    for fact in stated:
        first = seen.setdefault(fact.path, fact)
        if first is not fact:
            context.report(
                "duplicate-name",
                file,
                _path(fact),
                f"`{fact.path}` is stated twice",
                labels=[label(file, _path(first), "first here")],
                help_text="keep one of them",
            )
            continue
        value = _fact(context, file, scope, fact)
        if value is not None:
            values[fact.path] = (value, fact)
    _consistent(context, file, values)


def _path(fact: nodes.Fact) -> Span:
    return Span(fact.span.start, fact.span.start + len(fact.path))


def _fact(context: Context, file: SourceFile, scope: Scope, fact: nodes.Fact) -> Fraction | None:
    """Check one figure; its value where it has one."""
    known = FACTS.get(fact.path)
    if known is None:
        headline = f"a machine has no figure `{fact.path}`"
        help_text = figure_hint(fact.path.removeprefix("machine."), FACTS)
        if fact.path in DERIVED:
            parts = [f"`{name}`" for name in FACTS if name.startswith(fact.path + ".")]
            headline, help_text = f"`{fact.path}` follows from other figures", f"state {listed(parts, 'or')}"
        context.report("unknown-figure", file, _path(fact), headline, help_text=help_text)
        return None
    wanted = types.NumberType(known.dimension, known.whole)
    typer = Typer(scope)
    ends = (fact.range.low, fact.range.high) if fact.range is not None else (fact.value,)
    result: Fraction | None = None
    for end in ends:
        if end is None:
            continue
        named = next((node for node in end.walk() if isinstance(node, nodes.Reference)), None)
        if named is not None:
            context.report(
                "unknown-name",
                file,
                named.span,
                "a machine's figures are fixed numbers",
                help_text="write the number itself",
            )
            return None
        value = typer.require(end, wanted, f"`{fact.path}`")
        if not isinstance(value.type, types.NumberType) or value.type.dimension != known.dimension:
            return None
        if isinstance(value.constant, Fraction):
            if not _possible(context, file, fact, end, value.constant):
                return None
            result = value.constant
    return result if fact.range is None else None


def _possible(
    context: Context, file: SourceFile, fact: nodes.Fact, end: nodes.Expression, value: Fraction
) -> bool:
    shown = show(value, FACTS[fact.path].dimension)
    if fact.path in _AT_LEAST_ONE and value < 1:
        headline = f"a machine with {shown} CPUs runs nothing"
    elif fact.path == "cpus.quota" and value <= 0:
        headline = f"a machine that allows {shown} CPUs runs nothing"
    elif value < 0:
        headline = f"`{fact.path}` cannot be less than nothing"
    else:
        return True
    context.report(
        "impossible-machine",
        file,
        end.span,
        headline,
        help_text="`cpus.online` is at least 1" if fact.path == "cpus.online" else None,
    )
    return False


def _consistent(context: Context, file: SourceFile, values: dict[str, tuple[Fraction, nodes.Fact]]) -> None:
    for part, whole in AT_MOST.items():
        if part in values and whole in values and values[part][0] > values[whole][0]:
            (value, fact), (most, other) = values[part], values[whole]
            dimension = FACTS[part].dimension
            context.report(
                "impossible-machine",
                file,
                fact.span,
                f"`{part}` is {show(value, dimension)}, but `{whole}` is only {show(most, dimension)}",
                labels=[label(file, other.span, "stated here")],
                help_text="mend one of the two",
            )
