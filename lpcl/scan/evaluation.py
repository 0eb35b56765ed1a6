"""What the composer predicts for steps that might explain what was seen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from lpcl import service
from lpcl.compose.threads import ProcessThreads
from lpcl.model.program import Declared
from lpcl.scan.recognition import OWN, Key
from lpcl.scan.steps import AnyStep, Step, statements
from lpcl.syntax import nodes


@dataclass(frozen=True, slots=True)
class Predicted:
    """The threads of one copy of a class of processes at its busiest, by whose they are."""

    method: str | None
    copies: int
    total: int
    counts: Mapping[Key, int]
    workers: int
    helpers: int
    used: frozenset[Key]


@dataclass(frozen=True, slots=True)
class Around:
    """A step that starts processes, and what its own process does before."""

    before: tuple[AnyStep, ...]
    start: Step


@dataclass
class Evaluator:
    """Composes candidates; each is asked for once. `members` are the application's clauses besides `run`."""

    workspace: service.Workspace
    declared: Declared
    members: tuple[nodes.ApplicationMember, ...]
    machine: service.MachineView
    known: dict[tuple[AnyStep, ...], tuple[Predicted, ...] | None] = field(default_factory=dict)

    def predict(
        self, steps: tuple[AnyStep, ...], around: Sequence[Around] = ()
    ) -> tuple[Predicted, ...] | None:
        """The classes of processes from the one that carries out `steps` on, parents first; None for
        nonsense.

        `around` is what starts it, the outermost first.
        """
        for one in reversed(around):
            steps = (*one.before, replace(one.start, block=steps))
        if steps not in self.known:
            self.known[steps] = self._ask(steps)
        found = self.known[steps]
        return None if found is None else found[len(around) :]

    def _ask(self, steps: tuple[AnyStep, ...]) -> tuple[Predicted, ...] | None:
        run = nodes.Run(nodes.Block(statements(steps, {})))
        application = nodes.Application(nodes.Name(self.declared.name), (), (*self.members, run))
        candidate = Declared.made(self.declared.qualified, application, self.declared.file)
        counted = service.thread_counts(self.workspace, candidate, self.machine)
        found = tuple(_predicted(item) for item in counted if isinstance(item, ProcessThreads))
        return found if found and len(found) == len(counted) else None


def _predicted(item: ProcessThreads) -> Predicted:
    counts: dict[Key, int] = {
        (pool.library, pool.owner): int(pool.threads) for pool in item.pools if pool.threads
    }
    python = int(item.workers + item.held)
    if python:
        counts[OWN] = python
    return Predicted(
        item.method,
        int(item.copies),
        int(item.threads),
        counts,
        int(item.workers),
        int(item.helpers),
        frozenset((pool.library, pool.owner) for pool in item.pools if pool.used),
    )
