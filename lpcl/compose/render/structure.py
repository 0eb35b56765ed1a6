"""The application as a tree for the document: processes, who calls whom, pools, where threads are runnable.

The figures are those of one moment: the one at which most threads are runnable, by the bounds that the
finding about the CPUs rests on where there is one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from lpcl.compose.assess import Assessment, Demanded
from lpcl.compose.findings import Kind
from lpcl.compose.meaning import number
from lpcl.compose.measures import CpuMeasure
from lpcl.compose.placement import ProcessSnapshot, lines, snapshot
from lpcl.compose.render.encode import held_of, origin_of, plain, pool_of
from lpcl.compose.resources import CPU, Resource
from lpcl.compose.structure import (
    Activity,
    Held,
    Process,
    ProcessWorkers,
    Statement,
    ThreadWorkers,
    Together,
    Variant,
    activities,
)
from lpcl.compose.terms import Number

Declared = Mapping[str, Resource]
_IDLE = ("idle team", "idle pool")


def structure(root: Process, assessment: Assessment, declared: Declared) -> dict[str, Any]:
    """The processes that run on the machine with everything below them, and what is runnable in all."""
    cpu = next(
        (d for d in assessment.demands if d.sum.resource.qualified == CPU and d.sum.starter is None), None
    )
    if cpu is None:
        processes = _programs(root, None, CpuMeasure("high"), declared)
        return {"cpus": None, "runnable": 0, "processes": processes}
    certain = _is_certain(assessment, cpu)
    peak = cpu.low_peak if certain else cpu.high_peak
    measure = CpuMeasure("low" if certain else "high")
    processes = _programs(root, snapshot(root, peak.placements), measure, declared)
    runnable = plain(cpu.low if certain else cpu.high)
    return {"cpus": plain(cpu.sum.capacity), "runnable": runnable, "processes": processes}


def _is_certain(assessment: Assessment, cpu: Demanded) -> bool:
    return any(
        finding.kind is Kind.OVERCOMMIT
        and finding.resource == CPU
        and finding.where == cpu.sum.where
        and finding.certain
        for finding in assessment.findings
    )


def _programs(
    root: Process, shot: ProcessSnapshot | None, measure: CpuMeasure, declared: Declared
) -> list[dict[str, Any]]:
    """The root, or, where it is imaginary, the process that each of the applications begins as."""
    if not root.imaginary:
        return [_process(root, shot, measure, declared)]
    moment = _Moment(shot, measure)
    return [
        _process(one.workers.process, moment.child(one.workers.process), measure, declared)
        for one in activities(root.body)
        if isinstance(one.workers, ProcessWorkers)
    ]


def _process(
    process: Process, shot: ProcessSnapshot | None, measure: CpuMeasure, declared: Declared
) -> dict[str, Any]:
    moment = _Moment(shot, measure)
    return {
        "name": process.name,
        "start": process.method,
        "copies": moment.copies,
        "cpus": plain(process.cpus),
        "pinned": process.pinned,
        "runnable": plain(sum(moment.at_work.values()) + sum(moment.spinning.values())),
        "libraries": [
            {
                "library": library.contract.name,
                "of": library.owner,
                "holds": _holds(library.demands, declared),
                "pools": [
                    {**pool_of(instance), "threads": plain(threads)} for instance, threads, _ in library.pools
                ],
            }
            for library in process.loaded
        ],
        "holds": _holds(process.held, declared),
        "steps": list(_steps(process.body, moment, declared)),
    }


class _Moment:
    """What one copy of a process does at the moment that is looked at, by the ids of its places."""

    def __init__(self, shot: ProcessSnapshot | None, measure: CpuMeasure) -> None:
        self.measure = measure
        self.copies: Any = 0
        self.callers: dict[str, Number] = {}
        self.at_work: dict[str, Number] = {}
        self.spinning: dict[str, Number] = {}
        self._children: dict[Process, ProcessSnapshot] = {}
        if shot is None:
            return
        self.copies = plain(number(shot.copies))
        self._children = {child.process: child for child in shot.children}
        for standing in shot.standings:
            if standing.activity is not None:
                _add(self.callers, standing.activity, number(standing.callers))
        for line in lines(shot, measure):
            if line.activity is not None:
                _add(
                    self.spinning if line.kind in _IDLE else self.at_work, line.activity, number(line.amount)
                )

    def child(self, process: Process) -> ProcessSnapshot | None:
        """The snapshot of a process that this one has started; None where it has not at this moment."""
        return self._children.get(process)


def _add(amounts: dict[str, Number], activity: Activity, amount: Number) -> None:
    amounts[activity.place.id] = amounts.get(activity.place.id, 0) + amount


def _steps(statement: Statement, moment: _Moment, declared: Declared) -> Iterator[dict[str, Any]]:
    match statement:
        case Activity():
            yield _operation(statement, moment, declared)
        case Together():
            members = [list(_steps(member, moment, declared)) for member in statement.members]
            yield {"kind": "together", "members": members}
        case Variant():
            yield from _steps(statement.then, moment, declared)
            yield from _steps(statement.otherwise, moment, declared)
        case _:
            for one in statement.statements:
                yield from _steps(one, moment, declared)


def _operation(activity: Activity, moment: _Moment, declared: Declared) -> dict[str, Any]:
    place, use, workers = activity.place, activity.pool, activity.workers
    used = None
    if use is not None:
        used = {**pool_of(use.pool), "threads": plain(use.size), "from_inside": use.own_thread}
    started = None
    if isinstance(workers, ThreadWorkers):
        started = {"kind": "threads", "count": plain(workers.count)}
    elif isinstance(workers, ProcessWorkers):
        child = workers.process
        started = {
            "kind": "processes",
            "count": plain(workers.count),
            "process": _process(child, moment.child(child), moment.measure, declared),
        }
    return {
        "kind": "operation",
        "place": place.id,
        "library": place.library,
        "operation": place.operation,
        "clause": origin_of(place.origin),
        "callers": plain(moment.callers.get(place.id, 0)),
        "runnable": plain(moment.at_work.get(place.id, 0)),
        "spinning": plain(moment.spinning.get(place.id, 0)),
        "pool": used,
        "workers": started,
        "holds": _holds(activity.demands, declared),
        "steps": [] if activity.body is None else list(_steps(activity.body, moment, declared)),
    }


def _holds(demands: tuple[Held, ...], declared: Declared) -> list[dict[str, Any]]:
    return [held_of(item, declared[item.resource].dimension) for item in demands if item.high != 0]
