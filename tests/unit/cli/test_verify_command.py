"""`lpclc verify` from outside: what is chosen, said, printed and returned."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from lpcl.cli import cli
from lpcl.verify.laboratory import unsupported

pytestmark = pytest.mark.skipif(unsupported() is not None, reason=unsupported() or "")

GOOD = """package probe
contract first {
  library { pypi "pytest" }
  @measured("pytest 1.0")
  evidence "one is one" { python "print('noise'); report(a=1)" expect a == 1 }
  evidence "needs what is not there" { needs "not-a-distribution" python "report(a=1)" expect a == 1 }
}
contract second { evidence "two is two" { python "report(b=2)" expect b == 2 } }
"""
BAD = """contract liar {
  evidence "one is two" {
    python "report(a=1)"
    expect a == 2
  }
}
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with its own contracts, as the current folder."""
    (tmp_path / "pyproject.toml").write_text('[tool.lpcl]\ncontracts = ["contracts"]\n')
    (tmp_path / "contracts").mkdir()
    (tmp_path / "contracts" / "good.lpcl").write_text(GOOD)
    (tmp_path / "bad.lpcl").write_text(BAD)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def verify(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["verify", *arguments])


def test_the_projects_own_contracts(project: Path) -> None:  # noqa: ARG001
    result = verify()
    assert result.exit_code == 0
    lines = result.output.splitlines()
    assert lines[0] == f"Running the code of 3 experiments with {sys.executable}, one after another."
    assert lines[1].startswith("first: one is one ... proved  0.")
    assert lines[1].endswith(f"  pytest {pytest.__version__} (measured with 1.0)")
    assert lines[2] == "first: needs what is not there ... not tried: not-a-distribution is not installed"
    assert lines[3].startswith("second: two is two ... proved")
    assert lines[4] == "experiments: 2 proved, 0 refuted, 0 failed, 0 unsteady, 1 not tried"
    assert HINT in lines[5]
    assert "noise" not in result.output


@pytest.mark.parametrize(
    ("argument", "titles"),
    [
        ("first", ["one is one", "needs what is not there"]),
        ("probe.second", ["two is two"]),
        ("probe", ["one is one", "needs what is not there", "two is two"]),
        ("bad.lpcl", ["one is two"]),
        ("./contracts", ["one is one", "needs what is not there", "two is two"]),
        ("contracts", ["one is one", "needs what is not there", "two is two"]),
    ],
)
def test_what_is_chosen(project: Path, argument: str, titles: list[str]) -> None:  # noqa: ARG001
    result = verify(argument, "--list", "--format", "json")
    assert result.exit_code == 0
    assert [item["title"] for item in json.loads(result.stdout)["evidence"]] == titles


def test_several_arguments_and_a_filter(project: Path) -> None:  # noqa: ARG001
    result = verify("probe", "bad.lpcl", "-k", "TWO", "--list", "--format", "json")
    assert [item["title"] for item in json.loads(result.stdout)["evidence"]] == ["two is two", "one is two"]


def test_a_refuted_contract(project: Path) -> None:  # noqa: ARG001
    result = verify("bad.lpcl")
    assert result.exit_code == 1
    lines = result.output.splitlines()
    assert lines[2:] == [
        "    at bad.lpcl:2",
        "    expect a == 2    (line 4)",
        "        a is 1",
        "    run once more, it was the same",
        "experiments: 0 proved, 1 refuted, 0 failed, 0 unsteady, 0 not tried",
    ]


def test_evidence_that_fails(project: Path) -> None:
    (project / "lost.lpcl").write_text(
        'contract lost { evidence "x" { python "import no_such_module_at_all; report(a=1)" expect a == 1 } }'
    )
    result = verify("lost.lpcl")
    assert result.exit_code == 1
    lines = result.output.splitlines()
    assert "lost: x ... failed" in lines[1]
    assert "    it ended with exit code 1" in lines
    assert any("ModuleNotFoundError" in line for line in lines)
    assert lines[-1] == "experiments: 0 proved, 0 refuted, 1 failed, 0 unsteady, 0 not tried"
    document = json.loads(verify("lost.lpcl", "--format", "json").stdout)
    assert document["summary"]["failed"] == 1
    assert document["evidence"][0]["outcome"] == "failed"
    page = verify("lost.lpcl", "--format", "html").stdout
    assert '<span class="failed">failed</span>' in page
    verify("lost.lpcl", "--record", "kept.json")
    (record,) = json.loads((project / "kept.json").read_text())["records"].values()
    assert (record["outcome"], record["proves"]) == ("failed", [])


UNSTEADY = """contract shaky {{
  evidence "one or two" {{
    python "from pathlib import Path; seen = Path({marker!r}); report(a=2 - seen.exists()); seen.touch()"
    expect a == 1
  }}
}}
"""


def test_what_holds_when_it_is_run_once_more(project: Path) -> None:
    marker = project / "ran"
    (project / "shaky.lpcl").write_text(UNSTEADY.format(marker=str(marker)))
    result = verify("shaky.lpcl", "second")
    lines = result.output.splitlines()
    at = next(
        number for number, line in enumerate(lines) if line.startswith("shaky: one or two ... unsteady")
    )
    assert lines[at + 1 : at + 5] == [
        "    at shaky.lpcl:2",
        "    expect a == 1    (line 4)",
        "        a is 2",
        "    run once more, it held",
    ]
    assert lines[-1] == "experiments: 1 proved, 0 refuted, 0 failed, 1 unsteady, 0 not tried"
    assert result.exit_code == 0
    marker.unlink()
    assert verify("shaky.lpcl", "second", "--strict").exit_code == 1
    marker.unlink()
    alone = verify("shaky.lpcl")
    assert alone.exit_code == 2
    assert alone.output.splitlines()[-1] == "Nothing was shown: what was tried held in one of two runs."
    marker.unlink()
    assert verify("shaky.lpcl", "bad.lpcl").exit_code == 1
    marker.unlink()
    document = json.loads(verify("shaky.lpcl", "second", "--format", "json").stdout)
    assert document["summary"]["unsteady"] == 1
    (trial,) = next(item for item in document["evidence"] if item["contract"] == "shaky")["trials"]
    assert (trial["outcome"], trial["reported"]) == ("unsteady", {"a": 1})
    assert (trial["earlier"]["outcome"], trial["earlier"]["reported"]) == ("refuted", {"a": 2})
    marker.unlink()
    assert '<span class="unsteady">unsteady</span>' in verify("shaky.lpcl", "--format", "html").stdout


def test_the_list_runs_nothing(project: Path) -> None:
    marker = project / "ran"
    code = f"open({str(marker)!r}, chr(119))"
    (project / "touch.lpcl").write_text(
        f'contract touch {{ evidence "x" {{ python "{code}" expect exit_code == 0 }} }}'
    )
    result = verify("touch.lpcl", "--list")
    assert (result.exit_code, result.output) == (0, "touch: x\n    touch.lpcl:1  can be tried\n")
    assert not marker.exists()
    assert verify("touch.lpcl").exit_code == 0
    assert marker.exists()


def test_json(project: Path) -> None:  # noqa: ARG001
    result = verify("bad.lpcl", "probe", "--format", "json")
    assert result.exit_code == 1
    document = json.loads(result.stdout)
    assert document["version"] == 4
    assert document["summary"] == {"proved": 2, "refuted": 1, "failed": 0, "unsteady": 0, "not_tried": 1}
    assert document["host"]["cpus.online"] == os.cpu_count()
    by_title = {item["title"]: item for item in document["evidence"]}
    liar = by_title["one is two"]
    assert (liar["contract"], liar["file"], liar["line"], liar["outcome"]) == (
        "liar",
        "bad.lpcl",
        2,
        "refuted",
    )
    (trial,) = liar["trials"]
    assert (trial["title"], trial["reported"], trial["outcome"]) == (None, {"a": 1}, "refuted")
    assert trial["expectations"] == [
        {"text": "a == 2", "line": 4, "holds": False, "left": 1, "right": 2, "values": {}, "fault": None}
    ]
    missing = by_title["needs what is not there"]
    assert (missing["outcome"], missing["reason"]) == ("not_tried", "not-a-distribution is not installed")
    assert by_title["one is one"]["distributions"] == [
        {"name": "pytest", "needs": None, "installed": pytest.__version__, "measured": "1.0"}
    ]
    # What is run is announced all the same, where it does not disturb the document.
    assert "liar: one is two ... refuted" in result.stderr


def test_names_of_nothing(project: Path) -> None:  # noqa: ARG001
    result = verify("frist")
    assert result.exit_code == 2
    assert "there is no contract, package, file or folder 'frist'. Did you mean 'first'" in result.output


def test_a_file_that_is_not_there(project: Path) -> None:  # noqa: ARG001
    result = verify("absent.lpcl")
    assert result.exit_code == 2
    assert "no such file or folder" in result.output


def test_a_broken_contract_is_not_run(project: Path) -> None:
    (project / "broken.lpcl").write_text(BAD.replace("expect a == 2", "expect a == machine.cpu"))
    result = verify("broken.lpcl")
    assert result.exit_code == 2
    assert "unknown-figure" in result.output
    assert "Nothing was run" in result.output
    assert "Running" not in result.output


@pytest.mark.parametrize("more", [(), ("--list",)])
@pytest.mark.parametrize(
    ("text", "pattern", "told"),
    [
        (
            "resource r: count { capacity 1  sharing time  exceed degrades }",
            None,
            "There are no contracts here.",
        ),
        ("contract a { }", None, "There is no evidence to try: bare.a has none."),
        ("contract a { } contract b { }", None, "There is no evidence to try: bare.a, bare.b have none."),
        (
            "contract a { } contract b { } contract c { } contract d { }",
            None,
            "There is no evidence to try: bare.a, bare.b, bare.c and 1 more have none.",
        ),
        (
            'contract a { evidence "x" { python "pass" expect exit_code == 0 } }',
            "nothing like it",
            "There is no evidence with 'nothing like it' in its title or its contract's name.",
        ),
    ],
)
def test_no_evidence(project: Path, text: str, pattern: str | None, told: str, more: tuple[str, ...]) -> None:
    (project / "bare.lpcl").write_text(f"package bare\n{text}\n")
    options = ("-k", pattern) if pattern else ()
    result = verify("bare.lpcl", *options, *more)
    assert (result.exit_code, result.stderr, result.stdout) == (2, told + "\n", "")
    assert verify("bare.lpcl", *options, *more, "--format", "json").exit_code == 2


ABSENT = """contract absent {
  library { pypi "not-a-distribution" }
  evidence "one" { python "report(a=1)" expect a == 1 }
  evidence "two" { python "report(a=1)" expect a == 1 }
}
"""
HINT = "can be tried with '--install', which makes environments for it, or with '--python FILE'"


@pytest.mark.parametrize("output", ["text", "json"])
def test_what_could_not_be_tried_at_all_is_no_success(project: Path, output: str) -> None:
    (project / "absent.lpcl").write_text(ABSENT)
    result = verify("absent.lpcl", "--format", output)
    assert result.exit_code == 2
    assert HINT in result.stderr
    assert result.stderr.endswith("Nothing was tried.\n")


def test_what_could_not_be_tried_beside_what_could(project: Path) -> None:
    (project / "absent.lpcl").write_text(ABSENT)
    (project / "there.lpcl").write_text(
        'contract there { evidence "three" { python "report(a=1)" expect a == 1 } }'
    )
    result = verify("absent.lpcl", "there.lpcl")
    assert result.exit_code == 0
    assert HINT in result.stderr
    assert "Nothing was tried" not in result.output


def test_what_another_environment_would_not_mend(project: Path) -> None:
    (project / "lacking.lpcl").write_text(
        'contract l { evidence "x" { needs command "no-such-command" python "pass" expect exit_code == 0 } }'
    )
    result = verify("lacking.lpcl")
    assert (result.exit_code, result.stderr) == (2, "Nothing was tried.\n")


def test_interrupted_it_ends_what_it_started(project: Path) -> None:
    marker = project / "pid"
    (project / "slow.lpcl").write_text(
        f"""contract slow {{ evidence "x" {{ python \"\"\"
          import os, time
          open({str(marker)!r}, "w").write(str(os.getpid()))
          time.sleep(600)
        \"\"\" expect exit_code == 0 }} }}"""
    )
    command = subprocess.Popen(
        [sys.executable, "-m", "lpcl", "verify", "slow.lpcl"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=project,
    )
    deadline = time.monotonic() + 30
    while not (marker.exists() and marker.read_text()) and time.monotonic() < deadline:
        time.sleep(0.02)
    command.send_signal(signal.SIGINT)
    assert command.wait(timeout=30) != 0
    assert not Path(f"/proc/{marker.read_text()}").exists()
