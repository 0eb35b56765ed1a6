"""From an application and a configuration to its tree of processes and activities.

Statements are walked in the order in which one executor carries them out, so that what an earlier statement
loads is there for a later one. Guards decide the shape of the tree; where one depends on an open knob, the
`decide` function that the caller gives answers for it (see `lpcl.compose.paths`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from lpcl.compose import ranges
from lpcl.compose.clauses import Clauses, Decide
from lpcl.compose.evaluate import evaluate
from lpcl.compose.figures import figure_of
from lpcl.compose.lets import DEEPEST as DEEPEST_VALUES
from lpcl.compose.lets import in_order
from lpcl.compose.linker import Linker
from lpcl.compose.machine import MachineView
from lpcl.compose.operations import DEEPEST, Argument, Operations, handed_on
from lpcl.compose.processes import Content, Processes, Spot
from lpcl.compose.refusal import Refusal
from lpcl.compose.said import Said
from lpcl.compose.scopes import Frame, Here, ProcessState, is_set, read_machine
from lpcl.compose.settings import EnvValue, Settings
from lpcl.compose.starts import Live
from lpcl.compose.structure import Activity, Process, Resolution, Sequence, Statement, Together, members
from lpcl.compose.terms import Value
from lpcl.model.contracts import Clause
from lpcl.model.program import Declared, Origin, Program, SourceFile
from lpcl.syntax import nodes


def decide_plainly(condition: Value, origin: Origin) -> bool:
    """The answer to a guard under a given configuration, where nothing is open."""
    if isinstance(condition, bool):
        return condition
    raise Refusal("type-mismatch", "a condition is true or false, and this is neither", origin)


@dataclass(frozen=True, eq=False)
class Elaborated:
    """The tree, and what must hold for the configuration to be accepted at all.

    `built` are its process classes as expressions see them once everything is loaded, parents first.
    """

    root: Process
    requirements: tuple[Value, ...]
    built: tuple[Here, ...]


@dataclass(frozen=True)
class ApplicationScope:
    """Names in an application: machine facts, its controls and `let`s; any other bare name is an
    enumerator.
    """

    file: SourceFile
    machine: MachineView
    here: Here
    controls: Mapping[str, Value]
    lets: Mapping[str, nodes.Let]
    grounds: Mapping[str, Resolution] = field(default_factory=dict)
    resolving: tuple[str, ...] = ()
    reasons: list[Resolution] = field(default_factory=list)
    known: dict[str, Value] = field(default_factory=dict)
    facts: dict[str, Value] = field(default_factory=dict)

    def said(self, expression: nodes.Expression, value: Value) -> Said:
        """An expression that came out as `value` here, to be shown later."""
        return Said(expression, self, value)

    def afresh(self) -> ApplicationScope:
        """The same names where nothing has been read yet."""
        return replace(self, reasons=[], facts={}, known={}, resolving=())

    def at(self, file: SourceFile) -> ApplicationScope:
        """The same names; an application has one file."""
        assert file is self.file
        return self

    def let(self, name: str) -> Clause[nodes.Let] | None:
        """The clause that gives a name its expression; None where the name means something else."""
        return Clause(self.lets[name], self.file) if name in self.lets else None

    def _let(self, path: str, origin: Origin) -> Value:
        """The value of a `let`; those on which it builds are worked out first, each once."""
        known = self.known if self.resolving else {}
        for name in in_order(path, lambda one: self.lets[one].value if one in self.lets else None, known):
            if name in self.resolving:
                raise Refusal("cyclic-value", f"the value of `{name}` depends on itself", origin)
            if len(self.resolving) > DEEPEST_VALUES:
                raise Refusal("too-deep", f"more than {DEEPEST_VALUES} values wait for `{name}` here", origin)
            inner = replace(self, resolving=(*self.resolving, name), known=known)
            known[name] = evaluate(self.lets[name].value, inner)
        return known[path]

    def demand(self, condition: Value) -> None:
        """See `DemandingScope.demand`; what a value under way needs is for the one that it is read for."""
        if not self.resolving:
            self.here.demand(condition)

    def name(self, path: str, origin: Origin) -> Value:
        """See `Scope.name`."""
        if path.startswith("machine."):
            fact = path.removeprefix("machine.")
            value = self.facts[fact] = read_machine(fact, self.here, origin)
            return value
        if path in self.lets:
            return self._let(path, origin)
        if path in self.controls:
            ground = self.grounds.get(path)
            if ground is not None and all(one.control != path for one in self.reasons):
                self.reasons.append(ground)
            return self.controls[path]
        if "." in path:
            raise Refusal("unknown-name", f"`{path}` is nothing that is known here", origin)
        return path

    def question(self, function: str, path: str, origin: Origin) -> Value:
        """See `Scope.question`: an application has nothing loaded, and every control of its own is set."""
        if function == "defined":
            return path in self.controls or is_set(self.here, path)
        raise Refusal("unknown-function", f"`{function}` has no meaning in an application", origin)


class Elaborator:
    """One application under one configuration. Use `elaborate`."""

    def __init__(
        self,
        program: Program,
        declared: Declared,
        machine: MachineView,
        settings: Settings,
        choose_version: Callable[[str, str | None], Declared],
        decide: Decide,
        *,
        unlimited: bool = False,
        judged: bool = True,
        label: str = "",
        before: tuple[Live, ...] = (),
    ) -> None:
        assert isinstance(declared.node, nodes.Application)
        self.label = label
        self.before = before
        self.declared = declared
        self.node = declared.node
        self.file = declared.file
        self.machine = machine
        self.settings = settings
        self.requirements: list[Value] = []
        bindings: dict[str, tuple[dict[str, nodes.Binding], SourceFile]] = {}
        versions: dict[str, str] = {}
        for member in self.node.members:
            if isinstance(member, nodes.Use):
                for item in member.items:
                    found = program.find(self.file, item.library.path)
                    if found is None:
                        raise Refusal(
                            "unknown-name",
                            f"there is no contract `{item.library.path}`",
                            Origin(self.file, item.library.span),
                            help="import it at the top of the file",
                        )
                    bindings[found.qualified] = ({b.name.text: b for b in item.bindings}, self.file)
                    if item.version is not None:
                        versions[found.qualified] = item.version.value
        self.linker = Linker(program, bindings, versions, choose_version)
        self.clauses = Clauses(program, self.linker, decide, unlimited, judged)
        self.processes = Processes(self.clauses, declared.origin)
        self.operations = Operations(self.clauses, self.processes, self.requirements)

    def run(self) -> Elaborated:
        """The whole tree. Raises `Refusal`."""
        scope = self.stated()
        here = scope.here
        state = here.state
        state.calls.extend(self._calls(scope))
        run = next((m for m in self.node.members if isinstance(m, nodes.Run)), None)
        if run is None:
            raise Refusal(
                "missing-clause",
                f"`{self.node.name.text}` runs nothing",
                Origin(self.file, self.node.name.span),
                help="add `run { ... }` with what the application does",
            )
        content = self._block(run.block, scope)
        root = self.processes.process(
            state, None, None, self.machine, content, f"{self.label}/run".lstrip("/"), here, (), None, None, 0
        )
        return Elaborated(root, tuple(self.requirements), tuple(self.processes.built))

    def stated(self) -> ApplicationScope:
        """The application's names, in the process and environment it begins with. Raises `Refusal`."""
        state = ProcessState(self.label or "the program", self.machine, self._set(), self.label)
        here = Here(state, self.linker, (), self.requirements, live=self.before)
        controls, grounds = self._controls(here)
        scope = ApplicationScope(self.file, self.machine, here, controls, self._lets(), grounds)
        state.env.update(self._environment(scope))
        return scope

    def _set(self) -> dict[str, EnvValue]:
        """The variables that are set, before it is known to what: controls ask that."""
        env: dict[str, EnvValue | None] = {
            m.name.text: EnvValue(True, "", Origin(self.file, m.span), "")
            for m in self.node.members
            if isinstance(m, nodes.Environment)
        }
        return {name: one for name, one in {**env, **self.settings.env}.items() if one is not None}

    def _controls(self, here: Here) -> tuple[Mapping[str, Value], Mapping[str, Resolution]]:
        """The values of the application's own controls, and where each comes from."""
        values: dict[str, Value] = {}
        grounds: dict[str, Resolution] = {}
        outer = ApplicationScope(self.file, self.machine, here, values, self._lets(), grounds)
        for member in self.node.members:
            if isinstance(member, nodes.Control):
                name = member.name.text
                default = next((c for c in member.clauses if isinstance(c, nodes.Default)), None)
                scope = outer.afresh()
                said: Said | None = None
                if name in self.settings.controls:
                    values[name] = self.settings.controls[name]
                elif default is not None:
                    values[name] = evaluate(default.value, scope)
                    said = scope.said(default.value, values[name])
                else:
                    raise Refusal(
                        "control-without-value",
                        f"the control `{name}` has no default and is not set",
                        Origin(self.file, member.name.span),
                        help="give it a `default`, which is what the application does today",
                    )
                declared = Origin(self.file, member.span)
                valid = ranges.held(member.type, values[name], scope, f"`{name}`", declared, declared)
                if valid is not True:
                    self.requirements.append(valid)
                grounds[name] = _ground(member, values[name], said, scope, declared)
        return values, grounds

    def _lets(self) -> Mapping[str, nodes.Let]:
        return {m.name.text: m for m in self.node.members if isinstance(m, nodes.Let)}

    def _environment(self, scope: ApplicationScope) -> dict[str, EnvValue]:
        env = {
            m.name.text: EnvValue(True, evaluate(m.value, scope), Origin(self.file, m.span), "")
            for m in self.node.members
            if isinstance(m, nodes.Environment)
        }
        for name, value in self.settings.env.items():
            env.pop(name, None)
            if value is not None:
                env[name] = value
        return env

    def _calls(self, scope: ApplicationScope) -> list[Frame]:
        frames = []
        for member in self.node.members:
            if isinstance(member, nodes.Limit) and self.clauses.holds(member.guard, scope):
                target, control = self.clauses.target(self.file, member.target, None)
                frames.append(
                    Frame(
                        target,
                        control,
                        self._limit(member, scope),
                        Origin(self.file, member.span),
                        "set by the application",
                    )
                )
        frames.extend(
            Frame(target, control, value, None, "set by a call")
            for (target, control), value in self.settings.library.items()
        )
        return frames

    def _limit(self, node: nodes.Limit | nodes.LimitBlock, scope: ApplicationScope) -> Value:
        chosen = self.settings.limits.get(node.target.span.start)
        return evaluate(node.value, scope) if chosen is None else chosen

    def _block(self, block: nodes.Block, scope: ApplicationScope) -> Content:
        return self._content(block.statements, scope)

    def _content(self, statements: tuple[nodes.Statement, ...], scope: ApplicationScope) -> Content:
        """The statements, without those in which nothing is carried out."""

        def content(spot: Spot) -> tuple[Statement, ...]:
            found = (
                self._statement(statement, scope, spot, f"{spot.path}/{index}")
                for index, statement in enumerate(statements)
            )
            return tuple(one for one in found if isinstance(one, Activity) or members(one))

        return content

    def _together(self, node: nodes.Together, scope: ApplicationScope, spot: Spot) -> Together:
        """Members that go on at the same time; they start one after the other."""
        found: list[Statement] = []
        for index, statement in enumerate(node.members):
            one = self._statement(statement, scope, spot, f"{spot.path}/{index}")
            if isinstance(one, Activity) or members(one):
                found.append(one)
                started = Live(spot.here.copies, one)
                spot = replace(spot, here=replace(spot.here, live=(*spot.here.live, started)))
        return Together(tuple(found))

    def _statement(self, node: nodes.Statement, outer: ApplicationScope, spot: Spot, path: str) -> Statement:
        if spot.depth > DEEPEST:
            raise Refusal("too-deep", "calls are nested too deep here", Origin(outer.file, node.span))
        scope = ApplicationScope(
            outer.file, spot.here.state.machine, spot.here, outer.controls, outer.lets, outer.grounds
        )
        at = spot.inside(spot.here, path, spot.own_pools)
        match node:
            case nodes.Together():
                return self._together(node, outer, at)
            case nodes.Block():
                return Sequence(self._block(node, outer)(at))
            case nodes.LimitBlock():
                target, control = self.clauses.target(outer.file, node.target, None)
                value = self._limit(node, scope)
                frame = Frame(target, control, value, Origin(outer.file, node.span), "limited")
                inner = at.inside(spot.here.limited(self.clauses.frames((frame,))), path, spot.own_pools)
                return Sequence(self._block(node.block, outer)(inner))
            case nodes.Invocation():
                head, _, operation = node.operation.path.rpartition(".")
                origin = Origin(outer.file, node.operation.span)
                declared = self.linker.find(outer.file, head)
                if declared is None or not isinstance(declared.node, nodes.Contract):
                    raise Refusal(
                        "unknown-name",
                        f"there is no library `{head}` here",
                        origin,
                        help="import its contract, and call `library.operation`",
                    )
                runtime = self.linker.runtime(declared, origin)
                args = {
                    argument.name.text: handed_on(argument.value, scope.afresh())
                    for argument in node.arguments
                }
                for (start, name), value in self.settings.arguments.items():
                    if start == node.operation.span.start:
                        args[name] = Argument(value, scope.said(nodes.Text("chosen"), value))
                block = None if node.block is None else self._block(node.block, outer)
                return self.operations.activity(runtime, operation, args, block, at, path, origin)
        raise AssertionError(f"not a statement: {node!r}")


