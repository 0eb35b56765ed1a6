"""The rules of good practice: what they find, and what they leave alone."""

from __future__ import annotations

from pathlib import Path

import pytest

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

CASES: dict[str, tuple[str, list[tuple[str, str]]]] = {
    "all used": (library(THREADS + POOL), []),
    "import of a star": (library("", CORE), [("unused-import", "import lpcl.core.*")]),
    "import of a name": (library("", OPENMP), [("unused-import", OPENMP.strip())]),
    "import under another name": (
        library("  uses o: omp", "import lpcl.interfaces.openmp as omp\n"),
        [],
    ),
    "import, used by its whole name": (library("  demand lpcl.core.memory = 1 GiB", CORE), []),
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
        library("  let a = 1\n  let b = 2\n  demand lpcl.core.memory = a * 1 GiB", CORE),
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
    "errors elsewhere": (library("  let a = 1\n  let b = c"), [("unknown-name", "c")]),
    "faults of syntax": (library("  let a = 1\n  lte b = 2"), [("syntax", "lte")]),
}


@pytest.mark.parametrize("name", CASES)
def test_rule(name: str, tmp_path: Path) -> None:
    text, expected = CASES[name]
    assert found(tmp_path, text) == expected


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
