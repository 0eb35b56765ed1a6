"""The words of the language that stand in a contract's expressions, and what they mean."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from lpcl.catalogue.sheets import Sheet
from lpcl.model.machine import DERIVED, FACTS

KERNEL = "https://docs.kernel.org/scheduler/sched-stats.html"
PRESSURE = "https://docs.kernel.org/accounting/psi.html"


@dataclass(frozen=True, slots=True)
class Term:
    """A word, what it means in Markdown, and a page about it, if it needs one."""

    word: str
    meaning: str
    address: str | None = None


_MACHINE = {
    "cpus.affinity": "CPUs in the process's affinity mask, which `taskset` and a container's `cpuset` narrow",
    "cpus.quota": "CPU time that the control group allows, in CPUs: `docker --cpus`, Kubernetes' CPU limit",
    "cpus.physical": "physical cores of the machine: two hyper-threads are one",
    "memory.limit": "memory that the control group allows: a container's `--memory`",
}
"""Figures of a machine that deserve more than `FACTS` says of them."""

_MEASURED: Mapping[str, tuple[str, str | None]] = {
    "process.run_delay": (
        "how long the program's threads were ready to run and waited for a CPU "
        "(second figure of `/proc/PID/schedstat`)",
        KERNEL,
    ),
    "process.run_time": ("how long its threads ran on a CPU (first figure of `/proc/PID/schedstat`)", KERNEL),
    "process.wall": ("time that passed", None),
    "process.runnable": ("the largest number of its threads that were ready to run at a moment", None),
    "process.threads": ("the largest number of its threads", None),
    "process.processes": ("the largest number of its processes", None),
    "process.rss": ("its memory that is resident", None),
    "process.voluntary_switches": ("how often its threads gave up their CPU by themselves", None),
    "process.involuntary_switches": ("how often its threads were made to leave their CPU", None),
    "process.faults": ("page faults", None),
    "cgroup.throttled_share": ("share of the time in which the CPU quota held the control group up", None),
    "pressure.cpu": ("share of the time in which something waited for a CPU", PRESSURE),
    "pressure.memory": ("share of the time in which something waited for memory", PRESSURE),
    "pressure.io": ("share of the time in which something waited for input or output", PRESSURE),
}
"""What signals measure, and where the kernel tells of it."""

_FUNCTIONS = {
    "defined": "whether a variable is set at all",
    "loaded": "whether a library is loaded in the process",
    "threadpool": "what the Python package threadpoolctl tells of a library's pool",
}


def meanings() -> Mapping[str, Term]:
    """All words by themselves."""
    found: dict[str, Term] = {}
    for path, fact in FACTS.items():
        found[f"machine.{path}"] = Term(f"machine.{path}", _MACHINE.get(path, fact.meaning))
    for path, meaning in DERIVED.items():
        found[f"machine.{path}"] = Term(f"machine.{path}", meaning)
    for word, (meaning, address) in _MEASURED.items():
        found[word] = Term(word, meaning, address)
    for word, meaning in _FUNCTIONS.items():
        found[word] = Term(f"{word}(…)", meaning)
    return found


def terms(sheets: Sequence[Sheet]) -> tuple[Term, ...]:
    """The words that stand in contracts, in the order of `meanings`, and whose names `NAME.` stands for."""
    said: set[str] = set()
    aliases: dict[str, str] = {}
    for sheet in sheets:
        here = set(re.findall(r"[A-Za-z_][\w.]*", " ".join(_expressions(sheet))))
        said |= here
        heads = {word.partition(".")[0] for word in here if "." in word}
        for item in sheet.uses:
            alias = item.text.partition(":")[0].split(" ")[0]
            if item.library and alias != item.library and alias in heads:
                aliases[alias] = item.library
    found = [term for word, term in meanings().items() if word in said]
    if any(do.is_workers for sheet in sheets for item in sheet.operations for do in item.does):
        found.append(Term("block", "what workers do: the function or the body that the program hands over"))
    found += [
        Term(item.name, " ".join((item.doc or "a resource of the library's own").split()))
        for item in dict.fromkeys(item for sheet in sheets for item in sheet.resources)
    ]
    found += [
        Term(f"{let.name} of {item.library}", let.words)
        for item in {one.library: one for sheet in sheets for one in sheet.borrowed}.values()
        for let in item.lets
    ]
    found += [
        Term(f"{effect.subject} in {operation.name}", effect.words.partition(" is ")[2])
        for sheet in sheets[:1]
        for operation in sheet.operations
        for effect in operation.does
        if effect.kind == "let"
    ]
    found += [
        Term(f"{alias}.…", f"what {library} has by that name; its own page says more")
        for alias, library in aliases.items()
    ]
    return tuple(found)


def _expressions(sheet: Sheet) -> Iterable[str]:
    for control in sheet.controls:
        yield from (control.type, control.default or "")
    for let in sheet.lets:
        yield let.value
    for pool in (*sheet.pools, *(item.pool for item in sheet.borrowed)):
        yield from (pool.size or "", pool.existing or "", pool.idle)
    for borrowed in sheet.borrowed:
        yield from (borrowed.size or "", *(item.default or "" for item in borrowed.controls))
        yield from (item.value for item in borrowed.lets)
    for operation in sheet.operations:
        yield from operation.parameters
        for effect in operation.does:
            yield from (effect.text, *effect.inner)
    yield from sheet.on_load
    yield from (item.text for item in sheet.demands)
    yield from (item.condition for item in sheet.hazards)
    yield from (item.condition for item in sheet.assumes)
    yield from (item.text for item in sheet.signals)
