"""The structure of an application in the language of Graphviz."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap

from lpcl.compose.render.drawing import Arrow, Drawing, Frame, Node, drawing
from lpcl.compose.render.figures import Document
from lpcl.compose.render.markup import shown

WIDTH = 48
_NODES = {
    "": 'fillcolor="#f6f8fa" color="#57606a"',
    "hot": 'fillcolor="#e8f1fc" color="#0b5cad" penwidth=2',
    "idle": 'fillcolor="#ffffff" color="#8b949e" fontcolor="#57606a" style="rounded,filled,dashed"',
}
_FRAMES = {
    "": 'color="#3b78c3" penwidth=2',
    "hot": 'color="#b3261e" fontcolor="#b3261e" penwidth=2',
    "idle": 'color="#8b949e" fontcolor="#57606a" style="dashed"',
}


def render(document: Document) -> str:
    """The graph, ending in a newline."""
    return "\n".join(_graph(drawing(document))) + "\n"


def _graph(made: Drawing) -> Iterator[str]:
    yield "digraph composition {"
    yield f"  label={_text([made.title, made.verdict])} labelloc=t fontname={_text(['sans-serif'])}"
    yield '  node [shape=box style="rounded,filled" fontname="sans-serif" fontsize=11]'
    yield '  edge [fontname="sans-serif" fontsize=10 color="#57606a"]'
    if made.loads:
        lines = [line for line, _ in made.loads]
        wrong = any(too_much for _, too_much in made.loads)
        colours = 'fillcolor="#fdeceb" color="#b3261e"' if wrong else 'fillcolor="#e8f6ec" color="#1a6b35"'
        yield f"  loads [shape=note style=filled {colours} label={_text(lines, left=True)}]"
    for frame in made.frames:
        yield from _frame(frame, "  ")
    for arrow in made.arrows:
        yield f"  {_arrow(arrow)}"
    yield "}"


def _frame(frame: Frame, indent: str) -> Iterator[str]:
    yield f"{indent}subgraph cluster_{frame.id} {{"
    yield f"{indent}  label={_text(frame.lines, left=True)} labeljust=l {_FRAMES[frame.state]}"
    for node in frame.nodes:
        yield f"{indent}  {_node(node)}"
    for inner in frame.frames:
        yield from _frame(inner, indent + "  ")
    yield f"{indent}}}"


def _node(node: Node) -> str:
    return f"{node.id} [{_NODES[node.state]} label={_text(node.lines)}]"


def _arrow(arrow: Arrow) -> str:
    style = {"then": " style=dotted", "beside": " style=dashed dir=none constraint=false"}.get(arrow.kind, "")
    return f"{arrow.start} -> {arrow.end} [label={_text([arrow.label])}{style}]"


def _text(lines: Sequence[str], *, left: bool = False) -> str:
    """Lines, broken where they are long, as a quoted string in which only the ends of lines are escapes."""
    end = "\\l" if left else "\\n"
    broken = [part for line in lines for part in wrap(shown(line), WIDTH, break_on_hyphens=False) or [""]]
    quoted = [part.replace("\\", "\\\\").replace('"', '\\"').replace("&", "&amp;") for part in broken]
    return '"' + end.join(quoted) + (end if left else "") + '"'
