"""The rules of good practice: what they find, and what they leave alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from lpcl.check.naming import plain
from lpcl.service import open_workspace

CORE = "import lpcl.core.*\n"
OPENMP = "import lpcl.interfaces.openmp\n"


def found(folder: Path, text: str, **others: str) -> list[tuple[str, str]]:
    """The code of each finding, with the text that it stands at; `others` are further files."""
    (folder / "pyproject.toml").write_text('[tool.lpcl]\ncontracts = ["."]\n')
    (folder / "main.lpcl").write_text(text)
    for name, other in others.items():
        (folder / f"{name}.lpcl").write_text(other)
    workspace = open_workspace([str(folder / "main.lpcl")])
    return [
        (item.code, workspace.texts[item.location.path][item.location.start : item.location.end])
        for item in workspace.diagnostics
        if not item.code.startswith("contract-without")
    ]


def library(body: str, head: str = "", name: str = "c") -> str:
    """A file with a contract of a real library."""
    return f'package p\n{head}contract {name} {{\n  library {{ pypi "c" }}\n{body}\n}}\n'


THREADS = "  control threads: count in 1..8 { env C_THREADS  default 1 }\n"
POOL = "  pool team { size threads  callers fork }\n  operation go { runs on team }\n"

RUN = "application a { use c  run { c.go } }\n"


def two_controls(first: str, second: str) -> str:
    """Two controls that read variables in these orders, both of which matter."""
    return (
        f"  control n: count in 1..8 {{ env {first}  default 1 }}\n"
        f"  control m: count in 1..8 {{ env {second}  default 1 }}\n"
        "  operation go { workers threads n * m }"
    )


CASES: dict[str, tuple[str, list[tuple[str, str]]]] = {
    "all used": (library(THREADS + POOL), []),
    "import of a star": (library("", CORE), [("unused-import", "import lpcl.core.*")]),
    "import of a name": (library("", OPENMP), [("unused-import", OPENMP.strip())]),
    "import under another name": (
        library("  uses o: omp", "import lpcl.interfaces.openmp as omp\n"),
        [],
    ),
    "import, used by its whole name": (
        library("  demand lpcl.core.memory = machine.memory.limit / 8", CORE),
        [],
    ),
    "import, used by `uses` alone": (library("  uses openmp", OPENMP), []),
    "import, used in an expression": (
        library('  let a = openmp.threads\n  assume a > 0 else ""', OPENMP),
        [],
    ),
    "import that leads nowhere": (library("", "import nowhere.*\n"), [("unknown-import", "nowhere")]),
    "names of an import": (
        library("  uses blas", "import lpcl.interfaces.{openmp, blas}\n"),
        [("unused-import", "openmp")],
    ),
    "let": (
        library("  let a = 1\n  let b = 2\n  demand lpcl.core.memory = a * machine.memory.limit / 8", CORE),
        [("unused-let", "b")],
    ),
    "let of an operation": (library("  operation go { let a = 1 }"), [("unused-let", "a")]),
    "let of an application": (
        library(THREADS + POOL) + "application a { use c  let n = 1  run { c.go } }\n",
        [("unused-let", "n")],
    ),
    "let that evidence is about": (
        library('  let a = 1\n  evidence "e" for a { python "report(x=1)"  expect x == 1 }'),
        [],
    ),
    "control": (library(THREADS), [("unused-control", "threads")]),
    "control of a sketch": ("package p\ncontract c {\n" + THREADS + "}\n", []),
    "control that another contract reads": (
        library(THREADS) + "contract d { operation go { workers threads c.threads } }\n",
        [],
    ),
    "control that scales": (library(THREADS + "  scales threads amdahl 90%"), []),
    "control that an interface promises": (
        "package p\ninterface i { control threads: count }\n"
        + library(THREADS, name="c implements i").removeprefix("package p\n"),
        [],
    ),
    "control that an heir reads": (library(THREADS) + "contract d extends c {\n" + POOL + "}\n", []),
    "clauses about variables, of which there are none": (
        library(
            '  control n: count { api "set"  default 1  read at load  invalid clamps  scope call }\n'
            "  operation go { workers threads n when n > 1 }"
        ),
        [
            ("clause-without-effect", "read at load"),
            ("clause-without-effect", "invalid clamps"),
        ],
    ),
    "clauses about variables, of which there are some": (
        library(
            '  control n: count { api "set"  env C_N  default 1  read at load  invalid clamps }\n'
            "  operation go { workers threads n when n > 1 }"
        ),
        [],
    ),
    "a clause about variables that evidence asks for": (
        library(
            '  control n: count { api "set"  default 1  read at load  invalid clamps }\n'
            "  operation go { workers threads n when n > 1 }\n"
            '  evidence "e" { python "report(a=1)"  expect self.n.invalid == "clamps" }'
        ),
        [("clause-without-effect", "read at load")],
    ),
    "a clause about variables of an application": (
        library(THREADS + POOL)
        + 'application a { use c  control k: count { argument "-k"  default 1  invalid clamps }\n'
        + "  run { c.go(threads = k) } }\n",
        [("clause-without-effect", "invalid clamps")],
    ),
    "control that cannot be set": (
        library("  control threads: count { default 1 }\n" + POOL),
        [("control-without-setting", "threads")],
    ),
    "control that is set within": (
        library("  control threads: count { default 1 }\n" + POOL + "  on load { limit threads = 2 }"),
        [],
    ),
    "signal": (library("  signal s: share = pressure.cpu"), [("signal-without-indication", "s")]),
    "signal that another reads": (
        library(
            "  signal s: share = pressure.cpu\n  signal t: share = pressure.cpu indicates cpu when s > 1%",
            CORE,
        ),
        [],
    ),
    "parameter": (
        library(THREADS + POOL + "  operation on(threads: count = 1) { workers threads threads }"),
        [("shadowed-name", "threads")],
    ),
    "let in an operation": (
        library(
            "  let a = 1\n  operation go { let a = 2  workers threads a }\n  pool x { size a  callers fork }"
        ),
        [("shadowed-name", "a")],
    ),
    "declaration": (
        f"package p\n{CORE}resource memory: bytes {{ capacity 1 B  sharing space  exceed fails }}\n"
        "contract c { demand memory = 1 B  demand cpu = 1 }\n",
        [("shadowed-name", "memory")],
    ),
    "deprecated contract": (
        'package p\n@deprecated("use d") contract c { }\napplication a { use c  run { c.load } }\n',
        [("deprecated-in-use", "c")],
    ),
    "deprecated control": (
        library("  @deprecated control n: count { env N  default 1 }\n" + POOL.replace("threads", "n"))
        + "contract d { operation go { workers threads c.n } }\n",
        [("deprecated-in-use", "c.n")],
    ),
    "operation of a sketch": (
        "package p\ncontract c { operation go { }  operation rest { } }\n" + RUN,
        [("unused-operation", "rest")],
    ),
    "operation that another calls": (
        "package p\ncontract c { operation go { calls d.rest }  uses d }\ncontract d { operation rest { } }\n"
        + RUN,
        [],
    ),
    "operation that an interface promises": (
        "package p\ninterface i { operation go  operation rest }\n"
        "contract c implements i { operation go { }  operation rest { } }\n" + RUN,
        [("unused-operation", "rest")],  # it is the interface that promises too much
    ),
    "operation of a library": (library("  operation go { }  operation rest { }") + RUN, []),
    "operation of an heir of a library": (
        library("") + "contract d extends c { operation go { }  operation rest { } }\n"
        "application a { use d  run { d.go } }\n",
        [],
    ),
    "operation of a sketch that is deprecated": (
        "package p\ncontract c { operation go { }  @deprecated operation rest { } }\n" + RUN,
        [],
    ),
    "operation of a sketch alone": ("package p\ncontract c { operation go { } }\n", []),
    "control of an application": (
        "package p\ncontract c { operation go { } }\n"
        'application a { use c  control n: count in 1..4 { argument "-n"  default 1 }  run { c.go } }\n',
        [("unused-control", "n")],
    ),
    "control of an application, for its command": (
        "package p\ncontract c { operation go { } }\n"
        'application a { use c  control n: count in 1..4 { argument "-n"  default 1 }  run { c.go }\n'
        '  command "x" }\n',
        [],
    ),
    "control of an application, read": (
        "package p\ncontract c { operation go(k: count) { workers threads k } }\n"
        "application a { use c  control n: count in 1..4 { default 1 }  run { c.go(k = n) } }\n",
        [],
    ),
    "variables in one order": (library(two_controls("A, B, C", "A, C, D")), []),
    "variables of which one is read twice": (library(two_controls("A, B", "C, A")), []),
    "variables in two orders": (
        library(two_controls("A, B, C", "C, D, A")),
        [("order-of-variables", "A")],
    ),
    "variables in two orders, one inherited": (
        library(two_controls("A, B", "C"))
        + "contract d extends c { control m: count in 1..8 { env B, A  default 1 } }\n",
        [("order-of-variables", "A")],
    ),
    "demand that is fixed": (library("  demand memory = 2 GiB", CORE), [("fixed-demand", "2 GiB")]),
    "demand that is fixed by a let": (
        library("  let a = 2 GiB\n  operation go { let b = a / 2  demand memory = b }", CORE),
        [("fixed-demand", "b")],
    ),
    "demand of 1": (library("  operation go { demand cpu = 1 }", CORE), []),
    "demand with a source": (library('  @source("a", "b") demand memory = 2 GiB', CORE), []),
    "demand of an operation with a source": (
        library('  @measured("c 1") operation go { demand memory = 2 GiB }', CORE),
        [],
    ),
    "demand of the machine": (library("  demand memory = machine.memory.total / 4", CORE), []),
    "demand of an argument": (library("  operation go(n: bytes) { demand memory = 2 * n }", CORE), []),
    "demand of a control": (library(THREADS + "  demand memory = threads * 1 MiB", CORE), []),
    "demand between bounds": (library(THREADS + "  demand memory in 0 B..threads * 1 MiB", CORE), []),
    "demand that evidence is about": (
        library(
            "  operation go { demand memory = 2 GiB }\n"
            '  evidence "e" for go { python "report(x=1)"  expect x == 1 }',
            CORE,
        ),
        [],
    ),
    "demand of a sketch": ("package p\n" + CORE + "contract c { demand memory = 2 GiB }\n", []),
    "names with capitals": (
        library("  operation goOn(nSteps: count = 1) { workers threads nSteps }"),
        [("naming", "goOn")],
    ),
    "control as the library spells it": (
        library(
            '  control nJobs: count { argument "nJobs"  default 1 }\n' + POOL.replace("threads", "nJobs")
        ),
        [],
    ),
    "control with capitals": (
        library("  control nJobs: count { env C_JOBS  default 1 }\n" + POOL.replace("threads", "nJobs")),
        [("naming", "nJobs")],
    ),
    "errors elsewhere": (library("  let a = 1\n  let b = c"), [("unknown-name", "c")]),
    "faults of syntax": (library("  let a = 1\n  lte b = 2"), [("syntax", "lte")]),
}


@pytest.mark.parametrize("name", CASES)
def test_rule(name: str, tmp_path: Path) -> None:
    text, expected = CASES[name]
    assert found(tmp_path, text) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [("GridSearch", "grid_search"), ("HTTPServer", "http_server"), ("nJobs", "n_jobs"), ("SVD", "svd"),
     ("Conv2D", "conv2_d"), ("grid_Search", "grid_search")],
)  # fmt: skip
def test_plain_names(name: str, expected: str) -> None:
    assert plain(name) == expected


def test_imported_machines_are_for_the_command_line(tmp_path: Path) -> None:
    machines = "package q\nmachine big { cpus.online = 8 }\n"
    text = "package p\nimport q.*\n" + "contract c { }\napplication a { use c  run { c.load } }\n"
    assert found(tmp_path, text, machines=machines) == []
    assert found(tmp_path, "package p\nimport q.*\ncontract c { }\n", machines=machines) == [
        ("unused-import", "import q.*")
    ]


def test_what_is_imported_is_not_judged(tmp_path: Path) -> None:
    other = "package q\nimport lpcl.core.*\ncontract d { let a = 1 }\n"
    assert found(tmp_path, "package p\nimport q.d\ncontract c { uses d }\n", other=other) == []


def test_the_standard_library_and_the_demonstration_follow_them(root: Path) -> None:
    workspace = open_workspace([str(root / "stdlib_contracts"), str(root / "demo")])
    shown = [
        f"{item.location.path}: {item.headline}" for item in workspace.diagnostics if item.severity.rank < 2
    ]
    assert shown == []
    assert all(allowed.reason for allowed in workspace.suppressed)
