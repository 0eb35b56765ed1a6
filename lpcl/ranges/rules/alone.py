"""A contract that over-commits the machine all by itself: one use of an operation, with nothing set.

Each operation that needs no argument is composed as an application of its own, on roomy machines. Where too
much fails, all of them that nothing narrows are looked at; where it only slows down, or a limit narrows the
machine, a few typical ones.
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
from lpcl.compose.machines import Machines
from lpcl.compose.meaning import TooManyOptions
from lpcl.compose.paths import TooManyPaths, paths
from lpcl.compose.refusal import Refusal
from lpcl.compose.resources import Resource, resources
from lpcl.compose.settings import Settings
from lpcl.compose.solver import Verdict
from lpcl.compose.sums import sums
from lpcl.compose.suspects import Suspects
from lpcl.compose.terms import Number, Value
from lpcl.diagnostics.diagnostic import Severity
from lpcl.model.machine import FACTS
from lpcl.model.program import Declared
from lpcl.model.quantities import ratio, show
from lpcl.packages.versions import Ambiguity, choose
from lpcl.ranges.roomy import NARROWED, PLAIN, Roomy, Search
from lpcl.ranges.rules.subject import Subject
from lpcl.ranges.shapes import Shapes
from lpcl.syntax import nodes


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
    shapes = Shapes(use.build, use.declared, NARROWED.machines)
    seen: set[str] = set()
    for roomy in (PLAIN, NARROWED):
        for machine, finding in use.tried(roomy, shapes, seen):
            if finding.resource not in seen:
                seen.add(finding.resource or "")
                yield _told(machine, finding, plain=roomy is PLAIN)
    if shapes.nothing_fails():
        return
    undecided = False
    try:
        for item in use.searched(PLAIN, seen):
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

    def tried(self, roomy: Roomy, shapes: Shapes, seen: set[str]) -> Iterator[Shown]:
        """What it over-commits on a few typical machines, but for those that show only what was `seen`."""
        for figures, narrowed in zip(roomy.typical, NARROWED.typical, strict=True):
            if figures is None or narrowed is None:
                continue
            resources = shapes.too_much(narrowed)
            if resources is None or resources - seen:
                for finding in self._findings(roomy.machines, figures):
                    yield roomy.named(figures), finding

    def searched(self, roomy: Roomy, seen: set[str]) -> Iterator[Shown | Verdict]:
        """What that fails it over-commits beside what has been `seen`, on any of the machines; else what is
        undecided.

        Raises `TooManyPaths`, `TooManyOptions` and `Refusal`.
        """
        machines = roomy.machines
        view = machines.open()
        search = Search(roomy)

        def feasible(conditions: tuple[Value, ...]) -> bool:
            return search.check(*conditions) is not Verdict.NO

        for path in paths(lambda decide: self.build(view, decide), feasible):
            assumed = (*path.conditions, *path.elaborated.requirements)
            for item in sums(path.elaborated.root, view, self.declared):
                if item.resource.qualified in seen or not item.resource.fails:
                    continue
                for suspect in Suspects(path, (item,), lambda _: 0).of_sum(item):
                    if not suspect.key.certain:
                        continue
                    conditions = (*assumed, *suspect.conditions)
                    answer = search.check(*conditions)
                    if answer is Verdict.YES:
                        figures = search.plainest(*conditions)
                        found = self._findings(machines, figures)
                        one = next((f for f in found if f.resource == item.resource.qualified), None)
                        yield Verdict.UNDECIDED if one is None else (roomy.named(figures), one)
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
