"""Predictions held against the world: the threads that the composer says exist, and those that /proc shows.

Each case is a short program and the application that describes it. The program holds all its executors at its
busiest place; the threads of all its processes are counted there, helpers among them, and must be exactly as
many as predicted for the machine that the test runs on.

What the contracts cannot say yet is in the cases too, with the difference (`more`) and its reason
(`because`). All cases run where all libraries of `MODULES` are installed; the others are skipped.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from textwrap import dedent, indent

import pytest

from lpcl import service
from lpcl.compose.composition import compose
from lpcl.compose.meaning import peak
from lpcl.compose.measures import ThreadMeasure
from tests.world.running import threads_at_busiest

pytestmark = [
    pytest.mark.world,
    pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="there is no /proc to count threads in"),
]

BLAS = min(len(os.sched_getaffinity(0)), 64) if hasattr(os, "sched_getaffinity") else 1
"""The threads of an OpenBLAS that nothing limits."""

MODULES = frozenset(
    (
        "blosc",
        "blosc2",
        "h5py",
        "joblib",
        "numba",
        "numcodecs",
        "numexpr",
        "numpy",
        "pandas",
        "pyfftw",
        "scipy",
        "sklearn",
        "statsmodels",
        "threadpoolctl",
        "zarr",
    )
)
"""Contracts whose names are those of the modules that have to be installed."""

PACKAGES = {"blosc2": "blosc"}
"""Packages of contracts that have another name."""


@dataclass(frozen=True)
class Case:
    """A program, what it uses and runs in the language, and its setting.

    `cpus` narrows the affinity mask. `more` threads are predicted beyond those that there are, `because` of
    something. `in_processes` tells whether its blocks are what processes do.
    """

    title: str
    program: str
    use: str
    run: str
    env: Mapping[str, str] = field(default_factory=dict)
    cpus: int | None = None
    more: int = 0
    because: str = ""
    in_processes: bool = False

    @property
    def libraries(self) -> tuple[str, ...]:
        """The contracts that the application uses."""
        return tuple(name.strip() for name in self.use.split(","))

    @property
    def modules(self) -> tuple[str, ...]:
        """The modules that have to be installed."""
        return tuple(name for name in self.libraries if name in MODULES)

    def beside_pandas(self) -> Case:
        """The same where pandas and NumExpr are installed, which scikit-learn then imports everywhere."""
        more = "numexpr.load pandas.load"
        run = self.run.replace("{ ", f"{{ {more} ") if self.in_processes else self.run
        return replace(self, use=f"{self.use}, pandas, numexpr", run=f"{more} {run}")


def python(text: str) -> str:
    """A program's text, with what all programs start with and the name of the main module respected."""
    head, main, body = dedent(text).strip().partition("main:")
    start = "from hold import hold\n" + head
    return start + ("" if not main else 'if __name__ == "__main__":\n' + indent(dedent(body), "    "))


PRODUCT = """
def product(n):
    import numpy
    a = numpy.ones((300, 300))
    a @ a
    hold(n)
"""

LOOP = """
import numba, numpy
@numba.njit(parallel=True)
def loop(a):
    s = 0.0
    for i in numba.prange(a.shape[0]):
        s += a[i]
    return s
def looped(n):
    loop(numpy.ones(10))
    hold(n)
"""

BOOST = """
import numpy
from sklearn.ensemble import HistGradientBoostingRegressor
x = numpy.random.rand(200, 4)
def boost(n, *ignored):
    HistGradientBoostingRegressor(max_iter=1, early_stopping=False).fit(x, x[:, 0])
    return hold(n)
"""

THREADS = """
import threading
def threads(n, target, *arguments):
    started = [threading.Thread(target=target, args=arguments) for _ in range(n)]
    for t in started: t.start()
    for t in started: t.join()
"""

JOBLIB = """
import joblib, numpy
def parallel(n, target, *arguments, **how):
    return joblib.Parallel(n_jobs=n, batch_size=1, pre_dispatch="all", **how)(
        joblib.delayed(target)(*arguments) for _ in range(joblib.effective_n_jobs(n)))
"""

