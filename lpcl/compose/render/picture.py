"""The structure of an application as something to draw: what each operation does at the moment that is shown.

A picture of thousands of operations shows nothing; of a large application those are kept at which most
threads are runnable, with all that encloses them, and it is said how many are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from lpcl.compose.render.figures import Document, counted, figure, resource_name

OMITTED = "omitted"


def operations(steps: Any) -> Iterator[Document]:
    """Every operation below some steps, the processes that they start among them, in order."""
    for step in steps:
        if step["kind"] == "operation":
            yield step
            yield from operations(inner_steps(step))
        elif step["kind"] == "together":
            for member in step["members"]:
                yield from operations(member)


def inner_steps(operation: Document) -> Any:
    """What the executors of an operation go through, in a process of their own or not."""
    process = started_process(operation)
    return operation["steps"] if process is None else process["steps"]


def started_process(operation: Document) -> Any:
    """The process that each worker of an operation is; None where it starts none."""
    workers = operation["workers"]
    return workers["process"] if workers is not None and workers["kind"] == "processes" else None


def all_operations(structure: Document) -> Iterator[Document]:
    """Every operation of every process, in order."""
    for process in structure["processes"]:
        yield from operations(process["steps"])


def pruned(structure: Document, most: int) -> Document:
    """The structure with at most `most` operations; steps of kind ``omitted`` count the others."""
    every = list(all_operations(structure))
    if len(every) <= most:
        return structure
    parents: dict[str, str | None] = {}
    for process in structure["processes"]:
        _note_parents(process["steps"], None, parents)
    order = sorted(
        range(len(every)),
        key=lambda index: (-Fraction(every[index]["runnable"]), not every[index]["callers"], index),
    )
    kept: set[str] = set()
    for index in order:
        chain = []
        place: str | None = every[index]["place"]
        while place is not None and place not in kept:
            chain.append(place)
            place = parents[place]
        if len(kept) + len(chain) > most:
            break
        kept.update(chain)
    processes = [{**one, "steps": _kept_steps(one["steps"], kept)} for one in structure["processes"]]
    return {**structure, "processes": processes}


def _note_parents(steps: Any, parent: str | None, parents: dict[str, str | None]) -> None:
    for step in steps:
        if step["kind"] == "operation":
            parents[step["place"]] = parent
            _note_parents(inner_steps(step), step["place"], parents)
        else:
            for member in step["members"]:
                _note_parents(member, parent, parents)


def _kept_steps(steps: Any, kept: set[str]) -> list[Any]:
    found: list[Any] = []
    left_out = 0
    for step in steps:
        if step["kind"] == "together":
            members = [_kept_steps(member, kept) for member in step["members"]]
            shown = [member for member in members if any(one["kind"] != OMITTED for one in member)]
            hidden = sum(one["count"] for member in members if member not in shown for one in member)
            if shown:
                more = [[{"kind": OMITTED, "count": hidden}]] if hidden else []
                found.append({"kind": "together", "members": [*shown, *more]})
            else:
                left_out += hidden
        elif step["place"] not in kept:
            left_out += len(list(operations([step])))
        else:
            process = started_process(step)
            if process is None:
                found.append({**step, "steps": _kept_steps(step["steps"], kept)})
            else:
                inner = {**process, "steps": _kept_steps(process["steps"], kept)}
                found.append({**step, "workers": {**step["workers"], "process": inner}})
    if left_out:
        found.append({"kind": OMITTED, "count": left_out})
    return found


def name_of(operation: Document) -> str:
    """The operation as one calls it."""
    return f"{operation['library']}.{operation['operation']}"


def pool_name(pool: Document) -> str:
    """A pool with the library that carries a runtime of its own, where one does."""
    return str(pool["name"]) if pool["of"] is None else f"{pool['name']} of {pool['of']}"


def doing(operation: Document) -> str:
    """What the threads at an operation do at the moment that is shown."""
    callers = operation["callers"]
    if not callers:
        return "no thread is here at that moment"
    here = "1 thread is here" if callers == 1 else f"{figure(callers)} threads are here"
    several = callers != 1
    workers, pool = operation["workers"], operation["pool"]
    if workers is not None:
        what = "worker thread" if workers["kind"] == "threads" else "worker process"
        started = counted(workers["count"], what, "worker processes" if "process" in what else None)
        return f"{here}{', and each starts' if several else ' and starts'} {started}"
    if pool is None:
        return here
    size, name = figure(pool["threads"]), pool_name(pool)
    if pool["from_inside"]:
        return f"{here}, of the pool {name} itself: each goes on alone"
    match pool["callers"]:
        case "fork":
            return f"{here}{', each' if several else ''} with a team of {size} of its own ({name})"
        case "queue":
            waits = ": it serves one at a time, the others wait" if several and pool["threads"] != 1 else ""
            return f"{here}, for the pool {name} of {size}{waits}"
        case "submit":
            return f"{here}, {'all ' if several else ''}with work for the one pool {name} of {size}"
        case "join":
            return f"{here}, working beside the pool {name} of {size}"
        case _:
            return f"{here}, in the pool {name} of {size}, which allows one at a time"


def holding(document: Document, holds: Any) -> str:
    """What is held, or used at a time, in words; empty where there is nothing."""
    sums: dict[tuple[str, str, str], tuple[Fraction, Fraction]] = {}
    for item in holds:
        device = ""
        if item["device"] is not None:
            device = " on each device" if item["device"] == "all" else f" on device {figure(item['device'])}"
        key = (item["resource"], item["unit"], device)
        low, high = sums.get(key, (Fraction(0), Fraction(0)))
        sums[key] = (low + Fraction(item["low"]), high + Fraction(item["high"]))
    shown = []
    for (resource, unit, device), (low, high) in sums.items():
        amount = figure(_plain(high), unit)
        if low != high:
            amount = f"{figure(_plain(low), unit)} to {amount}"
        shown.append(f"{resource_name(document, resource)} {amount}{device}")
    return ", ".join(shown)


def load(operation: Document) -> str:
    """How many threads an operation keeps runnable in one copy of its process; empty for none."""
    shown = []
    if operation["runnable"]:
        shown.append(f"{figure(operation['runnable'])} runnable")
    if operation["spinning"]:
        shown.append(f"{figure(operation['spinning'])} spinning")
    return ", ".join(shown)


def process_load(process: Document) -> str:
    """How many copies of a process there are at the moment that is shown, and what is runnable in them."""
    copies = process["copies"]
    if not copies:
        return "none at that moment"
    runnable = Fraction(process["runnable"])
    if copies == 1:
        return f"{figure(_plain(runnable))} runnable"
    whole = runnable * Fraction(copies)
    each = figure(process["runnable"])
    return f"{figure(copies)} copies, {each} runnable in each: {figure(_plain(whole))}"


def _plain(amount: Fraction) -> int | str:
    return int(amount) if amount.denominator == 1 else str(amount)
