"""The structure of an application in the language of Mermaid."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from lpcl.compose.render.drawing import Arrow, Drawing, Frame, drawing
from lpcl.compose.render.figures import Document
from lpcl.compose.render.markup import shown

_PLAIN = re.compile(r"[^A-Za-z0-9 .,:_()/*+=%-]")


def render(document: Document) -> str:
    """The flowchart, ending in a newline."""
    return "\n".join(_graph(drawing(document))) + "\n"


def _graph(made: Drawing) -> Iterator[str]:
    yield "flowchart TD"
    state: dict[str, list[str]] = {}
    lines = [made.title, made.verdict, *(line for line, _ in made.loads)]
    yield f"  loads[{_text(lines)}]"
    state["toomuch" if any(too_much for _, too_much in made.loads) else "fits"] = ["loads"]
    for frame in made.frames:
        yield from _frame(frame, "  ", state)
    for arrow in made.arrows:
        yield f"  {_arrow(arrow)}"
    yield "  classDef toomuch fill:#fdeceb,stroke:#b3261e,color:#1c2128"
    yield "  classDef fits fill:#e8f6ec,stroke:#1a6b35,color:#1c2128"
    yield "  classDef hot fill:#e8f1fc,stroke:#0b5cad,stroke-width:2px,color:#1c2128"
    yield "  classDef idle fill:#ffffff,stroke:#8b949e,stroke-dasharray:4,color:#57606a"
    for name, ids in state.items():
        yield f"  class {','.join(ids)} {name}"


def _frame(frame: Frame, indent: str, state: dict[str, list[str]]) -> Iterator[str]:
    yield f"{indent}subgraph {frame.id}[{_text([': '.join(frame.lines)])}]"
    if frame.state:
        state.setdefault("toomuch" if frame.state == "hot" else frame.state, []).append(frame.id)
    for node in frame.nodes:
        if node.state:
            state.setdefault(node.state, []).append(node.id)
        yield f"{indent}  {node.id}[{_text(node.lines)}]"
    for inner in frame.frames:
        yield from _frame(inner, indent + "  ", state)
    yield f"{indent}end"


def _arrow(arrow: Arrow) -> str:
    line = {"then": "-.->", "beside": "-.-"}.get(arrow.kind, "-->")
    return f"{arrow.start} {line}|{_text([arrow.label])}| {arrow.end}"


def _text(lines: Sequence[str]) -> str:
    """Lines in quotes in which only letters, digits and harmless marks stand for themselves."""
    quoted = [_PLAIN.sub(lambda found: f"#{ord(found[0])};", " ".join(shown(line).split())) for line in lines]
    return '"' + "<br/>".join(quoted) + '"'
