"""Assumptions that fail and hazards that hold: in figures, where these come from, and what leads to them."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner

from lpcl import service
from lpcl.cli import cli
from lpcl.compose.composition import Composition
from lpcl.compose.findings import Finding, Kind
from lpcl.compose.structure import Resolution

TEXT = """package node

import lpcl.core.*

machine small { cpus.online = 8  memory.total = 4 GiB  gpus = 1  gpu.memory = 10 GB }

contract lib {
  control threads: count in 1..64 { env LIB_THREADS  default machine.cpus.affinity }
  control layer: {fast, slow} { env LIB_LAYER  default fast }
  pool team { size threads  callers fork  caller joins  threads coupled  fork unsafe  created at first use }
  operation fit { runs on team }
  operation serve(share: share = 50%, taken: bytes = 0 B, needs: bytes = 1 GB) {
    let left = share * machine.gpu.memory - taken
    demand gpu_memory = max(0 B, left)
    assume left > needs else "nothing is left"
  }
  operation start(share: share) {
    demand gpu_memory = share * machine.gpu.memory
    assume machine.gpu.memory.free >= share * machine.gpu.memory else "it is taken"
  }
  operation either(n: int = 1, m: int = 2) { assume n > 2 or m > 4 and n > 0 else "too few" }
  operation unless(n: int = 3, quiet: bool = false) {
    assume (if quiet then true else n < 3) and not (n == 7) else "too loud"
  }
  operation among(n: int) {
    let team = if n < 0 then machine.cpus.online + 1 + n else n
    assume team <= 4 else "too many"
  }
  operation implied(n: int) { assume layer == fast implies n <= threads else "too many for the fast layer" }
  operation asked { assume not defined(LIB_LIMIT) else "a limit is set" }
  operation called { calls fit }
  operation none(n: count = 0) { hazard "nobody is there" hangs when n == 0 }
  operation forked(n: count) { workers processes n { start fork } }
  operation pinned(n: count, cpus: count = 1) { workers processes n { start spawn  pin cpus = cpus } }
  operation stuck(n: count) { workers processes n { start spawn  pin cpus = 1 } }
  operation threaded(n: count) { workers threads n }
  operation crowd { assume callers <= 1 else "one at a time" }
  operation wide { assume machine.cpus.affinity >= 4 else "it needs 4 CPUs" }
}

contract always {
  uses lib
  operation work { calls lib.fit }
  assume lib.threads <= 4 else "more than four"
}

