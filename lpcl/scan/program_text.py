"""What the text of a watched Python program says: what it imports and which names it uses. It is read,
never run.
"""

from __future__ import annotations

import ast
import os
import re
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lpcl.scan.observation import ProcessSeen

_MOST_FILES = 60
_MOST_BYTES = 1 << 20
_OTHERS = re.compile(r"from (?:multiprocessing|joblib|loky)\S* import ")
"""Code with which a library starts the workers of a program: the text is that of the program itself."""
_WITH_VALUE = ("-W", "-X", "--check-hash-based-pycs")


@dataclass(frozen=True)
class ProgramText:
    """`modules` are the top-level modules that it imports, `names` all names and attributes that it
    mentions.
    """

    script: str | None
    modules: frozenset[str]
    names: frozenset[str]


NOTHING = ProgramText(None, frozenset(), frozenset())


def program_text(process: ProcessSeen) -> ProgramText:
    """The text of the script, module or code that a Python process was started with, and of its own
    modules.
    """
    script, code = _main(process.command[1:], process.folder)
    folder = os.path.dirname(script) if script else process.folder
    trees = [] if code is None else _parsed(code)
    waiting = [] if script is None else [script]
    seen: set[str] = set()
    modules: set[str] = set()
    names: set[str] = set()
    while waiting or trees:
        if trees:
            tree = trees.pop()
            imported = set(_imports(tree))
            modules |= {name.partition(".")[0] for name in imported}
            waiting += [path for name in sorted(imported) for path in _local(folder, name)]
            names |= set(_names(tree))
            continue
        path = waiting.pop(0)
        if path not in seen and len(seen) < _MOST_FILES:
            seen.add(path)
            trees += _parsed(_text(path))
    return ProgramText(script, frozenset(modules), frozenset(names))


def _main(arguments: Sequence[str], folder: str) -> tuple[str | None, str | None]:
    """The path of the script, or the code itself, of a Python command line."""
    rest = list(arguments)
    while rest:
        word = rest.pop(0)
        if word == "-c" and rest:
            return None, None if _OTHERS.match(rest[0]) else rest[0]
        if word == "-m" and rest:
            found = (*_local(folder, f"{rest[0]}.__main__"), *_local(folder, rest[0]))
            return (found[0] if found else None), None
        if word in _WITH_VALUE and rest:
            rest.pop(0)
        elif not word.startswith("-"):
            path = os.path.join(folder, word)
            if os.path.isdir(path):
                path = os.path.join(path, "__main__.py")
            return (path, None) if os.path.isfile(path) else (None, None)
    return None, None


def _local(folder: str, module: str) -> Iterator[str]:
    stem = os.path.join(folder, *module.split("."))
    for path in (f"{stem}.py", os.path.join(stem, "__init__.py")):
        if os.path.isfile(path):
            yield path


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read(_MOST_BYTES)
    except OSError:
        return ""


def _parsed(text: str) -> list[ast.AST]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of the program's own making
            return [ast.parse(text)]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []  # another language, or another version of this one


def _imports(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level:
            yield from (alias.name if not node.module else node.module for alias in node.names)


def _names(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.alias):
            yield from node.name.split(".")
        elif isinstance(node, ast.MatMult):
            yield "matmul"
        elif isinstance(node, ast.keyword) and node.arg:
            yield node.arg
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.isidentifier():
            yield node.value
