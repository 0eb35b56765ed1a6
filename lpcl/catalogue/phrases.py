"""Clauses as sentences for people who do not know the language: Markdown, expressions in it as code."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction

from lpcl.model.program import SourceFile
from lpcl.syntax import nodes

UNLIMITED = 2**31 - 1
"""A bound from which on a range has none that anybody would meet."""


def text(file: SourceFile, node: nodes.Node) -> str:
    """A clause as it is written, in one line."""
    return " ".join(file.text[node.span.start : node.span.end].split())


def code(written: str) -> str:
    """Code in Markdown, whatever stands in it."""
    longest = max((len(run) for run in re.findall("`+", written)), default=0)
    fence, room = "`" * (longest + 1), " " if longest else ""
    return f"{fence}{room}{written}{room}{fence}"


def value(file: SourceFile, node: nodes.Expression) -> str:
    """An expression; one that chooses between values names each with its condition."""
    node = _bare(node)
    if not isinstance(node, nodes.Conditional):
        return code(text(file, node))
    parts: list[str] = []
    while isinstance(node, nodes.Conditional):
        parts.append(f"{code(text(file, _bare(node.then)))} if {code(text(file, _bare(node.condition)))}")
        node = _bare(node.otherwise)
    return f"{', '.join(parts)}, else {code(text(file, node))}"


def default(file: SourceFile, control: nodes.Control, node: nodes.Expression) -> str:
    """What counts where nothing is set."""
    if isinstance(node, nodes.Text) and not node.value:
        return "nothing"
    top = (
        control.type.range.high if isinstance(control.type, nodes.ValueType) and control.type.range else None
    )
    if top is not None and _number(top) == _number(node) and (_number(top) or 0) >= UNLIMITED:
        return "no limit"
    return value(file, node)


def kind(file: SourceFile, node: nodes.Type) -> str:
    """Which values there are."""
    if isinstance(node, nodes.EnumType):
        return either([code(item.text) for item in node.members])
    bounds = node.range
    if bounds is None:
        return _KINDS.get(node.first, node.first) if not node.rest else code(text(file, node))
    low, high = value(file, bounds.low), value(file, bounds.high)
    whole = "" if node.first in ("int", "count") else "any number "
    if (_number(bounds.high) or 0) >= UNLIMITED:
        return f"{whole}from {low} on"
    return f"{whole}from {low} to {high}" if whole else f"{low} to {high}"


def argument(file: SourceFile, node: nodes.Parameter) -> str:
    """An argument of an operation, and what it is where it is left out."""
    if node.default is None:
        return f"{code(node.name.text)} (to be given)"
    return f"{code(node.name.text)} (else {value(file, node.default)})"


_KINDS = {
    "bool": "true or false",
    "int": "a whole number",
    "count": "a whole number, 0 or more",
    "real": "a number",
    "string": "a text",
    "bytes": "an amount of memory",
    "time": "a time",
    "bandwidth": "a bandwidth",
    "share": "a share, 0 to 100%",
}


def either(items: list[str]) -> str:
    """Items as an enumeration."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} or {items[-1]}"


def effect(file: SourceFile, node: nodes.Node) -> str:
    """What a clause of an operation, of its workers or of `on load` does."""
    match node:
        case nodes.RunsOn():
            size = f", {value(file, node.size)} of them" if node.size is not None else ""
            said = f"runs on the threads of {code(node.pool.path)}{size}"
        case nodes.Calls():
            given = ", ".join(code(text(file, item)) for item in node.arguments)
            said = f"does what {code(node.target.path)} does{f' with {given}' if given else ''}"
            said += ", and the block runs there" if node.passes_block else ""
        case nodes.Workers():
            said = f"starts {value(file, node.count)} {node.kind} for the block"
            if isinstance(_bare(node.count), nodes.Conditional):
                said = f"starts {node.kind} for the block, as many as {value(file, node.count)}"
        case nodes.Demand():
            said = _demand(file, node)
        case nodes.Let():
            return f"{code(node.name.text)} is {value(file, node.value)}"
        case nodes.Assume():
            return f"works only where {code(text(file, node.condition))}, else: {node.message.value}"
        case nodes.Hazard():
            how = f" ({node.effect.replace('_', ' ')})" if node.effect else ""
            return f"beware: {node.message.value}{how}, when {code(text(file, node.condition))}"
        case nodes.Limit():
            said = f"holds {code(node.target.path)} at {value(file, node.value)}"
        case nodes.SetVariable():
            said = variables(file, node, [node.name.text])
        case nodes.Start():
            said = f"start method {value(file, node.method)}"
        case nodes.Pin():
            said = f"bound to {value(file, node.value)} CPUs"
        case nodes.CallerRole():
            return "the caller waits for them" if node.role == "waits" else "the caller is one of them"
        case _:
            return code(text(file, node))
    guard = getattr(node, "guard", None)
    return f"{said}, when {code(text(file, guard))}" if guard is not None else said


