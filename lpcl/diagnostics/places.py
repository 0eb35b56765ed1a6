"""Where findings stand, in lines and columns, for everything that prints them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from lpcl.diagnostics.diagnostic import Location
from lpcl.diagnostics.lines import Lines


@dataclass(frozen=True, slots=True)
class Region:
    """A place in a text: lines and columns from 1, the end behind the last character."""

    line: int
    column: int
    end_line: int
    end_column: int


class Places:
    """The regions of locations in some texts, by path; a text is cut into lines once."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts
        self._lines: dict[str, Lines] = {}

    def lines(self, path: str) -> Lines | None:
        """The lines of a text, or None where it could not be read."""
        found = self._lines.get(path)
        if found is None and path in self._texts:
            found = self._lines[path] = Lines(self._texts[path])
        return found

    def region(self, location: Location) -> Region | None:
        """The region in characters, or None where the text could not be read."""
        lines = self.lines(location.path)
        return None if lines is None else Region(*lines.place(location.start), *lines.place(location.end))

    def utf16(self, location: Location) -> Region | None:
        """The region with columns in code units of UTF-16."""
        lines = self.lines(location.path)
        if lines is None:
            return None
        return Region(*lines.utf16(location.start), *lines.utf16(location.end))

    def source_line(self, location: Location) -> str:
        """The line on which a location begins, without blanks around it."""
        lines = self.lines(location.path)
        if lines is None:
            return ""
        start, end = lines.bounds(lines.place(location.start)[0])
        return lines.text[start:end].strip()
