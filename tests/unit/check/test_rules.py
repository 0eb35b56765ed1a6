"""Rules of declarations: names, clauses, calls, interfaces, applications, tests, machines, circles."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from lpcl.diagnostics.diagnostic import Diagnostic

Found = Callable[..., list[tuple[str, str]]]
Diagnose = Callable[..., tuple[Diagnostic, ...]]

HEAD = "package p\nimport lpcl.core.*\n"

LIBRARY = """
interface blas { control threads: count  pool workers  operation gemm(rows: count = 1) }
contract openblas implements blas {
  control threads: count in 1..64 { env OPENBLAS_NUM_THREADS  default 4 }
  pool workers { size threads  callers queue }
  operation gemm(rows: count = 1, layout: {row, column} = row) { runs on workers }
}
contract other { }
contract numpy {
  uses blas: blas
  operation matmul(rows: count) { calls blas.gemm(rows = rows) }
}
contract joblib {
  operation parallel(n_jobs: int = 1, backend: {loky, threading} = loky) {
    workers processes n_jobs when backend == loky { start loky }
    workers threads n_jobs when backend == threading
  }
}
"""

CONTRACTS: list[tuple[str, list[tuple[str, str]]]] = [
    # pools
    ("pool q { callers queue }", [("missing-clause", "q")]),
    ("pool q { size 4 }", [("missing-clause", "q")]),
    ("pool q { size 4  callers queue  idle blocks for 2 s }", [("conflicting-clauses", "2 s")]),
    ("pool q { size 4  callers queue  idle spins for 2 }", [("dimension-mismatch", "2")]),
    ("pool q { size 4  callers queue  idle spins for 200 ms }", []),
    ("pool q { size 4  callers queue  existing size + 1 }", []),
    ("pool q { size size  callers queue }", [("unknown-name", "size")]),
    ("pool q { size 0 - 1  callers queue }", [("out-of-range", "0 - 1")]),
    ("pool q { size 2.5  callers queue }", [("fractional-value", "2.5")]),
    ("pool q { size 4  size 5  callers queue }", [("duplicate-clause", "size 5")]),
    ("pool q { size 4  callers queue }  pool q { size 4  callers fork }", [("duplicate-name", "q")]),
    # operations
    ("operation o { runs on workers  workers threads 4 }", [("conflicting-clauses", "workers threads 4")]),
    ("operation o(b: bool = true) { runs on workers when b  workers threads 4 when not b }", []),
    ("operation o { runs on workrs }", [("unknown-member", "workrs")]),
    ("operation o { runs on blas.workers with size = threads }", []),
    ("operation o { runs on blas.worker }", [("unknown-member", "worker")]),
    ("operation o { runs on blast.workers }", [("unknown-declaration", "blast")]),
    ("operation o { runs on workers when threads }", [("type-mismatch", "threads")]),
    ("operation o { calls blas.gemm(rows = 1 MiB) }", [("dimension-mismatch", "1 MiB")]),
    ("operation o { calls blas.gemm(row = 1) }", [("unknown-argument", "row")]),
    ("operation o { calls blas.gemm(rows = 1, rows = 2) }", [("duplicate-name", "rows")]),
    ("operation o { calls blas.load  calls load }", []),
    ("operation o { calls p2 }  operation p2(size: count) { }", [("missing-argument", "p2")]),
    ("operation o { calls p2(size = 3, threads = 2) }  operation p2(size: count) { }", []),
    ("operation o { workers threads 4 { start fork } }", [("conflicting-clauses", "start fork")]),
    ("operation o { workers processes 4 { start frok } }", [("unknown-name", "frok")]),
    ("operation o(context: {fork, spawn} = fork) { workers processes 4 { start context } }", []),
    (
        "operation o(context: {fork, vfork} = fork) { workers processes 4 { start context } }",
        [("type-mismatch", "context")],
    ),
    ("operation o { workers processes 4 { caller joins } }", [("conflicting-clauses", "caller joins")]),
    ("operation o { workers threads 4 { set X = 1 } }", [("conflicting-clauses", "X")]),
    (
        "operation o { workers threads 4 { demand memory = 1 GiB } }",
        [("conflicting-clauses", "demand memory = 1 GiB")],
    ),
    ("operation o { workers processes 2 s }", [("dimension-mismatch", "2 s")]),
    ("operation o(a: count = 1, a: count = 2) { }", [("duplicate-name", "a")]),
    ("operation o(a: count) { let a = 1 }", [("duplicate-name", "a")]),
    ("operation o(a: count = b, b: count = a) { }", [("unknown-name", "b")]),
    ('operation o { assume callers < 2 else "one at a time" }', []),
    ("operation o { demand memory = callers * 1 MiB }", [("unknown-name", "callers")]),
    ('assume callers < 2 else "one at a time"', [("unknown-name", "callers")]),
    ('hazard "bad" hangs when threads', [("type-mismatch", "threads")]),
    # limits and variables
    ("operation o { limit blas.threads = 1 }", []),
    ("operation o { limit blas.thread = 1 }", [("unknown-member", "thread")]),
    ("operation o { limit openblas.threads = 65 }", [("out-of-range", "65")]),
    ("operation o { limit thraeds = 1 }", [("unknown-member", "thraeds")]),
    ("on load { set OPENBLAS_NUM_THREADS = 1 MiB }", [("dimension-mismatch", "1 MiB")]),
    ("on load { set OPENBLAS_NUM_THREADS = threads / 2 }", [("fractional-value", "threads / 2")]),
    ('on load { set OPENBLAS_NUM_THREADS = "many"  set ANYTHING = 2.5 }', []),
    ("on load { set WAIT_POLICY = passive }", [("unknown-name", "passive")]),
    ("on load { set LAYER = tbb }  control l: {omp, tbb} { env LAYER  default omp }", []),
    (
        "on load { pin cpus = 1 }  on load { pin cpus = 2 }",
        [("duplicate-clause", "on load { pin cpus = 2 }")],
    ),
    # demands
    ("demand memory = 3", [("dimension-mismatch", "3")]),
    ("demand memory in 0 B..2 s", [("dimension-mismatch", "2 s")]),
    ("demand memroy = 3 B", [("unknown-declaration", "memroy")]),
    ("demand numpy = 3 B", [("wrong-kind", "numpy")]),
    ("demand memory on 0 = 3 B", [("device-mismatch", "0")]),
    ("demand gpu_memory on all = 3 B", []),
    ("demand gpu_memory on 1 s = 3 B", [("dimension-mismatch", "1 s")]),
    ("demand gpu_memory = 3 B", []),
    ("demand cpu = 0.5", []),
    # signals
    ('signal s: count = threadpool("openblas").num_threads', []),
    (
        'signal s: count = threadpool("openblas").threads',
        [("unknown-measurement", 'threadpool("openblas").threads')],
    ),
    ("signal s: bytes = process.rss  indicates memory when s > 1 GiB", []),
    ("signal s: count = process.rss", [("dimension-mismatch", "process.rss")]),
    ("signal s: bytes = process.rs", [("unknown-measurement", "rs")]),
    (
        "signal s: share = process.run_delay / process.run_time  indicates cup when s > 20%",
        [("unknown-declaration", "cup")],
    ),
    (
        "signal s: share = process.run_delay / process.run_time  indicates cpu when s",
        [("type-mismatch", "s")],
    ),
    ('signal s: real = log "rate {}"  signal t: real = python "f()"', []),
    ("signal s: real = process.threads / machine.cpus", []),
    ('signal threads: real = log "x {}"', [("duplicate-name", "threads")]),
    # evidence
    ('evidence "e" { python "report(a=1)"  expect a == 1 and exit_code == 0 and not timed_out }', []),
    ('evidence "e" { expect a == 1 }', [("missing-clause", '"e"')]),
    ('evidence "e" { python "report(a=1)" }', [("missing-clause", '"e"')]),
    ('evidence "e" { python "report(**x)"  expect exit_code }', [("type-mismatch", "exit_code")]),
    (
        'evidence "e" { python "report(**x)"  expect a == machine.cpus.onlin }',
        [("unknown-figure", "cpus.onlin")],
    ),
    ('evidence "e" for threads, workers, blas.threads { python "report(**x)"  expect a }', []),
    ('evidence "e" for thread { python "report(**x)"  expect a }', [("unknown-member", "thread")]),
    ('evidence "e" { needs "numpy" ">=x"  python "report(**x)"  expect a }', [("bad-version", '">=x"')]),
    ('evidence "e" { timeout 3  python "report(**x)"  expect a }', [("dimension-mismatch", "3")]),
    ('evidence "e" { set X = threads  python "report(**x)"  expect a }', [("unknown-name", "threads")]),
    # what of a variable's text counts
    ("control n: count { env N_N  text digits  invalid clamps above  default 1 }", []),
    ("control n: real { env N_N  text first item  default 1 }", []),
    ("control n: count { text second item  default 1 }", [("missing-clause", "text second item")]),
    ("control n: bool { env N_N  text digits  default true }", [("type-mismatch", "text digits")]),
    ("control n: int { env N_N text digits text digits default 1 }", [("duplicate-clause", "text digits")]),
    # the rest
    ("scales threads amdahl 0.95", []),
    ("scales threads amdahl 1.5", [("out-of-range", "1.5")]),
    ("scales thread amdahl 0.5", [("unknown-member", "thread")]),
    (
        'library { pypi "numpy" ">=1,<2" }  library { file "x.so" }',
        [("duplicate-clause", 'library { file "x.so" }')],
    ),
    ('library { pypi "numpy" "1.2" }', [("bad-version", '"1.2"')]),
    ('library { pypi "numpy" "==1.0,==2.0" }', [("bad-version", '"==1.0,==2.0"')]),
    ('library { pypi "numpy" ">=1.22,!=1.23,<1.24" }', []),
    ("control x: count { env A, B, A  default 1 }", [("duplicate-name", "A")]),
    (
        "control x: count { default 1  read at load  read at first use }",
        [("duplicate-clause", "read at first use")],
    ),
    ("uses nothing", [("unknown-declaration", "nothing")]),
    ("uses other", []),
    ("uses b: blas = other", [("not-a-provider", "other")]),
    ("uses b: blas = openblas private", []),
    ("uses b: other", [("wrong-kind", "other")]),
    ('@source("a", "b")  control x: count { default 1 }', []),
    ("@source  control x: count { default 1 }", [("argument-count", "@source")]),
    ('@mesured("a")  control x: count { default 1 }', [("unknown-annotation", "mesured")]),
]


@pytest.mark.parametrize(("clauses", "expected"), CONTRACTS)
def test_contracts(found: Found, clauses: str, expected: list[tuple[str, str]]) -> None:
    text = f"""{HEAD}{LIBRARY}
