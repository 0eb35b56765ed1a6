"""`lpclc scan` on real programs: what it writes is sound, and predicts the threads that were seen.

Each program keeps its executors at its busiest place for a while. What is not installed is skipped.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import dedent, indent

import pytest

from lpcl import service
from lpcl.format import format_text
from tests.world.running import MEDDLING

pytestmark = [
    pytest.mark.world,
    pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="there is no /proc to look at"),
]

HOLD = '''
"""Keeps executors where they are until all of them have been there for a while."""
import os, time, uuid

FOLDER = os.environ["HOLD_FOLDER"]


def hold(n, *ignored):
    """Stay here until `n` executors do, and then somewhat longer."""
    open(os.path.join(FOLDER, "at-" + uuid.uuid4().hex), "w").close()
    while sum(name.startswith("at-") for name in os.listdir(FOLDER)) < n:
        time.sleep(0.02)
    time.sleep(1.2)
    return 0
'''

BLAS = min(len(os.sched_getaffinity(0)), 64) if hasattr(os, "sched_getaffinity") else 1
"""The threads of an OpenBLAS that nothing limits."""

WORK = """
def product(n=1):
    import numpy
    a = numpy.ones((700, 700))
    for _ in range(12): a @ a
    hold(n)
"""

BOOST = """
import numpy
from sklearn.ensemble import HistGradientBoostingRegressor
def boost(n=1):
    x = numpy.random.rand(4000, 8)
    HistGradientBoostingRegressor(max_iter=40, early_stopping=False).fit(x, x[:, 0])
    hold(n)
"""


@dataclass(frozen=True)
class Case:
    """A program, the modules that it needs, and what has to be in the file that describes it.

    `more` threads are predicted beyond those that are there at once, `because` of something.
    """

    title: str
    program: str
    expected: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    command: tuple[str, ...] = ("{python}", "program.py")
    env: Mapping[str, str] = field(default_factory=dict)
    more: int = 0
    because: str = ""
    options: tuple[str, ...] = ()
    tool: str | None = None


CASES = (
    Case(
        "a product",
        WORK + "main:\nproduct()",
        ("numpy.matmul", "env OPENBLAS_NUM_THREADS = 3"),
        ("numpy",),
        env={"OPENBLAS_NUM_THREADS": "3"},
    ),
    Case(
        "a program under taskset",
        WORK + "main:\nproduct()",
        ("numpy.load", "cpus.affinity = 1"),
        ("numpy",),
        command=("taskset", "-c", "{cpu}", "{python}", "program.py"),
        tool="taskset",
    ),
    Case("a program that only waits", "main:\nhold(1)"),
    Case(
        "plain threads",
        """
        import threading, hashlib
        def work(n):
            for _ in range(60): hashlib.sha256(b"x" * 2_000_000).digest()
            hold(n)
        main:
        started = [threading.Thread(target=work, args=(5,)) for _ in range(5)]
        for t in started: t.start()
        for t in started: t.join()
        """,
        ("system.threads(n = threads)", "default 5", "system.compute"),
    ),
    Case(
        "an executor of threads",
        WORK
        + """
from concurrent.futures import ThreadPoolExecutor
main:
with ThreadPoolExecutor(6) as pool: list(pool.map(product, [6] * 6))
""",
        ("concurrent_futures.thread_pool(max_workers = max_workers)", "default 6", "numpy.matmul"),
        ("numpy",),
    ),
    Case(
        "forked processes",
        WORK
        + """
import multiprocessing, numpy
main:
with multiprocessing.get_context("fork").Pool(3) as pool: pool.map(product, [3] * 3, chunksize=1)
""",
        ("multiprocessing.pool(processes = processes, start = fork)", "numpy.matmul"),
        ("numpy",),
        more=BLAS - 1,
        because="a fork ends OpenBLAS's threads in the parent, until it computes again",
    ),
    Case(
        "spawned processes",
        WORK
        + """
import multiprocessing
main:
context = multiprocessing.get_context("spawn")
workers = [context.Process(target=product, args=(3,)) for _ in range(3)]
for w in workers: w.start()
for w in workers: w.join()
""",
        ("multiprocessing.process(n = process, start = spawn)", "numpy.matmul"),
        ("numpy",),
    ),
    Case(
        "an executor of spawned processes",
        WORK
        + """
import multiprocessing
from concurrent.futures import ProcessPoolExecutor
main:
context = multiprocessing.get_context("spawn")
with ProcessPoolExecutor(2, context) as pool: list(pool.map(product, [2] * 2))
""",
        ("concurrent_futures.process_pool(max_workers = max_workers, start = spawn)", "numpy.matmul"),
        ("numpy",),
    ),
    Case(
        "loky's processes",
        WORK
        + """
