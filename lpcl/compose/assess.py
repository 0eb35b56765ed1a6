"""As it stands: every finding of an application under one configuration, by evaluation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from lpcl.compose.concerned import concerns
from lpcl.compose.conditions import checked, names_of
from lpcl.compose.elaborate import Elaborated
from lpcl.compose.findings import Entry, Finding, Grade, Kind, Remedy, Step
from lpcl.compose.helping import advice, consequences, first_few, overlooked_quota, relief
from lpcl.compose.involved import minimal_participants
from lpcl.compose.ledger import entries
from lpcl.compose.machine import MachineView
from lpcl.compose.meaning import Peak, number, peak
from lpcl.compose.measures import (
    Bound,
    CallersMeasure,
    CpuMeasure,
    Measure,
    PoolCallersMeasure,
    executors,
    serves_alone,
)
from lpcl.compose.participants import MinimalSets
from lpcl.compose.pins import capacity_said, pin_help, pin_remedies
from lpcl.compose.placement import ProcessSnapshot, lines, snapshot
from lpcl.compose.remedies import Remedies, in_words
from lpcl.compose.resources import CPU, Resource
from lpcl.compose.stories import Stories
from lpcl.compose.structure import (
    Activity,
    Condition,
    Place,
    PoolUse,
    Process,
    Resolution,
    ThreadWorkers,
    activities,
    all_activities,
    process_of,
    processes,
    starter_id,
)
from lpcl.compose.sums import Sum, placed, sums, unchecked
from lpcl.compose.terms import Number, Plain, holds, knobs_of
from lpcl.compose.trials import Trying
from lpcl.diagnostics.diagnostic import Severity
from lpcl.model.quantities import ratio, show
from lpcl.syntax import nodes


@dataclass(frozen=True, slots=True)
class Demanded:
    """A sum and what an application asks for of it: the largest lower bound and the largest upper bound."""

    sum: Sum
    low: Number
    high: Number
    low_peak: Peak
    high_peak: Peak


@dataclass(frozen=True)
class Assessment:
    """All findings in order, and every sum with its figures. `concerned` are those of which an assumption
    that fails says that too little is left, with what it says others have taken.
    """

    findings: tuple[Finding, ...]
    demands: tuple[Demanded, ...]
    unchecked: tuple[Resource, ...]
    concerned: tuple[tuple[Demanded, Number | None], ...] = ()

    @property
    def fullest(self) -> Demanded | None:
        """What comes nearest to its capacity, the first of equals; None where nothing is asked for."""
        asked = [one for one in self.demands if one.high and number(one.sum.capacity)]
        return max(
            asked, key=lambda one: Fraction(one.high) / Fraction(number(one.sum.capacity)), default=None
        )

    @property
    def alarms(self) -> tuple[Finding, ...]:
        """The findings that are more than information."""
        return tuple(f for f in self.findings if f.severity is not Severity.INFO)


@dataclass(frozen=True)
class Context:
    """What an assessment needs beside the tree. `unlimited` gives the tree without limits, for under-use,
    and `trying` one with a change."""

    machine: MachineView
    declared: Mapping[str, Resource]
    background: Mapping[str, Number]
    unlimited: Callable[[], Elaborated] | None = None
    trying: Trying | None = None


def measured(root: Process, item: Sum, known: dict[Measure, Peak]) -> Demanded:
    """The figures of one sum; peaks that are `known` are not searched again."""
    found: dict[Bound, tuple[Number, Peak]] = {}
    bounds: tuple[Bound, ...] = ("low", "high")
    for bound in bounds:
        measure = item.measure(bound)
        if measure not in known:
            lower = known.get(item.measure("low"))
            known[measure] = lower if lower is not None and measure.exact(root) else peak(root, measure)
        top = known[measure]
        found[bound] = (top.amount if item.starter is None else top.by_process.get(item.starter, 0), top)
    (low, low_peak), (high, high_peak) = found["low"], found["high"]
    return Demanded(item, low, high, low_peak, high_peak)


def assess(elaborated: Elaborated, context: Context, *, explain: bool = True) -> Assessment:
    """Every finding. Without `explain`, participants and ledgers are left out, which is much faster."""
    root = elaborated.root
    known: dict[Measure, Peak] = {}
    demands = tuple(measured(root, item, known) for item in sums(root, context.machine, context.declared))
    findings: list[Finding] = []
    stories = Stories(root)
    for demanded in demands:
        finding = _overcommit(root, demanded, context, explain)
        if finding is not None:
            findings.append(finding)
    for process in processes(root):
        if process.condition is False:
            continue
        findings.extend(_pools(process, stories, explain))
        findings.extend(_forks(process, stories))
        findings.extend(_conditions(process, stories, context, explain))
    if not any(f.severity is not Severity.INFO for f in findings):
        findings.extend(_underuse(root, demands, context))
    return Assessment(
        tuple(sorted(findings, key=Finding.sort_key)),
        demands,
        unchecked(root, context.machine, context.declared),
        tuple(_concerned(root, demands, findings, context)) if explain else (),
    )


def _concerned(
    root: Process, demands: tuple[Demanded, ...], findings: list[Finding], context: Context
) -> Iterator[tuple[Demanded, Number | None]]:
    """The sums that the assumptions that fail are about, each once."""
    seen: set[tuple[str, str]] = set()
    for finding in findings:
        condition = finding.condition
        if finding.kind is not Kind.ASSUMPTION or condition is None:
            continue
        process = process_of(root, finding.starter)
        callers = _callers(process, condition)
        for one in concerns(process, condition, callers, context.machine, context.declared):
            key = (one.sum.resource.qualified, one.sum.where)
            if key in seen:
                continue
            seen.add(key)
            known = (item for item in demands if (item.sum.resource.qualified, item.sum.where) == key)
            yield next(known, None) or measured(root, one.sum, {}), one.taken


# ------------------------------------------------------------------ over-commits


def _overcommit(root: Process, demanded: Demanded, context: Context, explain: bool) -> Finding | None:
    item = demanded.sum
    resource = item.resource
    capacity = number(item.capacity)
    background = context.background.get(resource.qualified, 0) if item.starter is None else 0
    certain = demanded.low + background > capacity
    if not certain and demanded.high + background <= capacity:
        return None
    bound: Bound = "low" if certain else "high"
    demand, top = (demanded.low, demanded.low_peak) if certain else (demanded.high, demanded.high_peak)
    shot = _shot(root, item, top)
    dimension = resource.dimension
    severity = Severity.ERROR if resource.fails and certain else Severity.WARNING
    upto = "" if certain else "up to "
    beside = f" beside {show(background, dimension)} of others" if background else ""
    where = "" if item.where == "machine" else f" {placed(item.where)}"
    headline = (
        f"{resource.name}{where}: {upto}{show(demand, dimension)} asked for{beside}, "
        f"{show(capacity, dimension)} available ({ratio(demand + background, capacity)})"
    )
    why, origin, because = capacity_said(item, root, context.machine)
    finding = Finding(
        Kind.OVERCOMMIT,
        severity,
        certain,
        headline,
        item.where,
        resource.qualified,
        resource.name,
        dimension,
        demand,
        capacity,
        background,
        None if resource.fails else _grade(shot, resource, bound),
        capacity_text=why,
        capacity_origin=origin,
        starter=item.starter,
        device=item.device,
        notes=consequences(resource),
        help=(
            relief(show(background, dimension), show(demand + background - capacity, dimension))
            if background > capacity
            else advice(item, bound, shot, show(demand + background - capacity, dimension))
        ),
    )
    if not explain:
        return finding

    process = root if item.starter is None else process_of(root, item.starter)
    found = minimal_participants(process, item.measure(bound), capacity - background)
    places = {place.id: place for place in _places(root)}
    wider: tuple[Remedy, ...] = ()
    help_text = finding.help
    if item.starter is not None and resource.qualified == CPU:
        wider = pin_remedies(root, process, demand, bound, context.trying)
        more = pin_help(process, demand, wider)
        help_text = help_text if more is None else f"{more}; or {help_text}"
    ledger = entries(shot, item.measure(bound), dimension)
    return replace(
        finding,
        remedies=wider,
        help=help_text,
        notes=(*finding.notes, *overlooked_quota(finding, ledger)),
        capacity_because=because,
        participants=tuple(tuple(places[one] for one in one_set) for one_set in found.sets),
        complete=found.complete,
        ledger=ledger,
    )


def ledger_of(root: Process, demanded: Demanded) -> tuple[Entry, ...]:
    """The lines that add up to the largest amount, by its upper bound, whether or not it is too much."""
    item = demanded.sum
    return entries(_shot(root, item, demanded.high_peak), item.measure("high"), item.resource.dimension)


def _shot(root: Process, item: Sum, top: Peak) -> ProcessSnapshot:
    """The snapshot that asks for most, of the sum's own process where it is about one."""
    process = root
    if item.starter is not None:
        process = process_of(root, item.starter)
    return snapshot(process, top.placements)


