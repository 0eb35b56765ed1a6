"""Lies about a contract: each is another contract, and honest evidence refutes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from lpcl.model.contracts import contract as flatten
from lpcl.model.host import read_host
from lpcl.verify.judgement import Verdict
from lpcl.verify.lies import clauses, lies, told
from lpcl.verify.render import text
from lpcl.verify.selection import select
from lpcl.verify.weighing import Witness, clauses_of, noticed, refuted

if TYPE_CHECKING:
    from tests.unit.verify.conftest import Bench

BASE = """
contract base {
  control threads: count in 1..4 { env A, B  default 2  invalid clamps  read at load }
  pool team { size threads  callers fork  caller joins  idle blocks  fork safe }
}
"""
HONEST = (
    BASE
    + """
contract shop extends base {
  control mode: {fast, slow} { env M  default fast  invalid ignored }
  operation serve { runs on team }
  operation spread { workers processes 2 { set A = 1  set default B = 3  start spawn } }
  on load { set C = "yes" }
  demand memory = 1 MiB
  hazard "slow" when mode == slow
  evidence "the variables" for threads {
    python \"\"\"
      import os
      def number(name):
          value = os.environ.get(name)
          return max(1, min(4, int(value))) if value and value.isdigit() else None
      report(seen=number("A") or number("B") or 2)
    \"\"\"
    expect seen == self.threads
    expect self.threads.read == "load"
    try {}
    try { set A = 1 }
    try { set A = 3 }
    try { set B = 1 }
    try { set A = 3  set B = 1 }
    try { set A = 100  set B = 1 }
    try { set A = 0  set B = 3 }
  }
  evidence "figures alone" for team { python "report(a=1)" expect a == 1 }
}
"""
)


def test_every_clause_can_say_something_else(bench: Bench) -> None:
    bench.write(f"import lpcl.core.*\n{HONEST}")
    chosen = select([str(bench.folder)]).chosen[0]
    assert [item.headline for item in chosen.errors] == []
    program = chosen.workspace.program
    contract = flatten(program, chosen.contracts[1])
    assert clauses(contract) == (
        "threads.env A",
        "threads.env B",
        "threads.env A before B",
        "threads.default",
        "threads.range from",
        "threads.range to",
        "threads.invalid",
        "threads.read",
        "mode.env M",
        "mode.default",
        "mode.value fast",
        "mode.value slow",
        "mode.invalid",
        "team.size",
        "team.callers",
        "team.idle",
        "team.caller",
        "team.fork",
        "serve.runs on team",
        "spread.workers processes",
        "spread.workers processes count",
        "spread.workers processes set A",
        "spread.workers processes set B",
        "spread.workers processes start",
        "on load.set C",
        "demand memory",
        'hazard "slow"',
    )
    for lie in lies(contract):
        made = told(program, contract, lie)
        assert made.contract.declared.qualified == "shop"
        before, after = list(_members(contract)), list(_members(made.contract))
        assert before != after, lie.clause


def _members(contract: object) -> list[object]:
    return [
        getattr(contract, kind)[name].node
        for kind in ("controls", "pools", "operations", "lets")
        for name in getattr(contract, kind)
    ] + [
        contract.on_load.node,
        *(item.node for item in contract.demands),
        *(item.node for item in contract.hazards),
    ]


def test_honest_evidence_refutes_every_lie_about_its_control(bench: Bench) -> None:
    bench.write(f"import lpcl.core.*\n{HONEST}")
    outcome = bench.attempt_file(f"import lpcl.core.*\n{HONEST}", "the variables")
    assert outcome.verdict is Verdict.PROVED, outcome
    host = read_host()
    witness = Witness(outcome.experiment.program, outcome.experiment.contract)
    found = refuted(outcome, witness, host)
    assert noticed(outcome.experiment, witness, host) == found
    assert clauses_of(found, witness) == (
        "threads.env A",
        "threads.env B",
        "threads.env A before B",
        "threads.default",
        "threads.range from",
        "threads.range to",
        "threads.invalid",
        "threads.read",
    )


def test_figures_alone_prove_no_clause(bench: Bench) -> None:
    outcome = bench.attempt_file(f"import lpcl.core.*\n{HONEST}", "figures")
    assert outcome.verdict is Verdict.PROVED
    witness = Witness(outcome.experiment.program, outcome.experiment.contract)
    assert refuted(outcome, witness, read_host()) == frozenset()
    assert noticed(outcome.experiment, witness, read_host()) == frozenset()


@pytest.mark.parametrize(
    ("true", "lie"),
    [
        ("env A, B", "env B, A"),
        ("env A, B", "env A"),
        ("default 2", "default 1"),
        ("default 2", "default machine.cpus.online + 5"),
        ("in 1..4", "in 1..2"),
        ("in 1..4", "in 1..1000"),
        ("invalid clamps", "invalid ignored"),
        ("invalid clamps", "invalid rejects"),
        ("read at load", "read at each call"),
    ],
)
def test_a_lie_in_the_text_is_refuted(bench: Bench, true: str, lie: str) -> None:
    text = f"import lpcl.core.*\n{HONEST}"
    assert true in text
    outcome = bench.attempt_file(text.replace(true, lie, 1), "the variables")
    assert outcome.verdict is Verdict.REFUTED


def test_coverage_runs_nothing_and_says_what_is_left(bench: Bench) -> None:
    from lpcl.verify.coverage import State, coverage

    bench.write(f"import lpcl.core.*\n{HONEST}")
    chosen = select([str(bench.folder)]).chosen[0]
    base, shop = coverage(chosen.workspace.program, chosen.contracts)
    assert base.number(State.COVERED) == 0
    states = {item.clause: item.state for item in shop.clauses}
    assert states["threads.default"] is State.COVERED
    assert states["team.size"] is State.NAMED
    assert states["mode.default"] is State.OPEN
    assert shop.number(State.COVERED) == 8
    unnoticed = {item.clause: item.unnoticed for item in shop.clauses}
    assert unnoticed["threads.default"] == ()
    assert unnoticed["team.size"] == ("one more",)
    assert unnoticed["team.callers"] == ("queue", "submit", "join", "forbid")
    lines = list(text.coverage([shop]))
    assert lines[2].endswith("were this said instead:")
    assert "        team.size: one more" in lines
    assert "        team.callers: queue, or submit, or join, or forbid" in lines
    assert lines.index("        mode.default") > lines.index("    without evidence:")


@pytest.mark.parametrize(
    ("kind", "stated", "others"),
    [
        ("int in 1..4", "ignored", {"rejects", "clamps", "clamps above"}),
        ("int in 1..4", "clamps above", {"rejects", "clamps", "ignored"}),
        ("count", "ignored", {"rejects", "clamps"}),
        ("count", "clamps", {"rejects", "clamps above", "ignored"}),
        ("share", "ignored", {"rejects", "clamps", "clamps above"}),
        ("int", "ignored", {"rejects"}),
        ("int", "rejects", {"clamps", "clamps above", "ignored"}),
        ("bool", "ignored", {"rejects"}),
        ("bool", "clamps", {"rejects"}),
        ("{one, two}", "ignored", {"rejects"}),
        ("{one, two}", "rejects", {"clamps", "clamps above", "ignored"}),
    ],
)
def test_what_comes_to_the_same_with_invalid_values_is_no_lie(
    bench: Bench, kind: str, stated: str, others: set[str]
) -> None:
    """Told all the same, no content of a variable tells them apart: that is held against the composer."""
    default = {"bool": "true", "{one, two}": "one"}.get(kind, "1")

    def shop(policy: str, content: str) -> str:
        return (
            f"contract shop {{ control held: {kind} {{ env HELD  default {default}  invalid {policy} }}\n"
            f'evidence "it holds" {{ set HELD = {content} python "report(a=1)" '
            "expect not self.held.accepted or self.held == self.held.default } }"
        )

    (chosen,) = select([str(bench.write(shop(stated, "1")))]).chosen
    contract = flatten(chosen.workspace.program, chosen.contracts[0])
    told_of = {lie.text for lie in lies(contract) if lie.clause == "held.invalid"}
    assert told_of == others
    for other in {"rejects", "clamps", "clamps above", "ignored"} - others - {stated}:
        for content in ("0", "-3", "2", "9", '"abc"', '"true"', '"two"'):
            assert (
                bench.attempt_file(shop(stated, content)).verdict
                is bench.attempt_file(shop(other, content)).verdict
            )
