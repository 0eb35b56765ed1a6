"""Logs and results files keep what they promise, whatever is written and wherever it stops."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from lpcl.tune import output
from lpcl.tune.metric import find_metric
from lpcl.tune.output import BoundedLog
from lpcl.tune.records import RunRecord
from lpcl.tune.store import ResultsStore

KEY = "k" * 64


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 4000), max_size=30), st.integers(100, 5000), st.randoms(use_true_random=False))
def test_a_log_is_whole_or_has_both_ends(sizes: list[int], limit: int, random: object) -> None:  # noqa: ARG001
    text = bytes(index * 7 % 251 for index in range(sum(sizes)))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "log")
        log = BoundedLog(str(path), limit)
        writer = os.open(path, os.O_WRONLY | os.O_APPEND)
        at = 0
        for size in sizes:
            os.write(writer, text[at : at + size])
            at += size
            log.check()
        os.close(writer)
        log.close()
        kept = path.read_bytes()
    if b"bytes left out" not in kept:
        assert kept == text
    else:
        head, _, end = kept.partition(b"\n[... ")
        tail = end.partition(b" bytes left out ...]\n")[2]
        assert text.startswith(head)
        assert text.endswith(tail)
        assert len(head) + len(tail) <= 2 * output.KEPT


records = st.builds(
    RunRecord,
    phase=st.sampled_from(["warmup", "search", "confirm"]),
    round=st.integers(0, 9),
    config=st.text(max_size=5),
    end=st.sampled_from(["ok", "crashed"]),
    value=st.none() | st.floats(1e-9, 1e9),
    wall=st.floats(0, 1e6),
    limit=st.floats(0, 1e6),
    started=st.text(max_size=5),
    stderr_tail=st.text(st.characters(exclude_categories=["Cs"]), max_size=20),
)


@settings(max_examples=30, deadline=None)
@given(st.lists(records, max_size=5), st.integers(0, 10**6))
def test_a_results_file_cut_anywhere_gives_its_first_records(some: list[RunRecord], cut: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with ResultsStore(folder, KEY, {}) as store:
            for record in some:
                store.append(record)
        data = store.path.read_bytes()
        length = cut % (len(data) + 1)
        store.path.write_bytes(data[:length])
        with ResultsStore(folder, KEY, {}) as store:
            assert store.records == some[: max(0, data[:length].count(b"\n") - 1)]


@given(
    st.text(max_size=40),
    st.floats(-1e6, 1e6),
    st.text(st.characters(categories=["L"]), min_size=1, max_size=5),
)
def test_a_printed_number_is_found(before: str, number: float, name: str) -> None:
    assert find_metric(f"{name}: {{}}", f"{before}\n{name}: {number!r}\n") == number
