"""What would have to change in the program or on the machine: each is right, and the next step is not."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from lpcl import service
from lpcl.compose.amends import Amendment
from lpcl.compose.answers import Answers
from lpcl.compose.render.words import amendment

TEXT = """package node

import lpcl.core.*

machine small {
  cpus.online = 8  memory.total = 4 GiB  memory.limit = 2 GiB  gpus = 1  gpu.memory = 10 GiB
  limits.files = 100
}

contract lib {
  operation actors(count: count) {
    workers processes count { start spawn }
    demand files = 5 + 3 * count
  }
  operation work { demand cpu = 1 }
  operation engine(share: share) { demand gpu_memory on 0 = share * machine.gpu.memory  demand cpu = 0 }
  operation buffer(size: bytes) { demand memory = 2 * size  demand cpu = 0 }
  control most: count { api "most"  default 9 }
  pool team { size most  callers fork  caller joins  threads coupled }
  operation fit { runs on team }
  control store: bytes { config "store.limit"  default machine.memory.total * 80% }
  control cache: bytes { env LIB_CACHE  default 1 MiB }
  operation hold { demand memory = store  demand cpu = 0 }
  pool single { size 1  callers queue  caller waits }
  operation four(n: count) { workers threads n }
  operation one { runs on single }
}

application crowd {
  machine small
  use lib
  run { lib.actors(count = 40) { lib.work } }
}

application engines {
  machine small
  use lib
  run { together { lib.engine(share = 70%)  lib.engine(share = 0.45) } }
}

application buffered {
  machine small
  use lib
  run { lib.buffer(size = 1536 MiB) }
}

application limited {
  machine small
  use lib
  limit lib.most = 12
  run { lib.fit }
}

application within {
  machine small
  use lib
  run { limit lib.most = 16 { lib.fit } }
}

application waiting {
  machine small
  use lib
  run { lib.four(n = 4) { lib.one } }
}

application held {
  machine small
  use lib
  run { together { lib.hold  lib.fit } }
}

application settled {
  machine small
  use lib
  control jobs: count in 1..64 { argument "--jobs"  default 40 }
  run { lib.actors(count = jobs) { lib.work } }
}

application hopeless {
  machine small
  use lib
  run { together { lib.engine(share = 100%)  lib.engine(share = 100%) } }
}
"""
NAMES = ("crowd", "engines", "buffered", "limited", "within")


def told(folder: Path, name: str, text: str = TEXT) -> Answers:
    path = folder / "app.lpcl"
    path.write_text(text)
    workspace, applications = service.select_applications([f"{path}:{name}"])
    outcome = service.compose_applications(workspace, applications, None, ())
    assert outcome.composition is not None, outcome.diagnostics
    return service.answers_of(outcome.composition)


def lines(answers: Answers) -> dict[str, list[str]]:
    return {
        one.finding.resource_name or "": [amendment(change).partition("  (")[0] for change in one.amendments]
        for one in answers.amended
    }


def test_numbers_of_calls_and_limits_of_the_machine_are_told_for_each_finding(tmp_path: Path) -> None:
    assert lines(told(tmp_path, "crowd")) == {
        "files": ["count of lib.actors at most 31, now 40", "limits.files at least 125, now 100"],
        "cpu": ["count of lib.actors at most 8, now 40"],
    }


def test_shares_and_amounts_are_told_as_they_are_written(tmp_path: Path) -> None:
    assert lines(told(tmp_path, "engines")) == {
        "gpu_memory": [
            "share of lib.engine at most 55 %, now 70 %",
            "share of lib.engine at most 0.3, now 0.45",
        ]
    }
    assert lines(told(tmp_path, "buffered")) == {
        "memory": [
            "size of lib.buffer at most 1024 MiB, now 1536 MiB",
            "memory.limit at least 3 GiB, now 2 GiB",
        ]
    }


def test_limits_of_the_program_are_tried(tmp_path: Path) -> None:
    assert lines(told(tmp_path, "limited")) == {"cpu": ["lib.most at most 8, now 12"]}
    assert lines(told(tmp_path, "within")) == {"cpu": ["lib.most at most 8, now 16"]}


def test_controls_that_only_the_program_can_set_are_told_with_what_sets_them(tmp_path: Path) -> None:
    assert lines(told(tmp_path, "held")) == {
        "memory": [
            "lib.store at most 2048 MiB, now 3276.8 MiB, by `store.limit`",
            "memory.limit at least 3.2 GiB, now 2 GiB",
        ],
        "cpu": ["lib.most at most 8, now 9, by `most`"],
    }


def test_nothing_is_told_where_a_setting_is_enough_or_nothing_is(tmp_path: Path) -> None:
    assert told(tmp_path, "settled").alternatives
    assert told(tmp_path, "settled").amended == ()
    assert [one.kind.value for one in told(tmp_path, "waiting").findings] == ["serialized"]
    assert told(tmp_path, "waiting").amended == ()
    assert told(tmp_path, "hopeless").alarms
    assert told(tmp_path, "hopeless").amended == ()


@pytest.mark.parametrize("name", NAMES)
def test_with_each_the_finding_is_gone_and_one_step_short_of_it_is_not(tmp_path: Path, name: str) -> None:
    for one in told(tmp_path, name).amended:
        for change in one.amendments:
            assert (one.finding.resource, one.finding.where) not in keys(
                told(tmp_path, name, written(change, 0))
            )
            assert (one.finding.resource, one.finding.where) in keys(told(tmp_path, name, written(change, 1)))


def keys(answers: Answers) -> set[tuple[str | None, str]]:
    return {(finding.resource, finding.where) for finding in answers.alarms}


def written(change: Amendment, steps: int) -> str:
    """The file with another number in the place of one, some steps nearer to what it was."""
    assert change.origin is not None
    start, end = change.origin.span.start, change.origin.span.end
    text = TEXT[start:end]
    step = Fraction(1, 100) if change.unit == "%" or "." in text else Fraction(1)
    step = Fraction(2**20) if change.unit == "MiB" else step
    value = change.value + (-steps if change.least else steps * step)
    if change.least:
        return TEXT[:start] + f"{change.name} = {value}{' B' if 'memory' in change.name else ''}" + TEXT[end:]
    unit = "" if change.unit in (None, "%") else " B"
    number = float(value) if value.denominator != 1 else value
    return TEXT[:start] + f"{number}{unit}" + TEXT[end:]