contract c {{
  uses blas: blas = openblas
  control threads: count in 1..64 {{ env THREADS  default 4 }}
  pool workers {{ size threads  callers fork }}
  {clauses}
}}
"""
    assert found(text) == expected


APPLICATIONS: list[tuple[str, list[tuple[str, str]]]] = [
    ("run { openblas.gemm }", []),
    ("run { openblas.gemm(rows = n, threads = 2) }", []),
    ("run { openblas.gemm(threads = 65) }", [("out-of-range", "65")]),
    ("run { openblas.gem }", [("unknown-member", "gem")]),
    ("run { openblas.gemm(layout = column) }", []),
    ("run { openblas.gemm(layout = diagonal) }", [("unknown-name", "diagonal")]),
    ("run { joblib.parallel(n_jobs = 4, backend = threading) { openblas.gemm } }", []),
    ("run { together { openblas.gemm  joblib.load } }", []),
    ("run { limit openblas.threads = 2 { openblas.gemm } }", []),
    ("run { limit openblas.thread = 2 { openblas.gemm } }", [("unknown-member", "thread")]),
    ("run { other.load }", [("unknown-declaration", "other")]),
    ("run { gemm }", [("unknown-name", "gemm")]),
    ("run { numpi.load }", [("unknown-declaration", "numpi")]),
    ("run { }  run { }", [("duplicate-clause", "run { }")]),
    ("", [("missing-clause", "a")]),
    (
        "run { }  machine host  machine { cpus.online = 8 }",
        [("duplicate-clause", "machine { cpus.online = 8 }")],
    ),
    ("run { }  machine node", []),
    ("run { }  machine nod", [("unknown-declaration", "nod")]),
    ("run { }  machine { cpus.online = 0 }", [("impossible-machine", "0")]),
    ("run { }  use joblib", [("duplicate-name", "joblib")]),
    ("run { }  use scipy", [("unknown-declaration", "scipy")]),
    ("run { }  use blas", [("wrong-kind", "blas")]),
    ("run { numpy.matmul(rows = 3) }  use numpy { blas = openblas }", []),
    ("run { numpy.matmul }  use numpy { blas = openblas }", [("missing-argument", "numpy.matmul")]),
    ("run { }  use numpy", [("no-provider", "numpy")]),
    ("run { }  use numpy { blas = other }", [("not-a-provider", "other")]),
    ("run { }  use numpy { lapack = openblas }", [("unknown-member", "lapack")]),
    ('run { }  use numpy "1.x" { blas = openblas }', [("bad-version", '"1.x"')]),
    ("run { }  env OPENBLAS_NUM_THREADS = n", []),
    ("run { }  env OPENBLAS_NUM_THREAD = n", [("unknown-variable", "OPENBLAS_NUM_THREAD")]),
    (
        "run { }  env OPENBLAS_NUM_THREADS = 1  env OPENBLAS_NUM_THREADS = 2",
        [("duplicate-name", "OPENBLAS_NUM_THREADS")],
    ),
    ("run { }  control n: count { default 1 }", [("duplicate-name", "n")]),
    ('run { }  control m: count { argument "-m" }', [("missing-clause", "m")]),
    ("run { }  let m = n * 2  limit openblas.threads = m", []),
    ("run { }  let m = openblas.threads", [("unknown-name", "openblas.threads")]),
    ("run { }  let m = n  let n = m", [("duplicate-name", "n")]),
    ("run { }  background cpu = 0", []),
    ("run { }  let m = 2  background cpu = machine.cpus.online - 1", []),
    ("run { }  background cpu = n", [("unknown-name", "n")]),
    ("run { }  let m = 2  background cpu = 1 + max(m, 2)", [("unknown-name", "m")]),
    ("run { }  background memory = 0", [("dimension-mismatch", "0")]),
    ("run { }  background memroy = 0 B", [("unknown-declaration", "memroy")]),
    ('run { }  command ""', [("bad-pattern", '""')]),
    ('run { }  command "python \'x"', [("bad-pattern", '"python \'x"')]),
    ('run { }  command "python x.py"  measure time', []),
    ('run { }  maximize metric "rate {} of {}"', [("bad-pattern", '"rate {} of {}"')]),
]


@pytest.mark.parametrize(("members", "expected"), APPLICATIONS)
def test_applications(found: Found, members: str, expected: list[tuple[str, str]]) -> None:
    text = f"""{HEAD}{LIBRARY}
