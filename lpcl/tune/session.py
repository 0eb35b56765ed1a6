"""Tunes an application: takes a plan, makes the runs that the design asks for, and draws the conclusions."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from lpcl.plan import Plan
from lpcl.tune.baseline import measure_baseline
from lpcl.tune.configurations import Configuration, command_of, configurations, executable, surprises
from lpcl.tune.design import Design, Direction, Entrant, Step, time_limit
from lpcl.tune.errors import TuneError
from lpcl.tune.events import (
    BaselineMeasured,
    CandidateLeft,
    Event,
    Listener,
    RunFinished,
    RunStarted,
    SessionEnded,
    SessionStarted,
)
from lpcl.tune.metric import metric_in_logs
from lpcl.tune.options import Options
from lpcl.tune.records import BaselineRecord, Record, RunRecord
from lpcl.tune.result import Result, Session, by_id, conclude
from lpcl.tune.runner import RunOutcome, RunSpec, run, supported
from lpcl.tune.store import ResultsStore, now, results_key
from lpcl.tune.writers import write_results


def tune(plan: Plan, options: Options | None = None, on_event: Listener | None = None) -> Result:
    """Measures the present configuration and the candidates of a plan, and says which to use.

    Every run is kept at once. KeyboardInterrupt ends the session early: the result then rests on the runs so
    far, its `interrupted` is true, and the same call goes on where this one was stopped. Raises TuneError
    before anything is measured where the session cannot start, and later only where results can no longer be
    written.
    """
    chosen = options if options is not None else Options()
    _check(chosen)
    cwd = (chosen.cwd if chosen.cwd is not None else Path.cwd()).absolute()
    command = command_of(plan, chosen.command)
    configs = _without_doubles(configurations(plan, command))
    for config in configs:
        executable(config.argv[0], config.environment(os.environ), cwd)
    entrants = [Entrant(config.id, len(config.changes)) for config in configs[1:] if config.obstacle is None]
    direction: Direction = "more" if plan.objective.kind == "maximize" else "less"
    design = Design.of(entrants, chosen, direction)
    out = chosen.out if chosen.out is not None else Path("lpcl-tune") / _file_name(plan.application.name)
    header = {"application": plan.application.name, "command": list(command)}
    with ResultsStore(out, results_key(plan, command, cwd), header, chosen.fresh) as store:
        listen = on_event if on_event is not None else _nobody
        work = _Work(plan, configs, design, chosen, cwd, store, listen)
        result = work.result(work.measure())
        try:
            write_results(result)
        except OSError as error:
            raise TuneError(f"{out}: the report cannot be written: {error.strerror}") from None
    listen(SessionEnded(result))
    return result


def _check(options: Options) -> None:
    problem = supported()
    if problem is not None:
        raise TuneError(problem)
    if options.repeat < 1:
        raise TuneError("each configuration must be run at least once (--repeat 1 or more)")
    if options.budget is not None and options.budget < 3:
        raise TuneError(
            "a budget of at least 3 runs is needed: a warm-up, the present configuration and a candidate"
        )
    if options.cwd is not None and not options.cwd.is_dir():
        raise TuneError(f"{options.cwd} is not a folder")


def _without_doubles(configs: Sequence[Configuration]) -> tuple[Configuration, ...]:
    """Marks candidates that would start exactly what another configuration starts."""
    kept: list[Configuration] = []
    for config in configs:
        same = next(
            (
                other.id
                for other in kept
                if (other.argv, other.env) == (config.argv, config.env) and not other.obstacle
            ),
            None,
        )
        if same is not None and config.obstacle is None:
            config = replace(config, obstacle=f"it starts the same as {same!r}")
        kept.append(config)
    return tuple(kept)


def _nobody(_event: Event) -> None:
    """Listens for a caller who does not."""


def _file_name(text: str) -> str:
    return re.sub(r"[^\w.-]+", "_", text).strip(".") or "application"


@dataclass(slots=True)
class _Work:
    """A session at work."""

    plan: Plan
    configs: tuple[Configuration, ...]
    design: Design
    options: Options
    cwd: Path
    store: ResultsStore
    listen: Callable[[Event], None]
    resumed: int = 0
    notes: tuple[str, ...] = ()

    @property
    def runs(self) -> list[RunRecord]:
        """The runs that are kept."""
        return [record for record in self.store.records if isinstance(record, RunRecord)]

    def measure(self) -> bool:
        """Makes the runs that are missing; says whether it was interrupted meanwhile."""
        progress = self.design.progress(self.runs)
        self.resumed = progress.used
        self.notes = tuple(surprises(self.plan, os.environ))
        self.listen(SessionStarted(self.configs, progress.expected, self.resumed, self.notes))
        if progress.next is None:
            return False
        logs = self.store.path.parent / "logs"
        try:
            logs.mkdir(exist_ok=True)
        except OSError as error:
            raise TuneError(f"{logs}: {error.strerror}") from None
        try:
            self._baseline(logs)
            departed = len(progress.departures)
            step: Step | None = progress.next
            while step is not None:
                limit = time_limit(step.config, self.runs, self.options)
                self.listen(RunStarted(step, progress.used + 1, progress.expected, limit))
                record = self._run(step, limit, logs)
                self._keep(record)
                number = progress.used + 1
                progress = self.design.progress(self.runs)
                self.listen(RunFinished(record, number, progress.expected))
                for departure in progress.departures[departed:]:
                    self.listen(CandidateLeft(departure))
                departed = len(progress.departures)
                step = progress.next
            self._baseline(logs)
        except KeyboardInterrupt:
            return True
        return False

    def result(self, interrupted: bool) -> Result:
        """The conclusions from all runs that are kept."""
        baselines = [record for record in self.store.records if isinstance(record, BaselineRecord)]
        session = Session(self.resumed, interrupted, self.notes, self.store.path.parent, self.store.path)
        return conclude(self.plan, self.configs, self.design, self.runs, baselines, session)

    def _baseline(self, logs: Path) -> None:
        baseline = measure_baseline(len(os.sched_getaffinity(0)), logs)
        if baseline is not None:
            self._keep(baseline)
            self.listen(BaselineMeasured(baseline))

    def _run(self, step: Step, limit: float, logs: Path) -> RunRecord:
        config = by_id(self.configs)[step.config]
        environment = config.environment(os.environ)
        stem = f"{step.phase}-{step.round + 1}-{_file_name(step.config)}"
        spec = RunSpec(
            executable=str(executable(config.argv[0], environment, self.cwd)),
            argv=config.argv,
            env=environment,
            cwd=self.cwd,
            limit=limit,
            stdout=logs / f"{stem}.out",
            stderr=logs / f"{stem}.err",
        )
        started = now()
        return self._record(step, limit, started, run(spec), spec)

    def _record(
        self, step: Step, limit: float, started: str, outcome: RunOutcome, spec: RunSpec
    ) -> RunRecord:
        value = self._value(outcome, spec)
        return RunRecord(
            phase=step.phase,
            round=step.round,
            config=step.config,
            end="no_metric" if outcome.end == "ok" and value is None else outcome.end,
            value=value,
            wall=outcome.wall,
            limit=limit,
            started=started,
            exit_code=outcome.exit_code,
            signal=outcome.signal,
            signals=outcome.signals,
            stdout_tail=outcome.stdout_tail,
            stderr_tail=outcome.stderr_tail,
            leftovers=outcome.leftovers,
            note=outcome.note,
        )

    def _value(self, outcome: RunOutcome, spec: RunSpec) -> float | None:
        if outcome.end != "ok":
            return None
        if self.plan.objective.pattern is None:
            return outcome.wall
        metric = metric_in_logs(self.plan.objective.pattern, spec.stdout, spec.stderr)
        return metric if metric is not None and 0 < metric < float("inf") else None

    def _keep(self, record: Record) -> None:
        try:
            self.store.append(record)
        except OSError as error:
            raise TuneError(
                f"{self.store.path}: results can no longer be written: {error.strerror}"
            ) from None
