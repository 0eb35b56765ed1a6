"""Logs within bounds."""

from __future__ import annotations

import os
from pathlib import Path

from lpcl.tune import output
from lpcl.tune.output import KEPT, TAIL_LINES, BoundedLog, tail


def test_a_short_log_is_left_as_it_is(tmp_path: Path) -> None:
    log = BoundedLog(str(tmp_path / "log"), limit=1000)
    (tmp_path / "log").open("a").write("all of it\n")
    log.check()
    log.close()
    assert (tmp_path / "log").read_text() == "all of it\n"


def test_a_long_log_keeps_its_beginning_and_its_end(tmp_path: Path) -> None:
    path = tmp_path / "log"
    log = BoundedLog(str(path), limit=300_000)
    text = b"".join(b"line %07d\n" % number for number in range(100_000))
    writer = os.open(path, os.O_WRONLY | os.O_APPEND)
    for start in range(0, len(text), 50_000):
        os.write(writer, text[start : start + 50_000])
        log.check()
        assert path.stat().st_size <= 350_000
    os.close(writer)
    log.close()
    kept = path.read_bytes()
    head, middle, end = kept.partition(b"\n[... ")
    count, _, last = end.partition(b" bytes left out ...]\n")
    assert head == text[:KEPT]
    assert middle
    assert last == text[-KEPT:]
    assert int(count) == len(text) - 2 * KEPT


def test_one_that_grows_too_long_at_the_very_end(tmp_path: Path) -> None:
    path = tmp_path / "log"
    log = BoundedLog(str(path), limit=1000)
    path.open("ab").write(b"a" * 70_000 + b"z" * 1000)
    log.close()
    assert path.read_bytes() == b"a" * 70_000 + b"z" * 1000


def test_the_tail_is_bounded_in_lines_and_bytes(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_text("".join(f"{number}\n" for number in range(1000)))
    assert tail(path).splitlines() == [str(number) for number in range(1000 - TAIL_LINES, 1000)]
    path.write_text("x" * 100_000)
    assert tail(path) == "x" * output.TAIL_BYTES
    assert tail(tmp_path / "none") == ""
