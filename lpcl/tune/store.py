"""Keeps every run in an append-only file: an interrupted session loses nothing but the run it was in."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import Any

from lpcl.plan import Plan, plan_sha256
from lpcl.tune.errors import TuneError
from lpcl.tune.records import Record, record_from_json

FORMAT = 1
_LARGEST_HASHED = 16 * 1024 * 1024


def results_key(plan: Plan, command: Sequence[str], cwd: Path) -> str:
    """What results belong to: the plan, the command, and the bytes of the files that the command names.

    An edited program is another program: its runs are not mixed with those of the old one.
    """
    digest = sha256(plan_sha256(plan).encode())
    for word in command:
        digest.update(b"\0" + word.encode("utf-8", "surrogateescape"))
        path = cwd / word
        try:
            if path.is_file() and path.stat().st_size <= _LARGEST_HASHED:
                digest.update(b"\1" + sha256(path.read_bytes()).digest())
        except (OSError, ValueError):
            continue  # a word that names no readable file is only a word
    return digest.hexdigest()


class ResultsStore:
    """The results file of one plan and command: a header line, then one line a record.

    Only one process at a time may have it open. A last line that was cut off (the machine lost power while it
    was written) is dropped; anything else that cannot be read is an error, because measurements are not to be
    lost silently.
    """

    def __init__(self, folder: Path, key: str, header: Mapping[str, Any], fresh: bool = False) -> None:
        """Opens or creates the file; `fresh` sets an existing one aside first. Raises TuneError."""
        self.path = folder / f"runs-{key[:12]}.jsonl"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._lock = os.open(folder / ".lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise TuneError(f"{folder}: results cannot be kept there: {error.strerror}") from None
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._lock)
            raise TuneError(
                f"{folder}: another tuner is at work there; wait for it, or choose another --out"
            ) from None
        try:
            if fresh and self.path.exists():
                self.path.rename(_free_name(self.path))
            self.records: list[Record] = self._read(key)
            self._file = self.path.open("ab")
            if self._file.tell() == 0:
                self._write({"type": "header", "format": FORMAT, "key": key, **header})
        except OSError as error:
            self.close()
            raise TuneError(f"{self.path}: {error.strerror}") from None
        except TuneError:
            self.close()
            raise

    def append(self, record: Record) -> None:
        """Keeps a record; it is on the disk when this returns. Raises OSError."""
        self._write(record.to_json())
        self.records.append(record)

    def close(self) -> None:
        """Lets others have the file."""
        if hasattr(self, "_file"):
            self._file.close()
        os.close(self._lock)

    def __enter__(self) -> ResultsStore:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _write(self, document: Mapping[str, Any]) -> None:
        self._file.write(
            json.dumps(document, ensure_ascii=False, allow_nan=False).encode("utf-8", "replace") + b"\n"
        )
        self._file.flush()
        os.fsync(self._file.fileno())

    def _read(self, key: str) -> list[Record]:
        if not self.path.exists():
            return []
        data = self.path.read_bytes()
        whole = data.rfind(b"\n") + 1
        if whole < len(data):
            os.truncate(self.path, whole)
        records: list[Record] = []
        for number, line in enumerate(data[:whole].splitlines(), start=1):
            try:
                document = json.loads(line)
                if number > 1:
                    records.append(record_from_json(document))
                    continue
                sound = document["format"] == FORMAT and document["key"] == key
            except (ValueError, TypeError, KeyError, AttributeError):
                sound = False
            if not sound:
                raise TuneError(f"{self.path}: line {number} cannot be read; --fresh sets the file aside")
        return records


def now() -> str:
    """The time as records have it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _free_name(path: Path) -> Path:
    number = 1
    while (free := path.with_suffix(f".old{number}")).exists():
        number += 1
    return free
