"""Finding one's way through a text with faults: what is broken is reported once, the rest is kept.

A text is parsed declaration by declaration. Where that fails, the declaration is taken apart: its header,
and in its block one clause after the other, each tried whole. A clause that fails is repaired if one small
change makes it right (`repair`), else it is skipped up to where the next clause starts. Where braces do not
match, the indentation says which one is missing (`layout`), and the reading with fewer faults counts.

Blocks are kept on a stack of our own, so that depth costs no recursion, and every step moves on or closes a
block, so that the time is in proportion to the text.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from lpcl.syntax import _generated, build, messages, nodes, phrases
from lpcl.syntax.faults import Fault, Lost
from lpcl.syntax.layout import Layout, layout
from lpcl.syntax.lines import Lines
from lpcl.syntax.repair import Failure, repair, respelled, unit, unit_at
from lpcl.syntax.span import Span
from lpcl.syntax.tokens import Token, indentation, outline, skip, token
from lpcl.syntax.trial import Edit, Trial, Window

_WINDOW = 4000  # a clause longer than this is not repaired
_REPAIRED = 200  # after so many faults none is repaired any more
_SHOWN = 1000  # after so many faults no more is looked for
_CUTS = 20  # so many words are looked at as the start of a clause that was swallowed


@dataclass(slots=True)
class Recovered:
    """What could be made of a text."""

    items: list[nodes.Item] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    lost: list[Lost] = field(default_factory=list)


@dataclass(slots=True)
class _Block:
    """An open block. `attributes` are those of its header, None where it is broken."""

    rule: str
    element: str
    start: int
    brace: int | None
    indent: int
    attributes: dict[str, Any] | None
    members: list[Any] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Clause:
    """The clause that was parsed last in the innermost block."""

    rule: str
    start: int
    far: int
    keys: tuple[str, ...]


class Recovery:
    """The recovering parse of one text; `text` ends in a newline and a NUL beyond its `length`."""

    def __init__(self, text: str, length: int, docs: dict[int, str]) -> None:
        self.text = text
        self.length = length
        self.docs = docs
        self.parser = _generated.parser(text, docs.get)
        self.trials = _generated.parser("", docs.get)
        self.lines = Lines(text[:length])
        self.outline = outline(text[:length])
        self.starts = set(self.outline)
        self.repairs = _REPAIRED

    def run(self, start: int) -> Recovered:
        """Everything from `start` on."""
        whole = Recovered()
        offset = skip(self.text, start)
        began = -1
        while offset < self.length:
            self.parser.reset()
            item = self.parser.rules["Item"](offset)
            if item is not None:
                whole.items.append(item)
                began, offset = offset, self.parser.state()[0]
                continue
            if len(whole.faults) >= _SHOWN:
                offset = self.following(offset)
                continue
            if began >= 0 and not self.declares(offset):
                whole.items.pop()
                offset = began
            reading = self.read(offset, self.following(self.parser.state()[2]), _SHOWN - len(whole.faults))
            whole.items += reading.stack[0].members
            whole.faults += reading.faults
            whole.lost += reading.lost
            offset = reading.offset
            began = -1
            if len(whole.faults) >= _SHOWN:
                whole.faults.append(messages.too_many(offset))
        return whole

    def declares(self, offset: int) -> bool:
        """Whether a declaration starts at an offset."""
        found = token(self.text, offset, self.length)
        return found.text == "@" or found.text in _generated.ELEMENTS["Item"]

    def following(self, offset: int) -> int:
        """Where the next declaration after an offset starts."""
        index = bisect_right(self.outline, offset)
        return self.outline[index] if index < len(self.outline) else self.length

    def read(self, start: int, stop: int, most: int) -> _Reading:
        """The reading of a stretch with a fault that leaves the fewest, and not more than `most`."""
        plain = _Reading(self, start, stop, None, most)
        plain.run()
        if not plain.braces and plain.offset <= stop:
            return plain
        marks = layout(self.text, self.lines, start, stop)
        laid_out = _Reading(self, start, stop, marks, most)
        laid_out.run()
        return laid_out if len(laid_out.faults) <= len(plain.faults) else plain


class _Reading:
    """One reading of the declarations between two offsets."""

    def __init__(self, recovery: Recovery, start: int, stop: int, marks: Layout | None, most: int) -> None:
        self.recovery = recovery
        self.most = most
        self.text = recovery.text
        self.lines = recovery.lines
        self.parser = recovery.parser
        self.start = start
        self.stop = stop
        self.marks = marks
        self.limit = recovery.length if marks is None else stop
        self.starts = recovery.starts
        self.stack = [_Block("File", "Item", start, None, -1, {})]
        self.faults: list[Fault] = []
        self.lost: list[Lost] = []
        self.last: _Clause | None = None
        self.pending: tuple[int, list[nodes.Annotation]] | None = None
        self.end = start
        self.offset = start
        self.ignored: set[int] = set()
        self.braces = False
        self.cut = False

    # ------------------------------------------------------------ the loop

    def run(self) -> None:
        self.offset = skip(self.text, self.start)
        while self.offset < self.limit and (len(self.stack) > 1 or self.offset < self.stop):
            floor = self.offset if self.last is None else min(self.offset, self.last.start)
            depth = len(self.stack)
            self.offset = self.step(self.offset)
            assert self.offset > floor or len(self.stack) < depth
            if len(self.faults) >= self.most:
                self.cut = True  # what follows from not reading on is no fault
                self.offset = max(self.offset, self.recovery.following(self.offset))
                break
        if len(self.stack) > 1:
            self.leave(1)

    def step(self, p: int) -> int:
        if self.marks is not None and p in self.marks.closing:
            depth = self.enclosing(p)
            if depth < len(self.stack):
                self.leave(depth)
                return p
        if p in self.ignored:
            return skip(self.text, p + 1)
        if self.text[p] == "}":
            if len(self.stack) == 1 or (self.marks is not None and p in self.marks.stray):
                self.faults.append(messages.stray(p))
                self.braces = True
            else:
                self.close(p + 1)
            self.end = p + 1
            return skip(self.text, p + 1)
        if self.text.startswith("/*", p):
            found = self.token(p)
            self.faults.append(messages.unterminated(found))
            self.cut = found.end >= self.limit
            return skip(self.text, found.end)
        return self.element(p)

    def enclosing(self, p: int) -> int:
        """How many blocks stay open in front of a token, by its column."""
        column = self.column(p)
        if self.text[p] == "}":
            column += 1
        depth = len(self.stack)
        while depth > 1 and self.stack[depth - 1].indent >= column:
            depth -= 1
        return depth

    def element(self, p: int) -> int:
        top = self.stack[-1]
        self.reset()
        q = p
        annotation = p
        annotations: list[nodes.Annotation] = []
        while self.text[q] == "@":
            annotation = q
            node = self.parser.rules["Annotation"](q)
            if node is None:
                return self.broken_annotation(annotations, q)
            annotations.append(node)
            q, self.end = self.parser.state()[:2]
        found = self.token(q)
        options = self.options(top.element, found)
        if not options and annotations and (found.kind != "word" or self.state()[2] > q):
            return self.broken_annotation(annotations[:-1], annotation)
        if not options:
            return self.junk(p, found)
        if len(self.stack) == 1:
            whole = self.whole(p, options[0])
            if whole is not None:
                return whole
        if len(self.stack) > build.MAX_NESTING:
            return self.too_deep(found)
        for rule in options:
            if rule in _generated.BLOCKS:
                behind = self.block(p, rule, found)
                if behind is not None:
                    return behind
        if options[0] not in _generated.BLOCKS:
            behind = self.clause(p, options[0])
            if behind is not None:
                return behind
        if self.last is not None and self.belongs(self.last, p, found):
            return self.continued(self.last)
        return self.broken(p, options[0])

    def belongs(self, last: _Clause, p: int, found: Token) -> bool:
        """Whether what cannot be parsed at `p` is the end of the last clause, or of one that it swallowed."""
        if last.far == p and "token:Unit" in last.keys and not self.first_on_line(p):
            place = unit_at(self.text, p, self.limit)
            if place is not None and unit(place[1]) is not None:
                return True
        if p - last.start > _WINDOW:
            return False
        element = self.stack[-1].element
        inside = [before for before in self.tokens(last.start, p) if self.keyword(element, before)][1:]
        return any(
            self.first_on_line(before.start) and self.fits(before.start) and self.state()[0] > p
            for before in inside[:_CUTS]
        )

    # ------------------------------------------------------------ what parses

    def whole(self, p: int, rule: str) -> int | None:
        """A whole declaration."""
        self.reset()
        item = self.parser.rules["Item"](p)
        if item is None:
            return None
        position, end, far, keys, _ = self.state()
        if self.marks is not None and rule in _generated.BLOCKS:
            touched = self.marks.closing | self.marks.opening | self.marks.stray
            if any(p < offset <= position for offset in touched):
                return None
        self.add(item)
        self.end = end
        self.last = None if self.text[end - 1] == "}" else _Clause(rule, p, far, keys)
        return position

    def clause(self, p: int, rule: str) -> int | None:
        """A clause without a block."""
        self.reset()
        node = self.parser.rules[self.stack[-1].element](p)
        if node is None:
            return None
        position, end, far, keys, _ = self.state()
        if self.swallowed(p, position) is not None:
            return None
        self.add(node)
        self.end = end
        self.last = _Clause(rule, p, far, keys)
        return position

    def block(self, p: int, rule: str, found: Token) -> int | None:
        """A clause with a block, whose header is right; the block is opened."""
        self.reset()
        attributes = self.parser.heads[rule](p)
        position, end, far, _, _ = self.state()
        if attributes is None:
            if rule not in self.options("Statement", found) or far <= skip(self.text, found.end):
                return None
            return self.broken(p, rule)  # `limit x`: too much of it is there to be an operation of that name
        if self.text[position] == "{":
            return self.enter(p, rule, position, attributes)
        if self.marks is not None and position in self.marks.opening:
            self.faults.append(messages.missing("{", self.before(p, position), self.token(position)))
            self.open(rule, p, None, attributes)
            self.end = end
            return position
        if not _generated.BLOCKS[rule][3]:
            beside = self.token(position).kind == "word" and not self.first_on_line(position)
            return self.broken(p, rule) if beside else None
        self.reset()
        node = self.parser.rules[rule](p)
        if node is None:
            return None
        position, end, far, keys, _ = self.state()
        self.add(node)
        self.end = end
        self.last = _Clause(rule, p, far, keys)
        return position

    def open(self, rule: str, start: int, brace: int | None, attributes: dict[str, Any] | None) -> None:
        if self.pending is not None and attributes is not None and "annotations" in attributes:
            start, annotations = self.pending
            attributes["annotations"] = (*annotations, *attributes["annotations"])
        self.pending = None
        indent = self.indentation(start if brace is None else brace)
        element = _generated.BLOCKS[rule][1]
        self.stack.append(_Block(rule, element, start, brace, indent, attributes))
        self.last = None

    def close(self, end: int) -> None:
        """The innermost block ends; what it belongs to becomes a member of the block around it."""
        block = self.stack.pop()
        self.last = None
        if block.attributes is None:
            return
        attribute, _, wrapper, _ = _generated.BLOCKS[block.rule]
        docs = self.recovery.docs
        members: Any = tuple(block.members)
        if wrapper is not None:
            start = block.start if block.brace is None else block.brace
            members = nodes.Block(statements=members, span=Span(start, end), doc=docs.get(start))
        values = {**block.attributes, attribute: members}
        cls: Any = getattr(nodes, block.rule)
        node = cls(**values, span=Span(block.start, end), doc=docs.get(block.start))
        self.stack[-1].members.append(node)

    def leave(self, depth: int) -> None:
        """The blocks beyond `depth` are not closed where they should be."""
        opened = [(block.brace, block.start) for block in reversed(self.stack[depth:])]
        if not self.cut:
            self.faults.append(messages.unclosed(self.end, opened))
        self.braces = True
        while len(self.stack) > depth:
            self.close(self.end)

    # ------------------------------------------------------------ what does not parse

    def broken(self, s: int, rule: str) -> int:
        """The clause or header at `s` fails: repaired, or else skipped and reported."""
        head = rule in _generated.BLOCKS
        name = rule if head else self.stack[-1].element
        self.reset()
        made = (self.parser.heads if head else self.parser.rules)[name](s)
        position, _, far, keys, special = self.state()
        if special is not None:
            return self.not_allowed(s, rule, special)
        f = max(far, position) if made is not None else max(far, s)
        if made is not None and position == f:
            braces = ("mark:{",) if head else ()
            keys = (*braces, *(keys if far == position else ()), *self.anything())
        if self.text.startswith("/*", f):
            return self.commented_out(s, rule, f)
        tokens = list(self.tokens(s, f))
        for found in tokens:
            if found.kind == "open_text":
                f = found.start
                keys = ("token:StringToken",)
                tokens = [before for before in tokens if before.start < f]
                break
        stop = None
        if f - s <= _WINDOW and self.recovery.repairs > 0 and self.token(f).kind != "open_text":
            cut = self.swallowed_clause(s, rule, tokens, f)
            if cut is not None:
                trial, stop = cut
                if trial.made is not None and not head and trial.position >= stop:
                    return self.keep(trial, stop)
                f, keys, made = stop, trial.expected, trial.made
                tokens = [before for before in tokens if before.start < f]
        failure = self.failure(tokens, f, keys)
        if head:
            return self.broken_header(s, rule, made, failure, stop)
        return self.broken_clause(s, rule, made, failure, stop)

    def broken_clause(self, s: int, rule: str, made: Any, failure: Failure, stop: int | None) -> int:
        top = self.stack[-1]
        name = rule if rule in _generated.BLOCKS else top.element
        stops = list(self.stops(s, failure)) if stop is None else [stop]
        for stop in stops:
            if stop - s > _WINDOW or self.recovery.repairs <= 0:
                continue
            window = self.window(s, stop)

            def accepts(trial: Trial, edit: Edit, stop: int = stop) -> bool:
                return trial.position >= edit.end and self.follows(trial.position, stop)

            mended = repair(self.text, window, name, failure, accepts)
            if mended is not None:
                self.report(mended.fault)
                return self.keep(mended.trial, max(mended.trial.position, mended.edit.end))
        stop = stops[0]
        self.report(self.explained(failure))
        if isinstance(made, nodes.Node):
            self.add(made)
        else:
            self.lose(rule, s, stop)
        self.last = None
        return self.forward(s, stop)

    def broken_header(self, s: int, rule: str, made: Any, failure: Failure, stop: int | None) -> int:
        inner, optional = _generated.BLOCKS[rule][1], _generated.BLOCKS[rule][3]
        within = self.brace_within(s, rule, failure, inner)
        if within is not None:
            brace, trial = within
            failure = self.failure(list(self.tokens(s, brace)), brace, trial.expected)
            return self.opened(s, rule, failure, [brace])
        f = failure.found.start
        if stop is None:
            found = [self.sync(s, f, rule, depth) for depth in self.depths(failure)]
            braces = [brace for _, brace in found if brace is not None]
            if failure.found.kind == "open_text" and failure.found.text.rstrip().endswith("{"):
                braces = [f + failure.found.text.rindex("{")]
            if braces:
                return self.opened(s, rule, failure, braces)
            stop = found[-1][0]
        if isinstance(made, dict) and self.starts_block(s, failure.found, rule):
            self.report(messages.missing("{", failure.before, failure.found))
            self.open(rule, s, None, made)
            return f
        if optional:
            self.reset()
            node = self.parser.rules[rule](s)
            return self.broken_clause(s, rule, node, failure, stop)
        self.report(self.explained(failure))
        self.lose(rule, s, stop)
        self.last = None
        return self.forward(s, stop)

    def opened(self, s: int, rule: str, failure: Failure, braces: list[int]) -> int:
        """The block of a broken header, whose brace is one of some, is opened all the same."""
        small = [brace for brace in braces if brace - s <= _WINDOW and self.recovery.repairs > 0]
        for brace in small:

            def accepts(trial: Trial, edit: Edit, brace: int = brace) -> bool:
                return trial.position >= max(brace, edit.end)

            mended = repair(self.text, self.window(s, brace), rule, failure, accepts, head=True)
            if mended is not None:
                self.report(mended.fault)
                return self.enter(s, rule, brace, mended.trial.made)
        brace = braces[-1]
        f = failure.found.start
        attributes = None
        if small and f < brace:
            attributes = self.window(s, brace).attempt(rule, head=True, edit=Edit(f, brace, "")).made
        self.report(self.explained(failure))
        if attributes is None:
            self.lose(rule, s, brace)
        return self.enter(s, rule, brace, attributes)

    def enter(self, s: int, rule: str, brace: int, attributes: dict[str, Any] | None) -> int:
        self.open(rule, s, brace, attributes)
        self.end = brace + 1
        return skip(self.text, brace + 1)

    def stops(self, s: int, failure: Failure) -> Iterator[int]:
        """Where a broken clause may end."""
        for depth in self.depths(failure):
            yield self.sync(s, failure.found.start, depth=depth)[0]

    def depths(self, failure: Failure) -> tuple[int, ...]:
        """How many braces may be open where a clause fails: those that were opened, or none."""
        depth = 0
        for found in failure.tokens:
            depth += (found.text in ("{", ".{")) - (found.text == "}")
        return (depth, 0) if depth > 0 else (0,)

    def brace_within(self, s: int, rule: str, failure: Failure, inner: str) -> tuple[int, Trial] | None:
        """A brace that was taken for a type or the like, but opens the block of an unfinished header."""
        if self.recovery.repairs <= 0 or failure.found.start - s > _WINDOW:
            return None
        for found, behind in pairwise((*failure.tokens, failure.found)):
            if found.text == "{" and self.keyword(inner, behind):
                trial = self.window(s, found.start).attempt(rule, head=True)
                if trial.made is None and skip(self.text, trial.farthest) >= found.start:
                    return found.start, trial
        return None

    def starts_block(self, s: int, found: Token, rule: str) -> bool:
        """Whether what follows a header without a brace looks like the inside of its block."""
        _, inner, _, optional = _generated.BLOCKS[rule]
        if found.text == "}" or self.keyword(inner, found):
            return True
        if not self.options(inner, found):
            return False
        if self.first_on_line(found.start):
            return self.column(found.start) > self.indentation(s)
        if not optional:
            return True
        if (
            inner in self.parser.rules
            and inner not in _generated.BLOCKS
            and "*" in _generated.ELEMENTS[inner]
        ):
            leaf = not any(option in _generated.BLOCKS for option in _generated.ELEMENTS[inner]["*"])
            self.reset()
            return leaf and self.parser.rules[inner](found.start) is not None
        return False

    def broken_annotation(self, annotations: list[nodes.Annotation], q: int) -> int:
        """An annotation fails behind others: repaired or left out; what it belongs to does not suffer."""
        position, _, far, keys, _ = self.state()
        f = max(far, position, q)
        tokens = list(self.tokens(q, f))
        stop, _ = self.sync(q, f)
        if stop <= q:
            stop = skip(self.text, self.token(q).end)
        failure = self.failure(tokens, f, keys)
        start = annotations[0].span.start if annotations else q
        kept = list(annotations)
        if self.pending is not None:
            start = self.pending[0]
            kept = [*self.pending[1], *kept]
        mended = None
        if stop - q <= _WINDOW and self.recovery.repairs > 0:
            window = self.window(q, stop)
            mended = repair(
                self.text, window, "Annotation", failure, lambda trial, _: trial.position >= window.stop
            )
        if mended is not None:
            kept.append(mended.trial.made)
        self.report(self.explained(failure) if mended is None else mended.fault)
        self.pending = (start, kept)
        self.last = None
        return stop

    def not_allowed(self, s: int, rule: str, special: tuple[str, int, int]) -> int:
        """What the grammar allows and the language does not: too deep, too long, chained."""
        self.report(messages.special(*special))
        stop, brace = self.sync(s, special[1], rule)
        self.lose(rule, s, stop)
        self.last = None
        return self.forward(s, stop) if brace is None else self.enter(s, rule, brace, None)

    def commented_out(self, s: int, rule: str, f: int) -> int:
        """The clause runs into a comment that is not closed, which is reported next."""
        name = rule if rule in _generated.BLOCKS else self.stack[-1].element
        trial = self.window(s, f).attempt(name)
        if trial.made is not None and trial.position >= f:
            return self.keep(trial, f)
        self.lose(rule, s, f)
        self.last = None
        return f

    def too_deep(self, found: Token) -> int:
        """A block inside too many others is skipped."""
        self.report(messages.special("nesting", found.start, found.end))
        depth = 0
        offset = found.start
        while offset < self.limit:
            here = self.token(offset)
            if here.text == "}" and depth == 0:
                break
            depth += (here.text == "{") - (here.text == "}")
            offset = skip(self.text, here.end)
            self.end = here.end
            if here.text == "}" and depth == 0:
                break
        self.last = None
        return offset

    # ------------------------------------------------------------ what no clause starts with

    def junk(self, p: int, found: Token) -> int:
        """No clause of the block starts at `p`, whose word or mark is `found`."""
        last = self.last
        known = _elsewhere(found.text)
        if len(self.stack) == 1 and known:
            self.braces = True
        if found.kind == "word":
            behind = self.respelled(p, found, sure=True) or self.outer(p, found)
            if behind is not None:
                return behind
        behind = self.respelled_line(p)
        if behind is not None:
            return behind
        if last is not None and (last.far > p or not self.first_on_line(p) or self.continues(last, found)):
            return self.continued(last)
        if found.kind == "word":
            for attempt in (self.respelled, self.nameless, self.misplaced):
                behind = attempt(p, found)
                if behind is not None:
                    return behind
        return self.skipped(p, found)

    def continues(self, last: _Clause, found: Token) -> bool:
        """Whether a word at the start of a line is a misspelled continuation of the clause before it."""
        words = [key.partition(":")[2] for key in last.keys if key.startswith("word:")]
        return last.far == found.start and respelled(found.text, words) is not None

    def continued(self, last: _Clause) -> int:
        """What follows the last clause on its line, or is its unfinished continuation, belongs to it."""
        self.stack[-1].members.pop()
        return self.broken(last.start, last.rule)

    def respelled(self, p: int, found: Token, *, sure: bool = False) -> int | None:
        """A clause whose first word is misspelled."""
        table = _generated.ELEMENTS[self.stack[-1].element]
        meant = respelled(found.text, [word for word in table if word.isalpha()])
        if meant is None or self.recovery.repairs <= 0:
            return None
        rule = table[meant][0]
        edit = Edit(found.start, found.end, meant)
        fault = messages.misspelled(found.start, found.end, found.text, meant, self.place())
        head = rule in _generated.BLOCKS
        stop, brace = self.sync(p, skip(self.text, found.end), rule)
        if stop - p > _WINDOW:
            return None
        window = self.window(p, stop)
        if brace is not None:
            trial = window.attempt(rule, head=True, edit=edit)
            right = trial.made is not None and trial.position >= brace
            if not right:
                if sure:
                    return None
                self.lose(rule, p, brace)
            self.report(fault)
            return self.enter(p, rule, brace, trial.made if right else None)
        trial = window.attempt(rule if head else self.stack[-1].element, edit=edit)
        if trial.made is not None and trial.position > found.end and self.follows(trial.position, stop):
            self.report(fault)
            return self.keep(trial, trial.position)
        if trial.made is not None and skip(self.text, found.end) >= stop:
            self.report(fault)
            return self.keep(trial, stop)
        if sure:
            return None
        self.report(fault)
        self.lose(rule, p, stop)
        self.last = None
        return self.forward(p, stop)

    def respelled_line(self, p: int) -> int | None:
        """A misspelled first word that was taken for a name, in a block where clauses start with names."""
        table = _generated.ELEMENTS[self.stack[-1].element]
        if len(table) == 1 or "*" not in table:
            return None
        line = self.lines.start(self.lines.line(p))
        start = skip(self.text, line)
        found = self.token(start)
        members = self.stack[-1].members
        if start >= p or p - start > _WINDOW or found.kind != "word":
            return None
        taken = [node for node in members if node.span.start >= start]
        if not taken or taken[0].span.start != start:
            return None
        behind = self.respelled(start, found, sure=True)
        if behind is None:
            return None
        for node in taken:
            members.remove(node)
        return behind

    def outer(self, p: int, found: Token) -> int | None:
        """A clause of a block further out: the blocks inside are not closed."""
        for depth in range(len(self.stack) - 1, 0, -1):
            if not self.keyword(self.stack[depth - 1].element, found):
                continue
            inside = self.stack[depth]
            aligned = self.first_on_line(p) and self.column(p) <= inside.indent
            if aligned or p in self.starts:
                self.leave(depth)
                return p
        return None

    def nameless(self, p: int, found: Token) -> int | None:
        """A clause without its first word, if only one word would do."""
        table = _generated.ELEMENTS[self.stack[-1].element]
        if "*" in table or not self.first_on_line(p) or self.recovery.repairs <= 0:
            return None
        stop, _ = self.sync(p, skip(self.text, found.end))
        if stop - p > _WINDOW:
            return None
        fitting: list[tuple[str, str, int | None, Trial]] = []
        for word, rules in table.items():
            rule = rules[0]
            edit = Edit(found.start, found.start, f" {word} ")
            end, brace = self.sync(p, skip(self.text, found.end), rule)
            name = rule if rule in _generated.BLOCKS else self.stack[-1].element
            trial = self.window(p, end).attempt(name, head=brace is not None, edit=edit)
            if trial.made is not None and trial.position >= end and self.fits_block(rule, brace):
                fitting.append((word, rule, brace, trial))
        named = [
            fit
            for fit in fitting
            if fit[2] is not None and self.keyword(_generated.BLOCKS[fit[1]][1], self.inside(fit[2]))
        ]
        if len(fitting) > 1 and len(named) == 1:
            fitting = named
        if len(fitting) != 1:
            return None
        word, rule, brace, trial = fitting[0]
        self.report(messages.missing(word, None, found))
        return self.keep(trial, stop) if brace is None else self.enter(p, rule, brace, trial.made)

    def fits_block(self, rule: str, brace: int | None) -> bool:
        if brace is None:
            return True
        first = self.inside(brace)
        return first.text == "}" or bool(self.options(_generated.BLOCKS[rule][1], first))

    def inside(self, brace: int) -> Token:
        """The first token in a block."""
        return self.token(skip(self.text, brace + 1))

    def misplaced(self, p: int, found: Token) -> int | None:
        """A clause that belongs elsewhere."""
        for element in _elsewhere(found.text):
            clause = self.parser.rules[element]
            self.reset()
            if clause(p) is None:
                continue
            position, self.end = self.state()[:2]
            self.report(messages.misplaced(found, self.stack[-1].element))
            self.last = None
            while self.astray(element, self.token(position)):  # those behind it belong to it
                self.reset()
                if clause(position) is None:
                    break
                position, self.end = self.state()[:2]
            if self.text[position] == "}" and len(self.stack) == 1:
                position = skip(self.text, position + 1)
            return position
        return None

    def astray(self, element: str, found: Token) -> bool:
        """Whether a word starts a clause of a block that this is not."""
        return self.keyword(element, found) and not self.options(self.stack[-1].element, found)

    def skipped(self, p: int, found: Token) -> int:
        """Nothing is known of what stands here."""
        last = self.last
        keys = (*(last.keys if last is not None and last.far == p else ()), *self.anything())
        if found.text == "@" or p < found.start:
            found = self.token(found.start)
        before = self.before(self.end - 1, p) if self.end > self.start else None
        self.report(self.explained(Failure(found, () if before is None else (before,), False, keys)))
        self.last = None
        self.end = found.end
        if found.text in ("{", ".{"):
            inside = skip(self.text, found.end)
            behind = self.behind_block(found.start)
            if not self.keyword(self.stack[-1].element, self.token(inside)):
                return behind
            closing = self.end - 1
            if self.text[closing] == "}" and behind not in self.starts and self.follows(behind, self.limit):
                self.ignored.add(closing)
            self.end = found.end
            return inside
        q = skip(self.text, found.end)
        stop, _ = self.sync(p, q)
        return max(stop, q)

    # ------------------------------------------------------------ finding the way

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
        inline = not any(rule in _generated.BLOCKS for rule in _generated.ELEMENTS[element].get("*", ()))
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
                if not first and offset > f and inline and self.options(element, found) and self.fits(offset):
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
            offset = skip(self.text, found.end)
        return (min(offset, self.limit), None) if opening is None else (opening, opening)

    def begins(self, found: Token, element: str, indent: int) -> bool:
        """Whether the first token of a line begins another clause than the one indented by `indent`."""
        if self.column(found.start) <= indent:
            return True
        return self.keyword(element, found) or (found.text == "@" and "*" not in _generated.ELEMENTS[element])

    def fits(self, p: int) -> bool:
        """Whether a clause of the innermost block stands at `p`."""
        element = self.stack[-1].element
        self.reset()
        if self.parser.rules[element](p) is not None:
            return True
        found = self.token(p)
        for rule in self.options(element, found):
            if rule in _generated.BLOCKS:
                self.reset()
                if self.parser.heads[rule](p) is not None and self.text[self.state()[0]] == "{":
                    return True
        return False

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
        for found in candidates[:_CUTS]:
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
        return next((found for found in self.tokens(start, stop) if found.kind == "open_text"), None)

    def behind_block(self, brace: int) -> int:
        """Behind the block that a brace opens, or where it surely ends."""
        depth = 0
        offset = brace
        while offset < self.limit:
            found = self.token(offset)
            if offset > brace and offset in self.starts:
                break
            depth += (found.text in ("{", ".{")) - (found.text == "}")
            offset = skip(self.text, found.end)
            self.end = found.end
            if depth <= 0:
                break
        return offset

    # ------------------------------------------------------------ small things

    def add(self, node: Any) -> None:
        """A member of the innermost block, with the annotations that were mended before it."""
        if self.pending and hasattr(node, "annotations"):
            start, annotations = self.pending
            object.__setattr__(node, "annotations", (*annotations, *node.annotations))
            object.__setattr__(node, "span", Span(start, node.span.end))
            object.__setattr__(node, "doc", self.recovery.docs.get(start))
        self.pending = None
        self.stack[-1].members.append(node)

    def keep(self, trial: Trial, offset: int) -> int:
        self.add(trial.made)
        self.last = None
        self.end = trial.made.span.end
        return offset

    def forward(self, start: int, offset: int) -> int:
        """At least behind the token at `start`."""
        return offset if offset > start else skip(self.text, self.token(start).end)

    def report(self, fault: Fault) -> None:
        if self.faults and self.faults[-1].span.start == fault.span.start and fault.kind == "unexpected":
            return
        self.recovery.repairs -= 1
        self.faults.append(fault)

    def explained(self, failure: Failure) -> Fault:
        """A failure in words."""
        found, before = failure.found, failure.before
        if found.kind in ("open_text", "open_comment"):
            return messages.unterminated(found)
        words = list(failure.words)
        for key in failure.keys:
            kind, _, name = key.partition(":")
            if kind == "rule" and name in _generated.ELEMENTS:
                words += [word for word in _generated.ELEMENTS[name] if word.isalpha()]
        meant = respelled(found.text, words) if found.kind == "word" else None
        if failure.wants_unit and meant is None:
            place = unit_at(self.text, found.start, self.limit)
            assert place is not None
            return messages.not_a_unit(found.start, place[0], place[1], unit(place[1]))
        return messages.unexpected(found, before, failure.apart, failure.keys, meant)

    def failure(self, tokens: list[Token], f: int, keys: tuple[str, ...]) -> Failure:
        found = self.token(f)
        apart = bool(tokens) and self.lines.line(found.start) > self.lines.line(max(tokens[-1].end - 1, 0))
        return Failure(found, tuple(tokens), apart, keys)

    def lose(self, rule: str, start: int, stop: int) -> None:
        """Keep in mind what a broken clause would have declared."""
        name = None
        previous = None
        for found in self.tokens(start, min(stop, start + _WINDOW)):
            if previous is not None and previous.text.isalpha() and found.kind == "word":
                name = found.text
                break
            previous = found
        self.lost.append(Lost(Span(start, max(start, stop)), rule, name))

    def anything(self) -> tuple[str, ...]:
        """What can stand between two clauses."""
        closing = ("mark:}",) if len(self.stack) > 1 else ()
        return (f"rule:{self.stack[-1].element}", *closing)

    def place(self) -> tuple[str, ...]:
        return (phrases.RULES[self.stack[-1].element],)

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
        return token(self.text, p, self.limit)

    def tokens(self, start: int, stop: int) -> Iterator[Token]:
        """The tokens that start from `start` on, in front of `stop`."""
        offset = start
        while offset < min(stop, self.limit):
            found = self.token(offset)
            yield found
            offset = skip(self.text, found.end)

    def before(self, start: int, stop: int) -> Token | None:
        """The last token from `start` on that ends in front of `stop`."""
        found = None
        for each in self.tokens(start, stop):
            found = each
        return found

    def window(self, start: int, stop: int) -> Window:
        return Window(self.recovery.trials, self.text, start, stop, len(self.stack) - 1, self.recovery.docs)

    def reset(self) -> None:
        self.parser.reset(len(self.stack) - 1)

    def state(self) -> tuple[int, int, int, tuple[str, ...], tuple[str, int, int] | None]:
        """The parser's state: next token, end of the last, farthest failure, what fits there, and more."""
        position, end, far, expected, special = self.parser.state()
        keys = tuple(dict.fromkeys(_generated.EXPECTED[index] for index in expected))
        return position, end, far, keys, special

    def first_on_line(self, p: int) -> bool:
        while p and self.text[p - 1] in " \t":
            p -= 1
        return p == 0 or self.text[p - 1] in "\r\n\ufeff"

    def indentation(self, p: int) -> int:
        """How far the line that holds an offset is indented."""
        return indentation(self.text, self.lines.start(self.lines.line(p)))

    def column(self, p: int) -> int:
        return p - self.lines.start(self.lines.line(p))


def _elsewhere(word: str) -> list[str]:
    """The blocks in which a word starts a clause."""
    return [element for element, table in _generated.ELEMENTS.items() if word.isalpha() and word in table]