EXPRESSION = """
import numexpr, numpy
def expression(n):
    a = numpy.ones(1000000)
    numexpr.evaluate("a * a + a")
    hold(n)
"""

FRAME = """
import numpy, pandas
def frame(n):
    f = pandas.DataFrame({"a": numpy.ones(2000000), "b": numpy.ones(2000000)})
    f["a"] + f["b"]
    hold(n)
"""

TRANSFORM = """
import threading, pyfftw
planning = threading.Lock()
def transform(n):
    a, b = (pyfftw.empty_aligned((256, 256), dtype="complex128") for _ in range(2))
    with planning:
        plan = pyfftw.FFTW(a, b, axes=(0, 1), flags=("FFTW_ESTIMATE",), threads=2)
    plan()
    hold(n)
"""

DATASET = """
import h5py, numpy
def dataset(n):
    file = h5py.File(f"{id(n)}-{threading.get_ident()}.h5", "w")
    file.create_dataset("x", data=numpy.arange(100000), chunks=(10000,), compression="gzip")[:]
    hold(n)
"""

_ALL = (
    # ------------------------------------------------------------------ plain threads and processes
    Case("plain threads", THREADS + "threads(5, hold, 5)", "system", "system.threads(n = 5) { system.wait }"),
    Case(
        "threads of threads",
        THREADS + "threads(2, threads, 3, hold, 6)",
        "system",
        "system.threads(n = 2) { system.threads(n = 3) { system.wait } }",
    ),
    Case(
        "forked processes",
        """
        import multiprocessing
        main:
        workers = [multiprocessing.get_context("fork").Process(target=hold, args=(3,)) for _ in range(3)]
        for w in workers: w.start()
        for w in workers: w.join()
        """,
        "multiprocessing, system",
        "multiprocessing.process(n = 3, start = fork) { system.wait }",
    ),
    Case(
        "spawned processes, and a tracker",
        """
        import multiprocessing
        main:
        workers = [multiprocessing.get_context("spawn").Process(target=hold, args=(3,)) for _ in range(3)]
        for w in workers: w.start()
        for w in workers: w.join()
        """,
        "multiprocessing, system",
        "multiprocessing.process(n = 3, start = spawn) { system.wait }",
    ),
    Case(
        "a pool of forked processes",
        """
        import multiprocessing
        main:
        with multiprocessing.get_context("fork").Pool(3) as pool: pool.map(hold, [3] * 3, chunksize=1)
        """,
        "multiprocessing, system",
        "multiprocessing.pool(processes = 3, start = fork) { system.wait }",
    ),
    Case(
        "a pool of processes from a fork server",
        """
        import multiprocessing
        main:
        with multiprocessing.get_context("forkserver").Pool(2) as pool: pool.map(hold, [2] * 2, chunksize=1)
        """,
        "multiprocessing, system",
        "multiprocessing.pool(processes = 2, start = forkserver) { system.wait }",
    ),
    Case(
        "a pool of threads",
        """
        import multiprocessing.pool
        with multiprocessing.pool.ThreadPool(4) as pool: pool.map(hold, [4] * 4, chunksize=1)
        """,
        "multiprocessing, system",
        "multiprocessing.thread_pool(processes = 4) { system.wait }",
    ),
    Case(
        "an executor of threads, by default",
        """
        from concurrent.futures import ThreadPoolExecutor
        with ThreadPoolExecutor() as pool: list(pool.map(hold, [pool._max_workers] * pool._max_workers))
        """,
        "concurrent_futures, system",
        "concurrent_futures.thread_pool { system.wait }",
    ),
    Case(
        "an executor of threads on one CPU",
        """
        from concurrent.futures import ThreadPoolExecutor
        with ThreadPoolExecutor() as pool: list(pool.map(hold, [pool._max_workers] * pool._max_workers))
        """,
        "concurrent_futures, system",
        "concurrent_futures.thread_pool { system.wait }",
        cpus=1,
    ),
    Case(
        "an executor of spawned processes with a product in each",
        f"""
        import multiprocessing
        from concurrent.futures import ProcessPoolExecutor
        {indent(PRODUCT, " " * 8).strip()}
        main:
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(2, context) as pool: list(pool.map(product, [2] * 2))
        """,
        "concurrent_futures, numpy",
        "concurrent_futures.process_pool(max_workers = 2, start = spawn) { numpy.matmul }",
    ),
    Case(
        "an executor of processes from a fork server, on one CPU, with a product in each",
        PRODUCT
        + """
import multiprocessing
from concurrent.futures import ProcessPoolExecutor
main:
context = multiprocessing.get_context("forkserver")
with ProcessPoolExecutor(2, context) as pool: list(pool.map(product, [2] * 2))
""",
        "concurrent_futures, numpy",
        "concurrent_futures.process_pool(max_workers = 2, start = forkserver) { numpy.matmul }",
        {"OPENBLAS_NUM_THREADS": "4"},
        cpus=1,
    ),
    Case(
        "an executor of threads in each of the spawned processes",
        """
        import multiprocessing
        from concurrent.futures import ThreadPoolExecutor
        def inner():
            with ThreadPoolExecutor(3) as pool: list(pool.map(hold, [6] * 3))
        main:
        workers = [multiprocessing.get_context("spawn").Process(target=inner) for _ in range(2)]
        for w in workers: w.start()
        for w in workers: w.join()
        """,
        "multiprocessing, concurrent_futures, system",
        "multiprocessing.process(n = 2, start = spawn) "
        "{ concurrent_futures.thread_pool(max_workers = 3) { system.wait } }",
    ),
    Case(
        "a pool of forked processes in each thread of an executor",
        """
        import multiprocessing
        from concurrent.futures import ThreadPoolExecutor
        def inner(_):
            with multiprocessing.get_context("fork").Pool(3) as pool: pool.map(hold, [6] * 3, chunksize=1)
        main:
        with ThreadPoolExecutor(2) as pool: list(pool.map(inner, range(2)))
        """,
        "multiprocessing, concurrent_futures, system",
        "concurrent_futures.thread_pool(max_workers = 2) "
        "{ multiprocessing.pool(processes = 3, start = fork) { system.wait } }",
    ),
    Case(
        "a pool of spawned processes in each thread of an executor",
        """
        import multiprocessing
        from concurrent.futures import ThreadPoolExecutor
        def inner(_):
            with multiprocessing.get_context("spawn").Pool(2) as pool: pool.map(hold, [4] * 2, chunksize=1)
        main:
        with ThreadPoolExecutor(2) as pool: list(pool.map(inner, range(2)))
        """,
        "multiprocessing, concurrent_futures, system",
        "concurrent_futures.thread_pool(max_workers = 2) "
        "{ multiprocessing.pool(processes = 2, start = spawn) { system.wait } }",
        more=1,
        because="a process has one tracker of resources, however many pools it has",
    ),
    Case(
        "a limit by call in forked processes",
        PRODUCT
        + """
import multiprocessing
def limited(n):
    import numpy, threadpoolctl
    with threadpoolctl.threadpool_limits(3): product(n)
main:
with multiprocessing.get_context("fork").Pool(2) as pool: pool.map(limited, [2] * 2, chunksize=1)
""",
        "multiprocessing, numpy, threadpoolctl",
        "multiprocessing.pool(processes = 2, start = fork) "
        "{ numpy.load threadpoolctl.threadpool_limits(limits = 3) { numpy.matmul } }",
    ),
    Case(
        "a manager, and two threads that use what it serves",
        """
        import multiprocessing, threading, time
        def use(objects, n):
            objects[n] = 1
            time.sleep(1)  # the threads that served the start are gone then
            hold(2)
        main:
        with multiprocessing.get_context("fork").Manager() as manager:
            objects = manager.dict()
            users = [threading.Thread(target=use, args=(objects, n)) for n in range(2)]
            for one in users: one.start()
            for one in users: one.join()
        """,
        "multiprocessing, system",
        "together { multiprocessing.manager(clients = 2, start = fork) "
        "system.threads(n = 2) { system.wait } }",
    ),
    Case(
        "queues that were put into have a thread each",
        """
        import multiprocessing
        main:
        queues = [multiprocessing.get_context("fork").Queue() for _ in range(3)]
        for one in queues: one.put(1)
        hold(1)
        for one in queues: one.get()
        """,
        "multiprocessing",
        "multiprocessing.queue_put(queues = 3)",
    ),
    Case(
        "joblib's threads in forked processes",
        JOBLIB
        + """
import multiprocessing
def inner(_):
    tasks = (joblib.delayed(hold)(6) for _ in range(3))
    joblib.Parallel(n_jobs=3, backend="threading", batch_size=1, pre_dispatch="all")(tasks)
main:
with multiprocessing.get_context("fork").Pool(2) as pool: pool.map(inner, range(2), chunksize=1)
""",
        "multiprocessing, joblib, numpy, system",
        "numpy.load multiprocessing.pool(processes = 2, start = fork) "
        "{ joblib.parallel(n_jobs = 3, backend = threading) { system.wait } }",
        {"OPENBLAS_NUM_THREADS": "1"},
    ),
    Case(
        "two jobs on one CPU, with a product in each",
        JOBLIB + PRODUCT + "main:\nparallel(2, product, 2)",
        "joblib, numpy",
        "numpy.load joblib.parallel(n_jobs = 2) { numpy.matmul }",
        {"OMP_NUM_THREADS": "3"},
        cpus=1,
    ),
    Case(
        "a limit by call in each of joblib's threads",
        JOBLIB
        + PRODUCT
        + """
import threadpoolctl
def limited(n):
    with threadpoolctl.threadpool_limits(4): return product(n)
main:
parallel(2, limited, 2, backend="threading")
""",
        "joblib, numpy, threadpoolctl",
        "numpy.load joblib.parallel(n_jobs = 2, backend = threading) "
        "{ threadpoolctl.threadpool_limits(limits = 4) { numpy.matmul } }",
    ),
    Case(
        "a limit by call in each of loky's processes, on one CPU",
        JOBLIB
        + PRODUCT
        + """
import threadpoolctl
def limited(n):
    with threadpoolctl.threadpool_limits(3): return product(n)
main:
parallel(2, limited, 2)
""",
        "joblib, numpy, threadpoolctl",
        "numpy.load joblib.parallel(n_jobs = 2) "
        "{ numpy.load threadpoolctl.threadpool_limits(limits = 3) { numpy.matmul } }",
        cpus=1,
    ),
    Case(
        "a pool of spawned processes on one CPU, with a product in each",
        PRODUCT
        + """
import multiprocessing
main:
with multiprocessing.get_context("spawn").Pool(3) as pool: pool.map(product, [3] * 3, chunksize=1)
""",
        "multiprocessing, numpy",
        "multiprocessing.pool(processes = 3, start = spawn) { numpy.matmul }",
        {"OPENBLAS_NUM_THREADS": "2"},
        cpus=1,
    ),
    # ------------------------------------------------------------------ NumPy and its OpenBLAS
    Case("importing NumPy", "import numpy\nhold(1)", "numpy", "numpy.load"),
    Case("importing NumPy on one CPU", "import numpy\nhold(1)", "numpy", "numpy.load", cpus=1),
    Case(
        "a variable cannot pass the mask",
        "import numpy\nhold(1)",
        "numpy",
        "numpy.load",
        {"OPENBLAS_NUM_THREADS": "8"},
        cpus=1,
    ),
    Case(
        "OpenMP's variable counts for OpenBLAS",
        PRODUCT + "product(1)",
        "numpy",
        "numpy.matmul",
        {"OMP_NUM_THREADS": "1"},
    ),
    Case(
        "OpenBLAS's own variable comes first",
        PRODUCT + "product(1)",
        "numpy",
        "numpy.matmul",
        {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "2"},
    ),
    Case(
        "threads share one OpenBLAS",
        PRODUCT + THREADS + "threads(4, product, 4)",
        "system, numpy",
        "system.threads(n = 4) { numpy.matmul }",
    ),
    Case(
        "NumPy and SciPy have one each",
        "import numpy, scipy.linalg\nscipy.linalg.solve(numpy.eye(300), numpy.ones(300))\nhold(1)",
        "numpy, scipy",
        "scipy.solve",
    ),
    Case(
        "a transform in two threads starts a pool of the machine's size",
        "import numpy, scipy.fft\nscipy.fft.fft(numpy.ones((64, 4096)), workers=2)\nhold(1)",
        "scipy",
        "scipy.fft(workers = 2)",
    ),
    Case(
        "a limit by call gives OpenBLAS more threads than there are CPUs",
        PRODUCT + "import numpy, threadpoolctl\nwith threadpoolctl.threadpool_limits(5): product(1)",
        "numpy, threadpoolctl",
        "numpy.load threadpoolctl.threadpool_limits(limits = 5) { numpy.matmul }",
    ),
    Case(
        "a limit by call leaves the threads that exist",
        PRODUCT + "import numpy, threadpoolctl\nwith threadpoolctl.threadpool_limits(1): product(1)",
        "numpy, threadpoolctl",
        "numpy.load threadpoolctl.threadpool_limits(limits = 1) { numpy.matmul }",
    ),
    # ------------------------------------------------------------------ joblib
    Case(
        "loky shares the CPUs out",
        JOBLIB + PRODUCT + "main:\nparallel(2, product, 2)",
        "joblib, numpy",
        "numpy.load joblib.parallel(n_jobs = 2) { numpy.matmul }",
    ),
    Case(
        "loky leaves a variable alone",
        JOBLIB + PRODUCT + "main:\nparallel(3, product, 3)",
        "joblib, numpy",
        "numpy.load joblib.parallel(n_jobs = 3) { numpy.matmul }",
        {"OPENBLAS_NUM_THREADS": "2"},
    ),
    Case(
        "loky is told how many threads its workers have",
        JOBLIB
        + PRODUCT
        + """
main:
with joblib.parallel_config(backend="loky", inner_max_num_threads=2): parallel(2, product, 2)
""",
        "joblib, numpy",
        "numpy.load joblib.parallel(n_jobs = 2, inner_max_num_threads = 2) { numpy.matmul }",
    ),
    Case(
        "one job for each CPU",
        JOBLIB + PRODUCT + "main:\nparallel(-1, product, joblib.cpu_count())",
        "joblib, numpy",
        "numpy.load joblib.parallel(n_jobs = -1) { numpy.matmul }",
    ),
    Case(
        "one job for each CPU of one is the caller",
        JOBLIB + PRODUCT + "main:\nparallel(-1, product, 1)",
        "joblib, numpy",
        "numpy.load joblib.parallel(n_jobs = -1) { numpy.matmul }",
        cpus=1,
    ),
    Case(
        "joblib's threads",
        JOBLIB + PRODUCT + 'parallel(4, product, 4, backend="threading")',
        "joblib, numpy",
        "numpy.load joblib.parallel(n_jobs = 4, backend = threading) { numpy.matmul }",
    ),
    Case(
        "joblib's forked processes",
        JOBLIB + PRODUCT + 'main:\nparallel(3, product, 3, backend="multiprocessing")',
        "joblib, numpy",
        "numpy.load joblib.parallel(n_jobs = 3, backend = multiprocessing) { numpy.matmul }",
        more=BLAS - 1,
        because="a fork ends the threads of OpenBLAS in the parent too, until its next product",
    ),
    Case(
        "threads in the workers of loky",
        JOBLIB + "def outer(): parallel(2, hold, 4)\nmain:\nparallel(2, outer)",
        "joblib, numpy, system",
        "numpy.load joblib.parallel(n_jobs = 2) { numpy.load joblib.parallel(n_jobs = 2) { system.wait } }",
    ),
    Case(
        "processes in the workers of loky",
        JOBLIB + 'def outer(): parallel(2, hold, 4, backend="loky")\nmain:\nparallel(2, outer)',
        "joblib, numpy, system",
        "numpy.load joblib.parallel(n_jobs = 2) { numpy.load "
        "joblib.parallel(n_jobs = 2, backend = loky) { numpy.load system.wait } }",
    ),
    Case(
        "no processes in threads",
        JOBLIB + 'def outer(): parallel(3, hold, 2, backend="loky")\nparallel(2, outer, backend="threading")',
        "joblib, numpy, system",
        "numpy.load joblib.parallel(n_jobs = 2, backend = threading) "
        "{ joblib.parallel(n_jobs = 3, backend = loky) { system.wait } }",
    ),
    # ------------------------------------------------------------------ numba
    Case(
        "numba's team, whatever OpenMP's variable says",
        LOOP + "looped(1)",
        "numba, scipy",
        "scipy.load numba.parallel",
        {"NUMBA_NUM_THREADS": "3", "OMP_NUM_THREADS": "5", "NUMBA_THREADING_LAYER": "omp"},
    ),
    Case(
        "a team for each thread that loops",
        LOOP + THREADS + "loop(numpy.ones(10))\nthreads(3, looped, 3)",
        "numba, scipy, system",
        "scipy.load numba.parallel system.threads(n = 3) { numba.parallel }",
        {"NUMBA_NUM_THREADS": "3", "NUMBA_THREADING_LAYER": "omp"},
    ),
    Case(
        "numba's own threads beside the caller",
        LOOP + "looped(1)",
        "numba, scipy",
        "scipy.load numba.parallel",
        {"NUMBA_NUM_THREADS": "4", "NUMBA_THREADING_LAYER": "workqueue"},
    ),
    Case(
        "loops in the workers of loky",
        LOOP + JOBLIB + "main:\nparallel(2, looped, 2)",
        "joblib, numba, scipy",
        "numba.load joblib.parallel(n_jobs = 2) { scipy.load numba.parallel }",
        {"NUMBA_NUM_THREADS": "3", "NUMBA_THREADING_LAYER": "omp"},
    ),
    # ------------------------------------------------------------------ scikit-learn
    Case(
        "gradient boosting has a team of its own",
        BOOST + "boost(1)",
        "sklearn",
        "sklearn.hist_gradient_boosting",
        {"OMP_NUM_THREADS": "4"},
    ),
    Case(
        "gradient boosting on one CPU",
        BOOST + "boost(1)",
        "sklearn",
        "sklearn.hist_gradient_boosting",
        cpus=1,
    ),
    Case(
        "teams multiply in joblib's threads",
        BOOST + JOBLIB + 'parallel(3, boost, 3, backend="threading")',
        "sklearn, joblib",
        "sklearn.load joblib.parallel(n_jobs = 3, backend = threading) { sklearn.hist_gradient_boosting }",
        {"OMP_NUM_THREADS": "3"},
    ),
    Case(
        "a limit by call holds for the team of the calling thread",
        BOOST + 'import threadpoolctl\nwith threadpoolctl.threadpool_limits(2, user_api="openmp"): boost(1)',
        "sklearn, threadpoolctl",
        "sklearn.load threadpoolctl.threadpool_limits(limits = 2, user_api = openmp) "
        "{ sklearn.hist_gradient_boosting }",
        {"OMP_NUM_THREADS": "5"},
    ),
    Case(
        "cross-validation in processes",
        BOOST
        + """
from sklearn.model_selection import cross_val_score
def score(model, x, y): return hold(2)
main:
cross_val_score(HistGradientBoostingRegressor(max_iter=1), x, x[:, 0], cv=2, n_jobs=2, scoring=score)
""",
        "sklearn",
        "sklearn.load sklearn.search(n_jobs = 2) { sklearn.hist_gradient_boosting }",
        {"OMP_NUM_THREADS": "3"},
        in_processes=True,
    ),
    Case(
        "of OpenMP's list the first number is the team's",
        BOOST + "boost(1)",
        "sklearn",
        "sklearn.hist_gradient_boosting",
        # NumExpr, where it is installed, refuses such a list unless it has a variable of its own.
        {"OMP_NUM_THREADS": "3,2", "OMP_MAX_ACTIVE_LEVELS": "1", "NUMEXPR_NUM_THREADS": "2"},
    ),
    Case(
        "0 and texts leave OpenBLAS to the next variable",
        PRODUCT + "product(1)",
        "numpy",
        "numpy.matmul",
        {"OPENBLAS_NUM_THREADS": "0", "GOTO_NUM_THREADS": "all", "OMP_NUM_THREADS": "1"},
    ),
    # ------------------------------------------------------------------ NumExpr and pandas
    Case(
        "NumExpr's threads beside the caller, whatever the mask says",
        "import numexpr\nhold(1)",
        "numexpr",
        "numexpr.load",
        {"OMP_NUM_THREADS": "5"},
        cpus=1,
    ),
    Case(
        "one expression at a time has NumExpr's threads",
        EXPRESSION + THREADS + "threads(3, expression, 3)",
        "numexpr, system",
        "numexpr.load system.threads(n = 3) { numexpr.evaluate }",
        {"NUMEXPR_NUM_THREADS": "4"},
    ),
    Case(
        "NumExpr in the workers of loky",
        EXPRESSION + JOBLIB + "main:\nparallel(2, expression, 2)",
        "joblib, numexpr, numpy",
        "numexpr.load joblib.parallel(n_jobs = 2) { numexpr.evaluate }",
    ),
    Case(
        "importing pandas starts NumExpr's threads",
        "import pandas\nhold(1)",
        "pandas, numexpr",
        "numexpr.load pandas.load",
    ),
    Case(
        "large frames in threads share NumExpr",
        FRAME + THREADS + "threads(2, frame, 2)",
        "pandas, numexpr, system",
        "numexpr.load pandas.load system.threads(n = 2) { pandas.arithmetic(elements = 2000000) }",
        {"NUMEXPR_NUM_THREADS": "3"},
    ),
    Case(
        "importing statsmodels loads both OpenBLAS, pandas and NumExpr",
        "import statsmodels.api\nhold(1)",
        "statsmodels, numexpr",
        "numexpr.load statsmodels.load",
    ),
    # ------------------------------------------------------------------ pyFFTW
    Case(
        "a transform planned for two threads has OpenMP's team",
        TRANSFORM + "transform(1)",
        "pyfftw, scipy",
        "scipy.load pyfftw.transform(planned_for = 2)",
        {"OMP_NUM_THREADS": "5"},
    ),
    Case(
        "a team for each thread that transforms",
        TRANSFORM + THREADS + "threads(3, transform, 3)",
        "pyfftw, scipy, system",
        "scipy.load pyfftw.load system.threads(n = 3) { pyfftw.transform(planned_for = 2) }",
        {"OMP_NUM_THREADS": "3", "OPENBLAS_NUM_THREADS": "1"},
    ),
    # ------------------------------------------------------------------ files and compressors
    Case(
        "HDF5 has no threads",
        DATASET + THREADS + "threads(3, dataset, 3)",
        "h5py, system",
        "h5py.load system.threads(n = 3) { h5py.access }",
    ),
    Case(
        "Blosc has threads beside the caller, whatever the mask says",
        "import blosc\nblosc.compress(bytes(30000000), 8)\nhold(1)",
        "blosc",
        "blosc.compress",
        cpus=1,
    ),
    Case(
        "Blosc looks at its variable with each call",
        "import os, blosc\nblosc.set_nthreads(7)\nblosc.compress(bytes(30000000), 8)\nhold(1)",
        "blosc",
        "blosc.compress",
        {"BLOSC_NTHREADS": "3"},
    ),
    Case(
        "Blosc gives NumExpr its own number",
        "import numpy, blosc2\narray = blosc2.asarray(numpy.arange(4000000))\nhold(1)",
        "blosc2",
        "blosc2.array",
        {"BLOSC_NTHREADS": "4", "NUMEXPR_NUM_THREADS": "6"},
    ),
    Case(
        "numcodecs has threads in the main thread alone",
        """
        import numcodecs, numpy
        def encode(n):
            numcodecs.Blosc().encode(numpy.arange(4000000))
            hold(n)
        """
        + indent(THREADS, " " * 8)
        + """
        numcodecs.Blosc().encode(numpy.arange(4000000))
        threads(2, encode, 2)
        """,
        "numcodecs, system",
        "numcodecs.blosc system.threads(n = 2) { numcodecs.blosc_elsewhere }",
        {"BLOSC_NTHREADS": "3"},
    ),
    Case(
        "zarr's loop and its threads",
        """
        import numpy, zarr
        array = zarr.create_array("a", shape=(2000, 2000), chunks=(50, 50), dtype="i8")
        array[:] = 1
        hold(1)
        """,
        "zarr",
        "zarr.access",
    ),
)

