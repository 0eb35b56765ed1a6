"""The documents are true: every LPCL example in them is checked, and every console session is run again.

A document is a story: its blocks are taken in order, in a folder of their own.

- A block of ``lpcl`` is checked and has to be clean; its tests are run and have to pass. One that begins with
  ``// file: name.lpcl`` stays in the folder under that name, together with those before it; any other one
  stands alone. Where a block has no ``package``, `PRELUDE` stands in front of it, and ``fragment=KIND`` after
  ``lpcl`` puts it into the frame of that kind.
- A block of ``console`` shows ``$ lpclc ...`` and what it prints, also with ``| head -N`` behind it. With
  ``--update-golden`` the output is written into the document instead of being compared.

The pages of the diagnostic codes have tests of their own, in `tests/unit/diagnostics`.
"""

from __future__ import annotations

import difflib
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner

from lpcl import service
from lpcl.cli import cli
from lpcl.diagnostics.codes import CODES

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = [
    ROOT / "README.md",
    *(path for path in sorted((ROOT / "docs").rglob("*.md")) if "diagnostics" not in path.parts),
]
BLOCK = re.compile(r"^```(?P<info>[^\n`]*)\n(?P<body>.*?)^```$", re.DOTALL | re.MULTILINE)
FILE = re.compile(r"\A// file: (\S+)\n")
COMMAND = re.compile(r"\$ lpclc (?P<words>.*?)(?: \| head -(?P<lines>\d+))?")

PRELUDE = """package example

import lpcl.core.*
import lpcl.interfaces.{blas, openmp}
import joblib.joblib
import multiprocessing.multiprocessing
import numpy.numpy
import openblas.openblas
import runtimes.libgomp
import scipy.scipy
import sklearn.sklearn
import system.system

"""
FRAMES = {
    "": "{}",
    "contract": "contract example {{\n{}\n}}\n",
    "operation": (
        "contract example {{\n"
        "  uses blas: blas = openblas\n"
        "  control threads: count in 1..64 {{ env EXAMPLE_THREADS  default machine.cpus.affinity }}\n"
        "  pool workers {{ size threads  callers queue }}\n"
        "  operation other(size: bytes = 1 MiB) {{}}\n"
        "  operation example(n: count in 1..64 = 4) {{\n{}\n  }}\n"
        "}}\n"
    ),
    "application": (
        "application example {{\n  use joblib, multiprocessing, numpy, scipy, sklearn, system\n{}\n}}\n"
    ),
    "statements": (
        "application example {{\n"
        "  machine {{ cpus.online = 8 }}\n"
        "  use joblib, multiprocessing, numpy, scipy, sklearn, system\n"
        "  run {{\n{}\n  }}\n}}\n"
    ),
    "test": (
        "application search {{\n"
        "  machine {{ cpus.online = 8 }}\n"
        "  use multiprocessing, numpy\n"
        '  control jobs: count in 1..64 {{ argument "--jobs"  default 8 }}\n'
        "  run {{ multiprocessing.pool(processes = jobs, start = spawn) {{ numpy.matmul }} }}\n"
        "}}\n\n"
        'test "example" {{\n  check search\n{}\n}}\n'
    ),
}


@dataclass(frozen=True)
class Block:
    """A fenced block of a document: its words after the fence, its text, and where it stands."""

    info: str
    body: str
    start: int
    line: int

    @property
    def language(self) -> str:
        """The first word after the fence."""
        return self.info.split()[0] if self.info.split() else ""

    @property
    def fragment(self) -> str:
        """The kind of frame that the block stands in."""
        found = re.search(r"fragment=(\w+)", self.info)
        return found.group(1) if found else ""


def blocks(text: str) -> Iterator[Block]:
    """The fenced blocks of a document, in order."""
    for found in BLOCK.finditer(text):
        yield Block(found["info"], found["body"], found.start("body"), text.count("\n", 0, found.start()) + 1)


def framed(block: Block) -> str:
    """The file that a block is."""
    text = FRAMES[block.fragment].format(block.body)
    return text if re.search(r"^package ", text, re.MULTILINE) else PRELUDE + text


def faults(paths: list[str]) -> list[str]:
    """What is wrong with the files: findings of the checker, and tests that fail."""
    workspace = service.open_workspace(paths)
    framed_alone = any(PRELUDE.strip() in file.text for file in workspace.targets)  # and uses little of it
    found = [
        f"{item.code}: {item.headline}"
        for item in workspace.diagnostics
        if not framed_alone or CODES[item.code].family != "practice"
    ]
    if not found:
        for result in service.run_tests(workspace):
            found += [f"{result.title}: {item.headline}" for item in result.diagnostics]
            found += [
                "\n    ".join([f"{result.title}: {one.expected}", *one.found])
                for one in result.judgements
                if not one.met
            ]
    return found


def session(body: str) -> str:
    """A console block as it is when its commands are run now."""
    lines: list[str] = []
    for line in body.splitlines():
        if not line.startswith("$ "):
            continue
        command = COMMAND.fullmatch(line)
        assert command is not None, f"only lpclc is run: {line}"
        output = CliRunner().invoke(cli, shlex.split(command["words"]), prog_name="lpclc").output
        shown = output.replace(f"{ROOT}/", "").splitlines()
        lines += [line, *(shown[: int(command["lines"])] if command["lines"] else shown)]
    return "".join(f"{line}".rstrip() + "\n" for line in lines)


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_document(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    update = request.config.getoption("--update-golden")
    text = path.read_text(encoding="utf-8")
    story, alone = tmp_path / "story", tmp_path / "alone"
    for folder in (story, alone):
        folder.mkdir()
        (folder / "pyproject.toml").write_text("")
    monkeypatch.chdir(story)
    monkeypatch.setenv("COLUMNS", "80")
    wrong: list[str] = []
    changes: list[tuple[Block, str]] = []
    for block in blocks(text):
        place = f"{path.relative_to(ROOT)}:{block.line}"
        if block.language == "lpcl":
            named = FILE.match(block.body)
            target = story / named.group(1) if named else alone / f"block_{block.line}.lpcl"
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(framed(block), encoding="utf-8")
            wrong += [f"{place}: {fault}" for fault in faults([str(target)])]
            if not named:
                target.unlink()
        elif block.language == "console":
            found = session(block.body)
            if found != block.body:
                changes.append((block, found))
                difference = difflib.unified_diff(
                    block.body.splitlines(), found.splitlines(), "document", "found", lineterm=""
                )
                wrong += [] if update else ["\n".join([f"{place}: prints something else", *difference])]
    if update and changes:
        for block, found in reversed(changes):
            text = text[: block.start] + found + text[block.start + len(block.body) :]
        path.write_text(text, encoding="utf-8")
    if wrong:
        pytest.fail("\n".join(wrong), pytrace=False)


LINK = re.compile(r"\[[^\]\n]*\]\(([^)\s#]+)(?:#[^)\s]*)?\)")


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(path: Path) -> None:
    text = BLOCK.sub("", path.read_text(encoding="utf-8"))
    inside = [target for target in LINK.findall(text) if "://" not in target]
    missing = [target for target in inside if not (path.parent / target).exists()]
    assert missing == []
