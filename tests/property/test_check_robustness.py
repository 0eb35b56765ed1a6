"""No text makes the checker raise, whatever is missing from it or doubled in it."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from lpcl.check.checker import check
from lpcl.diagnostics.render import text as as_text
from lpcl.model.program import Program, SourceFile
from lpcl.syntax.parser import parse

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted((ROOT / "stdlib_contracts").rglob("*.lpcl")) + sorted((ROOT / "tests").rglob("*.lpcl"))
TOKEN = re.compile(r'"""(?s:.*?)"""|"[^"\n]*"|//[^\n]*|\w+|\S')


def mutated(text: str, rng: random.Random) -> str:
    """The text with a few of its tokens removed, doubled, exchanged or replaced by others of it."""
    tokens = [(found.start(), found.end()) for found in TOKEN.finditer(text)]
    for _ in range(rng.randint(1, 4)):
        start, end = rng.choice(tokens)
        other = slice(*rng.choice(tokens))
        piece = rng.choice(["", text[start:end] * 2, text[other], text[other] + " " + text[start:end]])
        text = text[:start] + piece + text[end:]
        tokens = [(found.start(), found.end()) for found in TOKEN.finditer(text)] or [(0, 0)]
    return text


@pytest.mark.parametrize("seed", range(8))
def test_mutated_contracts(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(40):
        chosen = rng.sample(FILES, 6)
        texts = {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in chosen}
        changed = {path: mutated(text, rng) if rng.random() < 0.6 else text for path, text in texts.items()}
        program = Program(
            tuple(SourceFile(path, text, parse(text)) for path, text in sorted(changed.items()))
        )
        found = check(program)
        as_text.render(found, changed, colour=rng.random() < 0.5)
