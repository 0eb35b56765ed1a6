"""What is known is what a run would print, and nothing is known once anything that matters has changed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from lpcl.cache import observe, outcomes, recording
from lpcl.cli.check import FORMATS
from tests.unit.cache.running import Output, install, known, process, run, set_time

ROOT = Path(__file__).resolve().parents[3]
APP = "package app\nimport lpcl.core.*\nimport far.far\ncontract app { uses far = far }\n"
FAR = "package far\ncontract far { }\n"
WRONG = "package own.one\ncontract one { pool p { sise 3 } }\n"


@pytest.mark.parametrize("terminal", [False, True])
@pytest.mark.parametrize(
    "text", ["contract one { let x = y }\n", "contract {", "package a\n", "\ufffd\x1b[31m\0"]
)
@pytest.mark.parametrize("output", FORMATS)
def test_what_is_known_is_what_a_run_prints(project: Path, output: str, text: str, terminal: bool) -> None:
    (project / "contracts" / "one.lpcl").write_text(text)
    for more in ([], ["--strict"], ["--verbose", "contracts"], ["--color", "always"], ["nowhere"]):
        arguments = ["check", "--format", output, *more]
        fresh = run(*arguments, "--no-cache", terminal=terminal)
        assert known(*arguments, terminal=terminal) is None
        assert run(*arguments, terminal=terminal) == fresh
        assert known(*arguments, terminal=terminal) == fresh
        assert run(*arguments, terminal=terminal) == fresh


@pytest.mark.usefixtures("project")
def test_a_known_outcome_is_told_without_a_look_at_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = run("check")
    monkeypatch.setattr("lpcl.cli.main", lambda: pytest.fail("the command ran"))
    assert run("check") == expected


@pytest.mark.usefixtures("project")
def test_a_known_outcome_loads_nothing_of_the_commands() -> None:
    run_alone = [sys.executable, "-c", "import sys, lpcl.__main__ as m; sys.argv[1:] = ['check']; m.main()"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    first = subprocess.run(run_alone, env=environment, capture_output=True, check=True)
    look = (
        "import sys; before = set(sys.modules); import lpcl.__main__ as m; sys.argv[1:] = ['check']\n"
        "try: m.main()\nexcept SystemExit: print(*set(sys.modules) - before, file=sys.stderr)"
    )
    run_alone[2] = look
    subprocess.run(run_alone, env=environment, capture_output=True, check=True)
    second = subprocess.run(run_alone, env=environment, capture_output=True, check=True, text=True)
    assert second.stdout == first.stdout.decode()
    loaded = set(second.stderr.split())
    assert "lpcl.cache.outcomes" in loaded
    assert {name for name in loaded if name.startswith("lpcl")} <= {
        "lpcl",
        "lpcl.__main__",
        *(f"lpcl.cache{name}" for name in ("", ".observe", ".outcomes", ".store", ".territory")),
    }
    assert not loaded & {"click", "hashlib", "json", "typing", "dataclasses", "importlib.metadata", "inspect"}


def _new_file(project: Path) -> None:
    (project / "contracts" / "two.lpcl").write_text(WRONG)


def _removed(project: Path) -> None:
    (project / "contracts" / "one.lpcl").unlink()


def _renamed(project: Path) -> None:
    (project / "contracts" / "one.lpcl").rename(project / "contracts" / "zwei.lpcl")


def _hidden_change(project: Path) -> None:
    """As long, and as old, as it was."""
    path = project / "contracts" / "one.lpcl"
    before = path.stat()
    path.write_text(path.read_text().replace("contract one", "contrakt one"))
    assert path.stat().st_size == before.st_size
    set_time(path, before)


def _import_changed(project: Path) -> None:
    (project / "far" / "far.lpcl").write_text(FAR.replace("contract far", "contract fern"))


def _import_moved(project: Path) -> None:
    shutil.move(project / "far", project / "further")


def _severity(project: Path) -> None:
    settings = project / "pyproject.toml"
    settings.write_text(settings.read_text() + '[tool.lpcl.severity]\nno-evidence = "warning"\n')


def _bad_settings(project: Path) -> None:
    (project / "pyproject.toml").write_text("[tool.lpcl")


def _nearer_settings(project: Path) -> None:
    (project / "contracts" / "pyproject.toml").write_text('[tool.lpcl]\ncontracts = ["nowhere"]\n')


def _no_settings(project: Path) -> None:
    (project / "pyproject.toml").unlink()


def _link(project: Path) -> None:
    shutil.move(project / "contracts" / "one.lpcl", project / "elsewhere.lpcl")
    (project / "elsewhere.lpcl").write_text(WRONG)
    (project / "contracts" / "one.lpcl").symlink_to(project / "elsewhere.lpcl")


@pytest.mark.parametrize(
    "change",
    [
        _new_file,
        _removed,
        _renamed,
        _hidden_change,
        _import_changed,
        _import_moved,
        _severity,
        _bad_settings,
        _nearer_settings,
        _no_settings,
        _link,
    ],
)
def test_a_change_of_what_matters_is_seen(project: Path, change: Callable[[Path], None]) -> None:
    (project / "pyproject.toml").write_text('[tool.lpcl]\ncontracts = ["contracts", "far"]\n')
    (project / "far").mkdir()
    (project / "far" / "far.lpcl").write_text(FAR)
    (project / "contracts" / "app.lpcl").write_text(APP)
    arguments = ("check", "--format", "json", "contracts")
    before = run(*arguments)
    assert known(*arguments) == before
    change(project)
    assert known(*arguments) is None
    after = run(*arguments, "--no-cache")
    assert run(*arguments) == after
    assert known(*arguments) == after


def test_what_does_not_matter_is_not_looked_at(project: Path) -> None:
    before = run("check")
    path = project / "contracts" / "one.lpcl"
    (project / "notes.txt").write_text("later")
    (project / "contracts" / "one.lpcl~").write_text("before")
    text = path.read_text()
    path.unlink()
    path.write_text(text)
    os.utime(path, (1, 1))
    assert known("check") == before


def test_a_state_that_comes_back_is_known(project: Path) -> None:
    path = project / "contracts" / "one.lpcl"
    text = path.read_text()
    before = run("check")
    path.write_text(WRONG)
    assert run("check") != before
    path.write_text(text)
    assert known("check") == before


def test_distributions_that_come_change_and_go_are_seen(project: Path, site: Path) -> None:
    (project / "contracts" / "app.lpcl").write_text(APP)

    def changed() -> tuple[bytes, int]:
        assert known("check") is None
        fresh = run("check", "--no-cache")
        assert run("check") == fresh
        assert known("check") == fresh
        return fresh

    absent = changed()
    about = install(site, "far", "1.0", FAR)
    present = changed()
    assert present != absent
    (site / "far" / "one.lpcl").write_text(FAR + "contract more { let x = y }\n")
    assert changed() != present
    shutil.rmtree(about)
    about = install(site, "far", "1.0", FAR, group=False)
    assert changed() == absent
    (about / "entry_points.txt").write_text("[lpcl.contracts]\nfar = far\n")
    assert changed() == present
    (site / "far" / "two.lpcl").write_text("package far.two\n")
    changed()
    shutil.rmtree(site / "far")
    assert changed()[1] == 1


def test_the_installed_version_of_a_library_is_seen(project: Path, site: Path) -> None:
    versions = "\n".join(
        f'contract lib {{ library {{ pypi "that-lib" "{versions}" }}  control n{number}: count {{ env N }} }}'
        for number, versions in enumerate(("<2", ">=2"))
    )
    (project / "contracts" / "one.lpcl").write_text(f"package lib\n{versions}\n")
    (project / "contracts" / "app.lpcl").write_text(
        "package app\nimport lib.lib\n"
        'application a { machine { cpus.online = 4 }  use lib  limit lib.n0 = 1  command "a" }\n'
    )
    seen = []
    for version in ("1.0", "2.0", "3.0"):
        about = install(site, "that_lib", version, group=False)
        assert known("check", "-v") is None
        seen.append(run("check", "-v"))
        assert run("check", "-v", "--no-cache") == seen[-1] == known("check", "-v")
        shutil.rmtree(about)
    assert seen[0] != seen[1] == seen[2]


def test_nothing_is_known_of_the_tool_after_it_changed(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("check")
    assert known("check") is not None
    with monkeypatch.context() as patch:
        patch.setattr(sys, "version", "another")
        assert known("check") is None
    with monkeypatch.context() as patch:
        patch.setattr(sys, "path", [*sys.path, "/another"])
        assert known("check") is None
    tool = project / "tool"
    tool.mkdir()
    (tool / "a.py").write_text("1")
    monkeypatch.setattr(outcomes, "TOOL", str(tool))
    run("check")
    assert known("check") is not None
    (tool / "a.py").write_text("22")
    assert known("check") is None
    run("check")
    assert known("check") is not None
    (tool / "sub").mkdir()
    (tool / "sub" / "b.py").write_text("")
    assert known("check") is None


@pytest.mark.usefixtures("project")
def test_nothing_is_known_after_a_library_of_the_tool_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    run("check")
    times = dict.fromkeys(recording._modules(), 0)
    assert any(path.endswith(os.path.join("click", "core.py")) for path in times)
    assert not any(path.startswith(outcomes.TOOL + os.sep) for path in times)
    monkeypatch.setitem(
        observe.QUESTIONS, "module", lambda path: (1, 2) if "click" in path else observe.module(path)
    )
    assert known("check") is None


@pytest.mark.parametrize(
    "way", ["--no-cache", "--fix", "--help", "--nonsense", "other folder", "latin-1", "compose"]
)
def test_nothing_is_kept_of_other_commands(
    project: Path, cache: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    match way:
        case "latin-1":
            run("check", encoding="latin-1")
        case "compose":
            run("compose", "nowhere.lpcl")
        case "other folder":
            run("check")
            monkeypatch.chdir(project / "contracts")
            assert known("check") is None
            return
        case _:
            run("check", way)
    assert not cache.exists()
    assert known("check") is None


def test_fixes_are_made_each_time(project: Path) -> None:
    path = project / "contracts" / "one.lpcl"
    text = "package own.one\nimport lpcl.core.*\ncontract one { }\n"
    for _ in range(2):
        path.write_text(text)
        run("check", "--fix")
        assert path.read_text() != text


def test_nothing_is_kept_of_what_changed_in_the_meantime(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = project / "contracts" / "one.lpcl"
    keep = recording.Recording.keep

    def late(self: recording.Recording, text: str, status: int) -> bool:
        path.write_text(WRONG)
        return keep(self, text, status)

    with monkeypatch.context() as patch:
        patch.setattr(recording.Recording, "keep", late)
        run("check")
    assert known("check") is None


@pytest.mark.usefixtures("site")
def test_distributions_that_cannot_be_observed_are_not_taken_for_known(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Finder:
        def find_spec(self, name: str, path: object, target: object = None) -> None:
            return None

        def find_distributions(self, context: object) -> list[object]:
            return []

    (project / "contracts" / "app.lpcl").write_text(APP)
    with monkeypatch.context() as patch:
        patch.setattr(sys, "meta_path", [*sys.meta_path, Finder()])
        run("check")
        assert known("check") is None
    run("check")
    assert known("check") is not None
    with monkeypatch.context() as patch:
        patch.setattr(sys, "meta_path", [*sys.meta_path, Finder()])
        assert known("check") is None


@pytest.mark.parametrize("where", ["lpcl.__main__.known", "lpcl.cli.main"])
def test_an_interrupt_is_no_fault(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], where: str
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(where, interrupted)
    assert run("check") == (b"", 1)
    assert capsys.readouterr().err == "\nAborted!\n"


@pytest.mark.usefixtures("project")
def test_a_reader_that_has_gone_is_no_fault() -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "lpcl", "check"]
    subprocess.run(command, env=environment, check=True, capture_output=True)
    reading, writing = os.pipe()
    os.close(reading)
    found = subprocess.run(command, env=environment, stdout=writing, stderr=subprocess.PIPE)
    os.close(writing)
    assert (found.returncode, found.stderr) == (1, b"")


@pytest.mark.usefixtures("project")
def test_what_cannot_be_encoded_is_left_to_the_command() -> None:
    with process(["check"], Output()), recording.recording(["check"]) as record:
        assert record is not None
        assert record.keep("\udcff", 0)
    assert known("check") is None
