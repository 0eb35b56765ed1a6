"""What no clause of a block starts with: misspelled, misplaced, left over, or nothing that is known."""

from __future__ import annotations

from itertools import takewhile

from lpcl.syntax import _generated, familiar, messages
from lpcl.syntax.broken import Broken
from lpcl.syntax.repair import Failure, respelled
from lpcl.syntax.tokens import Token, skip
from lpcl.syntax.trial import Edit, Trial
from lpcl.syntax.way import WINDOW, Clause


class Strange(Broken):
    """Each method takes where the strange thing stands and gives where to go on, or None for the next."""

    def junk(self, p: int, found: Token) -> int:
        """No clause of the block starts at `p`, whose word or mark is `found`."""
        last = self.last
        known = elsewhere(found.text)
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

    def continues(self, last: Clause, found: Token) -> bool:
        """Whether a word at the start of a line is a misspelled continuation of the clause before it."""
        words = [key.partition(":")[2] for key in last.keys if key.startswith("word:")]
        return last.far == found.start and respelled(found.text, words) is not None

    def continued(self, last: Clause) -> int:
        """What follows the last clause on its line, or is its unfinished continuation, belongs to it."""
        self.stack[-1].members.pop()
        return self.broken(last.start, last.rule)

    def respelled(self, p: int, found: Token, *, sure: bool = False) -> int | None:
        """A clause whose first word is misspelled."""
        element = self.stack[-1].element
        table = _generated.ELEMENTS[element]
        words = [word for word in table if word.isalpha()]
        foreign = familiar.meant(found.text, words)
        meant = foreign or respelled(found.text, words)
        if meant is None or self.source.repairs <= 0:
            return None
        rule = table[meant][0]
        edit = Edit(found.start, found.end, meant)
        written = familiar.shape(meant, element) if foreign else None
        expected = (written,) if written else self.place()
        fault = messages.misspelled(found.start, found.end, found.text, meant, expected)
        head = rule in _generated.BLOCKS
        stop, brace = self.sync(p, skip(self.text, found.end), rule)
        if stop - p > WINDOW:
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
        trial = window.attempt(rule if head else element, edit=edit)
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
        if start >= p or p - start > WINDOW or found.kind != "word":
            return None
        taken = list(takewhile(lambda node: node.span.start >= start, reversed(members)))[::-1]
        if not taken or taken[0].span.start != start:
            return None
        last = len(members)
        behind = self.respelled(start, found, sure=True)
        if behind is None:
            return None
        del members[last - len(taken) : last]
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
        if "*" in table or not self.first_on_line(p) or self.source.repairs <= 0:
            return None
        if len(self.stack) == 1 and elsewhere(found.text):
            return None
        stop, _ = self.sync(p, skip(self.text, found.end))
        if stop - p > WINDOW:
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

    def misplaced(self, p: int, found: Token) -> int | None:
        """A clause that belongs elsewhere, with those behind it that belong to the same block."""
        position = max((self.behind(element, p) for element in elsewhere(found.text)), default=p)
        if position <= p:
            return None
        self.report(messages.misplaced(found, self.stack[-1].element, elsewhere(found.text)))
        self.last = None
        last = self.before(p, position)
        self.end = last.end if last is not None else p
        if self.text[position] == "}" and len(self.stack) == 1:
            position = skip(self.text, position + 1)
        return position

    def behind(self, element: str, p: int) -> int:
        """Behind the clauses of some other block that begin at `p`; `p` itself where there is none."""
        if self.attempt(element, p) is None:
            return p
        position = self.state()[0]
        while self.text[position] == "@" or self.astray(element, self.token(position)):
            if self.attempt(element, position) is None:
                break
            position = self.state()[0]
        return position

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


def elsewhere(word: str) -> list[str]:
    """The blocks in which a word starts a clause."""
    return [element for element, table in _generated.ELEMENTS.items() if word.isalpha() and word in table]
