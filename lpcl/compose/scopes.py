"""What names mean while an application is resolved, and how a control gets its value."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TypeAlias

from lpcl.compose.evaluate import evaluate
from lpcl.compose.figures import figure_of
from lpcl.compose.lets import DEEPEST, in_order
from lpcl.compose.linker import Linker, Runtime
from lpcl.compose.machine import MachineView
from lpcl.compose.ranges import bounds, in_range
from lpcl.compose.refusal import Refusal
from lpcl.compose.said import Said
from lpcl.compose.settings import EnvValue, Seen
from lpcl.compose.starts import FREE, Live, taken
from lpcl.compose.structure import Resolution
from lpcl.compose.terms import Term, Value, apply, choose, conjunction, disjunction, negation
from lpcl.compose.texts import read, written_out
from lpcl.model.contracts import Clause
from lpcl.model.program import Origin, SourceFile
from lpcl.syntax import nodes

MOST_TOLD = 200
"""Reasons of one value that are told as often as they count; of more, each is told once."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A limit in force: a control of a contract or interface held to a value, by a clause."""

    target: str
    control: str
    value: Value
    origin: Origin | None
    how: str


class ProcessState:
    """A process class while it is being built: what its environment holds and what has been loaded so far.

    `calls` are controls that every process sets for itself, `imported` those that importing a library sets.
    Where it matters what is left of a device, `live` is what its libraries hold, and `copies` how many such
    processes there are at most. `asked` are the variables from which anything in it is read, and `questioned`
    those of which it is asked whether they are set. `application` is the one that it belongs to, where there
    are several.
    """

    def __init__(
        self, name: str, machine: MachineView, env: Mapping[str, EnvValue], application: str = ""
    ) -> None:
        self.name = name
        self.application = application
        self.machine = machine
        self.env: dict[str, EnvValue] = dict(env)
        self.env_at_load: dict[str, Seen] = {}
        self.env_at_use: dict[tuple[str, str], Seen] = {}
        self.loaded: dict[str, Runtime] = {}
        self.presence: dict[str, Value] = {}
        self.calls: list[Frame] = []
        self.imported: list[Frame] = []
        self.live: list[Live] = []
        self.asked: dict[str, None] = {}
        self.questioned: dict[str, None] = {}
        self.copies: Value = 1

    def frames(self, inner: tuple[Frame, ...]) -> Iterator[Frame]:
        """The limits in force, strongest first: `inner`, what the program sets by calls, what imports set."""
        yield from reversed(inner)
        yield from reversed(self.calls)
        yield from reversed(self.imported)


@dataclass(frozen=True)
class Here:
    """Where an expression is evaluated: the process, and the limits around it, the innermost last.

    `condition` is when this place is reached at all; what must hold for values to be accepted is left in
    `requirements`. Where it matters what is left of a `device`, `live` is what has started before and goes
    on, in other processes too, `copies` how many executors there are here at most, and `most` whether the
    others are taken by their upper bounds.
    """

    state: ProcessState
    linker: Linker
    frames: tuple[Frame, ...]
    requirements: list[Value] = field(default_factory=list)
    condition: Value = True
    live: tuple[Live, ...] = ()
    copies: Value = 1
    device: Value = 0
    most: bool = True

    def demand(self, condition: Value) -> None:
        """From now on only settings are accepted under which this holds wherever the place is reached."""
        self.requirements.append(apply("implies", self.condition, condition))

    def require(self, condition: Value, refusal: Callable[[], Refusal]) -> None:
        """Raise `refusal()` where this cannot hold; demand it where settings decide."""
        if condition is False:
            raise refusal()
        if condition is not True:
            self.demand(condition)

    def limited(self, frames: tuple[Frame, ...]) -> Here:
        """The same place with further limits inside the present ones."""
        return replace(self, frames=self.frames + frames) if frames else self


def read_machine(path: str, here: Here, origin: Origin) -> Value:
    """A fact of the machine as the process sees it; a `Refusal` names the reader of one that nobody
    states.
    """
    value = here.state.machine.fact("gpu.memory" if path == FREE else path)
    if value is None:
        raise Refusal(
            "machine-fact-missing",
            f"`machine.{path}` is read here, and the machine does not state it",
            origin,
            help=f"add `{'gpu.memory' if path == FREE else path} = ...` to {here.state.machine.title}",
        )
    return _left(value, here, origin) if path == FREE else value


