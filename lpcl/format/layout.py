"""One clause, or what stands in front of a block, as lines."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

from lpcl.format.groups import Group, Style
from lpcl.format.source import Gap, Source
from lpcl.syntax import build

WIDTH = 100
"""How long a line may be, where it can be broken."""

_CLOSE = frozenset((",", ")", ":", ".{", ".*", ".", "%"))
_STUCK = frozenset(("(", "@", ".{", "."))


@dataclass(slots=True)
class _Open:
    group: Group
    flat: bool
    base: int
    content: int


class Clause:
    """The tokens from `first` to before `last`, at an indentation; the first of them starts at `column`."""

    def __init__(self, source: Source, style: Style, first: int, last: int, indent: int, column: int) -> None:
        self.source = source
        self.style = style
        self.first = first
        self.last = last
        self.indent = indent
        self.column = column
        self.line_indent = indent if column == indent else -1  # -1: something stands in front on its line
        self.owner = {index: group for group in style.groups for index in group.breaks}
        self.out: list[str] = []
        self.open: list[_Open] = []

    def flat(self) -> str | None:
        """On one line, or None where that cannot be."""
        if any(group.forced for group in self.style.groups):
            return None
        parts = []
        for index in range(self.first, self.last):
            if index > self.first:
                if self.source.gaps[index].hard:
                    return None
                parts.append(self.between(index))
            text = self.source.tokens[index].text
            if "\n" in text:
                return None
            parts.append(text)
        return "".join(parts)

    def lines(self) -> str:
        """On as many lines as it needs; the first without its indentation."""
        groups = iter(self.style.groups)
        following = next(groups, None)
        for index in range(self.first, self.last):
            while self.open and self.open[-1].group.end <= index:
                self.open.pop()
            if index > self.first:
                self.gap(index)
            while following is not None and following.start <= index:
                self.enter(following, index)
                following = next(groups, None)
            self.write(text_at(self.source.tokens[index].text, self.indent))
        return "".join(self.out)

    # ------------------------------------------------------------ groups

    def enter(self, group: Group, index: int) -> None:
        flat = bool(self.open) and self.open[-1].flat
        if not flat and not group.forced:
            flat = self.fits(index, group.end, self.column)
        base = max(self.line_indent, self.indent)
        hanging = group.hang and self.column == self.line_indent
        self.open.append(_Open(group, flat, base, base if hanging else base + group.nest))

    def fits(self, start: int, end: int, column: int) -> bool:
        """Whether tokens fit on the line together with what cannot be parted from them."""
        for index in range(start, self.last):
            if index >= end and index in self.owner:
                return True
            if index > start:
                if self.source.gaps[index].hard:
                    return True
                column += len(self.between(index))
            text, rest, _ = self.source.tokens[index].text.partition("\n")
            column += len(text)
            if column > WIDTH:
                return False
            if rest:
                return True
        return True

    def broken(self, index: int) -> int | None:
        """The indentation of a token in front of which the line is broken."""
        group = self.owner.get(index)
        state = next((one for one in reversed(self.open) if one.group is group), None)
        if group is None or state is None or state.flat:
            return None
        indent = state.base if index == group.closing else state.content
        if group.value and (group.forced or not self.fits(index, group.end, indent)):
            return None
        if group.fill and index != group.breaks[0] and index != group.closing and not self.full(group, index):
            return None
        if group.fill and group.closing < 0 and index == group.breaks[0] and not self.full(group, index):
            return None
        return indent

    def full(self, group: Group, index: int) -> bool:
        number = bisect_right(group.breaks, index)
        following = group.breaks[number] if number < len(group.breaks) else group.end
        return not self.fits(index, following, self.column + len(self.between(index)))

    # ------------------------------------------------------------ blanks

    def gap(self, index: int) -> None:
        gap = self.source.gaps[index]
        indent = self.broken(index)
        if not gap.hard:
            if indent is None:
                self.write(self.between(index))
            else:
                self.end_line(indent)
                self.write("".join(remark.text + " " for remark in gap.remarks))
            return
        if indent is None:
            group = self.owner.get(index)
            state = next((one for one in reversed(self.open) if one.group is group), None)
            indent = state.content if state is not None else self.indent + 2
            if index == self.last - 1 and self.source.tokens[index].text == "{":
                indent = self.indent
        self.remarks(gap, indent, index)

    def remarks(self, gap: Gap, indent: int, index: int) -> None:
        for number, remark in enumerate(gap.remarks):
            if remark.lines:
                if number and remark.lines > 1:
                    self.out.append("\n")
                self.end_line(indent)
            else:
                self.write("  " if remark.line else " ")
            self.write(remark.text)
        if gap.lines or gap.remarks[-1].line:
            self.end_line(indent)
        else:
            self.write(self.blank(index) or " ")

    def between(self, index: int) -> str:
        """What stands in front of a token on the same line."""
        remarks = self.source.gaps[index].remarks
        if not remarks:
            return self.blank(index)
        before = "" if self.source.tokens[index - 1].text in _STUCK else " "
        after = "" if self.source.tokens[index].text in (",", ")") else " "
        return before + " ".join(remark.text for remark in remarks) + after

    def blank(self, index: int) -> str:
        left, right = self.source.tokens[index - 1].text, self.source.tokens[index].text
        if right in _CLOSE or left in _STUCK or (left == "{" and right == "}"):
            return ""
        return "" if index in self.style.close or index - 1 in self.style.stuck else " "

    def end_line(self, indent: int) -> None:
        self.out.append("\n" + " " * indent)
        self.column = self.line_indent = indent

    def write(self, text: str) -> None:
        self.out.append(text)
        behind = text.rpartition("\n")
        self.column = len(behind[2]) if behind[1] else self.column + len(text)


def text_at(token: str, indent: int) -> str:
    """A token at an indentation: a `\"\"\"` text moves with its clause, if its marks end and start lines."""
    if "\n" not in token or not token.startswith('"""'):
        return token
    opening, *lines = token[3:-3].split("\n")
    if opening.strip(" \t") or lines[-1].strip(" \t"):
        return token
    value = build.text(token).split("\n")
    code = [line for line in lines if line.strip(" \t")]
    margin = min((len(line) - len(line.lstrip(" \t")) for line in code), default=0)
    moved = [" " * (indent + 2) + line[margin:] if line.strip(" \t") else "" for line in lines[:-1]]
    made = "\n".join(['"""', *moved, " " * indent + '"""'])
    return made if build.text(made).split("\n") == value else token
