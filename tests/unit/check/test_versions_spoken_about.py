"""A version that no contract speaks about is never passed over in silence."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from lpcl.cli import cli
from lpcl.diagnostics.diagnostic import Diagnostic
from lpcl.packages import catalogue, versions

Diagnose = Callable[..., tuple[Diagnostic, ...]]

LIBRARIES = """package libs
contract thing {{ library {{ {library} }}  operation go }}
contract around {{ uses thing  operation run {{ calls thing.go }} }}
"""
APPLICATION = """package libs
application a {{ machine {{ cpus.online = 2 }}  use {use}  run {{ {run} }} }}
"""


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The versions of distributions that count as installed."""
    known: dict[str, str] = {}
    for module in (versions, catalogue):
        monkeypatch.setattr(module, "installed_version", known.get)
    return known


ONE, TWO = 'pypi "thing" "{}"', 'pypi "thing-cpu" "{}"  pypi "thing-gpu" "{}"'

SILENT = [
    (ONE.format(">=1.17"), 'thing "1.17"', {}),
    (ONE.format(">=1.17"), "thing", {"thing": "2.0"}),
    (ONE.format(">=1.17"), "thing", {}),
    (ONE.format("<2"), "thing", {}),  # which nothing contradicts
    (ONE.format("<2"), 'thing "1.9"', {"thing": "2.4.6"}),  # the stated one counts
    (ONE.format("<2"), 'around, thing "1.9"', {"thing": "2.4.6"}),
    ('pypi "thing"', 'thing "0.1"', {"thing": "9"}),
    ('file "libthing.so*"', 'thing "0.1"', {"thing": "9"}),
    (TWO.format(">=2", ">=3"), 'thing "2.5"', {}),  # each of them may be the library
    (TWO.format(">=2", ">=3"), "thing", {"thing-cpu": "2.5", "thing-gpu": "1.0"}),
]

TOLD = [
    (ONE.format(">=1.17"), 'thing "1.0"', {}, '"1.0"', "version 1.0", "1.17"),
    (ONE.format(">=1.17"), 'thing "1.0"', {"thing": "2.0"}, '"1.0"', "version 1.0", "1.17"),
    (ONE.format("<2"), 'thing "2"', {}, '"2"', "version 2", None),
    (ONE.format("<2"), "thing", {"thing": "2.4.6"}, "thing", "the installed thing 2.4.6", None),
    (ONE.format("==1.2.*"), "thing", {"thing": "2.4.6"}, "thing", "the installed thing 2.4.6", "1.2"),
    (ONE.format("<2"), "around", {"thing": "2.4.6"}, "around",
     "the installed thing 2.4.6 (through `around`)", None),
    (ONE.format("<2"), 'around, thing "3"', {}, '"3"', "version 3", None),
    (TWO.format(">=2", ">=3"), 'thing "1.9"', {}, '"1.9"', "version 1.9", "2"),
    (TWO.format(">=2", ">=3"), "thing", {"thing-cpu": "1.5", "thing-gpu": "1.0"}, "thing",
     "the installed thing-cpu 1.5, thing-gpu 1.0", "2"),
]  # fmt: skip


def texts(library: str, use: str) -> tuple[str, str]:
    """A library in some versions, and an application of it."""
    run = "around.run" if use.startswith("around") else "thing.go"
    return APPLICATION.format(use=use, run=run), LIBRARIES.format(library=library)


@pytest.mark.parametrize(("library", "use", "present"), SILENT)
def test_what_a_contract_speaks_about(
    diagnose: Diagnose, installed: dict[str, str], library: str, use: str, present: dict[str, str]
) -> None:
    installed.update(present)
    assert "ambiguous-version" not in {item.code for item in diagnose(*texts(library, use))}


@pytest.mark.parametrize(("library", "use", "present", "marked", "missed", "version"), TOLD)
def test_what_it_does_not_speak_about(
    diagnose: Diagnose,
    installed: dict[str, str],
    library: str,
    use: str,
    present: dict[str, str],
    marked: str,
    missed: str,
    version: str | None,
) -> None:
    installed.update(present)
    application, libraries = texts(library, use)
    (finding,) = (item for item in diagnose(application, libraries) if item.code == "ambiguous-version")
    assert application[finding.location.start : finding.location.end] == marked
    assert finding.headline == f"no contract of `thing` speaks about {missed}"
    if version is not None:
        assert finding.help is not None
        assert finding.help.endswith(f'`use thing "{version}"`')
        mended = application.replace(use, f"{use.partition(' ')[0].rstrip(',')}")  # as it says
        mended = mended.replace(f"use {mended.partition('use ')[2].split()[0]}", f'use thing "{version}"')
        assert "ambiguous-version" not in {item.code for item in diagnose(mended, libraries)}


@pytest.mark.parametrize(
    ("use", "present", "reason"),
    [
        ('thing "0.21"', {}, "version 0.21"),
        ("thing", {"thing": "0.21"}, "the installed thing 0.21"),
        ("around", {"thing": "0.21"}, "the installed thing 0.21 (through `around`)"),
    ],
)
def test_every_command_says_so(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    installed: dict[str, str],
    use: str,
    present: dict[str, str],
    reason: str,
) -> None:
    installed.update(present)
    application, libraries = texts(ONE.format(">=0.25"), use)
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "app.lpcl").write_text(application)
    (tmp_path / "libs.lpcl").write_text(libraries)
    monkeypatch.chdir(tmp_path)
    for words in (("check", "--no-cache"), ("compose", "app.lpcl"), ("list", "--for", "app.lpcl")):
        result = CliRunner().invoke(cli, list(words), catch_exceptions=False)
        assert result.exit_code == (1 if words[0] == "check" else 2)
        assert f"no contract of `thing` speaks about {reason}" in result.output
    if present:
        listed = CliRunner().invoke(cli, ["list"], catch_exceptions=False).output
        (row,) = (line for line in listed.splitlines() if "libs.thing" in line)
        assert row.endswith("it does not speak about the installed thing 0.21")
        assert not row.startswith("*")


def several(*constraints: str) -> str:
    """A package with contracts of one name for these versions."""
    return "package libs\n" + "".join(
        f'contract thing {{ library {{ pypi "thing" "{item}" }}  operation go }}\n' for item in constraints
    )


def test_what_is_declared_twice_is_said_once(diagnose: Diagnose) -> None:
    application = APPLICATION.format(use="thing", run="thing.go")
    (finding,) = diagnose(application, several(">=1", ">=1"))
    assert finding.code == "duplicate-declaration"


def test_not_every_contract_of_a_name_is_shown(diagnose: Diagnose) -> None:
    application = APPLICATION.format(use="thing", run="thing.go")
    (finding,) = diagnose(application, several(*(f">={major},<{major}.5" for major in range(9))))
    assert finding.headline.endswith("none of them speaks about a version that is not installed")
    assert len(finding.labels) == 4
    assert finding.notes == ("and 5 more of that name",)
    assert finding.help is not None
    assert finding.help.startswith("state the version in `use`, such as `thing ")


def test_a_version_that_is_stated_is_not_asked_for(diagnose: Diagnose) -> None:
    application = APPLICATION.format(use='thing "2.1"', run="thing.go")
    (finding,) = diagnose(application, several(">=1", ">=2"))
    assert finding.help == "mend the constraints in `library`: one of them is for 2.1"
