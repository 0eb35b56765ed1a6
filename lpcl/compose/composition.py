"""The composer's door: an application on a machine, and what LPCL has to say about it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from lpcl.compose.assess import Assessment, Context, assess
from lpcl.compose.clauses import Decide
from lpcl.compose.elaborate import ApplicationScope, Elaborated, Elaborator, decide_plainly, elaborate
from lpcl.compose.evaluate import evaluate
from lpcl.compose.joint import Part, join, parts
from lpcl.compose.knobs import (
    Configuration,
    Knob,
    PlainScope,
    application_knobs,
    chosen_settings,
    environment_knobs,
    open_settings,
)
from lpcl.compose.linker import Runtime
from lpcl.compose.machine import STATED, STATED_BY_ALL, MachineView
from lpcl.compose.meaning import number
from lpcl.compose.questions import Questioner
from lpcl.compose.refusal import Refusal
from lpcl.compose.resources import resources
from lpcl.compose.settings import Settings
from lpcl.compose.space import Space
from lpcl.compose.starts import GPU_MEMORY, Live
from lpcl.compose.structure import Held, Process, Resolution, all_activities, processes
from lpcl.compose.terms import Term, Value, apply
from lpcl.compose.trials import Trial
from lpcl.diagnostics.diagnostic import Diagnostic
from lpcl.model.machine import FACTS
from lpcl.model.program import Declared, Origin, Program, SourceFile
from lpcl.packages.versions import Ambiguity, choose
from lpcl.syntax import nodes


@dataclass(frozen=True)
class Outcome:
    """A composition, or the reason why there is none."""

    composition: Composition | None
    diagnostics: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True, eq=False)
class Composition:
    """Applications under their present configuration, with everything that can be asked about them.

    There is mostly one of them; several run at the same time on one machine.
    """

    program: Program
    parts: tuple[Part, ...]
    machine: MachineView
    elaborated: Elaborated = field(repr=False)
    context: Context = field(repr=False)

    @property
    def declared(self) -> Declared:
        """The application, or the first of them."""
        return self.parts[0].declared

    @property
    def node(self) -> nodes.Application:
        """The application's declaration, or that of the first of them."""
        return self.parts[0].node

    @property
    def title(self) -> str:
        """The names of the applications, as in "trainer and server"."""
        *others, last = (part.label or part.declared.name for part in self.parts)
        return f"{', '.join(others)} and {last}" if others else last

    @cached_property
    def assessment(self) -> Assessment:
        """As it stands: every finding, explained."""
        return assess(self.elaborated, self.context)

    def tried(self, trial: Trial) -> Composition:
        """The same with a change. Raises `Refusal` where it then has no meaning."""
        return _tried(self.program, self.parts, self.machine, trial)

    @cached_property
    def runtimes(self) -> tuple[Runtime, ...]:
        """The libraries that any of the processes has loaded, in order of loading, each copy once."""
        return _runtimes(self.elaborated.root)

    @property
    def reasons(self) -> tuple[Resolution, ...]:
        """How every control that decides a figure got its value, in order."""
        return tuple(one for reasons in _all_reasons(self.elaborated.root) for one in reasons)

    @cached_property
    def knobs(self) -> tuple[Knob, ...]:
        """What can be set from outside and makes a difference."""
        return tuple(
            replace(one, application=part.label) if part.label else one
            for part in self.parts
            for one in self._knobs_of(part)
        )

    def _knobs_of(self, part: Part) -> Iterator[Knob]:
        stated, root = self.stated(part), self._root_of(part)
        yield from application_knobs(part.node, part.declared.file, self.machine, stated.controls)
        env = stated.here.state.env
        questioned = tuple(name for process in processes(root) for name in process.questioned)
        yield from environment_knobs(_runtimes(root), self.machine, env, _variables(root), questioned)

    def _root_of(self, part: Part) -> Process:
        """The process that one of the applications begins as."""
        root = self.elaborated.root
        if not root.imaginary:
            return root
        return next(one for one in processes(root) if one.starter and one.starter.id == part.label)

    def stated(self, part: Part) -> ApplicationScope:
        """The names of one of the applications, in the process and environment that it begins with."""
        chosen = contract_chooser(self.program, part.declared)
        return Elaborator(
            self.program, part.declared, self.machine, part.settings, chosen, decide_plainly, unlimited=False
        ).stated()

    @cached_property
    def questions(self) -> Questioner:
        """The questions over all values of the knobs."""
        knobs = self.knobs
        own = {part.label: [one for one in knobs if one.application == part.label] for part in self.parts}
        opened = tuple(
            replace(part, settings=open_settings(own[part.label], part.settings)) for part in self.parts
        )

        def build(configuration: Configuration) -> Elaborated:
            chosen = (
                replace(part, settings=chosen_settings(own[part.label], configuration, part.settings))
                for part in self.parts
            )
            return elaborated_on(self.program, tuple(chosen), self.machine)

        return Questioner(
            Space(
                knobs,
                lambda decide: elaborated_on(self.program, opened, self.machine, decide),
                build,
                self.context,
            )
        )


