"""Where the keys of a TOML text stand, which `tomllib` does not tell."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence

_PART = r"(?:[A-Za-z0-9_-]+|\"[^\"\n]*\"|'[^'\n]*')"
_PATH = rf"{_PART}(?:[ \t]*\.[ \t]*{_PART})*"
_KEY = re.compile(rf"^[ \t]*(?P<open>\[\[?)?[ \t]*(?P<path>{_PATH})[ \t]*(?(open)\]|=)", re.MULTILINE)
_AT = re.compile(r"\(at line (\d+), column (\d+)\)")


def key_place(text: str, path: Sequence[str], item: str | None = None) -> tuple[int, int]:
    """The characters of the key `path` of the text, or of the nearest table or key around it.

    With `item`: of that text in the value of the key, where it stands there as it is. An inline table is as
    near as its key, and the start of the text stands for what has no key at all.
    """
    best, depth, value = (0, 0), 0, len(text)
    for found, reached, end in _keys(text):
        shared = len(found) if list(found) == list(path[: len(found)]) else 0
        if shared > depth:
            best, depth, value = reached, shared, end
    if item is None or depth < len(path):
        return best
    following = next((place for _, (place, _), _ in _keys(text) if place > value), len(text))
    at = text.find(item, value, following)
    return best if at < 0 else (at, at + len(item))


def _keys(text: str) -> Iterator[tuple[tuple[str, ...], tuple[int, int], int]]:
    """Each table and key in order: its whole path, its characters, and where what belongs to it begins."""
    table: tuple[str, ...] = ()
    for found in _KEY.finditer(text):
        parts = tuple(part.strip("\"'") for part in re.findall(_PART, found["path"]))
        if found["open"]:
            table = parts
        yield (parts if found["open"] else (*table, *parts)), found.span("path"), found.end()


def error_place(text: str, error: tomllib.TOMLDecodeError) -> tuple[int, int]:
    """Where a text ceases to be TOML, as the error tells in words: one character, or the end."""
    at = _AT.search(str(error))
    if at is None:
        return len(text), len(text)
    lines = text.split("\n")
    start = sum(len(line) + 1 for line in lines[: int(at[1]) - 1]) + int(at[2]) - 1
    return start, start + 1


def error_reason(error: tomllib.TOMLDecodeError) -> str:
    """What is wrong where a text ceases to be TOML, without the place."""
    return re.sub(r" \(at [^)]*\)$", "", str(error))
