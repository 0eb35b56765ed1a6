"""A contract that over-commits the machine all by itself: one use of an operation, with nothing set.

Each operation that needs no argument is composed as an application of its own, on roomy machines. Where too
much fails, all of them that nothing narrows are looked at; where it only slows down, or a limit narrows the
machine, a few typical ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from lpcl.check.context import listed
from lpcl.compose.clauses import Decide
from lpcl.compose.elaborate import Elaborated, decide_plainly, elaborate
from lpcl.compose.machine import MachineView
from lpcl.compose.paths import TooManyPaths, paths
from lpcl.compose.refusal import Refusal
from lpcl.compose.resources import Resource, resources
from lpcl.compose.settings import Settings
from lpcl.compose.solver import Verdict
from lpcl.compose.suspects import Suspect
from lpcl.compose.terms import Number, Value
from lpcl.diagnostics.diagnostic import Severity
from lpcl.model.machine import FACTS
from lpcl.model.program import Declared
from lpcl.model.quantities import ratio, show
from lpcl.packages.versions import Ambiguity, choose
from lpcl.ranges.roomy import NARROWED, PLAIN, Figures, Roomy, Search
from lpcl.ranges.rules.subject import Subject
from lpcl.ranges.shapes import Asked, Excess, Shapes, asked, plain
from lpcl.syntax import nodes


def check(subject: Subject) -> None:
    """Judge the operations that a contract states; those with the same figures share a finding."""
    node = subject.declared.node
    if not isinstance(node, nodes.Contract):
        return
    told: dict[tuple[object, ...], list[nodes.Operation]] = {}
    known: dict[object, tuple[list[tuple[object, ...]], bool]] = {}
    for member in node.members:
        if isinstance(member, nodes.Operation) and all(p.default is not None for p in member.parameters):
            alike = (member.parameters, member.clauses)
            if alike not in known:
                known[alike] = _operation(subject, member)
            found, decided = known[alike]
            for one in found:
                told.setdefault(one, []).append(member)
            if not decided:
                subject.undecided(member.name.span, f"whether `{member.name.text}` alone asks for too much")
    for (resource, demand, there, times, machine, severity), operations in told.items():
        _report(subject, operations, f"{demand} of {there} {resource}: {times}", machine, severity)


def _operation(subject: Subject, operation: nodes.Operation) -> tuple[list[tuple[object, ...]], bool]:
    """What is said of the findings of an operation, and whether all is decided."""
    use = _Use(subject, operation.name.text, resources(subject.context.program))
    shapes = Shapes(use.build, use.declared, NARROWED.machines)
    seen: set[str] = set()
    told: list[tuple[object, ...]] = []
    for roomy in (PLAIN, NARROWED):
        for machine, excess in use.tried(roomy, shapes):
            if excess.resource.qualified not in seen:
                seen.add(excess.resource.qualified)
                told.append(_told(roomy.named(machine), excess, plain=roomy is PLAIN))
    if shapes.nothing_fails(_possible):
        return told, True
    decided = True
    try:
        for item in use.searched(PLAIN, seen):
            if isinstance(item, Verdict):
                decided = False
            else:
                machine, excess = item
                seen.add(excess.resource.qualified)
                told.append(_told(PLAIN.named(machine), excess, plain=True))
    except TooManyPaths:
        decided = False
    except Refusal:
        return told, True  # what keeps it from being composed is for other rules
    return told, decided


def _possible(suspect: Suspect) -> bool:
    return Search(NARROWED, suspect.truths).check(*suspect.conditions) is not Verdict.NO


def _told(machine: Mapping[str, Number], excess: Excess, *, plain: bool) -> tuple[object, ...]:
    """What is said of an over-commit, and how grave it is.

    That CPUs are short, or that a library does not see what narrows a machine, is how some libraries are.
    """
    resource = excess.resource
    grave = plain and resource.fails
    return (
        resource.name,
        show(excess.demand, resource.dimension),
        show(excess.capacity, resource.dimension),
        ratio(excess.demand, excess.capacity),
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
        else "where the library is like that, leave it; else see to the defaults that it is computed from",
        severity=severity,
    )


Shown = tuple[Figures, Excess]
"""A machine, and what is too much for it."""


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
        program = self.subject.context.program
        return elaborate(program, application, machine, Settings(), self._pick, decide, judged=False)

    def _pick(self, qualified: str, version: str | None) -> Declared:
        if qualified == self.subject.declared.qualified:
            return self.subject.declared
        found = choose(self.subject.context.program, qualified, version)
        if isinstance(found, Ambiguity):
            raise Refusal("ambiguous-version", found.reason, self.subject.declared.origin)
        return found

    def tried(self, roomy: Roomy, shapes: Shapes) -> Iterator[Shown]:
        """What it over-commits on a few typical machines.

        A contract of which something else was told may have no meaning on some of them: it is composed.
        """
        for figures, narrowed in zip(roomy.typical, NARROWED.typical, strict=True):
            if figures is not None and narrowed is not None:
                found = None if self.subject.context.findings else shapes.excesses(narrowed)
                for excess in self.assessed(roomy, figures) if found is None else found:
                    yield figures, excess

    def searched(self, roomy: Roomy, seen: set[str]) -> Iterator[Shown | Verdict]:
        """What that fails it over-commits beside what has been `seen`, on any of the machines; else what is
        undecided.

        Raises `TooManyPaths` and `Refusal`.
        """
        view = roomy.machines.open()
        searches = {frozenset[str](): Search(roomy)}

        def feasible(conditions: tuple[Value, ...]) -> bool:
            return searches[frozenset()].check(*conditions) is not Verdict.NO

        for path in paths(lambda decide: self.build(view, decide), feasible):
            assumed = (*path.conditions, *path.elaborated.requirements)
            for item in asked(path, view, self.declared):
                resource = item.sum.resource
                if resource.qualified in seen or not resource.fails:
                    continue
                for suspect, _ in item.amounts:
                    conditions = (*assumed, *suspect.conditions)
                    search = searches.setdefault(suspect.truths, Search(roomy, suspect.truths))
                    answer = search.check(*conditions)
                    if answer is Verdict.YES:
                        figures = search.plainest(*conditions)
                        excess = self._shown(roomy, item, figures)
                        yield Verdict.UNDECIDED if excess is None else (figures, excess)
                        break
                    if answer is Verdict.UNDECIDED:
                        yield answer

    def _shown(self, roomy: Roomy, item: Asked, figures: Figures) -> Excess | None:
        """The over-commit on a machine, by evaluation."""
        if item.closed:
            return item.excess(figures)
        found = self.assessed(roomy, figures)
        return next((one for one in found if one.resource is item.sum.resource), None)

    def assessed(self, roomy: Roomy, figures: Figures) -> tuple[Excess, ...]:
        """The certain over-commits on a machine, where executors can stand in many ways."""
        from lpcl.compose.assess import Context, assess
        from lpcl.compose.meaning import TooManyOptions

        view = roomy.machines.at(figures)
        try:
            elaborated = self.build(view, decide_plainly)
            demands = assess(elaborated, Context(view, self.declared, {}), explain=False).demands
        except (Refusal, TooManyOptions):
            return ()
        found = ((one.sum.resource, one.low, plain(one.sum.capacity)) for one in demands)
        return tuple(Excess(*one) for one in found if one[1] > one[2])
