"""`lpclc list` and `lpclc new`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from lpcl.cli import cli

TWO = """package solver
contract solver { library { pypi "no-such-distribution" "<2" }  operation go { } }
"""
NEWER = """package solver
contract solver { library { pypi "no-such-distribution" ">=2" }  operation go { } }
"""
APPLICATION = """package p
import solver.solver
import numpy.numpy
application old { use solver "1.5", numpy  run { solver.go } }
application new { use solver  run { solver.go } }
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty project, which is the current folder."""
    (tmp_path / "pyproject.toml").write_text("")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*words: str) -> Result:
    """Run `lpclc`."""
    return CliRunner().invoke(cli, list(words), catch_exceptions=False, prog_name="lpclc")


@pytest.fixture
def project(folder: Path) -> Path:
    """A project with a contract in two versions, and applications of it."""
    (folder / "one.lpcl").write_text(TWO)
    (folder / "two.lpcl").write_text(NEWER)
    (folder / "app.lpcl").write_text(APPLICATION)
    return folder


def listed(*words: str) -> dict[tuple[str, str], dict[str, Any]]:
    """The listed contracts by name and version constraint."""
    document = json.loads(run("list", "--format", "json", *words).stdout)
    assert document["version"] == 1
    return {
        (item["name"], ", ".join(need["versions"] for need in item["requirements"])): item
        for item in document["contracts"]
    }


@pytest.mark.usefixtures("project")
def test_everything_is_listed() -> None:
    found = listed()
    old, new = found["solver.solver", "<2"], found["solver.solver", ">=2"]
    assert (old["chosen"], old["reason"]) == (False, "of bounded versions, and nothing is installed")
    assert (new["chosen"], new["reason"]) == (True, "nothing is installed: the one without an upper bound")
    assert (new["origin"], new["path"], new["line"]) == ("project", "two.lpcl", 2)
    assert any(item["origin"] == "stdlib" for item in found.values())


@pytest.mark.usefixtures("project")
def test_the_version_that_an_application_states_decides() -> None:
    found = listed("--for", "app.lpcl:old")
    assert found["solver.solver", "<2"]["reason"] == "version 1.5 is stated"
    assert found["solver.solver", ">=2"]["reason"] == "not for version 1.5, which is stated"
    names = {name for name, _ in found}
    assert "numpy.numpy" in names
    assert any(name.startswith("openblas.") for name in names)  # which NumPy leads to
    assert {name for name, _ in listed("--for", "app.lpcl:new")} == {"solver.solver"}


@pytest.mark.parametrize("copies", [2, 3, 4])
@pytest.mark.parametrize("versions", ["<2", ">=2", None])
def test_a_contract_that_is_there_more_than_once(folder: Path, copies: int, versions: str | None) -> None:
    library = f'library {{ pypi "no-such-solver" "{versions}" }}' if versions else ""
    for number in range(copies):
        clone = folder / f"clone{number}"
        clone.mkdir()
        (clone / "solver.lpcl").write_text(
            f"package solver\n\ncontract solver {{ {library} operation go }}\n"
        )
    (folder / "app.lpcl").write_text(APPLICATION.replace("import numpy.numpy", "").replace(", numpy", ""))
    rows = [line for line in run("list").output.splitlines() if line.split()[0] == "solver.solver"]
    assert len(rows) == copies
    times = {2: "twice", 3: "three times", 4: "4 times"}[copies]
    places = ", ".join(f"clone{number}/solver.lpcl:3" for number in range(copies))
    if versions == "<2":  # which is not the newest, so none of them is: nothing is installed
        assert all(row.endswith("none of them speaks about a version that is not installed") for row in rows)
    else:
        assert all(row.endswith(f"undecided: it is declared {times}: {places}") for row in rows)
    checked = run("check", ".").output
    assert checked.count("duplicate-declaration") == copies - 1
    assert all(f"clone{number}/solver.lpcl:3:10" in checked for number in range(copies))
    assert f"it is declared {times}" not in checked  # once is enough


@pytest.mark.usefixtures("project")
def test_text() -> None:
    lines = run("list", "--for", "app.lpcl:new").stdout.splitlines()
    assert lines == [
        "   solver.solver  no-such-distribution <2   project  of bounded versions, and nothing is installed",
        "*  solver.solver  no-such-distribution >=2  project  "
        "nothing is installed: the one without an upper bound",
    ]


@pytest.mark.usefixtures("project")
def test_an_application_that_is_not_there() -> None:
    found = run("list", "--for", "app.lpcl:other")
    assert found.exit_code == 2
    assert "lpclc list: there is no application other" in found.stderr


@pytest.mark.parametrize("kind", ["contract", "application", "package"])
@pytest.mark.parametrize("name", ["solver", "num-expr", "My.Lib2"])
def test_what_is_new_passes_at_once(kind: str, name: str, folder: Path) -> None:
    made = run("new", kind, name)
    assert made.exit_code == 0
    assert all((folder / line).is_file() for line in made.stdout.splitlines())
    checked = run("check", "--strict")
    assert (checked.exit_code, "nothing to report" in checked.stdout) == (0, True)
    tested = run("test")
    assert (tested.exit_code, tested.stdout.endswith(" passed, 0 failed\n")) == (0, True)
    assert run("fmt", "--check").exit_code == 0


def test_a_new_package_is_a_project_with_an_entry_point(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import tomllib

    run("new", "package", "num-expr")
    monkeypatch.chdir(folder / "lpcl-num-expr")
    stated = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))
    assert stated["project"]["name"] == "lpcl-num-expr"
    (module,) = stated["project"]["entry-points"]["lpcl.contracts"].values()
    assert Path(module, "num_expr.lpcl").is_file()
    assert stated["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"] == [module]
    assert Path(stated["project"]["readme"]).is_file()
    assert run("check").exit_code == 0
    assert listed()["num_expr.num_expr", ""]["origin"] == "project"


def test_nothing_is_overwritten(folder: Path) -> None:
    (folder / "solver.lpcl").write_text("mine")
    found = run("new", "contract", "solver")
    assert found.exit_code == 2
    assert "solver.lpcl is there already" in found.stderr
    assert (folder / "solver.lpcl").read_text() == "mine"


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("name", ["9a", "a b", "../a", "", "a/b", "-a"])
def test_what_is_no_name(name: str) -> None:
    assert run("new", "contract", "--", name).exit_code == 2
    assert list(Path.cwd().iterdir()) == [Path.cwd() / "pyproject.toml"]


def test_another_folder(folder: Path) -> None:
    assert run("new", "contract", "solver", "-o", "deep/er").stdout == "deep/er/solver.lpcl\n"
    assert (folder / "deep/er/solver.lpcl").is_file()
