"""What is kept of every run: the lines of the results file, of which decisions and reports are made."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal, cast

from lpcl.tune.signals import RunSignals

Phase = Literal["warmup", "search", "confirm"]
End = Literal["ok", "crashed", "timed_out", "unstartable", "no_metric"]

PHASES: tuple[Phase, ...] = ("warmup", "search", "confirm")
ENDS: tuple[End, ...] = ("ok", "crashed", "timed_out", "unstartable", "no_metric")


@dataclass(frozen=True, slots=True)
class RunRecord:
    """One finished run.

    `phase`, `round` (from 0) and `config` say which run of the design it is. `end` is ``no_metric`` where the
    program ended well but printed no positive number at the objective's pattern. `value` is the objective's:
    seconds, or the metric; None unless `end` is ``ok``. `limit` is the time limit that it ran under.
    `started` is UTC, ISO 8601. The other fields are those of `lpcl.tune.runner.RunOutcome`.
    """

    phase: Phase
    round: int
    config: str
    end: End
    value: float | None
    wall: float
    limit: float
    started: str
    exit_code: int | None = None
    signal: str | None = None
    signals: RunSignals | None = None
    stdout_tail: str = ""
    stderr_tail: str = ""
    leftovers: int = 0
    note: str = ""

    @property
    def failed(self) -> bool:
        """Whether the run gave no value."""
        return self.value is None

    def how_it_ended(self) -> str:
        """The end of the run in words."""
        if self.end == "ok":
            return "ended well"
        if self.end == "timed_out":
            return f"ran into the time limit of {self.limit:.3g} s"
        if self.end == "no_metric":
            return "printed no positive number where the objective looks for one"
        if self.end == "unstartable":
            return f"could not be started: {self.note}"
        return f"was ended by {self.signal}" if self.signal else f"ended with exit code {self.exit_code}"

    def to_json(self) -> dict[str, Any]:
        """The record as a line of the results file."""
        return {"type": "run", **asdict(self)}

    @staticmethod
    def from_json(document: dict[str, Any]) -> RunRecord:
        """The record of a line. Raises TypeError, KeyError or ValueError where it is none."""
        fields = {key: value for key, value in document.items() if key != "type"}
        if fields["phase"] not in PHASES or fields["end"] not in ENDS:
            raise ValueError("unknown phase or end")
        signals = fields.pop("signals", None)
        return RunRecord(**fields, signals=None if signals is None else RunSignals.from_json(signals))


@dataclass(frozen=True, slots=True)
class BaselineRecord:
    """How much an innocent program that just fills the CPUs has to wait: the noise of the neighbours.

    `delay_ratio` is its run delay / run time, `pressure_cpu` the share of time in which some task waited for
    a CPU, `other_cpus` the CPUs that others kept busy meanwhile (None where the kernel does not say), `cpus`
    the threads that it ran and `runnable` the most of them that ran or waited at a time, as
    `RunSignals.peak_runnable` counts.
    """

    delay_ratio: float
    runnable: float
    pressure_cpu: float | None
    other_cpus: float | None
    cpus: int
    started: str

    def to_json(self) -> dict[str, Any]:
        """The record as a line of the results file."""
        return {"type": "baseline", **asdict(self)}

    @staticmethod
    def from_json(document: dict[str, Any]) -> BaselineRecord:
        """The record of a line. Raises TypeError where it is none."""
        return BaselineRecord(**{key: value for key, value in document.items() if key != "type"})


Record = RunRecord | BaselineRecord


def record_from_json(document: object) -> Record:
    """The record of a line. Raises TypeError, KeyError or ValueError where it is none."""
    if not isinstance(document, dict):
        raise TypeError("not an object")
    fields = cast(dict[str, Any], document)
    if fields["type"] == "run":
        return RunRecord.from_json(fields)
    if fields["type"] == "baseline":
        return BaselineRecord.from_json(fields)
    raise ValueError(f"unknown record type {fields['type']!r}")
