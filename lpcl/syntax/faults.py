"""What the syntax stage has to say about a text that is not LPCL, as values in its own terms."""

from __future__ import annotations

from dataclasses import dataclass

from lpcl.syntax.span import Span


@dataclass(frozen=True, slots=True)
class Fault:
    """One independent fault of a text.

    `kind` is one of ``encoding``, ``unexpected``, ``unclosed``, ``unterminated``, ``number``, ``nesting``
    and ``limit``, which says that there may be others behind it; `span` is where it shows. `headline` stands
    alone, in the reader's words; `expected` lists what could have stood there, in the language's words;
    `suggestion` is the word that was probably meant. `related` points at another place with a remark, such as
    the brace that is not closed. An empty span says that something is missing there.
    """

    kind: str
    span: Span
    headline: str
    expected: tuple[str, ...] = ()
    suggestion: str | None = None
    related: tuple[tuple[Span, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Lost:
    """A clause or declaration that is too broken to be in the tree.

    `rule` is what it would have been, such as ``Control``, and `name` what it would have declared, if that
    can be told: what refers to that name needs no report of its own.
    """

    span: Span
    rule: str
    name: str | None