def _places(root: Process) -> Iterator[Place]:
    for activity in all_activities(root):
        yield activity.place
    for process in processes(root):
        if process.starter is not None:
            yield process.starter


def _grade(shot: ProcessSnapshot, resource: Resource, bound: Bound) -> Grade:
    """How bad it is to ask for too much of a resource that degrades; section "How bad" of the reference."""
    if resource.qualified != CPU:
        return Grade.MILD
    measure = CpuMeasure(bound)
    everywhere: Number = 0
    worst = Grade.MILD

    def visit(one: ProcessSnapshot) -> None:
        nonlocal everywhere, worst
        copies, cpus = number(one.copies), max(number(one.process.cpus), 1)  # one thread waits for nobody
        coupled: Number = 0
        spinning: Number = 0
        active: Number = 0
        for line in lines(one, measure):
            amount = number(line.amount)
            if line.kind in ("idle team", "idle pool"):
                spinning += amount
            else:
                active += amount
                if line.use is not None and line.use.pool.coupled:
                    coupled += amount
        if copies:
            everywhere += copies * (coupled + spinning)
            if coupled > cpus or (spinning and coupled and coupled + spinning > cpus):
                worst = Grade.COLLAPSE
        for child in one.children:
            visit(child)

    visit(shot)
    if worst is not Grade.COLLAPSE and everywhere > max(number(shot.process.cpus), 1):
        worst = Grade.SLOW
    return worst


