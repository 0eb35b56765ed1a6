"""Clauses, comments and empty lines of a block, and blocks inside of blocks."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from lpcl.format.groups import Style, below, head, style
from lpcl.format.layout import WIDTH, Clause
from lpcl.format.source import Source
from lpcl.syntax import _generated, nodes
from lpcl.syntax.comments import Comment
from lpcl.syntax.parser import Parsed
from lpcl.syntax.span import Span

_WHOLE = frozenset(("unclosed", "unterminated", "nesting", "encoding"))
_STEP = 2


class Unsure(Exception):
    """The text is not what its tree makes one expect."""


@dataclass(slots=True)
class Element:
    """A declaration, clause or statement: the tokens from `first` to before `last`, and its block if any.

    Those tokens include the `{` of the block.
    """

    start: int
    end: int
    first: int
    last: int
    style: Style
    opening: int | None = None  # offset of `{`
    items: list[Item] = field(default_factory=list)
    one_line: bool = False
    written: str | None = None  # on one line, where that can be
    tried: bool = False


@dataclass(slots=True)
class Item:
    """What stands in a block: an element, a comment, or lines that stay as they are.

    So many `lines` end between it and what stands before it.
    """

    start: int
    end: int
    what: Element | Comment | str
    lines: int = 0


class Formatter:
    """Formats one text. With `cautious` a declaration with a fault stays as it is."""

    def __init__(self, text: str, parsed: Parsed, *, cautious: bool) -> None:
        self.text = text
        self.parsed = parsed
        self.cautious = cautious
        self.source = Source(text, parsed.comments)
        spans = [fault.span for fault in parsed.faults] + [lost.span for lost in parsed.lost]
        self.bad = sorted((trimmed(text, span) for span in spans), key=lambda span: (span.start, span.end))
        self.bad_starts = [span.start for span in self.bad]
        self.bad_ends = list(accumulate((span.end for span in self.bad), max))
        self.whole = {trimmed(text, fault.span) for fault in parsed.faults if fault.kind in _WHOLE}

    def run(self) -> str:
        """The formatted text; raises `Unsure`."""
        items = self.block(0, len(self.text), self.parsed.file.items, top=True)
        if items is None:
            raise Unsure
        out: list[str] = []
        self.write_items(items, 0, out, spread=True)
        return "".join(line + "\n" for line in out)

    # ------------------------------------------------------------ reading

    def element(self, node: nodes.Node, *, top: bool = False) -> Element | None:
        """An element, or None where it has to stay as it is."""
        start, end = node.span.start, node.span.end
        bad = self.bad_in(start, end)
        if bad and (top and (self.cautious or any(span in self.whole for span in bad))):
            return None
        kind = type(node).__name__
        first = len(self.source.tokens)
        if kind not in _generated.BLOCKS:
            if bad or not self.source.read(start, end):
                return None
            return self.made(node, first, None)
        ends = [child.span.end for child in head(node) if not isinstance(child, nodes.Block)]
        brace = max(ends, default=start)
        if not self.source.read(start, end, brace):
            return None
        opening = self.source.tokens[-1].start if len(self.source.tokens) > first else start
        if self.text[opening] != "{" or opening < brace:
            return None if bad else self.made(node, first, None)
        close = end - 1
        if close <= opening or self.text[close] != "}":
            return None
        if any(span.start <= opening or span.end > close for span in bad):
            return None
        made = self.made(node, first, opening)
        items = self.block(opening + 1, close, below(node))
        if items is None or not self.source.read(close, end):
            return None
        made.items = items
        made.one_line = "\n" not in self.text[opening:close]
        return made

    def made(self, node: nodes.Node, first: int, opening: int | None) -> Element:
        last = len(self.source.tokens)
        how = style(self.source, node, first, last, opening is not None)
        return Element(node.span.start, node.span.end, first, last, how, opening)

    def bad_in(self, start: int, end: int) -> list[Span]:
        begin = bisect_left(self.bad_ends, start)
        stretch = self.bad[begin : bisect_right(self.bad_starts, end)]
        return [span for span in stretch if touch(span, start, end)]

    def block(
        self, start: int, end: int, children: Iterable[nodes.Node], *, top: bool = False
    ) -> list[Item] | None:
        """What stands between two offsets, or None where that cannot be told from what is around it."""
        found: list[Item] = []
        broken: list[Span] = []
        position = start
        for child in children:
            if child.span.start < position or child.span.end > end:
                raise Unsure
            self.remarks(position, child.span.start, found, broken)
            position = child.span.end
            made = self.element(child, top=top)
            if made is None:
                broken.append(child.span)
            else:
                found.append(Item(made.start, made.end, made))
        self.remarks(position, end, found, broken)
        if self.bad:
            good = [item for item in found if isinstance(item.what, Element)]
            starts = [item.start for item in good]
            for span in self.bad_in(start, end):
                number = bisect_right(starts, span.start) - 1
                if number < 0 or span.end > good[number].end:
                    broken.append(span)
        if broken:
            whole = self.with_raw(start, end, found, broken)
            if whole is None:
                return None
            found = whole
        for item in found:
            item.lines = self.text.count("\n", start, item.start)
            start = item.end
        return found

    def remarks(self, start: int, end: int, found: list[Item], broken: list[Span]) -> None:
        """The comments between two offsets; anything else is broken."""
        for comment in self.source.remarks(start, end):
            if comment.span.start < start:
                raise Unsure
            self.junk(start, comment.span.start, broken)
            found.append(Item(comment.span.start, comment.span.end, comment))
            start = comment.span.end
        self.junk(start, end, broken)

    def junk(self, start: int, end: int, broken: list[Span]) -> None:
        between = self.text[start:end]
        bare = between.strip(" \t\n")
        if bare:
            begin = start + between.index(bare)
            broken.append(Span(begin, begin + len(bare)))

    def with_raw(self, start: int, end: int, found: list[Item], broken: list[Span]) -> list[Item] | None:
        """The items on lines without anything broken, and the other lines as they are."""
        pieces = [(item.start, item.end, item) for item in found]
        marked: list[tuple[int, int, Item | None]] = [*pieces]
        marked += [(span.start, span.end, None) for span in broken]
        marked.sort(key=lambda piece: piece[:2])
        kept: list[Item] = []
        cluster: list[Item | None] = []
        first = last = -1
        for begin, finish, item in [*marked, (len(self.text) + 1, len(self.text) + 1, None)]:
            line = self.text.rfind("\n", 0, begin) + 1
            if cluster and line <= last and begin <= len(self.text):
                cluster.append(item)
                last = max(last, self.line_end(finish))
                continue
            if None in cluster:
                if first < start or last > end:
                    return None
                raw = self.text[first:last]
                if raw.strip(" \t\n"):
                    kept.append(Item(first, last, raw))
            else:
                kept += [one for one in cluster if one is not None]
            cluster = [item]
            first, last = line, self.line_end(finish)
        return kept

    def line_end(self, offset: int) -> int:
        end = self.text.find("\n", offset)
        return len(self.text) if end < 0 else end

    # ------------------------------------------------------------ writing

    def flat(self, element: Element) -> str | None:
        """An element on one line, or None where that cannot be."""
        if not element.tried:
            element.tried = True
            element.written = self._flat(element)
        return element.written

    def _flat(self, element: Element) -> str | None:
        if element.opening is not None and element.items and not element.one_line:
            return None
        text = Clause(self.source, element.style, element.first, element.last, 0, 0).flat()
        if text is None or element.opening is None:
            return text
        if not element.items:
            return text + "}"
        inside = self.joined(element.items)
        return None if inside is None else f"{text} {inside} }}"

    def joined(self, items: Sequence[Item]) -> str | None:
        """Items on one line, or None."""
        text = ""
        before: Item | None = None
        for item in items:
            part = self.flat(item.what) if isinstance(item.what, Element) else item_text(item)
            if part is None or "\n" in part or part.startswith("//"):
                return None
            comment = before is not None and isinstance(before.what, Comment)
            text += ("" if before is None else " " if comment else "  ") + part
            before = item
        return text

    def write(self, element: Element, indent: int, column: int) -> str:
        """An element from its first token on, at an indentation."""
        text = self.flat(element)
        if text is not None and column + len(text) <= WIDTH:
            return text
        head = Clause(self.source, element.style, element.first, element.last, indent, column).lines()
        if element.opening is None:
            return head
        if not element.items:
            return head + "}"
        if element.one_line:
            inside = self.joined(element.items)
            before, _, line = head.rpartition("\n")
            width = len(line) if before else column + len(line)
            if inside is not None and width + len(inside) + 3 <= WIDTH:
                return f"{head} {inside} }}"
        out = [head]
        self.write_items(element.items, indent + _STEP, out, spread=element.one_line)
        return "\n".join([*out, " " * indent + "}"])

    def write_items(self, items: Sequence[Item], indent: int, out: list[str], *, spread: bool) -> None:
        """The lines of a block; comments behind its `{` go to the last line of `out`."""
        began = False
        for number, line in enumerate(self.lines_of(items)):
            if (
                number == 0
                and out
                and line[0].lines == 0
                and all(isinstance(one.what, Comment) for one in line)
            ):
                for item in line:
                    text = item_text(item)
                    out[-1] += ("  " if text.startswith("//") else " ") + text
                continue
            if began and line[0].lines > 1:
                out.append("")
            began = True
            self.write_line(line, indent, out, spread=spread)

    def lines_of(self, items: Sequence[Item]) -> list[list[Item]]:
        """Items by the lines on which they stand."""
        lines: list[list[Item]] = []
        for item in items:
            if lines and item.lines == 0 and not isinstance(item.what, str):
                lines[-1].append(item)
            else:
                lines.append([item])
        return lines

    def write_line(self, line: list[Item], indent: int, out: list[str], *, spread: bool) -> None:
        """Items of one line of the text: on one line again if they fit, else one below the other."""
        margin = " " * indent
        if isinstance(line[0].what, str):
            out.append(line[0].what)
            return
        elements = [number for number, item in enumerate(line) if isinstance(item.what, Element)]
        tail = line[elements[-1] + 1 :] if elements else []
        body = line[: len(line) - len(tail)]
        if len(elements) > 1 and not spread:
            text = self.joined(body)
            if text is not None and indent + len(text) <= WIDTH:
                out.append(margin + text)
                self.trail(tail, out)
                return
        prefix = ""
        for item in body:
            if isinstance(item.what, Element):
                out.append(margin + prefix + self.write(item.what, indent, indent + len(prefix)))
                prefix = ""
                continue
            text = self.shifted(item, indent) if item is line[0] else item_text(item)
            if "\n" in text and elements:
                out.append(margin + prefix + text)
                prefix = ""
            else:
                prefix += text + (" " if elements else "  ")
        if prefix:
            out.append(margin + prefix.rstrip(" "))
        self.trail(tail, out)

    def trail(self, items: Sequence[Item], out: list[str]) -> None:
        for item in items:
            out[-1] += "  " + item_text(item)

    def shifted(self, item: Item, indent: int) -> str:
        """A comment that starts a line; the lines of a longer one move along."""
        text = item_text(item)
        if "\n" not in text:
            return text
        column = item.start - (self.text.rfind("\n", 0, item.start) + 1)
        first, *lines = text.split("\n")
        return "\n".join([first, *(moved(line, indent - column) for line in lines)])


def item_text(item: Item) -> str:
    """A comment's text."""
    assert isinstance(item.what, Comment)
    text = item.what.text
    return text.rstrip(" \t") if text.startswith("//") else text


def moved(line: str, by: int) -> str:
    """A line moved to the right, or as far to the left as it has blanks."""
    if by >= 0:
        return " " * by + line if line.strip(" \t") else line
    blanks = len(line) - len(line.lstrip(" "))
    return line[min(-by, blanks) :]


def trimmed(text: str, span: Span) -> Span:
    """A span without the blanks at its end."""
    return Span(span.start, span.start + len(text[span.start : span.end].rstrip(" \t\n")))


def touch(span: Span, start: int, end: int) -> bool:
    """Whether a span has anything in common with a stretch, its ends included."""
    return span.start <= end and start <= span.end
