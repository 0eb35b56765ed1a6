"""What a check does about a text with many findings is in proportion to them, counted in calls."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from lpcl.check import context, references, scopes
from lpcl.service import open_workspace
from tests.property.work import calls_of

KINDS: dict[str, Callable[[int], str]] = {
    "names that are not known": lambda count: _contract(f"let a{i} = b{i}" for i in range(count)),
    "names that may be lost": lambda count: (
        _contract(f"let a{i} = b{i}" for i in range(count)) + "contract d { let = }"
    ),
    "resources that are not known": lambda count: "".join(
        f"contract c{i} {{ demand r{i} = 1 }}\n" for i in range(count)
    ),
    "bases that are not known": lambda count: "".join(
        f"contract c{i} extends d{i} {{ }}\n" for i in range(count)
    ),
}


def _contract(clauses: object) -> str:
    assert hasattr(clauses, "__iter__")
    return "contract c {\n  " + "\n  ".join(clauses) + "\n}\n"


def calls(path: Path, text: str) -> int:
    """How many functions are called to check a text."""
    number, workspace = calls_of(lambda: open_workspace([str(path)], {str(path): text}))
    assert workspace.errors
    return number


@pytest.mark.parametrize("kind", KINDS)
def test_many_findings(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (context, references, scopes):
        monkeypatch.setattr(module, "MANY", 100)
    path = tmp_path / "many.lpcl"
    path.write_text("")
    once, twice = (calls(path, KINDS[kind](count)) for count in (150, 300))
    assert twice < 2.3 * once
