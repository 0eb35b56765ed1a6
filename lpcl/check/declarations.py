"""Rules of every declaration: unique names, annotations that mean something, types that make sense."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from lpcl.check.context import Context, label, listed, nearest
from lpcl.check.expressions import Typer
from lpcl.model import types
from lpcl.model.program import SourceFile
from lpcl.packages.versions import differ
from lpcl.syntax import nodes
from lpcl.syntax.pieces import Placed
from lpcl.syntax.span import Span

_ANNOTATIONS = {"source": (1, 2), "measured": (1, 9), "since": (1, 1), "deprecated": (0, 1)}


def check(context: Context, file: SourceFile, item: nodes.Item) -> None:
    """Check the annotations and types of one item."""
    for annotation in context.below(item, nodes.Annotation):
        _annotation(context, file, annotation)
    for enum in context.below(item, nodes.EnumType):
        _type(context, file, enum)
    for value in context.below(item, nodes.ValueType):
        _type(context, file, value)


def check_names(context: Context, targets: Iterable[SourceFile]) -> None:
    """Report declarations of one name that are not contracts for different versions."""
    wanted = set(targets)
    for qualified, items in context.program.declarations.items():
        for number, other in enumerate(items):
            first = next((item for item in items[:number] if not differ(item, other)), None)
            if first is not None and other.file in wanted:
                context.report(
                    "duplicate-declaration",
                    other.file,
                    other.node.name.span,
                    f"`{qualified}` is declared twice",
                    labels=[label(first.file, first.node.name.span, "first declared here")],
                    help_text="contracts of one name have to name different versions of their library"
                    if isinstance(other.node, nodes.Contract)
                    else "rename one of them, or remove it",
                )


def check_titles(context: Context, file: SourceFile) -> None:
    """Report tests of one title in a file."""
    titles: dict[str, tuple[Placed, int]] = {}
    for placed in file.parsed.pieces:
        for index, item in enumerate(placed.bare):
            if not isinstance(item, nodes.Test):
                continue
            first = titles.setdefault(item.title.value, (placed, index))
            if first != (placed, index):
                spans = [_title(*found) for found in ((placed, index), first)]
                context.report(
                    "duplicate-name",
                    file,
                    spans[0],
                    f'two tests are called "{item.title.value}"',
                    labels=[label(file, spans[1], "first here")],
                    help_text="rename one of them",
                )


def _title(placed: Placed, index: int) -> Span:
    node = placed.items[index]
    assert isinstance(node, nodes.Test)
    return node.title.span


def unique(context: Context, file: SourceFile, named: Iterable[tuple[nodes.Name, str]], where: str) -> None:
    """Report names given twice. Each comes with what it names, in a word."""
    seen: dict[str, tuple[nodes.Name, str]] = {}
    for name, kind in named:
        first, first_kind = seen.setdefault(name.text, (name, kind))
        if first is not name:
            same = kind if kind == first_kind else "name"
            context.report(
                "duplicate-name",
                file,
                name.span,
                f"{where} has two {same}s `{name.text}`"
                if same == kind
                else f"{where} calls a {first_kind} and a {kind} `{name.text}`",
                labels=[label(file, first.span, "first here")],
                help_text="rename one of them",
            )


def once(
    context: Context,
    file: SourceFile,
    clauses: Iterable[nodes.Node],
    words: dict[type[nodes.Node], str],
    where: str,
) -> None:
    """Report clauses of the kinds in `words` that are given more than once."""
    seen: dict[type[nodes.Node], nodes.Node] = {}
    for clause in clauses:
        word = words.get(type(clause))
        if word is None:
            continue
        first = seen.setdefault(type(clause), clause)
        if first is not clause:
            context.report(
                "duplicate-clause",
                file,
                clause.span,
                f"{where} has two `{word}` clauses",
                labels=[label(file, first.span, "the first one")],
                help_text="keep one of them",
            )


def _annotation(context: Context, file: SourceFile, node: nodes.Annotation) -> None:
    expected = _ANNOTATIONS.get(node.name.text)
    if expected is None:
        close = nearest(node.name.text, _ANNOTATIONS)
        context.report(
            "unknown-annotation",
            file,
            node.name.span,
            f"there is no annotation `@{node.name.text}`",
            help_text=f"did you mean `@{close}`?"
            if close
            else f"the annotations are {listed(f'`@{name}`' for name in _ANNOTATIONS)}",
        )
        return
    least, most = expected
    if not least <= len(node.args) <= most:
        wants = str(least) if least == most else f"{least} to {most}"
        texts = ", ".join(['"..."'] * most)
        context.report(
            "argument-count",
            file,
            node.span,
            f"`@{node.name.text}` takes {wants} text{'' if most == 1 else 's'}, here are {len(node.args)}",
            help_text=f"write `@{node.name.text}({texts})`",
        )


def _type(context: Context, file: SourceFile, node: nodes.Type) -> None:
    if isinstance(node, nodes.EnumType):
        unique(context, file, ((member, "word") for member in node.members), "the enumeration")
        return
    bare = types.NAMED.get(node.first)
    names = [node.first, *(factor.name for factor in node.rest)]
    strange = next((name for name in names if not isinstance(types.NAMED.get(name), types.NumberType)), None)
    if node.rest and strange is not None:
        context.report(
            "invalid-type",
            file,
            node.span,
            f"`{strange}` cannot be multiplied or divided: it is not a number",
            help_text="make it of types that are, such as `bytes / time`",
        )
    elif node.range is not None and not isinstance(bare, types.NumberType):
        context.report(
            "invalid-type",
            file,
            node.range.span,
            f"only numbers have a range, but this is {types.describe(types.of(node))}",
            help_text="list the words that are allowed, as in `{fast, slow}`"
            if bare == types.STRING
            else None,
        )


def value_range(typer: Typer, node: nodes.Type) -> None:
    """Check the range of a control's or parameter's type: its ends are of that type, the lower one first."""
    if not isinstance(node, nodes.ValueType) or node.range is None:
        return
    kind = types.of(nodes.ValueType(first=node.first, rest=node.rest))
    if not isinstance(kind, types.NumberType):
        return
    ends = []
    reported = len(typer.context.findings)
    for end in (node.range.low, node.range.high):
        value = typer.require(end, kind, f"an end of a range of `{_written(node)}`")
        ends.append(value.constant if isinstance(value.type, types.NumberType) else None)
    low, high = ends
    if reported != len(typer.context.findings):
        return
    if isinstance(low, Fraction) and isinstance(high, Fraction) and low > high:
        file = typer.file
        typer.context.report(
            "invalid-type",
            file,
            node.range.span,
            f"the range {_text(file, node.range.low)}..{_text(file, node.range.high)} is empty",
            help_text="the lower end comes first: "
            f"`{_text(file, node.range.high)}..{_text(file, node.range.low)}`",
        )


def _written(node: nodes.ValueType) -> str:
    return "".join([node.first, *(f" {factor.op} {factor.name}" for factor in node.rest)])


def _text(file: SourceFile, node: nodes.Node) -> str:
    return file.text[node.span.start : node.span.end]
