"""What keeps an application from being composed is what it needs, and nothing beside it."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from lpcl.cli import cli

FILES = {
    "app.lpcl": """package p

import far.far
import libs.{used, unused}

machine small { cpus.online = 2 }
machine other { cpus.online = 4 }

application a {
  machine small
  use used { engine = far }
  run { used.go }
}

application beside {
  machine small
  use unused
  run { unused.go }
}

test "t" {
  check a
  expect no overcommit
}
""",
    "libs.lpcl": """package libs

import lpcl.core.cpu

interface engine { operation spin }
contract base { let one = 1 }
contract used extends base { uses engine: engine  operation go { demand cpu = one  calls engine.spin } }
contract unused { operation go { demand cpu = 1 } }
""",
    "far.lpcl": """package far

import libs.engine
import lpcl.core.cpu

contract far implements engine { operation spin { demand cpu = 1 } }
""",
    "package.lpcl": "package p\n\ncontract neighbour { operation go }\n",
    "more.lpcl": "package libs\n\ncontract more { operation go }\n",
}

FREE = [
    ("app.lpcl", "use unused", "use unsued"),
    ("app.lpcl", "unused.go", "unused.stop"),
    ("app.lpcl", "expect no overcommit", "expect no overcommit of gpus"),
    ("app.lpcl", "check a", "check b"),
    ("app.lpcl", "expect no overcommit", "expect no overcmmit"),
    ("app.lpcl", "expect no overcommit", "expect ("),
    ("app.lpcl", "expect no overcommit", "expect no overcommit in"),
    ("app.lpcl", "expect no overcommit", 'expect hazard "it'),
    ("app.lpcl", "expect no overcommit\n}", "expect no overcommit"),
    ("app.lpcl", "check a", "chek a"),
    ("app.lpcl", "check a", "check a }"),
    ("app.lpcl", "check a", "machine { cpus.online 8 check a"),
    ("app.lpcl", 'test "t" {', "test t {"),
    ("app.lpcl", 'test "t" {', 'tset "t" {'),
    ("app.lpcl", 'test "t" {', 'test "t"'),
    ("app.lpcl", 'test "t" {', 'test "u" {\n  check\n}\n\ntest "t" {\n  demand'),
    ("app.lpcl", "machine other { cpus.online", "machine other { cpus.onlnie"),
    ("app.lpcl", "used, unused}", "used, unused, gone}"),
    (
        "libs.lpcl",
        "contract unused { operation go { demand cpu",
        "contract unused { operation go { demand gpu",
    ),
    ("libs.lpcl", "contract unused {", "contract unused extends gone {"),
    ("package.lpcl", "contract neighbour { operation go }", "contract neighbour { operation go"),
    ("package.lpcl", "contract neighbour", "contract neigh bour"),
    ("package.lpcl", "contract neighbour { ", "resource r: count { capacity machine.gone } contract n { "),
    ("more.lpcl", "contract more", "contract more { } contract more"),
    ("more.lpcl", "{ operation go }", "{ operation go { runs on nothing } }"),
    ("more.lpcl", "{ operation go }", "= {"),
    ("more.lpcl", "package libs", "package libs import nowhere.at_all"),
]

BLOCKING = [
    ("app.lpcl", "machine small\n  use used", "machine smaller\n  use used", "its errors are mended."),
    ("app.lpcl", "use used {", "use usde {", "its errors are mended."),
    ("app.lpcl", "run { used.go }", "run { used.gone }", "its errors are mended."),
    ("app.lpcl", "import far.far", "import far.fra", "its errors are mended."),
    ("app.lpcl", "machine small { cpus.online", "machine small { cpus.onlnie", "its errors are mended."),
    ("app.lpcl", "run { unused.go }", "run { unused.go ", "its errors are mended."),  # of the same text
    ("app.lpcl", "check a", "check a /* and more", "its errors are mended."),  # it may end anywhere
    ("app.lpcl", "check a", 'expect hazard """x', "its errors are mended."),
    ("app.lpcl", "expect no overcommit\n}", "expect no overcommit\n}\n}", "its errors are mended."),
    ("app.lpcl", "expect no overcommit\n}", "expect no overcommit\n} and", "its errors are mended."),
    ("app.lpcl", "check a", "check" + " (" * 2000 + "}\n\nx" * 1200, "its errors are mended."),
    ("libs.lpcl", "let one = 1", "let one = two", "it needs `used`, `base` and `engine` of libs.lpcl."),
    (
        "libs.lpcl",
        "demand cpu = one",
        "demand gpu = one",
        "it needs `used`, `base` and `engine` of libs.lpcl.",
    ),
    (
        "libs.lpcl",
        "contract unused {",
        "contract unused (",
        "it needs `used`, `base` and 2 more of libs.lpcl.",
    ),
    (
        "libs.lpcl",
        "import lpcl.core.cpu",
        "import lpcl.core.cup",
        "`used`, `base` and `engine` of libs.lpcl.",
    ),
    ("far.lpcl", "demand cpu = 1", 'demand cpu = "1"', "it needs `far` of far.lpcl."),
    (
        "far.lpcl",
        "contract far implements engine {",
        "contract far implements engine (",
        "it needs `far` of far.lpcl.",
    ),
    (
        "app.lpcl",
        "import far.far",
        "import fat.far",
        "a cannot be composed before its errors are mended.",
    ),
    ("libs.lpcl", "import lpcl.core.cpu", "", "`used`, `base` and `engine` of libs.lpcl."),
    ("package.lpcl", "contract", "machine small { cpus.online = 3 } contract", "`small` of package.lpcl."),
]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two applications with what they need, and more beside it; nothing is wrong."""
    (tmp_path / "pyproject.toml").write_text('[tool.lpcl]\ncontracts = ["."]\n')
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    checked = run("check", "--no-cache", "--quick")
    assert checked.exit_code == 0, checked.output
    return tmp_path


def run(*words: str) -> Result:
    """Run `lpclc`."""
    return CliRunner().invoke(cli, list(words), catch_exceptions=False)


def spoil(project: Path, name: str, right: str, wrong: str) -> None:
    """Put a mistake into a file."""
    text = (project / name).read_text()
    assert right in text
    (project / name).write_text(text.replace(right, wrong, 1))


COMMANDS = (
    ("compose", "app.lpcl:a"),
    ("why", "app.lpcl:a", "cpu"),
    ("build", "app.lpcl:a"),
    ("compose", "a"),
    ("list", "--for", "app.lpcl:a"),
)


@pytest.mark.parametrize(("name", "right", "wrong"), FREE)
def test_what_is_wrong_beside_it_changes_nothing(project: Path, name: str, right: str, wrong: str) -> None:
    before = [run(*words).stdout for words in COMMANDS]
    spoil(project, name, right, wrong)
    assert run("check", "--no-cache").exit_code == 1
    after = [run(*words) for words in COMMANDS]
    assert [result.exit_code for result in after] == [0] * len(COMMANDS), after[0].output
    assert [result.stdout.splitlines()[:3] for result in after] == [text.splitlines()[:3] for text in before]


def test_any_number_of_mistakes_beside_it_change_nothing(project: Path) -> None:
    for name, group in itertools.groupby(FREE, key=lambda one: one[0]):
        spoil(project, name, *next(group)[1:])
    assert [run(*words).exit_code for words in COMMANDS] == [0] * len(COMMANDS)


@pytest.mark.parametrize(("name", "right", "wrong", "told"), BLOCKING)
def test_what_it_needs_is_named(project: Path, name: str, right: str, wrong: str, told: str) -> None:
    spoil(project, name, right, wrong)
    for words in COMMANDS:
        result = run(*words)
        assert result.exit_code == 2
        assert result.stderr.rstrip().endswith(told), result.stderr
        assert f"--> {name}:" in result.stderr
        shown = {
            line.partition("--> ")[2].partition(":")[0]
            for line in result.stderr.splitlines()
            if "-->" in line
        }
        assert shown == {name}


@pytest.mark.parametrize(("name", "right", "wrong", "told"), BLOCKING)
def test_it_is_told_in_the_words_of_check(
    project: Path, name: str, right: str, wrong: str, told: str
) -> None:
    """With what would help: `check` may merge findings of one kind, but says nothing better."""
    spoil(project, name, right, wrong)
    findings = json.loads(run("check", "--no-cache", "--format", "json").stdout)["findings"]
    checked = {f"error[{one['code']}]: {one['headline']}" for one in findings}
    checked |= {f"= help: {one['help']}" for one in findings}
    composed = run("compose", "app.lpcl:a").stderr
    said = {line.strip() for line in composed.splitlines() if "= help:" in line or line.startswith("error")}
    assert said
    assert said <= checked, told


def test_another_machine_is_needed_when_it_is_asked_for(project: Path) -> None:
    assert run("compose", "a", "--machine", "other").exit_code == 0
    spoil(project, "app.lpcl", "machine other { cpus.online", "machine other { cpus.onlnie")
    result = run("compose", "app.lpcl:a", "--machine", "other")
    assert result.exit_code == 2
    assert "cpus.onlnie" in result.output
    assert run("compose", "app.lpcl:a", "--machine", "small").exit_code == 0


def test_several_applications_need_what_each_needs(project: Path) -> None:
    spoil(project, "app.lpcl", "use unused", "use unsued")
    result = run("compose", "app.lpcl:a", "app.lpcl:beside")
    assert result.exit_code == 2
    assert (
        "app.lpcl:a and app.lpcl:beside cannot be composed before their errors are mended." in result.stderr
    )


def test_an_application_that_cannot_be_made_out(project: Path) -> None:
    (project / "app.lpcl").write_text("package p\n\n{ machine small }\n")
    result = run("compose", "app.lpcl")
    assert result.exit_code == 2
    assert "no application can be made out in app.lpcl, which has faults of syntax" in result.output


def test_the_summary_counts_what_was_looked_at(project: Path) -> None:
    spoil(project, "far.lpcl", "demand cpu = 1", 'demand cpu = "1"')
    assert "1 error in 1 file; 1 file checked, and what it leads to.\n" in run("check", "app.lpcl").output
    assert "1 error in 1 file; 1 file checked.\n" in run("check", "far.lpcl").output
    assert "1 error in 1 file; 5 files checked.\n" in run("check").output
    told = run("check", "app.lpcl", "libs.lpcl").output
    assert "1 error in 1 file; 2 files checked, and what they lead to.\n" in told
