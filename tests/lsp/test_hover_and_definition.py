"""What a word means, and where it is declared."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import pytest

Text = Callable[[str, str], str]

THREADS = "blas.lpcl:11:11"

PLACES = [
    ("blas", "control threads", "control thr|eads", [THREADS]),
    ("blas", "size threads", "size thr|eads", [THREADS]),
    ("blas", "size threads", "size threads|", [THREADS]),
    ("blas", "threads div 2", "thr|eads div 2", [THREADS]),
    ("blas", "runs on workers", "runs on wor|kers", ["blas.lpcl:20:8"]),
    ("blas", "size = half", "size = ha|lf", ["blas.lpcl:19:7"]),
    ("blas", "calls matmul", "calls mat|mul", ["blas.lpcl:24:13"]),
    ("blas", "(n = 3)", "(|n = 3)", ["blas.lpcl:24:20"]),
    ("blas", "default static", "default sta|tic", ["blas.lpcl:18:11"]),
    ("blas", "demand memory", "demand mem|ory", ["core.lpcl"]),
    ("blas", "indicates cpu", "indicates c|pu", ["core.lpcl"]),
    ("blas", "cpus.affinity", "cpus.aff|inity", []),
    ("blas", "default min", "default mi|n", []),
    ("app", "import blasy.openblas", "import blasy.open|blas", ["blas.lpcl:7:10"]),
    ("app", "import blasy.openblas", "import bla|sy.openblas", ["blas.lpcl:1:1"]),
    ("app", "use openblas", "use open|blas", ["blas.lpcl:7:10"]),
    ("app", "openblas.matmul", "open|blas.matmul", ["blas.lpcl:7:10"]),
    ("app", "openblas.matmul", "openblas.mat|mul", ["blas.lpcl:24:13"]),
    ("app", "n = jobs", "|n = jobs", ["blas.lpcl:24:20"]),
    ("app", "n = jobs", "n = jo|bs", ["app.lpcl:12:11"]),
    ("app", "how = exact", "how = exa|ct", ["blas.lpcl:24:36"]),
    ("app", "limit openblas.threads", "limit openblas.thr|eads", [THREADS]),
    ("app", "env OMP_NUM", "env OMP|_NUM", ["blas.lpcl:12:35"]),
    ("app", "machine host", "machine ho|st", []),
    ("app", "check search", "check sea|rch", ["app.lpcl:8:13"]),
    ("app", "{ jobs = 1", "{ jo|bs = 1", ["app.lpcl:12:11"]),
    ("app", "openblas.threads = 2, ", "openblas.thr|eads = 2, ", [THREADS]),
    ("app", "OMP_NUM_THREADS = 3", "OMP_NUM|_THREADS = 3", ["blas.lpcl:12:35"]),
]


@pytest.mark.parametrize(("name", "old", "new", "places"), PLACES)
def test_definition(
    editor: Any, blas: Text, application: Text, name: str, old: str, new: str, places: list[str]
) -> None:
    text = blas if name == "blas" else application
    found = editor.definition(f"{name}.lpcl", text(old, new))
    assert len(found) == len(places)
    assert all(place == found[at] or found[at].startswith(f"{place}:") for at, place in enumerate(places))


def test_a_control_in_full(editor: Any, blas: Text) -> None:
    text = editor.hover("blas.lpcl", blas("size threads", "size thr|eads"))
    cpus = len(os.sched_getaffinity(0))
    assert "```lpcl\ncontrol threads: count in 1..64\n```" in text
    assert "*blasy.openblas*" in text
    assert "Threads of the pool." in text
    ways = ["`openblas_set_num_threads`", "`OPENBLAS_NUM_THREADS`", "`OMP_NUM_THREADS`"]
    assert [text.index(way) for way in ways] == sorted(text.index(way) for way in ways)
    assert f"Default `min(machine.cpus.affinity, 64)` = **{min(cpus, 64)}** on this machine" in text
    assert "read at load · invalid values are clamped" in text


HOVERS = [
    ("blas", "contract openblas", "contract open|blas", "OpenBLAS with its own `pthreads` pool."),
    ("blas", "contract openblas", "contract open|blas", "[OpenBLAS: runtime variables](https://"),
    ("blas", "contract openblas", "contract open|blas", "- operation: `matmul`, `both`"),
    ("blas", "calls matmul", "calls mat|mul", "operation matmul(n: count = 100, how: {fast, exact} = fast)"),
    ("blas", "calls matmul", "calls mat|mul", "One product."),
    ("blas", "size = half", "size = ha|lf", "let half = threads div 2"),
    ("blas", "runs on workers", "runs on wor|kers", "callers queue"),
    ("blas", "cpus.affinity", "cpus.aff|inity", "on this machine"),
    ("blas", "default min", "default mi|n", "the least"),
    ("blas", "read    at", "re|ad    at", "when the library looks at it"),
    ("blas", "callers queue", "call|ers queue", "several threads want the pool"),
    ("blas", "count in", "co|unt in", "a whole number from 0 on"),
    ("blas", "@source", "@sou|rce", "title and address"),
    ("blas", "demand memory", "demand mem|ory", "resource memory: bytes"),
    ("blas", "process.run_delay", "process.run|_delay", "while a program runs"),
    ("app", "env OMP_NUM", "env OMP|_NUM", "- `openblas.threads`, after `OPENBLAS_NUM_THREADS`"),
    ("app", "n = jobs", "n = jo|bs", "argument `-j`"),
    ("app", "machine host", "machine ho|st", "the machine that the tools run on"),
    ("app", "import blasy.openblas", "import bla|sy.openblas", "package blasy"),
    ("app", "how = exact", "how = exa|ct", "a value of `how`"),
]


@pytest.mark.parametrize(("name", "old", "new", "part"), HOVERS)
def test_hover(editor: Any, blas: Text, application: Text, name: str, old: str, new: str, part: str) -> None:
    assert part in editor.hover(f"{name}.lpcl", (blas if name == "blas" else application)(old, new))


@pytest.mark.parametrize(
    "marked", ["contract a { } |", "// wo|rds", 'contract a { library { pypi "nu|mpy" } }']
)
def test_nothing_to_say(editor: Any, marked: str) -> None:
    assert editor.hover("none.lpcl", marked) == ""
