"""What would have to change in the program or on the machine: each is right, and the next step is not."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import pytest

from lpcl import service
from lpcl.compose.answers import Answers
from lpcl.compose.findings import Kind, Remedy
from lpcl.compose.render import html, json, text
from lpcl.compose.render.text import describe_changes
from lpcl.compose.solver import Verdict

TEXT = """package node

import lpcl.core.*

machine small {
  cpus.online = 8  memory.total = 4 GiB  memory.limit = 2 GiB  gpus = 1  gpu.memory = 10 GiB
  limits.files = 100
}

contract lib {
  control tuned_threads: count in 2..64 { env LIB_TUNED  default 8 }
  operation tuned { runs on tuned_team }
  pool tuned_team {
    size if tuned_threads < 8 then 1 else tuned_threads
    callers fork
    caller joins
    fork unsafe
    created at first use
  }
  pool forever { size 4  callers fork  caller joins  fork unsafe  created at first use }
  operation pooled { runs on forever }
  operation fork_or_not(n: count, start: { by_fork, afresh, not_at_all } = by_fork) {
    workers processes n when start == by_fork { start fork }
    workers processes n when start == afresh { start spawn }
  }
  operation for_all(n: int) { demand cpu = if n <= 0 then 8 else n }
  operation broad { demand cpu = 5 }
  operation buffers(n: count) { demand memory = n * 1536 MiB  demand cpu = n }
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
  control odd: bytes { api "odd"  default 3 GiB }
  control cache: bytes { env LIB_CACHE  default 1 MiB }
  operation hold { demand memory = store  demand cpu = 0 }
  operation oddly { demand memory = odd + 1 B  demand cpu = 0 }
  operation part(size: share) { demand memory = size * 4 GiB  demand cpu = 0 }
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

application oddly_held {
  machine small
  use lib
  run { lib.oddly }
}

application finely {
  machine small
  use lib
  run { lib.part(size = 0.61803) }
}

contract wrapping {
  uses lib
  operation fit { calls lib.fit }
}

application wrapped {
  machine small
  use wrapping
  run { wrapping.fit }
}

application settled {
  machine small
  use lib
  control jobs: count in 1..64 { argument "--jobs"  default 40 }
  run { lib.actors(count = jobs) { lib.work } }
}

application idle {
  machine small
  use lib
  run { lib.four(n = 2) { lib.tuned } }
}

application forked {
  machine small
  use lib
  run { lib.tuned  lib.fork_or_not(n = 2, start = by_fork) { lib.tuned } }
}

application forked_always {
  machine small
  use lib
  run { lib.pooled  lib.fork_or_not(n = 2, start = by_fork) { lib.pooled } }
}

application all_of_them {
  machine small
  use lib
  run { lib.four(n = 2) { lib.for_all(n = -1) } }
}

application all_by_nought {
  machine small
  use lib
  run { lib.four(n = 2) { lib.for_all(n = 0) } }
}

application sparing {
  machine small
  use lib
  control jobs: count in 0..64 { argument "--jobs"  default 2 }
  run { lib.buffers(n = jobs) }
}

application both_wrong {
  machine small
  use lib
  control jobs: count in 0..64 { argument "--jobs"  default 2 }
  run { together { lib.buffers(n = jobs)  lib.four(n = jobs) { lib.broad } } }
}

application hopeless {
  machine small
  use lib
  run { together { lib.engine(share = 100%)  lib.engine(share = 100%) } }
}
"""
NAMES = ("crowd", "engines", "buffered", "limited", "within")


def told(folder: Path, *names: str, text: str = TEXT) -> Answers:
    path = folder / "app.lpcl"
    path.write_text(text)
    workspace, applications = service.select_applications([f"{path}:{name}" for name in names])
    outcome = service.compose_applications(workspace, applications, None, ())
    assert outcome.composition is not None, outcome.diagnostics
    return service.answers_of(outcome.composition)


def lines(answers: Answers) -> dict[str, list[str]]:
    return {
        one.finding.resource_name or "": [re.sub(r"; \S+\)$", ")", remedy.text) for remedy in one.remedies]
        for one in answers.amended
    }


def test_numbers_of_calls_and_limits_of_the_machine_are_told_for_each_finding(tmp_path: Path) -> None:
    assert lines(told(tmp_path, "crowd")) == {
        "files": [
            "count of `lib.actors` at most 31 (now 40)",
            "limits.files of the machine at least 125 (now 100)",
        ],
        "cpu": ["count of `lib.actors` at most 8 (now 40)"],
    }


def test_shares_and_amounts_are_told_as_they_are_written(tmp_path: Path) -> None:
    assert lines(told(tmp_path, "engines")) == {
        "gpu_memory": [
            "share of `lib.engine` at most 55% (now 70%)",
            "share of `lib.engine` at most 0.3 (now 0.45)",
        ]
    }
    assert lines(told(tmp_path, "buffered")) == {
        "memory": [
            "size of `lib.buffer` at most 1024 MiB (now 1536 MiB)",
            "memory.limit of the machine at least 3 GiB (now 2 GiB)",
        ]
    }


def test_limits_of_the_program_are_tried(tmp_path: Path) -> None:
    assert lines(told(tmp_path, "limited")) == {"cpu": ["lib.most at most 8 (now 12)"]}
    assert lines(told(tmp_path, "within")) == {"cpu": ["lib.most at most 8 (now 16)"]}


def test_controls_that_only_the_program_can_set_are_told_with_what_sets_them(tmp_path: Path) -> None:
    assert lines(told(tmp_path, "held")) == {
        "memory": [
            "lib.store at most 2 GiB by `store.limit` (now 3.2 GiB)",
            "memory.limit of the machine at least 3.2 GiB (now 2 GiB)",
        ],
        "cpu": ["lib.most at most 8 by `most` (now 9)"],
    }


def test_what_is_told_can_be_written(tmp_path: Path) -> None:
    at_least = "memory.limit of the machine at least"
    assert lines(told(tmp_path, "oddly_held")) == {
        "memory": ["lib.odd at most 2047 MiB by `odd` (now 3072 MiB)", f"{at_least} 3.222 GB (now 2 GiB)"]
    }
    assert lines(told(tmp_path, "finely")) == {
        "memory": ["size of `lib.part` at most 0.5 (now ~0.618)", f"{at_least} 2.655 GB (now 2 GiB)"]
    }


def test_controls_of_libraries_that_the_application_does_not_name_are_told(tmp_path: Path) -> None:
    assert lines(told(tmp_path, "wrapped")) == {"cpu": ["lib.most at most 8 by `most` (now 9)"]}


def test_of_several_applications_that_number_is_told_which_is_enough(tmp_path: Path) -> None:
    assert lines(told(tmp_path, "limited", "held")) == {
        "memory": [
            "lib.store at most 2 GiB by `store.limit` (now 3.2 GiB)",
            "memory.limit of the machine at least 3.2 GiB (now 2 GiB)",
        ]
    }
    both = told(tmp_path, "buffered", "within")
    assert lines(both) == lines(told(tmp_path, "buffered")) | lines(told(tmp_path, "within"))


def test_it_is_the_same_sentence_in_text_page_and_object(tmp_path: Path) -> None:
    answers = told(tmp_path, "crowd")
    said = [remedy.text for one in answers.amended for remedy in one.remedies]
    assert said
    document = json.document(answers)
    page = re.sub(r"</?code>|<wbr>", "`", html.render(document)).replace("`", "")
    for sentence in said:
        assert sentence in " ".join(text.render(answers).split())
        assert sentence.replace("`", "") in page
    assert [one["text"] for item in document["amended"] for one in item["by"]] == said


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
        for change in one.remedies:
            assert (one.finding.resource, one.finding.where) not in keys(
                told(tmp_path, name, text=written(change, 0))
            )
            assert (one.finding.resource, one.finding.where) in keys(
                told(tmp_path, name, text=written(change, 1))
            )


def keys(answers: Answers) -> set[tuple[str | None, str]]:
    return {(finding.resource, finding.where) for finding in answers.alarms}


def written(change: Remedy, steps: int) -> str:
    """The file with another number in the place of one, some steps nearer to what it was."""
    assert change.origin is not None
    start, end = change.origin.span.start, change.origin.span.end
    text = TEXT[start:end]
    (value,) = change.values
    assert isinstance(value, int | Fraction)
    if change.relation == "at least":
        unit = " B" if "memory" in change.name else ""
        return f"{TEXT[:start]}{change.name} = {value - steps}{unit}{TEXT[end:]}"
    assert change.relation == "at most"
    step = Fraction(1, 100) if text.endswith("%") or "." in text else Fraction(1)
    step = Fraction(2**20) if text.endswith("MiB") else step
    value += steps * step
    unit = " B" if text.endswith("MiB") else ""
    return f"{TEXT[:start]}{float(value) if value.denominator != 1 else value}{unit}{TEXT[end:]}"


def said(answers: Answers) -> list[str]:
    return [re.sub(r"; \S+\)$", ")", remedy.text) for remedy in answers.sufficient]


def test_numbers_that_keep_more_cpus_busy_than_settings_do_are_told_beside_these(tmp_path: Path) -> None:
    answers = told(tmp_path, "idle")
    assert [describe_changes(one) for one in answers.alternatives] == ["LIB_TUNED=2"]
    assert answers.alternatives[0].cpu == 2
    assert said(answers) == ["n of `lib.four` at most 1 (now 2)"]
    shown = text.render(answers)
    assert "Instead, the program or the machine could change:\n  n of `lib.four`" in shown


def test_a_limit_that_could_be_raised_is_told_beside_settings_that_ask_for_less(tmp_path: Path) -> None:
    assert said(told(tmp_path, "sparing")) == ["memory.limit of the machine at least 3 GiB (now 2 GiB)"]


def test_no_change_is_called_sufficient_that_leaves_something_wrong(tmp_path: Path) -> None:
    answers = told(tmp_path, "both_wrong")
    assert answers.alternatives
    assert len(answers.alarms) == 2
    assert said(answers) == []


@pytest.mark.parametrize("name", ["idle", "sparing"])
def test_after_what_is_sufficient_nothing_is_wrong(tmp_path: Path, name: str) -> None:
    for change in told(tmp_path, name).sufficient:
        assert not told(tmp_path, name, text=written(change, 0)).alarms
        assert told(tmp_path, name, text=written(change, 1)).alarms


def test_where_only_the_findings_say_what_helps_the_report_says_so(tmp_path: Path) -> None:
    assert "said above, in the help of each finding" in text.render(told(tmp_path, "hopeless"))
    assert "said above, in the help of each finding" not in text.render(told(tmp_path, "crowd"))


def with_start(word: object) -> str:
    return TEXT.replace("start = by_fork)", f"start = {word})")


def test_other_words_of_a_call_that_runs_into_a_hazard_are_tried(tmp_path: Path) -> None:
    answers = told(tmp_path, "forked_always")
    assert answers.decided is Verdict.NO
    (one,) = answers.amended
    assert one.finding.kind is Kind.HAZARD
    assert [re.sub(r"; \S+\)$", ")", remedy.text) for remedy in one.remedies] == [
        "start of `lib.fork_or_not` = afresh or not_at_all (now by_fork)"
    ]
    for word in one.remedies[0].values:
        assert not told(tmp_path, "forked_always", text=with_start(word)).alarms


def test_words_that_keep_more_cpus_busy_are_told_beside_settings(tmp_path: Path) -> None:
    answers = told(tmp_path, "forked")
    assert [one.cpu for one in answers.alternatives] == [2]
    assert said(answers) == ["start of `lib.fork_or_not` = not_at_all (now by_fork)"]
    for remedy in answers.sufficient:
        for word in remedy.values:
            assert not told(tmp_path, "forked", text=with_start(word)).alarms


@pytest.mark.parametrize(("name", "now"), [("all_of_them", "-1"), ("all_by_nought", "0")])
def test_a_number_that_stands_for_all_cpus_has_one_in_its_place(tmp_path: Path, name: str, now: str) -> None:
    assert lines(told(tmp_path, name)) == {
        "cpu": ["n of `lib.four` at most 1 (now 2)", f"n of `lib.for_all` from 1 to 4 (now {now})"]
    }


@pytest.mark.parametrize("invalid", ["ignored", "clamps", "rejects"])
def test_what_helps_at_the_end_of_a_range_only_is_told_as_that_value(tmp_path: Path, invalid: str) -> None:
    own = f"""package node
import lpcl.core.*
machine small {{ cpus.online = 8 }}
contract lib {{
  control n: count in 1..2 {{ env LIB_N  default 1  invalid {invalid} }}
  assume n >= 2 else "two at least"
  operation go
}}
application few {{ machine small  use lib  run {{ lib.go }} }}
"""
    (finding,) = told(tmp_path, "few", text=own).alarms
    assert [(remedy.relation, remedy.values) for remedy in finding.remedies] == [("is", (2,))]
