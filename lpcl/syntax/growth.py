"""The tree as it grows: blocks are opened and closed, clauses kept or lost, faults reported."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from lpcl.syntax import _generated, messages, nodes, phrases
from lpcl.syntax.faults import Fault, Lost
from lpcl.syntax.layout import Layout
from lpcl.syntax.repair import Failure, respelled, unit, unit_at
from lpcl.syntax.span import Span
from lpcl.syntax.tokens import Token, skip
from lpcl.syntax.trial import Trial
from lpcl.syntax.way import WINDOW, Block, Clause, Source, Way


class Growth(Way):
    """What a reading has found so far; `pending` are annotations that were mended, with where they start."""

    def __init__(self, source: Source, start: int, stop: int, marks: Layout | None) -> None:
        super().__init__(source, start, stop, marks)
        self.faults: list[Fault] = []
        self.places: dict[int, set[str]] = {}
        self.lost: list[Lost] = []
        self.last: Clause | None = None
        self.pending: tuple[int, list[nodes.Annotation]] | None = None
        self.ignored: set[int] = set()
        self.braces = False  # whether braces do not match
        self.cut = False  # whether what follows is out of sight

    def add(self, node: Any) -> None:
        """A member of the innermost block, with the annotations that were mended before it."""
        if self.pending and hasattr(node, "annotations"):
            start, annotations = self.pending
            node = replace(
                node,
                annotations=(*annotations, *node.annotations),
                span=Span(start, node.span.end),
                doc=self.source.docs.get(start),
            )
        self.pending = None
        self.stack[-1].members.append(node)

    def keep(self, trial: Trial, offset: int) -> int:
        self.add(trial.made)
        self.last = None
        self.end = trial.made.span.end
        return offset

    def open(self, rule: str, start: int, brace: int | None, attributes: dict[str, Any] | None) -> None:
        if self.pending is not None and attributes is not None and "annotations" in attributes:
            start, annotations = self.pending
            attributes = {**attributes, "annotations": (*annotations, *attributes["annotations"])}
        self.pending = None
        indent = self.indentation(start if brace is None else brace)
        element = _generated.BLOCKS[rule][1]
        self.stack.append(Block(rule, element, start, brace, indent, attributes))
        self.last = None

    def enter(self, s: int, rule: str, brace: int, attributes: dict[str, Any] | None) -> int:
        self.open(rule, s, brace, attributes)
        self.end = brace + 1
        return skip(self.text, brace + 1)

    def close(self, end: int) -> None:
        """The innermost block ends; what it belongs to becomes a member of the block around it."""
        block = self.stack.pop()
        self.last = None
        if block.attributes is None:
            return
        attribute, _, wrapper, _ = _generated.BLOCKS[block.rule]
        docs = self.source.docs
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
            self.report(messages.unclosed(self.end, opened))
        self.braces = True
        while len(self.stack) > depth:
            self.close(self.end)

    def report(self, fault: Fault) -> None:
        """Keep a fault, unless there is one at its place already, as when a stretch is read again."""
        kinds = self.places.setdefault(fault.span.start, set())
        if fault.kind in kinds or (kinds and fault.kind == "unexpected"):
            return
        self.source.repairs -= 1
        kinds.add(fault.kind)
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
        for found in self.tokens(start, min(stop, start + WINDOW)):
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

    def forward(self, start: int, offset: int) -> int:
        """At least behind the token at `start`."""
        return offset if offset > start else skip(self.text, self.token(start).end)
