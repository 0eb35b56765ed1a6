"""Where a reading stands in a text, and what is around: questions about tokens, lines and blocks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from lpcl.syntax import _generated
from lpcl.syntax.ahead import Declarations, LineStarts
from lpcl.syntax.effort import Effort
from lpcl.syntax.layout import Layout
from lpcl.syntax.repair import Failure, respelled
from lpcl.syntax.tokens import Token, indentation, plain, run_behind, skip
from lpcl.syntax.trial import Edit, Trial, Window

State = tuple[int, int, int, list[int], tuple[str, int, int] | None]
"""A parser's state after an attempt, see `Way.state`."""

Attempt = tuple[str, int, bool, int]
"""A rule, where it was tried, whether for its header alone, and within how many blocks."""

WINDOW = 4000
"""A clause longer than this is not repaired."""

CUTS = 20
"""So many words are looked at as the start of a clause that was swallowed."""

REPAIRS = 200
"""After so many faults none is repaired any more."""


class Source:
    """A text with what all its readings share; `text` ends in a newline and a NUL beyond its `length`.

    Nothing in front of `start` is read, but for the line that holds it.
    """

    def __init__(
        self,
        text: str,
        length: int,
        docs: dict[int, str],
        start: int = 0,
        parser: _generated.Parser | None = None,
    ) -> None:
        self.text = text
        self.length = length
        self.docs = docs
        self.parser = parser or _generated.parser(text, docs.get)
        self.lines = LineStarts(text, length, start)
        self.starts = Declarations(text, length, start)
        self.repairs = REPAIRS
        self.effort = Effort()
        self.tried: dict[Attempt, tuple[Any, State]] = {}
        self.indents: dict[int, int] = {}

    def remember(self, attempt: Attempt, made: Any) -> int:
        """Keep what an attempt has just made, if it took long: what is broken is tried again and again.

        Gives how much was read for it.
        """
        state = self.parser.state()
        read = (state[2] if made is None else state[0]) - attempt[1]
        if read > WINDOW:
            self.tried[attempt] = made, state
        return read

    def declaration(self, offset: int) -> tuple[Any, State]:
        """The declaration at an offset, None where it fails, and the parser's state behind it."""
        attempt = ("Item", offset, False, 0)
        known = self.tried.get(attempt)
        if known is not None:
            return known
        self.parser.reset()
        made = self.parser.rules["Item"](offset)
        if made is None:
            self.remember(attempt, made)
        return made, self.parser.state()

    @cached_property
    def trials(self) -> _generated.Parser:
        """A parser for parts of the text with a change."""
        return _generated.parser("", self.docs.get)

    def following(self, offset: int) -> int:
        """Where the next declaration after an offset starts."""
        return self.starts.following(offset)


@dataclass(slots=True)
class Block:
    """An open block. `attributes` are those of its header, None where it is broken."""

    rule: str
    element: str
    start: int
    brace: int | None
    indent: int
    attributes: dict[str, Any] | None
    members: list[Any] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Clause:
    """The clause that was parsed last in the innermost block, and what could have followed it where."""

    rule: str
    start: int
    far: int
    keys: tuple[str, ...]


