"""How the composer grows: each question over activities, or over libraries.

Figures are ratios to the smallest size in the same run, by processor time: how many times longer, for how
many times the size.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Callable

from lpcl.compose.composition import Composition, compose
from lpcl.model.program import Program, SourceFile
from lpcl.syntax.parser import parse
from tests.property.applications import CORE

WORKERS = "contract par { operation threads(n: count) { workers threads n when n > 1 } }\n"
ACTIVITIES = (100, 1_000, 10_000)
LIBRARIES = (2, 4, 6)
TYPICAL = (2, 6, 12)
CHAINED = (10, 50, 200)
MANY = (50, 200, 1_000)


def library(name: str) -> str:
    """A library with a team of its own."""
    return (
        f"contract {name} {{ control threads: count in 1..64 {{ env {name.upper()}_THREADS, OMP_NUM_THREADS  "
        "default machine.cpus.affinity }\n  pool team { size threads  callers fork  caller joins  "
        "threads coupled  created at first use }\n  operation fit { runs on team } }\n"
    )


def statements(count: int) -> str:
    """An application of that many activities, a fourth of which over-commit."""
    run = "l.fit\n" * (count // 2) + "par.threads(n = 4) { l.fit }\n" * (count // 4)
    return (
        f"package big\nimport lpcl.core.*\n{WORKERS}{library('l')}"
        f"machine m {{ cpus.online = 16 }}\napplication a {{ machine m  use par, l\nrun {{\n{run}}} }}\n"
    )


def libraries(count: int) -> str:
    """An application of that many libraries, each in workers of its own, all with knobs."""
    names = [f"l{number}" for number in range(count)]
    controls = "".join(
        f'control j{n}: count in 1..16 {{ argument "--j{n}"  default 4 }}\n' for n in range(count)
    )
    run = "\n".join(f"par.threads(n = j{number}) {{ {name}.fit }}" for number, name in enumerate(names))
    return (
        f"package big\nimport lpcl.core.*\n{WORKERS}{''.join(map(library, names))}"
        f"machine m {{ cpus.online = 16 }}\n"
        f"application a {{ machine m  use par, {', '.join(names)}\n{controls}run {{\n{run}\n}} }}\n"
    )


def chains(count: int) -> str:
    """An application of that many libraries with two knobs each, nested in chains of one to three."""
    names = [f"l{number}" for number in range(count)]
    contracts = "".join(
        f"contract {name} {{ control threads: count in 1..64 {{ env {name.upper()}_THREADS  default 4 }}\n"
        f"  control jobs: count in 1..64 {{ env {name.upper()}_JOBS  default 2 }}\n"
        "  pool team { size threads  callers fork  caller joins  threads coupled  created at first use }\n"
        "  operation fit { runs on team }\n  operation all { workers threads jobs } }\n"
        for name in names
    )
    run: list[str] = []
    left = list(names)
    while left:
        length = 1 + len(run) % 3
        chain, left = left[:length], left[length:]
        inner = f"{chain[-1]}.fit"
        for name in reversed(chain):
            inner = f"{name}.all {{ {inner} }}"
        run.append(inner)
    return (
        f"package big\nimport lpcl.core.*\n{contracts}machine m {{ cpus.online = 16 }}\n"
        f"application a {{ machine m  use {', '.join(names)}\nrun {{\n" + "\n".join(run) + "\n} }\n"
    )


def typical(count: int = 6) -> str:
    """An application of that many libraries with four controls each, nested two by two."""
    names = [f"l{number}" for number in range(count)]
    contracts = "".join(
        f"""contract {name} {{
  control threads: count in 1..64 {{
    env {name.upper()}_THREADS, OMP_NUM_THREADS  default machine.cpus.affinity }}
  control jobs: count in 1..64 {{ env {name.upper()}_JOBS  default 2 }}
  control cache: bytes in 1 MiB..1 GiB {{ env {name.upper()}_CACHE  default 64 MiB }}
  control mode: {{fast, careful}} {{ env {name.upper()}_MODE  default fast }}
  pool team {{ size threads  callers fork  caller joins  threads coupled  created at first use }}
  demand memory = cache
  operation fit {{ runs on team  demand memory = 1 MiB * threads when mode == careful }}
  operation all {{ workers threads jobs }}
}}
"""
        for name in names
    )
    run = "\n".join(
        f"{one}.all {{ {two}.fit }}" for one, two in zip(names, names[1:] + names[:1], strict=True)
    )
    return (
        f"package big\nimport lpcl.core.*\n{contracts}"
        "machine m { cpus.online = 16  memory.total = 2 GiB }\n"
        f"application a {{ machine m  use {', '.join(names)}\nrun {{\n{run}\n}} }}\n"
    )


def everything(text: str) -> None:
    """Each question about an application that is asked without being told to."""
    composition = composed(text)
    for asked in ("lpcl.core.cpu", "lpcl.core.memory"):
        composition.questions.can_happen(asked)
    composition.questions.avoidable()
    composition.questions.alternatives()


def composed(text: str) -> Composition:
    """The application `a` of a text."""
    files = tuple(SourceFile(path, source, parse(source)) for path, source in (("core", CORE), ("big", text)))
    program = Program(files)
    composition = compose(program, program.declarations["big.a"][0]).composition
    assert composition is not None
    return composition


def measure(sizes: tuple[int, ...], work: Callable[[int], object]) -> None:
    """Print how the processor time of `work` grows with its size."""
    first = 0.0
    for size in sizes:
        began = time.process_time()
        work(size)
        spent = time.process_time() - began
        first = first or spent
        print(f"  {size:>6}  {size / sizes[0]:>6.0f}x the size  {spent / first:>8.1f}x the time")


def main() -> None:
    """Print a table for each question."""
    composed(statements(100))
    composed(libraries(1)).questions.alternatives()
    print("as it stands, activities:")
    measure(ACTIVITIES, lambda size: composed(statements(size)))
    print("all questions, libraries with four controls each:")
    measure(TYPICAL, lambda size: everything(typical(size)))
    print("what would be right, libraries with two knobs each, one shared:")
    measure(LIBRARIES, lambda size: composed(libraries(size)).questions.alternatives())
    print("what would be right, libraries with two knobs each in nested chains:")
    measure(CHAINED, lambda size: composed(chains(size)).questions.alternatives())
    print("can it be avoided, the same:")
    measure(MANY, lambda size: composed(chains(size)).questions.avoidable())
    print("can it happen, the same:")
    measure(CHAINED, lambda size: composed(chains(size)).questions.can_happen("lpcl.core.cpu"))
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"memory at most: {most} MiB")


if __name__ == "__main__":
    main()