application short { machine small  use lib  run { lib.serve(share = 20%, taken = 6 GB) } }
application late {
  machine small
  use lib
  run { together { lib.start(share = 70%)  lib.start(share = 40%) } }
}
application first { machine small  use lib  run { lib.start(share = 70%) } }
application second { machine small  use lib  run { lib.start(share = 40%) } }
application either { machine small  use lib  run { lib.either } }
application among { machine small  use lib  run { lib.among(n = -1) } }
application unless { machine small  use lib  run { lib.unless } }
application implied {
  machine small
  use lib
  control jobs: count in 1..32 { argument "--jobs"  default 12 }
  run { lib.implied(n = jobs) }
}
application asked { machine small  use lib  env LIB_LIMIT = 3  run { lib.asked } }
application loaded { machine small  use always  run { always.work } }
application nobody { machine small  use lib  run { lib.none } }
application forked {
  machine small
  use lib
  run {
    lib.called
    lib.forked(n = 2) { lib.called }
  }
}
application crowded { machine small  use lib  run { lib.threaded(n = 3) { lib.crowd } } }
application bound { machine small  use lib  env LIB_THREADS = 4  run { lib.pinned(n = 2) { lib.fit } } }
application stuck { machine small  use lib  env LIB_THREADS = 4  run { lib.stuck(n = 2) { lib.fit } } }
application narrow { machine small  use lib  run { lib.pinned(n = 2) { lib.wide } } }
"""
LINES = {
    text.split()[1]: number for number, text in enumerate(TEXT.splitlines(), 1) if "application " in text
}


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("conditions") / "app.lpcl"
    path.write_text(TEXT)
    return path


def composed(file: Path, *names: str, changes: tuple[str, ...] = ()) -> Composition:
    workspace, applications = service.select_applications([f"{file}:{name}" for name in names])
    assert not workspace.errors
    outcome = service.compose_applications(workspace, applications, None, changes)
    assert outcome.composition is not None, outcome.diagnostics
    return outcome.composition


def found(file: Path, *names: str, kind: Kind = Kind.ASSUMPTION) -> Finding:
    return next(one for one in composed(file, *names).assessment.findings if one.kind is kind)


def told(reason: Resolution) -> str:
    return f"{reason.control} = {reason.value}"


FIGURES = {
    "short": ("left > needs", "-4 GB > 1 GB", ["-4 GB > 1 GB: False"]),
    "late": (
        "machine.gpu.memory.free >= share * machine.gpu.memory",
        "3 GB >= 40% * 10 GB",
        ["3 GB >= 4 GB: False"],
    ),
    "either": ("n > 2 or m > 4 and n > 0", "1 > 2 or 2 > 4 and 1 > 0", ["1 > 2: False", "2 > 4: False"]),
    "unless": (
        "(if quiet then true else n < 3) and not (n == 7)",
        "(3 < 3) and not (3 == 7)",
        ["3 < 3: False"],
    ),
    "implied": (
        "layer == fast implies n <= threads",
        "fast == fast implies 12 <= 8",
        ["fast == fast: True", "12 <= 8: False"],
    ),
    "asked": ("not defined(LIB_LIMIT)", "not LIB_LIMIT is set", ["LIB_LIMIT is set: True"]),
    "loaded": ("lib.threads <= 4", "8 <= 4", ["8 <= 4: False"]),
    "crowded": ("callers <= 1", "3 <= 1", ["3 <= 1: False"]),
    "narrow": ("machine.cpus.affinity >= 4", "1 >= 4", ["1 >= 4: False"]),
    "nobody": ("n == 0", "0 == 0", ["0 == 0: True"]),
}


@pytest.mark.parametrize("name", FIGURES)
def test_a_condition_is_reckoned_on_both_sides(file: Path, name: str) -> None:
    text, with_values, comparisons = FIGURES[name]
    item = found(file, name, kind=Kind.HAZARD if name == "nobody" else Kind.ASSUMPTION).checked
    assert item is not None
    assert item.text == text
    assert item.with_values == with_values
    assert [f"{one.text}: {one.holds}" for one in item.comparisons] == comparisons


def test_each_value_says_where_it_comes_from(file: Path) -> None:
    item = found(file, "short").checked
    assert item is not None
    left, needs = item.because
    assert (left.control, left.how) == ("left", "share * machine.gpu.memory - taken")
    share, memory, taken = left.because
    assert (share.control, share.how) == ("share of lib.serve", "argument of the call")
    assert str(share.origin).endswith(f"app.lpcl:{LINES['short']}")
    assert str(memory.origin).endswith("app.lpcl:5")
    assert told(taken) == "taken of lib.serve = 6000000000"
    assert (needs.control, needs.how) == ("needs of lib.serve", "default 1 GB")
    assert str(needs.origin).endswith("app.lpcl:12")


def test_what_is_free_says_who_has_taken_the_rest(file: Path) -> None:
    item = found(file, "late").checked
    assert item is not None
    free = item.because[0]
    assert free.control == "machine.gpu.memory.free"
    assert [told(one) for one in free.because] == [
        "machine.gpu.memory = 10000000000",
        "taken by lib.start = 7000000000",
    ]
    assert str(free.because[1].origin).endswith(f"app.lpcl:{LINES['late'] + 3}")


def test_it_may_be_another_application_that_has_taken_it(file: Path) -> None:
    item = found(file, "first", "second").checked
    assert item is not None
    assert told(item.because[0].because[1]) == "taken by first = 7000000000"


def test_a_narrowed_mask_says_who_narrowed_it(file: Path) -> None:
    item = found(file, "narrow").checked
    assert item is not None
    (pin,) = item.because[0].because
    assert (pin.control, pin.value) == ("pin of lib.pinned", 1)
    assert [one.control for one in pin.because] == ["cpus of lib.pinned"]


def test_what_leads_to_a_hang_after_a_fork_is_told_by_the_lines_of_the_application(file: Path) -> None:
    steps = found(file, "forked", kind=Kind.HAZARD).steps
    start = LINES["forked"]
    assert [(step.who, str(step.origin).rpartition(":")[2]) for step in steps] == [
        ("lib.fit", str(start + 4)),
        ("lib.forked", str(start + 5)),
        ("lib.fit", str(start + 5)),
    ]
    assert [step.process for step in steps] == ["the program", "the program", "workers of lib.forked"]


def test_a_library_is_loaded_by_a_statement(file: Path) -> None:
    (step,) = found(file, "loaded").steps
    assert (step.who, step.what) == ("always.work", "loads always")
    assert str(step.origin).endswith(f"app.lpcl:{LINES['loaded']}")


def test_the_message_is_told_once_and_text_page_and_object_say_the_same(file: Path) -> None:
    texts = {
        form: CliRunner().invoke(cli, ["compose", f"{file}:short", *words], catch_exceptions=False).output
        for form, words in {"text": [], "json": ["--format", "json"], "html": ["--format", "html"]}.items()
    }
    assert texts["text"].count("nothing is left") == 1
    assert "20% * 10 GB - 6 GB" not in texts["text"]
    for line in ("left > needs", "-4 GB > 1 GB: does not hold", f"app.lpcl:{LINES['short']}"):
        assert line in texts["text"]
    (finding,) = json.loads(texts["json"])["findings"]
    assert finding["condition"]["with_values"] == "-4 GB > 1 GB"
    assert finding["condition"]["comparisons"] == [{"text": "-4 GB > 1 GB", "holds": False}]
    assert finding["steps"][0]["clause"]["line"] == LINES["short"]
    assert "-4 GB &gt; 1 GB" in texts["html"]


def remedies(file: Path, *names: str) -> dict[str, tuple[str, str, tuple[object, ...]]]:
    return {one.name: (one.kind, one.relation, one.values) for one in found(file, *names).remedies}


def test_every_single_value_that_would_do_is_named_with_its_bound(file: Path) -> None:
    assert remedies(file, "short") == {
        "share": ("call", "above", (Fraction(7, 10),)),
        "taken": ("call", "below", (1_000_000_000,)),
        "gpu.memory": ("machine", "above", (35_000_000_000,)),
    }
    assert remedies(file, "late")["share"] == ("call", "at most", (Fraction(3, 10),))
    assert remedies(file, "either") == {"n": ("call", "at least", (3,)), "m": ("call", "at least", (5,))}
    assert remedies(file, "implied") == {
        "LIB_LAYER": ("env", "is", ("slow",)),
        "--jobs": ("argument", "at most", (8,)),
        "LIB_THREADS": ("env", "at least", (12,)),
    }
    assert remedies(file, "loaded")["LIB_THREADS"] == ("env", "at most", (4,))
    hazard = found(file, "nobody", kind=Kind.HAZARD)
    assert [(one.name, one.relation, one.values) for one in hazard.remedies] == [("n", "is", (1,))]
    assert hazard.help is not None
    assert hazard.help.startswith("it does not come to that with n of `lib.none` = 1 (now 0; ")
    assert remedies(file, "among") == {"n": ("call", "from", (0, 4))}
    assert "n of `lib.among` from 0 to 4 (now -1; " in str(found(file, "among").help)
    assert remedies(file, "unless") == {"n": ("call", "is", (2,)), "quiet": ("call", "is", (True,))}


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("implied", ("jobs=8",)),
        ("implied", ("LIB_THREADS=12",)),
        ("implied", ("LIB_LAYER=slow",)),
        ("loaded", ("LIB_THREADS=4",)),
    ],
)
def test_what_is_advised_helps_and_one_less_does_not(file: Path, name: str, changes: tuple[str, ...]) -> None:
    assert not has_assumption(composed(file, name, changes=changes))
    nearer = {"jobs=8": "jobs=9", "LIB_THREADS=12": "LIB_THREADS=11", "LIB_THREADS=4": "LIB_THREADS=5"}
    if changes[0] in nearer:
        assert has_assumption(composed(file, name, changes=(nearer[changes[0]],)))


def has_assumption(composition: Composition) -> bool:
    return any(one.kind is Kind.ASSUMPTION for one in composition.assessment.findings)


def test_what_an_assumption_is_about_stands_among_what_is_asked_for(file: Path) -> None:
    shown = CliRunner().invoke(cli, ["compose", f"{file}:short"], catch_exceptions=False).output
    (row,) = [line for line in shown.splitlines() if line.startswith("  gpu_memory")]
    assert "6 GB taken by others" in row
    assert "10 GB" in row
    assert "too little left" in row
    page = CliRunner().invoke(cli, ["compose", f"{file}:short", "--format", "html"], catch_exceptions=False)
    assert "6 GB taken by others" in page.output
    told = CliRunner().invoke(cli, ["compose", f"{file}:late", "--format", "json"], catch_exceptions=False)
    (row,) = [one for one in json.loads(told.output)["demands"] if one["resource"] == "lpcl.core.gpu_memory"]
    assert (row["taken"], row["too_little_left"]) == (7_000_000_000, True)


def test_a_pin_says_who_pins_and_what_would_give_more(file: Path) -> None:
    item = found(file, "bound", kind=Kind.OVERCOMMIT)
    assert item.capacity_text == "`lib.pinned` pins each of its workers to 1 CPU; the machine has 8"
    assert str(item.capacity_origin).endswith("app.lpcl:34")
    (pin,) = item.capacity_because
    assert [one.control for one in pin.because] == ["cpus of lib.pinned"]
    assert [(one.kind, one.name, one.relation, one.values) for one in item.remedies] == [
        ("call", "cpus", "at least", (4,))
    ]
    assert item.help is not None
    assert item.help.startswith("let `lib.pinned` pin each of its workers to 4 CPUs or more, with cpus of")
    assert "or lower the size of `lib.team`" in item.help


def test_a_pin_that_nothing_widens_is_named_all_the_same(file: Path) -> None:
    item = found(file, "stuck", kind=Kind.OVERCOMMIT)
    assert not item.remedies
    assert item.help is not None
    assert item.help.startswith("do without the pin of `lib.stuck`")
    assert "app.lpcl:35" in item.help
