"""From an application and a configuration to its tree of processes and activities.

Statements are walked in the order in which one executor carries them out, so that what an earlier statement
loads is there for a later one. Guards decide the shape of the tree; where one depends on an open knob, the
`decide` function that the caller gives answers for it (see `lpcl.compose.paths`).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from lpcl.compose.evaluate import evaluate
from lpcl.compose.linker import Linker, Runtime
from lpcl.compose.machine import MachineView
from lpcl.compose.refusal import Refusal
from lpcl.compose.scopes import ContractScope, Frame, Here, ProcessState, read_machine
from lpcl.compose.settings import EnvValue, Settings
from lpcl.compose.structure import (
    Activity,
    Condition,
    Held,
    Loaded,
    Place,
    PoolInstance,
    PoolUse,
    Process,
    ProcessWorkers,
    Resolution,
    Sequence,
    Statement,
    ThreadWorkers,
    Together,
    Variant,
)
from lpcl.compose.terms import Term, Value, apply, choose, conjunction, disjunction, knob, negation
from lpcl.model.contracts import Clause
from lpcl.model.program import Declared, Origin, Program, SourceFile
from lpcl.syntax import nodes

Decide = Callable[[Value, Origin], bool]
DEEPEST = 60
FOREVER = 60
"""Seconds: idle threads that spin for as long as this are taken to spin for ever."""
CPU = "lpcl.core.cpu"


def decide_plainly(condition: Value, origin: Origin) -> bool:
    """The answer to a guard under a given configuration, where nothing is open."""
    if isinstance(condition, bool):
        return condition
    raise Refusal("type-mismatch", "a condition is true or false, and this is neither", origin)


@dataclass(frozen=True, eq=False)
class Elaborated:
    """The tree, with what must hold for the configuration to be accepted at all (`rejects`), and its
    context.
    """

    root: Process
    requirements: tuple[Value, ...]
    linker: Linker
    machine: MachineView


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
    resolving: tuple[str, ...] = ()
    reasons: list[Resolution] = field(default_factory=list)

    def name(self, path: str, origin: Origin) -> Value:
        """See `Scope.name`."""
        if path.startswith("machine."):
            return read_machine(path.removeprefix("machine."), self.here, origin)
        if path in self.lets:
            if path in self.resolving:
                raise Refusal("cyclic-value", f"the value of `{path}` depends on itself", origin)
            inner = ApplicationScope(
                self.file, self.machine, self.here, self.controls, self.lets, (*self.resolving, path)
            )
            return evaluate(self.lets[path].value, inner)
        if path in self.controls:
            return self.controls[path]
        if "." in path:
            raise Refusal("unknown-name", f"`{path}` is nothing that is known here", origin)
        return path

    def question(self, function: str, path: str, origin: Origin) -> Value:
        """See `Scope.question`: an application has nothing loaded, and every control of its own is set."""
        if function == "defined":
            return path in self.controls or path in self.here.state.env
        raise Refusal("unknown-function", f"`{function}` has no meaning in an application", origin)


Content = Callable[["Spot"], tuple[Statement, ...]]


@dataclass(frozen=True)
class Spot:
    """Where statements are carried out: the process and limits, the pools whose threads do it, and the
    path.
    """

    here: Here
    own_pools: frozenset[str]
    path: str
    depth: int
    used: dict[str, Value]
    conditions: list[Callable[[], Condition]]
    holders: dict[str, set[str]]

    def inside(self, here: Here, path: str, own_pools: frozenset[str]) -> Spot:
        """The place one level further in, in the same process."""
        return Spot(here, own_pools, path, self.depth + 1, self.used, self.conditions, self.holders)


@dataclass(frozen=True)
class _Call:
    """An operation about to be carried out: its names, what its executors go through, and where."""

    runtime: Runtime
    node: nodes.Operation
    scope: ContractScope
    content: Content | None
    spot: Spot
    path: str
    origin: Origin

    def marked(self, number: int) -> _Call:
        """The same call by its workers of that number, which its place and all places inside tell."""
        return dataclasses.replace(self, path=f"{self.path}~{number}")

    def under(self, condition: Value) -> _Call:
        """The same call under one more condition."""
        whole = conjunction(self.spot.here.condition, condition)
        return dataclasses.replace(
            self,
            scope=dataclasses.replace(self.scope, here=dataclasses.replace(self.scope.here, condition=whole)),
            spot=dataclasses.replace(self.spot, here=dataclasses.replace(self.spot.here, condition=whole)),
        )


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
    ) -> None:
        assert isinstance(declared.node, nodes.Application)
        self.program = program
        self.declared = declared
        self.node = declared.node
        self.file = declared.file
        self.machine = machine
        self.settings = settings
        self.decide = decide
        self.unlimited = unlimited
        self.requirements: list[Value] = []
        self._places = 0
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

    # -------------------------------------------------------------- the root

    def run(self) -> Elaborated:
        """The whole tree. Raises `Refusal`."""
        state = ProcessState("the program", self.machine, {})
        here = Here(state, self.linker, (), self.requirements)
        scope = ApplicationScope(self.file, self.machine, here, self._controls(here), self._lets())
        state.env.update(self._environment(scope))
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
        root = self._process(state, None, None, self.machine, content, "run", here, (), None, None, 0)
        return Elaborated(root, tuple(self.requirements), self.linker, self.machine)

    def _controls(self, here: Here) -> Mapping[str, Value]:
        values: dict[str, Value] = {}
        scope = ApplicationScope(self.file, self.machine, here, values, self._lets())
        for member in self.node.members:
            if isinstance(member, nodes.Control):
                name = member.name.text
                default = next((c for c in member.clauses if isinstance(c, nodes.Default)), None)
                if name in self.settings.controls:
                    values[name] = self.settings.controls[name]
                elif default is not None:
                    values[name] = evaluate(default.value, scope)
                else:
                    raise Refusal(
                        "control-without-value",
                        f"the control `{name}` has no default and is not set",
                        Origin(self.file, member.name.span),
                        help="give it a `default`, which is what the application does today",
                    )
        return values

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
            if isinstance(member, nodes.Limit) and self._holds(member.guard, scope):
                target, control = self._target(self.file, member.target, None)
                frames.append(
                    Frame(
                        target,
                        control,
                        evaluate(member.value, scope),
                        Origin(self.file, member.span),
                        "set by the application",
                    )
                )
        frames.extend(
            Frame(target, control, value, None, "set by a call")
            for (target, control), value in self.settings.library.items()
        )
        return frames

    def _holds(self, guard: nodes.Expression | None, scope: ApplicationScope | ContractScope) -> bool:
        if guard is None:
            return True
        return self.decide(evaluate(guard, scope), Origin(scope.file, guard.span))

    def _target(self, file: SourceFile, ref: nodes.Ref, runtime: Runtime | None) -> tuple[str, str]:
        """The contract or interface, and the control, that a limit names."""
        head, _, control = ref.path.rpartition(".")
        if not head and runtime is not None and control in runtime.contract.controls:
            return runtime.contract.declared.qualified, control
        if runtime is not None and head in runtime.providers:
            return runtime.providers[head].contract.declared.qualified, control
        declared = self.linker.find(file, head) if head else None
        if declared is None or control not in self.linker.contract(declared).controls:
            raise Refusal(
                "unknown-name",
                f"`{ref.path}` is no control that can be set here",
                Origin(file, ref.span),
                help="name it `library.control`",
            )
        return declared.qualified, control

    # -------------------------------------------------------------- statements of the application

    def _block(self, block: nodes.Block, scope: ApplicationScope) -> Content:
        def content(spot: Spot) -> tuple[Statement, ...]:
            return tuple(
                self._statement(statement, scope, spot, f"{spot.path}/{index}")
                for index, statement in enumerate(block.statements)
            )

        return content

    def _statement(self, node: nodes.Statement, outer: ApplicationScope, spot: Spot, path: str) -> Statement:
        if spot.depth > DEEPEST:
            raise Refusal("too-deep", "calls are nested too deep here", Origin(outer.file, node.span))
        scope = ApplicationScope(outer.file, spot.here.state.machine, spot.here, outer.controls, outer.lets)
        at = spot.inside(spot.here, path, spot.own_pools)
        match node:
            case nodes.Together():
                return Together(
                    tuple(
                        self._statement(member, outer, at, f"{path}/{index}")
                        for index, member in enumerate(node.members)
                    )
                )
            case nodes.Block():
                return Sequence(self._block(node, outer)(at))
            case nodes.LimitBlock():
                target, control = self._target(outer.file, node.target, None)
                frame = Frame(
                    target, control, evaluate(node.value, scope), Origin(outer.file, node.span), "limited"
                )
                inner = at.inside(spot.here.limited(self._frames((frame,))), path, spot.own_pools)
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
                args = {argument.name.text: evaluate(argument.value, scope) for argument in node.arguments}
                block = None if node.block is None else self._block(node.block, outer)
                return self._activity(runtime, operation, args, block, at, path, origin)
        raise AssertionError(f"not a statement: {node!r}")

    def _frames(self, frames: Iterable[Frame]) -> tuple[Frame, ...]:
        return () if self.unlimited else tuple(frames)

    # -------------------------------------------------------------- an operation at its place

    def _activity(
        self,
        runtime: Runtime,
        operation: str,
        args: Mapping[str, Value],
        block: Content | None,
        spot: Spot,
        path: str,
        origin: Origin,
    ) -> Statement:
        if spot.depth > DEEPEST:
            raise Refusal(
                "too-deep", f"`{runtime.name}.{operation}` is called within itself too often", origin
            )
        self._load(runtime, spot.here)
        clause = runtime.contract.operations.get(operation)
        if clause is None:
            if operation != "load":
                raise Refusal(
                    "unknown-member",
                    f"`{runtime.name}` has no operation `{operation}`",
                    origin,
                    labels=((runtime.contract.declared.origin, "its contract"),),
                )
            place = self._place(runtime, operation, path, origin, spot)
            body = None if block is None else Sequence(block(spot))
            return Activity(place, body=body, condition=spot.here.condition)
        return self._carried_out(runtime, clause, args, block, spot, path, origin)

    def _place(self, runtime: Runtime, operation: str, path: str, origin: Origin, spot: Spot) -> Place:
        place = Place(f"{path}:{runtime.key}.{operation}", runtime.name, operation, origin)
        self._hold(runtime, spot.holders, place)
        return place

    def _carried_out(
        self,
        runtime: Runtime,
        clause: Clause[nodes.Operation],
        args: Mapping[str, Value],
        block: Content | None,
        spot: Spot,
        path: str,
        origin: Origin,
    ) -> Statement:
        node = clause.node
        lets = {c.name.text: Clause(c, clause.file) for c in node.clauses if isinstance(c, nodes.Let)}
        parameters, overrides = self._arguments(runtime, clause, args, spot.here, origin)
        outer = ContractScope(runtime, clause.file, spot.here, parameters, lets, overrides)
        here = spot.here.limited(self._frames(self._limits(node.clauses, outer)))
        scope = ContractScope(runtime, clause.file, here, parameters, lets, overrides)
        content = self._content(node.clauses, scope, block)
        runs_on = next(
            (c for c in node.clauses if isinstance(c, nodes.RunsOn) and self._holds(c.guard, scope)), None
        )
        workers = [c for c in node.clauses if isinstance(c, nodes.Workers)]
        call = _Call(runtime, node, scope, content, spot, path, origin)
        if runs_on is not None:
            return self._on_pool(runs_on, call)
        return self._by_workers(list(enumerate(workers)), call)

    def _by_workers(self, waiting: list[tuple[int, nodes.Workers]], call: _Call) -> Statement:
        """The operation by the first of its workers whose guard holds, else by its callers.

        Where a guard is open, it is both, each under its condition.
        """
        if not waiting:
            return self._by_callers(call)
        (number, workers), *others = waiting
        guard: Value = True if workers.guard is None else evaluate(workers.guard, call.scope)
        if guard is False:
            return self._by_workers(others, call)
        if guard is True:
            marked = call.marked(number)
            if workers.kind == "threads":
                return self._thread_workers(workers, marked)
            return self._process_workers(workers, marked)
        if not isinstance(guard, Term):
            raise Refusal(
                "type-mismatch",
                "a condition is true or false, and this is neither",
                Origin(call.scope.file, workers.span),
            )
        sure = dataclasses.replace(workers, guard=None)
        return Variant(
            guard,
            self._under(guard, lambda inner: self._by_workers([(number, sure)], inner), call),
            self._under(negation(guard), lambda inner: self._by_workers(others, inner), call),
        )

    def _under(self, condition: Value, build: Callable[[_Call], Statement], call: _Call) -> Statement:
        """What `build` makes under one more condition; a way that is refused must not be taken."""
        inner = call.under(condition)
        try:
            return build(inner)
        except Refusal:
            self.requirements.append(negation(inner.spot.here.condition))
            return Sequence(())

    def _by_callers(self, call: _Call) -> Activity:
        place, demands, cpu = self._entered(call)
        spot = call.spot
        inner = spot.inside(call.scope.here, call.path, spot.own_pools)
        statements = call.content(inner) if call.content is not None else ()
        return Activity(
            place,
            demands,
            cpu,
            body=Sequence(statements) if statements else None,
            condition=spot.here.condition,
        )

    def _on_pool(self, runs_on: nodes.RunsOn, call: _Call) -> Activity:
        place, demands, cpu = self._entered(call)
        spot = call.spot
        use, key = self._pool_use(call.runtime, runs_on, call.scope, spot)
        keeps = conjunction(spot.here.condition, apply(">=", use.existing, 1))
        spot.used[key] = disjunction(spot.used.get(key, False), keeps)
        inner = spot.inside(
            call.scope.here, call.path, spot.own_pools if use.own_thread else frozenset((key,))
        )
        statements = call.content(inner) if call.content is not None else ()
        return Activity(
            place,
            demands,
            cpu,
            pool=use,
            body=Sequence(statements) if statements else None,
            condition=spot.here.condition,
        )

    def _entered(self, call: _Call) -> tuple[Place, tuple[Held, ...], tuple[Value, Value] | None]:
        """The place of a call, with its conditions left to be evaluated, what it holds, and its CPU
        demand.
        """
        place = self._place(call.runtime, call.node.name.text, call.path, call.origin, call.spot)
        scope = dataclasses.replace(call.scope, callers=knob(f"callers {place.id}", 0))
        self._conditions(call.node.clauses, scope, place, call.spot)
        return place, *self._demands(call.node.clauses, scope)

    def _arguments(
        self,
        runtime: Runtime,
        clause: Clause[nodes.Operation],
        args: Mapping[str, Value],
        here: Here,
        origin: Origin,
    ) -> tuple[Mapping[str, Value], Mapping[str, Value]]:
        """The operation's parameters, and the controls of its library that the call sets."""
        parameters: dict[str, Value] = {}
        known = {parameter.name.text: parameter for parameter in clause.node.parameters}
        overrides = {
            name: value
            for name, value in args.items()
            if name not in known and name in runtime.contract.controls
        }
        for name in args:
            if name not in known and name not in overrides:
                raise Refusal(
                    "unknown-argument",
                    f"`{runtime.name}.{clause.node.name.text}` takes no `{name}`",
                    origin,
                    labels=((clause.origin, "the operation"),),
                )
        scope = ContractScope(runtime, clause.file, here, parameters, {}, overrides)
        for name, parameter in known.items():
            if name in args:
                parameters[name] = args[name]
            elif parameter.default is not None:
                parameters[name] = evaluate(parameter.default, scope)
            else:
                raise Refusal(
                    "missing-argument",
                    f"`{runtime.name}.{clause.node.name.text}` needs `{name}`",
                    origin,
                    labels=((Origin(clause.file, parameter.span), "declared here, without a default"),),
                )
        return parameters, overrides

    def _content(
        self, clauses: Iterable[nodes.OperationClause], scope: ContractScope, block: Content | None
    ) -> Content | None:
        """What the operation's executors go through: its calls, then the application's block."""
        calls = [c for c in clauses if isinstance(c, nodes.Calls) and self._holds(c.guard, scope)]
        passed_on = any(c.passes_block for c in calls)
        if not calls and block is None:
            return None

        def content(spot: Spot) -> tuple[Statement, ...]:
            found: list[Statement] = [
                self._called(call, scope, spot, f"{spot.path}/c{index}", block)
                for index, call in enumerate(calls)
            ]
            if block is not None and not passed_on:
                found.extend(block(spot.inside(spot.here, f"{spot.path}/b", spot.own_pools)))
            return tuple(found)

        return content

    def _called(
        self, call: nodes.Calls, outer: ContractScope, spot: Spot, path: str, block: Content | None
    ) -> Statement:
        head, _, operation = call.target.path.rpartition(".")
        origin = Origin(outer.file, call.target.span)
        runtime = outer.runtime if not head else outer.runtime.providers.get(head)
        if runtime is None:
            declared = self.linker.find(outer.file, head)
            if declared is None or not isinstance(declared.node, nodes.Contract):
                raise Refusal("unknown-name", f"there is no library `{head}` here", origin)
            runtime = self.linker.runtime(declared, origin)
        scope = ContractScope(
            outer.runtime, outer.file, spot.here, outer.parameters, outer.lets, outer.overrides
        )
        args = {argument.name.text: evaluate(argument.value, scope) for argument in call.arguments}
        inner = spot.inside(spot.here, path, spot.own_pools)
        return self._activity(
            runtime, operation, args, block if call.passes_block else None, inner, path, origin
        )

    # -------------------------------------------------------------- demands, limits, conditions

    def _limits(self, clauses: Iterable[nodes.Node], scope: ContractScope) -> Iterable[Frame]:
        for clause in clauses:
            if isinstance(clause, nodes.Limit) and self._holds(clause.guard, scope):
                target, control = self._target(scope.file, clause.target, scope.runtime)
                yield Frame(
                    target,
                    control,
                    evaluate(clause.value, scope),
                    Origin(scope.file, clause.span),
                    f"limited by {scope.runtime.name}",
                )

    def _demands(
        self, clauses: Iterable[nodes.Node], scope: ContractScope
    ) -> tuple[tuple[Held, ...], tuple[Value, Value] | None]:
        """What is held, and the CPU demand where one is declared."""
        held: list[Held] = []
        cpu: tuple[Value, Value] | None = None
        for clause in clauses:
            if not isinstance(clause, nodes.Demand):
                continue
            item = self._held(clause, scope)
            if item.resource == CPU:
                low, high = cpu or (0, 0)
                cpu = (apply("+", low, item.low), apply("+", high, item.high))
            else:
                held.append(item)
        return tuple(held), cpu

    def _held(self, clause: nodes.Demand, outer: ContractScope) -> Held:
        reasons: list[Resolution] = []
        scope = ContractScope(
            outer.runtime, outer.file, outer.here, outer.parameters, outer.lets, outer.overrides, reasons
        )
        declared = self.program.find(scope.file, clause.resource.path)
        if declared is None or not isinstance(declared.node, nodes.Resource):
            raise Refusal(
                "unknown-name",
                f"there is no resource `{clause.resource.path}`",
                Origin(scope.file, clause.resource.span),
            )
        if clause.range is not None:
            low, high = evaluate(clause.range.low, scope), evaluate(clause.range.high, scope)
        else:
            assert clause.amount is not None
            low = high = evaluate(clause.amount, scope)
        if clause.guard is not None:
            guard = evaluate(clause.guard, scope)
            low, high = choose(guard, low, 0), choose(guard, high, 0)
        origin = Origin(scope.file, clause.span)
        for value in (low, high):
            if not isinstance(value, Term) and not isinstance(value, str) and value < 0:
                raise Refusal(
                    "negative-demand",
                    f"a demand for `{declared.name}` comes out below 0",
                    origin,
                    help="nothing can ask for less than nothing: guard it with `max(0, ...)`",
                )
        device: Value | None = None
        if isinstance(clause.device, nodes.AllDevices):
            device = "all"
        elif clause.device is not None:
            device = evaluate(clause.device, scope)
        elif declared.node.per == "device":
            device = 0
        return Held(declared.qualified, low, high, origin, device, tuple(reasons))

    def _conditions(
        self, clauses: Iterable[nodes.Node], scope: ContractScope, place: Place | None, spot: Spot
    ) -> None:
        """Leave the assumptions and hazards to be evaluated when the process has loaded all its libraries."""
        for clause in clauses:
            if not isinstance(clause, nodes.Assume | nodes.Hazard):
                continue

            def later(clause: nodes.Assume | nodes.Hazard = clause) -> Condition:
                value, reached = evaluate(clause.condition, scope), scope.here.condition
                return Condition(
                    "assume" if isinstance(clause, nodes.Assume) else "hazard",
                    apply("implies", reached, value)
                    if isinstance(clause, nodes.Assume)
                    else conjunction(reached, value),
                    clause.message.value,
                    clause.effect if isinstance(clause, nodes.Hazard) else None,
                    scope.runtime.name,
                    Origin(scope.file, clause.span),
                    place,
                    scope.here.state.name,
                )

            spot.conditions.append(later)

    # -------------------------------------------------------------- pools and workers

    def _pool_use(
        self, runtime: Runtime, clause: nodes.RunsOn, scope: ContractScope, spot: Spot
    ) -> tuple[PoolUse, str]:
        head, _, name = clause.pool.path.rpartition(".")
        owner = runtime if not head else runtime.providers.get(head)
        origin = Origin(scope.file, clause.pool.span)
        if owner is None:
            declared = self.linker.find(scope.file, head)
            if declared is not None and isinstance(declared.node, nodes.Contract):
                owner = self.linker.runtime(declared, origin)
                self._load(owner, spot.here)
        if owner is None or name not in owner.contract.pools:
            raise Refusal("unknown-name", f"there is no pool `{clause.pool.path}` here", origin)
        pool = self._pool(owner, name, scope.here)
        reasons: list[Resolution] = []
        if clause.size is not None:
            size = evaluate(
                clause.size,
                ContractScope(
                    runtime, scope.file, scope.here, scope.parameters, scope.lets, scope.overrides, reasons
                ),
            )
        else:
            overrides = scope.overrides if owner is runtime else {}
            size = self._pool_size(owner, name, scope.here, reasons, overrides)
        own_thread = pool.key in spot.own_pools and not pool.nested
        existing = self._existing(owner, name, scope.here, size)
        at_load: Value = 0
        if pool.created_at_load:
            alone = Here(scope.here.state, self.linker, ())
            at_load = self._existing(owner, name, alone, self._pool_size(owner, name, alone, []))
        return PoolUse(
            pool, size, existing, own_thread, tuple(reasons), Origin(scope.file, clause.span), at_load
        ), pool.key

    def _pool(self, owner: Runtime, name: str, here: Here) -> PoolInstance:
        clause = owner.contract.pools[name]
        policy, joins, coupled, spins, at_load, fork, nested = (
            "submit",
            False,
            False,
            None,
            False,
            "safe",
            False,
        )
        for item in clause.node.clauses:
            match item:
                case nodes.CallersPolicy():
                    policy = item.policy
                case nodes.CallerRole():
                    joins = item.role == "joins"
                case nodes.Coupling():
                    coupled = item.kind == "coupled"
                case nodes.Idle():
                    spins = self._spins(item, ContractScope(owner, clause.file, here))
                case nodes.Created():
                    at_load = item.moment == "load"
                case nodes.ForkBehaviour():
                    fork = item.effect
                case nodes.Nested():
                    nested = True
        return PoolInstance(
            f"{owner.key}.{name}",
            name,
            owner.name,
            policy,
            joins,
            coupled,
            spins,
            at_load,
            fork,
            nested,
            clause.origin,
            owner.key.partition("@")[2] or None,
        )

    def _spins(self, idle: nodes.Idle, scope: ContractScope) -> str | None:
        """Whether idle threads spin, and whether they ever stop: see decision 0004."""
        if idle.how == "blocks":
            return None
        if idle.duration is None:
            return "always"
        duration = evaluate(idle.duration, scope)
        if duration == 0:
            return None
        return "always" if apply(">=", duration, FOREVER) is True else "for a time"

    def _pool_size(
        self,
        owner: Runtime,
        name: str,
        here: Here,
        reasons: list[Resolution],
        overrides: Mapping[str, Value] | None = None,
    ) -> Value:
        clause = owner.contract.pools[name]
        node = next((c for c in clause.node.clauses if isinstance(c, nodes.Size)), None)
        if node is None:
            raise Refusal(
                "missing-clause",
                f"the pool `{owner.name}.{name}` has no size",
                clause.origin,
                help="add `size` to the pool, or `with size = ...` to the operation",
            )
        scope = ContractScope(owner, clause.file, here, overrides=overrides or {}, reasons=reasons)
        return evaluate(node.value, scope)

    def _existing(self, owner: Runtime, name: str, here: Here, size: Value) -> Value:
        clause = owner.contract.pools[name]
        node = next((c for c in clause.node.clauses if isinstance(c, nodes.Existing)), None)
        if node is not None:
            scope = ContractScope(owner, clause.file, here, parameters={"size": size})
            return evaluate(node.value, scope)
        joins = any(isinstance(c, nodes.CallerRole) and c.role == "joins" for c in clause.node.clauses)
        return apply("max", 0, apply("-", size, 1)) if joins else size

    def _count(self, workers: nodes.Workers, scope: ContractScope) -> tuple[Value, tuple[Resolution, ...]]:
        reasons: list[Resolution] = []
        inner = ContractScope(
            scope.runtime, scope.file, scope.here, scope.parameters, scope.lets, scope.overrides, reasons
        )
        count = evaluate(workers.count, inner)
        origin = Origin(scope.file, workers.count.span)
        if isinstance(count, bool | str):
            raise Refusal("type-mismatch", "a number of workers is a count", origin)
        if not isinstance(count, Term) and (count < 0 or count != int(count)):
            raise Refusal("out-of-range", f"{count} is no number of workers", origin)
        return count, tuple(reasons)

    def _thread_workers(self, workers: nodes.Workers, call: _Call) -> Activity:
        place, demands, cpu = self._entered(call)
        scope = call.scope
        count, reasons = self._count(workers, scope)
        kept = tuple(frame for frame in scope.here.frames if not self._of_thread(frame))
        here = dataclasses.replace(scope.here, frames=kept)
        here = here.limited(self._frames(self._limits(workers.clauses, scope)))
        inner = call.spot.inside(here, call.path, frozenset())
        statements = call.content(inner) if call.content is not None else ()
        joins = any(isinstance(c, nodes.CallerRole) and c.role == "joins" for c in workers.clauses)
        held, _ = self._demands(workers.clauses, scope)
        if held:
            raise Refusal(
                "conflicting-clauses",
                "a demand inside `workers threads` belongs to the operation",
                held[0].origin,
                help="write it in the operation, multiplied by the number of workers",
            )
        threads = ThreadWorkers(count, joins, Origin(scope.file, workers.span), reasons)
        return Activity(
            place,
            demands,
            cpu,
            workers=threads,
            body=Sequence(statements) if statements else None,
            condition=scope.here.condition,
        )

    def _of_thread(self, frame: Frame) -> bool:
        """Whether a limit holds for the limiting thread alone."""
        declared = self.program.declarations.get(frame.target)
        if not declared:
            return False
        control = self.linker.contract(declared[0]).controls.get(frame.control)
        return control is not None and any(
            isinstance(c, nodes.Scope) and c.reach in ("thread", "call") for c in control.node.clauses
        )

    def _process_workers(self, workers: nodes.Workers, call: _Call) -> Activity:
        place, demands, cpu = self._entered(call)
        scope, spot = call.scope, call.spot
        count, reasons = self._count(workers, scope)
        parent = spot.here.state
        method: str | None = None
        machine = parent.machine
        pinned = False
        env = dict(parent.env)
        held, _ = self._demands(workers.clauses, scope)
        for clause in workers.clauses:
            match clause:
                case nodes.Start():
                    value = evaluate(clause.method, scope)
                    method = value if isinstance(value, str) else None
                case nodes.Pin():
                    machine = machine.pinned(evaluate(clause.value, scope))
                    pinned = True
                case nodes.SetVariable():
                    self._set(clause, scope, env, f" (set by {scope.runtime.name})")
        if self.unlimited:
            machine, env, pinned = parent.machine, dict(parent.env), False
        state = ProcessState(f"workers of {place}", machine, env)
        state.calls.extend(parent.calls)
        inherited = scope.here.frames if method == "fork" else ()
        if method == "fork":
            state.imported.extend(parent.imported)
        limits = self._frames(self._limits(workers.clauses, scope))
        exists = conjunction(scope.here.condition, apply(">=", count, 1))
        here = dataclasses.replace(scope.here, state=state, frames=inherited, condition=exists).limited(
            limits
        )
        process = self._process(
            state,
            place,
            method,
            machine,
            call.content,
            call.path,
            here,
            held,
            scope.runtime,
            cpu,
            spot.depth,
            pinned=pinned,
            parent_used=_either(self._created(parent), spot.used),
        )
        return Activity(
            place,
            demands,
            None,
            workers=ProcessWorkers(count, process, Origin(scope.file, workers.span), reasons),
            condition=scope.here.condition,
        )

    def _created(self, state: ProcessState) -> Mapping[str, Value]:
        """The pools that have threads in a process since its libraries were loaded, and when these are."""
        here = Here(state, self.linker, ())
        found: dict[str, Value] = {}
        for key, runtime in state.loaded.items():
            for name in runtime.contract.pools:
                pool = self._pool(runtime, name, here)
                if pool.created_at_load:
                    existing = self._existing(runtime, name, here, self._pool_size(runtime, name, here, []))
                    found[pool.key] = conjunction(state.presence[key], apply(">=", existing, 1))
        return found

    def _set(
        self, clause: nodes.SetVariable, scope: ContractScope, env: dict[str, EnvValue], how: str
    ) -> None:
        """`set V = e` or `set default V = e` on an environment."""
        name = clause.name.text
        guard: Value = True if clause.guard is None else evaluate(clause.guard, scope)
        value = evaluate(clause.value, scope)
        present = env[name].present if name in env else False
        if clause.weak:
            guard = conjunction(guard, negation(present))
        if guard is False:
            return
        origin = Origin(scope.file, clause.span)
        if guard is True or name not in env:
            env[name] = EnvValue(guard, value, origin, how)
            return
        old = env[name]
        env[name] = EnvValue(apply("or", guard, old.present), choose(guard, value, old.value), origin, how)

    # -------------------------------------------------------------- processes and what they load

    def _process(
        self,
        state: ProcessState,
        place: Place | None,
        method: str | None,
        machine: MachineView,
        content: Content | None,
        path: str,
        here: Here,
        held: tuple[Held, ...],
        starter: Runtime | None,
        cpu: tuple[Value, Value] | None,
        depth: int,
        *,
        pinned: bool = False,
        parent_used: Mapping[str, Value] | None = None,
    ) -> Process:
        holders: dict[str, set[str]] = {}
        spot = Spot(here, frozenset(), path, depth + 1, {}, [], holders)
        if starter is not None and place is not None:
            self._load(starter, here)
            self._hold(starter, holders, place)
        statements = content(spot) if content is not None else ()
        if not statements and place is not None:
            statements = (
                Activity(
                    Place(f"{place.id}/work", place.library, place.operation, place.origin),
                    cpu=cpu,
                    condition=here.condition,
                ),
            )
        loaded = tuple(
            self._loaded(runtime, here, frozenset(holders.get(runtime.key, ())), spot)
            for runtime in state.loaded.values()
        )
        cpus = state.machine.fact("cpus")
        if cpus is None:
            raise Refusal(
                "machine-fact-missing",
                f"the machine `{machine.name}` does not state `cpus.online`",
                self.declared.origin,
                help="every composition needs to know how many CPUs there are",
            )
        return Process(
            state.name,
            place,
            method,
            cpus,
            pinned or state.machine is not machine,
            loaded,
            held,
            Sequence(statements),
            tuple(later() for later in spot.conditions),
            parent_used or {},
            here.condition,
        )

    def _hold(self, runtime: Runtime, holders: dict[str, set[str]], place: Place) -> None:
        """Note that a library, and what it uses, is loaded through a place."""
        holders.setdefault(runtime.key, set()).add(place.id)
        for provider in runtime.providers.values():
            self._hold(provider, holders, place)

    def _load(self, runtime: Runtime, here: Here) -> None:
        """Load a library and what it uses into the process, and let it do what importing it does."""
        state = here.state
        for provider in runtime.providers.values():
            self._load(provider, here)
        known = state.presence.get(runtime.key, False)
        state.presence[runtime.key] = disjunction(known, here.condition)
        if runtime.key in state.loaded:
            return
        state.loaded[runtime.key] = runtime
        on_load = runtime.contract.on_load
        if on_load is not None and not self.unlimited and self._reached(here, on_load):
            base = Here(state, self.linker, here.frames, here.requirements)
            scope = ContractScope(runtime, on_load.file, base)
            for clause in on_load.node.clauses:
                match clause:
                    case nodes.SetVariable():
                        self._set(clause, scope, state.env, f" (set by importing {runtime.name})")
                    case nodes.Pin():
                        state.machine = state.machine.pinned(evaluate(clause.value, scope))
            state.imported.extend(self._limits(on_load.node.clauses, scope))
        state.env_at_load[runtime.key] = dict(state.env)

    def _reached(self, here: Here, on_load: Clause[nodes.OnLoad]) -> bool:
        """Whether a library is loaded at all, asked where loading it changes its process."""
        return isinstance(here.condition, bool) or self.decide(here.condition, on_load.origin)

    def _loaded(self, runtime: Runtime, here: Here, holders: frozenset[str], spot: Spot) -> Loaded:
        """What a loaded library holds for as long as its process lives."""
        demands: list[Held] = []
        for clause in runtime.contract.demands:
            demands.append(self._held(clause.node, ContractScope(runtime, clause.file, here)))
        on_load = runtime.contract.on_load
        if on_load is not None:
            scope = ContractScope(runtime, on_load.file, here)
            demands.extend(self._held(c, scope) for c in on_load.node.clauses if isinstance(c, nodes.Demand))
        for item in (*runtime.contract.assumes, *runtime.contract.hazards):
            self._conditions((item.node,), ContractScope(runtime, item.file, here), None, spot)
        pools = []
        for name in runtime.contract.pools:
            pool = self._pool(runtime, name, here)
            if pool.created_at_load:
                reasons: list[Resolution] = []
                size = self._pool_size(runtime, name, here, reasons)
                pools.append((pool, self._existing(runtime, name, here, size), tuple(reasons)))
        presence = here.state.presence[runtime.key]
        return Loaded(runtime.contract, runtime.key, holders, tuple(demands), tuple(pools), presence)


def _either(a: Mapping[str, Value], b: Mapping[str, Value]) -> Mapping[str, Value]:
    return {key: disjunction(a.get(key, False), b.get(key, False)) for key in {**a, **b}}


def elaborate(
    program: Program,
    declared: Declared,
    machine: MachineView,
    settings: Settings,
    choose_version: Callable[[str, str | None], Declared],
    decide: Decide = decide_plainly,
    *,
    unlimited: bool = False,
) -> Elaborated:
    """The tree of an application on a machine under a configuration.

    `unlimited` leaves out what holds the application back: limits, pins and variables set for workers. Raises
    `Refusal` where the application has no meaning.
    """
    return Elaborator(program, declared, machine, settings, choose_version, decide, unlimited=unlimited).run()