# ------------------------------------------------------------------ pools with more callers than they serve


def _pools(process: Process, stories: Stories, explain: bool) -> Iterator[Finding]:
    uses: dict[str, list[tuple[Activity, PoolUse]]] = {}
    for activity in activities(process.body):
        use = activity.pool
        if use is not None and not use.own_thread and use.pool.policy in ("queue", "submit", "forbid"):
            uses.setdefault(use.pool.key, []).append((activity, use))
    for key, users in uses.items():
        pool = users[0][1].pool
        shared = [user for user in users if serves_alone(user[1]) is not True]
        if not shared:
            continue
        entering = PoolCallersMeasure(follows=False, pool=key)
        callers = peak(process, entering).amount
        served = 1 if pool.policy != "submit" else max(number(use.size) for _, use in shared)
        if callers <= served:
            continue
        found = minimal_participants(process, entering, served) if explain else MinimalSets((), True)
        places = {place.id: place for place in _places(process)}
        sets = tuple(tuple(places[one] for one in one_set) for one_set in found.sets)
        if pool.policy == "forbid":
            yield Finding(
                Kind.HAZARD,
                Severity.ERROR,
                True,
                f"{show(callers)} threads enter {pool} at the same time, and it allows one",
                f"process: {process.name}",
                participants=sets,
                complete=found.complete,
                effect="aborts",
                starter=starter_id(process),
                pool=key,
                help="let one thread at a time call it, or choose a pool that allows several callers",
                capacity_origin=pool.origin,
                demand=callers,
                capacity=1,
                steps=_entered(process, stories, entering, sets[0]) if sets else (),
            )
            continue
        size = max(number(use.size) for _, use in shared)
        threads_of_it = "1 thread" if size == 1 else f"{show(size)} threads"
        fewer = "call it from fewer"
        yield Finding(
            Kind.SERIALIZED,
            Severity.WARNING if pool.policy == "queue" else Severity.INFO,
            True,
            f"{show(callers)} callers want {pool} of {threads_of_it}, which serves "
            f"{show(served)} at a time: the others wait",
            f"process: {process.name}",
            participants=sets,
            complete=found.complete,
            demand=callers,
            capacity=served,
            capacity_origin=pool.origin,
            starter=starter_id(process),
            pool=key,
            help=fewer
            if size == 1
            else f"give the pool one thread, so that every caller computes for itself, or {fewer}",
        )