def elaborated_on(
    program: Program,
    applications: Sequence[Part],
    machine: MachineView,
    decide: Decide = decide_plainly,
    *,
    unlimited: bool = False,
) -> Elaborated:
    """One tree of all the applications. Raises `Refusal`."""
    found: list[tuple[Part, Elaborated]] = []
    others = background_on(program, applications, machine).get(GPU_MEMORY, 0)
    before = [Live(1, Held(GPU_MEMORY, others, others, applications[0].declared.origin))] if others else []
    for part in applications:
        elaborated = elaborate(
            program,
            part.declared,
            machine,
            part.settings,
            contract_chooser(program, part.declared),
            decide,
            unlimited=unlimited,
            label=part.label,
            before=tuple(before),
        )
        found.append((part, elaborated))
        before.append(Live(1, elaborated.root))
    return join(found, machine)


def _runtimes(root: Process) -> tuple[Runtime, ...]:
    """The libraries that any of the processes has loaded, in order of loading, each copy once."""
    found: dict[str, Runtime] = {}
    for process in processes(root):
        for library in process.loaded:
            found.setdefault(library.key, Runtime(library.contract, library.key, {}))
    return tuple(found.values())


_NO_FIGURE = (1_000_000, 0)
"""How directly a variable decides that is read for no figure: for what happens, or for how it happens."""


def _variables(root: Process) -> Mapping[str, tuple[int, int]]:
    """The variables that decide, or could decide, a figure of the tree, and how directly."""
    found: dict[str, tuple[int, int]] = {}
    for reasons in _all_reasons(root):
        for depth, reason in enumerate(_behind(reasons)):
            for position, name in enumerate(reason.variables):
                found[name] = min(found.get(name, (depth, position)), (depth, position))
    for process in processes(root):
        for name in (*process.asked, *process.questioned):
            found.setdefault(name, _NO_FIGURE)
    return found


def _behind(reasons: Sequence[Resolution]) -> Iterator[Resolution]:
    """The controls behind reasons: of what is handed on as an argument, those that it rests on."""
    for reason in reasons:
        if reason.given:
            yield from _behind(reason.because)
        else:
            yield reason


def _all_reasons(root: Process) -> Iterator[tuple[Resolution, ...]]:
    """What each figure of the tree was computed from."""
    for process in processes(root):
        for library in process.loaded:
            yield from (reasons for _, _, reasons in library.pools)
            yield from (held.reasons for held in library.demands)
    for activity in all_activities(root):
        yield activity.grounds
        if activity.pool is not None:
            yield activity.pool.reasons
        if activity.workers is not None:
            yield activity.workers.reasons
        yield from (held.reasons for held in activity.demands)


def compose(
    program: Program,
    declared: Declared,
    machine: MachineView | None = None,
    settings: Settings | None = None,
    host: MachineView | None = None,
) -> Outcome:
    """Compose an application on `machine`, else on the one that it names, else on `host`.

    What keeps it from having a meaning is given as diagnostics; nothing is raised.
    """
    return compose_together(program, parts([(declared, settings or Settings())]), machine, host)


