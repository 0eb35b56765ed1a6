"""What breaks by the definition of the language, a pair of small contracts for each kind."""

from __future__ import annotations

import pytest

from lpcl.compat.change import Change, Level
from lpcl.compat.compare import compare
from lpcl.model.program import Program, SourceFile
from lpcl.syntax.parser import parse

CORE = """package lpcl.core
resource cpu: count { capacity machine.cpus  sharing time  exceed degrades }
resource memory: bytes { capacity machine.memory.limit  sharing space  exceed fails }
resource vram: bytes per device { capacity machine.gpu.memory  sharing space  exceed fails }
"""
HEAD = """package p
import lpcl.core.*
contract k {
  control a: int in 1..4 { env A  default 2 }
  control on: bool { env ON  default false }
"""
NEW = "control x: int in 1..4 { env X  default 2 }"
NO_CHANGE = "written differently and means the same"


def program(text: str) -> tuple[Program, list[SourceFile]]:
    """A program of one file beside the resources."""
    file, core = SourceFile("p.lpcl", text, parse(text)), SourceFile("core.lpcl", CORE, parse(CORE))
    return Program((file, core)), [file]


def changes(old: str, new: str, head: str = HEAD) -> tuple[Change, ...]:
    """What lies between two contracts with these clauses."""
    return compare(program(f"{head}  {old}\n}}\n"), program(f"{head}  {new}\n}}\n"))


def broken(old: str, new: str, head: str = HEAD) -> list[str]:
    """What breaks, in words with what shows it, without the rest."""
    found = changes(old, new, head)
    assert not any(item.level is Level.UNDECIDED for item in found)
    return [
        f"{item.headline}, at {item.witness}" if item.witness else item.headline
        for item in found
        if item.level is Level.BREAKS
    ]


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (
            "demand memory in 0 B .. 8 B",
            "demand memory in 4 B .. 6 B",
            "the least of the demand for memory grows from 0 B to 4 B",
        ),
        (
            "pool w { size 8  callers fork  existing 8 }",
            "pool w { size 4  callers fork  existing 100 }",
            "the number of threads that exist in `w` grows from 8 to 100",
        ),
        (
            "pool w { size 8  caller waits  callers fork  existing 8 }",
            "pool w { size 8  caller joins  callers fork  existing 9 }",
            "the number of threads that exist in `w` grows from 8 to 9",
        ),
        (
            "pool w { size 8  caller joins  callers fork }",
            "pool w { size 8  caller waits  callers fork }",
            "the pool `w`: its caller `joins` before, and `waits` now",
        ),
        (
            "demand vram = 1 GiB",
            "demand vram on 1 = 1 GiB",
            "the demand for vram grows from 0 B to 1 GiB, at on device = 1",
        ),
        (
            "demand vram = 1 GiB",
            "demand vram on all = 1 GiB",
            "the demand for vram grows from 0 B to 1 GiB, at on device = 1",
        ),
        (
            "",
            "pool w { size a  callers fork  created at load }",
            "a pool `w`, whose threads exist once the library is loaded",
        ),
        (
            "operation o { workers threads 4 }",
            "operation o { workers threads 4  demand cpu = 2 }",
            "the demand for cpu of `o` grows from 1 to 2",
        ),
        (
            "on load { set default V = 1  set default V = 2 when on }",
            "on load { set default V = 2 when on  set default V = 1 }",
            "`set default V` when it is loaded was 1 and is 2, at on = true",
        ),
        (
            "operation o { limit a = 1  limit a = 2 when on }",
            "operation o { limit a = 2 when on  limit a = 1 }",
            "`limit a` while `o` runs was 2 and is 1, at on = true",
        ),
        (
            'library { pypi "numpy" ">=1,<1.5"  pypi "numpy" ">=2" }',
            'library { pypi "numpy" ">=2" }',
            'it no longer speaks about numpy 1: ">=1,<1.5" or ">=2" before, ">=2" now, at numpy 1',
        ),
        (
            'assume b <= 3 else "few"  control b: int in 1..4 { env B  default 2 }',
            'assume b <= 3 else "few"  control b: int in 1..2 { env B  default 2 }',
            "`b` no longer takes 3",
        ),
        (
            'assume b >= 3 else "many"  control b: int in 1..4 { env B  default 3 }',
            'assume b >= 3 else "many"  control b: int in 1..2 { env B  default 2 }',
            "`b` no longer takes 4",
        ),
        (
            "control b: int in 1..4 { env B  default 2 }  demand memory = 1 B * b",
            "control b: int in 2..4 { env B  default 2 }  demand memory = 2 B",
            "`b` no longer takes 1",
        ),
        (
            "control b: int in 1..4 { env B  default 2 }  demand memory = 2 B",
            "control b: int in 1..2 { env B  default 2 }  demand memory = 1 B * b",
            "`b` no longer takes 4",
        ),
        (
            "control b: int in 0..4 { env B  default 0 }  demand memory = 5 B when defined(b) or b == 0",
            "control b: int in 0..4 { env B  default 1 }  demand memory = 5 B",
            "the default of `b` was 0 and is 1",
        ),
        (
            "control b: int in 0..4 { env B  default 0 }  demand memory = 5 B when defined(B) or b == 0",
            "control b: int in 0..4 { env B  default 1 }  demand memory = 5 B",
            "the default of `b` was 0 and is 1",
        ),
        (
            "control y: bytes in 1 GiB .. 3 GiB { env Y  default 1 GiB }",
            "control y: bytes in 1 GiB .. 2 GiB { env Y  default 1 GiB }",
            "`y` no longer takes 3 GiB",
        ),
    ],
)
def test_what_breaks(old: str, new: str, told: str) -> None:
    assert broken(old, new) == [told]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("demand memory in 4 B .. 8 B", "demand memory in 0 B .. 6 B"),
        ("demand vram = 1 GiB", "demand vram on 0 = 1 GiB"),
        ("demand vram on 0 = 1 GiB", "demand vram = 1 GiB"),
        ("", "pool w { size a  callers fork }"),
        ("", "pool w { size 1  caller joins  callers fork  created at load }"),
        ("operation o { workers threads 4 }", "operation o { workers threads 4  demand cpu = 1 }"),
        ("operation o", NEW + " operation o { workers threads 4 when defined(x) }"),
        ("operation o", NEW + " operation o { workers threads 4 when defined(X) }"),
        ("// nothing here reads X\noperation o", NEW + " operation o { workers threads 4 when defined(X) }"),
        (
            "operation t(n: int) operation o { calls t(n = 1) calls t(n = 2) }",
            "operation t(n: int) operation o { calls t(n = 2) calls t(n = 1) }",
        ),
        (
            'assume b <= 2 else "few"  control b: int in 1..4 { env B  default 2 }',
            'assume b <= 2 else "few"  control b: int in 1..2 { env B  default 2 }',
        ),
        (
            'operation o(n: int in 0..8) { assume n > 0 else "some" }',
            'operation o(n: int in 1..8) { assume n > 0 else "some" }',
        ),
        (
            'library { pypi "numpy" ">=1,<2"  pypi "numpy" ">=2" }',
            'library { pypi "numpy" ">=2"  pypi "numpy" ">=1,<2" }',
        ),
    ],
)
def test_what_keeps_every_promise(old: str, new: str) -> None:
    assert broken(old, new) == []