def variables(file: SourceFile, node: nodes.SetVariable, names: list[str]) -> str:
    """Environment variables that are set alike."""
    how = "unless it is set already" if node.weak else "whatever it was"
    if len(names) > 1:
        how = "each unless it is set already" if node.weak else "whatever they were"
    return f"sets {', '.join(map(code, names))} to {value(file, node.value)}, {how}"


def groups(file: SourceFile, clauses: Iterable[nodes.Node]) -> list[list[nodes.Node]]:
    """Clauses in their order; variables that are set alike one after another stand together."""
    found: list[list[nodes.Node]] = []
    for item in clauses:
        last = found[-1][-1] if found else None
        both = isinstance(item, nodes.SetVariable) and isinstance(last, nodes.SetVariable)
        if both and _set(file, item) == _set(file, last):
            found[-1].append(item)
        else:
            found.append([item])
    return found


def inner(file: SourceFile, clauses: Iterable[nodes.Node]) -> Iterator[str]:
    """What workers get, a sentence for each of `groups`."""
    for first, *others in groups(file, clauses):
        if not isinstance(first, nodes.SetVariable):
            yield effect(file, first)
            continue
        names = [item.name.text for item in (first, *others) if isinstance(item, nodes.SetVariable)]
        guard = f", when {code(text(file, first.guard))}" if first.guard is not None else ""
        yield variables(file, first, names) + guard


def signal(file: SourceFile, node: nodes.Signal) -> str:
    """A measurement: where it comes from, and what it tells."""
    match node.source:
        case nodes.LogSource():
            said = f"what the program prints at {code(node.source.pattern.value)}"
        case nodes.PythonSource():
            said = f"the Python expression {code(node.source.code.value)}"
        case source:
            said = code(text(file, source))
    told = [
        f"{_short(item.resource.path)} when {code(text(file, item.condition))}" for item in node.indications
    ]
    return "; ".join([said, *told])


def _demand(file: SourceFile, node: nodes.Demand) -> str:
    resource = node.resource.path
    if node.amount is not None and resource in ("cpu", "lpcl.core.cpu") and _number(node.amount) == 0:
        return "keeps no CPU busy while it waits or its block runs"
    if node.range is not None:
        amount = f"{value(file, node.range.low)} to {value(file, node.range.high)}"
    else:
        amount = value(file, node.amount) if node.amount is not None else ""
    device = "each GPU"
    if node.device is not None and not isinstance(node.device, nodes.AllDevices):
        device = f"GPU {code(text(file, node.device))}"
    pattern = DEMANDS.get(resource, "takes {amount} of " + code(resource))
    return pattern.format(amount=amount, device=device)


def _short(resource: str) -> str:
    return "CPUs are short" if resource == "cpu" else f"{code(resource)} is short"


DEMANDS = {
    "cpu": "CPUs kept busy: {amount}",
    "memory": "memory held: {amount}",
    "memory_bandwidth": "memory bandwidth used: {amount}",
    "address_space": "address space reserved: {amount}",
    "shm": "held in /dev/shm: {amount}",
    "threads": "further threads that exist: {amount}",
    "processes": "further processes that exist: {amount}",
    "files": "open files: {amount}",
    "locked_memory": "memory pinned: {amount}",
    "gpu_memory": "memory of {device} held: {amount}",
    "gpu_compute": "computing power of {device} used: {amount}",
    "openmp_runtime": "OpenMP runtimes: {amount}",
}
"""The resources of `lpcl.core` by their names."""


def _set(file: SourceFile, node: nodes.Node | None) -> tuple[bool, str, str]:
    assert isinstance(node, nodes.SetVariable)
    guard = text(file, node.guard) if node.guard is not None else ""
    return node.weak, text(file, node.value), guard


def _bare(node: nodes.Expression) -> nodes.Expression:
    while isinstance(node, nodes.Parenthesis):
        node = node.inner
    return node


def _number(node: nodes.Expression) -> Fraction | None:
    node = _bare(node)
    return node.value if isinstance(node, nodes.Quantity) else None
