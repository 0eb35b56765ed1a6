"""Where files of a project are looked for, and what is never rewritten."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from lpcl.cache import observe, territory
from lpcl.cli import cli
from lpcl.service import open_workspace

UGLY = "package  p\ncontract   c {  }\n"

FOREIGN = [
    ".hidden/x.lpcl",
    "__pycache__/x.lpcl",
    "__pypackages__/3.12/lib/x.lpcl",
    "node_modules/a/x.lpcl",
    "build/lib/x.lpcl",
    "docs/_build/x.lpcl",
    "dist/x.lpcl",
    "venv/share/x.lpcl",
    "deep/er/any_name/share/x.lpcl",
    "conda/share/x.lpcl",
    "python/lib/python3.12/site-packages/a/x.lpcl",
    "usr/lib/python3/dist-packages/a/x.lpcl",
    "clone/src/deeper/x.lpcl",
    "third_party/submodule/contracts/x.lpcl",
]
OWN = ["x.lpcl", "site/x.lpcl", "builds/x.lpcl", "environment/x.lpcl", "a/b/c/x.lpcl", "member/src/x.lpcl"]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project among whose folders are environments and what tools made."""
    (tmp_path / "pyproject.toml").write_text("")
    for name in [*FOREIGN, *OWN]:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(UGLY.replace(" c ", f" c{(FOREIGN + OWN).index(name)} "))
    for name in ("venv", "deep/er/any_name"):
        (tmp_path / name / "pyvenv.cfg").write_text("home = /usr/bin\n")
    (tmp_path / "conda" / "conda-meta").mkdir()
    (tmp_path / "clone" / ".git").mkdir()
    (tmp_path / "third_party" / "submodule" / ".git").write_text("gitdir: ../../.git/modules/submodule\n")
    for name in ("clone", "member"):
        (tmp_path / name / "pyproject.toml").write_text("[project]\nname = 'another'\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*words: str) -> Result:
    """Run `lpclc`."""
    return CliRunner().invoke(cli, list(words), catch_exceptions=False)


def test_a_walk_finds_what_people_write(project: Path) -> None:
    found = observe.files_below(str(project))
    assert sorted(os.path.relpath(path, project) for path in found) == sorted(OWN)


@pytest.mark.parametrize("name", [*FOREIGN, *OWN])
def test_one_file_is_judged_as_the_walk_does(project: Path, name: str) -> None:
    path = str(project / name)
    assert territory.is_reached(path, str(project), os.path.exists) == (name in OWN)
    open_in_an_editor = open_workspace(["."], {path: UGLY})
    assert (name in {file.path for file in open_in_an_editor.targets}) == (name in OWN)


@pytest.mark.parametrize("name", FOREIGN)
def test_a_folder_that_is_named_is_looked_into(project: Path, name: str) -> None:
    folder = (project / name).parent
    assert observe.files_below(str(folder)) == [str(project / name)]
    assert territory.is_reached(str(project / name), str(folder), os.path.exists)


def test_an_environment_and_a_repository_can_be_the_project(project: Path) -> None:
    (project / "pyvenv.cfg").write_text("")
    (project / ".git").mkdir()
    assert len(observe.files_below(str(project))) == len(OWN)


def test_no_command_takes_foreign_files_for_the_projects(project: Path) -> None:
    assert {file.path for file in open_workspace().targets} == set(OWN)
    assert run("fmt").output.count(": formatted") == len(OWN)
    assert all((project / name).read_text().startswith("package  p") for name in FOREIGN)
    listed = [line for line in run("list").output.splitlines() if line.split()[1].startswith("p.c")]
    assert len(listed) == len(OWN)


INSTALLED = [name for name in FOREIGN if "-packages/" in name]


@pytest.mark.parametrize("name", INSTALLED)
@pytest.mark.parametrize("how", ["file", "folder", "link"])
def test_what_is_installed_is_read_and_not_rewritten(project: Path, name: str, how: str) -> None:
    path = project / name
    before = "package p\n\nimport lpcl.core.cpu\n\ncontract   c { }\n"
    path.write_text(before)
    named = {"file": name, "folder": os.path.dirname(name), "link": "link.lpcl"}[how]
    if how == "link":
        (project / "link.lpcl").symlink_to(path)
    assert "unused-import" in run("check", named).output
    for words in (("fmt",), ("check", "--fix"), ("check", "--unsafe-fixes")):
        result = run(*words, named)
        assert result.exit_code == 2
        assert "left as it was: it is part of an installed package" in result.output
        assert path.read_text() == before
    assert run("fmt", "--check", named).exit_code == 1
    assert run("fmt", "--diff", named).exit_code == 0


def test_a_clone_of_the_standard_library_replaces_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clone = tmp_path / "vendor" / "lpcl"
    (clone / ".git").mkdir(parents=True)
    (clone / "pyproject.toml").write_text('[tool.lpcl]\ncontracts = ["stdlib_contracts"]\n')
    (clone / "stdlib_contracts").mkdir()
    (clone / "stdlib_contracts" / "joblib.lpcl").write_text("package joblib\n\ncontract joblib {\n")
    (tmp_path / "app.lpcl").write_text(
        "package app\n\nimport joblib.joblib\n\napplication search {\n  machine { cpus.online = 8 }\n"
        '  use joblib "1.5.0"\n  run { joblib.parallel(n_jobs = 8) }\n}\n'
    )
    monkeypatch.chdir(tmp_path)
    assert run("check").output.startswith("1 file checked, nothing to report.")
    assert {line.split()[-1] for line in run("list", "--for", "search").output.splitlines()} >= {"stated"}
    assert "project" not in run("list").output
    assert run("compose", "search").exit_code == 0
    assert "vendor/lpcl/stdlib_contracts/joblib.lpcl" in run("check", "vendor/lpcl").output


@pytest.mark.parametrize("command", ["check", "fmt", "test"])
def test_a_folder_of_repositories_says_how_to_look_into_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    (tmp_path / "one" / ".git").mkdir(parents=True)
    (tmp_path / "one" / "x.lpcl").write_text("package p\n\ncontract c {}\n")
    monkeypatch.chdir(tmp_path)
    result = run(command)
    assert result.exit_code == 2
    assert "no .lpcl files here; name what to look into, such as one: it is a repository of its own" in (
        result.output
    )
    assert f"such as {tmp_path}/one:" in run(command, str(tmp_path)).output
