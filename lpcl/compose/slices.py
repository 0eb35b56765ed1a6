"""An application cut into the parts in which an over-commit can lie, so that each is searched by itself.

One executor stands at one statement of its block. What a snapshot asks for is thus what one statement asks
for, with what earlier statements have left behind and what loaded libraries hold. A slice keeps one statement
of such a block and, before it, only statements that can matter for it. Every minimal set of participants lies
in a slice.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

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
    kept: list[Statement] = []
    dropped = False
    later = [one for one in root.body.statements if _matters(one, measure, lasting, left_behind=False)]
    for statement in root.body.statements:
        others = [one for one in later if one is not statement and one not in kept]
        whole = not dropped and len(others) <= MOST_KEPT
        beside = {id(one) for one in (*kept, *others[:MOST_KEPT])}
        for part in _parts(statement, measure):
            # In their order, since what comes before has left something behind.
            body = tuple(
                part[0] if one is statement else one
                for one in root.body.statements
                if one is statement or id(one) in beside
            )
            yield replace(root, body=Sequence(body)), whole and part[1]
        if _matters(statement, measure, lasting, left_behind=True):
            if len(kept) < MOST_KEPT:
                kept.append(statement)
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
