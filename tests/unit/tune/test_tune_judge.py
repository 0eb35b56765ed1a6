"""Hypotheses are confirmed, refuted or left open for the right reasons."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import pytest

from lpcl.plan.model import (
    ApplicationInfo,
    Candidate,
    Hypothesis,
    Knob,
    MachineInfo,
    Plan,
    Range,
    Signal,
    Threshold,
)
from lpcl.tune.judge import Judgement, judge
from lpcl.tune.records import BaselineRecord, End, RunRecord
from lpcl.tune.signals import RunSignals
from lpcl.tune.sources import figure, measurable, noise

OVERCOMMIT = Hypothesis(
    "h1", "overcommit", "cpu 4 / 2", resource="cpu", demand=4, capacity=2, interventions=("c1", "c2")
)
QUIET = BaselineRecord(0.01, 2.0, 0.02, 0.0, 2, "")
NOISY = BaselineRecord(0.75, 2.5, 0.5, 0.9, 2, "")


def plan(hypothesis: Hypothesis) -> Plan:
    return Plan(
        ApplicationInfo("a", "", "", ""),
        MachineInfo("host", {"cpus": 2}),
        knobs=(Knob("k", "env", "int", Range(1, 9), apply="K"),),
        hypotheses=(hypothesis,),
        candidates=(Candidate("c1", {"k": 1}, 1), Candidate("c2", {"k": 2}, 1)),
    )


def seen(waiting: float, runnable: float, pressure: float, other: float = 0.0, **more: float) -> RunSignals:
    figures = {
        "wall": 1.0,
        "run_time": 2.0,
        "voluntary_switches": 10,
        "involuntary_switches": 10,
        "observed_run_time": 2.0,
        "run_delay": 2.0 * waiting,
        "peak_threads": 9,
        "peak_processes": 3,
        "peak_rss": 1 << 20,
        "peak_runnable": runnable,
        "samples": 25,
        "longest_gap": 0.04,
        "pressure_cpu": pressure,
        "other_cpus": other,
        **more,
    }
    return RunSignals(**figures)  # type: ignore[arg-type]


CONTENDED = seen(0.8, 4.0, 0.7)
HEALTHY = seen(0.02, 2.0, 0.05)


def runs(
    config: str,
    values: Sequence[float],
    signals: RunSignals | None,
    end: End = "ok",
    signal: str | None = None,
) -> list[RunRecord]:
    return [
        RunRecord(
            "search", number, config, end, value if end == "ok" else None, value, 10.0, "", 0, signal, signals
        )
        for number, value in enumerate(values)
    ]


FAST, SLOW = [0.10, 0.11, 0.12, 0.09, 0.13], [1.0, 1.1, 1.2, 0.9, 1.3]


def judged(
    records: Sequence[RunRecord],
    baselines: Sequence[BaselineRecord] = (QUIET,),
    hypothesis: Hypothesis = OVERCOMMIT,
) -> Judgement:
    return judge(plan(hypothesis), records, baselines, "less")[0]


def test_signals_and_intervention_together_confirm() -> None:
    found = judged(runs("now", SLOW, CONTENDED) + runs("c1", FAST, HEALTHY))
    assert found.verdict == "confirmed"
    assert found.reason == "3 of 3 signals show it, and without it the program is better"
    figures = {reading.source: (reading.present, reading.after, reading.shows) for reading in found.readings}
    assert figures == {
        "process.run_delay / process.run_time": (pytest.approx(0.8), pytest.approx(0.02), "contended"),
        "process.runnable": (4.0, 2.0, "contended"),
        "pressure.cpu": (0.7, 0.05, "contended"),
        "process.threads": (9, 9, "undecided"),
    }
    effects = {item.config: item.effect for item in found.interventions}
    assert effects == {"c1": "helps", "c2": "not run"}


def test_neither_signals_nor_intervention_refutes() -> None:
    found = judged(runs("now", FAST, HEALTHY) + runs("c1", [value * 1.5 for value in FAST], HEALTHY))
    assert (found.verdict, found.reason) == (
        "refuted",
        "3 signals show nothing of it, and removing it gains nothing",
    )


@pytest.mark.parametrize(
    ("now", "now_seen", "after", "reason"),
    [
        (SLOW, CONTENDED, SLOW, "but removing it brought no certain gain"),
        (SLOW, HEALTHY, FAST, "the signals show nothing of it, yet the program is better without it"),
        (SLOW, HEALTHY, SLOW, "the signals show nothing of it, but what removing it gains is uncertain"),
        (SLOW, seen(0.8, 2.0, 0.7), FAST, "the signals contradict each other"),
        (SLOW, seen(0.2, 2.5, 0.2), FAST, "fewer than 2 signals speak clearly"),
        (SLOW, seen(0.8, 2.5, 0.2), FAST, "fewer than 2 signals speak clearly"),
        (SLOW, CONTENDED, [], "but no configuration without it was run"),
        (SLOW[:2], CONTENDED, FAST[:2], "but removing it brought no certain gain"),
    ],
)
def test_what_is_not_decided_says_why(
    now: Sequence[float], now_seen: RunSignals, after: Sequence[float], reason: str
) -> None:
    found = judged(runs("now", now, now_seen) + runs("c1", after, HEALTHY))
    assert found.verdict == "not decided"
    assert reason in found.reason


def test_one_signal_alone_is_not_enough() -> None:
    """Runs whose threads were hardly seen say nothing about waiting, short ones nothing about pressure."""
    hidden = seen(0.8, 4.0, 0.7, observed_run_time=0.5, wall=0.1)
    found = judged(runs("now", SLOW, hidden) + runs("c1", FAST, HEALTHY))
    assert [reading.shows for reading in found.readings] == [
        "not measured",
        "contended",
        "not measured",
        "undecided",
    ]
    assert found.verdict == "not decided"


def test_neighbours_alone_confirm_nothing() -> None:
    disturbed = seen(0.8, 2.5, 0.5, other=0.9)
    found = judged(runs("now", SLOW, disturbed) + runs("c1", FAST, disturbed), (NOISY,))
    assert [reading.shows for reading in found.readings][:3] == ["undecided"] * 3
    assert found.verdict == "not decided"


def test_a_conflict_is_seen_among_neighbours_if_it_goes_away_with_the_intervention() -> None:
    found = judged(
        runs("now", SLOW, seen(2.0, 5.0, 0.95, other=0.9)) + runs("c1", FAST, seen(0.9, 2.5, 0.5, other=0.9)),
        (QUIET, NOISY),
    )
    assert found.verdict == "confirmed"
    steady = seen(2.0, 5.0, 0.95, other=0.9)
    found = judged(runs("now", SLOW, steady) + runs("c1", FAST, steady), (QUIET, NOISY))
    assert found.verdict == "not decided"


def test_enough_quiet_runs_stand_for_all() -> None:
    disturbed = seen(3.0, 6.0, 1.0, other=1.5)
    now = runs("now", FAST[:3], HEALTHY) + runs("now", FAST[3:], disturbed)
    slower = [value * 1.5 for value in FAST]
    after = runs("c1", slower[:3], HEALTHY) + runs("c1", slower[3:], disturbed)
    assert judged(now + after, (NOISY,)).verdict == "refuted"


def test_the_warm_up_does_not_count() -> None:
    warm_up = RunRecord("warmup", 0, "now", "ok", 99.0, 99.0, 10.0, "", signals=CONTENDED)
    records = [warm_up, *runs("now", FAST, HEALTHY), *runs("c1", [value * 1.5 for value in FAST], HEALTHY)]
    assert judged(records).verdict == "refuted"


def test_an_intervention_that_fails_does_not_help() -> None:
    found = judged(
        runs("now", SLOW, CONTENDED) + runs("c1", [1.0, 1.0], None, "crashed") + runs("c2", FAST, HEALTHY)
    )
    assert {item.config: item.effect for item in found.interventions} == {
        "c1": "does not help",
        "c2": "helps",
    }
    assert found.verdict == "confirmed"


def test_a_few_much_worse_runs_are_enough_to_see_that_it_does_not_help() -> None:
    found = judged(runs("now", FAST, HEALTHY) + runs("c1", SLOW[:2], CONTENDED))
    assert found.interventions[0].effect == "does not help"
    assert found.verdict == "refuted"


def test_a_hazard_is_confirmed_by_crashes_that_go_away() -> None:
    hazard = Hypothesis("h1", "hazard", "it aborts", interventions=("c1",))
    crashes = runs("now", [0.1, 0.1], HEALTHY, "crashed", "SIGABRT")
    found = judged(crashes + runs("c1", FAST, HEALTHY), hypothesis=hazard)
    assert found.verdict == "confirmed"
    assert [(reading.source, reading.present, reading.after) for reading in found.readings] == [
        ("run.failed", 1.0, 0.0),
        ("run.killed", 1.0, 0.0),
    ]
    found = judged(runs("now", FAST, HEALTHY) + runs("c1", FAST, HEALTHY), hypothesis=hazard)
    assert found.verdict == "not decided"


def test_too_many_threads_are_confirmed_by_failure_near_the_limit() -> None:
    threads = Hypothesis(
        "h1", "overcommit", "threads", resource="threads", demand=11, capacity=9, interventions=("c1",)
    )
    failing = runs("now", [0.1, 0.1], HEALTHY, "crashed")
    few = runs("c1", FAST, seen(0.0, 1.0, 0.0, peak_threads=3))
    assert judged(failing + few, hypothesis=threads).verdict == "confirmed"


def test_the_signals_of_the_plan_come_first_and_borrow_known_thresholds() -> None:
    hypothesis = Hypothesis(
        "h1",
        "overcommit",
        "cpu",
        resource="cpu",
        demand=4,
        capacity=2,
        interventions=("c1",),
        signals=(
            Signal("my waiting", "process.run_delay/process.run_time"),
            Signal("busy", "process.run_time / process.wall", Threshold(Fraction(19, 10), 1)),
            Signal("pool", 'threadpool("openblas").num_threads', Threshold(1, 2)),
        ),
    )
    found = judged(runs("now", SLOW, CONTENDED) + runs("c1", FAST, HEALTHY), hypothesis=hypothesis)
    assert [reading.name for reading in found.readings] == [
        "my waiting",
        "busy",
        "pool",
        "threads that run or wait",
        "pressure on the CPUs",
        "most threads",
    ]
    waiting, busy, pool, *_ = found.readings
    assert (waiting.contended, waiting.shows) == (0.38, "contended")
    assert (busy.present, busy.shows) == (2.0, "healthy")
    assert (pool.present, pool.contended, pool.shows) == (None, None, "not measured")


def test_a_small_excess_is_held_to_its_own_prediction() -> None:
    small = Hypothesis("h1", "overcommit", "cpu", resource="cpu", demand=Fraction(5, 2), capacity=2)
    reading = judged(runs("now", SLOW, CONTENDED), hypothesis=small).readings[1]
    assert (reading.healthy, reading.contended) == (2.125, 2.25)


def test_other_kinds_wait_for_signals_of_the_plan() -> None:
    found = judged(runs("now", SLOW, CONTENDED), hypothesis=Hypothesis("h1", "serialized", "lost"))
    assert found.verdict == "not decided"
    memory = Hypothesis("h1", "overcommit", "memory", resource="memory", demand=2 << 20, capacity=1 << 20)
    found = judged(runs("now", [1.0, 1.0], HEALTHY, "crashed"), hypothesis=memory)
    assert [(reading.source, reading.shows) for reading in found.readings] == [
        ("run.failed", "contended"),
        ("process.rss", "contended"),
        ("run.killed", "healthy"),
    ]


def test_sources() -> None:
    one = runs("now", [1.0], CONTENDED)[0]
    assert figure("process.involuntary_switches / process.wall", one) == 10.0
    assert figure("process.run_delay / process.run_time / process.wall", one) is None
    assert figure("cgroup.throttled_share", one) is None
    assert figure("process.threads / run.failed", one) is None
    assert not measurable('python "x"')
    assert not measurable("process.faults")
    assert measurable("pressure.io")
    assert noise("process.threads", (NOISY,)) == 0
    assert noise("process.runnable", (QUIET, NOISY)) == 0.5
