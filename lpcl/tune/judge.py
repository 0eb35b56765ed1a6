"""Tests the plan's hypotheses against what was measured: by at least two signals, and by intervention.

A hypothesis says that the present configuration over-commits something and loses by it. It is *confirmed*
when two signals or more show the conflict and a configuration without it is better; *refuted* when two
signals or more show nothing and no configuration without it gains anything; in all other cases it is *not
decided*, and the reason is said.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from lpcl.plan.integrity import PRESENT
from lpcl.plan.model import Hypothesis, Number, Plan, Signal, Threshold
from lpcl.tune.design import Direction, given_up, of_config
from lpcl.tune.ranks import RatioInterval, ratio_interval
from lpcl.tune.records import BaselineRecord, RunRecord
from lpcl.tune.sources import PRESSURE, RUNNABLE, WAITING, measurable, noise, same_source, typical

HEALTHY_WAITING = Fraction(3, 100)
CONTENDED_WAITING = Fraction(38, 100)
"""Run delay / run time of healthy and of contended programs; no measured program was found between."""

HEALTHY_PRESSURE = Fraction(10, 100)
CONTENDED_PRESSURE = Fraction(30, 100)
"""Share of time in which some task waits for a CPU; while they start, healthy programs show up to 0.1."""

WORTH_IT = 1.10
"""An intervention that certainly gains less than this does not help."""

ENOUGH_SIGNALS = 2

QUIET = 0.05
"""A run was quiet when others kept no more than this share of the CPUs busy meanwhile."""

ENOUGH_QUIET = 3
"""So many quiet runs of a configuration stand for all of them: the noisy ones are left aside."""

Verdict = Literal["confirmed", "refuted", "not decided"]
Shows = Literal["contended", "healthy", "undecided", "not measured"]
Effect = Literal["helps", "does not help", "unclear", "not run"]


@dataclass(frozen=True, slots=True)
class Reading:
    """A signal's figures: `present` under the present configuration, `after` under the best intervention.

    `noise` is what neighbours can account for; `shows` what the signal says about the hypothesis. A reading
    without thresholds is for information only.
    """

    name: str
    source: str
    present: float | None
    after: float | None
    noise: float
    healthy: float | None
    contended: float | None
    shows: Shows


@dataclass(frozen=True, slots=True)
class Intervention:
    """A configuration that should remove the conflict, and what it did to the objective.

    `gain` is how many times better than the present configuration; None where there is nothing to compare.
    """

    config: str
    effect: Effect
    gain: RatioInterval | None


@dataclass(frozen=True, slots=True)
class Judgement:
    """What became of a hypothesis, and why."""

    hypothesis: str
    verdict: Verdict
    reason: str
    readings: tuple[Reading, ...]
    interventions: tuple[Intervention, ...]


def judge(
    plan: Plan, records: Sequence[RunRecord], baselines: Sequence[BaselineRecord], direction: Direction
) -> tuple[Judgement, ...]:
    """The judgement of every hypothesis, in the plan's order."""
    measured = [record for record in records if record.phase != "warmup"]
    return tuple(_judge(hypothesis, plan, measured, baselines, direction) for hypothesis in plan.hypotheses)


def gain_over(records: Sequence[RunRecord], config: str, direction: Direction) -> RatioInterval | None:
    """How many times better a configuration is than the present one; None where one has no values."""
    present, other = _values(records, PRESENT), _values(records, config)
    if not present or not other:
        return None
    return ratio_interval(present, other) if direction == "less" else ratio_interval(other, present)


def _judge(
    hypothesis: Hypothesis,
    plan: Plan,
    records: Sequence[RunRecord],
    baselines: Sequence[BaselineRecord],
    direction: Direction,
) -> Judgement:
    interventions = tuple(_intervene(config, records, direction) for config in hypothesis.interventions)
    best = _best(interventions)
    cpus = max((baseline.cpus for baseline in baselines), default=1)
    present, undisturbed = _quiet_runs(of_config(records, PRESENT), cpus)
    after, _ = _quiet_runs([] if best is None else of_config(records, best), cpus)
    neighbours = () if undisturbed else baselines
    readings = tuple(_read(signal, present, after, neighbours) for signal in _signals(hypothesis, plan))
    verdict, reason = _decide(readings, interventions)
    return Judgement(hypothesis.id, verdict, reason, readings, interventions)


