"""The plan: all that a tuner needs to know about an application, as frozen values.

The composer makes a `Plan`, the tuner and the exporters read it; `lpcl.plan.codec` turns it into JSON and
back. Numbers are exact: `int` or `fractions.Fraction`. Counts are plain numbers, sizes are bytes, times are
seconds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

PLAN_VERSION = 1
"""The version of the plan's shape. It grows when a reader of the old shape would misread the new one."""

Number = int | Fraction
"""An exact number. `bool` is a subclass of `int` in Python; a truth value is never meant by `Number`."""

Value = bool | int | Fraction | str
"""What a knob can be set to: a truth value, a number, or a word such as ``loky``."""

KnobKind = Literal["env", "argument", "control"]
KnobType = Literal["bool", "int", "real", "string"]
HypothesisKind = Literal["overcommit", "serialized", "hazard", "assumption", "underuse"]
Grade = Literal["collapse", "slow", "mild"]
Certainty = Literal["certain", "possible"]
ObjectiveKind = Literal["time", "maximize", "minimize"]


@dataclass(frozen=True, slots=True)
class Constant:
    """A literal in an expression: a number, a truth value or a word."""

    value: Value


@dataclass(frozen=True, slots=True)
class KnobRef:
    """The value of the knob with this id."""

    knob: str


@dataclass(frozen=True, slots=True)
class Apply:
    """An operator of `lpcl.plan.expressions.OPERATORS` on its arguments."""

    op: str
    args: tuple[Expression, ...]


Expression = Constant | KnobRef | Apply
"""An expression over knobs that `lpcl.plan.expressions.evaluate` computes without a solver."""


@dataclass(frozen=True, slots=True)
class ApplicationInfo:
    """The application that the plan is for.

    `name` and `package` as declared; `file` is the path of its ``.lpcl`` file as the user gave it, and
    `sha256` the hexadecimal digest of that file's bytes.
    """

    name: str
    package: str
    file: str
    sha256: str


@dataclass(frozen=True, slots=True)
class MachineInfo:
    """The machine that the plan was composed for: its name (``host`` for the one at hand) and its facts.

    `facts` maps names as the language writes them after ``machine.`` (``cpus``, ``cpus.affinity``,
    ``memory.limit``) to exact numbers; memory is in bytes. The tuner reads ``cpus``.
    """

    name: str
    facts: Mapping[str, Number] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ContractUse:
    """A contract that the plan rests on.

    `name` is qualified (``openblas.openblas``), `origin` says where it was found (``stdlib``, a
    distribution's name, or a path), `version` is that of its origin, `sha256` the digest of the file that
    holds it.
    """

    name: str
    origin: str
    version: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Range:
    """All numbers from `minimum` to `maximum`, both included; None is no bound on that side."""

    minimum: Number | None = None
    maximum: Number | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """Exactly these values."""

    values: tuple[Value, ...]


Domain = Range | Choice


@dataclass(frozen=True, slots=True)
class Knob:
    """Something that can be set before the application starts.

    - `id`: unique in the plan; settings and expressions refer to it.
    - `kind`: ``env`` (an environment variable), ``argument`` (of the application's command) or ``control``
      (set inside the program only; a tuner cannot turn it and says what would have to be changed).
    - `apply`: for ``env`` the variable's name; for ``argument`` a template with one ``{}`` for the value,
      such as ``--jobs {}`` or ``--jobs={}``; None for ``control``.
    - `type`: how its values are read: ``real`` values are written as decimals where they are applied.
    - `domain`: the values that it may take when it is set.
    - `allow_unset`: whether "not set" (None, null in JSON) is a value of it too.
    - `current`: its value as the application is run today; None where it is not set.
    - `note`: what a person should know, for example which control it drives.
    """

    id: str
    kind: KnobKind
    type: KnobType
    domain: Domain
    apply: str | None = None
    allow_unset: bool = True
    current: Value | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Constraint:
    """A condition that a configuration without findings fulfils.

    `expression` has a truth value; `resource` is what it protects (``cpu``), or None; `text` is the same
    condition for a person.
    """

    expression: Expression
    text: str
    resource: str | None = None


