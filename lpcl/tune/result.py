"""What a tuning session comes to: the figures of all configurations, the verdicts, the recommendation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from lpcl.plan.integrity import PRESENT
from lpcl.plan.model import Plan
from lpcl.tune.configurations import Configuration
from lpcl.tune.design import Design, Progress, given_up, of_config
from lpcl.tune.judge import Judgement, gain_over, judge
from lpcl.tune.ranks import RatioInterval, Spread, spread
from lpcl.tune.records import BaselineRecord, RunRecord

WORTH_CHANGING = 1.03
"""A gain below this factor is not worth another configuration, however certain it is."""

Status = Literal["gain", "fixed", "no_gain", "undecided", "nothing"]


@dataclass(frozen=True, slots=True)
class ConfigResult:
    """A configuration with its figures, the warm-up left out.

    `values` are those of the objective. `gain` is how many times better it is than the present configuration,
    from all of its runs; None where there is nothing to compare. `left` says why it was not run to the end,
    None where it was. `failures` are its failed runs.
    """

    config: Configuration
    runs: int
    values: Spread
    gain: RatioInterval | None
    left: str | None
    failures: tuple[RunRecord, ...]


@dataclass(frozen=True, slots=True)
class Result:
    """The outcome of `lpcl.tune.tune`.

    - `status`: ``gain`` (the winner is better beyond the noise), ``fixed`` (the present configuration fails,
      the winner does not), ``no_gain`` (no candidate is better: keep the present one), ``undecided`` (a
      candidate looks better, but there were too few runs to tell), ``nothing`` (no run gave a value).
    - `winner`: the configuration to use: a candidate's id for ``gain`` and ``fixed``, else ``now``.
    - `best`: the best candidate, whether or not it is a winner; None where no candidate has a value.
    - `gain`: how many times better the best candidate is, from the confirmation runs where `confirmed`, else
      from those of the search.
    - `configs`: the present configuration first, then the candidates in the plan's order.
    - `used`: runs that the result rests on; `resumed`: how many of them an earlier session made.
    - `interrupted`: the session was stopped; the same command goes on where it was.
    - `notes`: what a person should know about the measurement.
    - `out`: the folder with the results; `results`: the file of all runs in it.
    """

    plan: Plan
    status: Status
    winner: str
    best: str | None
    gain: RatioInterval | None
    confirmed: bool
    configs: tuple[ConfigResult, ...]
    judgements: tuple[Judgement, ...]
    baselines: tuple[BaselineRecord, ...]
    used: int
    resumed: int
    budget: int
    interrupted: bool
    notes: tuple[str, ...]
    out: Path
    results: Path

    def of(self, config: str) -> ConfigResult:
        """The figures of a configuration; KeyError if there is none of this id."""
        for item in self.configs:
            if item.config.id == config:
                return item
        raise KeyError(config)


@dataclass(frozen=True, slots=True)
class Session:
    """The facts of a session that its result repeats."""

    resumed: int
    interrupted: bool
    notes: tuple[str, ...]
    out: Path
    results: Path


def conclude(
    plan: Plan,
    configs: Sequence[Configuration],
    design: Design,
    records: Sequence[RunRecord],
    baselines: Sequence[BaselineRecord],
    session: Session,
) -> Result:
    """Draws the conclusions from the runs that were made, all of the design's or the first of them."""
    progress = design.progress(records)
    measured = [record for record in records if record.phase != "warmup"]
    best = progress.leader if progress.leader is not None else design.best(progress.live, measured)
    basis, confirmed = _basis(measured, best, design)
    gain = None if best is None else gain_over(basis, best, design.direction)
    status = _status(measured, best, gain)
    return Result(
        plan=plan,
        status=status,
        winner=best if best is not None and status in ("gain", "fixed") else PRESENT,
        best=best,
        gain=gain,
        confirmed=confirmed,
        configs=tuple(_config(config, measured, progress, design) for config in configs),
        judgements=judge(plan, records, baselines, design.direction),
        baselines=tuple(baselines),
        used=progress.used,
        resumed=session.resumed,
        budget=design.budget,
        interrupted=session.interrupted,
        notes=session.notes,
        out=session.out,
        results=session.results,
    )


def _basis(
    measured: Sequence[RunRecord], best: str | None, design: Design
) -> tuple[Sequence[RunRecord], bool]:
    """The runs to compute the gain from: the confirmation's if all were made, else the search's."""
    confirm = [
        record for record in measured if record.phase == "confirm" and record.config in (PRESENT, best)
    ]
    if best is not None and len(confirm) >= 2 * design.repeat:
        return confirm, True
    return [record for record in measured if record.phase == "search"], False


def _status(measured: Sequence[RunRecord], best: str | None, gain: RatioInterval | None) -> Status:
    if all(record.failed for record in measured):
        return "nothing"
    if best is None or any(record.failed for record in of_config(measured, best)):
        return "no_gain"
    present = of_config(measured, PRESENT)
    if given_up(present) or (present and all(record.failed for record in present)):
        return "fixed"
    if gain is None:
        return "undecided"
    if gain.estimate < WORTH_CHANGING:
        return "no_gain"
    if gain.lower > 1:
        return "gain"
    return "undecided" if gain.lower == 0 else "no_gain"


def _config(
    config: Configuration, measured: Sequence[RunRecord], progress: Progress, design: Design
) -> ConfigResult:
    runs = of_config(measured, config.id)
    left = config.obstacle or {item.config: item.reason for item in progress.departures}.get(config.id)
    return ConfigResult(
        config=config,
        runs=len(runs),
        values=spread([record.value for record in runs if record.value is not None]),
        gain=None if config.id == PRESENT else gain_over(measured, config.id, design.direction),
        left=left,
        failures=tuple(record for record in runs if record.failed),
    )


def by_id(configs: Sequence[Configuration]) -> Mapping[str, Configuration]:
    """The configurations by their ids."""
    return {config.id: config for config in configs}
