"""A cache and a project of its own for each test."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

GOOD = 'package own.one\n\ncontract one {\n  library { pypi "one" }\n}\n'


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The cache folder, which is not there yet."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("LPCL_CACHE_DIR", str(folder))
    return folder


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of distributions on the path."""
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.setattr(sys, "path", [*sys.path, str(folder)])
    return folder


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder: a project with one contract."""
    folder = tmp_path / "project"
    (folder / "contracts").mkdir(parents=True)
    (folder / "pyproject.toml").write_text('[tool.lpcl]\ncontracts = ["contracts"]\n')
    (folder / "contracts" / "one.lpcl").write_text(GOOD)
    monkeypatch.chdir(folder)
    return folder
