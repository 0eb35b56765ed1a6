"""Settings that do as well as others, and those that are not enough."""

from __future__ import annotations

from pathlib import Path

import pytest

from lpcl import service
from lpcl.compose.answers import Answers
from lpcl.compose.knobs import Knob
from lpcl.compose.render import text
from lpcl.compose.render.text import describe_changes, describe_not_enough, left_wrong

TEXT = """package node

import lpcl.core.*

machine small { cpus.online = 8  gpus = 1  gpu.memory = 10 GiB }

machine wide { cpus.online = 16 }

contract lib {
  control common: count in 1..64 { env COMMON_THREADS  default machine.cpus.affinity }
  control threads: count in 1..64 { env LIB_THREADS  default common }
  control dynamic: bool { env LIB_DYNAMIC  default true }
  control grow: bool { env LIB_GROW  default false }
  pool team {
    size if dynamic then min(threads, machine.cpus.physical) else threads
    callers fork
    caller joins
  }
  operation fit { runs on team }
  control layer: { one, other } { env LIB_LAYER  default one }
  pool other_team { size threads  callers fork  caller joins }
  operation layered { runs on team when layer == one  runs on other_team when layer == other }
  operation given(n: count) { runs on team with size = n }
  operation many(n: count) { workers processes n { start spawn } }
  operation serve {
    demand gpu_memory = 9 GiB when not grow
    demand gpu_memory in 0 B..9 GiB when grow
    demand cpu = 0
  }
}

application fits {
  machine small
  use lib
  run { lib.many(n = 2) { lib.fit } }
}

application handed_on {
  machine small
  use lib
  control jobs: count in 2..4 { argument "--jobs"  default 2 }
  control threads: count in 1..8 { argument "--threads"  default 8 }
  run { lib.many(n = jobs) { lib.given(n = threads) } }
}

application layered {
  machine small
  use lib
  run { lib.many(n = 2) { lib.layered } }
}

application any_count {
  machine wide
  use lib
  control jobs: count in 1..16 { argument "--jobs"  default 3 }
  run { lib.many(n = jobs) { lib.fit } }
}

application idle {
  machine small
  use lib
  env LIB_THREADS = 2
  run { lib.fit }
}

application served {
  machine small
  use lib
  run { lib.many(n = 2) { lib.serve } }
}
"""


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("advice") / "app.lpcl"
    path.write_text(TEXT)
    return path


def told(file: Path, name: str) -> Answers:
    workspace, applications = service.select_applications([f"{file}:{name}"])
    outcome = service.compose_applications(workspace, applications, None, ())
    assert outcome.composition is not None, outcome.diagnostics
    return service.answers_of(outcome.composition)


def test_a_variable_that_does_as_well_is_named_beside_the_more_direct_one(file: Path) -> None:
    (one,) = told(file, "fits").alternatives
    assert [knob.name for knob in one.changes] == ["LIB_THREADS"]
    assert [[knob.name for knob in some] for some in one.instead.values()] == [["COMMON_THREADS"]]


def test_what_makes_no_difference_is_said_to_make_none(file: Path) -> None:
    (dynamic,) = told(file, "fits").not_enough
    assert [knob.name for knob in dynamic.knobs] == ["LIB_DYNAMIC"]
    assert dynamic.leaves is None
    assert describe_not_enough(dynamic) == "LIB_DYNAMIC"
    assert left_wrong(dynamic) == "nothing changes, whatever the value"


def test_what_helps_in_part_says_what_it_leaves(file: Path) -> None:
    answers = told(file, "served")
    assert not answers.alternatives
    (grow,) = answers.not_enough
    assert (grow.knobs[0].name, grow.setting) == ("LIB_GROW", True)
    assert grow.leaves is not None
    assert grow.leaves.headline == "gpu_memory on device 0: up to 18 GiB asked for, 10 GiB available (1.8x)"


def test_every_setting_named_instead_is_right(file: Path) -> None:
    for name in ("fits", "handed_on"):
        answers = told(file, name)
        questions = answers.composition.questions
        for one in answers.alternatives:
            for changed, others in one.instead.items():
                for other in others:
                    current = next(knob.current for knob in one.changes if knob.id == changed)
                    swapped = {**one.configuration, changed: current, other.id: one.configuration[changed]}
                    assessment = questions.assessed(swapped)
                    assert assessment is not None
                    assert not assessment.alarms


def test_no_alternative_sets_more_than_another_for_the_same_figures(file: Path) -> None:
    answers = told(file, "layered")
    assert [describe_changes(one) for one in answers.alternatives] == ["LIB_THREADS=4"]
    found, _ = answers.composition.questions.alternatives()
    assert len(found) > 1


def test_alternatives_of_as_many_changes_come_in_the_order_of_their_numbers(file: Path) -> None:
    first, *others = (describe_changes(one) for one in told(file, "any_count").alternatives)
    assert first == "--jobs 1"
    assert [text.split(",")[0] for text in others] == ["--jobs 2", "--jobs 4", "--jobs 8", "--jobs 16"]


def test_where_nothing_is_wrong_what_would_use_more_comes_behind_how_it_adds_up(file: Path) -> None:
    lines = text.render(told(file, "idle")).splitlines()
    start = lines.index("Nothing is wrong with it as it stands; it keeps 2 of 8 CPUs busy.")
    assert lines[start + 1] == "  Nearest to its capacity is cpu, with 2 of 8:"
    after = lines.index("What would keep 8 CPUs busy:")
    assert after > start
    assert lines[after + 1] == "  1. unset LIB_THREADS"


def test_a_truth_is_no_number_that_another_variable_takes() -> None:
    switch = Knob("LIB_SWITCH", "env", None, 0, 0, choices=(False, True))
    count = Knob("LIB_COUNT", "env", None, 1, 8)
    assert switch.takes(True)
    assert count.takes(1)
    assert not count.takes(True)
    assert not switch.takes(1)
    for knob in (switch, count):
        assert all(knob.takes(one) for one in knob.domain() if one is not None)