import joblib
main:
joblib.Parallel(n_jobs=2, batch_size=1, pre_dispatch="all")(joblib.delayed(product)(2) for _ in range(2))
""",
        ("joblib.parallel(n_jobs = n_jobs", "OPENBLAS_NUM_THREADS = 2", "numpy.matmul"),
        ("numpy", "joblib"),
        env={"OPENBLAS_NUM_THREADS": "2"},
    ),
    Case(
        "joblib's threads with teams in them",
        BOOST
        + """
import joblib
main:
joblib.Parallel(n_jobs=3, backend="threading", batch_size=1, pre_dispatch="all")(
    joblib.delayed(boost)(3) for _ in range(3))
""",
        # Which of its operations ran cannot be told where idle threads of OpenBLAS have spun for a while.
        ("joblib.parallel(n_jobs = n_jobs, backend = threading)", "    sklearn."),
        ("numpy", "joblib", "sklearn"),
        env={"OMP_NUM_THREADS": "3"},
    ),
    Case(
        "gradient boosting",
        BOOST + "main:\nboost()",
        ("    sklearn.",),
        ("numpy", "sklearn"),
        env={"OMP_NUM_THREADS": "4"},
    ),
    Case(
        "numba's loops",
        """
        import numba, numpy
        @numba.njit(parallel=True)
        def total(a):
            s = 0.0
            for i in numba.prange(a.shape[0]): s += a[i] ** 0.5
            return s
        main:
        a = numpy.random.rand(3_000_000)
        for _ in range(60): total(a)
        hold(1)
        """,
        ("numba.parallel",),
        ("numba",),
        env={"NUMBA_NUM_THREADS": "3", "OMP_NUM_THREADS": "3"},
    ),
    Case(
        "a limit by call",
        WORK + "import numpy, threadpoolctl\nmain:\nwith threadpoolctl.threadpool_limits(5): product()",
        ("numpy.", "threadpoolctl"),
        ("numpy", "threadpoolctl"),
        more=0,
    ),
    Case(
        "a shell that starts several",
        WORK + "main:\nproduct(2)",
        ("system.processes(n = processes)", "env OMP_NUM_THREADS = 2", "numpy.matmul"),
        ("numpy",),
        command=(
            "sh",
            "-c",
            "OMP_NUM_THREADS=2 {python} program.py & OMP_NUM_THREADS=2 {python} program.py; wait",
        ),
    ),
    Case(
        "a program that is no Python",
        "main:\npass",
        ("system.processes",),
        command=("sh", "-c", "sleep 2 & sleep 2 & sleep 2 & wait"),
    ),
    Case(
        "PyTorch",
        """
        import torch
        main:
        a = torch.randn(1500, 1500)
        for _ in range(20): a = torch.tanh(a @ a)
        hold(1)
        """,
        ("pytorch.compute",),
        ("torch",),
    ),
    Case(
        "Polars",
        """
        import polars
        main:
        frame = polars.DataFrame({"a": range(2_000_000)}).with_columns(g=polars.col("a") % 100)
        for _ in range(10): frame.group_by("g").agg(polars.col("a").sum())
        hold(1)
        """,
        ("polars.query",),
        ("polars",),
    ),
    Case(
        "DuckDB",
        """
        import duckdb
        main:
        duckdb.sql("select count(*), sum(i * i % 7) from range(60000000) t(i)").fetchall()
        hold(1)
        """,
        ("duckdb.",),
        ("duckdb",),
    ),
    Case(
        "XGBoost in processes",
        """
        import multiprocessing, numpy
        def fit(n):
            import xgboost
            x = numpy.random.rand(4000, 10)
            xgboost.XGBRegressor(n_estimators=80).fit(x, x[:, 0])
            hold(n)
        main:
        with multiprocessing.get_context("spawn").Pool(2) as pool: pool.map(fit, [2] * 2, chunksize=1)
        """,
        ("multiprocessing.pool(processes = processes, start = spawn)", "xgboost.fit"),
        ("xgboost", "numpy"),
    ),
    Case(
        "PyTorch's loader",
        """
        import numpy, torch
        from torch.utils.data import DataLoader, Dataset
        class Numbers(Dataset):
            def __len__(self): return 12
            def __getitem__(self, item):
                for _ in range(40): torch.ones(200, 200) @ torch.ones(200, 200)
                if 3 <= item < 6: hold(3)
                return torch.ones(8, 8)
        main:
        loader = DataLoader(Numbers(), batch_size=1, num_workers=3, multiprocessing_context="fork")
        for batch in loader: batch.sum()
        """,
        ("pytorch.load(num_workers = num_workers, context = fork)", "default 3"),
        ("torch", "numpy"),
        more=BLAS - 1,
        because="a fork ends OpenBLAS's threads in the parent, until it computes again",
    ),
    Case(
        "a cluster of Dask",
        """
        from distributed import Client, LocalCluster
        def task(item):
            for _ in range(30): sum(range(100_000))
            hold(6)
        main:
        with LocalCluster(n_workers=2, threads_per_worker=3, dashboard_address=None) as cluster:
            with Client(cluster) as client: client.gather(client.map(task, range(6)))
        """,
        ("dask.local_cluster(n_workers = n_workers, threads_per_worker = threads_per_worker)", "default 3"),
        ("distributed", "numpy"),
    ),
    Case(
        "Gunicorn and its threads",
        """
        import os, pathlib, subprocess, sys, threading, time, urllib.request
        def request(port):
            for _ in range(200):
                try: return urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=30).read()
                except OSError: time.sleep(0.1)
        main:
        pathlib.Path("site_app.py").write_text(
            "from hold import hold\\n"
            "def app(env, start):\\n"
            "    for _ in range(40): sum(range(100_000))\\n"
            "    hold(4)\\n"
            "    start('200 OK', [('Content-Length', '0')])\\n"
            "    return [b'']\\n")
        port = 20000 + os.getpid() % 20000
        script = os.path.join(os.path.dirname(sys.executable), "gunicorn")
        options = ["-b", f"127.0.0.1:{port}", "--workers", "1", "--threads", "4"]
        server = subprocess.Popen([script, *options, "site_app:app"])
        clients = [threading.Thread(target=request, args=(port,)) for _ in range(4)]
        for one in clients: one.start()
        for one in clients: one.join()
        server.terminate()
        server.wait()
        """,
        ("gunicorn.serve(workers = 1, threads = threads)", "default 4"),
        ("gunicorn",),
    ),
)


def python(text: str) -> str:
    """A program's text, with what all programs start with and the name of the main module respected."""
    head, main, body = dedent(text).strip().partition("main:")
    return f"from hold import hold\n{head}" + (
        'if __name__ == "__main__":\n' + indent(dedent(body).strip("\n"), "    ") + "\n" if main else ""
    )


