"""The composer's door: an application on a machine, and what LPCL has to say about it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from lpcl.compose.assess import Assessment, Context, assess
from lpcl.compose.clauses import Decide
from lpcl.compose.elaborate import Elaborated, decide_plainly, elaborate
from lpcl.compose.evaluate import evaluate
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
from lpcl.compose.machine import MachineView
from lpcl.compose.questions import Questioner
from lpcl.compose.refusal import Refusal
from lpcl.compose.resources import resources
from lpcl.compose.settings import EnvValue, Settings
from lpcl.compose.space import Space
from lpcl.compose.structure import Process, Resolution, all_activities, processes
from lpcl.compose.terms import Number, Term, Value
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
    """An application under its present configuration, with everything that can be asked about it."""

    program: Program
    declared: Declared
    machine: MachineView
    settings: Settings
    elaborated: Elaborated = field(repr=False)
    context: Context = field(repr=False)

    @property
    def node(self) -> nodes.Application:
        """The application's declaration."""
        assert isinstance(self.declared.node, nodes.Application)
        return self.declared.node

    @cached_property
    def assessment(self) -> Assessment:
        """As it stands: every finding, explained."""
        return assess(self.elaborated, self.context)

    @cached_property
    def runtimes(self) -> tuple[Runtime, ...]:
        """The libraries that any of the processes has loaded, in order of loading, each copy once."""
        found: dict[str, Runtime] = {}
        for process in processes(self.elaborated.root):
            for library in process.loaded:
                found.setdefault(library.key, Runtime(library.contract, library.key, {}))
        return tuple(found.values())

    @property
    def reasons(self) -> tuple[Resolution, ...]:
        """How every control that decides a figure got its value, in order."""
        return tuple(one for reasons in _all_reasons(self.elaborated.root) for one in reasons)

    @cached_property
    def knobs(self) -> tuple[Knob, ...]:
        """What can be set from outside and makes a difference."""
        current = self._current()
        return (
            *application_knobs(self.node, self.declared.file, self.machine, current),
            *environment_knobs(self.runtimes, self.machine, self._environment(), self._variables()),
        )

    def _current(self) -> Mapping[str, Value]:
        scope = PlainScope(self.declared.file, self.machine)
        values: dict[str, Value] = dict(self.settings.controls)
        for member in self.node.members:
            if isinstance(member, nodes.Control) and member.name.text not in values:
                default = next(c for c in member.clauses if isinstance(c, nodes.Default))
                values[member.name.text] = evaluate(default.value, scope)
        return values

    def _environment(self) -> Mapping[str, EnvValue]:
        scope = PlainScope(self.declared.file, self.machine)
        env: dict[str, EnvValue] = {}
        for member in self.node.members:
            if isinstance(member, nodes.Environment):
                env[member.name.text] = EnvValue(True, evaluate(member.value, scope), None, "")
        for name, value in self.settings.env.items():
            env.pop(name, None)
            if value is not None:
                env[name] = value
        return env

    def _variables(self) -> Mapping[str, tuple[int, int]]:
        """The variables that decide, or could decide, a figure of the tree, and how directly."""
        found: dict[str, tuple[int, int]] = {}
        for reasons in _all_reasons(self.elaborated.root):
            for depth, reason in enumerate(reasons):
                for position, name in enumerate(reason.variables):
                    found[name] = min(found.get(name, (depth, position)), (depth, position))
        return found

    @cached_property
    def questions(self) -> Questioner:
        """The questions over all values of the knobs."""
        knobs = self.knobs
        open_ones = open_settings(knobs, self.settings)

        def build(configuration: Configuration) -> Elaborated:
            return self._elaborate(chosen_settings(knobs, configuration, self.settings), decide_plainly)

        return Questioner(
            Space(knobs, lambda decide: self._elaborate(open_ones, decide), build, self.context)
        )

    def _elaborate(self, settings: Settings, decide: Decide) -> Elaborated:
        return elaborate(
            self.program, self.declared, self.machine, settings, _chooser(self.program, self.declared), decide
        )


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
    settings = settings or Settings()
    chooser = _chooser(program, declared)
    try:
        view = machine or machine_of(program, declared, host)
        elaborated = elaborate(program, declared, view, settings, chooser)
        background = _background(program, declared, view)
    except Refusal as refusal:
        return Outcome(None, (refusal.diagnostic,))

    def unlimited() -> Elaborated:
        return elaborate(program, declared, view, settings, chooser, unlimited=True)

    context = Context(view, resources(program), background, unlimited)
    composition = Composition(program, declared, view, settings, elaborated, context)
    try:
        assert composition.assessment is not None  # what it refuses is told at this door
    except Refusal as refusal:
        return Outcome(None, (refusal.diagnostic,))
    return Outcome(composition)


def _chooser(program: Program, declared: Declared) -> Callable[[str, str | None], Declared]:
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


def _background(program: Program, declared: Declared, machine: MachineView) -> Mapping[str, Number]:
    assert isinstance(declared.node, nodes.Application)
    found: dict[str, Number] = {}
    for member in declared.node.members:
        if isinstance(member, nodes.Background):
            resource = program.find(declared.file, member.resource.path)
            if resource is None:
                raise Refusal(
                    "unknown-name",
                    f"there is no resource `{member.resource.path}`",
                    Origin(declared.file, member.resource.span),
                )
            value = evaluate(member.amount, PlainScope(declared.file, machine))
            assert not isinstance(value, Term | str)
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
        return stated_machine("the machine stated there", used.facts, file)
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
