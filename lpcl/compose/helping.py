"""What is said beside an over-commit: what comes of it, what helps, and what nothing has looked at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lpcl.compose.figures import COUNTED
from lpcl.compose.findings import Entry, Finding
from lpcl.compose.meaning import number
from lpcl.compose.measures import Bound, Measure
from lpcl.compose.placement import ProcessSnapshot, lines
from lpcl.compose.resources import CPU, Resource
from lpcl.compose.structure import Activity, Process, ProcessWorkers, activities, processes
from lpcl.compose.sums import Sum
from lpcl.compose.terms import Value
from lpcl.model.quantities import PLAIN, show

MOST_ADVISED = 3
"""Places that an advice names."""


def overlooked_quota(finding: Finding, ledger: Sequence[Entry]) -> Iterator[str]:
    """That what sets the sizes counts CPUs, and not the quota that they are too many for, if it is so."""
    if finding.resource != CPU or not (finding.capacity_text or "").startswith("cpus.quota,"):
        return
    waiting = [reason for entry in ledger for reason in entry.reasons]
    read: dict[str, Value] = {}
    while waiting:
        reason = waiting.pop()
        waiting.extend(reason.because)
        read |= {name: value for name, value in reason.facts if name.startswith("cpus")}
    if read and not read.keys() & {"cpus", "cpus.quota"}:
        counted = " and ".join(
            f"machine.{name} = {COUNTED.show(value)}" for name, value in sorted(read.items())
        )
        assert finding.capacity is not None
        yield f"the sizes follow from {counted}: the quota of {show(finding.capacity)} CPUs is not looked at"


def singular(name: str) -> str:
    """The name of a counted resource for one of it: a thread, a process."""
    return name.removesuffix("es") if name.endswith("sses") else name.removesuffix("s")


def consequences(resource: Resource) -> tuple[str, ...]:
    """What a resource's declaration says behind its first sentence, where too much of it fails."""
    _, _, more = " ".join((resource.node.doc or "").split()).partition(". ")
    return (more.removesuffix("."),) if resource.fails and more else ()


def advice(item: Sum, bound: Bound, shot: ProcessSnapshot, excess: str) -> str:
    """What would make a sum smaller by `excess`, in the snapshot that asks for most."""
    resource = item.resource
    if resource.dimension == PLAIN:
        excess = f"{excess} {resource.name if excess != '1' else singular(resource.name)}"
    if bound == "high":
        return f"lower what sets these bounds by at least {excess} in all, so that it can never be too much"
    inside = list(_at_work(shot))
    asking = set(_asking(shot, item.measure(bound)))
    workers = [
        f"`{activity.place}`"
        for activity in inside
        if activity.workers is not None and activity.workers.count != 1 and _multiplies(activity, asking)
    ]
    pools = [
        f"{activity.pool.pool} in `{activity.place}`"
        for activity in inside
        if activity.pool is not None and not activity.pool.own_thread and activity.pool.size != 1
    ]
    if resource.fails:
        fewer = f", for instance with fewer workers of {first_few(workers)}" if workers else ""
        return f"ask for at least {excess} less at once{fewer}"
    what = []
    if workers:
        what.append(f"the number of workers of {first_few(workers)}")
    if pools:
        what.append(f"the size of {first_few(pools)}")
    return f"lower {', or '.join(what)}" if what else f"ask for {excess} less at once"


def relief(background: str, excess: str) -> str:
    """What would help where others use more than there is, so that nothing of the application's own would."""
    return (
        f"others use {background}, more than there is, so that whatever is asked for is too much: "
        f"let them use at least {excess} less, or take a machine with as much more"
    )


def _asking(shot: ProcessSnapshot, measure: Measure) -> Iterator[Process | str]:
    """The processes, and the ids of the places in them, that something is asked for in."""
    if not number(shot.copies):
        return
    for line in lines(shot, measure):
        if number(line.amount):
            yield shot.process
            if line.activity is not None:
                yield line.activity.place.id
    if measure.follows:
        for child in shot.children:
            yield from _asking(child, measure)


def _multiplies(activity: Activity, asking: set[Process | str]) -> bool:
    """Whether the workers of an activity are a factor of what is asked for."""
    if isinstance(activity.workers, ProcessWorkers):
        return any(process in asking for process in processes(activity.workers.process))
    inside = () if activity.body is None else tuple(activities(activity.body))
    return any(one.place.id in asking for one in (activity, *inside))


def _at_work(shot: ProcessSnapshot) -> Iterator[Activity]:
    """The activities that have callers in a snapshot, and those whose pools they have left behind."""
    if not number(shot.copies):
        return
    for line in shot.standings:
        for place in (*line.passed.teams, *line.passed.pools):
            yield shot.process.index[place]
        if line.activity is not None and number(line.callers):
            yield line.activity
    for child in shot.children:
        yield from _at_work(child)


def first_few(names: Sequence[str]) -> str:
    """The first few of some names, each once."""
    several = list(dict.fromkeys(names))
    if len(several) > MOST_ADVISED:
        return f"{', '.join(several[:MOST_ADVISED])} and {len(several) - MOST_ADVISED} more"
    *others, last = several
    return f"{', '.join(others)} and {last}" if others else last
