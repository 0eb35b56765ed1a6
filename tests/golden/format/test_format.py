"""What the formatter makes of whole files; `pytest --update-golden` writes the outcomes anew."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from lpcl.format import format_text

HERE = Path(__file__).resolve().parent
CASES = sorted(HERE.glob("*.before"))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_outcome(path: Path, golden: Callable[[Path, str], None]) -> None:
    made = format_text(path.read_bytes().decode("utf-8"))
    golden(path.with_suffix(".after"), made)
    assert format_text(made) == made