def _decide(readings: Sequence[Reading], interventions: Sequence[Intervention]) -> tuple[Verdict, str]:
    contended = sum(reading.shows == "contended" for reading in readings)
    healthy = sum(reading.shows == "healthy" for reading in readings)
    helps = [item for item in interventions if item.effect == "helps"]
    useless = [item for item in interventions if item.effect == "does not help"]
    unclear = [item for item in interventions if item.effect == "unclear"]
    shown = f"{contended} of {contended + healthy + _undecided(readings)} signals show it"
    if contended >= ENOUGH_SIGNALS and not healthy and helps:
        return "confirmed", f"{shown}, and without it the program is better"
    if healthy >= ENOUGH_SIGNALS and not contended and useless and not helps and not unclear:
        return "refuted", f"{healthy} signals show nothing of it, and removing it gains nothing"
    if contended + healthy < ENOUGH_SIGNALS:
        return "not decided", f"fewer than {ENOUGH_SIGNALS} signals speak clearly"
    if contended and healthy:
        return "not decided", "the signals contradict each other"
    if not interventions or all(item.effect == "not run" for item in interventions):
        return "not decided", f"{shown}, but no configuration without it was run"
    if contended:
        return "not decided", f"{shown}, but removing it brought no certain gain"
    if helps:
        return "not decided", "the signals show nothing of it, yet the program is better without it"
    return "not decided", "the signals show nothing of it, but what removing it gains is uncertain"


def _undecided(readings: Sequence[Reading]) -> int:
    return sum(reading.shows == "undecided" and reading.contended is not None for reading in readings)


def _intervene(config: str, records: Sequence[RunRecord], direction: Direction) -> Intervention:
    present, runs = of_config(records, PRESENT), of_config(records, config)
    if not runs:
        return Intervention(config, "not run", None)
    gain = gain_over(records, config, direction)
    if given_up(runs) or not any(not record.failed for record in runs):
        return Intervention(config, "does not help", gain)
    if given_up(present) or all(record.failed for record in present):
        return Intervention(config, "helps" if present else "unclear", gain)
    if gain is None:
        return Intervention(config, "unclear", None)
    if gain.lower > 1:
        return Intervention(config, "helps", gain)
    if gain.upper < WORTH_IT or _entirely_worse(records, config, direction):
        return Intervention(config, "does not help", gain)
    return Intervention(config, "unclear", gain)


def _entirely_worse(records: Sequence[RunRecord], config: str, direction: Direction) -> bool:
    """Whether every run, two at least, was worse than every one of the present configuration."""
    present, other = _values(records, PRESENT), _values(records, config)
    if len(other) < 2 or len(present) < 2:
        return False
    return min(other) > max(present) if direction == "less" else max(other) < min(present)


def _best(interventions: Sequence[Intervention]) -> str | None:
    """The intervention whose signals are compared with those of the present configuration."""
    able = [item for item in interventions if item.effect in ("helps", "unclear", "does not help")]
    order = {"helps": 0, "unclear": 1, "does not help": 2}
    able.sort(key=lambda item: (order[item.effect], -(item.gain.estimate if item.gain else 0.0)))
    return able[0].config if able else None


def _values(records: Sequence[RunRecord], config: str) -> list[float]:
    return [record.value for record in records if record.config == config and record.value is not None]


def _quiet_runs(runs: Sequence[RunRecord], cpus: int) -> tuple[Sequence[RunRecord], bool]:
    """The runs that neighbours did not disturb, if they are enough, else all; and which of the two."""
    quiet = [
        record
        for record in runs
        if record.signals is not None
        and record.signals.other_cpus is not None
        and record.signals.other_cpus <= QUIET * cpus
    ]
    return (quiet, True) if len(quiet) >= ENOUGH_QUIET else (runs, False)


