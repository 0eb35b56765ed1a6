"""Where the line of a clause may be broken, and where its tokens stand close to each other.

A group is a stretch of tokens with places for line breaks. It is written on one line where it fits; else,
outermost group first, broken at all of its places, or where it is `fill` at those where the line is full.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypedDict, Unpack

from lpcl.format.source import Source
from lpcl.syntax import _generated, nodes
from lpcl.syntax.build import PRECEDENCE

_CLAUSE_BREAKS: dict[str, tuple[str, ...]] = {
    "Contract": ("extends", "implements"),
    "Interface": ("extends",),
    "RunsOn": ("with", "when"),
    "Calls": ("when",),
    "Workers": ("when",),
    "SetVariable": ("when",),
    "Demand": ("when",),
    "Assume": ("else",),
    "Hazard": ("when",),
    "Limit": ("when",),
    "Signal": ("indicates",),
    "Evidence": ("for",),
    "ExpectOvercommit": ("as", "by"),
    "ExpectSerialized": ("by",),
}
_LISTS: dict[str, str] = {
    "EnvSource": "names",
    "FileEntry": "patterns",
    "CommandEntry": "patterns",
    "Use": "items",
    "Check": "applications",
    "Evidence": "subjects",
    "Contract": "interfaces",
    "ExpectOvercommit": "participants",
    "ExpectSerialized": "participants",
}
_BRACKETS: dict[str, str] = {
    "Annotation": "args",
    "Call": "args",
    "EnumType": "members",
    "Import": "names",
    "Operation": "parameters",
    "Calls": "arguments",
    "Invocation": "arguments",
    "UseItem": "bindings",
    "ExpectSafe": "settings",
}
_VALUES: dict[str, str] = {
    "Let": "value",
    "Parameter": "default",
    "Argument": "value",
    "Setting": "value",
    "SetVariable": "value",
    "Limit": "value",
    "Environment": "value",
    "Fact": "value",
    "Demand": "amount",
    "Background": "amount",
    "Signal": "source",
}
_FILLED = {"Annotation", "EnumType", "Import"}
_KEPT = {"Operation", "Invocation", "Assume", "Signal"}
_NAMED = ("name", "target", "operation")
_STEP = 2


@dataclass(slots=True, eq=False)
class Group:
    """The tokens from `start` to before `end`; `breaks` are those in front of which a line may end.

    What follows a break is indented by `nest` more than the line on which the group starts, but for the token
    `closing`. With `hang` it is not where the group starts its line. A `value` is broken only where that puts
    the whole of it on one line. `forced` groups are always broken.
    """

    start: int
    end: int
    breaks: Sequence[int]
    nest: int = _STEP
    closing: int = -1
    fill: bool = False
    hang: bool = False
    value: bool = False
    forced: bool = False


class _How(TypedDict, total=False):
    nest: int
    closing: int
    fill: bool
    hang: bool
    value: bool
    forced: bool


@dataclass(slots=True)
class Style:
    """The groups of an element's tokens in order, outer ones first, and where there is no blank.

    `close` holds tokens without a blank in front that would have one elsewhere; `stuck` those without one
    behind.
    """

    groups: list[Group] = field(default_factory=list)
    close: set[int] = field(default_factory=set)
    stuck: set[int] = field(default_factory=set)


def below(node: nodes.Node) -> Sequence[nodes.Node]:
    """The clauses in the block of an element, in the order of the text."""
    block = _generated.BLOCKS.get(type(node).__name__)
    if block is None:
        return ()
    inner = getattr(node, block[0])
    if block[2] is not None:
        inner = inner.statements if inner is not None else ()
    return sorted(inner, key=lambda child: child.span.start)


def head(node: nodes.Node) -> list[nodes.Node]:
    """The nodes directly below an element that are not in its block."""
    block = _generated.BLOCKS.get(type(node).__name__)
    inside = getattr(node, block[0]) if block is not None else ()
    inner = {id(one) for one in inside} if isinstance(inside, tuple) else {id(inside)}
    return [child for child in node.children() if id(child) not in inner]


def style(source: Source, element: nodes.Node, first: int, last: int, block: bool) -> Style:
    """How the tokens of an element in front of its block are written; `block` tells whether it has one."""
    made = _Reader(source, first, last, block).read(element)
    made.groups.sort(key=lambda group: (group.start, -group.end))
    hard = [index for index in range(first + 1, last) if source.gaps[index].hard]
    for group in made.groups:
        following = bisect_right(hard, group.start)
        group.forced = group.forced or (following < len(hard) and hard[following] < group.end)
    return made


class _Reader:
    def __init__(self, source: Source, first: int, last: int, block: bool) -> None:
        self.source = source
        self.first = first
        self.last = last
        self.nest = 2 * _STEP if block else _STEP
        self.style = Style()

    def read(self, element: nodes.Node) -> Style:
        self.clause(element)
        children = head(element)
        stack = [child for child in children if not isinstance(child, nodes.Block)]
        self.node(element, children)
        while stack:
            node = stack.pop()
            if isinstance(node, nodes.Binary):
                stack += self.chain(node)
            elif isinstance(node, nodes.Conditional):
                stack += self.conditional(node)
            else:
                below = list(node.children())
                self.node(node, below)
                stack += below
        return self.style

    def token(self, offset: int) -> int:
        return self.source.index(offset)

    def behind(self, node: nodes.Node) -> int:
        """The token that follows a node."""
        return self.source.index(node.span.end)

    def text(self, index: int) -> str:
        return self.source.tokens[index].text if self.first <= index < self.last else ""

    def ends_line(self, index: int) -> bool:
        gap = self.source.gaps[index]
        return gap.lines > 0 or any(remark.lines for remark in gap.remarks)

    def group(self, start: int, end: int, breaks: Sequence[int], **how: Unpack[_How]) -> None:
        inside = [index for index in breaks if start < index < end]
        if inside:
            self.style.groups.append(Group(start, end, inside, **how))

    # ------------------------------------------------------------ clauses

    def clause(self, element: nodes.Node) -> None:
        """The whole of it: annotations above, guards and the like below."""
        annotations: Sequence[nodes.Node] = getattr(element, "annotations", ())
        begin = self.first
        if annotations:
            starts = [self.behind(annotation) for annotation in annotations]
            broken = any(self.ends_line(index) for index in starts if index < self.last)
            self.group(self.first, self.last, starts, nest=0, forced=broken)
            begin = starts[-1]
        kind = type(element).__name__
        words = _CLAUSE_BREAKS.get(kind, ())
        if not words:
            return
        inner = [(child.span.start, child.span.end) for child in head(element)]
        breaks = []
        index = begin + 1
        for start, end in [*sorted(inner), (self.source.tokens[self.last - 1].end,) * 2]:
            stop = min(self.token(start), self.last)
            breaks += [one for one in range(index, stop) if self.text(one) in words]
            index = max(index, self.token(end))
        if kind == "Signal":
            breaks = [self.token(one.span.start) for one in getattr(element, "indications", ())]
        forced = kind in _KEPT and any(self.ends_line(one) for one in breaks)
        self.group(begin, self.last, breaks, nest=self.nest, forced=forced)

    # ------------------------------------------------------------ expressions

    def chain(self, top: nodes.Binary) -> list[nodes.Node]:
        """Operators that bind alike; its operands are given back."""
        level = PRECEDENCE[top.op]
        operands: list[nodes.Node] = []
        breaks = []
        stack: list[nodes.Node] = [top]
        while stack:
            node = stack.pop()
            if isinstance(node, nodes.Binary) and PRECEDENCE[node.op] == level:
                breaks.append(self.token(node.op_span.start))
                stack += (node.right, node.left)
            else:
                operands.append(node)
        self.group(self.token(top.span.start), self.behind(top), sorted(breaks), hang=True)
        return operands

    def conditional(self, top: nodes.Conditional) -> list[nodes.Node]:
        """`if ... else if ... else`, with a group for each condition and its value."""
        parts: list[nodes.Node] = []
        breaks = []
        node: nodes.Node = top
        while isinstance(node, nodes.Conditional):
            then = self.token(node.then.span.start) - 1
            self.group(self.token(node.span.start), self.behind(node.then), [then], hang=True)
            breaks.append(self.token(node.otherwise.span.start) - 1)
            parts += (node.condition, node.then)
            node = node.otherwise
        parts.append(node)
        self.group(self.token(top.span.start), self.behind(top), breaks, hang=True)
        return parts

    # ------------------------------------------------------------ the rest

    def node(self, node: nodes.Node, children: Sequence[nodes.Node]) -> None:
        kind = type(node).__name__
        if kind in _LISTS:
            self.sequence(getattr(node, _LISTS[kind]))
        if kind in _BRACKETS:
            self.brackets(node, kind, getattr(node, _BRACKETS[kind]))
        value = getattr(node, _VALUES[kind], None) if kind in _VALUES else None
        if value is not None and not isinstance(value, nodes.LogSource | nodes.PythonSource):
            start = self.token(value.span.start)
            self.group(start - 1, self.behind(value), [start], value=True)
        if isinstance(node, nodes.Parenthesis):
            start, end = self.token(node.span.start), self.behind(node)
            self.group(start, end, [start + 1, end - 1], closing=end - 1)
        elif isinstance(node, nodes.Unary) and node.op == "-":
            self.style.stuck.add(self.token(node.span.start))
        elif isinstance(node, nodes.Range):
            self.range(node)
        elif isinstance(node, nodes.Indication):
            when = self.token(node.condition.span.start) - 1
            self.group(self.token(node.span.start), self.behind(node), [when])

    def sequence(self, items: Sequence[nodes.Node]) -> None:
        """Items between commas without brackets around them."""
        if items:
            starts = [self.token(item.span.start) for item in items]
            self.group(starts[0], self.behind(items[-1]), starts[1:], fill=True)

    def brackets(self, node: nodes.Node, kind: str, items: Sequence[nodes.Node]) -> None:
        opening = self.opening(node, kind, items)
        if opening < 0:
            return
        if self.text(opening) == "(":
            self.style.close.add(opening)
        closing = self.behind(items[-1]) if items else opening + 1
        if kind in ("EnumType", "Import"):
            self.style.stuck.add(opening)
            self.style.close.add(closing)
        if items:
            starts = [self.token(item.span.start) for item in items]
            kept = kind in _KEPT and self.ends_line(opening + 1)
            self.group(
                opening, closing + 1, [*starts, closing], closing=closing, fill=kind in _FILLED, forced=kept
            )

    def opening(self, node: nodes.Node, kind: str, items: Sequence[nodes.Node]) -> int:
        if items:
            return self.token(items[0].span.start) - 1
        if kind == "EnumType":
            return self.token(node.span.start)
        if kind == "Call":
            return self.token(node.span.start) + 1
        if kind in ("UseItem", "Import", "ExpectSafe"):
            return -1
        named: nodes.Node = next(getattr(node, one) for one in _NAMED if hasattr(node, one))
        index = self.behind(named)
        return index if self.text(index) == "(" else -1

    def range(self, node: nodes.Range) -> None:
        """`1..64`, but `0 B .. 4 GiB` and `1 .. n + 1`."""
        dots = self.token(node.high.span.start) - 1
        if simple(node.low) and simple(node.high):
            self.style.close.add(dots)
            self.style.stuck.add(dots)


def simple(node: nodes.Expression) -> bool:
    """Whether an expression is written without blanks, but for those between brackets."""
    if isinstance(node, nodes.Unary):
        return node.op == "-" and simple(node.operand)
    if isinstance(node, nodes.Quantity):
        return node.unit in (None, "%")
    return isinstance(node, nodes.Boolean | nodes.Reference | nodes.Call | nodes.Parenthesis)
