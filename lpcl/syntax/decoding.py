"""Bytes to text."""

from __future__ import annotations

import re
from itertools import islice

from lpcl.syntax.faults import Fault
from lpcl.syntax.span import Span

_MOST = 1000
_INVALID = re.compile("[\udc80-\udcff](?:[^\r\n]*[\udc80-\udcff])?")


def decode(data: bytes) -> tuple[str, tuple[Fault, ...]]:
    """The text of UTF-8 bytes; a byte that fits nowhere is U+FFFD, and a fault for each line with such."""
    try:
        return data.decode("utf-8"), ()
    except UnicodeDecodeError:
        pass
    text = data.decode("utf-8", "surrogateescape")
    faults = tuple(
        Fault("encoding", Span(m.start(), m.end()), _headline(data, m[0]))
        for m in islice(_INVALID.finditer(text), _MOST)
    )
    return re.sub("[\udc80-\udcff]", "\ufffd", text), faults


def _headline(data: bytes, found: str) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "this is not UTF-8 but looks like UTF-16"
    return f"this is not UTF-8: byte 0x{ord(found[0]) - 0xDC00:02X}"