def _ground(
    control: nodes.Control, value: Value, said: Said | None, scope: ApplicationScope, origin: Origin
) -> Resolution:
    """Where one of the application's own controls has its value from, and what sets it."""
    how = "chosen" if said is None else f"its default {said.text}"
    return Resolution(
        control.name.text,
        value,
        how,
        origin,
        kind=figure_of(control.type),
        because=tuple(scope.reasons),
        facts=tuple(scope.facts.items()),
        set_with=tuple(c.text.value for c in control.clauses if isinstance(c, nodes.ArgumentSource)),
    )


def elaborate(
    program: Program,
    declared: Declared,
    machine: MachineView,
    settings: Settings,
    choose_version: Callable[[str, str | None], Declared],
    decide: Decide = decide_plainly,
    *,
    unlimited: bool = False,
    judged: bool = True,
    label: str = "",
    before: tuple[Live, ...] = (),
) -> Elaborated:
    """The tree of an application on a machine under a configuration.

    `unlimited` leaves out what holds the application back: limits, pins and variables set for workers. One
    that is not `judged` has no assumptions and hazards: it is there for what it demands. `label` names it
    where it is one of several, and `before` is what has started before it. Raises `Refusal` where the
    application has no meaning.
    """
    return Elaborator(
        program,
        declared,
        machine,
        settings,
        choose_version,
        decide,
        unlimited=unlimited,
        judged=judged,
        label=label,
        before=before,
    ).run()