def compose_together(
    program: Program,
    applications: tuple[Part, ...],
    machine: MachineView | None = None,
    host: MachineView | None = None,
) -> Outcome:
    """Compose applications that run at the same time on one machine: `machine`, else the one they all name.

    What keeps them from having a meaning is given as diagnostics; nothing is raised.
    """
    try:
        view = machine or _common_machine(program, applications, host)
        composition = composed(program, applications, view)
        assert composition.assessment is not None  # what it refuses is told at this door
    except Refusal as refusal:
        return Outcome(None, (refusal.diagnostic,))
    return Outcome(composition)


def composed(program: Program, applications: tuple[Part, ...], machine: MachineView) -> Composition:
    """A composition about which nothing is asked yet. Raises `Refusal`."""

    def unlimited() -> Elaborated:
        return elaborated_on(program, applications, machine, unlimited=True)

    def trying(trial: Trial) -> Elaborated:
        return _tried(program, applications, machine, trial).elaborated

    elaborated = elaborated_on(program, applications, machine)
    background = {
        name: number(value) for name, value in background_on(program, applications, machine).items()
    }
    context = Context(machine, resources(program), background, unlimited, trying)
    return Composition(program, applications, machine, elaborated, context)


def _tried(
    program: Program, applications: tuple[Part, ...], machine: MachineView, trial: Trial
) -> Composition:
    changed = tuple(replace(part, settings=trial.settings(part)) for part in applications)
    return composed(program, changed, replace(machine, facts={**machine.facts, **trial.facts}))


def contract_chooser(program: Program, declared: Declared) -> Callable[[str, str | None], Declared]:
    """The contract of a name whose versions fit; raises `Refusal` where that is not clear."""

    def pick(qualified: str, version: str | None) -> Declared:
        found = choose(program, qualified, version)
        if isinstance(found, Ambiguity):
            raise Refusal(
                "ambiguous-version",
                f"which contract speaks for `{qualified}`? {found.reason}",
                declared.origin,
                labels=tuple((item.origin, "one of them") for item in found.candidates),
                help='say which version is meant: use library "1.2.3"',
            )
        return found

    return pick


def _common_machine(program: Program, applications: Sequence[Part], host: MachineView | None) -> MachineView:
    """The machine that all the applications name. Raises `Refusal` where they name several."""
    first, *others = (machine_of(program, part.declared, host) for part in applications)
    for other, part in zip(others, applications[1:], strict=True):
        if dict(other.facts) != dict(first.facts):
            raise different_machines(applications[0].declared, part.declared)
    return replace(first, name=STATED_BY_ALL) if others and first.name == STATED else first


def different_machines(one: Declared, other: Declared) -> Refusal:
    """That two applications cannot run at once, since they name different machines."""
    return Refusal(
        "impossible-machine",
        f"`{one.name}` and `{other.name}` name different machines",
        other.origin,
        labels=((one.origin, "the other one"),),
        help="applications that run at once run on one machine: say which with `--machine NAME`",
    )


def background_on(
    program: Program, applications: Sequence[Part], machine: MachineView
) -> Mapping[str, Value]:
    """What else is using the machine; of what several applications say, the most."""
    found: dict[str, Value] = {}
    for part in applications:
        for name, value in _background_of(program, part.declared, machine).items():
            found[name] = apply("max", value, found.get(name, 0))
    return found


