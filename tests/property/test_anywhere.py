"""On which machines something is wrong, held against asking each machine in range in turn."""

from __future__ import annotations

import os
from collections.abc import Mapping
from itertools import product

from hypothesis import HealthCheck, given, note, settings

from lpcl.compose.anywhere import Anywhere, Somewhere, anywhere
from lpcl.compose.assess import assess
from lpcl.compose.composition import composed
from lpcl.compose.findings import Kind
from lpcl.compose.joint import parts
from lpcl.compose.machine import MachineView
from lpcl.compose.machines import Machines, free
from lpcl.compose.refusal import Refusal
from lpcl.compose.settings import Settings
from lpcl.compose.suspects import Key, key_of
from lpcl.model.program import Declared, Program
from tests.property.applications import applications, program_of

EXAMPLES = int(os.environ.get("LPCL_EXAMPLES", "400")) // 10
"""A tenth of what other properties get: each application is asked about many machines."""
FIGURES = (free("cpus.online", 1, 5), free("memory.total", 1, 4), free("limits.threads", 2, 5))
Machine = tuple[int, ...]
ALL: tuple[Machine, ...] = tuple(product(*(range(item.low, item.high + 1) for item in FIGURES)))


def _enumerated(program: Program, declared: Declared) -> Mapping[Key | None, set[Machine]]:
    """The machines on which each finding is there, or on which there is no composition."""
    found: dict[Key | None, set[Machine]] = {}
    for values in ALL:
        facts = {item.path: value for item, value in zip(FIGURES, values, strict=True)}
        try:
            one = composed(program, parts([(declared, Settings())]), MachineView("one", facts, {}))
            assessment = assess(one.elaborated, one.context, explain=False)
        except Refusal:
            found.setdefault(None, set()).add(values)
            continue
        for finding in assessment.findings:
            if finding.kind is not Kind.UNDERUSE:
                found.setdefault(key_of(finding), set()).add(values)
    return found


def _said(one: Somewhere, values: Machine) -> bool | None:
    """Whether what is said of the machines holds of one; None where nothing is said of it."""
    extent = one.extent
    assert extent is not None
    amounts = {item.path: value for item, value in zip(FIGURES, values, strict=True)}
    if extent.holds == "everywhere":
        return True
    if extent.ranges is not None:
        return all(
            any(run.low <= amounts[path] <= run.high for run in runs) for path, runs in extent.ranges.items()
        )
    for value, runs in extent.rows:
        first, second = extent.figures
        if amounts[first.path] == value:
            return any(run.low <= amounts[second.path] <= run.high for run in runs)
    return None


@settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
@given(applications())
def test_regions_and_enumeration_agree(text: str) -> None:
    """Every finding, on just the machines on which it is, with the smallest of them."""
    note(text)
    program = program_of(text)
    declared = program.declarations["random.app"][0]
    machines = Machines(MachineView("some", {}, {}), FIGURES)
    expected = _enumerated(program, declared)
    try:
        told: Anywhere = anywhere(program, parts([(declared, Settings())]), machines)
    except Refusal:
        assert expected == {None: set(ALL)}
        return
    assert told.decided
    assert {one.key for one in told.found} == set(expected)
    for one in told.found:
        where = expected[one.key]
        smallest = tuple(one.smallest[item.path] for item in FIGURES)
        assert smallest == min(where)
        for values in ALL:
            assert _said(one, values) in (values in where, None), (one.key, values, one.extent)
    over = {key.resource for key in expected if key is not None and key.kind is Kind.OVERCOMMIT}
    assert not over & {resource.qualified for resource in told.never}
