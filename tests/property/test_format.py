"""Formatting changes no meaning, is done in one go, and takes any input. Long runs: see `main`."""

from __future__ import annotations

import argparse
import random
import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from lpcl.format import WIDTH, format_text
from lpcl.syntax.parser import parse
from tests.property.test_syntax_equal import written
from tests.property.test_syntax_fuzz import KINDS

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```lpcl[^\n`]*\n(.*?)^```$", re.DOTALL | re.MULTILINE)
SKIPPED = {"build", "dist", "node_modules"}


def visible(path: Path) -> bool:
    parts = path.relative_to(ROOT).parts
    return not any(part.startswith(".") or part in SKIPPED for part in parts)


FILES = [path for path in sorted(ROOT.rglob("*.lpcl")) if visible(path)]
PAGES = [path for path in sorted(ROOT.rglob("*.md")) if visible(path)]


def check(text: str) -> str:
    """Format a text and see to it that nothing is lost; its formatted text is given back."""
    started = time.process_time()
    made = format_text(text)
    taken = time.process_time() - started
    assert taken < 2 + len(text) / 10_000, f"{taken:.1f} s for {len(text)} characters"
    assert format_text(made) == made, "formatting twice changes something"
    before = parse(
        re.sub(r"\r\n|\r", "\n", text.lstrip("\ufeff"))
    )  # how braces are mended depends on columns
    after = parse(made)
    assert before.file == after.file
    assert before.faults or parse(text).file == after.file
    assert [node.doc for node in before.file.walk()] == [node.doc for node in after.file.walk()]
    assert [bare(comment.text) for comment in before.comments] == [
        bare(comment.text) for comment in after.comments
    ]
    assert [fault.headline for fault in before.faults] == [fault.headline for fault in after.faults]
    if not before.faults:
        tidy(made)
    return made


def bare(text: str) -> str:
    return " ".join(text.split())


def tidy(made: str) -> None:
    """What holds for the lines of every text without faults."""
    assert "\r" not in made
    assert not made.startswith(("\ufeff", "\n"))
    assert made == "" or (made.endswith("\n") and not made.endswith("\n\n"))
    outside = re.sub(
        r'"""(?s:.*?)"""|/\*(?s:.*?)\*/|//.*|"(?:[^"\\\n]|\\.)*"', lambda m: "x" * len(m[0]), made
    )
    assert not re.search(r"[ \t]$", outside, re.MULTILINE)
    assert "\n\n\n" not in outside
    assert not re.search(r"\{\n\n|\n\n *\}", outside)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_file_of_the_repository(path: Path) -> None:
    check(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_documented_example(path: Path) -> None:
    for block in BLOCK.findall(path.read_text(encoding="utf-8")):
        check(block)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_file_on_one_line_and_with_other_line_ends(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    made = format_text(text)
    assert format_text("\ufeff" + text.replace("\n", "\r\n")) == made
    if '"""' not in text and "//" not in text:
        check(" ".join(text.split()))


@pytest.mark.parametrize("seed", range(60))
def test_generated_files(seed: int) -> None:
    rng = random.Random(f"format {seed}")
    for _ in range(4):
        check(written(rng.randrange, "File", rng.choice([5, 7, 9])))


@pytest.mark.parametrize("kind", list(dict.fromkeys(KINDS)), ids=lambda kind: kind.__name__)
def test_any_text(kind: Callable[[random.Random], bytes]) -> None:
    rng = random.Random(f"format {kind.__name__}")
    for _ in range(25):
        check(kind(rng).decode("utf-8", "replace"))


@pytest.mark.parametrize("path", FILES[::5], ids=lambda path: str(path.relative_to(ROOT)))
def test_a_broken_clause_keeps_its_line(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    lines = text.split("\n")
    rng = random.Random(str(path.name))
    at = rng.choice([number for number, line in enumerate(lines) if line and line == line.lstrip()] or [0])
    broken = "  demnad   memory  =  3  GiB"
    lines[at:at] = [f"contract broken {{\n{broken}\nlet    a=1\n}}"]
    made = check("\n".join(lines))
    if parse(text).faults == () and parse("\n".join(lines)).faults:
        assert broken in made.split("\n")


def test_lines_are_no_longer_than_they_have_to_be() -> None:
    texts = [path.read_text(encoding="utf-8") for path in FILES if "test" not in path.parts]
    for text in texts:
        outside = re.sub(r'"""(?s:.*?)"""', "", format_text(text))
        long = [
            line.partition("//")[0] for line in outside.split("\n") if len(line.partition("  //")[0]) > WIDTH
        ]
        assert [line for line in long if line and '"' not in line] == []


def main() -> None:
    """`python -m tests.property.test_format COUNT [SEED]` tries that many inputs."""
    options = argparse.ArgumentParser()
    options.add_argument("count", type=int)
    options.add_argument("seed", type=int, nargs="?", default=0)
    arguments = options.parse_args()
    for number in range(arguments.count):
        seed = f"{arguments.seed}/{number}"
        rng = random.Random(seed)
        if rng.random() < 0.3:
            text = written(rng.randrange, "File", rng.choice([5, 7, 9]))
        else:
            text = rng.choice(KINDS)(rng).decode("utf-8", "replace")
        try:
            check(text)
        except BaseException:
            print(f"seed {seed}, {len(text)} characters: {text[:300]!r}")
            raise
    print(f"{arguments.count} inputs")


if __name__ == "__main__":
    main()