def _background_of(program: Program, declared: Declared, machine: MachineView) -> Mapping[str, Value]:
    assert isinstance(declared.node, nodes.Application)
    found: dict[str, Value] = {}
    for member in declared.node.members:
        if isinstance(member, nodes.Background):
            resource = program.find(declared.file, member.resource.path)
            if resource is None:
                raise Refusal(
                    "unknown-name",
                    f"there is no resource `{member.resource.path}`",
                    Origin(declared.file, member.resource.span),
                )
            for one in member.amount.walk():
                if isinstance(one, nodes.Reference) and not one.path.startswith("machine."):
                    raise Refusal(
                        "unknown-name",
                        f"`{one.path}` is nothing that is known here",
                        Origin(declared.file, one.span),
                        help="what others use is said in numbers and figures of the machine",
                    )
            value = evaluate(member.amount, PlainScope(declared.file, machine))
            assert not isinstance(value, str)
            if not isinstance(value, Term) and value < 0:
                raise Refusal(
                    "out-of-range",
                    f"what else is using `{resource.name}` comes out below 0",
                    Origin(declared.file, member.amount.span),
                    help="state how much of it others use, 0 or more",
                )
            found[resource.qualified] = value
    return found


def machine_of(program: Program, declared: Declared, host: MachineView | None) -> MachineView:
    """The machine that an application names or states; the host where it says so or says nothing."""
    assert isinstance(declared.node, nodes.Application)
    used = next((m for m in declared.node.members if isinstance(m, nodes.MachineUse)), None)
    if used is not None:
        return view_of(program, declared.file, used, host)
    return _host(host, declared.origin)


def machine_named(
    program: Program, declared: Declared, name: str, host: MachineView | None
) -> MachineView | tuple[str, ...]:
    """The machine that a name stands for in an application's file; where it is none, the names there are."""
    if name == "host" and host is not None:
        return host
    machines = [
        item
        for items in program.declarations.values()
        for item in items
        if isinstance(item.node, nodes.Machine)
    ]
    local = program.find(declared.file, name)
    found = local if local in machines else None
    found = found or next((item for item in machines if name in (item.name, item.qualified)), None)
    if found is None or not isinstance(found.node, nodes.Machine):
        return tuple(sorted({"host", *(item.name for item in machines)}))
    return stated_machine(found.name, found.node.facts, found.file)


def view_of(
    program: Program, file: SourceFile, used: nodes.MachineUse, host: MachineView | None
) -> MachineView:
    """The machine that a `machine` clause stands for. Raises `Refusal`."""
    if used.name is None:
        return stated_machine(STATED, used.facts, file)
    if used.name.path == "host":
        return _host(host, Origin(file, used.span))
    found = program.find(file, used.name.path)
    if found is None or not isinstance(found.node, nodes.Machine):
        raise Refusal(
            "unknown-name",
            f"there is no machine `{used.name.path}`",
            Origin(file, used.name.span),
            help="declare it with `machine name { cpus.online = ... }`, or say `machine host`",
        )
    return stated_machine(found.name, found.node.facts, found.file)


def stated_machine(name: str, facts: tuple[nodes.Fact, ...], file: SourceFile) -> MachineView:
    """A machine as its facts state it. Raises `Refusal` for one that cannot be."""
    values: dict[str, Value] = {}
    origins: dict[str, Origin] = {}
    empty = MachineView(name, {}, {})
    for fact in facts:
        origin = Origin(file, fact.span)
        if fact.path not in FACTS:
            raise Refusal("unknown-figure", f"a machine has no `{fact.path}`", origin)
        if fact.value is None:
            raise Refusal(
                "machine-range",
                f"`{fact.path}` is a range here, and one figure is needed",
                origin,
                help="give it a value with `=`",
            )
        value = evaluate(fact.value, PlainScope(file, empty))
        if isinstance(value, Term | str | bool) or value < 0:
            raise Refusal("impossible-machine", f"`{fact.path}` is no amount here", origin)
        if fact.path.startswith("cpus.") and value == 0:
            raise Refusal(
                "impossible-machine",
                f"a machine with `{fact.path} = 0` runs nothing",
                origin,
                help="state at least 1 CPU",
            )
        values[fact.path] = value
        origins[fact.path] = origin
    return MachineView(name, values, origins)


def _host(host: MachineView | None, origin: Origin) -> MachineView:
    if host is None:
        raise Refusal("missing-clause", "no machine is stated, and there is no host to read", origin)
    return host
