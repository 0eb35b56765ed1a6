"""What a contract says of one run of an experiment: the values of `self.` and `predicted.` in expectations.

They follow from the contract's clauses, the variables and calls of the run, and the machine as it saw it: an
experiment that compares them with what it saw holds the clauses themselves against the library.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from lpcl.compose.assess import Context
from lpcl.compose.clauses import Clauses
from lpcl.compose.composition import Composition
from lpcl.compose.elaborate import decide_plainly, elaborate
from lpcl.compose.evaluate import evaluate
from lpcl.compose.findings import Kind
from lpcl.compose.joint import parts
from lpcl.compose.linker import Linker, Runtime
from lpcl.compose.machine import MachineView
from lpcl.compose.meaning import peak
from lpcl.compose.pools import FOREVER, existing_threads, joins, pool_instance, pool_size
from lpcl.compose.processes import Processes
from lpcl.compose.ranges import held
from lpcl.compose.refusal import Refusal
from lpcl.compose.resources import resources
from lpcl.compose.scopes import ContractScope, Frame, Here, ProcessState, resolve
from lpcl.compose.settings import EnvValue, Settings
from lpcl.compose.structure import processes
from lpcl.compose.sums import Sum
from lpcl.compose.terms import Term, Value
from lpcl.model.contracts import Clause, Contract
from lpcl.model.program import Declared, Origin, Program, SourceFile
from lpcl.model.promises import DEMAND, ENVIRONMENT, HAZARDS, LOAD, UNSET, acted_out
from lpcl.packages.versions import Ambiguity, choose
from lpcl.syntax import nodes
from lpcl.syntax.span import Span

_WORDS: Mapping[str, tuple[type[nodes.Node], str, str]] = {
    "read": (nodes.Read, "moment", "first use"),
    "invalid": (nodes.Invalid, "policy", "ignored"),
    "scope": (nodes.Scope, "reach", "process"),
    "callers": (nodes.CallersPolicy, "policy", "submit"),
    "threads": (nodes.Coupling, "kind", "independent"),
    "created": (nodes.Created, "moment", "first use"),
    "fork": (nodes.ForkBehaviour, "effect", "safe"),
}
"""By part: the clause, its attribute, and the word where the clause is left out."""


_WAYS = (nodes.EnvSource, nodes.ApiSource, nodes.ArgumentSource, nodes.ConfigSource)


@dataclass(frozen=True)
class Call:
    """A control that an experiment sets by a call of the library: the clause, and the value."""

    node: nodes.Limit
    value: Value


@dataclass(frozen=True)
class Promises:
    """The contract's values in one run. `variables` are those that the run sets, `calls` what it calls."""

    program: Program
    contract: Contract
    evidence: Clause[nodes.Evidence]
    file: SourceFile
    machine: MachineView
    variables: Mapping[str, str]
    calls: tuple[Call, ...] = ()
    lets: Mapping[str, Value] | None = None

    # ------------------------------------------------------------ self

    def own(self, path: str, origin: Origin) -> Value:
        """The value of `self.PATH`. Raises `Refusal` where it has none."""
        head, _, rest = path.partition(".")
        known = self.contract
        if head == LOAD and rest and LOAD not in {*known.controls, *known.pools, *known.lets}:
            return self._left_by_load(rest)
        if head == DEMAND and rest:
            return self._held(rest, origin)
        holder, _, name = path.rpartition(".")
        if holder:
            outer, _, member = holder.rpartition(".")
            owner = self._holder(outer, origin)
            if owner is not None and member in owner.contract.pools:
                return self._of_pool(owner, member, name, origin)
            if owner is not None and member in owner.contract.controls:
                return self._of_control(owner, member, name, origin)
        value = self._scope(self._runtime).name(path, origin)
        if value == path:
            raise Refusal("unknown-name", f"`{self.contract.name}` has no `{path}`", origin)
        return value

    def of_callers(self, path: str, callers: Value, origin: Origin) -> Value:
        """The value of `self.POOL.active(callers)` or `self.POOL.exist(callers)`. Raises `Refusal`."""
        holder, _, word = path.rpartition(".")
        outer, _, name = holder.rpartition(".")
        owner = self._holder(outer, origin)
        if owner is None or name not in owner.contract.pools or word not in ("active", "exist"):
            raise Refusal("unknown-function", f"`self.{path}` is no function", origin)
        if isinstance(callers, bool) or not isinstance(callers, int) or callers < 1:
            raise Refusal("out-of-range", f"`self.{path}` wants a number of callers, 1 or more", origin)
        here, node = self._here, owner.contract.pools[name].node
        policy = self._word(node, "callers", origin)
        size = pool_size(owner, name, here, [])
        assert isinstance(size, int)
        if word == "exist":
            each = existing_threads(owner, name, here, size)
            assert isinstance(each, int)
            return each * callers if policy == "fork" else each
        if policy == "fork":
            return callers * max(1, size)
        if policy == "join":
            return max(0, size - 1) + callers
        alone = policy in ("queue", "submit") and joins(node) and size == 1
        return callers if alone or size == 0 else size

    def _of_control(self, owner: Runtime, name: str, part: str, origin: Origin) -> Value:
        clause = owner.contract.controls[name]
        if part == "accepted":
            return self._accepted(owner, name, origin)
        if part == "default":
            node = next((item for item in clause.node.clauses if isinstance(item, nodes.Default)), None)
            if node is None:
                raise Refusal("control-without-value", f"`{name}` has no default", origin)
            return evaluate(node.value, self._scope(owner).at(clause.file))
        return self._word(clause.node, part, origin)

    def _accepted(self, owner: Runtime, name: str, origin: Origin) -> bool:
        try:
            resolve(owner, name, self._here, {}, (), origin)
        except Refusal as refusal:
            if refusal.diagnostic.code == "value-rejected":
                return False
            raise
        return True

    def _of_pool(self, owner: Runtime, name: str, part: str, origin: Origin) -> Value:
        clause = owner.contract.pools[name]
        match part:
            case "size":
                return pool_size(owner, name, self._here, [])
            case "existing":
                return existing_threads(owner, name, self._here, pool_size(owner, name, self._here, []))
            case "caller":
                return "joins" if joins(clause.node) else "waits"
            case "nested":
                return any(isinstance(item, nodes.Nested) for item in clause.node.clauses)
            case "idle":
                spins = pool_instance(owner, name, self._here, decide_plainly).spins
                return {None: "blocks", "always": "spins"}.get(spins, f"spins {spins}")
            case "spinning":
                idle = next((item for item in clause.node.clauses if isinstance(item, nodes.Idle)), None)
                if idle is None or pool_instance(owner, name, self._here, decide_plainly).spins is None:
                    return 0
                if idle.duration is None:
                    return FOREVER
                return evaluate(idle.duration, self._scope(owner).at(clause.file))
        return self._word(clause.node, part, origin)

    def _word(self, node: nodes.Control | nodes.Pool, part: str, origin: Origin) -> str:
        if part not in _WORDS:
            raise Refusal("unknown-member", f"`{node.name.text}` has no `{part}`", origin)
        kind, attribute, default = _WORDS[part]
        found = next((item for item in node.clauses if isinstance(item, kind)), None)
        return default if found is None else " ".join(str(getattr(found, attribute)).split())

    def _left_by_load(self, variable: str) -> str:
        """A variable once the library is loaded, as the composer has it."""
        return _held_text(self._here.state.env.get(variable))

    def _held(self, name: str, origin: Origin) -> Value:
        """What the loaded library holds of a resource, by its upper bound."""
        qualified = self._resource(name, origin).qualified
        scope = self._scope(self._runtime)
        held, cpu = self._clauses.demands([item.node for item in self.contract.demands], scope)
        if qualified == "lpcl.core.cpu" and cpu is not None:
            return cpu[1]
        total: Value = 0
        for item in held:
            if item.resource == qualified and not isinstance(item.high, Term | str):
                assert not isinstance(total, Term | str)
                total += item.high
        return total

    # ------------------------------------------------------------ predicted

    def predicted(self, path: str, origin: Origin) -> Value:
        """The value of `predicted.PATH`. Raises `Refusal` where it has none."""
        composed = self._composed
        if isinstance(composed, Refusal):
            raise composed
        if path == HAZARDS:
            return sum(item.kind is Kind.HAZARD for item in composed.assessment.findings)
        if path.startswith(f"{ENVIRONMENT}."):
            return self._started_with(composed, path.partition(".")[2])
        if "." not in path:
            declared = self._resource(path, origin)
            known = resources(self.program)[declared.qualified]
            amount = peak(composed.elaborated.root, Sum(known, "", 0, None).measure("high")).amount
            assert not isinstance(amount, Term | str)
            return amount
        found = {item.value for item in composed.reasons if item.control == path}
        if len(found) != 1:
            several = f"has several values there: {', '.join(map(str, sorted(map(str, found))))}"
            what = several if found else "decides nothing there"
            raise Refusal("unknown-name", f"`{path}` {what}", origin)
        return found.pop()

    @staticmethod
    def _started_with(composed: Composition, variable: str) -> str:
        """A variable of the process class that is started last, as its code finds it."""
        *_, last = processes(composed.elaborated.root)
        return _held_text(last.environment.get(variable))

    @cached_property
    def _composed(self) -> Composition | Refusal:
        node = acted_out(self.evidence.node, self.contract.name)
        if node is None:
            return Refusal("unknown-name", "nothing is predicted: there is no `run`", self.evidence.origin)
        own = tuple(
            self._limit(call.node, call.value)
            for call in self.calls
            if self._can_be_called(*self._clauses.target(self.file, call.node.target, self._runtime))
        )
        named = tuple(
            nodes.Let(nodes.Name(name), _literal(value, node.span), span=node.span)
            for name, value in (self.lets or {}).items()
        )
        application = Declared.made(node.name.text, _with(node, own + named), self.file)
        settings = Settings({name: self._variable(text) for name, text in self.variables.items()})
        part = parts([(application, settings)])
        try:
            tree = elaborate(self.program, application, self.machine, settings, self._choose)
        except Refusal as refusal:
            return refusal
        context = Context(self.machine, resources(self.program), {}, lambda: tree)
        return Composition(self.program, part, self.machine, tree, context)

    def _limit(self, node: nodes.Limit, value: Value) -> nodes.Limit:
        """A call as an application's limit, which names the library of its control."""
        ref = node.target
        if "." not in ref.path:
            ref = nodes.Ref(f"{self.contract.name}.{ref.path}", span=ref.span)
        return nodes.Limit(ref, _literal(value, node.span), span=node.span)

    def check_calls(self) -> None:
        """Raises `Refusal` where a call sets a control to what is outside its type.

        What becomes of such a call no contract says: `invalid` is about variables.
        """
        for call in self.calls:
            target, name = self._clauses.target(self.file, call.node.target, self._runtime)
            own = target == self.contract.declared.qualified
            origin = Origin(self.file, call.node.span)
            runtime = (
                self._runtime if own else self._linker.runtime(self.program.declarations[target][0], origin)
            )
            control = runtime.contract.controls[name]
            if self._word(control.node, "invalid", origin) == "clamps above":
                continue  # the upper end is what variables are cut down to; a call may pass it
            scope = ContractScope(runtime, control.file, self._here)
            held(control.node.type, call.value, scope, f"`{call.node.target.path}`", origin, control.origin)

    # ------------------------------------------------------------ the process

    def _choose(self, qualified: str, version: str | None) -> Declared:
        own = self.contract.declared
        if qualified == own.qualified:
            return own
        found = choose(self.program, qualified, version)
        if isinstance(found, Ambiguity):
            raise Refusal("ambiguous-version", f"which `{qualified}`? {found.reason}", own.origin)
        return found

    @cached_property
    def _linker(self) -> Linker:
        return Linker(self.program, {}, {}, self._choose)

    @cached_property
    def _runtime(self) -> Runtime:
        return self._linker.runtime(self.contract.declared, self.contract.declared.origin)

    @cached_property
    def _clauses(self) -> Clauses:
        return Clauses(self.program, self._linker, decide_plainly, unlimited=False)

    @staticmethod
    def _variable(text: str) -> EnvValue:
        return EnvValue(True, text, None, "")

    @property
    def _here(self) -> Here:
        """A process that has loaded the library, made anew for each question."""
        env = {name: self._variable(text) for name, text in self.variables.items()}
        state = ProcessState("the experiment", self.machine, env)
        for call in self.calls:
            target, control = self._clauses.target(self.file, call.node.target, self._runtime)
            if self._can_be_called(target, control):
                state.calls.append(Frame(target, control, call.value, None, "set by a call"))
        here = Here(state, self._linker, ())
        Processes(self._clauses, self.contract.declared.origin).load(self._runtime, here)
        return here

    def _can_be_called(self, target: str, control: str) -> bool:
        """Whether a call can set a control: it says so, or nothing at all is said of how it is set."""
        own = target == self.contract.declared.qualified
        contract = self.contract if own else self._linker.contract(self.program.declarations[target][0])
        ways = [item for item in contract.controls[control].node.clauses if isinstance(item, _WAYS)]
        return not ways or any(not isinstance(item, nodes.EnvSource) for item in ways)

    def _scope(self, runtime: Runtime) -> ContractScope:
        return ContractScope(runtime, self.file, self._here)

    def _holder(self, path: str, origin: Origin) -> Runtime | None:
        if not path:
            return self._runtime
        runtime = self._runtime.providers.get(path)
        if runtime is None:
            declared = self._linker.find(self.file, path)
            if declared is not None and isinstance(declared.node, nodes.Contract):
                runtime = self._linker.runtime(declared, origin)
        return runtime

    def _resource(self, name: str, origin: Origin) -> Declared:
        for path in (name, f"lpcl.core.{name}"):
            found = self.program.find(self.file, path)
            if found is not None and isinstance(found.node, nodes.Resource):
                return found
        raise Refusal("unknown-name", f"there is no resource `{name}`", origin)


def _held_text(held: EnvValue | None) -> str:
    if held is None or held.present is False:
        return UNSET
    return held.value if isinstance(held.value, str) else str(held.value).lower()


def _with(node: nodes.Application, more: tuple[nodes.Limit | nodes.Let, ...]) -> nodes.Application:
    return nodes.Application(node.name, (), (*node.members, *more), span=node.span)


def _literal(value: Value, span: Span) -> nodes.Expression:
    """An expression that stands for a value."""
    if isinstance(value, bool):
        return nodes.Boolean(value, span=span)
    if isinstance(value, str):
        return nodes.Text(value, span=span)
    assert not isinstance(value, Term)
    return nodes.Quantity(Fraction(value), span=span)
