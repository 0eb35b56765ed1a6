"""Whatever the runs give, a session ends within its budget, can stop anywhere, and treats all alike."""

from __future__ import annotations

from itertools import product
from statistics import median

from hypothesis import given, settings
from hypothesis import strategies as st

from lpcl.tune.configurations import with_argument
from lpcl.tune.design import Design, Entrant, room_for
from lpcl.tune.options import Options
from lpcl.tune.ranks import ratio_interval, spread
from lpcl.tune.records import RunRecord

outcomes = st.floats(0.01, 100) | st.sampled_from(["crashed", "timed_out", "no_metric"])


@settings(max_examples=150, deadline=None)
@given(
    st.integers(0, 6),
    st.integers(1, 6),
    st.integers(3, 80) | st.none(),
    st.integers(0, 5),
    st.sampled_from(["less", "more"]),
    st.data(),
)
def test_a_session_ends_within_its_budget_and_can_be_stopped_anywhere(
    count: int, repeat: int, budget: int | None, seed: int, direction: str, data: st.DataObject
) -> None:
    entrants = [Entrant(f"c{number}", number) for number in range(count)]
    design = Design.of(entrants, Options(budget=budget, repeat=repeat, seed=seed), direction)  # type: ignore[arg-type]
    records: list[RunRecord] = []
    while (state := design.progress(records)).next is not None:
        step = state.next
        assert state.used == len(records) < design.budget
        assert state.used < state.expected <= design.budget
        assert all(
            (item.phase, item.round, item.config) != (step.phase, step.round, step.config) for item in records
        )
        assert step.config == "now" or step.config in state.live
        outcome = data.draw(outcomes)
        ok = isinstance(outcome, float)
        records.append(
            RunRecord(
                step.phase,
                step.round,
                step.config,
                "ok" if ok else outcome,
                outcome if ok else None,
                1.0,
                10.0,
                "",
            )
        )
        assert len(records) <= design.budget
    gone = [departure.config for departure in state.departures]
    assert len(gone) == len(set(gone))
    assert sorted([*gone, *state.live]) == [entrant.id for entrant in entrants]
    assert state.leader is None or state.leader in state.live
    shuffled = data.draw(st.permutations(records))
    assert design.progress(shuffled) == state


@given(st.integers(0, 30), st.integers(1, 8), st.integers(0, 300))
def test_room_fits_the_budget_and_grows_with_it(count: int, rounds: int, affordable: int) -> None:
    room = room_for(count, rounds, affordable)
    assert 0 <= room <= count
    assert room <= room_for(count, rounds, affordable + 1)
    halving = sum(1 + -(-room // 2**index) for index in range(rounds))
    assert room <= 1 or min(halving, rounds * (1 + room)) <= affordable
    if rounds * (1 + count) <= affordable:
        assert room == count


values = st.lists(st.floats(1e-3, 1e3), min_size=1, max_size=7)


@given(values, values, st.floats(0.1, 10))
def test_ratios_scale_turn_round_and_lie_within_their_bounds(
    above: list[float], below: list[float], factor: float
) -> None:
    found = ratio_interval(above, below)
    assert found.lower <= found.estimate * (1 + 1e-9)
    assert found.estimate <= found.upper * (1 + 1e-9)
    assert found.confidence >= 0.95
    back = ratio_interval(below, above)
    assert abs(back.estimate * found.estimate - 1) < 1e-9
    if found.lower > 0:
        ratios = [a / b for a, b in product(above, below)]
        assert min(ratios) <= found.lower
        assert found.upper <= max(ratios)
        assert abs(back.lower * found.upper - 1) < 1e-9
    scaled = ratio_interval([value * factor for value in above], below)
    assert abs(scaled.estimate / (found.estimate * factor) - 1) < 1e-9


@given(st.lists(st.floats(1e-3, 1e3), min_size=1, max_size=12))
def test_a_spread_is_of_its_values(some: list[float]) -> None:
    found = spread(some)
    assert (found.count, found.median) == (len(some), median(some))
    assert (found.smallest, found.largest) == (min(some), max(some))
    assert not (found.bistable and found.unsteady)
    assert (found.bistable or found.unsteady) == (max(some) >= 2 * min(some))
    assert not found.bistable or len(some) >= 4


words = st.lists(st.sampled_from(["--jobs", "--jobs=1", "5", "-v", "--jobs-x", "in"]), max_size=6)


@given(words, st.sampled_from(["--jobs {}", "--jobs={}"]), st.sampled_from(["3", None]))
def test_arguments_once_set_stay_set(argv: list[str], template: str, value: str | None) -> None:
    once = with_argument(["prog", *argv], template, value)
    assert once[0] == "prog"
    shown = tuple(part.replace("{}", "3") for part in template.split())
    at = [index for index in range(1, len(once)) if once[index : index + len(shown)] == shown]
    assert (value is None) or at
    if "--jobs" not in argv:
        assert with_argument(once, template, value) == once
        assert len(at) == (value is not None)
