"""Things that refer to themselves in a circle: imports, `extends`, `uses`, definitions and calls."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from lpcl.check.context import Context, label
from lpcl.model import contracts
from lpcl.model.program import Declared, Mark, Program, SourceFile
from lpcl.syntax import nodes
from lpcl.syntax.span import Span

KeyT = TypeVar("KeyT", bound=Hashable)


@dataclass(frozen=True, slots=True)
class _Edge:
    """One step of a circle: where it is written, and what it leads to."""

    file: SourceFile
    span: Span
    name: str


_Place = tuple[int, str]
"""A declaration, or a part of one, by the identity of its node and its name. Trees are never compared."""


def _place(declared: Declared) -> _Place:
    return id(declared.node), declared.name


def circles(graph: Mapping[KeyT, Mapping[KeyT, _Edge]]) -> Iterator[list[KeyT]]:
    """One circle for each group of nodes that lie on circles together, in the order of the graph."""
    order = {key: number for number, key in enumerate(graph)}
    done: set[KeyT] = set()
    for start in graph:
        if start in done:
            continue
        path = _back_to(graph, start)
        if path is not None:
            done.update(path)
            least = min(range(len(path)), key=lambda index: order[path[index]])
            yield path[least:] + path[:least]


def _back_to(graph: Mapping[KeyT, Mapping[KeyT, _Edge]], start: KeyT) -> list[KeyT] | None:
    """The shortest way from `start` to itself."""
    before: dict[KeyT, KeyT] = {}
    queue = [start]
    for key in queue:
        for following in graph.get(key, {}):
            if following == start:
                path = [key]
                while path[-1] != start:
                    path.append(before[path[-1]])
                return path[::-1]
            if following not in before and following in graph:
                before[following] = key
                queue.append(following)
    return None


def _report(
    context: Context,
    targets: set[SourceFile],
    code: str,
    graph: Mapping[KeyT, Mapping[KeyT, _Edge]],
    headline: Callable[[str], str],
    remark: str,
    help_text: str,
    name: Callable[[KeyT], str],
) -> None:
    for circle in circles(graph):
        steps = [graph[key][circle[(number + 1) % len(circle)]] for number, key in enumerate(circle)]
        first = next((number for number, step in enumerate(steps) if step.file in targets), None)
        if first is None:
            continue
        circle, steps = circle[first:] + circle[:first], steps[first:] + steps[:first]
        names = [name(key) for key in circle]
        context.report(
            code,
            steps[0].file,
            steps[0].span,
            headline(names[0]),
            labels=[label(step.file, step.span, f"{remark} `{step.name}`") for step in steps[1:]],
            notes=["the circle is " + " -> ".join(f"`{item}`" for item in (*names, names[0]))],
            help_text=help_text,
        )


def check(context: Context, targets: Iterable[SourceFile]) -> None:
    """Report each circle that passes through one of the `targets`."""
    wanted = set(targets)
    if _circular_packages(context.answers.program):
        _imports(context, wanted)
    declared = [item for items in context.answers.program.declarations.values() for item in items]
    if not _may_be_circular(context, declared):
        return
    libraries = [item for item in declared if isinstance(item.node, nodes.Contract | nodes.Interface)]
    _report(
        context,
        wanted,
        "cyclic-extends",
        _extends(context, libraries),
        lambda name: f"`{name}` extends itself",
        "extends",
        "move what they share into a base of its own",
        lambda key: key[1],
    )
    _report(
        context,
        wanted,
        "cyclic-uses",
        _uses(context, libraries),
        lambda name: f"`{name}` uses itself",
        "uses",
        "a library is loaded by those that use it: remove one of the dependencies",
        lambda key: key[1],
    )
    _report(
        context,
        wanted,
        "cyclic-value",
        _definitions(context, declared),
        lambda name: f"`{name}` is defined by itself",
        "refers to",
        "give one of them a value of its own",
        lambda key: key[1],
    )
    _report(
        context,
        wanted,
        "cyclic-call",
        _calls(context, libraries),
        lambda name: f"the operation `{name}` calls itself",
        "calls",
        "an operation says what is done at one moment: leave the repetition out",
        lambda key: key[1],
    )


def _circular_packages(program: Program) -> bool:
    """Whether packages import each other in a circle, as they do where files do."""
    graph: dict[str, set[str]] = {}
    for file in program.files:
        edges = graph.setdefault(file.package, set())
        for item in file.imports:
            edges.add(item.path if item.star or item.names else item.path.rpartition(".")[0])
        edges.discard(file.package)
    return _has_circle(graph)


def _may_be_circular(context: Context, declared: list[Declared]) -> bool:
    """Whether there may be a circle: within one declaration, or in what they extend and use.

    All other circles that pass through several declarations follow these.
    """
    graph: dict[Mark, tuple[Mark, ...]] = {}
    for item in declared:
        if isinstance(item.bare, nodes.Contract | nodes.Interface | nodes.Application):
            work = partial(_steps, context, item)
            inside, graph[item.mark] = context.unit("cycles", item.file, item.placed, item.index, work)
            if inside:
                return True
    return _has_circle(graph)


def _steps(context: Context, item: Declared) -> tuple[bool, tuple[Mark, ...]]:
    """Whether a declaration has a circle in itself, and the declarations that it extends and uses."""
    inside = any(circles(_definitions(context, [item])))
    if not isinstance(item.node, nodes.Contract | nodes.Interface):
        return inside, ()
    inside = inside or any(circles(_calls(context, [item])))
    base = context.program.find(item.file, item.node.base.path) if item.node.base is not None else None
    used = [context.dependency(clause).provider for clause in context.contract(item).uses.values()]
    return inside, tuple(found.mark for found in (base, *used) if found is not None)


def _has_circle(graph: Mapping[KeyT, Collection[KeyT]]) -> bool:
    """Whether some way along a graph comes back to where it began."""
    waiting = {key: sum(other in graph for other in edges) for key, edges in graph.items()}
    leading: dict[KeyT, list[KeyT]] = {}
    for key, edges in graph.items():
        for other in edges:
            leading.setdefault(other, []).append(key)
    done = [key for key, number in waiting.items() if not number]
    for key in done:
        for other in leading.get(key, ()):
            waiting[other] -= 1
            if not waiting[other]:
                done.append(other)
    return len(done) < len(graph)


def _imports(context: Context, targets: set[SourceFile]) -> None:
    graph: dict[SourceFile, dict[SourceFile, _Edge]] = {}
    for file in context.program.files:
        edges: dict[SourceFile, _Edge] = {}
        used: set[str] | None = None
        for item in file.imports:
            brought = context.program.imported(file, item)
            if item.star and brought:
                used = used if used is not None else _names_used(context, file)
                brought = {name: found for name, found in brought.items() if name in used}
            for found in brought.values():
                if found.file is not file and found.file.package != file.package:
                    edges.setdefault(found.file, _Edge(file, item.span, found.file.path))
        graph[file] = edges
    _report(
        context,
        targets,
        "cyclic-import",
        graph,
        lambda name: f"`{name}` imports itself through other files",
        "imports",
        "move what both need into a package that both import",
        lambda file: file.path,
    )


def _names_used(context: Context, file: SourceFile) -> set[str]:
    """The first parts of all names that a file refers to."""
    names: set[str] = set()
    for item in file.parsed.file.items:
        names.update(node.path.partition(".")[0] for node in context.below(item, nodes.Ref))
        names.update(node.path.partition(".")[0] for node in context.below(item, nodes.Reference))
        names.update(node.name.text for node in context.below(item, nodes.Uses))
    return names


def _extends(context: Context, libraries: list[Declared]) -> dict[_Place, dict[_Place, _Edge]]:
    graph: dict[_Place, dict[_Place, _Edge]] = {}
    for item in libraries:
        assert isinstance(item.node, nodes.Contract | nodes.Interface)
        base = item.node.base
        found = context.program.find(item.file, base.path) if base is not None else None
        edges = {_place(found): _Edge(item.file, base.span, found.name)} if base and found else {}
        graph[_place(item)] = edges
    return graph


def _uses(context: Context, libraries: list[Declared]) -> dict[_Place, dict[_Place, _Edge]]:
    graph: dict[_Place, dict[_Place, _Edge]] = {}
    for item in libraries:
        edges: dict[_Place, _Edge] = {}
        for clause in context.contract(item).uses.values():
            target = context.dependency(clause)
            provider = target.provider
            if provider is not None:
                edges.setdefault(_place(provider), _Edge(clause.file, clause.node.span, provider.name))
        graph[_place(item)] = edges
    return graph


# ------------------------------------------------------------------ definitions


def _definitions(context: Context, declared: list[Declared]) -> dict[_Place, dict[_Place, _Edge]]:
    graph: dict[_Place, dict[_Place, _Edge]] = {}
    for item in declared:
        if isinstance(item.node, nodes.Contract | nodes.Interface):
            _contract_values(context, item, graph)
        elif isinstance(item.node, nodes.Application):
            owner = id(item.node)
            values: dict[str, list[nodes.Expression]] = {}
            for member in item.node.members:
                if isinstance(member, nodes.Let):
                    values.setdefault(member.name.text, [member.value])
                elif isinstance(member, nodes.Control):
                    values.setdefault(member.name.text, _defaults(member))
            for name, expressions in values.items():
                edges = _edges(item.file, expressions, {key: (owner, key) for key in values})
                graph[(owner, name)] = edges
    return graph


def _defaults(control: nodes.Control) -> list[nodes.Expression]:
    return [clause.value for clause in control.clauses if isinstance(clause, nodes.Default)]


def _contract_values(context: Context, item: Declared, graph: dict[_Place, dict[_Place, _Edge]]) -> None:
    contract = context.contract(item)
    owner = id(item.node)
    known: dict[str, _Place] = {name: (owner, name) for name in (*contract.controls, *contract.lets)}
    for holder, clause in contract.uses.items():
        seen = context.dependency(clause).provider
        if seen is not None:
            target = context.contract(seen)
            known.update({f"{holder}.{name}": (id(seen.node), name) for name in target.controls})
    for name, let in contract.lets.items():
        graph[(owner, name)] = _edges(let.file, [let.node.value], known)
    for name, control in contract.controls.items():
        graph[(owner, name)] = _edges(control.file, _defaults(control.node), known)
    for operation in contract.operations.values():
        inner = id(operation.node)
        lets = [clause for clause in operation.node.clauses if isinstance(clause, nodes.Let)]
        places = dict(known)
        for parameter in operation.node.parameters:
            default = [parameter.default] if parameter.default is not None else []
            graph[(inner, parameter.name.text)] = _edges(operation.file, default, places)
            places[parameter.name.text] = (inner, parameter.name.text)
        places.update({item.name.text: (inner, item.name.text) for item in lets})
        for own in lets:
            graph[(inner, own.name.text)] = _edges(operation.file, [own.value], places)


def _edges(
    file: SourceFile, expressions: list[nodes.Expression], known: Mapping[str, _Place]
) -> dict[_Place, _Edge]:
    edges: dict[_Place, _Edge] = {}
    for expression in expressions:
        for node in _read(expression):
            place = known.get(node.path)
            if place is not None:
                edges.setdefault(place, _Edge(file, node.span, node.path))
    return edges


def _read(expression: nodes.Expression) -> Iterator[nodes.Reference]:
    """The names whose values an expression needs; `defined(x)` and `loaded(x)` ask for no value."""
    stack: list[nodes.Node] = [expression]
    while stack:
        node = stack.pop()
        if isinstance(node, nodes.Reference):
            yield node
        elif not (isinstance(node, nodes.Call) and node.function in ("defined", "loaded")):
            stack.extend(reversed(list(node.children())))


def _calls(context: Context, libraries: list[Declared]) -> dict[_Place, dict[_Place, _Edge]]:
    graph: dict[_Place, dict[_Place, _Edge]] = {}
    for item in libraries:
        contract = context.contract(item)
        for name, operation in contract.operations.items():
            edges: dict[_Place, _Edge] = {}
            for clause in operation.node.clauses:
                if isinstance(clause, nodes.Calls):
                    target = _called(context, contract, clause.target.path)
                    if target is not None:
                        edges.setdefault(
                            target, _Edge(operation.file, clause.target.span, clause.target.path)
                        )
            graph[(id(item.node), name)] = edges
    return graph


def _called(context: Context, contract: contracts.Contract, path: str) -> _Place | None:
    holder, _, name = path.rpartition(".")
    if not holder:
        return (id(contract.declared.node), name) if name in contract.operations else None
    clause = contract.uses.get(holder)
    found = context.dependency(clause).provider if clause is not None else None
    return (id(found.node), name) if found is not None else None
