"""Whatever happens between two runs, a run with a cache says what one without it says."""

from __future__ import annotations

import os
import random
import shutil
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.cache.running import install, known, run, set_time

TEXTS = (
    "package a\ncontract a { }\n",
    "package a\ncontract b { }\n",
    "package b\nimport a.*\ncontract b { uses a = a }\n",
    "package c\nimport lpcl.core.*\nimport b.b\ncontract c { uses b = b }\n",
    'package d\nimport a.a\nimport b.b\napplication d { machine { cpus.online = 4 }  use a  command "x" }\n',
    'package a\ncontract a { library { pypi "lib" "<2" } }\n',
    'package a\ncontract a { library { pypi "lib" ">=2" } }\n',
    "contract broken { pool p { size } \n",
    "",
)
FILES = (
    "one.lpcl",
    "two.lpcl",
    "in/three.lpcl",
    "in/4.lpcl",
    ".hidden/five.lpcl",
    "other/six.lpcl",
    "seven.txt",
)
SETTINGS = (
    "",
    "[tool.lpcl]\n",
    '[tool.lpcl]\ncontracts = ["in"]\n',
    '[tool.lpcl]\ncontracts = ["in", "other", "gone"]\n',
    '[tool.lpcl.severity]\nno-evidence = "error"\nunused-import = "off"\n',
    "[tool.lpcl\n",
)
COMMANDS = (
    ("check",),
    ("check", "in"),
    ("check", "--format", "json", "1.lpcl", "in"),
    ("check", "--format", "concise", "--verbose", "other", "gone"),
    ("check", "--format", "sarif", "--strict", "in/4.lpcl"),
)


class Project:
    """A folder that changes, and a folder of distributions beside it."""

    def __init__(self, folder: Path, site: Path, seed: int) -> None:
        self.folder = folder
        self.site = site
        self.pick = random.Random(seed)
        for number in range(6):
            self.write(TEXTS[number], FILES[number])

    def write(self, text: str, name: str) -> None:
        """Write a file, whatever was there."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_symlink() or path.exists():
            path.unlink()
        path.write_text(text)

    def change(self) -> None:
        """Change something, or nothing."""
        one, other = (self.folder / name for name in self.pick.sample(FILES, 2))
        match self.pick.randrange(9):
            case 0:
                self.write(self.pick.choice(TEXTS), str(one.relative_to(self.folder)))
            case 1 if one.exists():
                one.unlink()
            case 2 if one.exists():
                other.parent.mkdir(parents=True, exist_ok=True)
                one.rename(other)
            case 3:
                self.write(
                    self.pick.choice(SETTINGS), self.pick.choice(["pyproject.toml", "in/pyproject.toml"])
                )
            case 4 if one.exists() and not one.is_symlink():
                before = one.stat()  # another letter, but as long and as old as it was
                one.write_text(one.read_text().replace(" a ", self.pick.choice([" b ", " x "]), 1))
                set_time(one, before)
            case 5:
                os.utime(self.pick.choice([path for path in self.folder.rglob("*") if path.is_file()]))
            case 6 if other.exists() and not one.exists() and one.parent.exists():
                one.symlink_to(other)
            case 7:
                self.install()
            case 8:
                shutil.rmtree(self.folder / "in", ignore_errors=True)

    def install(self) -> None:
        """Install, upgrade or remove a library, or contracts for one."""
        name = self.pick.choice(["lib", "offering"])
        for path in self.site.glob(f"{name}*"):
            shutil.rmtree(path)
        if self.pick.random() < 0.8:
            version = self.pick.choice(["1.0", "2.0"])
            install(self.site, name, version, self.pick.choice(TEXTS), group=self.pick.random() < 0.7)


@settings(max_examples=int(os.environ.get("LPCL_EXAMPLES", "12")))
@given(seed=st.integers(0, 2**32))
def test_a_run_with_a_cache_says_what_one_without_says(
    tmp_path_factory: pytest.TempPathFactory, seed: int
) -> None:
    base = tmp_path_factory.mktemp("cache")
    folder, site = base / "project", base / "site"
    folder.mkdir()
    site.mkdir()
    project = Project(folder, site, seed)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("LPCL_CACHE_DIR", str(base / "cache"))
        patch.setattr(sys, "path", [*sys.path, str(site)])
        for _ in range(12):
            for _ in range(project.pick.randrange(3)):
                project.change()
            command = project.pick.choice(COMMANDS)
            expected = run(*command, "--no-cache")
            assert known(*command) in (None, expected)
            assert run(*command) == expected
            # that there is nothing to check is told each time: it is no outcome to remember
            assert known(*command) in ((None, expected) if expected[1] == 2 else (expected,))
