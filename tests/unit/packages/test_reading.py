"""Reading bytes, whatever they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from lpcl.diagnostics.diagnostic import Location
from lpcl.packages.reading import display, source


def test_a_text(tmp_path: Path) -> None:
    path = tmp_path / "a.lpcl"
    path.write_bytes("\ufeffpackage é\n".encode())
    file, finding = source(str(path), "project", {})
    assert finding is None
    assert file is not None
    assert (file.text, file.package) == ("package é\n", "é")


def test_bytes_that_are_not_utf8(tmp_path: Path) -> None:
    path = tmp_path / "a.lpcl"
    path.write_bytes("é ".encode() + b"\xff\xfe contract")
    file, finding = source(str(path), "project", {})
    assert file is not None
    assert file.parsed.file.items == ()
    assert finding is not None
    assert finding.code == "encoding"
    assert finding.location == Location(display(str(path)), 2, 3)
    assert finding.label == "the byte 0xff does not belong here"


def test_random_bytes_give_one_finding(tmp_path: Path) -> None:
    path = tmp_path / "a.lpcl"
    path.write_bytes(bytes(range(256)) * 100)
    file, finding = source(str(path), "project", {})
    assert file is not None
    assert finding is not None
    assert finding.code == "encoding"


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    file, finding = source(str(tmp_path / "a.lpcl"), "project", {})
    assert file is None
    assert finding is not None
    assert finding.code == "unreadable-file"
    assert finding.headline.endswith("a.lpcl`: no such file or directory")


def test_an_overlay_takes_the_place_of_the_file(tmp_path: Path) -> None:
    path = str(tmp_path / "a.lpcl")
    file, finding = source(path, "project", {path: "package b\n"})
    assert finding is None
    assert file is not None
    assert file.package == "b"


def test_an_unchanged_file_is_parsed_once(tmp_path: Path) -> None:
    path = str(tmp_path / "a.lpcl")
    first, _ = source(path, "project", {path: "package b\n"})
    second, _ = source(path, "project", {path: "package b\n"})
    changed, _ = source(path, "project", {path: "package c\n"})
    assert first is second
    assert first is not changed


def test_paths_below_the_current_folder_are_shown_relatively(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "inner").mkdir()
    monkeypatch.chdir(tmp_path / "inner")
    assert display(str(tmp_path / "inner" / "a.lpcl")) == "a.lpcl"
    assert display(str(tmp_path / "a.lpcl")) == str(tmp_path / "a.lpcl")
