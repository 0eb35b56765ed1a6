"""`lpcl.compose.meaning` against plain enumeration of snapshots, on random applications."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, Phase, given, reject, settings
from hypothesis import strategies as st

from lpcl.compose.meaning import peak
from lpcl.compose.measures import (
    CallersMeasure,
    CpuMeasure,
    HeldMeasure,
    Measure,
    PoolCallersMeasure,
    ProcessMeasure,
    ThreadMeasure,
)
from lpcl.compose.placement import amount, snapshot
from lpcl.compose.structure import Process, all_activities, processes
from tests.property.enumeration import Amount, Enumeration, Present, TooManySnapshots
from tests.property.trees import DEVICES, RESOURCES, describe, trees, used_pools

EXAMPLES = os.environ.get("LPCL_EXAMPLES")

PROFILE = settings(
    max_examples=int(EXAMPLES or 250),
    derandomize=EXAMPLES is None,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.explicit, Phase.generate, Phase.shrink),
)


def questions(root: Process, process: Process, plain: Enumeration) -> Iterator[tuple[Measure, Amount]]:
    """Every measure of one copy of a process of `root`, with the amount that enumeration finds."""
    for bound in ("low", "high"):
        for spinning in (True, False):
            yield CpuMeasure(bound, spinning=spinning), plain.cpu(process, bound, spinning=spinning)
        for resource in RESOURCES:
            for device in (None, *DEVICES) if resource == "gpu" else (None,):
                measure = HeldMeasure(bound, resource=resource, device=device)
                yield measure, plain.held(process, resource, device, bound)
    yield CpuMeasure(follows=False), plain.cpu(process, "high", follows=False)
    yield ThreadMeasure(), plain.threads(process)
    yield ThreadMeasure("low"), plain.threads(process, "low")
    yield ThreadMeasure(follows=False), plain.threads(process, follows=False)
    yield ProcessMeasure(), plain.processes(process)
    for activity in all_activities(root):
        yield CallersMeasure(place=activity.place.id), plain.callers(process, activity.place.id)
    for pool in used_pools(root):
        yield PoolCallersMeasure(pool=pool.key), plain.pool_callers(process, pool.key)


def compare(root: Process, present: Present) -> None:
    """Hold each measure of each process against enumeration, and against the snapshot that is found."""
    plain = Enumeration(present, limit=3_000)
    for process in processes(root):
        for measure, expected in questions(root, process, plain):
            found = peak(process, measure, present)
            laid_out = amount(snapshot(process, found.placements, present=present), measure, present)
            if found.amount != expected or laid_out != expected:
                pytest.fail(
                    f"{measure} of {process.name}, present {'all' if present is None else sorted(present)}:\n"
                    f"enumerated {expected}, peak {found.amount}, its snapshot {laid_out}\n{describe(root)}",
                    pytrace=False,
                )


@PROFILE
@given(trees())
def test_peak_is_the_largest_snapshot(root: Process) -> None:
    try:
        compare(root, None)
    except TooManySnapshots:
        reject()


@PROFILE
@given(trees(), st.data())
def test_peak_of_some_participants(root: Process, data: st.DataObject) -> None:
    ids = sorted(activity.place.id for activity in all_activities(root))
    present = data.draw(st.frozensets(st.sampled_from(ids)))
    try:
        compare(root, present)
    except TooManySnapshots:
        reject()