def test_a_variable_that_was_read_already_may_be_set() -> None:
    new = "control x: int in 1..4 { env A  default 2 }  operation o { workers threads 4 when defined(A) }"
    assert any("is done by threads" in one for one in broken("operation o", new))


def test_a_variable_that_was_asked_about_may_be_set() -> None:
    old = "operation o { demand memory = 1 B when defined(X) }"
    asked = " operation o { workers threads 4 when defined(X)  demand memory = 1 B when defined(X) }"
    assert any("is done by threads" in one for one in broken(old, NEW + asked))


def test_fractions_are_more_values() -> None:
    found = changes(
        "control b: int in 1..4 { env B default 2 }", "control b: real in 1..4 { env B default 2 }"
    )
    assert [(item.level, item.headline) for item in found] == [(Level.ADDS, "`b` takes fractions, too")]


INTERFACE = "package p\ninterface i {\n"


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (
            "pool w { callers fork }",
            "pool w { callers fork  size 4 }",
            "the pool `w`: its size was open, and is stated: providers that were right may not keep it",
        ),
        (
            "pool w { callers fork  size 4 }",
            "pool w { callers fork }",
            "the pool `w`: its size was stated, and is open",
        ),
        (
            "pool w { callers fork  size 8 }",
            "pool w { callers fork  size 4 }",
            "the pool `w` shrinks from 8 to 4: providers that were right may exceed it",
        ),
        (
            "pool w { callers fork }",
            "pool w { callers fork  created at first use }",
            "the pool `w`: when it is created was open, and is stated: "
            "providers that were right may not keep it",
        ),
        (
            "pool w { callers fork }",
            "pool w { callers fork  created at load }",
            "the pool `w`: when it is created was open, and is stated: "
            "providers that were right may not keep it",
        ),
        (
            "pool w { callers fork  created at first use }",
            "pool w { callers fork }",
            "the pool `w`: when it is created was stated, and is open",
        ),
        (
            "control b: int in 1..4",
            "control b: int in 1..4 { invalid ignored }",
            "the control `b`: what becomes of values that it does not take was open, and is stated: "
            "providers that were right may not keep it",
        ),
        (
            "pool w { callers fork } operation o { runs on w }",
            "pool w { callers fork } operation o",
            "`o` was done by the pool `w`, and is done by its callers, or whatever a provider does",
        ),
        ("", "operation o", "an operation `o`: providers that were right may lack it"),
    ],
)
def test_interfaces_bind_their_providers(old: str, new: str, told: str) -> None:
    assert broken(old, new, INTERFACE) == [told]


def test_an_interface_that_is_written_differently() -> None:
    found = changes("pool w { callers fork  size 8 }", "pool w { callers fork  size 4 + 4 }", INTERFACE)
    assert [item.level for item in found] == [Level.NEUTRAL]
    assert NO_CHANGE in found[0].headline
