"""Declarations in words: their signatures, and the Markdown that explains them."""

from __future__ import annotations

from collections.abc import Iterator

from lpcl.syntax import nodes
from lsp_server.surroundings import MEMBERS, Named, Surroundings
from lsp_server.this_machine import default, value_here, written

_LONGEST = 24


def code(text: str) -> str:
    """A piece of LPCL as Markdown shows it."""
    return f"```lpcl\n{text}\n```"


def inline(text: str) -> str:
    """Code within a line, whatever it holds."""
    flat = " ".join(text.split())
    return f"`` {flat} ``" if "`" in flat else f"`{flat}`"


def signature(item: Named) -> str:
    """A declaration without its block."""
    text, node = item.file.text, item.node
    match node:
        case nodes.Control():
            return f"control {text[node.name.span.start : node.type.span.end]}"
        case nodes.Operation():
            return f"operation {text[node.name.span.start : _end_of_parameters(text, node)]}"
        case nodes.Signal():
            return f"signal {text[node.name.span.start : node.type.span.end]}"
        case nodes.Parameter() | nodes.Let():
            return text[node.span.start : node.span.end]
        case nodes.Uses() | nodes.Package() | nodes.Import():
            return text[_start(node) : node.span.end]
        case nodes.Contract() | nodes.Interface():
            last = node.interfaces[-1] if isinstance(node, nodes.Contract) and node.interfaces else node.base
            return f"{item.kind} {text[node.name.span.start : (last or node.name).span.end]}"
        case nodes.Resource():
            return f"resource {text[node.name.span.start : node.type.span.end]}"
    return f"{item.kind} {item.name}"


def _end_of_parameters(text: str, node: nodes.Operation) -> int:
    if not node.parameters:
        return node.name.span.end
    end = text.find(")", node.parameters[-1].span.end, node.span.end)
    return end + 1 if end >= 0 else node.parameters[-1].span.end


def _start(node: nodes.Node) -> int:
    """Where a declaration begins, its annotations left out."""
    annotations: tuple[nodes.Annotation, ...] = getattr(node, "annotations", ())
    return annotations[-1].span.end + 1 if annotations else node.span.start


def source(item: Named) -> str:
    """The whole text of a declaration, or its signature where that is long."""
    text = item.file.text[_start(item.node) : item.node.span.end].strip()
    lines = text.splitlines()
    if len(lines) > _LONGEST:
        return signature(item)
    margin = min((len(line) - len(line.lstrip()) for line in lines[1:] if line.strip()), default=0)
    return "\n".join([lines[0], *(line[margin:] for line in lines[1:])]) if lines else text


def explanation(here: Surroundings, item: Named) -> str:
    """All that hover says about a declaration."""
    whole = isinstance(item.node, nodes.Pool | nodes.Resource | nodes.Machine | nodes.Signal)
    parts = [code(source(item) if whole else signature(item)), _home(item)]
    parts += [item.node.doc or "", *_facts(item.node)]
    match item.node:
        case nodes.Control():
            parts += _control(_inside(here, item), item, item.node)
        case nodes.Let() as node:
            parts.append(_here(_inside(here, item), item, node.value, None))
        case nodes.Contract() | nodes.Interface():
            parts += _summary(here, item)
    return "\n\n".join(part for part in parts if part)


def _inside(here: Surroundings, item: Named) -> Surroundings:
    """The place of a declaration's own names, which need not be those of the place that refers to it."""
    if item.owner is None or item.owner is here.contract:
        return here
    return Surroundings(here.view, item.owner.declared)


def _home(item: Named) -> str:
    place = {"project": "", "stdlib": "standard contracts"}.get(item.file.origin, item.file.origin)
    inside = item.owner is not None and item.owner.declared.node is not item.node
    owner = item.owner.declared.qualified if item.owner is not None and inside else item.file.package
    words = [f"*{owner}*" if owner else "", place]
    return " · ".join(word for word in words if word)


