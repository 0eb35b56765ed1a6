"""What is offered where: the contract and the application with one piece replaced, the cursor at `|`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from lsp_server import vocabulary

Text = Callable[[str, str], str]

IN_CONTRACT = [
    ("  library {", "  |\n  library {", [*vocabulary.CLAUSES["contract"]], ["size", "env"]),
    ('pypi "numpy"', "|", ["pypi", "file", "command"], ["control"]),
    ("in 1..64 {", "in 1..64 { | ", [*vocabulary.CLAUSES["control"]], ["size"]),
    ("control threads: count", "control threads: |", [*vocabulary.TYPES], ["threads"]),
    ("env     OPEN", "env     | OPEN", ["OMP_NUM_THREADS", "BLAS_MODE"], ["env"]),
    ("BLAS_MODE default", "OTHER_MODE, |  default", ["OMP_NUM_THREADS"], ["default"]),
    ("default min", "default | min", ["half", "mode", "machine", "min", "if"], ["threads", "env"]),
    ("cpus.affinity", "|", ["cpus", "cpus.online", "memory.total", "gpu.memory.free"], ["min"]),
    ("cpus.affinity", "cpus.|", ["affinity", "online", "quota", "physical"], ["cpus.online"]),
    ("cpus.affinity", "cpus.aff|", ["affinity"], []),
    ("at load", "|", ["at load", "at first use", "at each call"], ["load"]),
    ("at load", "at |", ["load", "first use", "each call"], ["at load"]),
    ("invalid clamps", "invalid |", ["rejects", "clamps", "ignored"], ["env"]),
    ("default static", "default |", ["static", "dynamic"], []),
    ("size threads", "size |", ["threads", "half", "machine"], ["coupled", "callers"]),
    ("size threads", "size threads |", ["callers", "idle", "and", "div"], ["coupled", "half"]),
    ("callers queue", "callers |", ["fork", "queue", "submit", "join", "forbid"], ["size"]),
    ("callers queue", "callers qu|", ["queue"], []),
    ("caller joins", "threads |", ["coupled", "independent"], ["size"]),
    ("caller joins", "created at |", ["load", "first use"], ["each call"]),
    ("caller joins", "idle spins |", ["for"], []),
    ("caller joins", "idle spins for 200 |", ["ms", "s", "MiB", "%"], []),
    ("threads div 2", "32 |", ["MiB", "GB/s"], []),
    ("threads div 2", "threads div | ", ["threads", "mode"], ["half "]),
    ("32 MiB", "32 M|", ["MiB", "MB"], []),
    ("demand memory", "demand |", ["memory", "cpu", "threads"], ["half"]),
    ("runs on workers", "|", [*vocabulary.CLAUSES["operation"]], ["env"]),
    ("runs on workers", "runs on |", ["workers"], ["threads"]),
    ("size = half", "size = |", ["half", "n", "how", "threads"], ["workers"]),
    ("runs on workers", "workers |", ["processes", "threads"], []),
    ("runs on workers", "workers processes n { | }", [*vocabulary.CLAUSES["workers"]], ["runs on"]),
    ("runs on workers", "workers processes n { start | }", ["fork", "spawn", "loky"], []),
    ("runs on workers", "workers processes n { set | }", ["default", "OMP_NUM_THREADS"], []),
    ("runs on workers", "workers processes n { limit | }", ["threads", "mode"], ["workers"]),
    ("n: count", "n: |", [*vocabulary.TYPES], []),
    ("= fast)", "= |)", ["fast", "exact"], []),
    ("calls matmul", "calls |", ["matmul", "both"], ["threads"]),
    ("n = 3", "|", ["n", "how"], ["threads"]),
    ("n = 3", "n = 3, |", ["how"], ["n"]),
    ("n = 3", "how = |", ["fast", "exact"], []),
    ("process.run_delay", "|", ["process", "cgroup", "threadpool"], []),
    ("process.run_delay", "process.|", ["run_delay", "run_time", "rss"], []),
    ("indicates cpu", "indicates |", ["cpu", "memory"], []),
    ("  signal", '  hazard "it hangs" |\n  signal', ["hangs", "aborts", "wrong_results"], []),
    ("  signal", "  scales |\n  signal", ["threads"], ["workers"]),
    ("  signal", "  scales threads |\n  signal", ["amdahl"], []),
    ("  signal", "  on |\n  signal", ["load"], []),
    ("  signal", "  on load { | }\n  signal", [*vocabulary.CLAUSES["on load"]], []),
    ("  signal", "  uses b = |\n  signal", ["openblas"], []),
    ("  signal", '  evidence "it is so" { | }\n  signal', [*vocabulary.CLAUSES["evidence"]], []),
    ("  signal", "  @|\n  signal", [*vocabulary.ANNOTATIONS], []),
    ("contract openblas {", "contract openblas | {", ["extends", "implements"], []),
    ("contract openblas {", "contract a { }\ncontract openblas extends | {", ["a"], ["cpu"]),
    ("import lpcl.core.*", "|", [*vocabulary.CLAUSES["file"]], []),
    ("import lpcl.core.*", "import |", ["lpcl.core", "blasy"], []),
    ("import lpcl.core.*", "import lpcl.core.|", ["cpu", "memory"], []),
    ("import lpcl.core.*", "import lpcl.core.{ | }", ["cpu", "memory"], []),
]
IN_APPLICATION = [
    ("  machine host", "  |", [*vocabulary.CLAUSES["application"]], ["pool"]),
    ("machine host", "machine |", ["host", "node"], []),
    ("use openblas", "use |", ["openblas"], ["cpu"]),
    ("use openblas", "use openblas, |", ["openblas"], []),
    ("env OMP_NUM_THREADS", "env |", ["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"], []),
    ("env OMP_NUM_THREADS = 4", "env BLAS_MODE = |", ["static", "dynamic"], []),
    ("openblas.matmul", "| openblas.matmul", ["openblas.matmul", "openblas.load", "together"], []),
    ("openblas.matmul", "openblas.|", ["matmul", "both", "load"], ["threads"]),
    ("n = jobs, how", "|", ["n", "how"], []),
    ("n = jobs", "n = |", ["jobs", "machine"], ["n"]),
    ("how = exact", "how = |", ["fast", "exact"], []),
    ("limit openblas.threads", "limit |", ["openblas.threads", "jobs"], ["openblas.matmul"]),
    ("limit openblas.threads", "limit openblas.|", ["threads", "mode"], ["matmul"]),
    ("cpus.online", "|", ["cpus.online", "memory.total"], ["cpus"]),
    ("cpus.online", "cpus.|", ["online", "affinity"], []),
    ("check search", "|", [*vocabulary.CLAUSES["test"]], []),
    ("check search", "check |", ["search"], ["openblas"]),
    ("expect safe", "expect |", [*vocabulary.VALUES["test"]["expect"]], []),
    ("safe with", "no | with", ["overcommit", "hazard"], ["safe"]),
    ("expect safe", "expect overcommit | \n  expect safe", ["cpu", "memory"], []),
    ("expect safe", "expect overcommit cpu 8 / 2 as | \n  expect safe", ["collapse", "mild"], []),
    ("expect safe", "expect overcommit cpu 8 / 2 by | \n  expect safe", ["openblas"], []),
    ("expect safe", "expect serialized on | \n  expect safe", ["openblas.workers"], []),
    ("expect safe", "expect value openblas.| \n  expect safe", ["threads", "mode"], ["workers"]),
    ("jobs = 1,", "|", ["jobs", "openblas.threads", "OMP_NUM_THREADS"], []),
    ("import blasy.openblas", "import blasy.|", ["openblas"], []),
]


@pytest.mark.parametrize(("old", "new", "offered", "not_offered"), IN_CONTRACT)
def test_in_a_contract(
    editor: Any, blas: Text, old: str, new: str, offered: list[str], not_offered: list[str]
) -> None:
    found = editor.completion("blas.lpcl", blas(old, new))
    assert set(offered) <= set(found)
    assert not set(not_offered) & set(found)


@pytest.mark.parametrize(("old", "new", "offered", "not_offered"), IN_APPLICATION)
def test_in_an_application(
    editor: Any, application: Text, old: str, new: str, offered: list[str], not_offered: list[str]
) -> None:
    found = editor.completion("app.lpcl", application(old, new))
    assert set(offered) <= set(found)
    assert not set(not_offered) & set(found)


@pytest.mark.parametrize("place", ["/// One pr|oduct", '">=1.|22"', "// |", 'python """|"""'])
def test_nothing_in_comments_and_texts(editor: Any, blas: Text, place: str) -> None:
    old = "/// One product" if place.startswith("/// One") else '">=1.22"'
    assert editor.completion("blas.lpcl", blas(old, place)) == []


def test_what_is_nearest_comes_first(editor: Any, blas: Text) -> None:
    found = editor.completion("blas.lpcl", blas("default static", "default |"))
    assert found[:2] == ["dynamic", "half"]
    assert found.index("static") < found.index("machine") < found.index("min")
