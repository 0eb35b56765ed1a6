"""Where each factor of a ledger's line comes from, as a reader of a report sees it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from lpcl import service
from lpcl.cli import cli
from lpcl.compose.composition import Composition
from lpcl.compose.findings import Finding
from lpcl.compose.structure import Resolution

TEXT = """package node

import lpcl.core.*

machine small { cpus.online = 8  memory.total = 4 GiB  gpus = 2  gpu.memory = 10 GiB }

contract lib {
  control threads: count in 1..64 { env LIB_THREADS  default machine.cpus.affinity }
  control most: count { env LIB_MOST  default 2147483647 }
  control nested: bool { env LIB_NESTED  default true }
  let usable = if nested then min(threads, most) else 1
  pool team { size usable  callers fork  caller joins  threads coupled }
  operation fit { runs on team }
  operation at(threads: count) { runs on team with size = min(threads, machine.cpus.affinity) }
  operation many(n: int) {
    let workers_wanted = if n < 0 then 1 else max(1, n)
    workers processes workers_wanted { start spawn }
  }
  operation within(n: count) { workers threads n }
  operation heavy(use: count) { demand cpu = use }
  operation serve(share: share) { demand gpu_memory on all = share * machine.gpu.memory  demand cpu = 0 }
  operation store(cap: bytes) { demand memory in 0 B..cap * 2 }
}

application nested {
  machine small
  use lib
  control jobs: count in 1..8 { argument "--jobs"  default 2 }
  let inner = jobs + 1
  run { lib.many(n = jobs) { lib.within(n = inner) { lib.fit } } }
}

application handed_on {
  machine small
  use lib
  run { lib.within(n = 3) { lib.at(threads = 4) } }
}

application thrice {
  machine small
  use lib
  run {
    together {
      lib.heavy(use = 3)
      lib.heavy(use = 3)
      lib.heavy(use = 3)
    }
  }
}

application models {
  machine small
  use lib
  run { lib.many(n = 4) { lib.serve(share = 30%) } }
}

application stored {
  machine small
  use lib
  run { lib.store(cap = 3 GiB) }
}