def _entered(
    process: Process, stories: Stories, entering: PoolCallersMeasure, participants: tuple[Place, ...]
) -> tuple[Step, ...]:
    """How the participants, and nobody else, come to enter a pool at the same time."""
    inside = tuple(
        place
        for place in participants
        if (activity := process.index.get(place.id)) is not None and entering.running(activity) == 1
    )
    starters = tuple(place for place in _thread_starters(process, inside) if place in participants)
    callers = peak(process, entering, frozenset(place.id for place in participants)).amount
    return stories.entered(process, starters, inside, callers)


def _thread_starters(process: Process, inside: tuple[Place, ...]) -> tuple[Place, ...]:
    """The places whose workers multiply the callers of the given ones."""
    wanted = {place.id for place in inside}
    return tuple(
        activity.place
        for activity in activities(process.body)
        if activity.body is not None
        and (
            isinstance(activity.workers, ThreadWorkers)
            or (activity.pool is not None and executors(activity, 1, True) != 1)
        )
        and any(inner.place.id in wanted for inner in activities(activity.body))
    )


# ------------------------------------------------------------------ hazards and assumptions


def _forks(process: Process, stories: Stories) -> Iterator[Finding]:
    if process.method != "fork" or process.starter is None:
        return
    seen: set[str] = set()
    for activity in activities(process.body):
        use = activity.pool
        if use is None or use.pool.fork != "unsafe" or use.pool.key in seen:
            continue
        if process.parent_used.get(use.pool.key, False) is not True or number(use.existing) < 1:
            continue
        seen.add(use.pool.key)
        yield Finding(
            Kind.HAZARD,
            Severity.ERROR,
            True,
            f"{use.pool} has threads when {process.starter} forks, and the child uses it: it hangs",
            f"process: {process.name}",
            participants=((process.starter, activity.place),),
            effect="hangs",
            starter=starter_id(process),
            pool=use.pool.key,
            capacity_origin=use.pool.origin,
            steps=stories.fork(process, activity, use.pool),
            help="start the workers with `spawn` or `forkserver`, or use the library only in the children",
        )


def _conditions(process: Process, stories: Stories, context: Context, explain: bool) -> Iterator[Finding]:
    for condition in process.conditions:
        callers = _callers(process, condition)
        if holds(condition.value, callers) is (condition.kind == "assume"):
            continue
        kind = Kind.ASSUMPTION if condition.kind == "assume" else Kind.HAZARD
        finding = Finding(
            kind,
            Severity.ERROR,
            True,
            f"{condition.library}: {condition.message}",
            f"process: {process.name}",
            participants=((condition.place,),) if condition.place is not None else (),
            effect=condition.effect,
            capacity_origin=condition.origin,
            condition=condition,
            starter=starter_id(process),
        )
        if explain:
            mended = _mended(condition, callers, context)
            begin = "it holds with" if condition.kind == "assume" else "it does not come to that with"
            finding = replace(
                finding,
                checked=checked(condition, callers),
                steps=stories.condition(process, condition),
                remedies=mended,
                help=in_words(mended, begin),
            )
        yield finding


