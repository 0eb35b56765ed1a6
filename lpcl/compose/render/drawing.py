"""The structure as nodes, frames and arrows, for the languages of graphs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import Any

from lpcl.compose.render.figures import Document, asked, counted, figure, is_over, resource_name
from lpcl.compose.render.picture import (
    OMITTED,
    doing,
    holding,
    load,
    name_of,
    process_load,
    pruned,
    started_process,
)
from lpcl.compose.sums import placed

MOST_NODES = 60
"""More nodes than this nobody finds anything in."""


@dataclass(frozen=True, slots=True)
class Node:
    """An operation, or what stands for several that are left out. `state` is ``hot``, ``idle`` or empty."""

    id: str
    lines: tuple[str, ...]
    state: str = ""


@dataclass(frozen=True, slots=True)
class Arrow:
    """Between two nodes. `kind` is ``calls``, also for what is started, ``then`` for a statement and the next
    one, or ``beside`` for two at the same time.
    """

    start: str
    end: str
    label: str
    kind: str = "calls"


@dataclass(slots=True)
class Frame:
    """A process with what is in it."""

    id: str
    lines: tuple[str, ...]
    state: str = ""
    nodes: list[Node] = field(default_factory=list)
    frames: list[Frame] = field(default_factory=list)


@dataclass(slots=True)
class Drawing:
    """A title and the verdict, what the machine must bear, the processes and all arrows."""

    title: str
    verdict: str
    loads: list[tuple[str, bool]]
    frames: list[Frame] = field(default_factory=list)
    arrows: list[Arrow] = field(default_factory=list)


def drawing(document: Document) -> Drawing:
    """The whole picture of a document."""
    machine = document["machine"]
    cpus = "" if machine["cpus"] is None else f", {counted(machine['cpus'], 'CPU')}"
    verdict = document["verdict"]["text"].replace("`", "")
    made = Drawing(f"{document['title']} on {machine['name']}{cpus}", verdict, list(_loads(document)))
    draw = _Draw(document, made)
    for process in pruned(document["structure"], MOST_NODES)["processes"]:
        made.frames.append(draw.process(process))
    return made


def _loads(document: Document) -> Iterator[tuple[str, bool]]:
    for item in document["demands"]:
        if Fraction(item["high"]) or is_over(item) != "within":
            where = "" if item["where"] == "machine" else f" {placed(item['where'])}"
            state = {"over": ": too much", "possibly": ": possibly too much", "within": ""}[is_over(item)]
            beside = item["background"]
            others = f" and {figure(beside, item['unit'])} of others" if beside else ""
            what = f"{resource_name(document, item['resource'])}{where}: {asked(item)}{others}"
            yield f"{what} of {figure(item['capacity'], item['unit'])}{state}", bool(state)


class _Draw:
    def __init__(self, document: Document, made: Drawing) -> None:
        self._document = document
        self._made = made
        self._count = 0

    def _next(self, letter: str) -> str:
        self._count += 1
        return f"{letter}{self._count}"

    def process(self, process: Document) -> Frame:
        return self._process(process)[0]

    def _process(self, process: Document) -> tuple[Frame, list[str]]:
        hot = process["copies"] and Fraction(process["runnable"]) > Fraction(process["cpus"])
        pinned = f", pinned to {counted(process['cpus'], 'CPU')}" if process["pinned"] else ""
        title = f"{process['name']}{pinned}"
        state = "hot" if hot else "" if process["copies"] else "idle"
        frame = Frame(self._next("p"), (title, process_load(process)), state)
        entries = self._steps(process["steps"], frame)
        if not entries:
            empty = Node(self._next("n"), ("nothing of its own",), "idle")
            frame.nodes.append(empty)
            entries = [empty.id]
        return frame, entries

    def _steps(self, steps: Any, frame: Frame) -> list[str]:
        """Draw statements one after the other; the nodes with which they begin."""
        first: list[str] = []
        before: list[str] = []
        for step in steps:
            entries = self._step(step, frame)
            first = first or entries
            self._made.arrows.extend(Arrow(start, end, "then", "then") for start in before for end in entries)
            before = entries[:1]
        return first

    def _step(self, step: Document, frame: Frame) -> list[str]:
        if step["kind"] == "together":
            found = [entry for member in step["members"] for entry in self._steps(member, frame)[:1]]
            self._made.arrows.extend(
                Arrow(one, other, "at the same time", "beside") for one, other in pairwise(found)
            )
            return found
        if step["kind"] == OMITTED:
            node = Node(self._next("n"), (f"and {counted(step['count'], 'more operation')}",), "idle")
            frame.nodes.append(node)
            return [node.id]
        return [self._operation(step, frame)]

    def _operation(self, operation: Document, frame: Frame) -> str:
        shown, held = load(operation), holding(self._document, operation["holds"])
        holds = "holds" if operation["callers"] else "would hold"
        lines = [name_of(operation), doing(operation), *([f"{holds}: {held}"] if held else []), shown]
        state = "idle" if not operation["callers"] else "hot" if operation["runnable"] else ""
        node = Node(self._next("n"), tuple(line for line in lines if line), state)
        frame.nodes.append(node)
        process = started_process(operation)
        if process is not None:
            inner, entries = self._process(process)
            frame.frames.append(inner)
            label = f"starts {figure(process['copies'])}"
        else:
            entries = self._steps(operation["steps"], frame)
            label = "runs" if operation["workers"] or operation["pool"] else "calls"
        self._made.arrows.extend(Arrow(node.id, entry, label) for entry in entries[:1])
        return node.id
