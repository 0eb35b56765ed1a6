"""Clauses of contracts as they read at one place: guards, limits, demands, conditions, numbers of workers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from lpcl.compose.evaluate import Scope, evaluate
from lpcl.compose.linker import Linker, Runtime
from lpcl.compose.machine import MachineView, Pinning
from lpcl.compose.refusal import Refusal
from lpcl.compose.resources import CPU
from lpcl.compose.said import Said
from lpcl.compose.scopes import ContractScope, Frame
from lpcl.compose.settings import EnvValue
from lpcl.compose.starts import GPU_MEMORY
from lpcl.compose.structure import Condition, Held, Load, Place, Resolution
from lpcl.compose.terms import Term, Value, apply, choose, conjunction, disjunction, negation
from lpcl.model.program import Origin, Program, SourceFile
from lpcl.syntax import nodes

Decide = Callable[[Value, Origin], bool]
"""The answer to a guard, also to one that depends on an open knob. May raise `Refusal`."""


@dataclass(frozen=True)
class Clauses:
    """Reads clauses. `decide` answers guards that shape the tree; `unlimited` leaves out what holds back.

    `rests` tells whether anything asks what is left of a device, so that starts have an order, `judged`
    whether assumptions and hazards are looked at.
    """

    program: Program
    linker: Linker
    decide: Decide
    unlimited: bool
    judged: bool = True

    @property
    def rests(self) -> bool:
        """Whether some file reads `machine.gpu.memory.free`."""
        return self.program.asks_what_is_left

    def holds(self, guard: nodes.Expression | None, scope: Scope) -> bool:
        """Whether a guard holds; one that is not there does."""
        if guard is None:
            return True
        return self.decide(evaluate(guard, scope), Origin(scope.file, guard.span))

    def target(self, file: SourceFile, ref: nodes.Ref, runtime: Runtime | None) -> tuple[str, str]:
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

    def frames(self, frames: Iterable[Frame]) -> tuple[Frame, ...]:
        """The limits that count: none where what holds back is left out."""
        return () if self.unlimited else tuple(frames)

    def limits(self, clauses: Iterable[nodes.Node], scope: ContractScope) -> Iterable[Frame]:
        """The limits among clauses whose guards hold."""
        for clause in clauses:
            if isinstance(clause, nodes.Limit) and self.holds(clause.guard, scope):
                target, control = self.target(scope.file, clause.target, scope.runtime)
                yield Frame(
                    target,
                    control,
                    evaluate(clause.value, scope),
                    Origin(scope.file, clause.span),
                    f"limited by {scope.runtime.name}",
                )

    def demands(
        self, clauses: Iterable[nodes.Node], scope: ContractScope
    ) -> tuple[tuple[Held, ...], Load | None]:
        """What is held, and the CPU demand where one is declared."""
        held: list[Held] = []
        cpu: Load | None = None
        for clause in clauses:
            if not isinstance(clause, nodes.Demand):
                continue
            item = self.held(clause, scope)
            if item.resource == CPU:
                low, high = (0, 0) if cpu is None else cpu[:2]
                cpu = Load(apply("+", low, item.low), apply("+", high, item.high), item)
                scope.reasons.extend(item.reasons)
            else:
                held.append(item)
        return tuple(held), cpu

    def held(self, clause: nodes.Demand, outer: ContractScope) -> Held:
        """A demand with its bounds. Raises `Refusal` for one below 0."""
        scope = outer.afresh()
        declared = self.program.find(scope.file, clause.resource.path)
        if declared is None or not isinstance(declared.node, nodes.Resource):
            raise Refusal(
                "unknown-name",
                f"there is no resource `{clause.resource.path}`",
                Origin(scope.file, clause.resource.span),
            )
        guard: Value = True if clause.guard is None else evaluate(clause.guard, scope)
        low: Value = 0
        high: Value = 0
        device: Value | None = None
        if isinstance(clause.device, nodes.AllDevices):
            device = "all"
        elif clause.device is not None:
            device = evaluate(clause.device, scope)
        elif declared.node.per == "device":
            device = 0
        if guard is not False:
            try:
                low, high = self._amounts(clause, declared.qualified, device, scope.under(guard))
            except Refusal:
                if guard is True:
                    raise
                outer.here.demand(negation(guard))  # what cannot be asked for must not be
            low, high = choose(guard, low, 0), choose(guard, high, 0)
        origin = Origin(scope.file, clause.span)
        demand = scope.under(guard).here.demand
        positive = conjunction(apply(">=", low, 0), apply(">=", high, 0))
        if positive is False:
            raise Refusal(
                "negative-demand",
                f"a demand for `{declared.name}` comes out below 0",
                origin,
                help="nothing can ask for less than nothing: guard it with `max(0, ...)`",
            )
        ordered = apply("<=", low, high)
        if ordered is False:
            raise Refusal(
                "out-of-range",
                f"the bounds of a demand for `{declared.name}` are the wrong way round",
                origin,
                help="write the lower one first",
            )
        there = disjunction(apply("==", high, 0), self._has_device(device, scope))
        if there is False:
            raise Refusal(
                "out-of-range",
                f"`{declared.name}` is asked for on device {device}, "
                f"and the machine has {scope.here.state.machine.fact('gpus')}",
                origin,
                help="devices are counted from 0; `gpus` of the machine says how many there are",
            )
        for condition in (positive, ordered, there):
            if condition is not True:
                demand(condition)
        return Held(
            declared.qualified,
            low,
            high,
            origin,
            device,
            tuple(scope.reasons),
            _bounds_said(clause, scope, (low, high)),
        )

    def _has_device(self, device: Value | None, scope: ContractScope) -> Value:
        """Whether the machine has a device, as far as it says how many there are."""
        gpus = scope.here.state.machine.fact("gpus")
        if device is None or device == "all" or gpus is None:
            return True
        return conjunction(apply(">=", device, 0), apply("<", device, gpus))

    def _amounts(
        self, clause: nodes.Demand, resource: str, device: Value | None, scope: ContractScope
    ) -> tuple[Value, Value]:
        """The bounds of a demand, where its guard holds."""

        def bounds(scope: ContractScope) -> tuple[Value, Value]:
            if clause.range is not None:
                return evaluate(clause.range.low, scope), evaluate(clause.range.high, scope)
            assert clause.amount is not None
            amount = evaluate(clause.amount, scope)
            return amount, amount

        if not self.rests or resource != GPU_MEMORY:
            return bounds(scope)
        where = 0 if device is None or device == "all" else device
        after_most, after_least = (
            bounds(replace(scope, here=replace(scope.here, most=most, device=where)))
            for most in (True, False)
        )
        return apply("min", after_most[0], after_least[0]), apply("max", after_most[1], after_least[1])

    def conditions(
        self,
        clauses: Iterable[nodes.Node],
        scope: ContractScope,
        place: Place | None,
        waiting: list[Callable[[], Condition]],
    ) -> None:
        """Leave assumptions and hazards in `waiting`, until the process has loaded all its libraries."""
        for clause in clauses if self.judged else ():
            if not isinstance(clause, nodes.Assume | nodes.Hazard):
                continue

            def later(clause: nodes.Assume | nodes.Hazard = clause) -> Condition:
                value, reached = evaluate(clause.condition, scope), scope.here.condition
                said = scope.said(clause.condition, value)
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
                    said,
                    scope.runtime.key,
                )

            waiting.append(later)

    def count(
        self, workers: nodes.Workers, scope: ContractScope
    ) -> tuple[Value, tuple[Resolution, ...], Said]:
        """The number of workers, the controls that it is computed from, and how. Raises `Refusal`."""
        inner = scope.afresh()
        count = evaluate(workers.count, inner)
        origin = Origin(scope.file, workers.count.span)
        if isinstance(count, bool | str):
            raise Refusal("type-mismatch", "a number of workers is a count", origin)
        if not isinstance(count, Term) and count != int(count):
            raise Refusal("out-of-range", f"{count} is no number of workers", origin)
        inner.here.require(
            apply(">=", count, 0), lambda: Refusal("out-of-range", f"{count} is no number of workers", origin)
        )
        return count, tuple(inner.reasons), inner.said(workers.count, count)

    def set_variable(
        self, clause: nodes.SetVariable, scope: ContractScope, env: dict[str, EnvValue], how: str
    ) -> None:
        """`set V = e` or `set default V = e` on an environment."""
        name = clause.name.text
        guard: Value = True if clause.guard is None else evaluate(clause.guard, scope)
        present = env[name].present if name in env else False
        if clause.weak:
            guard = conjunction(guard, negation(present))
        if guard is False:
            return
        try:
            value = evaluate(clause.value, scope.under(guard))
        except Refusal:
            if guard is True:
                raise
            scope.here.demand(negation(guard))
            return
        origin = Origin(scope.file, clause.span)
        if guard is True or name not in env:
            env[name] = EnvValue(guard, value, origin, how)
            return
        old = env[name]
        env[name] = EnvValue(apply("or", guard, old.present), choose(guard, value, old.value), origin, how)

    def pinned(
        self, clause: nodes.Pin, scope: ContractScope, machine: MachineView, place: Place | None = None
    ) -> MachineView:
        """The machine as a process sees it after `pin cpus = e`. Raises `Refusal` for less than one CPU.

        `place` is the operation that pins its workers, None where a library pins the process that loads it.
        """
        count = evaluate(clause.value, scope)
        scope.here.require(
            apply(">=", count, 1),
            lambda: Refusal(
                "out-of-range",
                f"`{scope.runtime.name}` pins its process to {count} CPUs here, and nothing runs on that",
                Origin(scope.file, clause.value.span),
                help="pin to at least 1 CPU: `max(1, ...)`",
            ),
        )
        operation, at = ("", "") if place is None else (place.operation, place.id)
        by = Pinning(scope.runtime.name, operation, count, scope.said(clause.value, count), at)
        return machine.pinned(count, by)

    def of_thread(self, frame: Frame) -> bool:
        """Whether a limit holds for the limiting thread alone."""
        declared = self.program.declarations.get(frame.target)
        if not declared:
            return False
        control = self.linker.contract(declared[0]).controls.get(frame.control)
        return control is not None and any(
            isinstance(c, nodes.Scope) and c.reach in ("thread", "call") for c in control.node.clauses
        )


def _bounds_said(
    clause: nodes.Demand, scope: ContractScope, bounds: tuple[Value, Value]
) -> tuple[Said, Said] | None:
    """The expressions of a demand's two bounds."""
    low, high = bounds
    if clause.range is not None:
        return scope.said(clause.range.low, low), scope.said(clause.range.high, high)
    if clause.amount is None:
        return None
    return scope.said(clause.amount, low), scope.said(clause.amount, high)
