"""Keeps what a run prints within bounds: a program that floods its output must not fill the disk."""

from __future__ import annotations

import os
from pathlib import Path

LIMIT = 32 * 1024 * 1024
"""Bytes that a log may reach before its middle is given up."""

KEPT = 64 * 1024
"""Bytes that are kept of the beginning and of the end of a log that grew too long."""

TAIL_LINES = 20
TAIL_BYTES = 4096


class BoundedLog:
    """A file that one process appends to, and that is cut back when it grows beyond `limit` bytes."""

    def __init__(self, path: str, limit: int = LIMIT) -> None:
        """Creates the file, empty. Raises OSError."""
        self._limit = limit
        self._head = b""
        self._tail = b""
        self._dropped = 0
        # The writer's own descriptor must append too: then a write after a cut lands at the new end.
        self._descriptor = os.open(
            path, os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND | os.O_CLOEXEC, 0o644
        )

    def check(self) -> None:
        """Cuts the file back if it is too long."""
        size = os.fstat(self._descriptor).st_size
        if size > self._limit:
            self._give_up(size)
            os.ftruncate(self._descriptor, 0)

    def close(self) -> None:
        """Leaves in the file all that was printed, or its beginning and end with a line between."""
        size = os.fstat(self._descriptor).st_size
        if self._dropped or size > self._limit:
            self._give_up(size)
            os.ftruncate(self._descriptor, 0)
            left_out = self._dropped - len(self._head) - len(self._tail)
            middle = f"\n[... {left_out} bytes left out ...]\n" if left_out > 0 else ""
            os.write(self._descriptor, self._head + middle.encode() + self._tail)
        os.close(self._descriptor)

    def _give_up(self, size: int) -> None:
        if not self._head:
            self._head = os.pread(self._descriptor, min(KEPT, size), 0)
            start = len(self._head)
        else:
            start = 0
        fresh = os.pread(self._descriptor, KEPT, max(start, size - KEPT))
        self._tail = (self._tail + fresh)[-KEPT:]
        self._dropped += size


def tail(path: Path) -> str:
    """The last lines of a log, 20 and 4 KiB at most; what is no text is shown as replacement characters."""
    try:
        with path.open("rb") as stream:
            size = stream.seek(0, os.SEEK_END)
            stream.seek(max(0, size - TAIL_BYTES))
            text = stream.read().decode("utf-8", errors="replace")
    except OSError:
        return ""
    return "\n".join(text.splitlines()[-TAIL_LINES:])
