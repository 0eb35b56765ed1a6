"""The repository's own contracts are in the house style, as `lpclc fmt --check` would say."""

from __future__ import annotations

from pathlib import Path

import pytest

from lpcl.format import format_text

ROOT = Path(__file__).parents[3]
FOLDERS = ("stdlib_contracts", "demo", "tests/reports", "tests/situations", "tests/golden/compose")
FILES = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.lpcl"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_in_the_house_style(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert format_text(text) == text, f"run: lpclc fmt {path.relative_to(ROOT)}"