def _left(whole: Value, here: Here, origin: Origin) -> Value:
    """What is left of a device's memory for the one who starts here. Raises `Refusal` for several at once."""
    here.require(
        apply("<=", here.copies, 1),
        lambda: Refusal(
            "order-of-starts",
            f"`machine.{FREE}` is read here by {here.copies} at once, and each leaves less to the next one",
            origin,
            help="start them one after the other: `together { ... }` with a call for each",
        ),
    )
    before = taken((*here.live, *here.state.live), here.device, most=here.most)
    return apply("max", 0, apply("-", whole, before))


@dataclass(frozen=True, slots=True)
class _WorkedOut:
    """A control that was worked out in a place. One that is `free` has left no requirement there."""

    here: Here
    resolution: Resolution
    free: bool

    def holds(self, here: Here) -> bool:
        """Whether it is the same in another place of the same evaluation."""
        if here.state is not self.here.state or here.frames is not self.here.frames:
            return False
        if here.condition is self.here.condition:
            return True
        return self.free and self.here.condition is not False


Worked: TypeAlias = dict[tuple[str, str, int], _WorkedOut]
"""Controls by their runtime, their name, and the arguments that count for them."""


@dataclass(frozen=True)
class ContractScope:
    """Names in a contract: machine facts, parameters, `let`s, controls, those of other libraries,
    enumerators.

    `overrides` are controls of this library given as arguments of the call, and `given` tells where arguments
    come from. Resolutions of controls and arguments that were read are left in `reasons`, in order, and
    figures of the machine in `facts`. `resolving` are the values under way, so that a circle is noticed,
    and `worked` the controls that have been worked out on the way. `operation` is the one whose parameters
    are among the names, or ``""``.
    """

    runtime: Runtime
    file: SourceFile
    here: Here
    parameters: Mapping[str, Value] = field(default_factory=dict)
    lets: Mapping[str, Clause[nodes.Let]] = field(default_factory=dict)
    overrides: Mapping[str, Value] = field(default_factory=dict)
    reasons: list[Resolution] = field(default_factory=list)
    resolving: tuple[str, ...] = ()
    callers: Value | None = None
    facts: dict[str, Value] = field(default_factory=dict)
    known: dict[str, tuple[Here, Value]] = field(default_factory=dict)
    given: Mapping[str, Resolution] = field(default_factory=dict)
    worked: Worked = field(default_factory=dict)
    operation: str = ""

    def afresh(self) -> ContractScope:
        """The same names where nothing has been read yet."""
        return self._with(reasons=[], facts={}, known={}, resolving=(), callers=None)

    def said(self, expression: nodes.Expression, value: Value) -> Said:
        """An expression that came out as `value` here, to be shown later."""
        return Said(expression, self, value)

    def let(self, name: str) -> Clause[nodes.Let] | None:
        """The clause that gives a name its expression; None where the name means something else."""
        if name in self.parameters:
            return None
        return self.lets.get(name) or self.runtime.contract.lets.get(name)

    def at(self, file: SourceFile) -> ContractScope:
        """The same names read from a clause in `file`."""
        return self if file is self.file else self._with(file=file)

    def noting(self, facts: dict[str, Value]) -> ContractScope:
        """The same names, with the figures of the machine that are read left in `facts`."""
        return self._with(facts=facts)

    def called_by(self, callers: Value) -> ContractScope:
        """The same names, with how many executors there are."""
        return self._with(callers=callers)

    def under(self, condition: Value) -> ContractScope:
        """The same names where they are read under one more condition."""
        whole = conjunction(self.here.condition, condition)
        return self if condition is True else self._with(here=replace(self.here, condition=whole))

    def demand(self, condition: Value) -> None:
        """See `DemandingScope.demand`; what a value under way needs is for the one that it is read for."""
        if not self.resolving and not isinstance(self.callers, Term):
            self.here.demand(condition)

    def name(self, path: str, origin: Origin) -> Value:
        """See `Scope.name`."""
        if path.startswith("machine."):
            fact = path.removeprefix("machine.")
            value = self.facts[fact] = read_machine(fact, self.here, origin)
            return value
        if path in self.parameters:
            self._note(self.given.get(path))
            return self.parameters[path]
        if path == "callers" and self.callers is not None:
            return self.callers
        let = self.lets.get(path) or self.runtime.contract.lets.get(path)
        if let is not None:
            return self._let(path, origin)
        if path in self.runtime.contract.controls:
            return self._control(self.runtime, path, origin)
        if "." in path:
            head, _, control = path.rpartition(".")
            runtime = self.runtime.providers.get(head)
            if runtime is None:
                declared = self.here.linker.find(self.file, head)
                if declared is not None and isinstance(declared.node, nodes.Contract):
                    runtime = self.here.linker.runtime(declared, origin)
            if runtime is not None and control in runtime.contract.controls:
                return self._control(runtime, control, origin)
            raise Refusal("unknown-name", f"`{path}` is nothing that is known here", origin)
        return path

    def question(self, function: str, path: str, origin: Origin) -> Value:
        """See `Scope.question`."""
        if function == "loaded":
            declared = self.here.linker.find(self.file, path)
            if declared is None:
                raise Refusal("unknown-name", f"there is no contract `{path}`", origin)
            return is_loaded(self.here, declared.qualified)
        if path in self.runtime.contract.controls:
            resolved = resolve(self.runtime, path, self.here, self.overrides, self.resolving, origin)
            self._note(resolved)
            return resolved is not None and resolved.stated
        return is_set(self.here, path)

    def _let(self, path: str, origin: Origin) -> Value:
        """The value of a `let`; those on which it builds are worked out first, each once."""
        scope = self if self.resolving else self._with(known={})
        known = {name for name, (here, _) in scope.known.items() if here is self.here}
        for name in in_order(path, self._stated, known) if path not in known else ():
            let = self.lets.get(name) or self.runtime.contract.lets[name]
            value = evaluate(let.node.value, scope._guarded(f"let {name}", let.file, origin))
            scope.known[name] = (self.here, value)
        return scope.known[path][1]

    def _stated(self, name: str) -> nodes.Expression | None:
        """What a `let` of this name stands for; None where the name means something else."""
        let = self.let(name)
        return None if let is None else let.node.value

    def _control(self, runtime: Runtime, control: str, origin: Origin) -> Value:
        overrides = self.overrides if runtime is self.runtime else {}
        given = self.given if runtime is self.runtime else {}
        worked = self.worked if self.resolving else {}
        key = (runtime.key, control, id(overrides) if overrides else 0)
        known = worked.get(key)
        if known is not None and known.holds(self.here):
            self._note(known.resolution)
            return known.resolution.value
        required = len(self.here.requirements)
        resolution = resolve(runtime, control, self.here, overrides, self.resolving, origin, given, worked)
        if resolution is None:
            raise Refusal(
                "control-without-value",
                f"`{runtime.name}.{control}` has no value here: nothing sets it and it has no default",
                origin,
                labels=((runtime.contract.controls[control].origin, "declared here"),),
                help="give the control a `default`, or set it",
            )
        worked[key] = _WorkedOut(self.here, resolution, len(self.here.requirements) == required)
        self._note(resolution)
        return resolution.value

    def _note(self, resolution: Resolution | None) -> None:
        if resolution is None:
            return
        self.here.state.asked.update(dict.fromkeys(resolution.variables))
        if all(one.control != resolution.control for one in self.reasons):
            self.reasons.append(resolution)

    def _guarded(self, what: str, file: SourceFile, origin: Origin) -> ContractScope:
        key = f"{self.runtime.key}.{what}"
        if key in self.resolving:
            raise Refusal(
                "cyclic-value",
                f"the value of `{what}` depends on itself",
                origin,
                notes=(" needs ".join([*self.resolving[self.resolving.index(key) :], key]),),
                help="break the circle",
            )
        if len(self.resolving) > DEEPEST:
            raise Refusal(
                "too-deep",
                f"more than {DEEPEST} values wait for each other here, the last one for `{what}`",
                origin,
                help="let fewer values build on each other under conditions",
            )
        return self._with(file=file, resolving=(*self.resolving, key))

    def _with(self, **changed: object) -> ContractScope:
        """What `replace` would make, which is asked for all the time."""
        made = object.__new__(ContractScope)
        made.__dict__.update(self.__dict__, **changed)
        return made


