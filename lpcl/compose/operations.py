"""Operations carried out at their place: by their callers, on a pool, or by workers."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Protocol

from lpcl.compose import ranges
from lpcl.compose.clauses import Clauses
from lpcl.compose.evaluate import Scope, evaluate
from lpcl.compose.figures import COUNTED, figure_of
from lpcl.compose.linker import Runtime
from lpcl.compose.pools import existing_threads, pool_instance, pool_size, sized
from lpcl.compose.processes import Content, Processes, Spot
from lpcl.compose.refusal import Refusal
from lpcl.compose.said import Said
from lpcl.compose.scopes import ContractScope, Here, ProcessState
from lpcl.compose.starts import Live
from lpcl.compose.structure import (
    Activity,
    Held,
    Load,
    Place,
    PoolUse,
    ProcessWorkers,
    Resolution,
    Sequence,
    Statement,
    ThreadWorkers,
    Variant,
)
from lpcl.compose.terms import Term, Value, apply, conjunction, disjunction, knob, negation
from lpcl.model.contracts import Clause
from lpcl.model.program import Origin
from lpcl.syntax import nodes

DEEPEST = 60


@dataclass(frozen=True, eq=False)
class Argument:
    """A value that a call hands on, the expression that gives it, and what that rests on."""

    value: Value
    said: Said
    because: tuple[Resolution, ...] = ()


class Giving(Scope, Protocol):
    """A scope that notes what is read in it."""

    @property
    def reasons(self) -> list[Resolution]:
        """Where what was read so far comes from."""
        ...

    def said(self, expression: nodes.Expression, value: Value) -> Said:
        """An expression that came out as `value` here."""
        ...


def handed_on(expression: nodes.Expression, scope: Giving) -> Argument:
    """The argument that an expression gives in a scope where nothing has been read yet."""
    value = evaluate(expression, scope)
    return Argument(value, scope.said(expression, value), tuple(scope.reasons))


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


@dataclass(frozen=True)
class Operations:
    """Carries operations out. What must hold for a configuration to be accepted is left in `requirements`."""

    clauses: Clauses
    processes: Processes
    requirements: list[Value]

    def activity(
        self,
        runtime: Runtime,
        operation: str,
        args: Mapping[str, Argument],
        block: Content | None,
        spot: Spot,
        path: str,
        origin: Origin,
    ) -> Statement:
        """An operation at its place. Raises `Refusal`."""
        if spot.depth > DEEPEST:
            raise Refusal(
                "too-deep", f"`{runtime.name}.{operation}` is called within itself too often", origin
            )
        self.processes.load(runtime, spot.here)
        clause = runtime.contract.operations.get(operation)
        if clause is None:
            if operation != "load":
                raise Refusal(
                    "unknown-member",
                    f"`{runtime.name}` has no operation `{operation}`",
                    origin,
                    labels=((runtime.contract.declared.origin, "its contract"),),
                )
            place = dataclasses.replace(self._place(runtime, operation, path, origin, spot), imports=True)
            statements = () if block is None else block(spot)
            body = Sequence(statements) if statements else None
            return Activity(place, body=body, condition=spot.here.condition)
        return self._carried_out(runtime, clause, args, block, spot, path, origin)

    def _place(self, runtime: Runtime, operation: str, path: str, origin: Origin, spot: Spot) -> Place:
        place = Place(
            f"{path}:{runtime.key}.{operation}",
            runtime.name,
            operation,
            origin,
            spot.here.state.application,
        )
        self.processes.hold(runtime, spot.holders, place)
        return place

    def _carried_out(
        self,
        runtime: Runtime,
        clause: Clause[nodes.Operation],
        args: Mapping[str, Argument],
        block: Content | None,
        spot: Spot,
        path: str,
        origin: Origin,
    ) -> Statement:
        node = clause.node
        lets = {c.name.text: Clause(c, clause.file) for c in node.clauses if isinstance(c, nodes.Let)}
        parameters, overrides = self._arguments(runtime, clause, args, spot.here, origin)
        given = {name: self._given(runtime, clause, name, arg) for name, arg in args.items()}
        outer = ContractScope(
            runtime,
            clause.file,
            spot.here,
            parameters,
            lets,
            overrides,
            given=given,
            operation=node.name.text,
        )
        here = spot.here.limited(self.clauses.frames(self.clauses.limits(node.clauses, outer)))
        scope = replace(outer, here=here, reasons=[], facts={}, known={}, worked={})
        content = self._content(node.clauses, scope, block)
        runs_on = next(
            (c for c in node.clauses if isinstance(c, nodes.RunsOn) and self.clauses.holds(c.guard, scope)),
            None,
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
        inner = spot.inside(self._started(call.scope.here, demands), call.path, spot.own_pools)
        statements = call.content(inner) if call.content is not None else ()
        return Activity(
            place,
            demands,
            cpu,
            body=Sequence(statements) if statements else None,
            condition=spot.here.condition,
            grounds=tuple(call.scope.reasons),
        )

    def _on_pool(self, runs_on: nodes.RunsOn, call: _Call) -> Activity:
        place, demands, cpu = self._entered(call)
        spot = call.spot
        use, key = self._pool_use(call.runtime, runs_on, call.scope, spot)
        keeps = conjunction(spot.here.condition, apply(">=", use.existing, 1))
        spot.used[key] = disjunction(spot.used.get(key, False), keeps)
        times = 1 if use.own_thread else apply("max", 1, use.size)
        here = self._started(call.scope.here, demands, times)
        inner = spot.inside(here, call.path, spot.own_pools if use.own_thread else frozenset((key,)))
        statements = call.content(inner) if call.content is not None else ()
        return Activity(
            place,
            demands,
            cpu,
            pool=use,
            body=Sequence(statements) if statements else None,
            condition=spot.here.condition,
            grounds=tuple(call.scope.reasons),
        )

    def _started(
        self, here: Here, demands: tuple[Held, ...], times: Value = 1, each: tuple[Held, ...] = ()
    ) -> Here:
        """Where executors are inside an activity, as far as it matters what has started before.

        `times` of them come from each that is outside, and what `each` of these holds goes on inside.
        """
        if not self.clauses.rests:
            return here
        copies = apply("*", here.copies, times)
        started = [Live(here.copies, one) for one in demands]
        started += [Live(copies, one) for one in each]
        return dataclasses.replace(here, live=(*here.live, *started), copies=copies)

    def _entered(self, call: _Call) -> tuple[Place, tuple[Held, ...], Load | None]:
        """The place of a call, with its conditions left to be evaluated, what it holds, and its CPU
        demand.
        """
        place = self._place(call.runtime, call.node.name.text, call.path, call.origin, call.spot)
        scope = call.scope.called_by(knob(f"callers {place.id}", 0))
        self.clauses.conditions(call.node.clauses, scope, place, call.spot.conditions)
        return place, *self.clauses.demands(call.node.clauses, scope)

    def _arguments(
        self,
        runtime: Runtime,
        clause: Clause[nodes.Operation],
        args: Mapping[str, Argument],
        here: Here,
        origin: Origin,
    ) -> tuple[Mapping[str, Value], Mapping[str, Value]]:
        """The operation's parameters, and the controls of its library that the call sets."""
        parameters: dict[str, Value] = {}
        known = {parameter.name.text: parameter for parameter in clause.node.parameters}
        overrides = {
            name: argument.value
            for name, argument in args.items()
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
                parameters[name] = args[name].value
            elif parameter.default is not None:
                parameters[name] = evaluate(parameter.default, scope)
            else:
                raise Refusal(
                    "missing-argument",
                    f"`{runtime.name}.{clause.node.name.text}` needs `{name}`",
                    origin,
                    labels=((Origin(clause.file, parameter.span), "declared here, without a default"),),
                )
            valid = ranges.held(
                parameter.type,
                parameters[name],
                scope,
                f"`{name}` of `{runtime.name}.{clause.node.name.text}`",
                origin,
                Origin(clause.file, parameter.span),
            )
            if valid is not True:
                here.demand(valid)
        return parameters, overrides

    def _given(
        self, runtime: Runtime, clause: Clause[nodes.Operation], name: str, argument: Argument
    ) -> Resolution:
        """Where an argument of the call comes from, as what reads it says."""
        control = runtime.contract.controls.get(name)
        known = {parameter.name.text: parameter.type for parameter in clause.node.parameters}
        title = f"{runtime.name}.{name}"
        if name in known or control is None:
            title = f"{name} of {runtime.name}.{clause.node.name.text}"
        kind = known.get(name, None if control is None else control.node.type)
        return Resolution(
            title,
            argument.value,
            "argument of the call" + ("" if argument.said.is_literal else f": {argument.said.text}"),
            argument.said.origin,
            kind=COUNTED if kind is None else figure_of(kind),
            because=argument.because,
            facts=argument.said.facts,
            given=name in known or control is None,
        )

    def _content(
        self, clauses: Iterable[nodes.OperationClause], scope: ContractScope, block: Content | None
    ) -> Content | None:
        """What the operation's executors go through: its calls, then the application's block."""
        calls = [c for c in clauses if isinstance(c, nodes.Calls) and self.clauses.holds(c.guard, scope)]
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
            declared = self.clauses.linker.find(outer.file, head)
            if declared is None or not isinstance(declared.node, nodes.Contract):
                raise Refusal("unknown-name", f"there is no library `{head}` here", origin)
            runtime = self.clauses.linker.runtime(declared, origin)
        scope = dataclasses.replace(outer, here=spot.here)
        args = {argument.name.text: handed_on(argument.value, scope.afresh()) for argument in call.arguments}
        inner = spot.inside(spot.here, path, spot.own_pools)
        return self.activity(
            runtime, operation, args, block if call.passes_block else None, inner, path, origin
        )

    def _pool_use(
        self, runtime: Runtime, clause: nodes.RunsOn, scope: ContractScope, spot: Spot
    ) -> tuple[PoolUse, str]:
        head, _, name = clause.pool.path.rpartition(".")
        owner = runtime if not head else runtime.providers.get(head)
        origin = Origin(scope.file, clause.pool.span)
        if owner is None:
            declared = self.clauses.linker.find(scope.file, head)
            if declared is not None and isinstance(declared.node, nodes.Contract):
                owner = self.clauses.linker.runtime(declared, origin)
                self.processes.load(owner, spot.here)
        if owner is None or name not in owner.contract.pools:
            raise Refusal("unknown-name", f"there is no pool `{clause.pool.path}` here", origin)
        pool = pool_instance(owner, name, scope.here, self.clauses.decide)
        reasons: list[Resolution] = []
        if clause.size is not None:
            inner = scope.afresh()
            size = evaluate(clause.size, inner)
            said = inner.said(clause.size, size)
            reasons = inner.reasons
        elif owner is runtime:
            size, said = sized(owner, name, scope.here, reasons, scope.overrides, scope.given)
        else:
            size, said = sized(owner, name, scope.here, reasons)
        own_thread = pool.key in spot.own_pools and not (pool.nested and pool.policy == "fork")
        scope.here.require(
            apply(">=", size, 0),
            lambda: Refusal(
                "out-of-range",
                f"the pool {pool} comes out with {size} threads here",
                origin,
                help="a pool has 0 threads or more: see what its size is computed from",
            ),
        )
        overrides = scope.overrides if owner is runtime else {}
        existing = existing_threads(owner, name, scope.here, size, overrides)
        at_load: Value = 0
        if pool.created_at_load:
            alone = Here(scope.here.state, self.clauses.linker, (), condition=scope.here.condition)
            at_load = existing_threads(owner, name, alone, pool_size(owner, name, alone, []))
        return PoolUse(
            pool, size, existing, own_thread, tuple(reasons), Origin(scope.file, clause.span), at_load, said
        ), pool.key

    def _thread_workers(self, workers: nodes.Workers, call: _Call) -> Activity:
        place, demands, cpu = self._entered(call)
        scope = call.scope
        count, reasons, said = self.clauses.count(workers, scope)
        kept = tuple(frame for frame in scope.here.frames if not self.clauses.of_thread(frame))
        here = dataclasses.replace(self._started(scope.here, demands, count), frames=kept)
        here = here.limited(self.clauses.frames(self.clauses.limits(workers.clauses, scope)))
        inner = call.spot.inside(here, call.path, frozenset())
        statements = call.content(inner) if call.content is not None else ()
        joins = any(isinstance(c, nodes.CallerRole) and c.role == "joins" for c in workers.clauses)
        held, _ = self.clauses.demands(workers.clauses, scope)
        if held:
            raise Refusal(
                "conflicting-clauses",
                "a demand inside `workers threads` belongs to the operation",
                held[0].origin,
                help="write it in the operation, multiplied by the number of workers",
            )
        threads = ThreadWorkers(count, joins, Origin(scope.file, workers.span), reasons, said)
        return Activity(
            place,
            demands,
            cpu,
            workers=threads,
            body=Sequence(statements) if statements else None,
            condition=scope.here.condition,
            grounds=tuple(call.scope.reasons),
        )

    def _method(self, value: Value, origin: Origin) -> str | None:
        """How a process begins; of what is open only whether that is `fork`: no other makes a difference."""
        if not isinstance(value, Term):
            return value if isinstance(value, str) else None
        return "fork" if self.clauses.decide(apply("==", value, "fork"), origin) else None

    def _process_workers(self, workers: nodes.Workers, call: _Call) -> Activity:
        place, demands, cpu = self._entered(call)
        scope, spot = call.scope, call.spot
        count, reasons, said = self.clauses.count(workers, scope)
        parent = spot.here.state
        method: str | None = None
        machine = parent.machine
        pinned = False
        env = dict(parent.env)
        held, _ = self.clauses.demands(workers.clauses, scope)
        for clause in workers.clauses:
            match clause:
                case nodes.Start():
                    method = self._method(evaluate(clause.method, scope), Origin(scope.file, clause.span))
                case nodes.Pin():
                    machine = self.clauses.pinned(clause, scope, machine, place)
                    pinned = True
                case nodes.SetVariable():
                    self.clauses.set_variable(clause, scope, env, f" (set by {scope.runtime.name})")
        if self.clauses.unlimited:
            machine, env, pinned = parent.machine, dict(parent.env), False
        limits = self.clauses.frames(self.clauses.limits(workers.clauses, scope))
        name = f"workers of {place}"
        if parent.application:
            name += f" in {parent.application}"
        state = ProcessState(name, machine, env, parent.application)
        state.calls.extend(parent.calls)
        inherited = scope.here.frames if method == "fork" else ()
        if method == "fork":
            self.processes.fork(parent, state, Origin(scope.file, workers.span))
        exists = conjunction(scope.here.condition, apply(">=", count, 1))
        outside = self._started(scope.here, demands, count, held)
        live = (*outside.live, *parent.live)
        here = dataclasses.replace(
            outside, live=live, state=state, frames=inherited, condition=exists
        ).limited(limits)
        process = self.processes.process(
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
            parent_used=_either(self.processes.created(parent), spot.used),
        )
        return Activity(
            place,
            demands,
            None,
            workers=ProcessWorkers(count, process, Origin(scope.file, workers.span), reasons, said),
            condition=scope.here.condition,
            grounds=tuple(call.scope.reasons),
        )


def _either(a: Mapping[str, Value], b: Mapping[str, Value]) -> Mapping[str, Value]:
    return {key: disjunction(a.get(key, False), b.get(key, False)) for key in {**a, **b}}
