"""The change that adds an import to a file."""

from __future__ import annotations

import re

from lpcl.diagnostics.diagnostic import Edit, Fix, FixGrade, Location
from lpcl.model.program import SourceFile
from lpcl.syntax import nodes

_REST = re.compile(r"[ \t]*(?://[^\r\n]*)?(?=[\r\n]|\Z)")
"""What may follow on a line without being part of the file's meaning."""


def importing(file: SourceFile, qualified: str) -> Fix:
    """Import a declaration: behind the last import, else behind the package, else at the top."""
    line = "\r\n" if "\r\n" in file.text else "\n"
    package = _package(file)
    if file.imports:
        place, text = _behind(file, file.imports[-1].span.end), f"{line}import {qualified}"
    elif package is not None:
        place, text = _behind(file, package.span.end), f"{line}{line}import {qualified}"
    else:
        place, text = 0, f"import {qualified}{line}{line}"
    edit = Edit(Location(file.path, place, place), text)
    return Fix(f"import `{qualified}`", FixGrade.UNSAFE, (edit,))


def _package(file: SourceFile) -> nodes.Package | None:
    for placed in file.parsed.pieces:
        for index, bare in enumerate(placed.bare):
            if isinstance(bare, nodes.Package):
                found = placed.items[index]
                assert isinstance(found, nodes.Package)
                return found
    return None


def _behind(file: SourceFile, end: int) -> int:
    rest = _REST.match(file.text, end)
    return rest.end() if rest is not None else end
