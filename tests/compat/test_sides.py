"""What stands for old and new: files, folders, git revisions, installed distributions, and what does not."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from lpcl.cli import cli
from lpcl.compat.change import Release
from lpcl.compat.release import following

OLD = (
    "package lib\ncontract lib {\n  control n: count in 1..64 { env LIB_N  default 4 }\n"
    "  pool t { size n  callers fork }\n}\n"
)
NEW = OLD.replace("1..64", "1..32")


def breaking(*arguments: str) -> Result:
    """Runs the command."""
    return CliRunner().invoke(cli, ["breaking", *arguments], catch_exceptions=False)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the old contract in it, the current one."""
    (tmp_path / "contracts").mkdir()
    (tmp_path / "contracts" / "lib.lpcl").write_text(OLD)
    (tmp_path / "pyproject.toml").write_text('[tool.lpcl]\ncontracts = ["contracts"]\n')
    monkeypatch.chdir(tmp_path)
    return tmp_path


def git(*arguments: str) -> None:
    """Runs git in the current folder."""
    known = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"]
    subprocess.run(["git", *known, *arguments], check=True, capture_output=True)


@pytest.fixture
def repository(folder: Path) -> Path:
    """The same in a repository, whose work tree has the new contract."""
    git("init")
    git("add", ".")
    git("commit", "-m", "old")
    (folder / "contracts" / "lib.lpcl").write_text(NEW)
    return folder


def test_two_files_beside_each_other(folder: Path) -> None:
    (folder / "contracts" / "next.lpcl").write_text(NEW)
    run = breaking("contracts/lib.lpcl", "contracts/next.lpcl")
    assert "`n` no longer takes 64" in run.output
    assert "old contracts/lib.lpcl:3:14\n" in run.output
    assert "new contracts/next.lpcl:3:14\n" in run.output
    assert run.exit_code == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ("HEAD:contracts", "contracts"),
        ("HEAD:contracts/lib.lpcl", "contracts/lib.lpcl"),
        ("HEAD:./contracts", "contracts"),
        ("--against", "HEAD"),
        ("--against", "HEAD", "contracts"),
        ("--against", "main", "contracts/lib.lpcl"),
    ],
)
@pytest.mark.usefixtures("repository")
def test_a_revision(arguments: tuple[str, ...]) -> None:
    run = breaking(*arguments)
    assert "`n` no longer takes 64" in run.output
    assert ":contracts/lib.lpcl:3:14\n" in run.output
    assert "new contracts/lib.lpcl:3:14\n" in run.output
    assert run.exit_code == 1


@pytest.mark.parametrize("folder_name", ["build", "node_modules", ".hidden", "lib/site-packages"])
def test_a_revision_passes_over_what_the_disk_does(repository: Path, folder_name: str) -> None:
    made = repository / "contracts" / folder_name
    made.mkdir(parents=True)
    (made / "more.lpcl").write_text("package more\ncontract more { operation go }\n")
    git("add", "--force", ".")
    git("commit", "-m", "made")
    assert breaking("HEAD:contracts", "contracts").exit_code == 0
    named = breaking(f"HEAD:contracts/{folder_name}", f"contracts/{folder_name}")
    assert "no .lpcl files" not in named.output
    assert named.exit_code == 0


def test_a_revision_reads_its_own_imports(repository: Path) -> None:
    base = "package lib\ncontract base { control n: count in 1..64 { env LIB_N  default 4 } }\n"
    (repository / "contracts" / "lib.lpcl").write_text("package lib\ncontract lib extends base {}\n")
    (repository / "contracts" / "base.lpcl").write_text(base)
    git("add", ".")
    git("commit", "-m", "split")
    (repository / "contracts" / "base.lpcl").write_text(base.replace("1..64", "1..8"))
    run = breaking("HEAD:contracts/lib.lpcl", "contracts/lib.lpcl")
    assert "HEAD:contracts/base.lpcl:2:28" in run.output
    assert run.exit_code == 1


@pytest.mark.usefixtures("repository")
def test_nothing_changed() -> None:
    git("checkout", ".")
    run = breaking("--against", "HEAD")
    assert (run.output, run.exit_code) == ("Nothing has changed.\n", 0)


def test_an_installed_distribution_has_a_version() -> None:
    run = breaking("stdlib", "stdlib", "--format", "json")
    told = json.loads(run.output)
    assert (told["release"], told["changes"], run.exit_code) == ("none", [], 0)
    assert told["next_version"] is not None


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("nothing.lpcl", "contracts"), "nothing.lpcl: there is no such file or folder"),
        (("/", "contracts"), "/: this is the whole disk; name the folder that holds the contracts"),
        (("contracts", "/"), "/: this is the whole disk; name the folder that holds the contracts"),
        (("numpy", "contracts"), "no installed distribution of that name has contracts"),
        (("stdlib==99", "contracts"), "is installed, and 99 is not"),
        (("HEAD:contracts", "contracts"), "HEAD: not a git repository"),
        (("contracts", "empty"), "empty: there are no .lpcl files in it"),
        (("contracts", "contracts", "--from", "soon"), "soon is not a version number"),
    ],
)
def test_what_cannot_be_compared(folder: Path, arguments: tuple[str, ...], told: str) -> None:
    (folder / "empty").mkdir()
    run = breaking(*arguments)
    assert told in run.output
    assert run.exit_code == 2
    assert "Traceback" not in run.output


@pytest.mark.parametrize(
    ("revision", "told"),
    [
        ("nowhere:contracts", "there is no revision nowhere"),
        ("--output=x:contracts", "no such option"),
        ("HEAD:docs", "there are no .lpcl files there"),
    ],
)
@pytest.mark.usefixtures("repository")
def test_a_revision_that_cannot_be_read(revision: str, told: str) -> None:
    run = breaking(revision, "contracts")
    assert told in run.output.lower()
    assert run.exit_code == 2


def test_contracts_with_errors_are_not_compared(folder: Path) -> None:
    (folder / "next.lpcl").write_text(NEW.replace("size n", "size m"))
    run = breaking("contracts", "next.lpcl")
    assert "next.lpcl:4:17: error[unknown-name]" in run.output
    assert run.exit_code == 2


@pytest.mark.parametrize("arguments", [(), ("contracts",), ("a", "b", "--against", "HEAD")])
def test_too_few_and_too_many(arguments: tuple[str, ...]) -> None:
    run = breaking(*arguments)
    assert run.exit_code == 2
    assert "Usage" in run.output


@pytest.mark.parametrize(
    ("version", "release", "expected"),
    [
        ("1.4.2", Release.MAJOR, "2.0.0"),
        ("1.4.2", Release.MINOR, "1.5.0"),
        ("1.4.2", Release.PATCH, "1.4.3"),
        ("1.4.2", Release.NONE, "1.4.2"),
        ("0.4.2", Release.MAJOR, "0.5.0"),
        ("0.4.2", Release.MINOR, "0.4.3"),
        ("2", Release.MINOR, "2.1.0"),
        ("soon", Release.MINOR, None),
    ],
)
def test_the_next_version(version: str, release: Release, expected: str | None) -> None:
    assert following(version, release) == expected


def test_the_output_is_the_same_for_every_hash_seed(folder: Path) -> None:
    import os
    import sys

    (folder / "next.lpcl").write_text(NEW.replace("default 4", "default machine.cpus.online"))
    told = {
        subprocess.run(
            [sys.executable, "-m", "lpcl", "breaking", "contracts", "next.lpcl"],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("0", "1", "7")
    }
    assert len(told) == 1
    assert "no longer takes" in next(iter(told))
