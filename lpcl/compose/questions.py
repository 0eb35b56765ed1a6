"""Can it happen, can it be avoided, what would be right: the questions over all configurations.

For each shape of the application the amounts are terms over its knobs. That a snapshot over-commits is one
condition on knobs and placement together, so "can it happen" is a single question. That no snapshot does is
asked lazily: the solver proposes a configuration, `assess` finds what is wrong with it, and the snapshot that
shows it becomes a further condition, until a proposal is right or none is left. Whatever is answered has been
evaluated by `assess`. See `docs/decisions/0005-questions.md`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from lpcl.compose.assess import Assessment, Context, assess
from lpcl.compose.clauses import Decide
from lpcl.compose.elaborate import Elaborated
from lpcl.compose.findings import Finding, Kind
from lpcl.compose.free import Freedom
from lpcl.compose.knobs import Configuration, Knob, Setting, assignment, differs, within
from lpcl.compose.machine import MachineView
from lpcl.compose.meaning import TooManyOptions, number, peak
from lpcl.compose.measures import Bound, CallersMeasure, CpuMeasure, Measure, PoolCallersMeasure, serves_alone
from lpcl.compose.paths import Path, TooManyPaths, paths
from lpcl.compose.placement import Spread, amount, snapshot
from lpcl.compose.refusal import Refusal
from lpcl.compose.resources import CPU, Resource
from lpcl.compose.solver import Solver, Verdict
from lpcl.compose.structure import Condition, Process, activities, all_activities, processes
from lpcl.compose.structure import Sequence as Statements
from lpcl.compose.sums import Sum, starter_id, sums
from lpcl.compose.terms import (
    Number,
    Plain,
    Value,
    apply,
    choose,
    conjunction,
    disjunction,
    knob,
    knobs_of,
    largest,
    negation,
    settle,
    total,
)

MOST_ALTERNATIVES = 8
MOST_PROPOSALS = 2_000
ABSENT = -1
"""The figure of workers or a pool that a configuration does not have."""


@dataclass(frozen=True)
class Alternative:
    """A configuration without a finding: how many CPUs it uses, the knobs it changes, and its shape, in
    order.
    """

    configuration: Configuration
    changes: tuple[Knob, ...]
    cpu: Number
    shape: tuple[Figure, ...]


@dataclass(frozen=True, slots=True)
class Figure:
    """A number that tells configurations apart: of ``workers`` or of a pool's ``threads``, at a place."""

    place: str
    kind: str
    value: Value


@dataclass(frozen=True)
class Answer:
    """An answer with what shows it; `verdict` is undecided where the allowed work did not suffice."""

    verdict: Verdict
    witness: Configuration | None = None
    assessment: Assessment | None = None


