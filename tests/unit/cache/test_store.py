"""Texts that are kept: whole or not at all, whatever happens to the folder and whoever else uses it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from lpcl.cache import store
from tests.unit.cache.running import known, run

ROOT = Path(__file__).resolve().parents[3]
NAME = "a" * 64
WRITER = """
import sys
from lpcl.cache import store
number = int(sys.argv[1])
while True:
    for name in ("a", "b"):
        text = bytes([65 + number]) * 200_000
        assert store.write([(name * 64, text)])
        found = store.read(name * 64)
        assert found is None or (len(found) == 200_000 and len(set(found)) == 1), found[:10]
    print(flush=True)
"""


def names(folder: Path) -> list[str]:
    """What a cache folder holds besides its tag."""
    return sorted(path.name for path in folder.iterdir() if path.name != "CACHEDIR.TAG")


def test_what_is_kept_is_read(cache: Path) -> None:
    assert store.read(NAME) is None
    assert store.write([(NAME, b""), ("b" * 64, b"\0x\n")])
    assert (store.read(NAME), store.read("b" * 64)) == (b"", b"\0x\n")
    assert names(cache) == [NAME, "b" * 64]
    assert (cache / "CACHEDIR.TAG").read_text().startswith("Signature: 8a477f597d28d172789f06886806bc55\n")


def test_only_the_owner_can_look_at_it(cache: Path) -> None:
    store.write([(NAME, b"x")])
    assert cache.stat().st_mode & 0o777 == 0o700
    assert (cache / NAME).stat().st_mode & 0o777 == 0o600


def test_what_others_could_have_written_is_not_read(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store.write([(NAME, b"x")])
    (cache / NAME).chmod(0o620)
    assert store.read(NAME) is None
    (cache / NAME).chmod(0o600)
    assert store.read(NAME) == b"x"
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    assert store.read(NAME) is None


def test_the_folder_is_where_it_is_said_to_be(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", "/home/someone")
    monkeypatch.setenv("LPCL_CACHE_DIR", "here")
    assert store.folder() == str(tmp_path / "here")
    monkeypatch.setenv("LPCL_CACHE_DIR", "")
    monkeypatch.setenv("XDG_CACHE_HOME", "/caches")
    assert store.folder() == "/caches/lpcl"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert store.folder() == "/home/someone/.cache/lpcl"
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert store.folder() == "/home/someone/.cache/lpcl"


def test_a_text_is_read_under_its_own_name_alone(cache: Path) -> None:
    store.write([(NAME, b"x")])
    (cache / NAME).rename(cache / ("b" * 64))
    assert store.read("b" * 64) is None


@pytest.mark.parametrize(
    "damage",
    [
        lambda _: b"",
        lambda data: data[:-1],
        lambda data: data[: len(data) // 2],
        lambda data: data + b"\0",
        lambda data: b"\0" * len(data),
        lambda data: data.replace(b"cache 1", b"cache 2"),
        *(
            lambda data, at=at: data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]
            for at in (0, 13, 14, 45, 46, -1)
            if at != -1
        ),
    ],
)
@pytest.mark.usefixtures("project")
def test_damaged_entries_are_found_out(cache: Path, damage: Callable[[bytes], bytes]) -> None:
    expected = run("check", "--format", "json")
    for name in names(cache):
        path = cache / name
        data = path.read_bytes()
        path.write_bytes(damage(data))
        assert store.read(name) is None
        assert known("check", "--format", "json") is None
        assert run("check", "--format", "json") == expected
        assert path.read_bytes() == data
    assert known("check", "--format", "json") == expected


@pytest.mark.parametrize(
    "listed", [b"contents", b"contents\0/a\0kind", b"nothing\0/a", b"\xff", b"real\0", b""]
)
@pytest.mark.usefixtures("project")
def test_a_strange_list_of_questions_is_no_fault(cache: Path, listed: bytes) -> None:
    expected = run("check")
    for name in names(cache):
        store.write([(name, listed)])
    assert known("check") is None
    assert run("check") == expected


def _missing(cache: Path) -> None:
    os.environ["LPCL_CACHE_DIR"] = str(cache / "not" / "yet" / "there")


def _file(cache: Path) -> None:
    cache.write_text("a file")


def _below_a_file(cache: Path) -> None:
    cache.write_text("a file")
    os.environ["LPCL_CACHE_DIR"] = str(cache / "below")


def _dead_link(cache: Path) -> None:
    cache.symlink_to(cache.parent / "nowhere" / "at" / "all")


def _nul(cache: Path) -> None:
    os.environ["LPCL_CACHE_DIR"] = str(cache) + "/" + "x" * 5000


@pytest.mark.parametrize("state", [_missing, _file, _below_a_file, _dead_link, _nul])
@pytest.mark.usefixtures("project")
def test_a_folder_that_cannot_be_used_is_done_without(
    cache: Path, monkeypatch: pytest.MonkeyPatch, state: Callable[[Path], None]
) -> None:
    monkeypatch.setenv("LPCL_CACHE_DIR", str(cache))  # puts back what `state` sets
    expected = run("check", "--no-cache")
    state(cache)
    assert run("check") == run("check") == expected


@pytest.mark.parametrize("call", ["open", "replace", "scandir", "makedirs"])
@pytest.mark.usefixtures("project")
def test_a_folder_that_fails_is_done_without(cache: Path, monkeypatch: pytest.MonkeyPatch, call: str) -> None:
    expected = run("check", "--no-cache")
    real = getattr(os, call)

    def failing(path: str | os.PathLike[str], *rest: object, **more: object) -> object:
        if str(path).startswith(str(cache)):
            raise PermissionError(30, "Read-only file system", path)
        return real(path, *rest, **more)

    with monkeypatch.context() as patch:
        patch.setattr(os, call, failing)
        assert run("check") == expected
    assert not cache.exists() or not [name for name in names(cache) if name.endswith(".tmp")]
    assert run("check") == expected == known("check")


@pytest.mark.skipif(os.getuid() == 0, reason="nothing is read-only for root")
@pytest.mark.usefixtures("project")
def test_a_read_only_folder_is_done_without(cache: Path) -> None:
    cache.mkdir(0o500)
    expected = run("check", "--no-cache")
    assert run("check") == run("check") == expected
    assert names(cache) == []


def test_the_oldest_go_first(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "MOST_FILES", 8)
    keys = [f"{number:064}" for number in range(9)]
    for number, key in enumerate(keys):
        store.write([(key, b"x")])
        os.utime(cache / key, (number, number))
    store.write([(NAME, b"x")])
    assert names(cache) == sorted([*keys[3:], NAME])
    monkeypatch.setattr(store, "MOST_BYTES", 1_000)
    monkeypatch.setattr(store, "LARGEST", 10_000)
    assert store.write([("b" * 64, b"x" * 700)])
    assert names(cache) == ["b" * 64] or sum((cache / name).stat().st_size for name in names(cache)) <= 1_000


def test_what_is_used_stays(cache: Path) -> None:
    store.write([(NAME, b"x")])
    os.utime(cache / NAME, (1, 1))
    assert store.read(NAME) == b"x"
    assert (cache / NAME).stat().st_mtime > 1


def test_other_peoples_files_are_left_alone(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "MOST_FILES", 0)
    cache.mkdir()
    (cache / "notes.txt").write_text("mine")
    store.write([(NAME, b"x")])
    assert names(cache) == ["notes.txt"]


def test_too_large_a_text_is_not_kept(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "LARGEST", 10)
    assert not store.write([(NAME, b"x" * 11)])
    assert names(cache) == []


def test_what_a_killed_writer_leaves_goes_in_time(cache: Path) -> None:
    store.write([(NAME, b"x")])
    old, new = cache / f"{NAME}.1-ab.tmp", cache / f"{NAME}.2-ab.tmp"
    for path in (old, new):
        path.write_bytes(b"half")
    os.utime(old, (1, 1))
    store.write([(NAME, b"y")])
    assert names(cache) == sorted([NAME, new.name])
    assert store.read(NAME) == b"y"


@pytest.mark.usefixtures("cache")
def test_writers_that_are_killed_and_readers_at_once() -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    for _ in range(4):
        writers = [
            subprocess.Popen(
                [sys.executable, "-c", WRITER, str(number)],
                env=environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
            for number in range(3)
        ]
        for writer in writers:
            assert writer.stdout is not None
            assert writer.stdout.readline() == b"\n"
        for name in ("a", "b"):
            found = store.read(name * 64)
            assert found is not None
            assert set(found) <= set(b"ABC")
            assert len(set(found)) == 1
        for writer in writers:
            writer.send_signal(signal.SIGKILL)
            _, errors = writer.communicate()
            assert errors == b""
    assert store.write([(NAME, b"after all")])
    assert store.read(NAME) == b"after all"


def test_commands_at_once_say_the_same(project: Path) -> None:
    (project / "contracts" / "two.lpcl").write_text("contract two { let x = y }\n")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "lpcl", "check", "--format", "json"]
    alone = subprocess.run([*command, "--no-cache"], env=environment, capture_output=True)
    runs = [
        subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(6)
    ]
    for started in runs:
        assert (*started.communicate(), started.returncode) == (alone.stdout, b"", 1)
    last = subprocess.run(command, env=environment, capture_output=True)
    assert (last.stdout, last.returncode) == (alone.stdout, 1)
