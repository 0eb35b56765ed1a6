"""The command line run in this process as a process of its own would run it."""

from __future__ import annotations

import gc
import importlib
import io
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

import lpcl.__main__
from lpcl.cache import outcomes
from lpcl.packages import roots, versions


class Output(io.TextIOWrapper):
    """A standard output that is kept."""

    def __init__(self, encoding: str = "utf-8", *, terminal: bool = False) -> None:
        super().__init__(io.BytesIO(), encoding=encoding)
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal

    @property
    def data(self) -> bytes:
        """What was written."""
        self.flush()
        assert isinstance(self.buffer, io.BytesIO)
        return self.buffer.getvalue()


@contextmanager
def process(arguments: Sequence[str], output: Output) -> Iterator[None]:
    """What a process starts with: its arguments, its output, and nothing known about what is installed."""
    importlib.invalidate_caches()
    roots.installed.cache_clear()
    roots.stdlib.cache_clear()
    versions.installed_version.cache_clear()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lpcl.__main__, "leave", sys.exit)
        patch.setattr(gc, "set_threshold", lambda *_: None)
        patch.setattr(sys, "argv", ["lpclc", *arguments])
        patch.setattr(sys, "stdout", output)
        yield


def run(*arguments: str, encoding: str = "utf-8", terminal: bool = False) -> tuple[bytes, int]:
    """What a command prints, and its exit status."""
    output = Output(encoding, terminal=terminal)
    with process(arguments, output), pytest.raises(SystemExit) as ended:
        lpcl.__main__.main()
    assert isinstance(ended.value.code, int)
    return output.data, ended.value.code


def known(*arguments: str, terminal: bool = False) -> tuple[bytes, int] | None:
    """What is known of a command before it runs."""
    with process(arguments, Output(terminal=terminal)):
        return outcomes.known(arguments)


def install(site: Path, name: str, version: str, contract: str = "", group: bool = True) -> Path:
    """Put a distribution with a package of contracts into a folder, and where its metadata is."""
    package = site / name
    package.mkdir(parents=True, exist_ok=True)
    (package / "__init__.py").write_text("raise SystemExit('never imported')\n")
    (package / "one.lpcl").write_text(contract)
    about = site / f"{name}-{version}.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    entries = f"[lpcl.contracts]\n{name} = {name}\n" if group else "[console_scripts]\n"
    (about / "entry_points.txt").write_text(entries)
    return about


def set_time(path: Path, like: os.stat_result) -> None:
    """Give a file the times of another."""
    os.utime(path, ns=(like.st_atime_ns, like.st_mtime_ns))
