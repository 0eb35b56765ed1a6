"""What is the same of several devices, told once of all of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from lpcl.compose.amends import Amended
from lpcl.compose.assess import Assessment, Demanded
from lpcl.compose.findings import Finding
from lpcl.compose.sums import placed
from lpcl.compose.terms import Number

Demand = tuple[Demanded, Number | None, bool]
"""A sum, what an assumption that fails says is taken of it, and whether one does."""


def findings_together(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Findings that differ in nothing but the device become one about all of these devices."""
    groups: list[list[Finding]] = []
    for one in findings:
        same = next((group for group in groups if _alike(group[0], one)), None)
        if same is None:
            groups.append([one])
        else:
            same.append(one)
    return tuple(_of_all(group) for group in groups)


def _alike(one: Finding, other: Finding) -> bool:
    if one.device is None or other.device is None or one.resource != other.resource:
        return False
    return replace(one, where="", device=None, headline="") == replace(
        other, where="", device=None, headline=""
    )


def _of_all(group: Sequence[Finding]) -> Finding:
    first = group[0]
    if len(group) == 1:
        return first
    where = _named([one.device for one in group if one.device is not None])
    headline = first.headline.replace(placed(first.where), placed(where), 1)
    return replace(first, where=where, headline=headline)


def amended_together(amended: Iterable[Amended]) -> tuple[Amended, ...]:
    """Of findings that differ in the device alone, what would remove each of them."""
    groups: dict[object, list[Amended]] = {}
    for one in amended:
        device = one.finding.device
        key = id(one) if device is None else (one.finding.resource, tuple(item.text for item in one.remedies))
        groups.setdefault(key, []).append(one)
    return tuple(
        replace(group[0], finding=_of_all([one.finding for one in group])) for group in groups.values()
    )


def demands_together(demands: Iterable[Demand]) -> tuple[Demand, ...]:
    """Sums that differ in nothing but the device become one over all of these devices."""
    groups: dict[object, list[Demand]] = {}
    for one in demands:
        item, taken, short = one
        key: object = id(item)
        if item.sum.device is not None:
            key = item.sum.resource.qualified, item.sum.capacity, item.low, item.high, taken, short
        groups.setdefault(key, []).append(one)
    return tuple(_over_all(group) for group in groups.values())


def _over_all(group: Sequence[Demand]) -> Demand:
    item, taken, short = group[0]
    if len(group) == 1:
        return group[0]
    where = _named([one.sum.device for one, _, _ in group if one.sum.device is not None])
    return replace(item, sum=replace(item.sum, where=where)), taken, short


def _named(devices: Sequence[int]) -> str:
    first, *_, last = devices
    if list(devices) == list(range(first, last + 1)) and len(devices) > 2:
        return f"each of the devices {first} to {last}"
    *others, last = devices
    return f"each of the devices {', '.join(map(str, others))} and {last}"


def every_demand(assessment: Assessment) -> Iterable[Demand]:
    """Every sum, with what an assumption that fails says is taken of it, and whether one does."""
    concerned = {
        (item.sum.resource.qualified, item.sum.where): (item, taken) for item, taken in assessment.concerned
    }
    for item in assessment.demands:
        _, taken = found = concerned.pop((item.sum.resource.qualified, item.sum.where), (None, None))
        yield item, taken, found[0] is not None
    for item, taken in concerned.values():
        yield item, taken, True
