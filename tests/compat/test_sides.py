"""What stands for old and new: files, folders, git revisions, installed distributions, and what does not."""

from __future__ import annotations

import json
import os
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


def committed(message: str) -> None:
    """Commits the work tree as it is."""
    git("add", "--all", ".")
    git("commit", "-m", message)


USER = (
    "package user\nimport lib.lib\n"
    "contract user {\n  uses dep = lib\n  operation go { workers threads dep.n }\n}\n"
)


def test_a_file_that_is_in_one_revision_only(repository: Path) -> None:
    git("checkout", ".")
    (repository / "contracts" / "user.lpcl").write_text(USER)
    run = breaking("--against", "HEAD")
    assert "adds: the contract `user` is new" in run.output
    assert run.exit_code == 0
    committed("added")
    (repository / "contracts" / "user.lpcl").unlink()
    run = breaking("--against", "HEAD")
    assert "breaks: the contract `user` is gone\n      old HEAD:contracts/user.lpcl:3:10" in run.output
    assert run.exit_code == 1
    run = breaking("--against", "HEAD", "contracts/user.lpcl")
    assert "contracts/user.lpcl: there is no such file or folder" in run.output
    assert run.exit_code == 2


@pytest.mark.parametrize(
    "arguments", [("--against", "HEAD"), ("HEAD:contracts/lib.lpcl", "contracts/new.lpcl")]
)
def test_a_file_of_another_name_has_the_same_contract(repository: Path, arguments: tuple[str, ...]) -> None:
    (repository / "contracts" / "lib.lpcl").rename(repository / "contracts" / "new.lpcl")
    run = breaking(*arguments)
    assert "`n` no longer takes 64" in run.output
    assert "old HEAD:contracts/lib.lpcl:3:14\n" in run.output
    assert "new contracts/new.lpcl:3:14\n" in run.output
    assert "is gone" not in run.output
    assert "is new" not in run.output


def test_a_contract_that_has_moved_to_another_file(repository: Path) -> None:
    git("checkout", ".")
    (repository / "contracts" / "more.lpcl").write_text(OLD.replace("contract lib", "contract more"))
    committed("two files")
    (repository / "contracts" / "more.lpcl").unlink()
    (repository / "contracts" / "lib.lpcl").write_text(
        OLD + NEW.partition("\n")[2].replace("contract lib", "contract more")
    )
    run = breaking("--against", "HEAD")
    assert "lib.more\n  breaks: `n` no longer takes 64" in run.output
    assert "new contracts/lib.lpcl:7:14\n" in run.output
    assert "lib.lib" not in run.output


@pytest.mark.usefixtures("repository")
def test_a_copy_stands_for_what_the_project_has_of_that_name(folder: Path) -> None:
    git("checkout", ".")
    (folder / "next").mkdir()
    (folder / "next" / "lib.lpcl").write_text(NEW)
    for new in ("next", "next/lib.lpcl"):
        run = breaking("HEAD:contracts/lib.lpcl", new)
        assert "`n` no longer takes 64" in run.output
        assert run.exit_code == 1


def test_a_folder_of_the_project_imports_from_the_rest_of_it(repository: Path) -> None:
    (repository / "contracts" / "deep").mkdir()
    (repository / "contracts" / "deep" / "user.lpcl").write_text(USER)
    committed("deeper")
    (repository / "contracts" / "deep" / "user.lpcl").write_text(USER.replace("dep.n ", "dep.n + 1 "))
    for arguments in (
        ("--against", "HEAD", "contracts/deep"),
        ("HEAD:contracts/deep", "contracts/deep"),
        ("HEAD:contracts/deep", "contracts/deep/user.lpcl"),
    ):
        run = breaking(*arguments)
        assert "the number of threads of `go` grows" in run.output
        assert run.exit_code == 1


def test_a_project_below_the_top_of_the_repository(repository: Path) -> None:
    inner = repository / "packages" / "inner"
    (inner / "contracts" / "deep").mkdir(parents=True)
    (inner / "pyproject.toml").write_text('[tool.lpcl]\ncontracts = ["contracts"]\n')
    (inner / "contracts" / "base.lpcl").write_text(OLD.replace("lib", "base"))
    (inner / "contracts" / "deep" / "user.lpcl").write_text(
        USER.replace("import lib.lib", "import base.base").replace("= lib", "= base")
    )
    committed("inner")
    folder = "packages/inner/contracts/deep"
    for arguments in ((f"HEAD:{folder}", folder), ("--against", "HEAD", folder)):
        assert (breaking(*arguments).output, breaking(*arguments).exit_code) == ("Nothing has changed.\n", 0)


def test_a_project_that_is_the_whole_repository(repository: Path) -> None:
    (repository / "pyproject.toml").write_text('[tool.lpcl]\ncontracts = ["."]\n')
    (repository / "deep").mkdir()
    (repository / "deep" / "user.lpcl").write_text(USER)
    committed("whole")
    run = breaking("HEAD:deep", "deep")
    assert (run.output, run.exit_code) == ("Nothing has changed.\n", 0)


