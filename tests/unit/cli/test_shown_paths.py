"""Paths: in short for people where they are installed, whole for programs and where they are one's own."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from lpcl.cache import territory
from lpcl.cache.territory import shown_path
from lpcl.cli import cli
from lpcl.packages import roots

CONTRACT = """package offered

import lpcl.core.cpu

contract offered {
  control n: count in 1..64 { env OFFERED_N  default 6 }
  pool p { size n  callers fork }
  operation go { runs on p }
}
"""
APPLICATION = """package mine

import offered.offered

application a {
  machine { cpus.online = 4 }
  use offered
  run { offered.go }
}
"""

LEADING = ["/tmp/x/venv/lib/python3.11/site-packages/", "venv/lib/python3.11/site-packages/",
           "/usr/lib/python3/dist-packages/", "/a/site-packages/b/site-packages/",
           "C:\\env\\Lib\\site-packages\\"]  # fmt: skip


@pytest.mark.parametrize("leading", LEADING)
@pytest.mark.parametrize("rest", ["stdlib_contracts/openblas/openblas.lpcl", "other/a.lpcl"])
def test_what_is_installed_is_called_the_same_everywhere(leading: str, rest: str) -> None:
    assert shown_path(leading + rest) == rest


def test_the_standard_library_beside_the_tool_is_called_the_same() -> None:
    root = Path(territory.__file__).resolve().parents[2]
    assert (
        shown_path(str(root / "stdlib_contracts" / "flask" / "flask.lpcl"))
        == "stdlib_contracts/flask/flask.lpcl"
    )


@pytest.mark.parametrize(
    "path",
    ["app.lpcl", "contracts/a.lpcl", "/home/me/a.lpcl", "/home/me/site/a.lpcl", "site-packages", "../a.lpcl"],
)
def test_ones_own_paths_stay_as_they_are(path: str) -> None:
    assert shown_path(path) == path


@pytest.fixture(params=["beside", "inside"])
def project(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Path]:
    """A project whose application uses an installed contract, and the folder where that is."""
    folder = tmp_path / "project"
    home = (folder if request.param == "inside" else tmp_path) / "venv"
    site = home / "lib" / "python3.12" / "site-packages"
    about = site / "lpcl_offered-1.5.dist-info"
    for path, text in (
        (site / "offered" / "offered.lpcl", CONTRACT),
        (site / "offered" / "__init__.py", ""),
        (about / "METADATA", "Metadata-Version: 2.1\nName: lpcl-offered\nVersion: 1.5\n"),
        (about / "entry_points.txt", "[lpcl.contracts]\noffered = offered\n"),
        (folder / "pyproject.toml", ""),
        (folder / "app.lpcl", APPLICATION),
        (home / "pyvenv.cfg", ""),
    ):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    monkeypatch.setattr(sys, "path", [str(site), *sys.path])
    monkeypatch.chdir(folder)
    roots.installed.cache_clear()
    yield site
    roots.installed.cache_clear()


def run(*words: str) -> Result:
    """Run `lpclc`."""
    return CliRunner().invoke(cli, list(words), catch_exceptions=False)


@pytest.mark.parametrize(
    "words",
    [
        ("compose", "app.lpcl"),
        ("compose", "app.lpcl", "--format", "html"),
        ("compose", "app.lpcl", "--question", "who"),
        ("compose", "app.lpcl", "--machine", "any", "--range", "cpus.online=1..8"),
        ("why", "app.lpcl", "offered.p"),
        ("why", "app.lpcl", "cpu"),
    ],
)
@pytest.mark.usefixtures("project")
def test_people_are_shown_it_in_short(words: tuple[str, ...]) -> None:
    told = run(*words).output.replace("<wbr>", "")
    assert "site-packages" not in told
    assert "offered/offered.lpcl:" in told or "who" in words


def test_a_finding_in_it_is_shown_in_short(project: Path) -> None:
    path = project / "offered" / "offered.lpcl"
    path.write_text(CONTRACT.replace("runs on p", "runs on q"))
    told = run("check", "--no-cache", "app.lpcl").output
    assert "--> offered/offered.lpcl:8:" in told
    assert "site-packages" not in told
    composed = run("compose", "app.lpcl")
    assert "it needs `offered` of offered/offered.lpcl." in composed.output
    assert "site-packages" not in composed.output


@pytest.mark.parametrize("output", ["concise", "json", "jsonl", "sarif", "github", "junit"])
def test_programs_are_given_paths_that_they_can_open(project: Path, output: str) -> None:
    path = project / "offered" / "offered.lpcl"
    path.write_text(CONTRACT.replace("runs on p", "runs on q"))
    told = run("check", "--no-cache", "--format", output, "app.lpcl").output
    assert os.path.join("site-packages", "offered", "offered.lpcl") in told


@pytest.mark.usefixtures("project")
def test_the_json_of_a_composition_has_paths_that_can_be_opened() -> None:
    told = json.loads(run("compose", "app.lpcl", "--format", "json").output)
    files = set(_files(told))
    assert any("site-packages" in file for file in files)
    assert all(os.path.exists(file) for file in files)
    listed = json.loads(run("list", "--format", "json").output)["contracts"]
    assert all(os.path.exists(item["path"]) for item in listed)


def _files(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("file"), str) and isinstance(value.get("line"), int):
            yield value["file"]
        for item in value.values():
            yield from _files(item)
    elif isinstance(value, list):
        for item in value:
            yield from _files(item)