def is_set(here: Here, variable: str) -> Value:
    """Whether a variable is set in the process."""
    here.state.questioned[variable] = None
    held = here.state.env.get(variable)
    return False if held is None else held.present


def is_loaded(here: Here, qualified: str) -> Value:
    """Whether the process has loaded a contract, or one that implements an interface, of that name."""
    return disjunction(
        *(
            here.state.presence[key]
            for key, runtime in here.state.loaded.items()
            if qualified == runtime.contract.declared.qualified
            or any(interface.qualified == qualified for interface in runtime.contract.interfaces)
        )
    )


def resolve(
    runtime: Runtime,
    control: str,
    here: Here,
    overrides: Mapping[str, Value],
    resolving: tuple[str, ...] = (),
    origin: Origin | None = None,
    given: Mapping[str, Resolution] | None = None,
    worked: Worked | None = None,
) -> Resolution | None:
    """A control's value: the call's argument; else the innermost limit; else its variables; else its default.

    The rule of the language reference, "A control's value". None where nothing gives it one. `given` tells
    where the call has its arguments from, and `worked` what has been worked out for the same evaluation.
    """
    worked = {} if worked is None else worked
    found = _resolved(runtime, control, here, overrides, resolving, origin, given or {}, worked)
    if found is None:
        return None
    kind = figure_of(runtime.contract.controls[control].node.type)
    return found if found.kind == kind else replace(found, kind=kind)


