"""Whole sessions on real programs."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from lpcl.plan.model import Hypothesis, Knob, Objective, Plan, Range
from lpcl.tune import Options, Result, TuneError, tune
from lpcl.tune.events import CandidateLeft, Event, RunFinished, RunStarted, SessionEnded, SessionStarted
from lpcl.tune.records import BaselineRecord

MakePlan = Callable[..., Plan]


@pytest.fixture
def options(tmp_path: Path) -> Options:
    return Options(out=tmp_path / "out", repeat=4, floor_limit=5.0, first_limit=20.0)


def score(value: float) -> str:
    """A program that prints a score, a little different each time as real ones are."""
    return f"print('score:', {value} * (1 + time.time_ns() % 1000 / 1e5))"


def files(result: Result) -> set[str]:
    return {path.name for path in result.out.iterdir() if not path.name.startswith((".", "runs-"))}


@pytest.mark.usefixtures("quiet")
def test_a_gain_is_found_confirmed_and_written(make_plan: MakePlan, options: Options) -> None:
    events: list[Event] = []
    result = tune(make_plan({"-": score(10), "1": score(20), "2": score(11)}), options, events.append)
    assert (result.status, result.winner, result.best, result.confirmed) == ("gain", "c1", "c1", True)
    assert result.gain is not None
    assert 1.97 < result.gain.lower <= result.gain.estimate <= result.gain.upper < 2.03
    assert [(item.config.id, item.runs) for item in result.configs] == [("now", 8), ("c1", 8), ("c2", 2)]
    assert (result.used, result.resumed) == (19, 0)
    assert files(result) == {"apply.sh", "tuned.env", "tuned.json", "report.txt", "report.json", "logs"}
    shown = subprocess.run(
        ["sh", "-c", f". {result.out}/apply.sh; echo $KNOB"], capture_output=True, text=True, check=True
    )
    assert shown.stdout == "1\n"
    assert isinstance(events[0], SessionStarted)
    assert isinstance(events[-1], SessionEnded)
    assert sum(isinstance(event, RunStarted) for event in events) == 19
    assert [event.number for event in events if isinstance(event, RunFinished)] == list(range(1, 20))
    assert [event.departure.config for event in events if isinstance(event, CandidateLeft)] == ["c2"]


@pytest.mark.usefixtures("quiet")
def test_without_a_better_candidate_the_present_configuration_is_kept(
    make_plan: MakePlan, options: Options
) -> None:
    result = tune(make_plan({"-": score(10), "1": score(9.9), "2": score(10.05)}), options)
    assert (result.status, result.winner) == ("no_gain", "now")
    report = (result.out / "report.txt").read_text()
    assert report.startswith("app: no candidate is better than the present configuration; keep it\n")
    script = (result.out / "apply.sh").read_text()
    assert "export" not in script
    assert "no_gain" in script


@pytest.mark.usefixtures("quiet")
def test_time_is_an_objective_too(make_plan: MakePlan, options: Options) -> None:
    plan = make_plan({"-": "time.sleep(0.5)", "1": "pass"}, Objective("time"))
    result = tune(plan, replace(options, repeat=4))
    assert (result.status, result.winner) == ("gain", "c1")
    assert result.gain is not None
    assert result.gain.estimate > 1.2
    assert "times faster with KNOB=1" in (result.out / "report.txt").read_text()


@pytest.mark.usefixtures("quiet")
def test_candidates_that_crash_hang_or_say_nothing_are_results(make_plan: MakePlan, options: Options) -> None:
    plan = make_plan(
        {
            "-": score(10),
            "1": "print('about to fail', file=sys.stderr); sys.exit(7)",
            "2": "os.abort()",
            "3": "time.sleep(600)",
            "4": "print('nothing')",
            "5": score(-3),
            "6": score(12),
        }
    )
    result = tune(plan, replace(options, floor_limit=1.5))
    assert (result.status, result.winner) == ("gain", "c6")
    how = {item.config.id: [run.how_it_ended() for run in item.failures] for item in result.configs}
    assert how["c1"] == ["ended with exit code 7"] * 2
    assert how["c2"] == ["was ended by SIGABRT"] * 2
    assert len(how["c3"]) == 1
    assert how["c3"][0].startswith("ran into the time limit of ")
    assert how["c4"] == how["c5"] == ["printed no positive number where the objective looks for one"] * 2
    report = (result.out / "report.txt").read_text()
    assert "c1: 2 of 2; the last one ended with exit code 7\n      | about to fail" in report


@pytest.mark.usefixtures("quiet")
def test_a_present_configuration_that_fails_is_mended(make_plan: MakePlan, options: Options) -> None:
    hazard = Hypothesis("h1", "hazard", "it aborts", interventions=("c1",))
    plan = make_plan({"-": "os.abort()", "1": score(5)}, hypotheses=(hazard,))
    result = tune(plan, options)
    assert (result.status, result.winner, result.gain) == ("fixed", "c1", None)
    assert result.judgements[0].verdict == "confirmed"
    assert "the present configuration fails; it works with KNOB=1" in (result.out / "report.txt").read_text()


@pytest.mark.usefixtures("quiet")
def test_nothing_can_be_measured(make_plan: MakePlan, options: Options) -> None:
    options.out.mkdir()  # type: ignore[union-attr]
    (options.out / "apply.sh").write_text("of an earlier session")  # type: ignore[operator]
    result = tune(make_plan({"-": "sys.exit(1)", "1": "sys.exit(2)"}), options)
    assert (result.status, result.winner, result.best) == ("nothing", "now", None)
    assert result.used <= 5
    assert files(result) == {"report.txt", "report.json", "logs"}


@pytest.mark.usefixtures("quiet")
def test_too_few_runs_decide_nothing(make_plan: MakePlan, options: Options) -> None:
    result = tune(make_plan({"-": score(10), "1": score(20)}), replace(options, budget=5))
    assert (result.status, result.winner, result.used) == ("undecided", "now", 5)
    assert "too few runs" in (result.out / "report.txt").read_text()


@pytest.mark.usefixtures("quiet")
def test_a_finished_session_is_reported_again_without_runs(make_plan: MakePlan, options: Options) -> None:
    plan, options = make_plan({"-": score(10), "1": score(20)}), replace(options, repeat=2)
    first = tune(plan, options)
    again = tune(plan, options)
    assert (again.used, again.resumed, again.gain) == (first.used, first.used, first.gain)
    assert "--fresh measures anew" in (again.out / "report.txt").read_text()
    anew = tune(plan, replace(options, fresh=True))
    assert anew.resumed == 0
    assert len(list(anew.out.glob("runs-*.old1"))) == 1


@pytest.mark.usefixtures("quiet")
def test_an_edited_program_is_measured_anew(make_plan: MakePlan, options: Options) -> None:
    options = replace(options, repeat=2)
    tune(make_plan({"-": score(10), "1": score(20)}), options)
    result = tune(make_plan({"-": score(10), "1": score(30)}), options)
    assert result.resumed == 0
    assert result.gain is not None
    assert 2.9 < result.gain.estimate < 3.1


def test_an_interrupted_session_keeps_its_runs_and_goes_on(
    make_plan: MakePlan, options: Options, quiet: BaselineRecord
) -> None:
    plan = make_plan({"-": score(10), "1": score(20)})

    def stop(event: Event) -> None:
        if isinstance(event, RunStarted) and event.number == 6:
            raise KeyboardInterrupt

    first = tune(plan, options, stop)
    assert (first.interrupted, first.used) == (True, 5)
    assert files(first) == {"report.txt", "report.json", "logs"}
    report = (first.out / "report.txt").read_text()
    assert report.startswith("app: interrupted after 5 of at most 17 runs\n")
    assert "the same command goes on from there" in report
    second = tune(plan, options)
    assert (second.interrupted, second.resumed, second.used, second.status) == (False, 5, 17, "gain")
    assert second.baselines == (quiet,) * 3


@pytest.mark.usefixtures("quiet")
def test_candidates_that_start_the_same_are_run_once(make_plan: MakePlan, options: Options) -> None:
    plan = make_plan({"-": score(10), "1": score(20)})
    same = replace(plan.candidates[0], id="twin")
    idle = replace(plan.candidates[0], id="idle", settings={})
    result = tune(replace(plan, candidates=(*plan.candidates, same, idle)), options)
    assert {item.config.id: item.left for item in result.configs if item.left} == {
        "twin": "it starts the same as 'c1'",
        "idle": "it starts the same as 'now'",
    }


@pytest.mark.usefixtures("quiet")
def test_arguments_are_put_into_the_command(make_plan: MakePlan, options: Options) -> None:
    plan = make_plan({"-": "print('score:', sys.argv[2])"})
    knob = Knob("n", "argument", "int", Range(1, 99), apply="--n {}", current=3)
    candidate = replace(make_plan({"1": ""}).candidates[0], id="c", settings={"n": 9})
    plan = make_plan({"-": "print('score:', sys.argv[2])"})
    result = tune(replace(plan, knobs=(knob,), candidates=(candidate,)), options)
    assert result.gain is not None
    assert result.gain.estimate == pytest.approx(3.0)
    assert f"Run it as:  {sys.executable}" in (result.out / "report.txt").read_text()
    assert json.loads((result.out / "tuned.json").read_text())["command"][-2:] == ["--n", "9"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"command": ("no-such-program-anywhere", "x")}, "'no-such-program-anywhere' does not exist"),
        ({"command": ("./none",)}, "does not exist"),
        ({"budget": 2}, "at least 3 runs"),
        ({"repeat": 0}, "at least once"),
        ({"cwd": Path("/no/such/folder")}, "is not a folder"),
    ],
)
def test_what_cannot_be_is_said_before_anything_is_measured(
    make_plan: MakePlan, options: Options, change: dict[str, object], message: str
) -> None:
    with pytest.raises(TuneError, match=message):
        tune(make_plan({"-": score(1)}), replace(options, **change))  # type: ignore[arg-type]
    assert not options.out.exists()  # type: ignore[union-attr]


@pytest.mark.usefixtures("quiet")
def test_without_a_folder_given_results_go_to_one_of_the_application(
    make_plan: MakePlan, options: Options, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    plan = make_plan({"-": score(1)})
    plan = replace(plan, application=replace(plan.application, name="a/b c"))
    result = tune(plan, replace(options, out=None, repeat=1))
    assert (tmp_path / "lpcl-tune" / "a_b_c" / "report.txt").exists()
    assert (result.status, result.best) == ("no_gain", None)


def test_the_noise_of_the_machine_is_measured_before_and_after(
    make_plan: MakePlan, options: Options, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = tune(make_plan({"-": score(1)}), replace(options, repeat=1, out=Path("near/by")))
    assert (tmp_path / "near" / "by" / "logs" / "baseline.out").exists()
    assert len(result.baselines) == 2
    for baseline in result.baselines:
        assert baseline.delay_ratio >= 0
        assert baseline.runnable > 0
        assert baseline.cpus >= 1


@pytest.mark.usefixtures("quiet")
def test_results_that_can_no_longer_be_written_end_the_session(
    make_plan: MakePlan, options: Options, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("lpcl.tune.store.ResultsStore.append", full)
    with pytest.raises(TuneError, match="results can no longer be written: No space left"):
        tune(make_plan({"-": score(1)}), options)


def test_a_file_where_the_logs_should_be_is_said_so(make_plan: MakePlan, options: Options) -> None:
    assert options.out is not None
    options.out.mkdir()
    (options.out / "logs").write_text("")
    with pytest.raises(TuneError, match="logs: File exists"):
        tune(make_plan({"-": score(1)}), options)
