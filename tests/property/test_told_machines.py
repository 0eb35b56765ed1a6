"""Ranges of machines as a person writes them, held against composing each of these machines by itself."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from itertools import product

from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from lpcl.compose.anywhere import Somewhere, anywhere
from lpcl.compose.assess import assess
from lpcl.compose.composition import composed, machine_of
from lpcl.compose.findings import Kind
from lpcl.compose.joint import parts
from lpcl.compose.machine import MachineView
from lpcl.compose.machines import Machines
from lpcl.compose.ranging import machines_of
from lpcl.compose.refusal import Refusal
from lpcl.compose.settings import Settings
from lpcl.compose.suspects import Key, key_of
from lpcl.compose.terms import Number
from lpcl.model.machine import AT_MOST, FACTS
from lpcl.model.program import Declared, Program
from tests.property.applications import applications, program_of

EXAMPLES = max(2, int(os.environ.get("LPCL_EXAMPLES", "120")) // 10)
"""A tenth of what other properties get: each application is asked about many machines."""
RANGES = (
    "cpus.online=1..4",
    "cpus.affinity=1..3",
    "cpus.quota=1.99..2.01",
    "cpus.quota=0.5",
    "memory.total=1 B..4 B",
    "memory.limit=1 B..3 B",
    "limits.threads=2..5",
    "gpus=0..3",
    "gpu.memory=0 B..3 B",
    "gpu.memory=2 B",
)
HOST = MachineView("host", {"cpus.online": 1}, {})
Point = Mapping[str, Number]


def figure_of(text: str) -> str:
    """The figure that a range is of."""
    return text.partition("=")[0]


def every_machine(machines: Machines) -> Iterator[Point]:
    """The free figures of each machine that there can be."""
    figures = machines.figures
    for values in product(*(range(item.low, item.high + 1) for item in figures)):
        point = {item.path: item.amount(steps) for item, steps in zip(figures, values, strict=True)}
        view = MachineView("one", {**machines.base.facts, **point}, {})
        stated = ((view.facts.get(part), view.fact(whole)) for part, whole in AT_MOST.items())
        if all(one is None or most is None or one <= most for one, most in stated):  # type: ignore[operator]
            yield point


def keys_on(program: Program, declared: Declared, facts: Mapping[str, object]) -> set[Key | None]:
    """What is wrong on one machine; None where there is no composition."""
    try:
        one = composed(program, parts([(declared, Settings())]), MachineView("one", facts, {}))  # type: ignore[arg-type]
        findings = assess(one.elaborated, one.context, explain=False).findings
    except Refusal:
        return {None}
    return {key_of(finding) for finding in findings if finding.kind is not Kind.UNDERUSE}


def said(one: Somewhere, point: Point) -> bool | None:
    """Whether what is said of the machines holds of one; None where nothing is said of it."""
    extent = one.extent
    assert extent is not None
    if extent.holds != "somewhere":
        return extent.holds == "everywhere"
    if extent.ranges is not None:
        inside = all(
            any(run.low <= point[path] <= run.high for run in runs) for path, runs in extent.ranges.items()
        )
        return None if extent.more and not inside else inside
    for value, runs in extent.rows:
        first, second = extent.figures
        if point[first.path] == value:
            return any(run.low <= point[second.path] <= run.high for run in runs)
    return None


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(applications(), st.lists(st.sampled_from(RANGES), min_size=1, max_size=3, unique_by=figure_of))
def test_what_is_told_of_machines_in_ranges_is_so(text: str, ranges: list[str]) -> None:
    """Each finding is on just those machines of the ranges that are told, and on the smallest one."""
    note(f"{ranges}\n{text}")
    program = program_of(text)
    declared = program.declarations["random.app"][0]
    if not any(".." in one for one in ranges):
        ranges = [*ranges, "limits.threads=2..5"]
    machines = machines_of(program, declared, None, HOST, ranges)
    assert machines is not None
    stated = machine_of(program, declared, HOST)
    chosen = {figure_of(one) for one in ranges}
    for path, value in stated.facts.items():
        follows = FACTS[path].follows
        if path not in chosen and follows not in chosen:
            assert machines.base.facts[path] == value
    points = [tuple(point.items()) for point in every_machine(machines)]
    expected: dict[Key | None, set[tuple[tuple[str, Number], ...]]] = {}
    for point in points:
        for key in keys_on(program, declared, {**machines.base.facts, **dict(point)}):
            expected.setdefault(key, set()).add(point)
    try:
        told = anywhere(program, parts([(declared, Settings())]), machines)
    except Refusal:
        assert expected == ({None: set(points)} if points else {})
        return
    assert told.decided
    assert {one.key for one in told.found} == set(expected)
    for one in told.found:
        where = expected[one.key]
        assert tuple(one.smallest.items()) == min(where, key=lambda point: [value for _, value in point])
        for point in points:
            assert said(one, dict(point)) in (point in where, None), (one.key, point, one.extent)
    over = {key.resource for key in expected if key is not None and key.kind is Kind.OVERCOMMIT}
    assert not over & {resource.qualified for resource in told.never}
