"""What the texts of environment variables stand for."""

from __future__ import annotations

import re
from fractions import Fraction

from lpcl.compose.terms import Value, whole
from lpcl.model.quantities import show

_TRUTHS = {"1": True, "true": True, "on": True, "0": False, "false": False, "off": False}

_NUMBER = re.compile(r"[+-]?[0-9]{1,400}(\.[0-9]{1,400})?")

_DIGITS = re.compile(r"\s*([+-]?[0-9]{1,400})")


def read(text: str, kind: str, form: str = "whole") -> Value | None:
    """The number, or the truth of a ``bool``, that a text stands for; None where it is neither.

    `form` is the first word of the control's `text` clause, or "whole".
    """
    if form == "digits":
        found = _DIGITS.match(text)
        return int(found[1]) if found is not None else 0
    if form in ("first", "second"):
        items = [item.strip() for item in text.split(",")]
        if not all(_NUMBER.fullmatch(item) for item in items):
            return None
        place = 0 if form == "first" else 1
        return whole(Fraction(items[place])) if place < len(items) else None
    stripped = text.strip()
    if kind == "bool":
        return _TRUTHS.get(stripped.lower())
    return whole(Fraction(stripped)) if _NUMBER.fullmatch(stripped) else None


def written_out(value: Value) -> str:
    """What a variable holds, as it would be written."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return show(value) if isinstance(value, Fraction) else str(value)
