"""Minimal sets of participants, held against looking at every set there is."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from lpcl.compose.involved import minimal_participants
from lpcl.compose.measures import Bound, CpuMeasure, HeldMeasure, Measure, ThreadMeasure
from lpcl.compose.structure import Process, all_activities, processes
from tests.property.applications import composed
from tests.property.enumeration import Amount, Enumeration, TooManySnapshots
from tests.property.test_meaning import PROFILE
from tests.property.trees import describe, trees

MOST_PLACES = 7

Sets = frozenset[frozenset[str]]


def places(root: Process) -> list[str]:
    """Everything that can be taken out of an application."""
    found = [activity.place.id for activity in all_activities(root)]
    found += [process.starter.id for process in processes(root) if process.starter is not None]
    return list(dict.fromkeys(found))


def asked(root: Process, measure: Measure, present: frozenset[str]) -> Amount:
    """What the application asks for when only these participants are there, by plain enumeration."""
    plain = Enumeration(present, limit=2_000)
    if isinstance(measure, ThreadMeasure):
        return plain.threads(root, measure.bound)
    if isinstance(measure, HeldMeasure):
        return plain.held(root, measure.resource, measure.device, measure.bound)
    return plain.cpu(root, measure.bound)


@PROFILE
@given(trees(), st.sampled_from(["cpu", "memory", "threads"]), st.sampled_from(["low", "high"]), st.data())
def test_all_minimal_sets_are_found(root: Process, resource: str, bound: Bound, data: st.DataObject) -> None:
    """Each set suffices and loses that with any member; no other set does, where more never asks for less."""
    measure: Measure = CpuMeasure(bound)
    if resource == "memory":
        measure = HeldMeasure(bound, resource="memory")
    elif resource == "threads":
        measure = ThreadMeasure(bound)
    everyone = places(root)
    if len(everyone) > MOST_PLACES:
        reject()
    subsets = [frozenset(some) for size in range(len(everyone) + 1) for some in combinations(everyone, size)]
    try:
        amounts = {some: asked(root, measure, some) for some in subsets}
    except TooManySnapshots:
        reject()
    whole = amounts[frozenset(everyone)]
    capacity = data.draw(st.integers(0, max(0, int(whole) - 1)))
    if whole <= capacity:
        reject()
    expected = {
        some
        for some in subsets
        if amounts[some] > capacity and all(amounts[some - {one}] <= capacity for one in some)
    }
    grows = all(amounts[some - {one}] <= amounts[some] for some in subsets for one in some)
    found = minimal_participants(root, measure, Fraction(capacity))
    reported = {frozenset(one) for one in found.sets}
    wrong = reported - expected if not (grows and found.complete) else reported ^ expected
    if wrong:
        pytest.fail(
            f"{measure} over {capacity}: found {sorted(map(sorted, reported))}, "
            f"there are {sorted(map(sorted, expected))}, grows {grows}\n{describe(root)}",
            pytrace=False,
        )


def test_a_set_is_minimal_where_fewer_ask_for_more() -> None:
    """`omp.small` replaces what `omp.big` left behind; without it, the team of `omp.big` goes on spinning."""
    text = """
package random
import lpcl.core.*
contract par { operation threads(n: count) { workers threads n } }
contract omp {
  pool team {
    size 1  existing 2 * size  callers fork  caller waits  threads coupled  created at first use  idle spins
  }
  operation big { runs on team with size = 2 }
  operation small { runs on team with size = 1 }
}
machine m { cpus.online = 4 }
application app {
  machine m
  use par, omp
  run { par.threads(n = 2) { par.threads(n = 2) { omp.big omp.small } } }
}
"""
    composition = composed(text)
    assert composition is not None
    root = composition.elaborated.root
    measure = CpuMeasure("low")
    found = minimal_participants(root, measure, Fraction(4))
    for one in found.sets:
        assert asked(root, measure, frozenset(one)) > 4
        assert all(asked(root, measure, frozenset(one) - {member}) <= 4 for member in one)
    assert found.sets
    assert not found.complete
