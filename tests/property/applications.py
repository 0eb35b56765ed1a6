"""Random small applications as LPCL text, with knobs, so that every configuration can be enumerated."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from hypothesis import strategies as st

from lpcl.compose.composition import Composition, compose
from lpcl.compose.knobs import Configuration
from lpcl.model.program import Program, SourceFile
from lpcl.syntax.parser import parse

CORE = """
package lpcl.core
resource cpu: count      { capacity machine.cpus           sharing time   exceed degrades }
resource memory: bytes   { capacity machine.memory.limit   sharing space  exceed fails }
resource threads: count  { capacity machine.limits.threads sharing space  exceed fails }
resource slots: count per process { capacity 3                  sharing space  exceed fails }
resource vram: bytes per device   { capacity machine.gpu.memory sharing space  exceed fails }
"""

SPINS_BY_SETTING = "spins for if threads > 1 and defined(B_THREADS) then 1 h else 0 s"
KEEPS_MORE = "existing if size > 1 then size + 1 else max(0, size - 1)"
RUNS = (
    *["runs on workers"] * 4,
    "runs on workers with size = min(threads, 2)",
    "runs on workers when defined(threads)",
)
TROUBLE = (
    *[""] * 4,
    'hazard "two" hangs when threads == 2 and not defined(A_THREADS)',
    'assume threads <= 2 or defined(B_THREADS) else "two at most"',
)
ON_LOAD = (
    *[""] * 4,
    "on load { set default B_THREADS = 2 }",
    "on load { set A_THREADS = 2 }",
    "on load { limit threads = 1 }",
)
POLICIES = ("fork", "queue", "submit", "join", "forbid")


@st.composite
def pools(draw: st.DrawFn, name: str) -> str:
    """A contract with a pool, its control, and an operation on it."""
    policy = draw(st.sampled_from(POLICIES))
    role = draw(st.sampled_from(("joins", "waits")))
    idle = draw(st.sampled_from(("blocks", "blocks", "spins", "spins for 200 ms", SPINS_BY_SETTING)))
    created = draw(st.sampled_from(("load", "first use")))
    coupled = draw(st.sampled_from(("coupled", "independent")))
    fork = draw(st.sampled_from(("safe", "safe", "unsafe", "resets")))
    nested = draw(st.sampled_from(("", "", "nested")))
    invalid = draw(st.sampled_from(("clamps", "ignored")))
    most = draw(st.sampled_from((2, 2, 3)))
    variables = draw(
        st.sampled_from(("A_THREADS", "B_THREADS", "A_THREADS, B_THREADS", "B_THREADS, A_THREADS"))
    )
    default = draw(st.sampled_from(("machine.cpus.affinity", "1", "2", "min(machine.cpus.online, 3)")))
    size = draw(st.sampled_from(("threads", "threads", "threads - 1")))
    memory = draw(
        st.sampled_from(("", "demand memory = 1 B * threads", "demand memory in 0 B .. 1 B * threads"))
    )
    existing = draw(st.sampled_from(("", "", "", KEEPS_MORE, "existing max(0, size - 1)")))
    runs = draw(st.sampled_from(RUNS))
    trouble = draw(st.sampled_from(TROUBLE))
    on_load = draw(st.sampled_from(ON_LOAD))
    read = draw(st.sampled_from(("", "", "read at load", "read at each call")))
    return f"""
contract {name} {{
  control threads: count in 1..{most} {{ env {variables}  default {default}  invalid {invalid}  {read} }}
  pool workers {{ size {size}  callers {policy}  caller {role}  threads {coupled}  created at {created}
    idle {idle}  fork {fork}  {existing}  {nested} }}
  {memory}
  {trouble}
  {on_load}
  operation compute {{ {runs} }}
}}
"""


@st.composite
def blocks(draw: st.DrawFn, depth: int, libraries: tuple[str, ...]) -> str:
    """A block's statements."""
    count = draw(st.integers(1, 2 if depth else 3))
    return "\n".join(draw(statements(depth, libraries)) for _ in range(count))