def _facts(node: nodes.Node) -> Iterator[str]:
    """What the annotations say."""
    annotations: tuple[nodes.Annotation, ...] = getattr(node, "annotations", ())
    for item in annotations:
        args = [arg.value for arg in item.args]
        match item.name.text, args:
            case "source", [title, address]:
                yield f"Source: [{title}]({address})"
            case "source", [title]:
                yield f"Source: {title}"
            case "measured", [_, *_]:
                yield f"Measured on {', '.join(args)}"
            case "since", [version]:
                yield f"Since {version}"
            case "deprecated", _:
                yield f"**Deprecated**{': ' + args[0] if args else ''}"


def _control(here: Surroundings, item: Named, node: nodes.Control) -> Iterator[str]:
    ways = list(ways_to_set(node))
    if ways:
        yield "Set by, the first that applies:"
        yield "\n".join(f"{number}. {way}" for number, way in enumerate(ways, 1))
    expression = default(node)
    if expression is not None:
        yield _default(here, item, node, expression)
    elif node.clauses:
        yield "No default."
    rest = [text for clause in node.clauses if (text := _remark(clause))]
    if rest:
        yield " · ".join(rest)


def ways_to_set(node: nodes.Control) -> Iterator[str]:
    """The ways to set a control, in order of precedence."""
    for clause in node.clauses:
        if isinstance(clause, nodes.ArgumentSource):
            yield f"argument {inline(clause.text.value)}"
    for clause in node.clauses:
        if isinstance(clause, nodes.ApiSource):
            yield f"call {inline(clause.text.value)}"
    for clause in node.clauses:
        if isinstance(clause, nodes.EnvSource):
            yield from (f"variable {inline(name.text)}" for name in clause.names)
    for clause in node.clauses:
        if isinstance(clause, nodes.ConfigSource):
            yield f"configuration {inline(clause.text.value)}"


_OUTCOMES = {
    "rejects": "are errors",
    "clamps": "are clamped",
    "clamps above": "are clamped where they are too large, else ignored",
    "ignored": "are ignored",
}

_FORMS = {
    "digits": "the digits at the beginning of its text",
    "first": "the first of numbers with commas between",
    "second": "the second of numbers with commas between",
}


def _remark(clause: nodes.ControlClause) -> str:
    match clause:
        case nodes.Read():
            return f"read at {' '.join(clause.moment.split())}"
        case nodes.Invalid():
            policy = " ".join(clause.policy.split())
            return f"invalid values {_OUTCOMES.get(policy, policy)}"
        case nodes.TextForm():
            return f"read as {_FORMS[clause.form.split()[0]]}"
        case nodes.Scope():
            return f"scope {clause.reach}"
    return ""


def _default(here: Surroundings, item: Named, node: nodes.Control, expression: nodes.Expression) -> str:
    text = inline(item.file.text[expression.span.start : expression.span.end])
    if isinstance(expression, nodes.Quantity | nodes.Boolean | nodes.Text):
        return f"Default {text}"
    value = value_here(here, expression, item.file)
    if value is None:
        return f"Default {text}"
    return f"Default {text} = **{written(value, node.type)}** on this machine"


def _here(here: Surroundings, item: Named, expression: nodes.Expression, kind: nodes.Type | None) -> str:
    value = value_here(here, expression, item.file)
    if value is None or isinstance(expression, nodes.Quantity | nodes.Boolean | nodes.Text):
        return ""
    return f"= **{written(value, kind)}** on this machine, where nothing is set"


def _summary(here: Surroundings, item: Named) -> Iterator[str]:
    declared = next(
        (
            found
            for items in here.view.workspace.program.declarations.values()
            for found in items
            if found.node is item.node
        ),
        None,
    )
    if declared is None:
        return
    contract = here.view.names.contract(declared)
    lines = []
    for kind in MEMBERS:
        names = [member.name for member in here.members(contract, kind)]
        if names and kind != "let":
            lines.append(f"- {kind}: {', '.join(inline(name) for name in names)}")
    yield "\n".join(lines)
