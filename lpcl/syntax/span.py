"""A place in a text: the one notion of position that all stages share."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """From offset `start` up to, not including, offset `end`, in characters from 0."""

    start: int
    end: int

    def joined(self, other: Span) -> Span:
        """The least span that holds both."""
        return Span(min(self.start, other.start), max(self.end, other.end))

    def contains(self, offset: int) -> bool:
        """Whether `offset` is in the span; its end counts, so that a cursor behind a word is at the word."""
        return self.start <= offset <= self.end
