"""The threads that exist in each process of an application at its busiest: what a watcher would count
there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from lpcl.compose.elaborate import elaborate
from lpcl.compose.machine import MachineView
from lpcl.compose.meaning import number, peak
from lpcl.compose.measures import CallersMeasure, ProcessMeasure, ThreadMeasure
from lpcl.compose.placement import ProcessSnapshot, lay_out, lines
from lpcl.compose.settings import Settings
from lpcl.compose.structure import Process, ProcessWorkers, activities
from lpcl.compose.terms import Number
from lpcl.model.program import Declared, Program


@dataclass(frozen=True, slots=True)
class PoolThreads:
    """The threads that a pool adds to its process, and whether something in the process runs on it.

    `owner` is the library that carries the runtime for itself, None where it is shared.
    """

    library: str
    owner: str | None
    threads: Number
    used: bool


@dataclass(frozen=True, slots=True)
class ProcessThreads:
    """One copy of a class of processes.

    `depth` counts the processes above it, `method` is how it is started (None for the first), `copies` how
    many there are at once at most. `threads` is what there is in one copy at its busiest: the main thread,
    those of the `pools`, `workers` that are the application's own, and `held` ones that contracts declare
    beside them, in helper processes too, of which there are `helpers`.
    """

    depth: int
    method: str | None
    copies: Number
    threads: Number
    pools: tuple[PoolThreads, ...]
    workers: Number
    held: Number
    helpers: Number


def thread_counts(
    program: Program,
    declared: Declared,
    machine: MachineView,
    choose_version: Callable[[str, str | None], Declared],
) -> tuple[ProcessThreads, ...]:
    """The threads of each class of processes, parents before children. Raises `Refusal` and
    `TooManyOptions`.
    """
    root = elaborate(program, declared, machine, Settings(), choose_version).root
    tops = peak(root, ThreadMeasure(follows=False)), peak(root, ProcessMeasure(follows=False))
    found: list[ProcessThreads] = []

    def visit(process: Process, depth: int, copies: Number) -> None:
        key = process.starter.id if process.starter is not None else ""
        placement = tops[0].placements.get(key)
        shot = ProcessSnapshot(process, 1, tuple(lay_out(placement, 1, process.index)), ())
        found.append(_counts(process, shot, depth, copies, tops[0].by_process[key], tops[1].by_process[key]))
        for activity in activities(process.body):
            if isinstance(activity.workers, ProcessWorkers):
                callers = peak(process, CallersMeasure(place=activity.place.id)).amount
                more = copies * callers * number(activity.workers.count)
                visit(activity.workers.process, depth + 1, more)

    visit(root, 0, 1)
    return tuple(found)


def _counts(
    process: Process, shot: ProcessSnapshot, depth: int, copies: Number, threads: Number, processes: Number
) -> ProcessThreads:
    pools: dict[tuple[str, str | None], Number] = {}
    used = set()
    for library in process.loaded:
        for pool, existing, _ in library.pools:
            key = pool.library, pool.owner
            pools[key] = pools.get(key, 0) + number(existing)
    for activity in activities(process.body):
        if activity.pool is not None:
            used.add((activity.pool.pool.library, activity.pool.pool.owner))
    workers: Number = 0
    for line in lines(shot, ThreadMeasure(follows=False)):
        if line.kind == "threads":
            workers += number(line.amount)
        elif line.use is not None:
            key = line.use.pool.library, line.use.pool.owner
            pools[key] = pools.get(key, 0) + number(line.amount)
    known = tuple(
        PoolThreads(library, owner, pools.get((library, owner), 0), (library, owner) in used)
        for library, owner in dict.fromkeys([*pools, *sorted(used, key=str)])
    )
    own = 1 + sum(pool.threads for pool in known) + workers
    return ProcessThreads(
        depth, process.method, copies, threads, known, workers, threads - own, processes - 1
    )