_BESIDE_PANDAS = all(map(importlib.util.find_spec, ("pandas", "numexpr")))

CASES = tuple(
    case.beside_pandas() if _BESIDE_PANDAS and "sklearn" in case.libraries else case for case in _ALL
)


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> service.Workspace:
    """All the applications, in one file."""
    lines = ["package predictions"]
    libraries = sorted({name for case in CASES for name in case.libraries})
    lines += [f"import {PACKAGES.get(name, name)}.{name}" for name in libraries]
    lines += [application(number, case) for number, case in enumerate(CASES)]
    path = tmp_path_factory.mktemp("predictions") / "predictions.lpcl"
    path.write_text("\n".join(lines), encoding="utf-8")
    opened = service.open_workspace((str(path),))
    assert [item.headline for item in opened.errors] == []
    return opened


def application(number: int, case: Case) -> str:
    """A case in the language."""
    env = [
        f"  env {name} = {value}" if value.isdigit() else f'  env {name} = "{value}"'
        for name, value in case.env.items()
    ]
    known = [name for name in case.libraries if name in ("concurrent_futures", "multiprocessing")]
    version = [f"  limit {name}.minor = {sys.version_info.minor}" for name in known]
    lines = [f"application case_{number} {{", "  machine host", f"  use {case.use}", *env, *version]
    return "\n".join([*lines, f"  run {{ {case.run} }}", "}"])


def predicted(workspace: service.Workspace, number: int) -> int:
    """How many threads the composer says there are at most."""
    declared = workspace.applications()[number]
    host, cpus = service.host_machine(), CASES[number].cpus
    outcome = compose(workspace.program, declared, host if cpus is None else host.pinned(cpus), None, host)
    assert outcome.composition is not None, [item.headline for item in outcome.diagnostics]
    amount = peak(outcome.composition.elaborated.root, ThreadMeasure()).amount
    assert isinstance(amount, int)
    return amount


@pytest.mark.parametrize("number", range(len(CASES)), ids=[case.title for case in CASES])
def test_as_many_threads_as_predicted(workspace: service.Workspace, number: int, tmp_path: Path) -> None:
    case = CASES[number]
    for module in case.modules:
        if importlib.util.find_spec(module) is None:
            pytest.skip(f"{module} is not installed")
    said = predicted(workspace, number)
    seen = threads_at_busiest(python(case.program), tmp_path, case.env, case.cpus, said - case.more)
    reason = f"; {case.because}" if case.because else ""
    assert said - seen == case.more, f"{said} threads predicted, {seen} seen{reason}"
