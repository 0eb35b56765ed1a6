"""Clauses and headers that start well and fail: mended by one small change, or else skipped and reported."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from lpcl.syntax import _generated, messages, nodes
from lpcl.syntax.growth import Growth
from lpcl.syntax.repair import Failure, repair
from lpcl.syntax.tokens import Token, skip
from lpcl.syntax.trial import Edit, Trial
from lpcl.syntax.way import WINDOW


class Broken(Growth):
    """Each method takes where the broken clause starts and gives where to go on."""

    def broken(self, s: int, rule: str) -> int:
        """The clause or header at `s` fails: repaired, or else skipped and reported."""
        head = rule in _generated.BLOCKS
        name = rule if head else self.stack[-1].element
        made = self.attempt(name, s, head=head)
        position, _, far, keys, special = self.state()
        if special is not None:
            return self.not_allowed(s, rule, special)
        f = max(far, position) if made is not None else max(far, s)
        if made is not None and position == f:
            braces = ("mark:{",) if head else ()
            keys = (*braces, *(keys if far == position else ()), *self.anything())
        if self.text.startswith("/*", f):
            return self.commented_out(s, rule, f)
        tokens = list(self.tokens(s, f) if f - s <= WINDOW else self.marking(s, f))
        for found in tokens:
            if found.kind == "open_text":
                f = found.start
                keys = ("token:StringToken",)
                tokens = [before for before in tokens if before.start < f]
                break
        stop = None
        if f - s <= WINDOW and self.source.repairs > 0 and self.token(f).kind != "open_text":
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
            if stop - s > WINDOW or self.source.repairs <= 0:
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

    def stops(self, s: int, failure: Failure) -> Iterator[int]:
        """Where a broken clause may end."""
        for depth in self.depths(failure):
            yield self.sync(s, failure.found.start, depth=depth)[0]

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
            node = self.attempt(rule, s)
            return self.broken_clause(s, rule, node, failure, stop)
        self.report(self.explained(failure))
        self.lose(rule, s, stop)
        self.last = None
        return self.forward(s, stop)

    def opened(self, s: int, rule: str, failure: Failure, braces: list[int]) -> int:
        """The block of a broken header, whose brace is one of some, is opened all the same."""
        small = [brace for brace in braces if brace - s <= WINDOW and self.source.repairs > 0]
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

    def brace_within(self, s: int, rule: str, failure: Failure, inner: str) -> tuple[int, Trial] | None:
        """A brace that was taken for a type or the like, but opens the block of an unfinished header."""
        if self.source.repairs <= 0 or failure.found.start - s > WINDOW:
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
            return leaf and self.attempt(inner, found.start) is not None
        return False

    def broken_annotation(self, annotations: list[nodes.Annotation], q: int) -> int:
        """An annotation fails behind others: repaired or left out; what it belongs to does not suffer."""
        position, _, far, keys, _ = self.state()
        f = max(far, position, q)
        tokens = list(self.tokens(q, f) if f - q <= WINDOW else self.marking(q, f))
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
        if stop - q <= WINDOW and self.source.repairs > 0:
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
        kind, start, end = special
        seen = skip(self.text, end) if kind in ("row", "height") else start  # such an expression was read
        stop, brace = self.sync(s, seen, rule)
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
        for here in self.marking(offset, self.limit):
            offset = here.start
            if here.text == "}" and depth == 0:
                break
            depth += (here.text == "{") - (here.text == "}")
            offset = skip(self.text, here.end)
            self.end = here.end
            if here.text == "}" and depth == 0:
                break
        self.last = None
        return offset