class Questioner:
    """Asks one application on one machine. `build` elaborates it under settings for its knobs."""

    def __init__(
        self,
        knobs: Sequence[Knob],
        open_build: Callable[[Decide], Elaborated],
        build: Callable[[Configuration], Elaborated],
        context: Context,
        declared: Mapping[str, Resource],
        machine: MachineView,
    ) -> None:
        self.knobs = tuple(knobs)
        self._build = build
        self._open_build = open_build
        self._context = context
        self._declared = declared
        self._machine = machine
        self._assessed: dict[tuple[Setting, ...], Assessment | None] = {}
        self._paths: tuple[Path, ...] | None = None

    # -------------------------------------------------------------- configurations

    def today(self) -> Configuration:
        """What is set at present."""
        return {item.id: item.current for item in self.knobs}

    def assessed(self, configuration: Configuration) -> Assessment | None:
        """What a configuration leads to, None where it is refused (a value that is rejected)."""
        key = tuple(configuration[item.id] for item in self.knobs)
        if key not in self._assessed:
            try:
                self._assessed[key] = assess(self._build(configuration), self._context, explain=False)
            except Refusal:
                self._assessed[key] = None
        return self._assessed[key]

    def elaborated(self, configuration: Configuration) -> Elaborated:
        """The tree of a configuration. Raises `Refusal`."""
        return self._build(configuration)

    def paths(self) -> tuple[Path, ...]:
        """The shapes of the application over all its settings. Raises `TooManyPaths`."""
        if self._paths is None:
            solver = self._solver(frozenset())
            self._paths = tuple(
                paths(self._open_build, lambda conditions: solver.check(*conditions) is not Verdict.NO)
            )
        return self._paths

    def _solver(self, truths: frozenset[str]) -> Solver:
        unset = {item.presence for item in self.knobs if item.may_be_unset}
        booleans = {item.id for item in self.knobs if item.choices and isinstance(item.choices[0], bool)}
        words = {item.id for item in self.knobs if item.choices and isinstance(item.choices[0], str)}
        solver = Solver(truths | unset | booleans, frozenset(words))
        for item in self.knobs:
            solver.add(within(item))
        return solver

    def _path_solver(self, path: Path, truths: frozenset[str] = frozenset()) -> Solver:
        solver = self._solver(truths)
        for condition in (*path.conditions, *path.elaborated.requirements):
            solver.add(condition)
        return solver

    def _read(self, solver: Solver) -> Configuration:
        return {
            item.id: None
            if item.may_be_unset and solver.value(item.presence) is False
            else solver.value(item.id)
            for item in self.knobs
        }

    # -------------------------------------------------------------- can it happen

    def can_happen(self, resource: str) -> Answer:
        """Is there a configuration that certainly over-commits the resource (its full name)?"""
        undecided = False
        try:
            for path in self.paths():
                freedom = Freedom(path.elaborated.root)
                for item in self._sums(path, resource):
                    answer = self._reaches(path, item, freedom)
                    if answer.verdict is Verdict.YES:
                        return answer
                    undecided = undecided or answer.verdict is Verdict.UNDECIDED
        except (TooManyPaths, TooManyOptions):
            undecided = True
        return Answer(Verdict.UNDECIDED if undecided else Verdict.NO)

    def _sums(self, path: Path, resource: str) -> list[Sum]:
        return [
            item
            for item in sums(path.elaborated.root, self._machine, self._declared)
            if item.resource.qualified == resource
        ]

    def _reaches(self, path: Path, item: Sum, freedom: Freedom) -> Answer:
        solver = self._path_solver(path, frozenset(freedom.truths))
        guards: list[Value] = []
        demand = self._free_amount(path, item, freedom, "low", guards)
        reached = apply(">", apply("+", demand, self._background(item)), item.capacity)
        solver.add(_process(path.elaborated.root, item.starter).condition)
        verdict = Verdict.NO
        for conditions in stands(freedom, item, reached, guards):
            answer = solver.check(*conditions)
            if answer is Verdict.YES:
                break
            verdict = Verdict.UNDECIDED if answer is Verdict.UNDECIDED else verdict
        else:
            return Answer(verdict)
        witness = self._plainest(self._read(solver), item)
        shown = self._shows(witness, item)
        return Answer(Verdict.YES if shown else Verdict.UNDECIDED, witness, self.assessed(witness))

    def _plainest(self, witness: Configuration, item: Sum) -> Configuration:
        """The witness with each knob as it is today where that does as well, else with its least value."""
        for one in self.knobs:
            values = one.domain() if one.foreign else (one.current, *one.domain())
            for value in values:
                other = {**witness, one.id: value}
                if value == witness[one.id] or self._shows(other, item):
                    witness = other
                    break
        return witness

    def _shows(self, configuration: Configuration, item: Sum) -> bool:
        """Whether a configuration certainly over-commits the resource of a sum."""
        assessment = self.assessed(configuration)
        return assessment is not None and any(
            finding.kind is Kind.OVERCOMMIT
            and finding.certain
            and finding.resource == item.resource.qualified
            for finding in assessment.findings
        )

    def _background(self, item: Sum) -> Value:
        return self._context.background.get(item.resource.qualified, 0) if item.starter is None else 0

    def _free_amount(
        self, path: Path, item: Sum, freedom: Freedom, bound: Bound, guards: list[Value]
    ) -> Value:
        process = _process(path.elaborated.root, item.starter)
        shot = snapshot(process, freedom.placements, guards=guards, some=False)
        return amount(shot, item.measure(bound))

    def constraints(self) -> tuple[tuple[Learnt, ...], bool]:
        """Conditions on the knobs that hold where nothing is wrong, and whether they rule out every
        over-commit.
        """
        found: list[Learnt] = []
        complete = True
        try:
            for path in self.paths():
                search = _Search(self, path)
                search.propose()
                complete = search.close() and complete
                here = conjunction(*path.conditions)
                found.extend(
                    Learnt(apply("implies", here, item.condition), item.finding) for item in search.learnt
                )
        except (TooManyPaths, TooManyOptions):
            complete = False
        return tuple(found), complete

    # -------------------------------------------------------------- can it be avoided, what would be right

    def avoidable(self) -> Answer:
        """Is there a configuration without any finding that is more than information?"""
        undecided = False
        try:
            for path in self.paths():
                search = _Search(self, path)
                found = search.propose()
                if isinstance(found, dict):
                    return Answer(Verdict.YES, found, self.assessed(found))
                undecided = undecided or found is Verdict.UNDECIDED
        except (TooManyPaths, TooManyOptions):
            undecided = True
        return Answer(Verdict.UNDECIDED if undecided else Verdict.NO)

    def alternatives(self, most: int = MOST_ALTERNATIVES) -> tuple[tuple[Alternative, ...], Verdict]:
        """The configurations without a finding that use the CPUs best, those that change least first.

        One for each shape (workers and sizes of pools) that no other one of as few changes exceeds. The
        verdict is yes where there are some, no where there provably are none, and undecided where the work
        did not suffice to know that these are the best.
        """
        undecided = False
        found: list[Alternative] = []
        best: Value = -1
        try:
            searches = [(_Search(self, path), path) for path in self.paths()]
            for search, _ in searches:
                reached = search.best_use()
                if reached is None:
                    undecided = True
                elif apply(">", reached, best) is True:
                    best = reached
            if best == -1:
                return (), Verdict.UNDECIDED if undecided else Verdict.NO
            for search, _ in searches:
                found.extend(search.alternatives(best, most))
                undecided = undecided or search.undecided
        except (TooManyPaths, TooManyOptions):
            undecided = True
        found.sort(key=lambda one: (len(one.changes), _changed(one)))
        verdict = Verdict.UNDECIDED if undecided else Verdict.YES if found else Verdict.NO
        return tuple(found[:most]), verdict