def _resolved(
    runtime: Runtime,
    control: str,
    here: Here,
    overrides: Mapping[str, Value],
    resolving: tuple[str, ...],
    origin: Origin | None,
    given: Mapping[str, Resolution],
    worked: Worked,
) -> Resolution | None:
    clause = runtime.contract.controls[control]
    title = f"{runtime.name}.{control}"
    if control in overrides:
        return given.get(control) or Resolution(title, overrides[control], "argument of the call", origin)
    names = {runtime.contract.declared.qualified, *(item.qualified for item in runtime.contract.interfaces)}
    for frame in here.state.frames(here.frames):
        if frame.control == control and frame.target in names:
            return Resolution(title, frame.value, frame.how, frame.origin)
    scope = ContractScope(
        runtime,
        clause.file,
        here,
        overrides=overrides,
        resolving=resolving,
        given=given,
        worked=worked,
    )._guarded(control, clause.file, origin or clause.origin)
    variables = tuple(
        name.text for item in clause.node.clauses if isinstance(item, nodes.EnvSource) for name in item.names
    )
    return _from_environment(clause, title, variables, _read(clause.node, variables, runtime, here), scope)


def _read(
    control: nodes.Control, variables: tuple[str, ...], runtime: Runtime, here: Here
) -> Mapping[str, EnvValue]:
    """The environment as the control has it: of now, or of when it was read, which may be now.

    When that is matters only where one of its variables has changed.
    """
    state = here.state
    at_use = state.env_at_use.setdefault((runtime.key, control.name.text), Seen())
    at_use.look(state.env, here.condition)
    moment = next((c.moment for c in control.clauses if isinstance(c, nodes.Read)), "first use")
    seen = {"load": state.env_at_load.get(runtime.key), "first use": at_use}.get(moment)
    if seen is None:
        return state.env
    found = {name: seen.held(name, state.env.get(name)) for name in variables}
    return {name: value for name, value in found.items() if value is not None}


def _told_once(reasons: tuple[Resolution, ...]) -> tuple[Resolution, ...]:
    """Reasons that build on each other in so many ways that nobody would read them, each explained once."""
    seen: set[str] = set()

    def once(reason: Resolution) -> Resolution:
        if reason.control in seen:
            return replace(reason, because=())
        seen.add(reason.control)
        return replace(reason, because=tuple(map(once, reason.because)))

    left, count = list(reasons), 0
    while left and count <= MOST_TOLD:
        left.extend(left.pop().because)
        count += 1
    return tuple(map(once, reasons)) if count > MOST_TOLD else reasons


def _default(
    clause: Clause[nodes.Control],
    scope: ContractScope,
    title: str,
    variables: tuple[str, ...],
    unset: tuple[str, ...],
) -> Resolution | None:
    node = next((item for item in clause.node.clauses if isinstance(item, nodes.Default)), None)
    if node is None:
        return None
    scope = scope.noting({})
    value = evaluate(node.value, scope)
    span = node.value.span
    text = clause.file.text[span.start : span.end]
    because = _told_once(tuple(scope.reasons))
    further = (name for reason in because for name in reason.variables)
    every = tuple(dict.fromkeys((*variables, *further)))
    origin = Origin(clause.file, node.span)
    return Resolution(
        title,
        value,
        f"default {' '.join(text.split())}",
        origin,
        every,
        because=because,
        facts=tuple(scope.facts.items()),
        unset=unset,
        stated=False,
        said=scope.said(node.value, value),
    )


