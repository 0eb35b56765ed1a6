"""`[tool.lpcl]` in pyproject.toml."""

from __future__ import annotations

from pathlib import Path

import pytest

from lpcl.packages.configuration import load, nearest


def test_the_nearest_file_counts(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    assert nearest(str(inner)) is None or not nearest(str(inner)).startswith(str(tmp_path))  # type: ignore[union-attr]
    (tmp_path / "pyproject.toml").write_text("")
    assert nearest(str(inner)) == str(tmp_path / "pyproject.toml")
    (tmp_path / "a" / "pyproject.toml").write_text("")
    assert nearest(str(inner)) == str(tmp_path / "a" / "pyproject.toml")


def test_folders_are_read_from_the_file_s_own_place(tmp_path: Path) -> None:
    (tmp_path / "contracts").mkdir()
    path = tmp_path / "pyproject.toml"
    path.write_text('[tool.lpcl]\ncontracts = ["contracts"]\n')
    found = load(str(path))
    assert found.contracts == (str(tmp_path / "contracts"),)
    assert found.findings == ()


def test_a_file_without_our_table(tmp_path: Path) -> None:
    path = tmp_path / "pyproject.toml"
    path.write_text("[project]\nname = 'x'\n")
    assert load(str(path)).contracts == ()
    assert load(str(path)).findings == ()


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("[tool.lpcl", "is not TOML"),
        ('[tool.lpcl]\ncontracts = "here"\n', "is not a list of folders"),
        ("[tool.lpcl]\ncontracts = [1]\n", "is not a list of folders"),
        ("[tool]\nlpcl = 3\n", "is not a list of folders"),
        ('[tool.lpcl]\ncontracts = ["missing"]\n', "names `missing`"),
        ("tool = 3\n", "is not a table"),
    ],
)
def test_what_is_wrong_is_a_finding(tmp_path: Path, text: str, part: str) -> None:
    path = tmp_path / "pyproject.toml"
    path.write_text(text)
    (finding,) = load(str(path)).findings
    assert finding.code == "bad-configuration"
    assert part in finding.headline