def stands(freedom: Freedom, item: Sum, reached: Value, guards: Sequence[Value]) -> Iterator[list[Value]]:
    """Where the one executor of a process can stand, statement by statement: what then reaches the capacity.

    Each is a list of conditions that must hold together, much simpler than all of them at once; those that
    the bounds of the knobs rule out are left out.
    """
    placement = freedom.placements.get(item.starter or "")
    names = placement.counts if isinstance(placement, Spread) else ()
    for here in names or (None,):
        counts: dict[str, Plain] = {name: 1 if name == here else 0 for name in names}
        memo: dict[int, Value] = {}
        conditions = [settle(one, counts, memo) for one in (reached, *guards, *freedom.guards)]
        if not any(one is False for one in conditions):
            yield [one for one in conditions if one is not True]


@dataclass(frozen=True, slots=True)
class Learnt:
    """A condition that every configuration without findings meets, and the finding that taught it."""

    condition: Value
    finding: Finding


def _changed(one: Alternative) -> tuple[str, ...]:
    return tuple(f"{item.id}={one.configuration[item.id]}" for item in one.changes)


def _process(root: Process, starter: str | None) -> Process:
    if starter is None:
        return root
    return next(process for process in processes(root) if starter_id(process) == starter)


class _Search:
    """The configurations of one shape that have no finding, asked for one at a time."""

    def __init__(self, asker: Questioner, path: Path) -> None:
        self.asker = asker
        self.path = path
        self.root = path.elaborated.root
        self.freedom = Freedom(self.root)
        self.parts = [
            (part, Freedom(part, f"{number}/"))
            for number, statement in enumerate(self.root.body.statements)
            for part in (replace(self.root, body=Statements((statement,))),)
        ]
        truths = [self.freedom.truths, *(freedom.truths for _, freedom in self.parts)]
        self.solver = asker._path_solver(path, frozenset().union(*truths))
        self.undecided = False
        self.learnt: list[Learnt] = []
        self.use = self._use()
        self.changes = total([differs(item) for item in asker.knobs])
        self.shape = shape_of(self.root)
        self._sums = {
            (item.resource.qualified, item.starter, item.device): item
            for item in sums(self.root, asker._machine, asker._declared)
        }

    def _use(self) -> Value:
        """The CPUs at work at the busiest moment: one executor stands at one statement of the root."""
        found: list[Value] = [0]
        for part, freedom in self.parts:
            guards: list[Value] = list(freedom.guards)
            shot = snapshot(part, freedom.placements, guards=guards, some=False)
            found.append(amount(shot, CpuMeasure("low", spinning=False)))
            for guard in guards:
                self.solver.add(guard)
        return largest(found)

    def propose(self, *wanted: Value) -> Configuration | Verdict:
        """A configuration without a finding that also meets `wanted`; NO or UNDECIDED where none is known."""
        for _ in range(MOST_PROPOSALS):
            verdict = self.solver.check(*wanted)
            if verdict is not Verdict.YES:
                self.undecided = self.undecided or verdict is Verdict.UNDECIDED
                return verdict
            candidate = self.asker._read(self.solver)
            assessment = self.asker.assessed(candidate)
            if assessment is not None and not assessment.alarms:
                return candidate
            self._learn(candidate, assessment)
        self.undecided = True
        return Verdict.UNDECIDED

    def _learn(self, candidate: Configuration, assessment: Assessment | None) -> None:
        """Rule out what is wrong with a proposal, as generally as can be said, and the proposal in any
        case.
        """
        values = assignment(self.asker.knobs, candidate)
        learnt = False
        if assessment is not None:
            elaborated = self.asker._build(candidate)
            for finding in assessment.alarms:
                for condition in self._conditions(finding, elaborated):
                    self.solver.add(condition)
                    self.learnt.append(Learnt(condition, finding))
                    learnt = learnt or settle(condition, values) is False
        if not learnt:
            same = [apply("==", knob(name), value) for name, value in values.items()]
            self.solver.add(negation(conjunction(*same)))

    def _conditions(self, finding: Finding, elaborated: Elaborated) -> Iterator[Value]:
        """What the knobs must meet for the snapshot that shows a finding to be harmless."""
        item = self._sums.get((finding.resource or "", finding.starter, finding.device))
        if finding.kind is Kind.OVERCOMMIT and item is not None:
            bounds: tuple[Bound, ...] = ("low", "high")
            for bound in bounds:
                guards, demand = self._matched(elaborated, item.starter, item.measure(bound))
                demand = apply("+", demand, self.asker._background(item))
                yield apply("implies", guards, apply("<=", demand, item.capacity))
        elif finding.kind is Kind.SERIALIZED or (finding.pool is not None and finding.effect == "aborts"):
            assert finding.pool is not None
            guards, callers = self._matched(
                elaborated, finding.starter, PoolCallersMeasure(follows=False, pool=finding.pool)
            )
            alone = [
                apply("implies", activity.condition, serves_alone(activity.pool))
                for activity in activities(_process(self.root, finding.starter).body)
                if activity.pool is not None and activity.pool.pool.key == finding.pool
            ]
            yield apply("or", apply("implies", guards, apply("<=", callers, 1)), conjunction(*alone))
        elif finding.pool is not None:
            process = _process(self.root, finding.starter)
            used = [
                conjunction(activity.condition, apply(">=", activity.pool.existing, 1))
                for activity in activities(process.body)
                if activity.pool is not None and activity.pool.pool.key == finding.pool
            ]
            before = process.parent_used.get(finding.pool, False)
            yield negation(conjunction(process.condition, before, disjunction(*used)))
        elif finding.condition is not None:
            yield from self._avoided(finding.condition, elaborated)

    def _matched(self, elaborated: Elaborated, starter: str | None, measure: Measure) -> tuple[Value, Value]:
        """The amount of the worst snapshot of a proposal where settings are open, and when it is possible."""
        top = peak(_process(elaborated.root, starter), measure)
        process = _process(self.root, starter)
        guards: list[Value] = [process.condition]
        shot = snapshot(process, top.placements, guards=guards)
        return conjunction(*guards), amount(shot, measure)

    def _avoided(self, condition: Condition, elaborated: Elaborated) -> Iterator[Value]:
        """What the knobs must meet for an assumption to hold, or a hazard not to."""
        for process in processes(self.root):
            for mine in process.conditions:
                if (mine.origin, mine.place, mine.process) != (
                    condition.origin,
                    condition.place,
                    condition.process,
                ):
                    continue
                callers: dict[str, Value] = {}
                possible: Value = True
                for name in knobs_of(mine.value):
                    if name.startswith("callers "):
                        measure = CallersMeasure(follows=False, place=name.removeprefix("callers "))
                        guards, callers[name] = self._matched(elaborated, starter_id(process), measure)
                        possible = conjunction(possible, guards)
                value = settle(mine.value, callers)
                yield apply("implies", possible, value if mine.kind == "assume" else negation(value))

    def close(self) -> bool:
        """Learn until what is learnt rules out every over-commit of this shape; False where work did not
        suffice.
        """
        for item in self._sums.values():
            guards: list[Value] = []
            demand = self.asker._free_amount(self.path, item, self.freedom, "high", guards)
            reached = apply(">", apply("+", demand, self.asker._background(item)), item.capacity)
            for conditions in stands(self.freedom, item, reached, guards):
                if not self._ruled_out(conditions):
                    return False
        return True

    def _ruled_out(self, conditions: Sequence[Value]) -> bool:
        """Learn until nothing reaches it any more; False where the work did not suffice."""
        for _ in range(MOST_PROPOSALS):
            verdict = self.solver.check(*conditions)
            if verdict is not Verdict.YES:
                return verdict is Verdict.NO
            candidate = self.asker._read(self.solver)
            self._learn(candidate, self.asker.assessed(candidate))
        return False

    # -------------------------------------------------------------- the best use of the CPUs

    def best_use(self) -> Value | None:
        """The most CPUs that a configuration without a finding has at work; -1 if there is none, None if
        unknown.
        """
        found = self.propose()
        if not isinstance(found, dict):
            return -1 if found is Verdict.NO else None
        low = math.floor(self._use_of(found))
        high = self._most()
        while low < high:
            middle = (low + high + 1) // 2
            better = self.propose(apply(">=", self.use, middle))
            if isinstance(better, dict):
                low = max(middle, math.floor(self._use_of(better)))
            else:
                high = middle - 1
        return low

    def _use_of(self, configuration: Configuration) -> Number:
        return peak(self.asker._build(configuration).root, CpuMeasure("low", spinning=False)).amount

    def _most(self) -> int:
        cpu = self._sums.get((CPU, None, None))
        capacity = self.asker._machine.fact("cpus") if cpu is None else cpu.capacity
        return math.floor(number(capacity)) if capacity is not None else 0

    def alternatives(self, use: Value, most: int) -> Iterator[Alternative]:
        """The distinct shapes that have `use` CPUs at work, each with the fewest changes."""
        seen: list[Value] = [apply(">=", self.use, use)]
        found = 0
        fewest = 0
        while found < most and fewest <= len(self.asker.knobs):
            candidate = self.propose(*seen, apply("<=", self.changes, fewest))
            if not isinstance(candidate, dict):
                fewest += 1
                continue
            candidate = self._canonical(self._largest(candidate, seen, fewest))
            found += 1
            values = assignment(self.asker.knobs, candidate)
            shape = tuple(replace(item, value=settle(item.value, values)) for item in self.shape)
            there = tuple(item for item in shape if item.value != ABSENT)
            changes = tuple(item for item in self.asker.knobs if candidate[item.id] != item.current)
            yield Alternative(candidate, changes, self._use_of(candidate), there)
            seen.append(negation(self._at_most(shape)))

    def _largest(self, candidate: Configuration, wanted: Sequence[Value], fewest: int) -> Configuration:
        """A configuration of as few changes whose workers and pools no other one of these exceeds."""
        while True:
            values = assignment(self.asker.knobs, candidate)
            pairs = [(item.value, settle(item.value, values)) for item in self.shape]
            larger = [apply("==" if value == ABSENT else ">=", term, value) for term, value in pairs]
            one_more = disjunction(*(apply(">", term, value) for term, value in pairs if value != ABSENT))
            found = self.propose(*wanted, apply("<=", self.changes, fewest), *larger, one_more)
            if not isinstance(found, dict):
                return candidate
            candidate = found

    def _at_most(self, shape: Sequence[Figure]) -> Value:
        """Whether no worker count or pool size exceeds that of a shape, with the same ones there."""
        return conjunction(
            *(
                apply("==", term.value, ABSENT)
                if figure.value == ABSENT
                else conjunction(apply(">=", term.value, 0), apply("<=", term.value, figure.value))
                for term, figure in zip(self.shape, shape, strict=True)
            )
        )

    def _canonical(self, candidate: Configuration) -> Configuration:
        """Of the configurations of the same shape with as few changes, always the same one.

        One knob after the other, the best one to change last, is set back to what it is today, else hands
        its value to a better one, else takes the least value that leads to the same.
        """
        shape, use = self._shape_at(candidate), self._use_of(candidate)
        for position, item in enumerate(self.asker.knobs):
            for other in self._simpler(candidate, item, self.asker.knobs[:position:-1]):
                assessment = self.asker.assessed(other)
                right = assessment is not None and not assessment.alarms
                if right and self._shape_at(other) == shape and self._use_of(other) == use:
                    candidate = other
                    break
        return candidate

    def _simpler(
        self, candidate: Configuration, item: Knob, better: Sequence[Knob]
    ) -> Iterator[Configuration]:
        """Configurations to prefer to one, as far as one knob goes, the most preferred first."""
        value = candidate[item.id]
        if value == item.current:
            return
        if not item.foreign:
            yield {**candidate, item.id: item.current}
        for other in better:
            free = not item.foreign and candidate[other.id] == other.current
            if free and other.kind == item.kind and value in other.domain():
                yield {**candidate, item.id: item.current, other.id: value}
        for least in item.domain():
            if least == value:
                return
            if least != item.current:
                yield {**candidate, item.id: least}

    def _shape_at(self, configuration: Configuration) -> tuple[Value, ...]:
        values = assignment(self.asker.knobs, configuration)
        return tuple(settle(item.value, values) for item in self.shape)


def shape_of(root: Process) -> tuple[Figure, ...]:
    """What tells two configurations apart: numbers of workers and sizes of pools, in order."""
    found: list[Figure] = []
    for activity in all_activities(root):
        there = activity.condition
        if activity.workers is not None:
            count = choose(there, activity.workers.count, ABSENT)
            found.append(Figure(str(activity.place), "workers", count))
        if activity.pool is not None and not activity.pool.own_thread:
            size = choose(there, activity.pool.size, ABSENT)
            found.append(Figure(str(activity.place), "threads", size))
    return tuple(item for item in found if item.value != ABSENT)
