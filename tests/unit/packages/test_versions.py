"""Which of several contracts of one name applies."""

from __future__ import annotations

import pytest

from lpcl.model.program import Declared, Program, SourceFile
from lpcl.packages import versions
from lpcl.packages.versions import Ambiguity, choose, satisfiable
from lpcl.syntax.parser import parse


def program(*constraints: str) -> Program:
    """A program with one contract `p.c` for each constraint on the distribution `thing`."""
    files = []
    for number, constraint in enumerate(constraints):
        text = f'package p\ncontract c {{ library {{ pypi "thing" "{constraint}" }} }}\n'
        files.append(SourceFile(f"{number}.lpcl", text, parse(text)))
    return Program(tuple(files))


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The versions of distributions that count as installed."""
    known: dict[str, str] = {}
    monkeypatch.setattr(versions, "installed_version", known.get)
    return known


def chosen(found: Declared | Ambiguity) -> str:
    """The file of the contract that was chosen, or why none was."""
    return found.file.path if isinstance(found, Declared) else found.reason


def test_a_single_contract_is_taken_as_it_is(installed: dict[str, str]) -> None:
    installed["thing"] = "9"
    assert chosen(choose(program("<2"), "p.c")) == "0.lpcl"


def test_the_installed_version_decides(installed: dict[str, str]) -> None:
    many = program("<2", ">=2,<3", ">=3")
    installed["thing"] = "2.5.1"
    assert chosen(choose(many, "p.c")) == "1.lpcl"
    installed["thing"] = "3.1.dev0"
    assert chosen(choose(many, "p.c")) == "2.lpcl"


def test_the_stated_version_comes_before_it(installed: dict[str, str]) -> None:
    installed["thing"] = "2.5"
    assert chosen(choose(program("<2", ">=2"), "p.c", "1.0")) == "0.lpcl"


def test_nothing_installed_takes_the_newest(installed: dict[str, str]) -> None:
    assert installed == {}
    assert chosen(choose(program("<2", ">=2,<3", ">=3"), "p.c")) == "2.lpcl"


def test_two_that_fit_are_named(installed: dict[str, str]) -> None:
    installed["thing"] = "2.5"
    found = choose(program(">=2", ">=1", "<1"), "p.c")
    assert isinstance(found, Ambiguity)
    assert [item.file.path for item in found.candidates] == ["0.lpcl", "1.lpcl"]
    assert found.reason == "2 contracts speak about the installed thing 2.5"


def test_none_that_fits_is_said() -> None:
    found = choose(program(">=2,<3", ">=3"), "p.c", "1.0")
    assert isinstance(found, Ambiguity)
    assert found.reason == "none of them speaks about version 1.0"
    assert len(found.candidates) == 2


def test_an_unknown_name() -> None:
    assert isinstance(choose(program(">=2"), "p.other"), Ambiguity)


@pytest.mark.parametrize(
    "constraint",
    [
        ">=1,<2",
        "==1.2.*",
        "~=1.4",
        ">1,<1.0.1",
        "!=1.0",
        ">=0.4.1,<0.4.2",
        "",
        "===anything",
        "<0.1",
        ">1.5,!=1.6",
    ],
)
def test_satisfiable(constraint: str) -> None:
    assert satisfiable(constraint)


@pytest.mark.parametrize("constraint", [">=2,<1", "==1,==2", ">1,<1", ">=1,<2,==2.1", "==1.2.*,<1.2"])
def test_unsatisfiable(constraint: str) -> None:
    assert not satisfiable(constraint)
