"""What a word in a text refers to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields

from lpcl.model import types
from lpcl.model.contracts import Contract
from lpcl.model.machine import DERIVED, FACTS
from lpcl.model.measurements import MEASUREMENTS
from lpcl.syntax import nodes
from lpcl.syntax.span import Span
from lsp_server import vocabulary
from lsp_server.surroundings import MEMBERS, Named, Surroundings, around, chain, members_of, named
from lsp_server.views import View


@dataclass(frozen=True, slots=True)
class Target:
    """What is meant, where it is said, and the declarations that say more, the best first.

    `kind` is a declaration's word (``control``), or ``package``, ``variable``, ``fact``, ``measurement``,
    ``function``, ``annotation``, ``type``, ``enumerator`` or ``host``.
    """

    kind: str
    name: str
    span: Span
    found: tuple[Named, ...] = ()


_RESOURCE, _CONTROL, _POOL, _CONTRACT = ("resource",), ("control",), ("pool",), ("contract",)

_KINDS: Mapping[tuple[type[nodes.Node], str], tuple[str, ...]] = {
    (nodes.Demand, "resource"): _RESOURCE,
    (nodes.Indication, "resource"): _RESOURCE,
    (nodes.Background, "resource"): _RESOURCE,
    (nodes.ExpectOvercommit, "resource"): _RESOURCE,
    (nodes.ExpectNo, "resource"): _RESOURCE,
    (nodes.ExpectSafe, "resource"): _RESOURCE,
    (nodes.ExpectDemand, "resource"): _RESOURCE,
    (nodes.Limit, "target"): _CONTROL,
    (nodes.LimitBlock, "target"): _CONTROL,
    (nodes.Scales, "control"): _CONTROL,
    (nodes.ExpectResolved, "target"): _CONTROL,
    (nodes.Setting, "target"): (*_CONTROL, "variable"),
    (nodes.RunsOn, "pool"): _POOL,
    (nodes.ExpectSerialized, "pool"): _POOL,
    (nodes.Calls, "target"): ("operation",),
    (nodes.Invocation, "operation"): ("operation",),
    (nodes.Evidence, "subjects"): tuple(MEMBERS),
}
"""What a `Ref` in this attribute refers to; in all others it is a declaration."""


def target(view: View, offset: int) -> Target | None:
    """What the word at an offset refers to, or None."""
    nodes_around = chain(view.file.parsed.file, offset)
    return _Reader(view, nodes_around, offset).read() if nodes_around else None


class _Reader:
    def __init__(self, view: View, nodes_around: list[nodes.Node], offset: int) -> None:
        self.view = view
        self.chain = nodes_around
        self.offset = offset
        self.here: Surroundings = around(view, nodes_around)
        self.node = nodes_around[-1]
        self.parent = nodes_around[-2] if len(nodes_around) > 1 else None

    def read(self) -> Target | None:
        node = self.node
        match node:
            case nodes.Name():
                return self._name(node)
            case nodes.Ref():
                return self._dotted(node.path, node.span, self._kinds(node))
            case nodes.Reference():
                return self._reference(node)
            case nodes.Import():
                return self._import(node)
            case nodes.Package():
                return self._package(node.path, self._path_span(node.path, node.span))
            case nodes.Fact():
                return self._word(node.path, node.span.start, "fact")
            case nodes.Call():
                return self._word(node.function, node.span.start, "function")
            case nodes.ValueType():
                return self._word(node.first, node.span.start, "type")
        return None

    # -------------------------------------------------------------- names

    def _name(self, node: nodes.Name) -> Target | None:
        text, span = node.text, node.span
        match self.parent:
            case nodes.SetVariable() | nodes.Environment() | nodes.EnvSource():
                return self._variable(text, span)
            case nodes.Annotation():
                return Target("annotation", text, span)
            case nodes.EnumType():
                return Target("enumerator", text, span)
            case nodes.Import():
                path = self.parent.path
                is_alias = self.parent.alias is node
                return self._declaration(path if is_alias else f"{path}.{text}", span)
            case nodes.Argument():
                return self._argument(node)
            case nodes.Binding():
                use = next((item for item in reversed(self.chain) if isinstance(item, nodes.UseItem)), None)
                found = self.here.member(f"{use.library.path}.{text}", "uses") if use else None
                return _of(found, span)
            case None:
                return None
        return self._declared(node, self.parent)

    def _declared(self, node: nodes.Name, parent: nodes.Node) -> Target | None:
        """A name where it is declared."""
        mine = Named(type(parent).__name__.lower(), node.text, parent, self.view.file, self.here.contract)
        return Target(mine.kind, node.text, node.span, (mine,))

    def _argument(self, node: nodes.Name) -> Target | None:
        operation = self._called()
        if operation is None:
            return None
        found = parameter(operation, node.text)
        if found is None and operation.owner is not None:
            controls = self.here.members(operation.owner, "control")
            found = next((item for item in controls if item.name == node.text), None)
        return _of(found, node.span)

    def _called(self) -> Named | None:
        """The operation whose arguments stand around the place."""
        for node in reversed(self.chain):
            if isinstance(node, nodes.Invocation):
                return self.here.member(node.operation.path, "operation")
            if isinstance(node, nodes.Calls):
                return self.here.member(node.target.path, "operation")
        return None

    def _variable(self, name: str, span: Span) -> Target:
        return Target("variable", name, span, variable_sources(self.view, name))

    # -------------------------------------------------------------- dotted names

    def _kinds(self, node: nodes.Ref) -> tuple[str, ...]:
        if self.parent is None:
            return ()
        for item in fields(self.parent):
            value = getattr(self.parent, item.name)
            if value is node or (isinstance(value, tuple) and any(part is node for part in value)):
                return _KINDS.get((type(self.parent), item.name), ())
        return ()

    def _dotted(self, path: str, span: Span, kinds: tuple[str, ...]) -> Target | None:
        part, place = self._part(path, span)
        if part != path:
            return self._holder(part, place)
        member_kinds = tuple(kind for kind in kinds if kind in MEMBERS)
        found = self.here.member(path, *member_kinds) if member_kinds else None
        if found is not None:
            return _of(found, place)
        if "variable" in kinds and "." not in path:
            return self._variable(path, place)
        if isinstance(self.parent, nodes.MachineUse) and path == "host":
            return Target("host", path, place)
        if kinds == ("operation",) and path.endswith(".load"):
            return self._declaration(path.rpartition(".")[0], place)
        return self._declaration(path, place)

    def _part(self, path: str, span: Span) -> tuple[str, Span]:
        """The path up to the name at the offset, and the place of that name."""
        at = min(max(self.offset - span.start, 0), len(path))
        end = path.find(".", at)
        end = len(path) if end < 0 else end
        start = path.rfind(".", 0, at) + 1
        return path[:end], Span(span.start + start, span.start + end)

    def _holder(self, path: str, span: Span) -> Target | None:
        uses = self.here.uses(path)
        return _of(uses, span) if uses is not None else self._declaration(path, span)

    def _declaration(self, path: str, span: Span) -> Target | None:
        found = self.here.declarations(path)
        if not found:
            for application in self.here.applications:
                other = self.view.names.find(application.file, path)
                found = (named(other),) if other is not None else found
        if found:
            return Target(found[0].kind, found[0].name, span, found)
        return self._package(path, span)

    def _package(self, path: str, span: Span) -> Target | None:
        files = [
            Named("package", path, item, file)
            for file in self.view.workspace.files
            if file.package == path
            for item in file.parsed.file.items
            if isinstance(item, nodes.Package)
        ]
        return Target("package", path, span, tuple(files)) if files else None

    def _import(self, node: nodes.Import) -> Target | None:
        span = self._path_span(node.path, node.span)
        if not span.contains(self.offset):
            return None
        part, place = self._part(node.path, span)
        whole = part == node.path and not node.star and not node.names
        return self._declaration(part, place) if whole else self._package(part, place)

    def _path_span(self, path: str, span: Span) -> Span:
        start = self.view.file.text.find(path, span.start, span.end)
        return Span(start, start + len(path))

    # -------------------------------------------------------------- expressions

    def _word(self, text: str, start: int, kind: str) -> Target | None:
        span = Span(start, start + len(text))
        return Target(kind, text, span) if span.contains(self.offset) else None

    def _reference(self, node: nodes.Reference) -> Target | None:
        path, span = node.path, node.span
        head, _, rest = path.partition(".")
        if head == "machine" and rest:
            return Target("fact", rest, span)
        if rest in MEASUREMENTS.get(head, {}):
            return Target("measurement", path, span)
        if rest:
            return self._dotted(path, span, ("control",))
        if isinstance(self.parent, nodes.Call) and self.parent.function in ("defined", "loaded"):
            return self._asked(path, span, self.parent.function)
        found = self.here.values().get(path)
        if found is not None:
            return _of(found, span)
        return self._enumerator(path, span)

    def _asked(self, path: str, span: Span, function: str) -> Target | None:
        if function == "loaded":
            return self._declaration(path, span)
        control = self.here.member(path, "control")
        return _of(control, span) if control is not None else self._variable(path, span)

    def _enumerator(self, name: str, span: Span) -> Target | None:
        kind, home = self._expected()
        if isinstance(kind, nodes.EnumType) and name in {member.text for member in kind.members}:
            return Target("enumerator", name, span, (home,) if home else ())
        if isinstance(self.parent, nodes.Start) and name in types.START_METHODS.members:
            return Target("enumerator", name, span)
        return None

    def _expected(self) -> tuple[nodes.Type | None, Named | None]:
        """The type that the expression around the place has to be of, and what says so."""
        home: Named | None = None
        match next((node for node in reversed(self.chain) if isinstance(node, _TYPED)), None):
            case nodes.Binary() as node:
                for side in (node.left, node.right):
                    if isinstance(side, nodes.Reference) and side is not self.node:
                        home = self.here.values().get(side.path)
            case nodes.Argument() as node:
                operation = self._called()
                home = parameter(operation, node.name.text) if operation else None
            case nodes.Limit() | nodes.LimitBlock() | nodes.Setting() as node:
                home = self.here.member(node.target.path, "control")
            case nodes.SetVariable() | nodes.Environment() as node:
                home = next(iter(variable_sources(self.view, node.name.text)), None)
            case nodes.Control() | nodes.Parameter() as node:
                home = Named(type(node).__name__.lower(), node.name.text, node, self.view.file)
        kind = getattr(home.node, "type", None) if home is not None else None
        return kind, home


_TYPED = (
    nodes.Binary,
    nodes.Argument,
    nodes.Limit,
    nodes.LimitBlock,
    nodes.Setting,
    nodes.SetVariable,
    nodes.Environment,
    nodes.Control,
    nodes.Parameter,
)


def _of(found: Named | None, span: Span) -> Target | None:
    return Target(found.kind, found.name, span, (found,)) if found is not None else None


def parameter(operation: Named, name: str) -> Named | None:
    """A parameter of an operation."""
    if isinstance(operation.node, nodes.Operation):
        for item in operation.node.parameters:
            if item.name.text == name:
                return Named("parameter", name, item, operation.file, operation.owner)
    return None


def variable_sources(view: View, name: str) -> tuple[Named, ...]:
    """The controls that an environment variable sets, those of the document's own file first."""
    found = [
        Named("control", clause.node.name.text, clause.node, clause.file, _owner(view, clause.node))
        for _, clause in view.names.readers().get(name, ())
    ]
    return tuple(sorted(found, key=lambda item: item.file is not view.file))


def _owner(view: View, control: nodes.Control) -> Contract | None:
    """The contract or interface in whose text a control stands."""
    for items in view.workspace.program.declarations.values():
        for item in items:
            if any(member is control for member in members_of(item)):
                return view.names.contract(item)
    return None


def variable_place(named: Named, variable: str) -> Span:
    """Where a control's `env` clause names the variable."""
    if isinstance(named.node, nodes.Control):
        for clause in named.node.clauses:
            for name in clause.names if isinstance(clause, nodes.EnvSource) else ():
                if name.text == variable:
                    return name.span
    return named.span


def fact_meaning(path: str) -> str | None:
    """What a figure of a machine says."""
    if path == "gpu.memory.free":
        return "memory of each GPU that nobody has taken yet"
    return FACTS[path].meaning if path in FACTS else DERIVED.get(path)


def function_help(name: str) -> tuple[str, str] | None:
    """A function's form and meaning."""
    return vocabulary.THREADPOOL if name == "threadpool" else vocabulary.FUNCTIONS.get(name)
