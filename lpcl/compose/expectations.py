"""Tests in the language: what an application is expected to lead to, held against what it does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from lpcl.compose.composition import Composition, compose, view_of
from lpcl.compose.evaluate import evaluate
from lpcl.compose.findings import Finding, Kind
from lpcl.compose.knobs import PlainScope
from lpcl.compose.machine import MachineView
from lpcl.compose.refusal import Refusal, location
from lpcl.compose.resources import resources
from lpcl.compose.settings import EnvValue, Settings
from lpcl.compose.solver import Verdict
from lpcl.compose.terms import Term, Value
from lpcl.diagnostics.diagnostic import Diagnostic, Location, Severity
from lpcl.model.program import Declared, Origin, Program, SourceFile
from lpcl.model.quantities import PLAIN, show, span
from lpcl.syntax import nodes


@dataclass(frozen=True, slots=True)
class Judgement:
    """Whether one expectation is met by one application, and if not, what was found instead, line by line."""

    application: str
    expected: str
    location: Location
    met: bool
    found: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TestResult:
    """A test's judgements, or the diagnostics that kept it from being judged."""

    title: str
    location: Location
    judgements: tuple[Judgement, ...]
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether every expectation is met."""
        return not self.diagnostics and all(one.met for one in self.judgements)


def run_test(
    program: Program, file: SourceFile, test: nodes.Test, host: MachineView | None = None
) -> TestResult:
    """Judge one test. Nothing is raised."""
    place = location(Origin(file, test.title.span))
    judgements: list[Judgement] = []
    try:
        for ref in _applications(test):
            declared = program.find(file, ref.path)
            if declared is None or not isinstance(declared.node, nodes.Application):
                raise Refusal("unknown-name", f"there is no application `{ref.path}`", Origin(file, ref.span))
            judge = _Judge(program, file, test, declared, host)
            judgements.extend(judge.judgements())
    except Refusal as refusal:
        return TestResult(test.title.value, place, tuple(judgements), (refusal.diagnostic,))
    if not judgements:
        nothing = Diagnostic(
            "missing-clause",
            Severity.ERROR,
            f'the test "{test.title.value}" expects nothing of anything',
            place,
            help="add `check APPLICATION` and `expect ...`",
        )
        return TestResult(test.title.value, place, (), (nothing,))
    return TestResult(test.title.value, place, tuple(judgements))


def _applications(test: nodes.Test) -> Iterator[nodes.Ref]:
    for clause in test.clauses:
        if isinstance(clause, nodes.Check):
            yield from clause.applications


class _Judge:
    """One application under the machine and the environment of one test."""

    def __init__(
        self,
        program: Program,
        file: SourceFile,
        test: nodes.Test,
        declared: Declared,
        host: MachineView | None,
    ) -> None:
        self.program = program
        self.file = file
        self.test = test
        self.declared = declared
        self.host = host
        used = next((c for c in test.clauses if isinstance(c, nodes.MachineUse)), None)
        self.machine = None if used is None else view_of(program, file, used, host)
        env: dict[str, EnvValue | None] = {}
        for clause in test.clauses:
            if isinstance(clause, nodes.Environment):
                scope = PlainScope(file, self.machine or MachineView("", {}, {}))
                env[clause.name.text] = EnvValue(
                    True, evaluate(clause.value, scope), Origin(file, clause.span), ""
                )
        self.settings = Settings(env)
        self.composition = self._composed(self.settings)
        self.scope = PlainScope(file, self.composition.machine)
        self.declared_resources = resources(program)

    def _composed(self, settings: Settings) -> Composition:
        outcome = compose(self.program, self.declared, self.machine, settings, self.host)
        if outcome.composition is None:
            raise _Refused(outcome.diagnostics[0])
        return outcome.composition

    def judgements(self) -> Iterator[Judgement]:
        """Each expectation in order."""
        for clause in self.test.clauses:
            if isinstance(clause, nodes.MachineUse | nodes.Check | nodes.Environment):
                continue
            met, found = self._judge(clause)
            text = self.file.text[clause.span.start : clause.span.end]
            yield Judgement(
                self.declared.name,
                " ".join(text.split()),
                location(Origin(self.file, clause.span)),
                met,
                () if met else tuple(found),
            )

    @property
    def findings(self) -> tuple[Finding, ...]:
        return self.composition.assessment.findings

    @property
    def alarms(self) -> tuple[Finding, ...]:
        return self.composition.assessment.alarms

    def _resource(self, ref: nodes.Ref) -> str:
        declared = self.program.find(self.file, ref.path)
        if declared is None or not isinstance(declared.node, nodes.Resource):
            raise Refusal("unknown-name", f"there is no resource `{ref.path}`", Origin(self.file, ref.span))
        return declared.qualified

    def _judge(self, clause: nodes.Node) -> tuple[bool, Sequence[str]]:
        match clause:
            case nodes.ExpectOvercommit():
                return self._overcommit(clause)
            case nodes.ExpectSerialized():
                wanted = "" if clause.pool is None else clause.pool.path
                serialized = [
                    f
                    for f in self.findings
                    if f.kind is Kind.SERIALIZED and (not wanted or f"`{wanted}`" in f.headline)
                ]
                return self._any(serialized, clause.participants)
            case nodes.ExpectHazard():
                return self._message(Kind.HAZARD, clause.message)
            case nodes.ExpectAssumption():
                return self._message(Kind.ASSUMPTION, clause.message)
            case nodes.ExpectUnderuse():
                return self._any([f for f in self.findings if f.kind is Kind.UNDERUSE], ())
            case nodes.ExpectClean():
                return not self.alarms, list(_described(self.alarms))
            case nodes.ExpectNo():
                resource = None if clause.resource is None else self._resource(clause.resource)
                against = [
                    f for f in self.findings if f.kind.value == clause.kind and resource in (None, f.resource)
                ]
                return not against, list(_described(against))
            case nodes.ExpectSafe():
                return self._safe(clause)
            case nodes.ExpectDemand():
                return self._demand(clause)
            case nodes.ExpectAvoidable():
                verdict = self.composition.questions.avoidable().verdict
                wanted_verdict = Verdict.YES if clause.verdict == "avoidable" else Verdict.NO
                words = {
                    Verdict.YES: "avoidable",
                    Verdict.NO: "unavoidable",
                    Verdict.UNDECIDED: "not decided",
                }
                return verdict is wanted_verdict, [f"it is {words[verdict]}"]
            case nodes.ExpectResolved():
                return self._resolved(clause)
        raise AssertionError(f"not an expectation: {clause!r}")

    def _overcommit(self, clause: nodes.ExpectOvercommit) -> tuple[bool, Sequence[str]]:
        resource = self._resource(clause.resource)
        found = [
            f
            for f in self.findings
            if f.kind is Kind.OVERCOMMIT and f.resource == resource and f.certain is not clause.possible
        ]
        if clause.figures is not None:
            figures = clause.figures
            if not isinstance(figures, nodes.Binary) or figures.op != "/":
                raise Refusal(
                    "test-figures",
                    "an over-commit is expected as `demand / capacity`",
                    Origin(self.file, figures.span),
                )
            demand, capacity = evaluate(figures.left, self.scope), evaluate(figures.right, self.scope)
            found = [f for f in found if f.capacity == capacity and (f.demand or 0) + f.background == demand]
        if clause.grade is not None:
            found = [f for f in found if f.grade is not None and f.grade.value == clause.grade]
        return self._any(found, clause.participants)

    def _any(self, found: Sequence[Finding], participants: Sequence[nodes.Ref]) -> tuple[bool, Sequence[str]]:
        """Whether one of the findings has just these libraries as a minimal set."""
        names = {ref.path.rpartition(".")[2] for ref in participants}
        met = any(not names or any(set(one) == names for one in finding.libraries) for finding in found)
        return met, list(_described(self.findings)) or ["nothing is found"]

    def _message(self, kind: Kind, message: nodes.Text | None) -> tuple[bool, Sequence[str]]:
        found = [f for f in self.findings if f.kind is kind]
        wanted = "" if message is None else message.value
        return any(wanted in f.headline for f in found), list(_described(self.findings)) or [
            "nothing is found"
        ]

    def _safe(self, clause: nodes.ExpectSafe) -> tuple[bool, Sequence[str]]:
        composition = self._composed(self._with(clause.settings))
        against: Sequence[Finding] = composition.assessment.alarms
        if clause.resource is not None:
            resource = self._resource(clause.resource)
            against = [f for f in against if f.resource == resource]
        return not against, list(_described(against))

    def _with(self, chosen: Sequence[nodes.Setting]) -> Settings:
        assert isinstance(self.declared.node, nodes.Application)
        own = {m.name.text for m in self.declared.node.members if isinstance(m, nodes.Control)}
        env, controls, library = (
            dict(self.settings.env),
            dict(self.settings.controls),
            dict(self.settings.library),
        )
        for item in chosen:
            value = evaluate(item.value, self.scope)
            path = item.target.path
            head, _, control = path.rpartition(".")
            if path in own:
                controls[path] = value
            elif not head:
                env[path] = EnvValue(True, value, Origin(self.file, item.span), "")
            else:
                declared = self.program.find(self.file, head) or self.program.find(self.declared.file, head)
                if declared is None:
                    raise Refusal(
                        "unknown-name",
                        f"there is no contract `{head}`",
                        Origin(self.file, item.target.span),
                    )
                library[declared.qualified, control] = value
        return replace(self.settings, env=env, controls=controls, library=library)

    def _demand(self, clause: nodes.ExpectDemand) -> tuple[bool, Sequence[str]]:
        resource = self._resource(clause.resource)
        wanted = evaluate(clause.amount, self.scope)
        found = [d for d in self.composition.assessment.demands if d.sum.resource.qualified == resource]
        dimension = self.declared_resources[resource].dimension
        lines = [f"{d.sum.where}: {span(d.low, d.high, dimension)}" for d in found]
        return any(d.high == wanted for d in found), lines or [
            "nothing is asked for, or the machine does not state it"
        ]

    def _resolved(self, clause: nodes.ExpectResolved) -> tuple[bool, Sequence[str]]:
        wanted = evaluate(clause.value, self.scope)
        found = [item for item in self.composition.reasons if item.control == clause.target.path]
        lines = [f"{item.control} = {_shown(item.value)}: {item.how}" for item in found]
        return bool(found) and all(item.value == wanted for item in found), lines or [
            f"{clause.target.path} decides nothing here"
        ]


class _Refused(Refusal):
    """A refusal that already is a diagnostic."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        Exception.__init__(self, diagnostic.headline)
        self.diagnostic = diagnostic


def _described(findings: Sequence[Finding]) -> Iterator[str]:
    for finding in findings:
        sets = "; ".join(", ".join(names) for names in finding.libraries)
        graded = "" if finding.grade is None else f", {finding.grade.value}"
        yield f"{finding.kind.value}{graded}: {finding.headline}" + (f" by {sets}" if sets else "")
        for entry in finding.ledger:
            total = show(entry.total, finding.dimension)
            how = f": {entry.text}" if entry.text else ""
            times = "" if entry.copies == 1 else f" x {show(entry.copies)}"
            yield f"    {entry.who} in {entry.process}{how}{times} = {total}"


def _shown(value: Value) -> str:
    return value if isinstance(value, str) else "open" if isinstance(value, Term) else show(value, PLAIN)


def all_tests(program: Program, wanted: frozenset[SourceFile]) -> Iterator[tuple[SourceFile, nodes.Test]]:
    """The tests of the wanted files, in order."""
    for file, test in program.tests():
        if file in wanted:
            yield file, test