application alone {
  machine small
  use lib
  run { lib.fit }
}
"""


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("ledger") / "app.lpcl"
    path.write_text(TEXT)
    return path


def composed(file: Path, name: str) -> Composition:
    workspace, applications = service.select_applications([f"{file}:{name}"])
    assert not workspace.errors
    outcome = service.compose_applications(workspace, applications, None, ())
    assert outcome.composition is not None, outcome.diagnostics
    return outcome.composition


def finding(file: Path, name: str) -> Finding:
    return composed(file, name).assessment.alarms[0]


def every(reasons: tuple[Resolution, ...]) -> Iterator[Resolution]:
    for reason in reasons:
        yield reason
        yield from every(reason.because)


def reasons(file: Path, name: str) -> dict[str, Resolution]:
    return {reason.control: reason for entry in finding(file, name).ledger for reason in every(entry.reasons)}


def compose(file: Path, name: str, *options: str) -> Result:
    return CliRunner().invoke(cli, ["compose", f"{file}:{name}", *options], catch_exceptions=False)


def test_copies_and_callers_are_traced_to_what_sets_them(file: Path) -> None:
    found = reasons(file, "nested")
    copies = found["workers of lib.many"]
    assert (copies.value, copies.how) == (2, "max(1, n)")
    assert [one.control for one in copies.because] == ["n of lib.many"]
    jobs = found["jobs"]
    assert (jobs.value, jobs.how, jobs.set_with) == (2, "its default 2", ("--jobs",))
    callers = found["callers of lib.fit"]
    assert (callers.value, callers.how) == (3, "3 worker threads of lib.within")
    handed_on = found["n of lib.within"]
    assert (handed_on.value, handed_on.how) == (3, "argument of the call: jobs + 1")
    assert [one.control for one in handed_on.because] == ["jobs"]
    assert str(handed_on.origin).endswith("app.lpcl:30")


def test_an_expression_shows_the_branch_that_counts_and_the_figures_it_names(file: Path) -> None:
    found = reasons(file, "nested")
    size = found["size of `lib.team`"]
    assert (size.how, size.facts) == ("min(threads, most)", ())
    at = reasons(file, "handed_on")["size of `lib.team`"]
    assert (at.how, at.facts) == ("min(threads, machine.cpus.affinity)", (("cpus.affinity", 8),))
    assert at.because[0].control == "threads of lib.at"


def test_the_largest_number_of_a_machine_word_is_no_limit(file: Path) -> None:
    out = compose(file, "nested").output
    assert "lib.most = no limit: by default; LIB_MOST is not set" in out
    assert "lib.most = 2147483647" not in out


def test_calls_put_together_say_where_they_are(file: Path) -> None:
    (entry,) = finding(file, "thrice").ledger
    assert (entry.each, entry.copies, entry.total) == (3, 3, 9)
    assert entry.text == "1 caller x 3 CPUs"
    calls = entry.reasons[0]
    assert (calls.control, calls.value) == ("calls of lib.heavy", 3)
    assert calls.how.count("app.lpcl:") == 3


def test_a_demand_shows_how_its_bound_is_reckoned(file: Path) -> None:
    memory = reasons(file, "stored")["memory of lib.store"]
    assert (memory.how, memory.value) == ("cap * 2", 6 * 2**30)
    share = reasons(file, "models")["gpu_memory of lib.serve"]
    assert (share.how, share.facts) == ("share * machine.gpu.memory", (("gpu.memory", 10 * 2**30),))


def test_what_the_program_hands_on_is_nothing_that_variables_decide(file: Path) -> None:
    """They are ranked by the controls alone: those read last decide least directly."""
    names = [knob.name for knob in composed(file, "nested").knobs]
    assert names == ["jobs", "LIB_MOST", "LIB_THREADS", "LIB_NESTED"]


def test_a_figure_of_each_process_is_said_to_be_so_and_devices_have_their_own(file: Path) -> None:
    out = compose(file, "models").output
    assert "gpu_memory on each of the devices 0 and 1: 12 GiB asked for" in out
    out = compose(file, "nested").output
    assert "lib.many: 1 worker, lib.within: 2 workers, lib.fit: 4 threads each" in out


def test_advice_names_the_places(file: Path) -> None:
    assert finding(file, "nested").help == (
        "lower the number of workers of `lib.many` and `lib.within`, or the size of `lib.team` in `lib.fit`"
    )
    assert finding(file, "models").help == (
        "ask for at least 2 GiB less at once, for instance with fewer workers of `lib.many`"
    )


def test_a_good_answer_says_what_was_reckoned(file: Path) -> None:
    out = compose(file, "alone").output
    assert "Nothing is wrong with it as it stands; it keeps 8 CPUs busy." in out
    assert "Nearest to its capacity is cpu, with 8 of 8:" in out
    assert "1 caller x a team of 8" in out


def test_what_is_reckoned_is_shown_with_its_values_put_in(file: Path) -> None:
    out = " ".join(compose(file, "models").output.split())
    assert "gpu_memory of lib.serve = 3 GiB: share * machine.gpu.memory = 30% * 10 GiB (" in out
    assert "share of lib.serve = 30%: argument of the call" in out
    out = " ".join(compose(file, "stored").output.split())
    assert "memory of lib.store = 6 GiB: cap * 2 = 3 GiB * 2 (" in out


def test_what_has_no_limit_is_put_in_as_such(file: Path) -> None:
    out = " ".join(compose(file, "alone").output.split())
    assert "size of `lib.team` = 8: min(threads, most) = min(8, no limit) (" in out


def test_sizes_that_do_not_see_the_quota_are_said_not_to(tmp_path: Path) -> None:
    text = TEXT.replace("cpus.online = 8 ", "cpus.online = 8  cpus.quota = 2.5 ")
    (tmp_path / "app.lpcl").write_text(text)
    note = "the sizes follow from machine.cpus.affinity = 8: the quota of 2.5 CPUs is not looked at"
    assert finding(tmp_path / "app.lpcl", "alone").notes == (note,)
    text = text.replace("default machine.cpus.affinity", "default max(1, floor(machine.cpus.quota))")
    (tmp_path / "app.lpcl").write_text(text)
    assert not composed(tmp_path / "app.lpcl", "alone").assessment.alarms


def test_fewer_workers_are_advised_only_where_they_are_a_factor(tmp_path: Path) -> None:
    instead = "workers processes 3 { start spawn }  demand memory = cap * 2"
    text = TEXT.replace("demand memory in 0 B..cap * 2", instead)
    (tmp_path / "app.lpcl").write_text(text)
    assert finding(tmp_path / "app.lpcl", "stored").help == "ask for at least 2 GiB less at once"


def test_what_is_the_same_on_several_devices_is_told_once_to_a_reader_and_by_itself_to_programs(
    file: Path,
) -> None:
    out = compose(file, "models").output
    assert out.count("error[overcommit]") == 1
    assert [one.device for one in composed(file, "models").assessment.alarms] == [0, 1]
    page = compose(file, "models", "--format", "html").output
    assert "Too much gpu_memory on device 0: 12 GiB of 10 GiB (1.2x) (and" not in page
    assert page.count("<h3>gpu_memory on each of the devices 0 and 1") == 1


def test_a_table_has_no_column_without_a_word_in_it(file: Path) -> None:
    out = compose(file, "models").output
    (head,) = [line for line in out.splitlines() if line.split()[:2] == ["in", "who"]]
    assert "how" not in head.split()