machine node {{ cpus.online = 8 }}
application a {{
  use joblib, openblas
  control n: count in 1..16 {{ argument "-n"  default 8 }}
  {members}
}}
"""
    assert found(text) == expected


TESTS: list[tuple[str, list[tuple[str, str]]]] = [
    ("check a  expect overcommit cpu 64 / 8 as collapse by joblib, openblas", []),
    ("check a  expect overcommit cpu 64 / 8 by joblib.parallel", []),
    ("check a  expect overcommit cpu 64 / 8 by joblib.paralel", [("unknown-declaration", "paralel")]),
    ("check a  expect overcommit cpu 64 / 8 by jolib", [("unknown-declaration", "jolib")]),
    ("check a  expect overcommit cpu 64 / 8 MiB", [("dimension-mismatch", "8 MiB")]),
    ("check a  expect overcommit memory 64 GiB / 8 GiB", []),
    ("check a  expect overcommit memory 64 / 8 GiB", [("dimension-mismatch", "64")]),
    ("check a  expect overcommit cpu 64", [("test-figures", "64")]),
    ("check a  expect overcommit cpu 40 + 24 / 8", [("test-figures", "40 + 24 / 8")]),
    ("check a  expect overcommit cpu 8 * 8 / 8", []),
    ("check a  expect overcommit cup 64 / 8", [("unknown-declaration", "cup")]),
    ("check a  expect serialized on openblas.workers by openblas", []),
    ("check a  expect serialized on openblas.worker", [("unknown-member", "worker")]),
    ("check a  expect safe with { OPENBLAS_NUM_THREADS = 1, n = 2, openblas.threads = 3 }", []),
    ("check a  expect safe for cpu with { n = 20 }", [("out-of-range", "20")]),
    ("check a  expect safe with { OPENBLAS_NUM_TREADS = 1 }", [("unknown-variable", "OPENBLAS_NUM_TREADS")]),
    ("check a  expect safe with { m = 1 }", [("unknown-member", "m")]),
    ("check a  expect safe with { n = 1, n = 2 }", [("duplicate-name", "n")]),
    ("check a  expect demand memory = 3 GiB", []),
    ("check a  expect demand memory = 3", [("dimension-mismatch", "3")]),
    ("check a  expect value openblas.threads = 3", []),
    ("check a  expect value openblas.threads = true", [("type-mismatch", "true")]),
    ("check a  expect no overcommit of cpu", []),
    ("check a  expect no hazard of cpu", [("conflicting-clauses", "cpu")]),
    ("check a  env OPENBLAS_NUM_THREADS = 2  machine host  expect clean", []),
    ("check b  expect safe with { m = 1 }", [("unknown-declaration", "b")]),
    ("check openblas  expect clean", [("wrong-kind", "openblas")]),
    ("expect clean", [("missing-clause", '"t"')]),
    ("check a", [("missing-clause", '"t"')]),
]


@pytest.mark.parametrize(("clauses", "expected"), TESTS)
def test_tests(found: Found, clauses: str, expected: list[tuple[str, str]]) -> None:
    text = f"""{HEAD}{LIBRARY}
