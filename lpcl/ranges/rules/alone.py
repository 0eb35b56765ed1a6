"""A contract that over-commits the machine all by itself: one use of an operation, with nothing set.

Each operation that needs no argument is composed as an application of its own. Machines are roomy here: that
fixed amounts do not fit into a small one says nothing about a contract. Where too much fails, all machines
that nothing narrows are looked at; where it only slows down, or a limit narrows the machine, a few typical
ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from lpcl.check.context import listed
from lpcl.compose.assess import Context, assess
from lpcl.compose.clauses import Decide
from lpcl.compose.elaborate import Elaborated, decide_plainly, elaborate
from lpcl.compose.findings import Finding, Kind
from lpcl.compose.machine import MachineView
from lpcl.compose.machines import Machines, free, in_order
from lpcl.compose.meaning import TooManyOptions
from lpcl.compose.paths import TooManyPaths, paths
from lpcl.compose.refusal import Refusal
from lpcl.compose.resources import Resource, resources
from lpcl.compose.settings import Settings
from lpcl.compose.solver import Solver, Verdict
from lpcl.compose.sums import sums
from lpcl.compose.suspects import Suspects
from lpcl.compose.terms import Number, Value, apply, knob
from lpcl.diagnostics.diagnostic import Severity
from lpcl.model.machine import FACTS
from lpcl.model.program import Declared
from lpcl.model.quantities import ratio, show
from lpcl.packages.versions import Ambiguity, choose
from lpcl.ranges.ask import WORK
from lpcl.ranges.figures import FIGURES
from lpcl.ranges.rules.subject import Subject
from lpcl.ranges.shapes import Shapes
from lpcl.syntax import nodes

_GIB = 2**30
_ROOM: dict[str, Number] = {
    "memory.total": 64 * _GIB,
    "memory.limit": 64 * _GIB,
    "memory.bandwidth": 10**10,
    "shm": 8 * _GIB,
    "gpus": 1,
    "gpu.memory": 16 * _GIB,
}
_PER_CPU = {"memory.total": 4 * _GIB, "memory.limit": 4 * _GIB, "shm": 512 * 2**20}
"""What a roomy machine has for each of its CPUs."""

_PLAIN = ("cpus.online", "memory.total", "memory.bandwidth", "shm", "gpus", "gpu.memory")
"""Figures that are free on a machine that nothing narrows; the others follow from them."""

_NARROWED = (*_PLAIN, "cpus.affinity", "cpus.quota", "memory.limit")
_TRIED = (
    {"cpus.online": 8},
    {"cpus.online": 1},
    {"cpus.online": 8, "cpus.affinity": 4},
    {"cpus.online": 8, "cpus.quota": 2},
)


def check(subject: Subject) -> None:
    """Judge the operations that a contract states; those with the same figures share a finding."""
    node = subject.declared.node
    if not isinstance(node, nodes.Contract):
        return
    told: dict[tuple[object, ...], list[nodes.Operation]] = {}
    for member in node.members:
        if isinstance(member, nodes.Operation) and all(p.default is not None for p in member.parameters):
            for found in _operation(subject, member):
                told.setdefault(found, []).append(member)
    for (resource, asked, there, times, machine, severity), operations in told.items():
        _report(subject, operations, f"{asked} of {there} {resource}: {times}", machine, severity)


def _operation(subject: Subject, operation: nodes.Operation) -> Iterator[tuple[object, ...]]:
    use = _Use(subject, operation.name.text, resources(subject.context.program))
    shapes = Shapes(use.build, use.declared, _machines(_NARROWED))
    seen: set[str] = set()
    for figures in (_PLAIN, _NARROWED):
        for machine, finding in use.tried(_machines(figures), shapes):
            if finding.resource not in seen:
                seen.add(finding.resource or "")
                yield _told(machine, finding, plain=figures is _PLAIN)
    if shapes.nothing_fails():
        return
    undecided = False
    try:
        for item in use.searched(_machines(_PLAIN), seen):
            if isinstance(item, Verdict):
                undecided = True
            else:
                seen.add(item[1].resource or "")
                yield _told(*item, plain=True)
    except (TooManyPaths, TooManyOptions):
        undecided = True
    except Refusal:
        return  # what keeps it from being composed is for other rules
    if undecided:
        subject.undecided(operation.name.span, f"whether `{operation.name.text}` alone asks for too much")


def _told(machine: Mapping[str, Number], finding: Finding, *, plain: bool) -> tuple[object, ...]:
    """What is said of a finding, and how grave it is.

    That CPUs are short, or that a library does not see what narrows a machine, is how some libraries are.
    """
    assert finding.demand is not None
    assert finding.capacity is not None
    grave = plain and finding.severity is Severity.ERROR
    return (
        finding.resource_name,
        show(finding.demand, finding.dimension),
        show(finding.capacity, finding.dimension),
        ratio(finding.demand, finding.capacity),
        ", ".join(
            f"machine.{path} = {show(value, FACTS[path].dimension)}" for path, value in machine.items()
        ),
        Severity.WARNING if grave else Severity.INFO,
    )


def _report(
    subject: Subject, operations: list[nodes.Operation], asks: str, machine: object, severity: object
) -> None:
    names = [f"`{operation.name.text}`" for operation in operations]
    assert isinstance(severity, Severity)
    subject.context.report(
        "overcommit-alone",
        subject.file,
        operations[0].name.span,
        f"one {listed(names, 'or')}, with nothing set, asks for {asks}",
        notes=[f"so it is with {machine}"],
        help_text="see whether the amount, or a default that it is computed from, is right"
        if severity is Severity.WARNING
        else None,
        severity=severity,
    )


def _machines(figures: tuple[str, ...]) -> Machines:
    base = MachineView("a machine", {}, {})
    stated = [free(path, _ROOM.get(path, FIGURES[path].low), FIGURES[path].high) for path in figures]
    return Machines(base, in_order(stated))


Shown = tuple[Mapping[str, Number], Finding]


@dataclass(frozen=True)
class _Use:
    """One use of an operation as an application of its own."""

    subject: Subject
    operation: str
    declared: Mapping[str, Resource]

    def build(self, machine: MachineView, decide: Decide) -> Elaborated:
        """Its tree on a machine. Raises `Refusal`."""
        own = self.subject.declared
        library = own.qualified if "." in own.qualified else own.name
        call = nodes.Invocation(nodes.Ref(f"{library}.{self.operation}", span=own.node.name.span))
        use = nodes.Use((nodes.UseItem(nodes.Ref(library, span=own.node.name.span)),))
        node = nodes.Application(own.node.name, members=(use, nodes.Run(nodes.Block((call,)))))
        application = Declared.made(own.qualified, node, own.file)
        return elaborate(self.subject.context.program, application, machine, Settings(), self._pick, decide)

    def _pick(self, qualified: str, version: str | None) -> Declared:
        if qualified == self.subject.declared.qualified:
            return self.subject.declared
        found = choose(self.subject.context.program, qualified, version)
        if isinstance(found, Ambiguity):
            raise Refusal("ambiguous-version", found.reason, self.subject.declared.origin)
        return found

    def tried(self, machines: Machines, shapes: Shapes) -> Iterator[Shown]:
        """What it over-commits on a few machines; those with a figure that is not free are left out."""
        for tried in _TRIED:
            figures = _complete(machines, tried)
            narrowed = _complete(shapes.machines, tried)
            assert narrowed is not None
            if figures is not None and shapes.may_be_too_much(narrowed):
                for finding in self._findings(machines, figures):
                    yield _named(machines, figures), finding

    def searched(self, machines: Machines, seen: set[str]) -> Iterator[Shown | Verdict]:
        """What that fails it over-commits beside what has been `seen`, on any of the machines; else what is
        undecided.

        Raises `TooManyPaths`, `TooManyOptions` and `Refusal`.
        """
        view = machines.open()
        solvers: list[Solver] = []

        def solver() -> Solver:
            if not solvers:
                solvers.append(_solver(machines))
            return solvers[0]

        def feasible(conditions: tuple[Value, ...]) -> bool:
            return solver().check(*conditions) is not Verdict.NO

        for path in paths(lambda decide: self.build(view, decide), feasible):
            assumed = (*path.conditions, *path.elaborated.requirements)
            for item in sums(path.elaborated.root, view, self.declared):
                if item.resource.qualified in seen or not item.resource.fails:
                    continue
                for suspect in Suspects(path, (item,), lambda _: 0).of_sum(item):
                    if not suspect.key.certain:
                        continue
                    conditions = suspect.conditions
                    answer = solver().check(*assumed, *conditions)
                    if answer is Verdict.YES:
                        figures = _plainest(machines, solver(), (*assumed, *conditions))
                        found = self._findings(machines, figures)
                        one = next((f for f in found if f.resource == item.resource.qualified), None)
                        yield Verdict.UNDECIDED if one is None else (_named(machines, figures), one)
                        break
                    if answer is Verdict.UNDECIDED:
                        yield answer

    def _findings(self, machines: Machines, figures: Mapping[str, int]) -> list[Finding]:
        """The certain over-commits on one machine, by evaluation."""
        view = machines.at(figures)
        try:
            elaborated = self.build(view, decide_plainly)
            findings = assess(elaborated, Context(view, self.declared, {}), explain=False).findings
        except Refusal:
            return []
        return [one for one in findings if one.kind is Kind.OVERCOMMIT and one.certain]


def _solver(machines: Machines) -> Solver:
    made = Solver(frozenset(), frozenset(), WORK)
    for condition in machines.conditions():
        made.add(condition)
    view = machines.open()
    for item in machines.figures:
        if item.path in _PER_CPU:
            room = apply("*", view.facts["cpus.online"], _PER_CPU[item.path])
            made.add(apply(">=", view.facts[item.path], room))
    return made


def _plainest(machines: Machines, solver: Solver, assumed: tuple[Value, ...]) -> Mapping[str, int]:
    """The machine that the solver has just found, with figures that a person would try where they do."""
    chosen: list[Value] = []
    figures: dict[str, int] = {}
    for item in machines.figures:
        term = knob(item.id)
        for amount in (*FIGURES[item.path].first, *_least_room(machines, figures, item.path)):
            steps = int(amount / item.step)
            if (
                item.low <= steps <= item.high
                and solver.check(*assumed, *chosen, apply("==", term, steps)) is Verdict.YES
            ):
                figures[item.id] = steps
                break
        else:
            solver.check(*assumed, *chosen)
            value = solver.value(item.id)
            assert isinstance(value, int)
            figures[item.id] = value
        chosen.append(apply("==", term, figures[item.id]))
    return figures


def _least_room(machines: Machines, figures: Mapping[str, int], path: str) -> tuple[Number, ...]:
    cpus = machines.named({**{item.id: item.low for item in machines.figures}, **figures})["cpus.online"]
    return (max(_ROOM.get(path, FIGURES[path].low), _PER_CPU.get(path, 0) * cpus),)


def _complete(machines: Machines, tried: Mapping[str, int]) -> Mapping[str, int] | None:
    """A machine with the figures that are tried, the others at their least; None where one is not free."""
    figures: dict[str, int] = {}
    for item in machines.figures:
        step = item.step
        if item.path in tried:
            figures[item.id] = int(tried[item.path] / step)
        elif item.path in ("cpus.affinity", "cpus.quota"):
            figures[item.id] = int(tried["cpus.online"] / step)
        else:
            figures[item.id] = max(item.low, _PER_CPU.get(item.path, 0) * tried["cpus.online"])
    return figures if set(tried) <= {item.path for item in machines.figures} else None


def _named(machines: Machines, figures: Mapping[str, int]) -> Mapping[str, Number]:
    """The machine's CPUs, and what else is more than the room that it has at least."""
    named = machines.named(figures)
    cpus = named["cpus.online"]
    return {
        path: value
        for path, value in named.items()
        if path.startswith("cpus.") or value != max(_ROOM.get(path, 0), _PER_CPU.get(path, 0) * cpus)
    }
