"""Where others use more than there is, that is said, and no change of the application is proposed for it."""

from __future__ import annotations

import pytest

from lpcl.compose.answers import answers
from lpcl.compose.render.text import render
from tests.unit.compose.test_open_settings import composition

CONTRACT = """contract p {
  pool team { size 2  callers fork }
  demand memory = 8 MiB
  operation go { runs on team  demand memory = 4 MiB  demand vram on 1 = 1 MiB }
}"""


@pytest.mark.parametrize(
    ("used", "less"), [("cpu = 7", "5"), ("memory = 70 MiB", "18 MiB"), ("vram = 5 MiB", "3 MiB")]
)
def test_others_alone_are_too_much(used: str, less: str) -> None:
    """Nobody of the application is in it, and the others have to use less."""
    found = composition(CONTRACT, f"run {{ p.go }}  background {used}")
    (finding,) = (one for one in found.assessment.alarms if one.resource == f"lpcl.core.{used.split()[0]}")
    assert finding.participants == ((),)
    assert finding.help is not None
    assert f"let them use at least {less} less" in finding.help
    text = " ".join(render(answers(found)).split())
    assert "who is in it: nobody: what is always there is too much by itself" in text
    relieved = composition(CONTRACT, f"run {{ p.go }}  background {_less(used, less)}")
    assert finding.resource not in {one.resource for one in relieved.assessment.alarms}


def _less(used: str, less: str) -> str:
    name, _, amount = used.partition(" = ")
    number, *unit = amount.split()
    return " ".join([name, "=", str(int(number) - int(less.split()[0])), *unit])


@pytest.mark.parametrize("used", ["cpu = 4", "memory = 64 MiB", "vram = 3 MiB"])
def test_others_use_just_what_there_is(used: str) -> None:
    """Then whoever asks for any is in it."""
    found = composition(CONTRACT, f"run {{ p.go }}  background {used}")
    (finding,) = (one for one in found.assessment.alarms if one.resource == f"lpcl.core.{used.split()[0]}")
    assert finding.participants
    assert all(finding.participants)
