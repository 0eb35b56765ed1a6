"""One reading of a stretch of text that has faults: clause by clause, block by block."""

from __future__ import annotations

from collections.abc import Callable

from lpcl.syntax import _generated, build, messages, nodes
from lpcl.syntax.effort import Enough
from lpcl.syntax.faults import Lost
from lpcl.syntax.layout import Layout
from lpcl.syntax.repair import unit, unit_at
from lpcl.syntax.span import Span
from lpcl.syntax.strange import Strange
from lpcl.syntax.tokens import Token, skip
from lpcl.syntax.way import CUTS, WINDOW, Clause, Source


class Reading(Strange):
    """Reads from `start` up to `stop`, or further where a block goes on, and not beyond `most` faults.

    Every step moves on or closes a block, so that the time is in proportion to the text; the blocks are on a
    stack of our own, so that depth costs no recursion.
    """

    def __init__(self, source: Source, start: int, stop: int, marks: Layout | None, most: int) -> None:
        super().__init__(source, start, stop, marks)
        self.most = most
        self.offset = skip(self.text, start)
        self.given_up: int | None = None  # up to where there was still some effort left

    def run(self, enough: Callable[[], bool] = lambda: False) -> None:
        """Read on, to the end or until it is enough for now."""
        if self.given_up is not None:
            return
        try:
            if not self.steps(enough):
                return
        except Enough:
            self.give_up()
        if len(self.stack) > 1:
            self.leave(1)

    def give_up(self) -> None:
        """What is left of the stretch is lost."""
        lost = self.offset
        self.given_up = max(self.offset, self.end)
        self.cut = True
        self.offset = self.source.following(self.given_up)
        self.lost.append(Lost(Span(lost, self.offset), self.stack[-1].element, None))

    def steps(self, enough: Callable[[], bool]) -> bool:
        """Read on; whether it is to the end."""
        while self.offset < self.limit and (len(self.stack) > 1 or self.offset < self.stop):
            if enough():
                return False
            floor = self.offset if self.last is None else min(self.offset, self.last.start)
            depth = len(self.stack)
            self.offset = self.step(self.offset)
            if self.offset <= floor and len(self.stack) >= depth:
                self.offset = self.stuck()
            if len(self.faults) >= self.most:
                self.cut = True  # what follows from not reading on is no fault
                self.offset = max(self.offset, self.source.following(self.offset))
                break
        return True

    def stuck(self) -> int:
        """Not known to happen: a step neither moves on nor closes a block. The fuzzer makes it a failure."""
        return skip(self.text, self.token(self.offset).end)

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
                self.report(messages.stray(p))
                self.braces = True
                self.last = None
            else:
                self.close(p + 1)
            self.end = p + 1
            return skip(self.text, p + 1)
        if self.text.startswith("/*", p):
            found = self.token(p)
            self.report(messages.unterminated(found))
            self.last = None
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
        q = p
        annotation = p
        annotations: list[nodes.Annotation] = []
        while self.text[q] == "@":
            annotation = q
            node = self.attempt("Annotation", q)
            if node is None:
                return self.broken_annotation(annotations, q)
            annotations.append(node)
            q, self.end = self.state()[:2]
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

    def belongs(self, last: Clause, p: int, found: Token) -> bool:
        """Whether what cannot be parsed at `p` is the end of the last clause, or of one that it swallowed."""
        if last.far == p and "token:Unit" in last.keys and not self.first_on_line(p):
            place = unit_at(self.text, p, self.limit)
            if place is not None and unit(place[1]) is not None:
                return True
        if p - last.start > WINDOW:
            return False
        element = self.stack[-1].element
        inside = [before for before in self.tokens(last.start, p) if self.keyword(element, before)][1:]
        return any(
            self.first_on_line(before.start) and self.fits(before.start) and self.state()[0] > p
            for before in inside[:CUTS]
        )

    def whole(self, p: int, rule: str) -> int | None:
        """A whole declaration."""
        item = self.attempt("Item", p)
        if item is None:
            return None
        position, end, far, keys, _ = self.state()
        if self.marks is not None and rule in _generated.BLOCKS and self.marks.between(p, position):
            return None
        self.add(item)
        self.end = end
        self.last = None if self.text[end - 1] == "}" else Clause(rule, p, far, keys)
        return position

    def clause(self, p: int, rule: str) -> int | None:
        """A clause without a block."""
        node = self.attempt(self.stack[-1].element, p)
        if node is None:
            return None
        position, end, far, keys, _ = self.state()
        if self.swallowed(p, position) is not None:
            return None
        self.add(node)
        self.end = end
        self.last = Clause(rule, p, far, keys)
        return position

    def block(self, p: int, rule: str, found: Token) -> int | None:
        """A clause with a block, whose header is right; the block is opened."""
        attributes = self.attempt(rule, p, head=True)
        position, end, far, _, _ = self.state()
        if attributes is None:
            if rule not in self.options("Statement", found) or far <= skip(self.text, found.end):
                return None
            return self.broken(p, rule)  # `limit x`: too much of it is there to be an operation of that name
        if self.text[position] == "{":
            return self.enter(p, rule, position, attributes)
        if self.marks is not None and position in self.marks.opening:
            self.report(messages.missing("{", self.before(p, position), self.token(position)))
            self.open(rule, p, None, attributes)
            self.end = end
            return position
        if not _generated.BLOCKS[rule][3]:
            beside = self.token(position).kind == "word" and not self.first_on_line(position)
            return self.broken(p, rule) if beside else None
        node = self.attempt(rule, p)
        if node is None:
            return None
        position, end, far, keys, _ = self.state()
        self.add(node)
        self.end = end
        self.last = Clause(rule, p, far, keys)
        return position
