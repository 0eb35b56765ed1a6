"""How much is done about the faults of one text: counted in tokens that are looked at, and limited.

So the time that a text takes is in proportion to its length, whatever is wrong with it, and the same text is
always given up at the same place.
"""

from __future__ import annotations

from lpcl.syntax.tokens import Token, token

ALLOWED = 100_000
"""So many tokens are looked at to find one's way in a text, one that is looked at again among them."""

_PARSED = 4
"""Parsing so many characters costs as much as looking at a token."""

_PASSED = 8
"""Passing over so many characters, token by token, costs as much as looking at one."""

_SEARCHED = 500
"""Searching so many characters for the end of something costs as much as looking at a token."""

_TIMES = 5
"""So often the end of a comment that has none is searched for wherever it is come upon."""


class Enough(Exception):
    """So much was looked at that no more is."""


class Effort:
    """What may still be looked at in one text."""

    def __init__(self) -> None:
        self.left = ALLOWED
        self._reached = 0

    @property
    def spent(self) -> bool:
        """Whether there is nothing left."""
        return self.left < 0

    @property
    def overspent(self) -> bool:
        """Whether what was done beyond that came to as much again."""
        return self.left < -ALLOWED

    def token(self, text: str, offset: int, length: int) -> Token:
        """The token at an offset; raises `Enough`."""
        found = token(text, offset, length)
        searched = found.end - offset
        if found.kind == "open_comment":
            searched = (length - offset) * _TIMES
        elif found.kind == "open_text" and found.text.startswith('"""'):
            searched = length - offset
        self._spend(1 + searched // _SEARCHED)
        return found

    def run(self, characters: int) -> None:
        """Tokens of so many characters were passed over at once; raises `Enough`."""
        self._spend(1 + characters // _PASSED)

    def parsed(self, characters: int) -> None:
        """So many characters were tried as something; raises `Enough`."""
        self._spend(1 + characters // _PARSED)

    def affords(self, characters: int) -> bool:
        """Whether so many characters may be parsed once more."""
        return self.left >= characters // _PARSED

    def declaration(self, text: str, start: int, far: int, length: int) -> None:
        """A declaration was tried at `start` and failed at `far`: what was read before counts.

        Never raises, so that what is behind can be read in any case.
        """
        again = min(far, self._reached) - start
        if again > 0:
            self.left -= again // _PARSED
        if text.startswith("/*", far):
            self.left -= (length - far) * _TIMES // _SEARCHED
        self._reached = max(self._reached, far)

    def _spend(self, tokens: int) -> None:
        self.left -= tokens
        if self.left < 0:
            raise Enough
