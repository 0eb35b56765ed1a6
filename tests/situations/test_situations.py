"""The worked rows of the language reference, the fifteen situations and the first examples, each held against
the composer with its exact figures.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lpcl import service
from lpcl.compose.expectations import all_tests
from lpcl.diagnostics.diagnostic import Severity

HERE = Path(__file__).resolve().parent
ROWS, SITUATIONS = 8, 15

WORKSPACE = service.open_workspace((str(HERE),))
TITLES = [test.title.value for _, test in all_tests(WORKSPACE.program, WORKSPACE.targets)]


def numbers(word: str) -> set[int]:
    """The numbers of the tests whose titles begin with `word` and one."""
    return {int(found[1]) for title in TITLES if (found := re.match(rf"{word} (\d+)\b", title))}


def test_the_files_are_sound() -> None:
    assert [item.headline for item in WORKSPACE.diagnostics] == []


def test_every_row_and_every_situation_is_there() -> None:
    assert numbers("row") == set(range(1, ROWS + 1))
    assert numbers("situation") == set(range(1, SITUATIONS + 1))


def test_titles_are_told_apart() -> None:
    assert len(set(TITLES)) == len(TITLES)


@pytest.mark.parametrize("title", TITLES)
def test_as_expected(title: str) -> None:
    (result,) = (one for one in service.run_tests(WORKSPACE, title) if one.title == title)
    assert [item.headline for item in result.diagnostics] == []
    for one in result.judgements:
        assert one.met, "\n".join([f"{one.application}: {one.expected}, but found:", *one.found])


@pytest.mark.parametrize(
    ("name", "choices", "effect"),
    [
        ("frames_before_fork", (), "hangs"),
        ("loops_in_threads", ("NUMBA_THREADING_LAYER=workqueue",), "aborts"),
        ("two_engines", (), None),
        ("many_imports", (), None),
        ("batches", (), None),
    ],
)
def test_what_fails_is_an_error(name: str, choices: tuple[str, ...], effect: str | None) -> None:
    """A hang, an abort, and resources that cannot be shared: not slow, but wrong."""
    workspace, application = service.select_application(f"{HERE / 'situations.lpcl'}:{name}")
    composition = service.compose_application(workspace, application, None, choices).composition
    assert composition is not None
    (finding,) = composition.assessment.alarms
    assert finding.severity is Severity.ERROR
    assert finding.effect == effect