class Way:
    """The open blocks, the `end` of the last token that was passed, and what can be asked from here."""

    def __init__(self, source: Source, start: int, stop: int, marks: Layout | None) -> None:
        self.source = source
        self.text = source.text
        self.lines = source.lines
        self.effort = source.effort
        self.parser = source.parser
        self.starts = source.starts
        self.start = start
        self.stop = stop
        self.marks = marks
        self.limit = source.length if marks is None else stop
        self.stack = [Block("File", "Item", start, None, -1, {})]
        self.end = start
        self._known: State | None = None

    def options(self, element: str, found: Token) -> tuple[str, ...]:
        """The rules that a clause which starts with a token can be."""
        table = _generated.ELEMENTS[element]
        options = table.get(found.text, ()) if found.text != "*" else ()
        if found.kind == "word" and "*" in table:
            options = (*options, *table["*"])
        return options

    def keyword(self, element: str, found: Token) -> bool:
        """Whether a token is a word that starts a clause of a block."""
        return found.kind == "word" and found.text in _generated.ELEMENTS[element]

    def token(self, p: int) -> Token:
        return self.effort.token(self.text, p, self.limit)

    def tokens(self, start: int, stop: int) -> Iterator[Token]:
        """The tokens that start from `start` on, in front of `stop`."""
        offset = start
        while offset < min(stop, self.limit):
            found = self.token(offset)
            yield found
            offset = skip(self.text, found.end)

    def marking(self, start: int, stop: int) -> Iterator[Token]:
        """The same without those that tell nothing of blocks, but for the last of each run of them."""
        stop = min(stop, self.limit)
        offset = start
        while offset < stop:
            found = self.token(offset)
            yield found
            run = run_behind(self.text, found.end, stop, plain())
            if run is not None:
                self.effort.run(run[1] - found.end)
                found = self.token(run[0])
                yield found
            offset = skip(self.text, found.end)

    def before(self, start: int, stop: int) -> Token | None:
        """The last token from `start` on that ends in front of `stop`."""
        found = None
        for each in self.marking(start, stop):
            found = each
        return found

    def window(self, start: int, stop: int) -> Window:
        source = self.source
        return Window(source.trials, self.text, start, stop, len(self.stack) - 1, source.docs, self.effort)

    def attempt(self, rule: str, p: int, *, head: bool = False) -> Any:
        """What stands at `p`, read as `rule` or as its header; None where that fails. Then see `state`."""
        attempt = (rule, p, head, len(self.stack) - 1)
        known = self.source.tried.get(attempt)
        if known is not None:
            made, self._known = known
            return made
        self._known = None
        self.parser.reset(len(self.stack) - 1)
        made = (self.parser.heads if head else self.parser.rules)[rule](p)
        self.effort.parsed(self.source.remember(attempt, made))
        return made

    def state(self) -> tuple[int, int, int, tuple[str, ...], tuple[str, int, int] | None]:
        """After an attempt: next token, end of the last, farthest failure, what fits there, and more."""
        position, end, far, expected, special = self._known or self.parser.state()
        keys = tuple(dict.fromkeys(_generated.EXPECTED[index] for index in expected))
        return position, end, far, keys, special

    def first_on_line(self, p: int) -> bool:
        before = self.text[p - 1] if p else "\n"
        if before in " \t":
            line = self.lines.line(p)
            return self.lines.start(line) + self.indents(line) >= p
        return before in "\r\n\ufeff"

    def indentation(self, p: int) -> int:
        """How far the line that holds an offset is indented."""
        return self.indents(self.lines.line(p))

    def indents(self, line: int) -> int:
        """How far a line is indented, which is looked at once."""
        known = self.source.indents.get(line)
        if known is None:
            known = self.source.indents[line] = indentation(self.text, self.lines.start(line))
        return known

    def column(self, p: int) -> int:
        return p - self.lines.start(self.lines.line(p))

    def inside(self, brace: int) -> Token:
        """The first token in a block."""
        return self.token(skip(self.text, brace + 1))

    def sync(self, s: int, f: int, rule: str | None = None, depth: int = 0) -> tuple[int, int | None]:
        """Where to go on after a fault at `f` in the clause at `s`, or the brace of the block of `rule`.

        `depth` is how many braces are open at `f`.
        """
        header = rule in _generated.BLOCKS
        inner = _generated.BLOCKS[rule][1] if rule is not None and header else ""
        opening: int | None = None
        element = self.stack[-1].element
        indent = self.indentation(s)
        offset = f
        table = _generated.ELEMENTS[element]
        inline = not any(rule in _generated.BLOCKS for rule in table.get("*", ()))
        words = plain(None) if inline else plain()
        while offset < self.limit:
            first = offset > s and self.first_on_line(offset)
            if first and offset in self.starts:
                break
            found = self.token(offset)
            if depth == 0:
                if found.text == "}" or found.kind == "open_comment":
                    break
                if self.marks is not None and offset in self.marks.closing and offset > s:
                    break
                if first and (self.begins(found, element, indent) or (header and self.keyword(inner, found))):
                    break
                if not first and offset > f and inline and self.stands(offset, found):
                    break
                if found.text == "{" and header:
                    behind = self.token(skip(self.text, found.end))
                    if behind.text == "}" or self.options(inner, behind):
                        return offset, offset
                    opening = offset if opening is None else opening
            elif (
                first
                and self.column(offset) <= indent
                and (found.text != "}" or self.column(offset) < indent)
            ):
                break
            depth += (found.text in ("{", ".{")) - (found.text == "}")
            depth = max(depth, 0)
            self.end = found.end
            run = run_behind(self.text, found.end, self.limit, words if depth == 0 else plain())
            if run is not None:
                self.effort.run(run[1] - self.end)
                self.end = run[1]
            offset = skip(self.text, self.end)
        return (min(offset, self.limit), None) if opening is None else (opening, opening)

    def begins(self, found: Token, element: str, indent: int) -> bool:
        """Whether the first token of a line begins another clause than the one indented by `indent`."""
        if self.column(found.start) <= indent:
            return True
        return self.keyword(element, found) or (found.text == "@" and "*" not in _generated.ELEMENTS[element])

    def fits(self, p: int) -> bool:
        """Whether a clause of the innermost block stands at `p`."""
        element = self.stack[-1].element
        if self.attempt(element, p) is not None:
            return True
        found = self.token(p)
        for rule in self.options(element, found):
            header = self.attempt(rule, p, head=True) if rule in _generated.BLOCKS else None
            if header is not None and self.text[self.state()[0]] == "{":
                return True
        return False

    def stands(self, p: int, found: Token) -> bool:
        """Whether a clause of the innermost block stands at `p`, behind another one, though it be broken."""
        element = self.stack[-1].element
        if self.options(element, found) and self.fits(p):
            return True
        table = _generated.ELEMENTS[element]
        if found.kind != "word" or "*" in table:
            return False
        return self.begun(p, found) if found.text in table else self.slip(p, found)

    def begun(self, p: int, found: Token) -> bool:
        """Whether more than its first word is there of a clause that fails on its line."""
        if self.attempt(self.stack[-1].element, p) is not None:
            return False
        far = self.state()[2]
        return far > skip(self.text, found.end) and self.lines.line(far) == self.lines.line(p)

    def slip(self, p: int, found: Token) -> bool:
        """Whether a clause stands at `p` that is right but for its first word, which is misspelled."""
        element = self.stack[-1].element
        table = _generated.ELEMENTS[element]
        meant = respelled(found.text, tuple(table))
        if meant is None:
            return False
        rule = table[meant][0]
        head = rule in _generated.BLOCKS
        stop = min(self.lines.end(p), p + WINDOW)
        edit = Edit(found.start, found.end, meant)
        trial = self.window(p, stop).attempt(rule if head else element, head=head, edit=edit)
        if trial.made is None or trial.position <= found.end:
            return False
        return self.text[trial.position] == "{" if head else self.follows(trial.position, stop)

    def follows(self, p: int, stop: int) -> bool:
        """Whether a clause can end in front of `p`."""
        if p >= stop or p >= self.limit or self.text[p] in "}@":
            return True
        return bool(self.options(self.stack[-1].element, self.token(p)))

    def swallowed_clause(self, s: int, rule: str, tokens: list[Token], f: int) -> tuple[Trial, int] | None:
        """Where the next clause starts, if its first word was taken for a name in this one."""
        element = self.stack[-1].element
        head = rule in _generated.BLOCKS
        candidates = [found for found in (*tokens, self.token(f)) if self.keyword(element, found)][1:]
        for found in candidates[:CUTS]:
            if found.start <= s or not self.fits(found.start):
                continue
            window = self.window(s, found.start)
            trial = window.attempt(rule if head else element, head=head)
            if trial.made is not None and trial.position >= found.start:
                if head and not _generated.BLOCKS[rule][3]:
                    return trial, found.start
                if head:
                    continue
                return trial, found.start
            if skip(self.text, trial.farthest) >= found.start:
                return trial, found.start
            return None
        return None

    def swallowed(self, start: int, stop: int) -> Token | None:
        """A text that was only ended by the marks that open the next one."""
        if self.text.find('"""', start, stop) < 0:
            return None
        return next((found for found in self.marking(start, stop) if found.kind == "open_text"), None)

    def behind_block(self, brace: int) -> int:
        """Behind the block that a brace opens, or where it surely ends."""
        depth = 0
        offset = brace
        while offset < self.limit:
            found = self.token(offset)
            if offset > brace and self.text[offset - 1] in "\r\n" and offset in self.starts:
                break
            depth += (found.text in ("{", ".{")) - (found.text == "}")
            self.end = found.end
            if depth > 0 and (run := run_behind(self.text, found.end, self.limit, plain())) is not None:
                self.effort.run(run[1] - self.end)
                self.end = run[1]
            offset = skip(self.text, self.end)
            if depth <= 0:
                break
        return offset

    def depths(self, failure: Failure) -> tuple[int, ...]:
        """How many braces may be open where a clause fails: those that were opened, or none."""
        depth = 0
        for found in failure.tokens:
            depth += (found.text in ("{", ".{")) - (found.text == "}")
        return (depth, 0) if depth > 0 else (0,)
