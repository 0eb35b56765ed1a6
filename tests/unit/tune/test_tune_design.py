"""Which runs are made, in which order, and who leaves when."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

import pytest

from lpcl.tune.design import Design, Direction, Entrant, Progress, given_up, room_for, time_limit
from lpcl.tune.options import DEFAULT_BUDGET, Options
from lpcl.tune.records import End, RunRecord

Value = float | End


def record(phase: str, round_number: int, config: str, value: Value, wall: float | None = None) -> RunRecord:
    """A run with a value, or one that ended otherwise."""
    ok = not isinstance(value, str)
    return RunRecord(
        phase=phase,  # type: ignore[arg-type]
        round=round_number,
        config=config,
        end="ok" if ok else value,  # type: ignore[arg-type]
        value=value if ok else None,  # type: ignore[arg-type]
        wall=wall if wall is not None else float(value) if ok else 1.0,
        limit=10.0,
        started="",
    )


def design(count: int, options: Options | None = None, direction: Direction = "less") -> Design:
    entrants = [Entrant(f"c{number}", changes=number) for number in range(1, count + 1)]
    return Design.of(entrants, options if options is not None else Options(), direction)


def play(
    rules: Design, values: Mapping[str, Value | Callable[[int], Value]]
) -> tuple[list[RunRecord], Progress]:
    """Makes all runs of a design; values may depend on how often a configuration was run before."""
    records: list[RunRecord] = []
    for _ in range(1000):
        state = rules.progress(records)
        assert state.used == len(records)
        assert state.expected <= rules.budget
        if state.next is None:
            return records, state
        step = state.next
        value = values[step.config]
        before = sum(item.config == step.config for item in records)
        records.append(
            record(step.phase, step.round, step.config, value(before) if callable(value) else value)
        )
    raise AssertionError("the design does not come to an end")


def runs(records: Sequence[RunRecord], phase: str) -> Counter[str]:
    return Counter(item.config for item in records if item.phase == phase)


def test_the_whole_design() -> None:
    records, state = play(design(2), {"now": 1.0, "c1": 0.5, "c2": 0.6})
    assert runs(records, "warmup") == {"now": 1}
    assert runs(records, "search") == {"now": 5, "c1": 5, "c2": 5}
    assert runs(records, "confirm") == {"now": 5, "c1": 5}
    assert state.leader == "c1"
    assert state.departures == []
    assert state.expected == len(records) == 26


def test_rounds_are_interleaved_and_their_order_comes_from_the_seed() -> None:
    values = {"now": 1.0, "c1": 0.5, "c2": 0.6, "c3": 0.55}
    orders = []
    for seed in (0, 0, 1):
        records, _ = play(design(3, Options(seed=seed)), values)
        search = [item for item in records if item.phase == "search"]
        rounds = [[item.config for item in search if item.round == number] for number in range(5)]
        assert all(sorted(members) == ["c1", "c2", "c3", "now"] for members in rounds)
        assert [item.round for item in search] == sorted(item.round for item in search)
        orders.append(rounds)
    assert orders[0] == orders[1] != orders[2]
    assert len({tuple(members) for members in orders[0]}) > 1


def test_more_is_better_where_a_metric_is_maximized() -> None:
    records, state = play(design(2, direction="more"), {"now": 10.0, "c1": 9.0, "c2": 30.0})
    assert state.leader == "c2"
    assert runs(records, "search")["c1"] == 2
    assert state.departures[0].reason == "it is clearly worse"


def test_a_clearly_worse_candidate_leaves_after_two_runs() -> None:
    records, state = play(design(2), {"now": 1.0, "c1": 5.0, "c2": 0.9})
    assert runs(records, "search") == {"now": 5, "c1": 2, "c2": 5}
    assert [(item.config, item.after, item.reason) for item in state.departures] == [
        ("c1", 2, "it is clearly worse")
    ]


def test_a_bistable_candidate_stays_while_its_best_runs_are_good() -> None:
    records, _ = play(design(1), {"now": 1.0, "c1": lambda before: 30.0 if before % 2 else 0.9})
    assert runs(records, "search")["c1"] == 5


def test_nothing_is_confirmed_where_nothing_looks_better() -> None:
    records, state = play(design(2), {"now": 1.0, "c1": 1.1, "c2": 1.2})
    assert runs(records, "confirm") == {}
    assert state.leader == "c1"
    assert state.expected == len(records)


def test_a_candidate_at_the_time_limit_is_run_once_and_a_crashing_one_twice() -> None:
    records, state = play(design(3), {"now": 1.0, "c1": "timed_out", "c2": "crashed", "c3": 0.5})
    assert runs(records, "search") == {"now": 5, "c1": 1, "c2": 2, "c3": 5}
    assert {item.config: item.reason for item in state.departures} == {
        "c1": "it ran into the time limit of 10 s",
        "c2": "it ended with exit code None",
    }


def test_a_candidate_that_fails_now_and_then_is_no_choice_while_there_is_another() -> None:
    flaky: Callable[[int], Value] = lambda before: "crashed" if before == 3 else 0.1  # noqa: E731
    records, state = play(design(2), {"now": 1.0, "c1": flaky, "c2": 0.12})
    assert runs(records, "search")["c1"] == 5
    assert state.leader == "c2"
    assert play(design(1), {"now": 1.0, "c1": flaky})[1].leader == "c1"


def test_of_equals_the_smaller_change_is_preferred() -> None:
    assert play(design(3), {"now": 1.0, "c1": 0.52, "c2": 0.51, "c3": 0.5})[1].leader == "c1"
    assert play(design(3), {"now": 1.0, "c1": 0.55, "c2": 0.51, "c3": 0.5})[1].leader == "c2"


def test_where_the_present_configuration_fails_it_is_not_run_on_and_on() -> None:
    records, state = play(design(2), {"now": "crashed", "c1": 0.5, "c2": 0.4})
    assert runs(records, "warmup") + runs(records, "search") == {"now": 2, "c1": 5, "c2": 5}
    assert state.leader == "c2"
    assert runs(records, "confirm") == {}
    records, _ = play(design(1), {"now": "timed_out", "c1": 0.5})
    assert runs(records, "search") == {"c1": 5}


def test_where_everything_fails_it_ends_soon() -> None:
    records, state = play(design(3), dict.fromkeys(("now", "c1", "c2", "c3"), "crashed"))
    assert len(records) <= 8
    assert state.leader is None


def test_a_present_configuration_that_sometimes_works_is_measured_on() -> None:
    values: Mapping[str, Value | Callable[[int], Value]] = {
        "now": lambda before: "crashed" if before % 2 else 1.0,
        "c1": 0.5,
    }
    records, _ = play(design(1), values)
    assert runs(records, "search")["now"] == 5


@pytest.mark.parametrize("budget", range(3, 70))
def test_the_budget_is_kept_and_used(budget: int) -> None:
    values = {f"c{number}": 1.0 - number / 100 for number in range(1, 9)} | {"now": 1.0}
    records, state = play(design(8, Options(budget=budget)), values)
    assert len(records) <= budget
    assert len(records) >= min(budget, 1 + 5 * 9 + 10) - 10
    search = runs(records, "search")
    assert search["now"] >= 1
    if budget >= 11:
        assert search["now"] == 5
        assert state.leader is not None
        assert search[state.leader] == 5
    if budget >= 21:
        assert runs(records, "confirm") == {"now": 5, state.leader: 5}


def test_a_small_budget_halves_the_field() -> None:
    values = {f"c{number}": 1.0 + number / 100 for number in range(1, 9)} | {"now": 1.2}
    records, state = play(design(8, Options(budget=40)), values)
    search = runs(records, "search")
    assert sorted(search.values(), reverse=True)[0] == 5
    assert search["c1"] == 5
    assert len(search) > 4
    assert state.leader == "c1"
    reasons = {item.reason for item in state.departures}
    assert reasons <= {"the budget did not reach it", "others were better, and the budget is limited"}


def test_the_default_budget() -> None:
    assert design(2).budget == 26
    assert design(50).budget == DEFAULT_BUDGET
    assert design(0).budget == 16


def test_without_candidates_the_present_configuration_is_measured() -> None:
    records, state = play(design(0), {"now": 1.0})
    assert runs(records, "search") == {"now": 5}
    assert state.leader is None


def test_a_session_goes_on_from_any_point_as_if_it_had_not_stopped() -> None:
    rules = design(4, Options(seed=3))
    records, _ = play(rules, {"now": 1.0, "c1": 0.5, "c2": "crashed", "c3": 9.0, "c4": 0.7})
    for length in range(len(records)):
        step = rules.progress(records[:length]).next
        assert step is not None
        following = records[length]
        assert (step.phase, step.round, step.config) == (following.phase, following.round, following.config)


def test_more_repeats_add_to_what_is_there() -> None:
    records, _ = play(design(1, Options(repeat=3)), {"now": 1.0, "c1": 0.9})
    state = design(1, Options(repeat=5)).progress(records)
    assert state.used == 7
    assert state.next is not None
    assert (state.next.phase, state.next.round) == ("search", 3)


@pytest.mark.parametrize(
    ("count", "rounds", "affordable", "room"),
    [
        (8, 5, 45, 8),
        (8, 5, 44, 8),
        (8, 5, 21, 8),
        (8, 5, 20, 7),
        (8, 1, 3, 2),
        (3, 5, 9, 1),
        (3, 5, 1, 1),
        (0, 5, 0, 0),
    ],
)
def test_room(count: int, rounds: int, affordable: int, room: int) -> None:
    assert room_for(count, rounds, affordable) == room


def test_the_time_limit() -> None:
    options = Options(first_limit=600.0, floor_limit=10.0, limit_factor=10.0)
    assert time_limit("c1", [], options) == 600.0
    slow = [record("warmup", 0, "now", 100.0)]
    assert time_limit("c1", slow, options) == 1000.0
    both = [*slow, record("search", 0, "c1", 2.0)]
    assert time_limit("c2", both, options) == 20.0
    assert time_limit("now", both, options) == 300.0
    assert time_limit("c2", [*both, record("search", 0, "c2", 0.01)], options) == 10.0
    assert time_limit("c2", [record("warmup", 0, "now", "timed_out")], options) == 600.0
    assert time_limit("c2", [record("search", 0, "c1", 900.0, wall=3.0)], options) == 30.0


def test_when_a_configuration_is_given_up() -> None:
    ok, crash, late = 1.0, "crashed", "timed_out"
    for config, values, expected in [
        ("c", [], False),
        ("c", [ok, crash], False),
        ("c", [crash, ok, crash], True),
        ("c", [late], True),
        ("now", [crash, crash], True),
        ("now", [late], True),
        ("now", [ok, late, crash, crash], False),
    ]:
        made = [record("search", number, config, value) for number, value in enumerate(values)]  # type: ignore[arg-type]
        assert given_up(made) is expected
