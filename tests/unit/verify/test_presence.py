"""Whether the commands and shared objects that an experiment needs are there."""

from __future__ import annotations

import platform
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from lpcl.verify import records
from lpcl.verify.presence import present

if TYPE_CHECKING:
    from tests.unit.verify.conftest import Bench

LIBRARY = 'library { file "libx.so" }'


@pytest.fixture(autouse=True)
def system(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A machine with one command and one shared object, which another one offers in a folder of its own."""
    commands, objects = tmp_path / "bin", tmp_path / "lib"
    for path in (commands / "aligner", objects / "libx.so.1", objects / "x-openmp" / "libx.so.2"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o755)
    monkeypatch.setenv("PATH", str(commands))
    monkeypatch.setenv("LD_LIBRARY_PATH", f"{tmp_path / 'nothing'}:{objects}:")


@pytest.mark.parametrize(
    ("needs", "obstacle"),
    [
        ('needs command "aligner"', None),
        ('needs command "sorter"', "the command sorter is not on the search path"),
        ('needs file "libx.so.1"', None),
        ('needs file "x-openmp/libx.so.2"', None),
        ('needs file "libx.so.2"', "libx.so.2 lies nowhere where the loader looks"),
        ('needs file "x-openmp"', "x-openmp lies nowhere where the loader looks"),
        ('needs command "aligner"  needs file "liby.so"', "liby.so lies nowhere where the loader looks"),
        ('needs "not-a-distribution"  needs command "sorter"', "not-a-distribution is not installed"),
    ],
)
def test_what_is_not_there_is_an_obstacle(bench: Bench, needs: str, obstacle: str | None) -> None:
    (made,) = bench.prepare(
        f"""
        contract probe {{
          {LIBRARY}
          evidence "it holds" {{ {needs} python "report(a=1)" expect a == 1 }}
        }}
        """
    )
    assert made.obstacle == obstacle
    assert (made.setup is None) == (obstacle is not None)


def test_what_is_there_has_the_name_of_its_file(bench: Bench, tmp_path: Path) -> None:
    """A shared object by the file that its link ends at, a command by its name."""
    objects = tmp_path / "lib"
    (objects / "libprobe-1.2.3.so").touch()
    (objects / "libprobe.so.1").symlink_to("libprobe-1.2.3.so")
    made = bench.experiment(
        'needs file "libprobe.so.1" needs command "aligner" python "report(a=1)" expect a == 1'
    )
    assert present(made.clause.node) == ("libprobe-1.2.3.so", "aligner")


def test_a_record_says_what_it_was_made_with(bench: Bench, tmp_path: Path) -> None:
    """Where nothing is named, the Python that runs LPCL and the modules that come with it."""
    outcome = bench.attempt('python "report(a=1)" expect a == 1')
    file = tmp_path / "kept.json"
    assert records.keep(file, [outcome]) is None
    (record,) = records.read(file).values()
    assert record.versions == (f"Python {platform.python_version()}",)
