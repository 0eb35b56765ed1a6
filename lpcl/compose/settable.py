"""What can be set in an application: what it is called, what it is now, and how another value is tried."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from lpcl.compose.figures import FigureKind
from lpcl.compose.findings import Remedy
from lpcl.compose.kinds import figure_of_fact
from lpcl.compose.machine import MachineView
from lpcl.compose.terms import Number, Value
from lpcl.compose.trials import Trial
from lpcl.model.machine import AT_MOST, FACTS
from lpcl.model.program import Origin
from lpcl.model.quantities import PLAIN
from lpcl.syntax import nodes

RAISED = frozenset(name for name, fact in FACTS.items() if fact.limit) | {"cpus.quota", "memory.limit", "shm"}
"""Figures of a machine that whoever runs the program can raise."""
CHOSEN = RAISED | {"cpus.affinity", "memory.total", "gpus", "gpu.memory"}
"""Those and the ones that one has by the choice of a machine, or of a part of it."""


@dataclass(frozen=True, eq=False)
class Settable:
    """A value to set: `kind` and `name` as in `Remedy`, how a person calls it, and the trial of another one.

    It moves by `step`, by any amount where that is None. `type` is what it is declared as, `path` its name in
    a condition, and `by` the library's call or configuration that sets it, where either is known. `unset`
    tells that what it is now is so because nothing sets it.
    """

    kind: str
    name: str
    called: str
    now: Value
    figure: FigureKind
    origin: Origin | None
    trial: Callable[[Value], Trial]
    step: Number | None = None
    type: nodes.Type | None = None
    path: str = ""
    by: str = ""
    unset: bool = False

    def remedy(self, relation: str, values: tuple[Value, ...]) -> Remedy:
        """That it is to be one of some values, or to keep to a bound, as `relation` has it."""
        *others, last = (self.figure.show(value) for value in values)
        listed = f"{', '.join(others)} {'to' if relation == 'from' else 'or'} {last}" if others else last
        how = f"= {listed}" if relation == "is" else f"{relation} {listed}"
        by = f" by `{self.by}`" if self.by else ""
        where = f"; {self.origin}" if self.origin is not None else ""
        now = self.figure.show(self.now)
        text = f"{self.called} {how}{by} (now {f'not set, so {now}' if self.unset else now}{where})"
        return Remedy(
            self.kind, self.name, relation, values, self.now, self.figure.dimension, text, self.origin
        )


def fact_of(machine: MachineView, fact: str, path: str = "") -> Settable:
    """A figure that a machine states. It takes along the one that it must not exceed."""
    upper = machine.facts.get(AT_MOST.get(fact, ""))

    def trial(value: Value) -> Trial:
        beside = {AT_MOST[fact]: value} if upper is not None and _exceeds(value, upper) else {}
        return Trial(facts={**beside, fact: value})

    return Settable(
        "machine",
        fact,
        f"{fact} of the machine",
        machine.facts[fact],
        figure_of_fact(fact),
        machine.origins.get(fact),
        trial,
        1 if FACTS[fact].whole and FACTS[fact].dimension == PLAIN else None,
        path=path,
    )


def _exceeds(value: Value, upper: Value) -> bool:
    return isinstance(value, int | Fraction) and isinstance(upper, int | Fraction) and value > upper