application a {{
  use joblib, openblas
  control n: count in 1..16 {{ default 8 }}
  run {{ joblib.parallel(n_jobs = n) {{ openblas.gemm }} }}
}}
test "t" {{ {clauses} }}
"""
    assert found(text) == expected


MACHINES: list[tuple[str, list[tuple[str, str]]]] = [
    ("cpus.online = 8  memory.total = 64 GiB  cpus.quota = 2.5  memory.bandwidth = 80 GB/s", []),
    ("cpus.online in 1..64", []),
    ("cpus.online = 2.5", [("fractional-value", "2.5")]),
    ("cpus.online = 0", [("impossible-machine", "0")]),
    ("cpus.quota = 0", [("impossible-machine", "0")]),
    ("shm = 0 - 1 B", [("dimension-mismatch", "-")]),
    ("shm = -1 B", [("impossible-machine", "-1 B")]),
    ("cpus.online = 8  cpus.affinity = 16", [("impossible-machine", "cpus.affinity = 16")]),
    ("memory.total = 8 GiB  memory.limit = 16 GiB", [("impossible-machine", "memory.limit = 16 GiB")]),
    ("cpus.online = 8  cpus.online = 9", [("duplicate-name", "cpus.online")]),
    ("cpus = 8", [("unknown-figure", "cpus")]),
    ("machine.shm = 8 GiB", [("unknown-figure", "machine.shm")]),
    ("memory.total = 64", [("dimension-mismatch", "64")]),
    ("memory.total = machine.shm", [("unknown-name", "machine.shm")]),
]


@pytest.mark.parametrize(("facts", "expected"), MACHINES)
def test_machines(found: Found, facts: str, expected: list[tuple[str, str]]) -> None:
    assert found(f"package p\nmachine m {{ {facts} }}\n") == expected


RESOURCES: list[tuple[str, list[tuple[str, str]]]] = [
    ("resource r: count per device { capacity 4  sharing space  exceed fails }", []),
    ("resource r: count { capacity 4  sharing space }", [("missing-clause", "r")]),
    ("resource r: count { capacity 4 B  sharing space  exceed fails }", [("dimension-mismatch", "4 B")]),
    ("resource r: bool { capacity 4  sharing space  exceed fails }", [("invalid-type", "bool")]),
    (
        "resource r: count { capacity 4  sharing time  sharing space  exceed fails }",
        [("duplicate-clause", "sharing space")],
    ),
]


@pytest.mark.parametrize(("text", "expected"), RESOURCES)
def test_resources(found: Found, text: str, expected: list[tuple[str, str]]) -> None:
    assert found(f"package p\n{text}\n") == expected


TEAM = "pool team { size 1  callers fork }"

INTERFACES: list[tuple[str, list[tuple[str, str]]]] = [
    (
        "control threads: count in 1..8 { default 1 } {TEAM} operation go(n: count = 1) { }",
        [],
    ),
    ("{TEAM} operation go(n: count = 1) { }", [("missing-implementation", "i")]),
    (
        "control threads: bytes {TEAM} operation go(n: count = 1) { }",
        [("incompatible-member", "bytes")],
    ),
    (
        "control threads: count {TEAM} operation go { }",
        [("incompatible-member", "go")],
    ),
    (
        "control threads: count {TEAM} operation go(n: count = 1, m: count) { }",
        [("incompatible-member", "go")],
    ),
    (
        "control threads: count {TEAM} operation go(n: bool = true, m: count = 1) { }",
        [("incompatible-member", "bool")],
    ),
]


@pytest.mark.parametrize(("members", "expected"), INTERFACES)
def test_interfaces(found: Found, members: str, expected: list[tuple[str, str]]) -> None:
    text = f"""package p
