"""Sentences of documentation that belong to a question: a clause has one word for what needs a sentence."""

from __future__ import annotations

import re

INVALID = r"\b0\b(?!\.\d)|\b(?:negative|texts?|fractions?|empty|refuses?|refused|characters)\b"
"""What speaks of values that a control does not take as they are."""
FORK = r"\bfork"
IDLE = r"\b(?:idle|spins?|sleeps?)\b"
LOADING = r"\b(?:imports?|importing|imported)\b"


def sentences(doc: str | None) -> tuple[str, ...]:
    """The sentences of documentation, each in one line; tables and blocks of code are left out."""
    found: list[str] = []
    for paragraph in re.split(r"\n\s*\n", doc or ""):
        if not paragraph.strip() or re.match(r"\n*(?:    |\||```|[-*] )", paragraph):
            continue
        found += re.split(r"(?<=[.!?])\s+(?=[A-Z`*0-9])", " ".join(paragraph.split()))
    return tuple(found)


def about(doc: str | None, pattern: str) -> tuple[str, ...]:
    """The sentences that speak of something, as a regular expression says what."""
    return tuple(one for one in sentences(doc) if re.search(pattern, one, re.IGNORECASE))


def stressed(doc: str | None) -> tuple[str, ...]:
    """The sentences of which something is in bold: what the author warns of."""
    return tuple(one.replace("**", "") for one in sentences(doc) if "**" in one)
