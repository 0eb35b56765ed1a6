"""`lpclc fmt`: what it writes, says and returns."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from lpcl.cli import cli

UGLY = "contract   c {  }\n"
NICE = "contract c {}\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of its own."""
    (tmp_path / "pyproject.toml").write_text('[tool.lpcl]\ncontracts = ["contracts"]\n')
    (tmp_path / "contracts").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*words: str, text: str | bytes | None = None) -> Result:
    return CliRunner().invoke(cli, ["fmt", *words], input=text, catch_exceptions=False)


def test_files_are_replaced(here: Path) -> None:
    path = here / "contracts" / "a.lpcl"
    path.write_bytes(b"\xef\xbb\xbf" + UGLY.replace("\n", "\r\n").encode())
    path.chmod(0o640)
    (here / "contracts" / "b.lpcl").write_text(NICE)
    (here / "other.lpcl").write_text(UGLY)
    result = run()
    assert result.output == (
        f"{os.path.join('contracts', 'a.lpcl')}: formatted\n1 file formatted, 1 file in the style already\n"
    )
    assert result.exit_code == 0
    assert path.read_bytes() == NICE.encode()
    assert path.stat().st_mode & 0o777 == 0o640
    assert (here / "other.lpcl").read_text() == UGLY  # not in a folder of the project
    assert sorted(os.listdir(here / "contracts")) == ["a.lpcl", "b.lpcl"]
    assert run("contracts").output == "2 files in the style already\n"


def test_a_file_in_the_style_is_not_touched(here: Path) -> None:
    path = here / "a.lpcl"
    path.write_text(NICE)
    os.utime(path, (1, 1))
    assert run("a.lpcl").exit_code == 0
    assert path.stat().st_mtime == 1


def test_a_link_stays_a_link(here: Path) -> None:
    (here / "real.lpcl").write_text(UGLY)
    (here / "link.lpcl").symlink_to("real.lpcl")
    run("link.lpcl")
    assert (here / "link.lpcl").is_symlink()
    assert (here / "real.lpcl").read_text() == NICE


def test_check_names_the_files_and_writes_nothing(here: Path) -> None:
    (here / "a.lpcl").write_text(UGLY)
    (here / "b.lpcl").write_text(NICE)
    result = run("--check", ".")
    assert result.output == "a.lpcl: not in the style\n1 file not in the style, 1 file in the style already\n"
    assert result.exit_code == 1
    assert (here / "a.lpcl").read_text() == UGLY
    assert run("--check", "b.lpcl").exit_code == 0


def test_diff_writes_nothing(here: Path) -> None:
    (here / "a.lpcl").write_text(UGLY)
    result = run("--diff", "a.lpcl")
    assert result.output.split("\n")[:4] == [
        "--- a.lpcl",
        "+++ a.lpcl (formatted)",
        "@@ -1,2 +1,2 @@",
        "-" + UGLY[:-1],
    ]
    assert result.exit_code == 0
    assert run("--diff", "--check", "a.lpcl").exit_code == 1
    assert (here / "a.lpcl").read_text() == UGLY


def test_standard_input() -> None:
    result = run("-", text=UGLY)
    assert (result.output, result.exit_code) == (NICE, 0)
    assert run("-", "--check", text=UGLY).exit_code == 1
    assert run("-", "--check", text=NICE).exit_code == 0
    assert "+contract c {}" in run("-", "--diff", text=UGLY).output
    assert run("-", text=b"\xff").exit_code == 2
    assert run("-", "a.lpcl").exit_code == 2


def test_what_cannot_be_read_is_named_and_the_rest_is_formatted(here: Path) -> None:
    (here / "a.lpcl").write_bytes(b"contract\n\xff")
    (here / "b.lpcl").write_text(UGLY)
    result = run("a.lpcl", "b.lpcl", "c.lpcl")
    assert "a.lpcl: cannot be read: line 2 is not UTF-8\n" in result.output
    assert "c.lpcl: there is no such file or folder\n" in result.output
    assert result.exit_code == 2
    assert (here / "a.lpcl").read_bytes() == b"contract\n\xff"
    assert (here / "b.lpcl").read_text() == NICE


def test_a_write_that_fails_leaves_the_file(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "a.lpcl").write_text(UGLY)

    def fail(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "replace", fail)
    result = run("a.lpcl")
    assert "a.lpcl: cannot be written: Permission denied" in result.output
    assert result.exit_code == 2
    assert os.listdir(here) != []
    assert (here / "a.lpcl").read_text() == UGLY
    assert not [name for name in os.listdir(here) if name.endswith(".part")]


def test_nothing_to_do() -> None:
    result = run("contracts")
    assert "There are no .lpcl files in contracts." in result.output
    assert result.exit_code == 2