interface base {{ control threads: count }}
interface i extends base {{ pool team  operation go(n: count = 1) }}
contract c implements i {{ {members.replace("{TEAM}", TEAM)} }}
"""
    assert found(text) == expected


def test_what_is_inherited_counts(found: Found) -> None:
    text = """package p
interface i { control threads: count  operation go }
contract base { control threads: count in 1..4 { default 1 }  operation go { } }
contract c extends base implements i { operation more { assume threads > 0 else "none" } }
"""
    assert found(text) == []


def test_an_unknown_base_has_no_followers(found: Found) -> None:
    text = """package p
contract c extends missing {
  operation go { runs on workers with size = threads  calls other  limit readers = 1 }
}
"""
    assert found(text) == [("unknown-declaration", "missing")]


def test_an_unknown_import_has_no_followers(found: Found) -> None:
    text = """package p
import numpy.*
import scipy.{linalg, stats}
import tables.tables
contract c {
  uses blas: something = linalg
  demand cpu = 1
  control x: count { default tables.threads }
  operation go { runs on blas.workers  calls tables.read  assume loaded(stats) else "none" }
}
application a { use tables  run { tables.read } }
"""
    assert [code for code, _ in found(text)] == ["unknown-import"] * 3


def test_broken_text_has_no_followers(found: Found) -> None:
    text = """package p