@pytest.mark.usefixtures("repository")
def test_a_path_above_the_current_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir("contracts")
    run = breaking("HEAD:../contracts/lib.lpcl", "lib.lpcl")
    assert "`n` no longer takes 64" in run.output
    assert run.exit_code == 1


@pytest.mark.parametrize("path", ["{}", "{}/lib.lpcl", "../elsewhere"])
@pytest.mark.usefixtures("repository")
def test_a_path_outside_the_repository(path: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("elsewhere")
    (outside / "lib.lpcl").write_text(OLD)
    run = breaking("--against", "HEAD", path.format(outside))
    assert "is not in the git repository of the current folder" in run.output
    assert run.exit_code == 2


def test_a_revision_that_does_not_parse(repository: Path) -> None:
    (repository / "contracts" / "lib.lpcl").write_text("package lib\ncontract lib { control\n")
    committed("broken")
    (repository / "contracts" / "lib.lpcl").write_text(NEW)
    for arguments in (
        ("--against", "HEAD"),
        ("HEAD:contracts", "HEAD~1:contracts"),
        ("HEAD~1:contracts", "HEAD:contracts"),
    ):
        run = breaking(*arguments)
        assert "HEAD:contracts/lib.lpcl:2:" in run.output
        assert "error[syntax]" in run.output
        assert "contracts with errors cannot be compared" in run.output
        assert run.exit_code == 2


def test_a_revision_that_is_not_utf_8(repository: Path) -> None:
    (repository / "contracts" / "lib.lpcl").write_bytes(b"/// \xff\n" + OLD.encode())
    committed("bytes")
    (repository / "contracts" / "lib.lpcl").write_text(OLD)
    run = breaking("--against", "HEAD")
    assert "HEAD:contracts/lib.lpcl:1:5: error[encoding]" in run.output
    assert run.exit_code == 2


@pytest.mark.parametrize(
    "name", [b"a b.lpcl", b"a\nb.lpcl", "\u00fc.lpcl".encode(), b'"quoted".lpcl', b"a:b.lpcl"]
)
def test_names_of_files_in_a_revision(repository: Path, name: bytes) -> None:
    git("checkout", ".")
    place = os.fsencode(repository / "contracts") + b"/" + name
    Path(os.fsdecode(place)).write_text("package odd\ncontract odd { operation go }\n")
    committed("odd")
    assert (breaking("--against", "HEAD").output, breaking("--against", "HEAD").exit_code) == (
        "Nothing has changed.\n",
        0,
    )
    Path(os.fsdecode(place)).unlink()
    run = breaking("--against", "HEAD")
    assert "the contract `odd` is gone" in run.output
    assert run.exit_code == 1


def test_links_in_a_revision(repository: Path) -> None:
    git("checkout", ".")
    (repository / "shared").mkdir()
    (repository / "shared" / "odd.lpcl").write_text("package odd\ncontract odd { operation go }\n")
    (repository / "contracts" / "odd.lpcl").symlink_to("../shared/odd.lpcl")
    (repository / "contracts" / "again.lpcl").symlink_to("lib.lpcl")
    committed("links")
    for arguments in (("--against", "HEAD"), ("HEAD:contracts/again.lpcl", "contracts/lib.lpcl")):
        assert (breaking(*arguments).output, breaking(*arguments).exit_code) == ("Nothing has changed.\n", 0)
    (repository / "contracts" / "odd.lpcl").unlink()
    assert "the contract `odd` is gone" in breaking("--against", "HEAD").output


def test_a_link_in_a_revision_that_leads_out_of_it(repository: Path) -> None:
    (repository / "contracts" / "odd.lpcl").symlink_to("/nowhere/odd.lpcl")
    committed("link")
    (repository / "contracts" / "odd.lpcl").unlink()
    run = breaking("--against", "HEAD")
    assert (
        "contracts/odd.lpcl is a link to /nowhere/odd.lpcl, and there is no such file in the revision"
        in run.output
    )
    assert run.exit_code == 2


@pytest.mark.parametrize("text", ["[tool.lpcl\n", "[tool.lpcl]\ncontracts = 3\n"])
@pytest.mark.usefixtures("repository")
def test_a_project_whose_settings_are_broken(folder: Path, text: str) -> None:
    (folder / "pyproject.toml").write_text(text)
    run = breaking("--against", "HEAD")
    assert "pyproject.toml: " in run.output
    assert run.exit_code == 2


def test_a_repository_without_a_commit(folder: Path) -> None:
    git("init")
    run = breaking("--against", "HEAD")
    assert "there is no revision HEAD" in run.output
    assert run.exit_code == 2
    assert (folder / "contracts").is_dir()


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
        ((":contracts", "contracts"), "a git revision is written REVISION:PATH, such as HEAD:contracts"),
        (("", "contracts"), "there is no such file or folder"),
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
        ("HEAD:pyproject.toml", "there are no .lpcl files there"),
        ("HEAD:contracts/next.lpcl", "there is no such file in that revision"),
        ("HEAD:../elsewhere", "this is not in the git repository of the current folder"),
        ("HEAD:./../elsewhere", "this is not in the git repository of the current folder"),
        ("HEAD:/etc", "this is not in the git repository of the current folder"),
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
