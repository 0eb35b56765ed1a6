"""The LPCL in documents looks as `lpclc fmt` writes it, so that nobody learns a layout that it removes.

With ``--update-golden`` the examples are written as they should be. A text that is no LPCL, as in a wrong
example, has no style, and ``style=free`` behind ``lpcl`` is for one that shows what is not in it.
"""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import dedent

import pytest

from lpcl.format import format_text
from tests.spec.test_documents import BLOCK, DOCUMENTS, FRAMES, ROOT, blocks

PAGES = sorted(
    path for path in (ROOT / "docs" / "diagnostics").glob("*.md") if path.stem != "too-deep"
)  # whose example would be a staircase
FILE = re.compile(r"^// file: \S+\n", re.MULTILINE)
BEGIN, END = "// the example begins", "// the example ends"


def styled(body: str, fragment: str) -> str:
    """An example in the style: each of the files in it, or what stands in a frame."""
    if not fragment:
        heads = [match.group() for match in FILE.finditer(body)]
        first, *rest = FILE.split(body)
        return _file(first) + "".join(head + _file(text) for head, text in zip(heads, rest, strict=True))
    whole = format_text(FRAMES[fragment].format(f"{BEGIN}\n{body}{END}"))
    found = re.search(rf"^ *{BEGIN}\n(.*?)^ *{END}\n", whole, re.DOTALL | re.MULTILINE)
    assert found is not None
    inside = found[1].strip("\n") + "\n"
    return inside if body.startswith(" ") else dedent(inside)


def _file(text: str) -> str:
    """A file in the style; blank lines before the next file stay as they are."""
    if not text.strip():
        return text
    kept = text.rstrip("\n")
    return format_text(f"{kept}\n").rstrip("\n") + text[len(kept) :]


def test_there_are_examples_of_each_kind() -> None:
    kinds = {block.fragment for path in DOCUMENTS for block in blocks(path.read_text(encoding="utf-8"))}
    assert kinds >= {"", "contract", "operation"}


@pytest.mark.parametrize("path", [*DOCUMENTS, *PAGES], ids=lambda path: str(path.relative_to(ROOT)))
def test_examples_are_in_the_style(path: Path, request: pytest.FixtureRequest) -> None:
    text = path.read_text(encoding="utf-8")

    def in_style(found: re.Match[str]) -> str:
        info = found["info"].split()
        if info[:1] != ["lpcl"] or "style=free" in info:
            return found[0]
        fragment = re.search(r"fragment=(\w+)", found["info"])
        body = styled(found["body"], fragment[1] if fragment else "")
        return f"```{found['info']}\n{body}```"

    wanted = BLOCK.sub(in_style, text)
    if request.config.getoption("--update-golden"):
        path.write_text(wanted, encoding="utf-8")
    elif wanted != text:
        lines = zip(text.splitlines(), wanted.splitlines(), strict=False)
        number, (line, better) = next((n, both) for n, both in enumerate(lines, 1) if both[0] != both[1])
        pytest.fail(
            f"{path.relative_to(ROOT)}:{number} is not in the style (pytest --update-golden writes it):\n"
            f"- {line}\n+ {better}"
        )