contract c {
  control threads: cuont in 1..64 { default 4 }
  pool workers { size threads  callers queue }
  operation go { runs on workers }
}
"""
    assert [code for code, _ in found(text)] == ["syntax"]


# ------------------------------------------------------------------ circles

CIRCLES: list[tuple[str, list[tuple[str, str]]]] = [
    (
        "contract a extends b { }  contract b extends c { }  contract c extends a { }",
        [("cyclic-extends", "b")],
    ),
    ("contract a extends a { }", [("cyclic-extends", "a")]),
    ("interface a extends b { }  interface b extends a { }", [("cyclic-extends", "b")]),
    (
        "contract a { uses b = b }  contract b { uses c = c }  contract c { uses b = b }",
        [("cyclic-uses", "uses c = c")],
    ),
    ("contract a { let x = y  let y = z + 1  let z = if x > 0 then 1 else 2 }", [("cyclic-value", "y")]),
    ("contract a { control x: count { default x } }", [("cyclic-value", "x")]),
    ("contract a { control x: count { default if defined(x) then 1 else 2 } }", []),
    ("contract a { operation o(x: count = 1) { let y = z  let z = y + x } }", [("cyclic-value", "z")]),
    ("contract a { operation o { calls q }  operation q { calls o } }", [("cyclic-call", "q")]),
    ("contract a { operation o { calls o } }", [("cyclic-call", "o")]),
    ("application a { let x = y  let y = x  run { } }", [("cyclic-value", "y")]),
]


@pytest.mark.parametrize(("text", "expected"), CIRCLES)
def test_circles(found: Found, text: str, expected: list[tuple[str, str]]) -> None:
    assert found(f"package p\n{text}\n") == expected


def test_a_circle_of_imports_is_shown(diagnose: Diagnose) -> None:
    (finding,) = diagnose(
        'package a\nimport b.two\ncontract one { hazard "x" when loaded(two) }\n',
        'package b\nimport c.*\ncontract two { hazard "x" when loaded(three) }\n',
        'package c\nimport a.one\ncontract three { hazard "x" when loaded(one) }\n',
    )
    assert finding.code == "cyclic-import"
    assert finding.notes == ("the circle is `0.lpcl` -> `1.lpcl` -> `2.lpcl` -> `0.lpcl`",)
    assert [label.location.path for label in finding.labels] == ["1.lpcl", "2.lpcl"]


def test_packages_may_need_each_other_as_long_as_files_do_not(found: Found) -> None:
    assert (
        found(
            "package a\ncontract one { }\n",
            "package a\nimport b.two\napplication both { use one, two  run { one.load } }\n",
            "package b\nimport a.*\ncontract two { uses one = one }\n",
        )
        == []
    )


# ------------------------------------------------------------------ names across files


def test_names_that_two_imports_bring(diagnose: Diagnose) -> None:
    (finding,) = diagnose(
        "package a\nresource slots: count { capacity 4  sharing space  exceed fails }\n",
        "package b\nresource slots: count { capacity 8  sharing space  exceed fails }\n",
        "package c\nimport a.*\nimport b.*\ncontract x { demand slots = 1 }\n",
    )
    assert finding.code == "ambiguous-name"
    assert finding.headline == "`slots` can be `a.slots` or `b.slots`"


def test_an_import_is_suggested_for_what_another_package_declares(diagnose: Diagnose) -> None:
    (finding,) = diagnose("package c\ncontract x { demand memory = 1 B }\n")
    assert finding.help == "import it: `import lpcl.core.memory`"


def test_declarations_of_one_name(found: Found) -> None:
    assert found("package p\ncontract a { }\ninterface a { }\n") == [("duplicate-declaration", "a")]
    versions = """package p
contract a { library { pypi "a" "<2" } }
contract a { library { pypi "a" ">=2" } }
"""
    assert found(versions) == []
    assert found(versions.replace(">=2", "<2")) == [("duplicate-declaration", "a")]
    again = 'contract a { library { pypi "a" ">=2" } }\n'
    assert found(versions + again) == [("duplicate-declaration", "a")]  # held against each