@pytest.mark.parametrize("case", CASES, ids=[case.title for case in CASES])
def test_a_program_is_described_as_it_is(case: Case, tmp_path: Path) -> None:
    for module in case.needs:
        if importlib.util.find_spec(module) is None:
            pytest.skip(f"{module} is not installed")
    if case.tool is not None and shutil.which(case.tool) is None:
        pytest.skip(f"there is no {case.tool}")
    if "cpus.affinity = 1" in case.expected and len(os.sched_getaffinity(0)) < 2:
        pytest.skip("there is one CPU only")
    tmp_path.joinpath("hold.py").write_text(HOLD, encoding="utf-8")
    tmp_path.joinpath("program.py").write_text(python(case.program), encoding="utf-8")
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(MEDDLING) and not name.endswith("_NUM_THREADS")
    }
    root = str(Path(__file__).resolve().parents[2])
    environment = {**kept, "HOLD_FOLDER": str(tmp_path), "PYTHONPATH": root, **case.env}
    cpu = str(min(os.sched_getaffinity(0)))
    command = [word.format(python=sys.executable, cpu=cpu) for word in case.command]
    run = subprocess.run(
        [sys.executable, "-m", "lpcl", "scan", *case.options, "-o", "seen.lpcl", "--", *command],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert run.returncode == 0, run.stderr[-3000:]
    text = tmp_path.joinpath("seen.lpcl").read_text(encoding="utf-8")
    for part in case.expected:
        assert part in text, text
    workspace = service.open_workspace((str(tmp_path / "seen.lpcl"),))
    assert [item.headline for item in workspace.diagnostics] == []
    assert format_text(text) == text
    counts = re.search(r"threads predicted by the file: (\d+), seen: (\d+)", run.stderr)
    assert counts is not None, run.stderr
    predicted, seen = int(counts[1]), int(counts[2])
    reason = f"; {case.because}" if case.because else ""
    assert predicted - seen == case.more, f"{predicted} predicted, {seen} seen{reason}\n{text}"
