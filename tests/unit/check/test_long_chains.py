"""Names that follow from names: however long the chain, and in whatever order it is written."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from lpcl import service

LENGTH = 1_500


def codes(folder: Path, lets: list[str], last: str) -> list[str]:
    """The codes of the errors of a contract with these lets."""
    path = folder / "chain.lpcl"
    body = "\n".join(f"  {let}" for let in lets)
    path.write_text(f"package p\ncontract c {{\n{body}\n  operation o {{ workers threads {last} }}\n}}\n")
    return [found.code for found in service.open_workspace((str(path),)).errors]


@pytest.mark.parametrize("order", ["forward", "backward", "mixed"])
def test_a_long_chain_is_read(tmp_path: Path, order: str) -> None:
    lets = ["let x0 = 1", *(f"let x{i} = x{i - 1} + 1" for i in range(1, LENGTH))]
    if order == "backward":
        lets.reverse()
    elif order == "mixed":
        random.Random(1).shuffle(lets)
    assert codes(tmp_path, lets, f"x{LENGTH - 1}") == []


def test_what_is_wrong_at_the_far_end_is_told_there(tmp_path: Path) -> None:
    lets = [f"let x{i} = x{i + 1} + 1 MiB" for i in range(LENGTH)] + [f"let x{LENGTH} = 1 s"]
    assert "dimension-mismatch" in codes(tmp_path, lets, "1")


def test_a_long_circle_is_a_circle(tmp_path: Path) -> None:
    lets = [f"let x{i} = x{(i + 1) % LENGTH}" for i in range(LENGTH)]
    assert codes(tmp_path, lets, "1") == ["cyclic-value"]
