"""What a contract says of a run, compared with what its code reports: a small library with variables."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from lpcl.verify.judgement import Verdict

if TYPE_CHECKING:
    from tests.unit.verify.conftest import Bench

LIBRARY = """
import lpcl.core.*
contract other {{ control n: count {{ env OTHER_N  default 5 }} }}
contract shop {{
  uses other = other
  control threads: count in 1..8 {{
    api "set_threads"  env SHOP_THREADS, ALL_THREADS  default 3  read at load  invalid clamps
  }}
  control mode: {{fast, slow}} {{ env SHOP_MODE  default fast  invalid rejects }}
  let twice = threads * 2
  pool team {{ size threads  callers fork  caller joins  created at load
              idle spins for 200 ms  fork unsafe }}
  pool line {{ size threads  callers queue  caller joins }}
  pool desk {{ size threads  callers join }}
  control spare: count {{ api "set_spare"  default 0 }}
  pool bare {{ size spare  callers fork }}
  pool empty {{ size spare  callers submit }}
  operation work(k: count = 1) {{ workers processes k {{ set SHOP_THREADS = 1 }} }}
  operation serve {{ runs on team }}
  hazard "slow" when mode == slow
  on load {{ set default SHOP_SEEN = "yes" }}
  evidence "it holds" {{ {clauses} python "report(a=1, null=None)" }}
}}
"""


def holds(bench: Bench, clauses: str) -> list[bool | None]:
    outcome = bench.attempt_file(LIBRARY.format(clauses=clauses))
    assert outcome.attempts, outcome.reason
    faults = [item.fault for item in outcome.expectations if item.fault is not None]
    assert faults == []
    return [item.holds for item in outcome.expectations]


@pytest.mark.parametrize(
    "clauses",
    [
        "expect self.threads == 3",
        "set SHOP_THREADS = 2  set ALL_THREADS = 4  expect self.threads == 2",
        "set ALL_THREADS = 4  expect self.threads == 4",
        "set SHOP_THREADS = 100  expect self.threads == 8",
        'set SHOP_THREADS = "many"  set ALL_THREADS = 4  expect self.threads == 4',
        "set SHOP_THREADS = 2  expect self.threads.default == 3",
        "limit threads = 5  set SHOP_THREADS = 2  expect self.threads == 5",
        "set SHOP_THREADS = 2  expect self.twice == 4",
        'expect self.threads.read == "load"  expect self.threads.invalid == "clamps"',
        'expect self.threads.scope == "process"  expect self.mode.read == "first use"',
        'expect self.mode == "fast"  expect self.mode.accepted',
        'set SHOP_MODE = "odd"  expect not self.mode.accepted',
        "set OTHER_N = 7  expect self.other.n == 7  expect self.other.n.default == 5",
        "expect self.team.size == 3  expect self.team.existing == 2",
        "expect self.team.active(4) == 12  expect self.team.exist(4) == 8",
        "expect self.line.active(4) == 3  expect self.line.exist(4) == 2",
        "limit threads = 1  expect self.line.active(4) == 4  expect self.line.exist(4) == 0",
        "expect self.desk.active(4) == 3 - 1 + 4",
        "expect self.bare.active(4) == 4  expect self.bare.exist(4) == 0",
        "expect self.empty.active(4) == 4  expect self.empty.exist(4) == 0",
        'expect self.team.callers == "fork"  expect self.team.caller == "joins"',
        'expect self.team.created == "load"  expect self.line.created == "first use"',
        'expect self.team.fork == "unsafe"  expect self.line.fork == "safe"',
        'expect self.team.idle == "spins for a time"  expect self.line.idle == "blocks"',
        "expect self.team.spinning == 200 ms  expect self.line.spinning == 0 s  expect not self.team.nested",
        'expect self.load.SHOP_SEEN == "yes"  expect self.load.ANYTHING == null',
        'set SHOP_SEEN = "no"  expect self.load.SHOP_SEEN == "no"',
        "let k = 4  run { shop.work(k = k) { shop.serve } }  expect predicted.processes == 1 + k",
        "run { shop.serve }  expect predicted.cpu == self.threads  expect predicted.hazards == 0",
        'set SHOP_MODE = "slow"  run { shop.serve }  expect predicted.hazards == 1',
        "run { shop.serve }  expect predicted.shop.threads == 3",
        "let k = 2  run { shop.work(k = k) { shop.serve } }  expect predicted.threads == (1 + 2) + 2 * 1",
    ],
)
def test_what_the_contract_says(bench: Bench, clauses: str) -> None:
    found = holds(bench, clauses)
    assert found
    assert all(found), found


def test_runs_under_settings_of_their_own(bench: Bench) -> None:
    outcome = bench.attempt_file(
        """
        contract shop {
          control threads: count in 1..8 {
            api "set_threads"  env SHOP_THREADS, ALL_THREADS  default machine.cpus.affinity
          }
          evidence "it holds" {
            let n = 1
            set ALL_THREADS = 2
            python \"\"\"
              import os
              value = given.get("threads") or os.environ.get("SHOP_THREADS") or os.environ.get("ALL_THREADS")
              report(seen=int(value), n=given["n"], cpus=len(os.sched_getaffinity(0)))
            \"\"\"
            expect seen == self.threads
            try {}
            try { set SHOP_THREADS = 4 }
            try "called" { set SHOP_THREADS = 4  limit threads = 6  expect seen == 6 }
            try { pin cpus = 1  let n = 5  expect cpus == 1  expect n == 5 }
          }
        }
        """
    )
    assert outcome.verdict is Verdict.PROVED, outcome
    assert [item.trial.title for item in outcome.attempts] == [
        "nothing set",
        "SHOP_THREADS = 4",
        "called",
        "pin cpus = 1, let n = 5",
    ]
    assert [len(item.expectations) for item in outcome.attempts] == [1, 1, 2, 3]


def test_one_run_of_several_is_wrong(bench: Bench) -> None:
    outcome = bench.attempt_file(
        """
        contract shop {
          control threads: count { env SHOP_THREADS  default 1 }
          evidence "it holds" {
            python "report(seen=1)"
            expect seen == self.threads
            try {}
            try { set SHOP_THREADS = 2 }
          }
        }
        """
    )
    assert outcome.verdict is Verdict.REFUTED
    assert [item.verdict for item in outcome.attempts] == [Verdict.PROVED, Verdict.REFUTED]


def test_a_run_that_this_machine_cannot_make_is_left_out(bench: Bench) -> None:
    outcome = bench.attempt_file(
        """
        contract shop {
          control threads: count { default 1 }
          evidence "it holds" {
            python "report(seen=1)"
            expect seen == self.threads
            try {}
            try { pin cpus = 100000 }
          }
        }
        """
    )
    assert outcome.verdict is Verdict.PROVED
    assert [item.verdict for item in outcome.attempts] == [Verdict.PROVED, Verdict.NOT_TRIED]
    assert "it needs 100000 CPUs" in (outcome.attempts[1].reason or "")


@pytest.mark.parametrize(
    ("clauses", "fault"),
    [
        ("let n = 1 try { let n = 9 } limit threads = n", "`threads` is 9 here, which is not in 1..8"),
        (
            "let n = 1 try { let n = 0 } try { let n = 8 } limit threads = n",
            "`threads` is 0 here, which is not in 1..8",
        ),
        ("let n = 1 try { let n = -1 } limit other.n = n", "`other.n` is -1 here, which is not in 0.."),
        ("let n = 1 try { let n = 8 } limit threads = n", None),
    ],
)
def test_a_call_out_of_range_says_nothing(bench: Bench, clauses: str, fault: str | None) -> None:
    outcome = bench.attempt_file(LIBRARY.format(clauses=f"expect a == 1 {clauses}"))
    assert outcome.verdict is (Verdict.PROVED if fault is None else Verdict.FAILED)
    assert outcome.reason == (None if fault is None else f"the evidence is faulty: {fault}")
