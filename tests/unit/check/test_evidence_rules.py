"""What is said about expectations that ask the contract itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from lpcl import service

LIBRARY = """
import lpcl.core.*
contract other {{ control n: count {{ env OTHER_N  default 5 }} }}
contract shop {{
  uses other = other
  control threads: count in 1..8 {{ env SHOP_THREADS  default 3 }}
  let twice = threads * 2
  pool team {{ size threads  callers fork }}
  operation serve(k: count = 1) {{ runs on team }}
  evidence "it holds" {{ python "report(a=1)"  {clauses} }}
}}
"""


@pytest.mark.parametrize(
    "clauses",
    [
        "expect a == self.threads  expect a == self.twice  expect a == self.other.n",
        'expect a == self.team.size  expect a == self.team.active(3)  expect self.team.fork == "safe"',
        "let k = 2  run { shop.serve(k = k) }  expect a == predicted.threads  expect predicted.hazards == 0",
        "limit threads = 3  expect a == 1  try { limit other.n = 2  expect a == given_value }",
        "expect self.load.ANYTHING == null  expect self.demand.memory == 0 B",
        "try { let n = 3  expect a == n }",
    ],
)
def test_what_can_be_asked(tmp_path: Path, clauses: str) -> None:
    assert headlines(tmp_path, clauses) == []


@pytest.mark.parametrize(
    ("clauses", "headline"),
    [
        ("expect a == self.threds", "`shop` has no control, pool or `let` called `threds`"),
        ("expect a == self.team", "`team` is a pool, not a value"),
        ("expect a == self.team.sise", "a pool has no `sise`"),
        ("expect a == self.threads.policy", "a control has no `policy`"),
        ("expect a == self.nobody.n", "`shop` has no `nobody`"),
        ("expect a == self.other.m", "`other` has no control, pool or `let` called `m`"),
        ("expect a == self.team.busy(3)", "a pool has no function `busy`"),
        ("expect a == self.threads.active(3)", "`self.threads.active` is no function: only pools have some"),
        ("expect a == self.team.active()", "`self.team.active` takes 1 argument, here are 0"),
        ("expect a == predicted.threads", "nothing is predicted: the evidence has no `run`"),
        ("run { shop.serve }  expect predicted.thread == 1", "there is no resource `thread`"),
        ("run { shop.sell }  expect predicted.cpu == 1", "`shop` has no operation `sell`"),
        ("run { shops.serve }  expect predicted.cpu == 1", "there is no library `shops` here"),
        ("limit thread = 3  expect a == 1", "there is no control `thread` here"),
        ("limit threads = 9  expect a == 1", "`threads` has to be 1 to 8, but this is 9"),
        ("expect self.threads", "what is expected has to be true or false, but this is a whole number"),
        ('expect self.threads == "3"', "cannot compare a whole number with a text"),
        ("let n = 1  let n = 2  expect a == n", None),
        ("try { pin cpus = 1  pin cpus = 2 }  expect a == 1", None),
    ],
)
def test_what_cannot_be_asked(tmp_path: Path, clauses: str, headline: str | None) -> None:
    found = headlines(tmp_path, clauses)
    assert len(found) >= 1
    if headline is not None:
        assert headline in found


def headlines(folder: Path, clauses: str) -> list[str]:
    file = folder / "shop.lpcl"
    file.write_text(LIBRARY.format(clauses=clauses), encoding="utf-8")
    return [item.headline for item in service.open_workspace([str(file)]).errors]
