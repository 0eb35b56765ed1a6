"""How fast texts are parsed, beside stock textX in the same run: `python -m tests.bench.parsing`.

Figures are processor time, the best of some runs that take turns, so that they hold on a busy machine too.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable

from lpcl.syntax.parser import parse
from tests.unit.syntax import stock

CONTRACT = """\
/// The {name} library, as its wheel carries it.
@source("{name}: runtime variables", "https://example.org/{name}")
contract {name} implements blas {{
  library {{ pypi "{name}" ">=1.{a}"   file "lib{name}*.so*" }}

  /// Threads of the pool.
  control threads: count in 1..{b} {{
    env     {upper}_NUM_THREADS, OMP_NUM_THREADS   // the first that is set wins
    api     "{name}_set_num_threads"
    default min(machine.cpus.affinity, {b})
    read    at load
    invalid clamps
  }}

  pool workers {{
    size    threads
    callers queue
    caller  joins
    threads coupled
    created at first use
    idle    spins for {b} ms
    fork    unsafe
  }}

  demand memory = {b} MiB * threads + {a} * 64 KiB
  demand shm = if threads > {a} then {b} MB else 0 B when machine.gpus == 0 or threads > 1

  operation compute(n: count = {a}, size: bytes = {b} KiB) {{
    let jobs = max(1, floor(machine.cpus / n)) * 2 - {a}
    runs on workers with size = min(threads, jobs)
    workers processes jobs when n > {a} and size < {b} GiB {{
      set default OMP_NUM_THREADS = max(1, floor(machine.cpus / jobs))
      limit threads = 1
    }}
    assume n != 0 else "n = 0 has no meaning"
  }}

  signal waiting: share = process.run_delay / process.run_time
    indicates cpu when waiting > {a}%

  hazard "{name} hangs" hangs when threads > {b}
}}

"""

APPLICATION = """\
// What runs {name} in every worker.
application app_{name} {{
  machine {{ cpus.online = {b}  memory.total = 64 GiB }}
  use joblib, {name}
  env OMP_NUM_THREADS = {a}
  control jobs: count in 1..{b} {{ argument "--jobs"  default {a} }}

  run {{
    {name}.load
    joblib.parallel(n_jobs = jobs, backend = threading) {{
      {name}.compute(n = {a}, size = {b} MiB)
    }}
    together {{ {name}.train   cv2.resize }}
  }}

  command "python {name}.py"
  measure time
}}

test "{name} multiplies" {{
  check app_{name}
  expect overcommit cpu {b} / {a} by joblib, {name}
  expect safe with {{ OMP_NUM_THREADS = 1 }}
}}

"""


def text(lines: int, seed: int = 1) -> str:
    """A text of about so many lines: contracts, applications and tests with names of their own."""
    rng = random.Random(seed)
    parts = ["package bench\n\nimport lpcl.core.*\nimport lpcl.interfaces.{blas, openmp}\n\n"]
    count = parts[0].count("\n")
    while count < lines:
        name = "".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=8))
        part = (CONTRACT + APPLICATION).format(
            name=name, upper=name.upper(), a=rng.randrange(1, 9), b=rng.choice([16, 64, 256])
        )
        parts.append(part)
        count += part.count("\n")
    return "".join(parts)


def seconds(actions: list[Callable[[], object]], rounds: int) -> list[float]:
    """The least processor time of each action; the actions take turns."""
    best = [float("inf")] * len(actions)
    for _ in range(rounds):
        for index, action in enumerate(actions):
            started = time.process_time()
            action()
            best[index] = min(best[index], time.process_time() - started)
    return best


def main() -> None:
    """Print the table."""
    texts = [text(lines) for lines in (100, 1_000, 10_000)]
    broken = texts[1].replace("callers queue", "calers queue", 1)
    ours = seconds([lambda source=source: parse(source) for source in texts], 7)
    theirs = seconds(
        [lambda source=source: stock.metamodel().model_from_str(source) for source in texts[:2]], 3
    )
    (mended,) = seconds([lambda: parse(broken)], 7)

    print("   lines     kB    generated   lines/s  us/line  stock textX  ratio")
    for index, source in enumerate(texts):
        lines = source.count("\n")
        row = f"{lines:8} {len(source) / 1000:6.0f} {ours[index] * 1000:9.1f} ms {lines / ours[index]:9.0f}"
        row += f" {ours[index] / lines * 1e6:8.1f}"
        if index < len(theirs):
            row += f" {theirs[index] * 1000:9.0f} ms {theirs[index] / ours[index]:6.1f}"
        print(row)
    per_line = [taken / source.count("\n") for taken, source in zip(ours, texts, strict=True)]
    print(f"growth from 100 to 10,000 lines: {per_line[2] / per_line[0]:.2f} times the time for a line")
    print(f"one fault in 1,000 lines: {mended / ours[1]:.2f} times the time of the good text")


if __name__ == "__main__":
    main()
