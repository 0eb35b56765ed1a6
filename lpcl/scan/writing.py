"""A file of the language from its tree and the remarks on it, in the house style."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from lpcl.format import WIDTH, format_text
from lpcl.syntax import nodes
from lpcl.syntax.build import quantity

Remarks = Mapping[int, Sequence[str]]
"""Lines of comment in front of a node, by the node's `id`."""


def to_text(file: nodes.File, remarks: Remarks) -> str:
    """The text of a file that declares applications; other declarations and expressions are not known
    here.
    """
    parts: list[str] = []
    for item in file.items:
        if isinstance(item, nodes.Application):
            parts.append("")
            parts += [f"/// {line}".rstrip() for line in (item.doc or "").splitlines()]
        parts += _item(item, remarks)
    return format_text("\n".join(parts) + "\n")


def _item(item: nodes.Item, remarks: Remarks) -> Iterator[str]:
    match item:
        case nodes.Package():
            yield f"package {item.path}"
            yield ""
        case nodes.Import():
            yield f"import {item.path}" + (".*" if item.star else "")
        case nodes.Application():
            yield f"application {item.name.text} {{"
            for member in item.members:
                yield from _remarks(member, remarks)
                yield from _member(member, remarks)
            yield "}"
        case _:
            raise TypeError(f"cannot write {type(item).__name__}")


def _remarks(node: nodes.Node, remarks: Remarks) -> Iterator[str]:
    for remark in remarks.get(id(node), ()):
        yield from (f"// {line}".rstrip() for line in wrapped(remark))


def wrapped(text: str, width: int = WIDTH - 14) -> list[str]:
    """A text in lines of a width; words are never cut."""
    return textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False) or [""]


def _member(member: nodes.ApplicationMember, remarks: Remarks) -> Iterator[str]:
    match member:
        case nodes.MachineUse(name=None):
            yield "machine {"
            for fact in member.facts:
                assert fact.value is not None
                yield from _remarks(fact, remarks)
                yield f"{fact.path} = {_expression(fact.value)}"
            yield "}"
        case nodes.MachineUse():
            assert member.name is not None
            yield f"machine {member.name.path}"
        case nodes.Use():
            yield "use " + ", ".join(_use(item) for item in member.items)
        case nodes.Environment():
            yield f"env {member.name.text} = {_expression(member.value)}"
        case nodes.Control():
            yield f"control {member.name.text}: {_type(member.type)} {{"
            for clause in member.clauses:
                yield _clause(clause)
            yield "}"
        case nodes.Limit():
            yield f"limit {member.target.path} = {_expression(member.value)}"
        case nodes.Run():
            yield "run {"
            for statement in member.block.statements:
                yield from _statement(statement, remarks)
            yield from _remarks(member.block, remarks)
            yield "}"
        case nodes.Command():
            yield f"command {_text(member.text.value)}"
        case nodes.Measure(goal=None):
            yield "measure time"
        case _:
            raise TypeError(f"cannot write {type(member).__name__}")


def _type(kind: nodes.Type) -> str:
    if not isinstance(kind, nodes.ValueType) or kind.rest:
        raise TypeError("cannot write such a type")
    limits = f" in {_expression(kind.range.low)}..{_expression(kind.range.high)}" if kind.range else ""
    return f"{kind.first}{limits}"


def _clause(clause: nodes.ControlClause) -> str:
    match clause:
        case nodes.ArgumentSource():
            return f"argument {_text(clause.text.value)}"
        case nodes.Default():
            return f"default {_expression(clause.value)}"
        case _:
            raise TypeError(f"cannot write {type(clause).__name__}")


def _use(item: nodes.UseItem) -> str:
    version = f" {_text(item.version.value)}" if item.version is not None else ""
    bound = ", ".join(f"{binding.name.text} = {binding.provider.path}" for binding in item.bindings)
    return f"{item.library.path}{version}" + (f" {{ {bound} }}" if bound else "")


def _statement(statement: nodes.Statement, remarks: Remarks) -> Iterator[str]:
    yield from _remarks(statement, remarks)
    match statement:
        case nodes.Invocation():
            arguments = ", ".join(f"{a.name.text} = {_expression(a.value)}" for a in statement.arguments)
            head = statement.operation.path + (f"({arguments})" if arguments else "")
            inner: tuple[nodes.Statement, ...] | None = (
                statement.block.statements if statement.block else None
            )
        case nodes.Block():
            head, inner = "", statement.statements
        case nodes.Together():
            head, inner = "together", statement.members
        case nodes.LimitBlock():
            head = f"limit {statement.target.path} = {_expression(statement.value)}"
            inner = statement.block.statements
        case _:
            raise TypeError(f"cannot write {type(statement).__name__}")
    if inner is None:
        yield head
        return
    yield f"{head} {{".strip()
    for one in inner:
        yield from _statement(one, remarks)
    yield "}"


def _expression(value: nodes.Expression) -> str:
    match value:
        case nodes.Quantity(unit=None):
            return _number(value.value)
        case nodes.Quantity():
            return f"{_number(value.value / quantity('1', value.unit))} {value.unit}"
        case nodes.Unary():
            return f"{value.op}{_expression(value.operand)}"
        case nodes.Binary():
            return f"{_expression(value.left)} {value.op} {_expression(value.right)}"
        case nodes.Reference():
            return value.path
        case nodes.Text():
            return _text(value.value)
        case _:
            raise TypeError(f"cannot write {type(value).__name__}")


def _number(value: Fraction) -> str:
    if value.denominator != 1:
        raise TypeError("a fraction is written as a division")
    return str(value.numerator)


_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": " "}


def _text(value: str) -> str:
    return '"' + "".join(_ESCAPES.get(character, character) for character in value) + '"'
