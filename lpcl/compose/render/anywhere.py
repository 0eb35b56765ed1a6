"""On which machines something is wrong, for a person to read and for programs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from lpcl.compose.anywhere import Anywhere, Somewhere
from lpcl.compose.extent import Extent, Range
from lpcl.compose.findings import Finding
from lpcl.compose.machine import ANY_MACHINE
from lpcl.compose.machines import Free, natural
from lpcl.compose.render.encode import origin_of, plain, unit
from lpcl.compose.render.json import finding_of
from lpcl.compose.render.text import Paint, detail, title_of
from lpcl.compose.sums import placed
from lpcl.compose.terms import Number
from lpcl.model.machine import FACTS
from lpcl.model.quantities import BYTES, show

VERSION = 1
MOST_SHOWN = 3
"""Ranges of one figure that are written out."""

_NOUNS = {
    "cpus.online": ("CPU", "CPUs"),
    "cpus.affinity": ("CPU in the affinity mask", "CPUs in the affinity mask"),
    "cpus.quota": ("CPU of quota", "CPUs of quota"),
    "cpus.physical": ("physical core", "physical cores"),
    "gpus": ("GPU", "GPUs"),
}
_AMOUNTS = {
    "memory.total": "memory",
    "memory.limit": "memory allowed",
    "memory.bandwidth": "memory bandwidth",
    "shm": "/dev/shm",
    "gpu.memory": "memory on each GPU",
    "limits.address_space": "address space allowed",
    "limits.locked_memory": "locked memory allowed",
}


def render(told: Anywhere, *, colour: bool = False) -> str:
    """The whole report for a terminal, ending in a newline."""
    return "\n".join(_report(told, Paint(colour))) + "\n"


def _report(told: Anywhere, paint: Paint) -> Iterator[str]:
    bounds = bounds_of(told)
    yield paint(told.title, "1") + f" on {told.machines.base.title}{', with' if bounds else ''}"
    for path, text in bounds:
        yield f"  {path} {text}"
    for one in told.found:
        yield ""
        yield from _somewhere(one, paint)
    yield ""
    if told.never:
        names = [resource.name for resource in told.never]
        yield f"On no machine in range over-committed: {', '.join(names)}."
    if not told.decided:
        yield "There may be more: the allowed work did not suffice to look at all machines in range."
    elif not told.found:
        yield "Nothing is wrong with it on any machine in range."


def bounds_of(told: Anywhere) -> tuple[tuple[str, str], ...]:
    """The figures of the machines in range that matter or were asked for: their values, or their ranges."""
    base = told.machines.base
    found: list[tuple[str, str]] = []
    for path, amount in (base.facts if base.name == ANY_MACHINE else {}).items():
        if isinstance(amount, int | Fraction):
            found.append((path, f"= {show(amount, FACTS[path].dimension)}"))
    for item in told.machines.figures:
        if item in told.figures or item != natural(item.path):
            low, high = (
                show(item.amount(step), FACTS[item.path].dimension) for step in (item.low, item.high)
            )
            found.append((item.path, f"in {low}..{high}"))
    return tuple(found)


def _somewhere(one: Somewhere, paint: Paint) -> Iterator[str]:
    shown = one.shown
    title = title_of(shown, paint) if isinstance(shown, Finding) else paint(f"error[{shown.code}]", "31;1")
    yield f"{title} {paint(f'{subject(one)}: {where(one.extent)}', '1')}"
    if one.extent is not None:
        for value, ranges in one.extent.rows:
            first, second = one.extent.figures
            yield f"  {with_amounts(first, (Range(value, value),))}: {with_amounts(second, ranges)}"
    if isinstance(shown, Finding):
        yield f"  the smallest of them, {machine(one)}: {shown.headline}"
        yield from detail(shown)
    else:
        yield f"  the smallest of them: {machine(one)}"
        yield f"  help: {shown.help}" if shown.help else "  help: it cannot be composed there"


def subject(one: Somewhere) -> str:
    """What is wrong, without the figures that differ from machine to machine."""
    finding = one.shown
    if not isinstance(finding, Finding):
        return finding.headline
    if finding.resource_name is not None:
        scope = "" if finding.where == "machine" else f" {placed(finding.where)}"
        return f"{finding.resource_name}{scope}"
    if finding.pool is not None and finding.capacity_origin is not None and finding.effect != "hangs":
        return "more callers than a pool serves"
    return finding.headline


def where(extent: Extent | None) -> str:
    """On which machines, as one would say it."""
    if extent is None:
        return "on some machines in range; on which ones is not decided"
    if extent.holds == "everywhere":
        return "on all machines in range"
    if extent.ranges is not None:
        parts = [with_amounts(item, extent.ranges[item.path]) for item in extent.figures]
        return f"on every machine with {' and '.join(parts)}"
    names = [item.path for item in extent.figures]
    return f"on some machines, as {', '.join(names[:-1])} and {names[-1]} together decide"


def machine(one: Somewhere) -> str:
    """The figures of the smallest machine that decide, or all that are free where they are not known."""
    paths = [item.path for item in one.extent.figures] if one.extent is not None else []
    chosen = paths or list(one.smallest)[:1]
    return ", ".join(f"{path} = {show(one.smallest[path], FACTS[path].dimension)}" for path in chosen)


def with_amounts(item: Free, ranges: Sequence[Range]) -> str:
    """Ranges of a figure as one says them, the first few of many."""
    shown = [_one(item, one) for one in ranges[:MOST_SHOWN]]
    return ", or ".join(shown) + (", and so on" if len(ranges) > MOST_SHOWN else "")


def _one(item: Free, one: Range) -> str:
    """A range of a figure as one says it: ``more than 2 CPUs``, ``less than 3 GiB of memory``."""
    step = item.amount(1)
    dimension = FACTS[item.path].dimension
    least, most = item.amount(item.low), item.amount(item.high)
    low, high = show(one.low, dimension), show(one.high, dimension)
    if one.low == one.high:
        return _amount(item, "", low, one.low)
    if one.low == least and one.high == most:
        return _amount(item, "any ", "", None)
    if one.high == most:
        below = show(one.low - step, dimension)
        if item.path in _NOUNS or len(below) < len(low):
            return _amount(item, "more than ", below, one.low - step)
        return _amount(item, "at least ", low, one.low)
    if one.low == least:
        above = show(one.high + step, dimension)
        if dimension == BYTES and len(above) <= len(high):
            return _amount(item, "less than ", above, one.high + step)
        return _amount(item, "at most ", high, one.high)
    return _amount(item, "", f"{low} to {high}", one.high)


def _amount(item: Free, how: str, text: str, value: Number | None) -> str:
    if item.path in _NOUNS:
        noun = _NOUNS[item.path][0 if value == 1 else 1]
        return f"{how}{text}{' ' if text else ''}{noun}"
    if item.path in _AMOUNTS:
        return f"{how}{text} of {_AMOUNTS[item.path]}" if text else f"{how}amount of {_AMOUNTS[item.path]}"
    return f"{item.path} of {how}{text}" if text else f"any {item.path}"


# -------------------------------------------------------------- JSON


def render_json(told: Anywhere) -> str:
    """The answer as one JSON object, ending in a newline; ``docs/reference/compose-json.md`` describes it."""
    return json.dumps(document(told), indent=2, ensure_ascii=False) + "\n"


def document(told: Anywhere) -> dict[str, Any]:
    """The object itself."""
    return {
        "version": VERSION,
        "title": told.title,
        "machines": {
            "name": told.machines.base.name,
            "facts": {name: plain(value) for name, value in sorted(told.machines.base.facts.items())},
            "ranges": [_free(item) for item in told.machines.figures],
            "matter": [item.path for item in told.figures],
        },
        "findings": [_finding(one) for one in told.found],
        "never_over_committed": [resource.qualified for resource in told.never],
        "decided": told.decided,
    }


def _free(item: Free) -> dict[str, Any]:
    return {
        "figure": item.path,
        "low": plain(item.amount(item.low)),
        "high": plain(item.amount(item.high)),
        "unit": unit(FACTS[item.path].dimension),
        "clause": origin_of(item.origin),
    }


def _finding(one: Somewhere) -> dict[str, Any]:
    shown = one.shown
    extent = one.extent
    said: dict[str, Any]
    if isinstance(shown, Finding):
        said = finding_of(shown)
    else:
        said = {
            "kind": "refused",
            "severity": shown.severity.value,
            "code": shown.code,
            "headline": shown.headline,
        }
    ranges = None if extent is None or extent.ranges is None else extent.ranges
    return {
        "on": "not decided" if extent is None else extent.holds,
        "text": where(extent),
        "figures": [] if extent is None else [item.path for item in extent.figures],
        "ranges": None if ranges is None else {path: _ranges(some) for path, some in ranges.items()},
        "more_ranges": extent is not None and extent.more,
        "rows": []
        if extent is None
        else [{"value": plain(value), "ranges": _ranges(some)} for value, some in extent.rows],
        "smallest": {path: plain(amount) for path, amount in one.smallest.items()},
        "finding": said,
    }


def _ranges(some: Sequence[Range]) -> list[list[Any]]:
    return [[plain(one.low), plain(one.high)] for one in some]
