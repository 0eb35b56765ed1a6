"""Judges a text by the rules about values, and gives what is found as (code, marked text, note)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from lpcl.check.checker import check
from lpcl.model.program import Program, SourceFile
from lpcl.ranges.judge import judge
from lpcl.syntax.parser import parse

CORE = """package lpcl.core
resource cpu: count { capacity machine.cpus  sharing time  exceed degrades }
resource memory: bytes { capacity machine.memory.limit  sharing space  exceed fails }
resource threads: count { capacity machine.limits.threads  sharing space  exceed fails }
"""


def program(text: str) -> Program:
    """A program of a contract `c` with these members, or of a whole text."""
    whole = (
        text if text.startswith("package") else f"package p\nimport lpcl.core.*\ncontract c {{\n{text}\n}}\n"
    )
    core = SourceFile("core.lpcl", CORE, parse(CORE))
    made = Program((SourceFile("p.lpcl", whole, parse(whole)), core))
    assert [item.headline for item in check(made, made.files[:1])] == []
    return made


Judged = Callable[[str], list[tuple[str, str, str]]]


@pytest.fixture
def judged() -> Judged:
    """What the rules find, without remarks about what over-commits on a typical machine."""

    def run(text: str) -> list[tuple[str, str, str]]:
        made = program(text)
        whole = made.files[0].text
        return [
            (item.code, whole[item.location.start : item.location.end], " ".join(item.notes))
            for item in judge(made, made.files[:1])
            if item.code != "overcommit-alone" or item.severity.value != "info"
        ]

    return run
