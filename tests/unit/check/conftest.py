"""Checks a text and gives what is found as pairs: the code, and the text that is marked."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from lpcl.check.checker import check
from lpcl.diagnostics.diagnostic import Diagnostic
from lpcl.model.program import Program, SourceFile
from lpcl.syntax.parser import parse

RESOURCES = """package lpcl.core
resource cpu: count { capacity machine.cpus  sharing time  exceed degrades }
resource memory: bytes { capacity machine.memory.limit  sharing space  exceed fails }
resource gpu_memory: bytes per device { capacity machine.gpu.memory  sharing space  exceed fails }
"""


def program(*texts: str) -> Program:
    """A program of the given texts and the common resources."""
    files = [SourceFile(f"{number}.lpcl", text, parse(text)) for number, text in enumerate(texts)]
    return Program((*files, SourceFile("core.lpcl", RESOURCES, parse(RESOURCES))))


@pytest.fixture
def diagnose() -> Callable[..., tuple[Diagnostic, ...]]:
    """All findings of texts."""
    return lambda *texts: check(program(*texts))


@pytest.fixture
def found() -> Callable[..., list[tuple[str, str]]]:
    """The code and the marked text of each finding of texts."""

    def run(*texts: str) -> list[tuple[str, str]]:
        made = program(*texts)
        known = {file.path: file.text for file in made.files}
        return [
            (item.code, known[item.location.path][item.location.start : item.location.end])
            for item in check(made)
        ]

    return run
