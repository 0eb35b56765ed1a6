"""What the syntax stage has to say about a text that is not LPCL, as values in its own terms."""

from __future__ import annotations

from dataclasses import dataclass

from lpcl.syntax.span import Span


@dataclass(frozen=True, slots=True)
class Fault:
    """One independent fault of a text.

    `kind` is one of ``encoding``, ``unexpected``, ``unclosed``, ``unterminated``, ``number`` and ``nesting``;
    `span` is where it shows. `headline` stands alone, in the reader's words; `expected` lists what could have
    stood there, in the language's words; `suggestion` is the word that was probably meant. `related` points at
    another place with a remark, such as the brace that is not closed.
    """

    kind: str
    span: Span
    headline: str
    expected: tuple[str, ...] = ()
    suggestion: str | None = None
    related: tuple[tuple[Span, str], ...] = ()
