"""Which participants are in an over-commit: minimal sets over the whole application, found slice by slice."""

from __future__ import annotations

from lpcl.compose.meaning import number, peak
from lpcl.compose.measures import Measure
from lpcl.compose.participants import MOST_SETS, MinimalSets, minimal_sets
from lpcl.compose.slices import slices
from lpcl.compose.structure import Place, Process, all_activities, processes
from lpcl.compose.terms import Number


def minimal_participants(process: Process, measure: Measure, capacity: Number) -> MinimalSets:
    """All minimal sets of places, by id, for which one copy of a process asks for more than `capacity`.

    Where fewer participants may ask for more, what is found is minimal, and need not be all.
    """
    found: list[tuple[str, ...]] = []
    complete = True
    for part, whole in slices(process, measure):

        def suffices(present: frozenset[str], part: Process = part) -> bool:
            return peak(part, measure, present).amount > capacity

        if len(found) >= MOST_SETS:
            complete = False
            break
        if peak(part, measure).amount > capacity:
            sets = minimal_sets([place.id for place in _participants(part)], suffices)
            found.extend(one for one in sets.sets if one not in found)
            complete = complete and sets.complete and whole
    if _may_rise(process, measure):
        shrunk = [_shrunk(process, measure, capacity, one) for one in found]
        complete = complete and shrunk == found
        found = list(dict.fromkeys(shrunk))
    least = [one for one in found if not any(set(other) < set(one) for other in found)]
    return MinimalSets(tuple(least[:MOST_SETS]), complete and len(least) <= MOST_SETS)


def _may_rise(process: Process, measure: Measure) -> bool:
    """Whether there may be more asked for once a participant is taken out.

    A smaller team no longer replaces the one that was left behind, or callers go through a block that few
    threads of a pool went through for them.
    """
    idle: dict[str, Number] = {}
    at_work: dict[str, Number] = {}
    for activity in all_activities(process):
        use = activity.pool
        if use is None or use.own_thread:
            continue
        if use.pool.policy != "fork":
            if activity.body is not None:
                return True
            continue
        key, block = use.pool.key, activity.body is not None
        idle[key] = max(number(measure.team_idle(use)), idle.get(key, 0))
        mine = number(measure.team(use, block))
        at_work[key] = min(mine, at_work.get(key, mine))
    return any(amount > at_work[key] for key, amount in idle.items())


def _shrunk(process: Process, measure: Measure, capacity: Number, found: tuple[str, ...]) -> tuple[str, ...]:
    """A set without the members that can be taken out."""
    for one in found:
        fewer = tuple(other for other in found if other != one)
        if peak(process, measure, frozenset(fewer)).amount > capacity:
            return _shrunk(process, measure, capacity, fewer)
    return found


def _participants(root: Process) -> list[Place]:
    """The places that can add something by themselves, in order."""
    holders: set[str] = set()
    for process in processes(root):
        for library in process.loaded:
            if library.demands or library.pools:
                holders |= library.holders
    found = {
        activity.place.id: activity.place
        for activity in all_activities(root)
        if activity.demands
        or activity.pool is not None
        or activity.workers is not None
        or activity.body is None
        or activity.place.id in holders
    }
    for process in processes(root):
        if process.starter is not None:
            found.setdefault(process.starter.id, process.starter)
    return list(found.values())
