"""The results file loses nothing that was kept, and notices what is wrong with it."""

from __future__ import annotations

import json
import multiprocessing
import os
from pathlib import Path

import pytest

from lpcl.plan.model import ApplicationInfo, MachineInfo, Plan
from lpcl.tune.errors import TuneError
from lpcl.tune.records import BaselineRecord, Record, RunRecord, record_from_json
from lpcl.tune.store import ResultsStore, results_key

KEY = "0123456789abcdef" * 4
RUN = RunRecord(
    "search",
    0,
    "c1",
    "crashed",
    None,
    0.5,
    10.0,
    "2026-01-01T00:00:00.000+00:00",
    None,
    "SIGABRT",
    stderr_tail="a\nb \ufffd \u20ac",
    leftovers=2,
    note="n",
)
BASELINE = BaselineRecord(0.01, 2.0, None, 0.1, 2, "2026-01-01T00:00:00.000+00:00")


def kept(folder: Path, fresh: bool = False) -> list[Record]:
    with ResultsStore(folder, KEY, {"command": ["x"]}, fresh) as store:
        return list(store.records)


def test_records_come_back_in_order(tmp_path: Path) -> None:
    with ResultsStore(tmp_path / "a" / "b", KEY, {"command": ["x"]}) as store:
        store.append(BASELINE)
        store.append(RUN)
        assert store.records == [BASELINE, RUN]
        assert store.path.name == "runs-0123456789ab.jsonl"
    assert kept(tmp_path / "a" / "b") == [BASELINE, RUN]
    header = json.loads(store.path.read_text().splitlines()[0])
    assert header == {"type": "header", "format": 1, "key": KEY, "command": ["x"]}


def test_a_line_that_was_cut_off_is_dropped(tmp_path: Path) -> None:
    with ResultsStore(tmp_path, KEY, {}) as store:
        store.append(RUN)
        store.append(RUN)
    whole = store.path.read_bytes()
    for length in range(len(whole.splitlines(keepends=True)[0]), len(whole)):
        store.path.write_bytes(whole[:length])
        found = kept(tmp_path)
        assert found == [RUN] * (whole[:length].count(b"\n") - 1)
        assert store.path.read_bytes().endswith(b"\n")
    store.path.write_bytes(whole[:5])
    assert kept(tmp_path) == []


@pytest.mark.parametrize(
    "line",
    [
        "not json",
        "[]",
        '{"type": "other"}',
        "{}",
        '{"type": "run", "phase": "x", "end": "ok"}',
        '{"type": "run", "phase": "search", "end": "ok"}',
        '{"type": "baseline", "more": 1}',
    ],
)
def test_a_line_that_cannot_be_read_is_an_error_until_it_is_set_aside(tmp_path: Path, line: str) -> None:
    with ResultsStore(tmp_path, KEY, {}) as store:
        store.append(RUN)
    with store.path.open("a") as stream:
        stream.write(line + "\n")
    with pytest.raises(TuneError, match="line 3 cannot be read; --fresh sets the file aside"):
        kept(tmp_path)
    assert kept(tmp_path, fresh=True) == []
    assert (tmp_path / "runs-0123456789ab.old1").read_text().endswith(line + "\n")


def test_a_header_of_something_else_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "runs-0123456789ab.jsonl"
    for header in ({"format": 99, "key": KEY}, {"format": 1, "key": "other"}, []):
        path.write_text(json.dumps(header) + "\n")
        with pytest.raises(TuneError, match="line 1 cannot be read"):
            kept(tmp_path)


def test_fresh_keeps_every_old_file(tmp_path: Path) -> None:
    for _ in range(3):
        with ResultsStore(tmp_path, KEY, {}, fresh=True) as store:
            store.append(RUN)
    assert sorted(path.suffix for path in tmp_path.glob("runs-*")) == [".jsonl", ".old1", ".old2"]


def _open_store(folder: str) -> str:
    try:
        ResultsStore(Path(folder), KEY, {}).close()
    except TuneError as error:
        return str(error)
    return "opened"


def test_only_one_tuner_works_in_a_folder(tmp_path: Path) -> None:
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        with ResultsStore(tmp_path, KEY, {}):
            assert "another tuner is at work there" in pool.apply(_open_store, (str(tmp_path),))
        assert pool.apply(_open_store, (str(tmp_path),)) == "opened"


def test_a_folder_that_cannot_be_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(TuneError, match="results cannot be kept there"):
        ResultsStore(tmp_path / "file" / "x", KEY, {})
    (tmp_path / "runs-0123456789ab.jsonl").mkdir()
    with pytest.raises(TuneError, match="Is a directory"):
        ResultsStore(tmp_path, KEY, {})


@pytest.mark.parametrize("document", [None, 3, {"type": "run"}, {"type": "x"}, {}])
def test_what_is_no_record(document: object) -> None:
    with pytest.raises((TypeError, KeyError, ValueError)):
        record_from_json(document)


def test_results_belong_to_a_plan_a_command_and_its_program(tmp_path: Path) -> None:
    plan = Plan(ApplicationInfo("a", "", "", ""), MachineInfo("host"))
    program = tmp_path / "program.py"
    program.write_text("1")
    key = results_key(plan, ("python", "program.py"), tmp_path)
    assert key == results_key(plan, ("python", "program.py"), tmp_path)
    assert key != results_key(plan, ("python", "program.py", "-v"), tmp_path)
    assert key != results_key(plan, ("python", "program.py"), Path("/"))
    assert key != results_key(
        Plan(ApplicationInfo("b", "", "", ""), MachineInfo("host")), ("python", "program.py"), tmp_path
    )
    os.utime(program, (0, 0))
    assert key == results_key(plan, ("python", "program.py"), tmp_path)
    program.write_text("2")
    assert key != results_key(plan, ("python", "program.py"), tmp_path)
    assert results_key(plan, ("x" * 5000, "a\nb", "\udcff"), tmp_path)
