"""From a composition to the plan that a tuner follows."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from fractions import Fraction

from lpcl import __version__
from lpcl.compose.alternatives import Alternative
from lpcl.compose.answers import Answers
from lpcl.compose.composition import Composition
from lpcl.compose.findings import Finding
from lpcl.compose.knobs import Knob, Setting
from lpcl.compose.lessons import Learnt
from lpcl.compose.render.text import describe_changes, describe_shape, show_value
from lpcl.compose.resources import CPU
from lpcl.compose.structure import Place
from lpcl.compose.terms import Number, Term, Value, knobs_of
from lpcl.model.program import SourceFile
from lpcl.plan import model as plan
from lpcl.syntax import nodes

RUN_DELAY = plan.Signal(
    "waiting for a CPU",
    "process.run_delay / process.run_time",
    plan.Threshold(Fraction(3, 100), Fraction(38, 100)),
)
"""At most 0.03 in all healthy runs that were measured, at least 0.38 in all contended ones."""


def plan_of(told: Answers) -> plan.Plan:
    """The plan of an application: what can be set, what must hold, what is wrong, and what to try, in
    order.
    """
    composition = told.composition
    learnt, _ = composition.questions.constraints()
    candidates = tuple(
        _candidate(number, item, told)
        for number, item in enumerate((one for one in told.alternatives if one.changes), start=1)
    )
    hypotheses = tuple(
        _hypothesis(number, finding, composition, tuple(item.id for item in candidates))
        for number, finding in enumerate(told.alarms, start=1)
    )
    return plan.Plan(
        application=plan.ApplicationInfo(
            composition.declared.name,
            composition.declared.file.package,
            composition.declared.file.path,
            _digest(composition.declared.file),
        ),
        machine=plan.MachineInfo(composition.machine.name, _facts(composition)),
        contracts=_contracts(composition),
        knobs=tuple(_knob(item) for item in composition.knobs),
        constraints=_constraints(learnt, [item for item in composition.knobs if item.foreign]),
        hypotheses=hypotheses,
        candidates=candidates,
        signals=_watched(hypotheses),
        command=_command(composition.node),
        objective=_objective(composition.node),
    )


def _digest(file: SourceFile) -> str:
    return hashlib.sha256(file.text.encode()).hexdigest()


def _facts(composition: Composition) -> Mapping[str, Number]:
    found: dict[str, Number] = {}
    for name in ("cpus", *composition.machine.facts):
        value = composition.machine.fact(name)
        if value is not None and not isinstance(value, Term | str):
            found[name] = value
    return found


def _contracts(composition: Composition) -> tuple[plan.ContractUse, ...]:
    uses: dict[str, plan.ContractUse] = {}
    for runtime in composition.runtimes:
        declared = runtime.contract.declared
        origin, _, version = declared.file.origin.partition(" ")
        uses[declared.qualified] = plan.ContractUse(
            declared.qualified,
            origin if origin != "project" else declared.file.path,
            version or (__version__ if origin == "stdlib" else ""),
            _digest(declared.file),
        )
    return tuple(uses.values())


def _knob(item: Knob) -> plan.Knob:
    domain: plan.Domain
    kind: plan.KnobType
    if item.foreign:
        values = tuple(_text(value) for value in item.domain() if value is not None)
        domain, kind = plan.Choice((_text(item.current), *values)), "string"
    elif item.choices:
        domain = plan.Choice(item.choices)
        first = item.choices[0]
        kind = "bool" if isinstance(first, bool) else "string" if isinstance(first, str) else "int"
        if any(isinstance(one, Fraction) for one in item.choices):
            kind = "real"
    else:
        domain, kind = plan.Range(item.low, item.high), "int"
    apply: str | None = item.name
    if item.kind == "argument":
        template = item.apply_with
        apply = None if template is None else template if "{}" in template else f"{template} {{}}"
    return plan.Knob(
        item.id,
        "control" if apply is None else item.kind,
        kind,
        domain,
        apply,
        item.may_be_unset,
        _text(item.current) if item.foreign else item.current,
        f"read by {', '.join(item.readers)}" if item.readers else "",
    )


def _text(value: Setting) -> str:
    """A setting as text, for a knob that is set today to something that is none of its values."""
    return show_value(value)


def _constraints(learnt: Iterable[Learnt], foreign: Iterable[Knob]) -> tuple[plan.Constraint, ...]:
    """The conditions as expressions; those on a knob whose values are given as text are left out."""
    found: dict[str, plan.Constraint] = {}
    left_out = {item.id for item in foreign}
    for item in learnt:
        if isinstance(item.condition, bool) or knobs_of(item.condition) & left_out:
            continue
        expression = _expression(item.condition)
        found.setdefault(
            repr(expression),
            plan.Constraint(expression, item.text, item.resource),
        )
    return tuple(found.values())


def _expression(value: Value) -> plan.Expression:
    if not isinstance(value, Term):
        return plan.Constant(value)
    if value.op == "knob":
        name = str(value.args[0])
        if name.startswith("set:"):
            return plan.Apply("defined", (plan.KnobRef(f"env:{name.removeprefix('set:')}"),))
        return plan.KnobRef(name)
    return plan.Apply(value.op, tuple(_expression(arg) for arg in value.args))


def _candidate(number: int, item: Alternative, told: Answers) -> plan.Candidate:
    return plan.Candidate(
        f"c{number}",
        {knob.id: _setting(knob, item.configuration[knob.id]) for knob in item.changes},
        len(item.changes),
        item.cpu,
        tuple(f"h{index}" for index, _ in enumerate(told.alarms, start=1)),
        f"{describe_changes(item)} ({describe_shape(item)})",
    )


def _setting(item: Knob, value: Setting) -> Setting:
    return _text(value) if item.foreign and value is not None else value


def _hypothesis(
    number: int, finding: Finding, composition: Composition, interventions: tuple[str, ...]
) -> plan.Hypothesis:
    places = finding.participants[0] if finding.participants else ()
    demand = None if finding.demand is None else finding.demand + finding.background
    capacity = finding.capacity
    return plan.Hypothesis(
        id=f"h{number}",
        kind=finding.kind.value,
        text=finding.headline,
        resource=finding.resource_name,
        grade=None if finding.grade is None else finding.grade.value,
        certainty="certain" if finding.certain else "possible",
        demand=demand,
        capacity=capacity,
        ratio=None if demand is None or not capacity else _whole(Fraction(demand) / Fraction(capacity)),
        participants=tuple(_participant(place) for place in places),
        snapshot="; ".join(f"{entry.who} in {entry.process}: {entry.text}" for entry in finding.ledger),
        signals=_signals(finding, composition, places),
        interventions=interventions,
    )


def _whole(value: Fraction) -> Number:
    return value.numerator if value.denominator == 1 else value


def _participant(place: Place) -> plan.Participant:
    origin = place.origin
    return plan.Participant(
        place.library, place.operation, place.id, origin.file.path, origin.file.line(origin.span.start)
    )


def _signals(
    finding: Finding, composition: Composition, places: tuple[Place, ...]
) -> tuple[plan.Signal, ...]:
    """The signals of the participants' contracts that indicate the resource, and those that always tell."""
    found: dict[str, plan.Signal] = {}
    if finding.resource == CPU or finding.resource is None:
        found[RUN_DELAY.source] = RUN_DELAY
    libraries = {place.library for place in places}
    for runtime in composition.runtimes:
        if runtime.name not in libraries:
            continue
        for name, clause in runtime.contract.signals.items():
            source = clause.node.source
            if isinstance(source, nodes.LogSource | nodes.PythonSource):
                continue
            span = source.span
            text = clause.file.text[span.start : span.end]
            for indication in clause.node.indications:
                declared = composition.program.find(clause.file, indication.resource.path)
                if declared is not None and declared.qualified == finding.resource:
                    found.setdefault(text, plan.Signal(f"{runtime.name}.{name}", text))
    if finding.resource == CPU:
        found["process.runnable"] = plan.Signal("threads that want a CPU", "process.runnable")
    return tuple(found.values())


def _watched(hypotheses: tuple[plan.Hypothesis, ...]) -> tuple[plan.Signal, ...]:
    found = {RUN_DELAY.source: RUN_DELAY}
    for hypothesis in hypotheses:
        for signal in hypothesis.signals:
            found.setdefault(signal.source, signal)
    return tuple(found.values())


def _command(node: nodes.Application) -> str | None:
    return next((m.text.value for m in node.members if isinstance(m, nodes.Command)), None)


def _objective(node: nodes.Application) -> plan.Objective:
    measure = next((m for m in node.members if isinstance(m, nodes.Measure)), None)
    if measure is None or measure.goal is None:
        return plan.Objective()
    pattern = None if measure.pattern is None else measure.pattern.value
    return plan.Objective("maximize" if measure.goal == "maximize" else "minimize", pattern)