@st.composite
def statements(draw: st.DrawFn, depth: int, libraries: tuple[str, ...]) -> str:
    """One statement."""
    library = draw(st.sampled_from(libraries))
    kinds = ["pool", "pool", "plain", "private", "slots", "device"]
    if depth < 2:
        kinds += ["workers"] * 3 + ["nested"] * 2 + ["block"] * 3 + ["together", "limit"]
    kind = draw(st.sampled_from(kinds))
    if kind == "pool":
        return f"{library}.compute"
    if kind == "plain":
        return f"work.{draw(st.sampled_from(('plain', 'plain', 'split(n = jobs)', 'maybe_split(n = jobs)')))}"
    if kind == "private":
        return "own.compute"
    if kind == "slots":
        return "work.hold"
    if kind == "device":
        device = draw(st.sampled_from(("0", "1", "jobs - 1", "jobs + 1")))
        return f"work.{draw(st.sampled_from(('on(', 'partly_on(n = jobs, ')))}device = {device})"
    inner = draw(blocks(depth + 1, libraries))
    if kind == "block":
        return f"{library}.compute {{ {inner} }}"
    if kind == "together":
        other = draw(statements(depth + 1, libraries))
        return f"together {{ {inner} {other} }}"
    if kind == "limit":
        value = draw(st.integers(1, 3))
        return f"limit {library}.threads = {value} {{ {inner} }}"
    if kind == "nested":
        outer = draw(st.sampled_from(("threads", "forked", "spawned", "pinned", "defaulted")))
        inner = f"work.{outer}(n = 2) {{ {inner} }}"
    how = draw(
        st.sampled_from(
            (
                *["threads"] * 3,
                "forked",
                "spawned",
                "pinned",
                "defaulted",
                "maybe",
                "modal",
                "told",
                "passed",
                "begun",
            )
        )
    )
    count = draw(st.sampled_from((*["jobs"] * 4, *["2"] * 2, *["1"] * 2, *DIVIDED)))
    return f"work.{how}(n = {count}) {{ {inner} }}"


DIVIDED = ("max(1, 2 div (3 - jobs))", "if jobs == 2 then 1 else max(1, 2 div (jobs - 2))")
"""Counts of workers that divide by zero under some settings, and that would if they looked too far."""


WORK = """
contract own {
  uses team = p private
  operation compute { runs on team.workers }
}

contract work {
  operation hold { demand slots in 1..2 }
  operation on(device: int) { demand vram on device = 2 B  demand cpu = 0 }
  control on: bool { env ON  default true }
  control mode: {wide, narrow, odd} { env MODE  default wide }
  operation maybe(n: int) { workers threads n when on }
  operation told(n: int) { workers threads n when defined(on)  demand memory = 2 B when not defined(mode) }
  operation passed(n: int) { calls maybe(n = n) with block }
  operation modal(n: int) { workers threads 1 when mode == narrow  workers processes n when mode == odd }
  operation plain { demand memory = 1 B }
  operation split(n: int) { demand memory = 2 div (n - 3) * 0 B + 1 B }
  operation maybe_split(n: int) { demand memory = 1 B when n != 2 and 4 mod (n - 2) == 0 }
  operation threads(n: int) { workers threads n when n > 1 }
  control how: {fork, spawn} { env HOW  default fork }
  operation begun(n: int) { workers processes n { start how } }
  operation partly_on(device: int, n: int) { demand vram on device = 1 B * (n - 1) }
  operation forked(n: int) { workers processes n { start fork } }
  operation spawned(n: int) { workers processes n when n > 1 { start spawn  set A_THREADS = 1 } }
  operation pinned(n: int) { workers processes n { start spawn  pin cpus = 1 } }
  operation defaulted(n: int) { workers processes n { start spawn
    set default B_THREADS = max(1, floor(machine.cpus / n)) } }
}
"""


@st.composite
def applications(draw: st.DrawFn) -> str:
    """The text of a package with an application `app`."""
    names = ("p", "q")
    contracts = "".join(draw(pools(name)) for name in names)
    cpus = draw(st.integers(1, 4))
    run = draw(blocks(0, names))
    memory = draw(st.integers(1, 8))
    threads = draw(st.integers(2, 12))
    most = draw(st.sampled_from((2, 3)))
    jobs = draw(st.integers(1, most))
    env = draw(st.sampled_from(("", "env A_THREADS = 2", "env B_THREADS = 3")))
    background = draw(st.sampled_from(("", "background cpu = 1")))
    return f"""
package random
import lpcl.core.*
{contracts}
{WORK}
machine m {{ cpus.online = {cpus}  memory.total = {memory} B  limits.threads = {threads}
  gpus = 3  gpu.memory = 3 B }}
application app {{
  machine m
  use p, q, own, work
  {env}
  control jobs: count in 1..{most} {{ argument "--jobs"  default {jobs} }}
  run {{ {run} }}
  {background}
}}
"""


def program_of(text: str) -> Program:
    """The text with the resources that it imports."""
    files = []
    for path, source in (("core.lpcl", CORE), ("random.lpcl", text)):
        parsed = parse(source)
        assert not parsed.faults, parsed.faults
        files.append(SourceFile(path, source, parsed))
    return Program(tuple(files))


def composed(text: str) -> Composition | None:
    """The application `app` of the text; None where it is refused."""
    program = program_of(text)
    return compose(program, program.declarations["random.app"][0]).composition


def configurations(composition: Composition) -> Iterator[Configuration]:
    """Every configuration of the application's knobs."""
    knobs = composition.knobs
    for values in product(*(item.domain() for item in knobs)):
        yield {item.id: value for item, value in zip(knobs, values, strict=True)}
