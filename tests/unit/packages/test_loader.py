"""Finding files: what is asked for, what it imports, and which of several homes of a package counts."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from lpcl.packages import roots
from lpcl.packages.index import stated_package
from lpcl.packages.loader import Loaded, load


def write(folder: Path, files: dict[str, str]) -> None:
    """Write files below a folder."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def names(loaded: Loaded) -> list[tuple[str, str]]:
    """The files of a program by name, with their origin."""
    return [(Path(file.path).name, file.origin) for file in loaded.program.files]


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder on the import path with a distribution that offers contracts, and an empty project."""
    site = tmp_path / "site"
    write(
        site,
        {
            "offering/__init__.py": "raise SystemExit('a contract package was imported')",
            "offering/inner/__init__.py": "raise SystemExit('a contract package was imported')",
            "offering/inner/tables.lpcl": "package tables\nimport lpcl.core.*\ncontract tables { }\n",
            "offering/inner/core.lpcl": "package shared\ncontract shared { }\n",
            "offering-1.5.dist-info/METADATA": "Metadata-Version: 2.1\nName: offering\nVersion: 1.5\n",
            "offering-1.5.dist-info/entry_points.txt": "[lpcl.contracts]\nany = offering.inner\n",
        },
    )
    monkeypatch.setattr(sys, "path", [str(site), *sys.path])
    roots.installed.cache_clear()
    project = tmp_path / "project"
    project.mkdir()
    (project / "pyproject.toml").write_text("")
    monkeypatch.chdir(project)
    yield project
    roots.installed.cache_clear()


def test_imports_are_followed_through_all_homes(environment: Path) -> None:
    write(environment, {"a.lpcl": "package a\nimport tables.tables\ncontract a { uses tables = tables }\n"})
    found = names(load(["a.lpcl"]))
    assert found[:2] == [("a.lpcl", "project"), ("tables.lpcl", "offering 1.5")]
    assert all(origin == "stdlib" for _, origin in found[2:])


def test_the_project_comes_before_what_is_installed(environment: Path) -> None:
    write(
        environment,
        {
            "pyproject.toml": '[tool.lpcl]\ncontracts = ["contracts"]\n',
            "contracts/mine.lpcl": "package tables\ncontract tables { }\n",
            "apps/a.lpcl": "package a\nimport tables.tables\ncontract a { uses tables = tables }\n",
        },
    )
    assert names(load(["apps/a.lpcl"])) == [("a.lpcl", "project"), ("mine.lpcl", "project")]


def test_a_named_file_sees_the_files_beside_it(environment: Path) -> None:
    write(
        environment,
        {
            "a.lpcl": "package a\nimport b.b\ncontract a { uses b = b }\n",
            "b.lpcl": "package b\ncontract b { }\n",
            "more_of_a.lpcl": "package a\ncontract c { }\n",
            "unrelated.lpcl": "package z\n",
        },
    )
    loaded = load(["a.lpcl"])
    assert names(loaded) == [("a.lpcl", "project"), ("more_of_a.lpcl", "project"), ("b.lpcl", "project")]
    assert [file.path for file in loaded.targets] == ["a.lpcl"]


def test_folders_are_searched_but_for_hidden_and_built_ones(environment: Path) -> None:
    write(
        environment,
        {
            "x/a.lpcl": "package a\n",
            "x/.hidden/b.lpcl": "package b\n",
            "x/build/c.lpcl": "package c\n",
            "x/node_modules/d.lpcl": "package d\n",
            "x/deep/er/e.lpcl": "package e\n",
        },
    )
    assert names(load(["x"])) == [("a.lpcl", "project"), ("e.lpcl", "project")]


def test_without_paths_the_configured_folders_count(environment: Path) -> None:
    write(environment, {"one/a.lpcl": "package a\n", "two/b.lpcl": "package b\n"})
    assert names(load([])) == [("a.lpcl", "project"), ("b.lpcl", "project")]
    write(environment, {"pyproject.toml": '[tool.lpcl]\ncontracts = ["two"]\n'})
    assert names(load([])) == [("b.lpcl", "project")]


def test_missing_paths_are_findings(environment: Path) -> None:
    write(environment, {"a.lpcl": "package a\n"})
    loaded = load(["a.lpcl", "nowhere", "nowhere.lpcl"])
    assert loaded.missing
    assert [finding.headline for finding in loaded.findings] == [
        "cannot read `nowhere`: no such file or folder",
        "cannot read `nowhere.lpcl`: no such file or folder",
    ]
    assert names(loaded) == [("a.lpcl", "project")]


def test_an_overlay_can_be_a_file_that_is_not_saved_yet(environment: Path) -> None:
    write(environment, {"b.lpcl": "package b\ncontract b { }\n"})
    unsaved = str(environment / "new.lpcl")
    loaded = load([unsaved], {unsaved: "package n\nimport b.b\ncontract n { uses b = b }\n"})
    assert names(loaded) == [("new.lpcl", "project"), ("b.lpcl", "project")]
    assert load([str(environment)], {unsaved: "package n\n"}).targets != load([str(environment)]).targets


def test_the_standard_library_is_found_once() -> None:
    own = roots.stdlib()
    assert own is not None
    assert Path(own.folder).name == "stdlib_contracts"
    assert all(Path(root.folder).resolve() != Path(own.folder).resolve() for root in roots.installed())


@pytest.mark.parametrize(
    ("text", "package"),
    [
        ("package a.b\n", "a.b"),
        ("// one\n/* two\n */ /// three\n\n  package  x\n", "x"),
        ("contract package { }", ""),
        ("", ""),
        ("/* package a", ""),
        ("// package a", ""),
        ("\ufeffpackage a", "a"),
        ("packages a", ""),
    ],
)
def test_the_package_of_a_text(text: str, package: str) -> None:
    assert stated_package(text) == package


@pytest.mark.parametrize("head", ["/* a */\n", "/**/", "// a\n", "\n", " ", "/* * / */ // a\n\n"])
def test_however_much_stands_in_front_of_what_is_no_package(head: str) -> None:
    """Were each way to read so much tried, this would not end."""
    assert stated_package(head * 5000 + "contract package {}\n") == ""
    assert stated_package(head * 5000 + "package a.b\n") == "a.b"


def test_the_index_knows_where_a_name_is_declared(environment: Path) -> None:
    write(environment, {"a.lpcl": "package a\n"})
    index = load(["a.lpcl"]).index
    assert index.homes(["contract"], "tables") == ("tables",)
    assert index.homes(["resource", "machine"], "tables") == ()
    assert "lpcl.core" in index.homes(["resource"], "memory")


def test_an_application_is_held_against_the_common_resources(environment: Path) -> None:
    write(environment, {"a.lpcl": "package a\napplication a { run { } }\n"})
    assert "lpcl.core.cpu" in load(["a.lpcl"]).program.declarations
