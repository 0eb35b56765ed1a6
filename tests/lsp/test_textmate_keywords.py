"""The colours of the VS Code extension know the words of the grammar, no fewer and no more."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lpcl.check.expressions import FUNCTIONS
from lpcl.model.measurements import MEASUREMENTS
from lpcl.model.types import START_METHODS
from lpcl.syntax.parser import parse
from lsp_server import vocabulary

ROOT = Path(__file__).resolve().parents[2]
GRAMMAR = ROOT / "lpcl" / "grammar" / "lpcl.tx"
EXTENSION = ROOT / "vscode-extension"
COLOURS = EXTENSION / "syntaxes" / "lpcl.tmLanguage.json"

OPEN_WORDS = {"machine", *MEASUREMENTS, *FUNCTIONS, "threadpool", *START_METHODS.members}
"""Words that are coloured besides: heads of dotted names, functions, values that the grammar leaves open."""


def words_of_the_grammar() -> set[str]:
    """Every word that the grammar file names, units and what a name may not be left out."""
    text = re.sub(r"\A/\*(?s:.*?)\*/|^//.*$", "", GRAMMAR.read_text(encoding="utf-8"), flags=re.MULTILINE)
    found = set(re.findall(r"'([a-z_]+)'", text))
    for name, pattern in re.findall(r"^(\w+): /(.*)/;$", text, flags=re.MULTILINE):
        if name not in ("Unit", "Comment", "FunctionName", "ReferencePath", "Path", "Word", "Number"):
            found |= plain_words(pattern)
    return found


def plain_words(pattern: str) -> set[str]:
    """The lower-case words in a regular expression."""
    return set(
        re.findall(r"(?<![\w\\])[a-z_]{2,}(?!\w)", re.sub(r"\\.|\(\?<?[=!:]|\[[^\]]*\]", " ", pattern))
    )


def patterns(node: Any) -> Iterator[str]:
    """All regular expressions of the colours, those of numbers with units left out."""
    if isinstance(node, dict):
        if "keyword.other.unit.lpcl" not in json.dumps(node.get("captures", {})):
            yield from (node[key] for key in ("match", "begin", "end") if key in node)
        for value in node.values():
            yield from patterns(value)
    elif isinstance(node, list):
        for value in node:
            yield from patterns(value)


def colours() -> dict[str, Any]:
    """The TextMate grammar."""
    found = json.loads(COLOURS.read_text(encoding="utf-8"))
    assert isinstance(found, dict)
    return found


def test_words_are_those_of_the_grammar() -> None:
    ours = set().union(*(plain_words(pattern) for pattern in patterns(colours())))
    theirs = words_of_the_grammar()
    assert theirs - ours == set(), "words of the grammar without a colour"
    assert ours - theirs - OPEN_WORDS == set(), "colours of words that the grammar does not know"


def test_units_are_those_of_the_grammar() -> None:
    unit = re.search(r"^Unit: /(.*)/;$", GRAMMAR.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert unit is not None
    quantity = colours()["repository"]["quantity"]["match"]
    assert unit[1].replace("\\/", "/") in quantity
    assert all(re.fullmatch(unit[1], word) for word in vocabulary.UNITS)


def test_every_pattern_that_is_included_exists() -> None:
    grammar = colours()
    included = set(re.findall(r'"include": "#([^"]+)"', json.dumps(grammar)))
    assert included == set(grammar["repository"])


def test_functions_are_those_of_the_checker() -> None:
    pattern = colours()["repository"]["function"]["patterns"][0]["match"]
    assert plain_words(pattern) == {*FUNCTIONS, "threadpool"}


def test_snippets_are_sound_once_filled_in() -> None:
    snippets = json.loads((EXTENSION / "snippets" / "lpcl.json").read_text(encoding="utf-8"))
    for name, snippet in snippets.items():
        text = filled(snippet["body"])
        if snippet["prefix"] in ("control", "pool", "operation", "evidence"):
            text = f"contract c {{\n{text}\n}}"
        assert parse(text).faults == (), f"{name}: {text}"


def filled(body: list[str]) -> str:
    """A snippet with its own suggestions, the first of each choice."""
    text = "\n".join(body)
    defaults: dict[str, str] = {}
    for number, choice, default in re.findall(r"\$\{(\d+)(?:\|([^,|]*)[^}]*\||:((?:[^{}]|\{\})*))\}", text):
        defaults[number] = choice or default
    text = re.sub(r"\$\{(\d+)(?:\|[^}]*\||:(?:[^{}]|\{\})*)?\}", lambda hole: defaults.get(hole[1], ""), text)
    return re.sub(r"\$(\d+)", lambda hole: defaults.get(hole[1], ""), text)


def test_the_lock_file_names_no_place_of_download() -> None:
    lock = json.loads((EXTENSION / "package-lock.json").read_text(encoding="utf-8"))
    assert not any("resolved" in package for package in lock["packages"].values())
    manifest = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
    versions = {**manifest["dependencies"], **manifest["devDependencies"]}
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in versions.values())