def _read(
    signal: Signal,
    present_runs: Sequence[RunRecord],
    after_runs: Sequence[RunRecord],
    baselines: Sequence[BaselineRecord],
) -> Reading:
    present = typical(signal.source, present_runs)
    after = typical(signal.source, after_runs)
    others = noise(signal.source, baselines)
    threshold = signal.threshold
    healthy = None if threshold is None else float(threshold.healthy)
    contended = None if threshold is None else float(threshold.contended)
    shows = _shows(present, after, others, healthy, contended)
    return Reading(signal.name, signal.source, present, after, others, healthy, contended, shows)


def _shows(
    present: float | None, after: float | None, others: float, healthy: float | None, contended: float | None
) -> Shows:
    """What a figure says. What the neighbours account for is taken off where more is worse.

    Where they account for more than a healthy figure, the same figure must also be lower by the distance of
    the two thresholds under an intervention, which ran interleaved and among the same neighbours.
    """
    if present is None:
        return "not measured"
    if healthy is None or contended is None:
        return "undecided"
    if contended < healthy:
        return "contended" if present <= contended else "healthy" if present >= healthy else "undecided"
    noisy = others > healthy
    if present - others >= contended:
        seen_to_fall = after is not None and present - after >= contended - healthy
        return "contended" if seen_to_fall or not noisy else "undecided"
    return "healthy" if present <= healthy else "undecided"


def _signals(hypothesis: Hypothesis, plan: Plan) -> list[Signal]:
    """The signals of a hypothesis: those of the plan first, then what is known to tell for such a conflict.

    A known signal gives its thresholds to one of the plan that has none.
    """
    known = _known(hypothesis, plan)
    signals: list[Signal] = []
    for signal in (*hypothesis.signals, *known):
        if any(same_source(signal.source, other.source) for other in signals):
            continue
        same = next((item for item in known if same_source(item.source, signal.source)), None)
        threshold = signal.threshold or (same.threshold if same else None)
        signals.append(Signal(signal.name, signal.source, threshold if measurable(signal.source) else None))
    return signals


def _known(hypothesis: Hypothesis, plan: Plan) -> list[Signal]:
    failed = Signal("runs that fail", "run.failed", Threshold(0, Fraction(1, 2)))
    killed = Signal("runs that crash or hang", "run.killed", Threshold(0, Fraction(1, 2)))
    threads = Signal("most threads", "process.threads")
    if hypothesis.kind == "hazard":
        return [failed, killed]
    if hypothesis.kind != "overcommit":
        return [threads]
    capacity, demand = hypothesis.capacity, hypothesis.demand
    if hypothesis.resource == "cpu":
        capacity = capacity if capacity is not None else plan.machine.facts.get("cpus")
        runnable = Signal("threads that run or wait", RUNNABLE, _runnable_threshold(capacity, demand))
        waiting = Signal("waiting for a CPU", WAITING, Threshold(HEALTHY_WAITING, CONTENDED_WAITING))
        pressure = Signal("pressure on the CPUs", PRESSURE, Threshold(HEALTHY_PRESSURE, CONTENDED_PRESSURE))
        return [waiting, runnable, pressure, threads]
    if hypothesis.resource == "threads":
        return [failed, Signal("most threads", "process.threads", _near(capacity))]
    if hypothesis.resource == "memory":
        return [failed, Signal("most memory", "process.rss", _near(capacity)), killed]
    return [failed]


def _runnable_threshold(capacity: Number | None, demand: Number | None) -> Threshold | None:
    """Up to a tenth more runnable threads than CPUs are healthy, half as many again are too many.

    A hypothesis that predicts less is held to its own prediction: a quarter and half of the excess.
    """
    if capacity is None or demand is None or not 0 < capacity < demand:
        return None
    excess = Fraction(demand - capacity)
    return Threshold(
        capacity + min(Fraction(capacity, 10), excess / 4), capacity + min(Fraction(capacity, 2), excess / 2)
    )


def _near(capacity: Number | None) -> Threshold | None:
    """A program that fails for want of something was near the limit; one that stays below half was not."""
    return (
        None
        if capacity is None or capacity <= 0
        else Threshold(Fraction(capacity, 2), Fraction(capacity * 9, 10))
    )
