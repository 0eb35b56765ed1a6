"""What is wrong because of something else that is wrong is not reported, and never rewritten."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from lpcl.cli import cli

LIBRARIES = """package libs

interface engine { operation go }
contract one implements engine { control threads: count { env ONE_THREADS  default 1 }  operation go }
contract other implements engine { control threads: count { env OTHER_THREADS  default 1 }  operation go }
contract outer { uses engine: engine  control n: count { env OUTER_THREADS  default 1 }  operation run }
"""

APPLICATION = """package app

import libs.one
import libs.outer
import libs.other

application a {
  machine { cpus.online = 4 }
  use one, outer { engine = other }
  env ONE_THREADS = 1
  env OTHER_THREADS = 2
  env OUTER_THREADS = 3
  run { one.go  outer.run }
}

test "t" {
  check a
  expect safe with { OTHER_THREADS = 1, ONE_THREADS = 1 }
  expect no overcommit
}
"""


def run(*words: str) -> Result:
    """Run `lpclc check` in the current folder."""
    return CliRunner().invoke(cli, ["check", "--no-cache", *words], catch_exceptions=False)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project without a fault."""
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "libs.lpcl").write_text(LIBRARIES)
    (tmp_path / "app.lpcl").write_text(APPLICATION)
    monkeypatch.chdir(tmp_path)
    assert "unknown-variable" not in run().output
    return tmp_path


BROKEN = {
    "an import is missing": ("app.lpcl", "import libs.other\n", ""),
    "an import leads nowhere": ("app.lpcl", "import libs.other", "import libs.ohter"),
    "a library is misspelled": ("app.lpcl", "use one,", "use oen,"),
    "a provider is misspelled": ("app.lpcl", "engine = other", "engine = ohter"),
    "a version that is none": (
        "libs.lpcl",
        "contract one implements",
        "contract one extends gone implements",
    ),
    "a name that is none": ("libs.lpcl", "contract other implements", "contract other-thing implements"),
    "a dependency that leads nowhere": ("libs.lpcl", "uses engine: engine ", "uses engine: engnie = other "),
}


@pytest.mark.parametrize("fault", BROKEN)
def test_no_variable_is_unknown_while_a_name_leads_nowhere(project: Path, fault: str) -> None:
    name, right, wrong = BROKEN[fault]
    (project / name).write_text((project / name).read_text().replace(right, wrong, 1))
    found = run()
    assert found.exit_code == 1
    assert "unknown-variable" not in found.output
    mended = run("--unsafe-fixes")
    text = (project / "app.lpcl").read_text()
    for variable in ("ONE_THREADS", "OTHER_THREADS", "OUTER_THREADS"):
        assert text.count(variable) == APPLICATION.count(variable), mended.output


def test_a_variable_is_still_a_slip_where_all_else_is_known(project: Path) -> None:
    path = project / "app.lpcl"
    path.write_text(APPLICATION.replace("env OTHER_THREADS", "env OTHER_THRAEDS"))
    assert "no library in use reads `OTHER_THRAEDS`" in run().output
    run("--unsafe-fixes")
    assert path.read_text() == APPLICATION


def test_other_names_are_not_written_before_the_errors_are_gone(project: Path) -> None:
    path = project / "app.lpcl"
    slips = APPLICATION.replace("env OTHER_THREADS", "env OTHER_THRAEDS")
    path.write_text(slips.replace("outer.run }", "outer.run  one.stop }"))
    assert run("--unsafe-fixes").exit_code == 1
    assert "OTHER_THRAEDS" in path.read_text()  # what is wrong with `stop` may have to do with it
    path.write_text(slips.replace("outer.run }", "outer.rnu }"))
    assert run("--unsafe-fixes").exit_code == 0
    assert path.read_text() == APPLICATION


IMPORTED = [
    ("package app\n\nimport libs.one // why\n", "package app\n\nimport libs.one // why\nimport libs.other\n"),
    ("package app\nimport libs.one", "package app\nimport libs.one\nimport libs.other"),
    ("package app // of mine\n", "package app // of mine\n\nimport libs.other\n"),
    ("package app", "package app\n\nimport libs.other"),
    ("", "import libs.other\n\n"),
    ("// the program\n", "import libs.other\n\n// the program\n"),
    ("package app\r\nimport libs.one\r\n", "package app\r\nimport libs.one\r\nimport libs.other\r\n"),
    ("package app import libs.one", "package app import libs.one\nimport libs.other"),
]


@pytest.mark.parametrize(("before", "after"), IMPORTED)
def test_the_import_that_is_missing_is_added(project: Path, before: str, after: str) -> None:
    first = "one, " if "libs.one" in before else ""
    body = f"\napplication b {{ machine {{ cpus.online = 4 }}  use {first}other  run {{ other.go }} }}\n"
    (project / "pyproject.toml").write_text('[tool.lpcl]\ncontracts = ["libs.lpcl"]\n')
    path = project / "app.lpcl"
    path.write_bytes((before + body).encode())
    found = run("app.lpcl")
    assert "import it: `import libs.other`" in found.output
    assert run("--fix", "app.lpcl").exit_code == 1  # which would not do it
    mended = run("--unsafe-fixes", "app.lpcl")
    assert mended.exit_code == 0, mended.output
    assert path.read_bytes().decode() == after + body


def test_no_import_is_written_where_several_could_be_meant(project: Path) -> None:
    (project / "more.lpcl").write_text("package more\ncontract other { operation go }\n")
    (project / "app.lpcl").write_text(APPLICATION.replace("import libs.other\n", ""))
    before = (project / "app.lpcl").read_text()
    assert run("--unsafe-fixes").exit_code == 1
    assert (project / "app.lpcl").read_text() == before