@dataclass(frozen=True, slots=True)
class Threshold:
    """When a signal speaks: at `healthy` or beyond nothing is wrong, at `contended` or beyond something is.

    Values between the two decide nothing. ``healthy < contended`` says that more is worse, ``healthy >
    contended`` that less is worse; equal values mean that more is worse and nothing is left undecided but the
    value itself, which counts as contended.
    """

    healthy: Number
    contended: Number


@dataclass(frozen=True, slots=True)
class Signal:
    """A measurement of a running application.

    `name` is for a person; `source` is the language's own text (``process.run_delay / process.run_time``);
    `threshold` is None where the contract states none.
    """

    name: str
    source: str
    threshold: Threshold | None = None


@dataclass(frozen=True, slots=True)
class Participant:
    """A library's operation that takes part in a conflict, and where the application says so.

    `place` is the path inside the application's tree (``run / joblib.parallel / numpy.matmul``); `file` and
    `line` (from 1) point at the statement, None where there is none.
    """

    library: str
    operation: str
    place: str = ""
    file: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A finding of the composer, put so that it can be tested.

    - `id`: unique among hypotheses.
    - `kind`: the kind of finding; `resource` what it is about, None for a hazard or an assumption.
    - `grade`: how bad an over-commit of a resource that degrades is expected to be; None for all others.
    - `certainty`: ``possible`` where only the upper bound of the demand exceeds the capacity.
    - `demand`, `capacity`, `ratio`: the predicted figures under the present configuration, in the resource's
      unit; `ratio` is demand / capacity, None where the capacity is 0 or there are no figures.
    - `participants`: the minimal set that the hypothesis names.
    - `snapshot`: where the executors stand at the worst moment, for a person.
    - `signals`: what to watch. `interventions`: ids of candidates that remove the conflict.
    - `text`: the headline of the finding.
    """

    id: str
    kind: HypothesisKind
    text: str
    resource: str | None = None
    grade: Grade | None = None
    certainty: Certainty = "certain"
    demand: Number | None = None
    capacity: Number | None = None
    ratio: Number | None = None
    participants: tuple[Participant, ...] = ()
    snapshot: str = ""
    signals: tuple[Signal, ...] = ()
    interventions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Candidate:
    """A configuration worth trying; the plan lists the most promising first.

    - `id`: unique among candidates, and not ``now``, which names the present configuration.
    - `settings`: knob id to value, None for "not set". Knobs that it does not name keep their current value.
    - `predicted_cpu`: CPUs in use at the busiest moment, as composed; None where unknown.
    - `changes`: how many knobs differ from the present configuration.
    - `removes`: ids of the hypotheses that do not hold under it.
    - `text`: what it does, in a few words.
    """

    id: str
    settings: Mapping[str, Value | None]
    changes: int
    predicted_cpu: Number | None = None
    removes: tuple[str, ...] = ()
    text: str = ""


@dataclass(frozen=True, slots=True)
class Objective:
    """What "better" means: less wall time, or a number that the program prints.

    For ``maximize`` and ``minimize``, `pattern` is a piece of a printed line with ``{}`` where the number
    stands, such as ``images/s: {}``. The last match counts.
    """

    kind: ObjectiveKind = "time"
    pattern: str | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """What `lpclc build` writes and `lpclc tune` reads.

    `command` starts the application as it is run today: one string, split as a shell splits words but run
    without a shell, or a list of arguments; None where the application states none. Where it holds the option
    of an ``argument`` knob, the value there gives way to the knob's; otherwise the option is appended.
    """

    application: ApplicationInfo
    machine: MachineInfo
    contracts: tuple[ContractUse, ...] = ()
    knobs: tuple[Knob, ...] = ()
    constraints: tuple[Constraint, ...] = ()
    hypotheses: tuple[Hypothesis, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    signals: tuple[Signal, ...] = ()
    command: str | tuple[str, ...] | None = None
    objective: Objective = Objective()
    version: int = PLAN_VERSION

    def knob(self, knob_id: str) -> Knob:
        """The knob with this id; KeyError if there is none."""
        for knob in self.knobs:
            if knob.id == knob_id:
                return knob
        raise KeyError(knob_id)

    def present(self) -> dict[str, Value | None]:
        """The configuration that the application runs with today: each knob's current value."""
        return {knob.id: knob.current for knob in self.knobs}

    def assignment(self, candidate: Candidate) -> dict[str, Value | None]:
        """The full configuration of a candidate: the present one with its settings in place."""
        return {**self.present(), **candidate.settings}
