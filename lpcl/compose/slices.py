"""An application cut into the parts in which an over-commit can lie, so that each is searched by itself.

One executor stands at one statement of its block. What a snapshot asks for is thus what one statement asks
for, with what earlier statements have left behind and what loaded libraries hold. A slice keeps one statement
of such a block and, before it, only statements that can matter for it. Every minimal set of participants lies
in a slice.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from lpcl.compose.meaning import number
from lpcl.compose.measures import Measure
from lpcl.compose.structure import (
    Activity,
    Process,
    ProcessWorkers,
    Sequence,
    Statement,
    activities,
)

MOST_KEPT = 8


def slices(root: Process, measure: Measure) -> Iterator[tuple[Process, bool]]:
    """The slices of a process, in order, each with whether it keeps all that can matter."""
    lasting = _holders(root, measure)
    statements = root.body.statements
    kept: list[int] = []
    dropped = False
    later = [
        place for place, one in enumerate(statements) if _matters(one, measure, lasting, left_behind=False)
    ]
    for here, statement in enumerate(statements):
        others = list(islice((one for one in later if one != here and one not in kept), MOST_KEPT + 1))
        whole = not dropped and len(others) <= MOST_KEPT
        # In their order, since what comes before has left something behind.
        places = sorted({*kept, *others[:MOST_KEPT], here})
        for part in _parts(statement, measure):
            body = tuple(part[0] if place == here else statements[place] for place in places)
            yield replace(root, body=Sequence(body)), whole and part[1]
        if _matters(statement, measure, lasting, left_behind=True):
            if len(kept) < MOST_KEPT:
                kept.append(here)
            else:
                dropped = True


def _parts(statement: Statement, measure: Measure) -> Iterator[tuple[Statement, bool]]:
    """A statement, or where its workers are processes of one executor each, it with slices of these."""
    if isinstance(statement, Activity) and isinstance(statement.workers, ProcessWorkers):
        workers = statement.workers
        for process, whole in slices(workers.process, measure):
            yield replace(statement, workers=replace(workers, process=process)), whole
    else:
        yield statement, True


def _holders(process: Process, measure: Measure) -> frozenset[str]:
    """The places through which a library is loaded that holds some of what is measured."""
    found: set[str] = set()
    for library in process.loaded:
        alone = replace(process, loaded=(library,), held=())
        mine = sum(number(part.amount) for part in measure.process(alone, None))
        nothing = sum(number(part.amount) for part in measure.process(replace(alone, loaded=()), None))
        if mine != nothing:
            found |= library.holders
    return frozenset(found)


def _matters(statement: Statement, measure: Measure, lasting: frozenset[str], *, left_behind: bool) -> bool:
    """Whether a statement adds something where nobody stands at it: by what it loads or leaves behind."""
    for activity in activities(statement):
        if activity.place.id in lasting:
            return True
        use = activity.pool
        if (
            left_behind
            and use is not None
            and (number(measure.team_idle(use)) or number(measure.claim_idle(use)))
        ):
            return True
    return False
