"""What a composition has to say: findings, each with the ledger that convinces."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from lpcl.compose.conditions import Checked
from lpcl.compose.structure import Condition, Place, Resolution
from lpcl.compose.terms import Number, Value
from lpcl.diagnostics.diagnostic import Severity
from lpcl.model.program import Origin
from lpcl.model.quantities import PLAIN, Dimension


class Kind(Enum):
    """The kinds of finding of the language reference, gravest first."""

    OVERCOMMIT = "overcommit"
    HAZARD = "hazard"
    ASSUMPTION = "assumption"
    SERIALIZED = "serialized"
    UNDERUSE = "underuse"


class Grade(Enum):
    """How bad an over-commit of a resource that degrades is; `rank` is 0 for the worst."""

    COLLAPSE = "collapse"
    SLOW = "slow"
    MILD = "mild"

    @property
    def rank(self) -> int:
        """0 for a collapse, 2 for a mild one."""
        return ("collapse", "slow", "mild").index(self.value)


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of a ledger: who asks for how much in one copy of its process, and in how many copies.

    `each` is the amount in one copy, `total` that of all copies; `text` says how the amount comes about.
    """

    process: str
    who: str
    text: str
    each: Number
    copies: Number
    total: Number
    origin: Origin | None
    reasons: tuple[Resolution, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """What one statement of an application does that leads to a finding: `who` does it, in which process.

    `origin` is the statement in the application's own file.
    """

    who: str
    process: str
    what: str
    origin: Origin | None


@dataclass(frozen=True, slots=True)
class Remedy:
    """Something that can be set so that a finding is gone, all else as it is.

    `kind` is ``call`` (an argument of a call), ``limit`` (a limit of the application), ``library`` (a control
    that a call or the configuration of its library sets), ``argument`` (a control of the application),
    ``env`` or ``machine``; `relation` is ``is`` (one of `values`), ``from`` (one to another), ``at least``,
    ``above``, ``at most`` or ``below``.
    """

    kind: str
    name: str
    relation: str
    values: tuple[Value, ...]
    now: Value
    dimension: Dimension
    text: str
    origin: Origin | None


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding about an application in one configuration.

    `where` tells which sum it is about: ``machine``, a process, or a device. `demand` and `capacity` are
    exact, in the resource's base unit; `capacity_because` is what the capacity rests on. `checked` is the
    condition that is not met, or is; `steps` are the statements that lead to it, in order, and `remedies`
    single values that would end it. `starter` (the id of the place that starts the process it is about),
    `device`, `pool` (its key) and `condition` say the same for programs. `participants` are all minimal sets
    of places that suffice for it; `complete` is False where looking for them was cut short.
    """

    kind: Kind
    severity: Severity
    certain: bool
    headline: str
    where: str = "machine"
    resource: str | None = None
    resource_name: str | None = None
    dimension: Dimension = PLAIN
    demand: Number | None = None
    capacity: Number | None = None
    background: Number = 0
    grade: Grade | None = None
    participants: tuple[tuple[Place, ...], ...] = ()
    complete: bool = True
    ledger: tuple[Entry, ...] = ()
    capacity_text: str | None = None
    capacity_origin: Origin | None = None
    effect: str | None = None
    starter: str | None = None
    device: int | None = None
    pool: str | None = None
    condition: Condition | None = None
    notes: tuple[str, ...] = ()
    help: str | None = None
    capacity_because: tuple[Resolution, ...] = ()
    checked: Checked | None = None
    steps: tuple[Step, ...] = ()
    remedies: tuple[Remedy, ...] = ()

    @property
    def libraries(self) -> tuple[tuple[str, ...], ...]:
        """The minimal sets as names of libraries, each name once, in order."""
        return tuple(
            dict.fromkeys(
                tuple(dict.fromkeys(_library(place) for place in places)) for places in self.participants
            )
        )

    def sort_key(self) -> tuple[int, int, int, int, str, str, str]:
        """Gravest first: errors, certain, by kind and grade; then by name, so that the order is fixed."""
        kinds = list(Kind)
        return (
            self.severity.rank,
            0 if self.certain else 1,
            kinds.index(self.kind),
            3 if self.grade is None else self.grade.rank,
            self.resource_name or "",
            self.where,
            self.headline,
        )


def _library(place: Place) -> str:
    if not place.application or place.library == place.application:
        return place.library
    return f"{place.library} of {place.application}"