def _from_environment(
    clause: Clause[nodes.Control],
    title: str,
    variables: tuple[str, ...],
    env: Mapping[str, EnvValue],
    scope: ContractScope,
) -> Resolution | None:
    taken: list[tuple[str, EnvValue, Value, Value]] = []
    asked: Value = True
    for variable in variables:
        held = env.get(variable)
        if held is None or held.present is False:
            continue
        policy = _policy(clause.node)
        value, valid = _admit(clause.node, held.value, policy, scope)
        counts = conjunction(held.present, valid)
        if policy == "rejects":
            requirement = apply("implies", conjunction(scope.here.condition, asked, held.present), valid)
            if requirement is False:
                raise Refusal(
                    "value-rejected",
                    f"`{variable}` = {written_out(held.value)} is not a value that `{title}` takes",
                    held.origin or clause.origin,
                    labels=((clause.origin, "declared here"),),
                    help="set it to a value in the control's range, or leave it unset",
                )
            scope.here.requirements.append(requirement)
        taken.append((variable, held, value, counts))
        asked = conjunction(asked, negation(counts))
    result = _asked(clause, scope, title, variables, _unset(variables, env), asked)
    known = variables if result is None else result.variables
    for variable, held, value, counts in reversed(taken):
        if counts is False:
            if result is not None:
                ignored = f" ({variable} = {written_out(held.value)} is none of its values)"
                result = replace(result, how=result.how + ignored)
            continue
        mine = Resolution(
            title,
            value,
            f"{variable} = {written_out(held.value)}{held.how}",
            held.origin,
            known,
            unset=_unset(variables[: variables.index(variable)], env),
        )
        if counts is True:
            result = mine
        elif result is None:
            result = replace(mine, stated=counts)
        else:
            result = Resolution(
                title,
                choose(counts, value, result.value),
                f"{variable} or {result.how}",
                None,
                known,
                stated=disjunction(counts, result.stated),
            )
    return result


def _policy(control: nodes.Control) -> str:
    """What becomes of invalid values."""
    stated = next((c.policy for c in control.clauses if isinstance(c, nodes.Invalid)), "ignored")
    return " ".join(stated.split())


def _unset(variables: tuple[str, ...], env: Mapping[str, EnvValue]) -> tuple[str, ...]:
    return tuple(name for name in variables if name not in env or env[name].present is False)


def _asked(
    clause: Clause[nodes.Control],
    scope: ContractScope,
    title: str,
    variables: tuple[str, ...],
    unset: tuple[str, ...],
    asked: Value,
) -> Resolution | None:
    """The default, where no variable is taken instead: elsewhere what it reads need not be acceptable."""
    try:
        return _default(clause, scope.under(asked), title, variables, unset)
    except Refusal:
        if asked is False:
            return None
        raise


def _admit(control: nodes.Control, raw: Value, policy: str, scope: ContractScope) -> tuple[Value, Value]:
    """A variable's content as the control takes it, and whether it is valid at all."""
    kind = control.type
    if isinstance(kind, nodes.EnumType) and isinstance(raw, Term):
        return raw, disjunction(*(apply("==", raw, member.text) for member in kind.members))
    if isinstance(kind, nodes.EnumType):
        return raw, isinstance(raw, str) and raw in {member.text for member in kind.members}
    if kind.first in ("bool", "string") and isinstance(raw, Term):
        return raw, True
    if kind.first == "string" and not isinstance(raw, Term):
        return written_out(raw), True
    if kind.first == "bool" and not isinstance(raw, bool | Term):
        raw = written_out(raw)
    form = next((c.form.split()[0] for c in control.clauses if isinstance(c, nodes.TextForm)), "whole")
    if form == "second" and not isinstance(raw, str):
        return raw, False
    value = read(raw, kind.first, form) if isinstance(raw, str) else raw
    if value is None or isinstance(value, bool) != (kind.first == "bool"):
        return raw, False
    if isinstance(value, bool | str):
        return value, True
    low, high = bounds(kind, scope)
    if not isinstance(value, Term) and kind.first in ("int", "count") and isinstance(value, Fraction):
        return value, False
    valid = in_range(value, low, high)
    if policy.startswith("clamps"):
        if policy == "clamps above":
            valid = True if low is None else apply(">=", value, low)
        elif low is not None:
            value = apply("max", value, low)
        if high is not None:
            value = apply("min", value, high)
        return value, valid if policy == "clamps above" else True
    return value, valid
