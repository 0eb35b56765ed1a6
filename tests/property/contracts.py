"""Random contracts as LPCL text, and pairs of an old and a new one, small enough to try their settings.

A contract is a mapping from what a clause is about to its text, so that a pair shares most of its clauses.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from hypothesis import strategies as st

from lpcl.check.checker import check
from lpcl.diagnostics.diagnostic import Severity
from lpcl.model.program import Program, SourceFile
from lpcl.syntax import nodes
from lpcl.syntax.parser import parse
from tests.property.clauses import (
    assumptions,
    carried_out,
    controls,
    demands,
    hazards,
    maybe,
    on_load,
    parameters,
    pools,
    several,
    ways,
    words_about,
)
from tests.property.expressions import Words, numbers

CORE = """package lpcl.core
resource cpu: count { capacity machine.cpus  sharing time  exceed degrades }
"""
AROUND = """package around
resource plain: real { capacity 1  sharing space  exceed fails }
resource vram: bytes per device { capacity machine.gpu.memory  sharing space  exceed fails }
interface running { operation run }
contract quiet implements running { operation run }
contract greedy implements running { demand plain = 1  operation run }
contract nested implements running { uses far: running = greedy  operation run }
interface calling { operation called(n: int) }
"""
HEAD = "package p\nimport lpcl.core.*\nimport around.*\n"

Clauses = Mapping[str, str]


@st.composite
def _let(draw: st.DrawFn, words: Words) -> str:
    plain = replace(words, counts=tuple(name for name in words.counts if name != "m"))
    return f"let m = {draw(numbers(plain, 1))}"


_BESIDE: Mapping[str, st.SearchStrategy[str]] = {
    "extra": maybe("contract extra { operation go }", "interface extra { operation go }"),
    "machine": maybe("machine m { cpus.online = 2 }", "machine m { cpus.online = 4  gpus = 1 }"),
    "resource": st.sampled_from(("count", "count", "real", "bytes", "count per process")).flatmap(
        lambda kind: st.tuples(
            st.sampled_from(("2", "3", "machine.cpus.online", "max(2, machine.cpus.online)")),
            st.sampled_from(("time", "space")),
            st.sampled_from(("degrades", "fails")),
        ).map(
            lambda made: (
                f"resource r: {kind} {{ capacity {made[0]}{' * 1 B' if kind == 'bytes' else ''}"
                f"  sharing {made[1]}  exceed {made[2]} }}"
            )
        )
    ),
    "deprecated": st.sampled_from(("", '@deprecated("use another")')),
}
"""What stands beside the contract in its file, or before it."""


def _makers(live: tuple[str, ...], words: Words) -> Mapping[str, st.SearchStrategy[str]]:
    """For each thing that a contract may say, its clauses."""
    found: dict[str, st.SearchStrategy[str]] = {
        **_BESIDE,
        "implements": maybe(" implements calling"),
        "library": maybe(
            'library { pypi "numpy" ">=1,<2" }',
            'library { pypi "numpy" ">=1"  file "libp.so*" }',
            'library { pypi "numpy" ">=1,<1.5"  pypi "numpy" ">=2" }',
        ),
        "uses": maybe(
            "uses dep: running",
            "uses dep: running = quiet",
            "uses dep: running = quiet private",
            "uses dep: running = nested",
        ),
        "let": _let(words),
        "pool w": pools("w", words),
        "pool v": st.one_of(st.just(""), pools("v", words)),
        "control z": maybe(
            "control z: int in 0..1 { env Z }", "control z: bool { env Z }", "control z: time { env Q }"
        ),
        "demand": st.one_of(st.just(""), demands(words)),
        "further demand": st.one_of(st.just(""), demands(words)),
        "assume": st.one_of(st.just(""), assumptions(words)),
        "hazard": st.one_of(st.just(""), hazards(words)),
        "on load": st.one_of(st.just(""), on_load(words)),
        "o takes": parameters(),
        "o is done": ways(words.with_counts("n", "n", "k")),
        "o carries out": carried_out(words.with_counts("n", "n", "k")),
        "operation p": maybe("operation p", "operation p { demand plain = 1 }"),
        "signal": maybe(
            "signal waiting: share = process.run_delay / process.run_time",
            "signal waiting: count = process.threads",
            "signal waiting: count = process.faults",
        ),
    }
    found.update({f"control {name}": controls(name, live) for name in live})
    return found


_FIXED = "control depth: int in 0..9 { env DEPTH  default 1 }\noperation called(n: int)"


def contract_of(clauses: Clauses) -> str:
    """The text of a file with the contract `k`."""
    beside = [text for key, text in clauses.items() if key in _BESIDE and key != "deprecated"]
    apart = (*_BESIDE, "implements", *_OF_O)
    inside = [text for key, text in clauses.items() if key not in apart]
    head = f"{clauses['deprecated']} contract k{clauses['implements']} {{"
    takes, done, out = (clauses[key] for key in _OF_O)
    return "\n".join(
        [
            HEAD,
            *beside,
            head,
            _FIXED,
            *filter(None, inside),
            f"operation o({takes}) {{ {done}\n{out} }}",
            "}",
            "",
        ]
    )


_OF_O = ("o takes", "o is done", "o carries out")


@dataclass(frozen=True)
class Pairing:
    """Two versions of the contract `k`, as text."""

    old: str
    new: str

    def __str__(self) -> str:
        return f"old:\n{self.old}new:\n{self.new}"


@st.composite
def _drawn(draw: st.DrawFn) -> tuple[tuple[str, ...], dict[str, str]]:
    live = tuple(sorted(draw(st.lists(st.sampled_from("abcdesty"), min_size=1, max_size=3, unique=True))))
    return live, {key: draw(made) for key, made in _makers(live, words_about(live)).items()}


def contracts() -> st.SearchStrategy[str]:
    """A contract."""
    return _drawn().map(lambda made: contract_of(made[1]))


@st.composite
def pairs(draw: st.DrawFn, least: int = 1, most: int = 3) -> Pairing:
    """A contract, and a next version that differs in about so many clauses."""
    live, old = draw(_drawn())
    new = dict(old)
    if draw(st.sampled_from((False, False, True))):
        new["control x"] = draw(controls("x", live))
        live = (*live, "x")
    makers = _makers(live, words_about(live))
    for key in draw(st.lists(st.sampled_from(sorted(old)), min_size=least, max_size=most, unique=True)):
        nudged = draw(_nudged(new[key])) if draw(st.sampled_from((False, False, True))) else None
        new[key] = draw(makers[key]) if nudged is None else nudged
    if draw(st.booleans()):
        order = draw(st.permutations(sorted(new)))
        new = {key: new[key] for key in order}
    older, newer = contract_of(old), contract_of(new)
    return Pairing(newer, older) if draw(st.sampled_from((False, False, True))) else Pairing(older, newer)


@st.composite
def _nudged(draw: st.DrawFn, text: str) -> str | None:
    """The text with another figure in one place; None where there is none."""
    places = [found.span() for found in re.finditer(r"(?<![\w.])\d(?![\w.])", text)]
    if not places:
        return None
    start, end = draw(st.sampled_from(places))
    return f"{text[:start]}{draw(st.integers(0, 4))}{text[end:]}"


@st.composite
def providers(draw: st.DrawFn) -> str:
    """A contract, and the interface `i` that it implements."""
    live, given = draw(_drawn())
    words = words_about(live)
    plain = replace(words, counts=tuple(name for name in words.counts if name != "m"))
    here = plain.with_counts("n")
    inner = several(st.one_of(demands(here), assumptions(here)), 2)
    promised = {f"control {name}": controls(name, live, ("env ", "")) for name in live}
    promised["pool w"] = pools("w", plain, is_open=True)
    makers = {"o is done": ways(here), "o carries out": inner, "o takes": parameters()}
    given.update({key: draw(maker) for key, maker in makers.items()})
    clauses = {key: draw(maker) for key, maker in {**promised, **makers}.items()}
    for key in draw(st.lists(st.sampled_from(sorted(clauses)), max_size=5, unique=True)):
        nudged = draw(_nudged(given[key])) if draw(st.booleans()) else None
        clauses[key] = given[key] if nudged is None else nudged
    kept = draw(st.sets(st.sampled_from(sorted(promised)), min_size=1)) | {"pool w"}
    takes, done, out = (clauses[key] for key in _OF_O)
    members = [text for key, text in clauses.items() if key in kept]
    if draw(st.sampled_from((True, True, True, False))):
        members.append(f"operation o({takes}) {{ {done}\n{out} }}")
    given["implements"] = " implements i"
    given["extra"] = "\n".join(["interface i {", *members, "}"])
    return contract_of(given)


# ------------------------------------------------------------------ what is made of them


def program_of(text: str) -> Program:
    """The contract with what it imports."""
    files = []
    for path, source in (("p.lpcl", text), ("around.lpcl", AROUND), ("core.lpcl", CORE)):
        parsed = parse(source)
        assert not parsed.faults, (parsed.faults, source)
        files.append(SourceFile(path, source, parsed))
    return Program(tuple(files))


def is_right(program: Program) -> bool:
    """Whether the contract has no errors."""
    return not any(item.severity is Severity.ERROR for item in check(program, program.files[:1]))


def contract_in(file: nodes.File) -> nodes.Contract:
    """The contract `k` of a file."""
    return next(one for one in file.items if isinstance(one, nodes.Contract) and one.name.text == "k")