def _mended(condition: Condition, callers: Mapping[str, Plain], context: Context) -> tuple[Remedy, ...]:
    """What would make an assumption hold, or keep a hazard away."""
    names = names_of(condition, callers)
    if names is None or context.trying is None:
        return ()
    assert condition.said is not None
    key = (condition.origin, condition.library, None if condition.place is None else condition.place.origin)

    def solved(elaborated: Elaborated) -> bool:
        """Whether all is well wherever it applies now."""
        alike = [
            (process, one)
            for process in processes(elaborated.root)
            for one in process.conditions
            if (one.origin, one.library, None if one.place is None else one.place.origin) == key
        ]
        return bool(alike) and all(
            holds(one.value, _callers(process, one)) is (one.kind == "assume") for process, one in alike
        )

    expression = condition.said.expression
    if condition.kind == "hazard":
        expression = nodes.Unary("not", expression, span=expression.span)
    remedies = Remedies(expression, names, condition.place, context.trying, solved)
    return remedies.found()


def _callers(process: Process, condition: Condition) -> Mapping[str, Plain]:
    """The most executors at once at each place that the condition asks about."""
    found: dict[str, Plain] = {}
    for name in knobs_of(condition.value):
        place = name.removeprefix("callers ")
        found[name] = peak(process, CallersMeasure(follows=False, place=place)).amount
    return found


# ------------------------------------------------------------------ under-use


def _held_back(root: Process, cpu: Demanded) -> Iterator[str]:
    """The clauses that set, limit or pin what the CPU demand rests on."""
    for process in processes(root):
        if process.pinned:
            where = f" ({process.starter.origin})" if process.starter is not None else ""
            count = number(process.cpus)
            yield f"pinned to {show(count)} CPU{'' if count == 1 else 's'}: {process.name}{where}"
    here = [reason for entry in ledger_of(root, cpu) for reason in entry.reasons]
    everywhere = [reason for activity in all_activities(root) for reason in _reasons_of(activity)]
    waiting = [*here, *everywhere]
    while waiting:
        reason = waiting.pop(0)
        waiting.extend(reason.because)
        if reason.how.startswith("limited") or "(set by " in reason.how:
            where = f" ({reason.origin})" if reason.origin is not None else ""
            yield f"{reason.control}: {reason.how}{where}"


def _reasons_of(activity: Activity) -> tuple[Resolution, ...]:
    pool = () if activity.pool is None else activity.pool.reasons
    return (*pool, *(() if activity.workers is None else activity.workers.reasons))


def _underuse(root: Process, demands: tuple[Demanded, ...], context: Context) -> Iterator[Finding]:
    cpu = next((d for d in demands if d.sum.resource.qualified == CPU and d.sum.starter is None), None)
    if cpu is None or context.unlimited is None:
        return
    capacity = number(cpu.sum.capacity)
    if cpu.high * 2 >= capacity:
        return
    without = peak(context.unlimited().root, CpuMeasure("high")).amount
    if without <= cpu.high:
        return
    held = list(dict.fromkeys(_held_back(root, cpu)))
    yield Finding(
        Kind.UNDERUSE,
        Severity.INFO,
        True,
        f"at most {show(cpu.high)} of {show(capacity)} CPUs are ever in use; without its limits "
        f"the application could use {show(min(without, capacity))}",
        resource=CPU,
        resource_name=cpu.sum.resource.name,
        demand=cpu.high,
        capacity=capacity,
        help=f"see whether it is meant to be held back: {first_few(held)}"
        if held
        else "see which limit, pin or variable holds it back",
    )
