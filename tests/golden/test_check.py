"""What a person sees of each finding; `pytest --update-golden` writes the files anew."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from lpcl import __version__
from lpcl.cli import cli
from lpcl.diagnostics.codes import CODES

ROOT = Path(__file__).resolve().parents[2]
HERE = ROOT / "tests" / "golden" / "check"
PAGES = ROOT / "docs" / "diagnostics"
WRONG = re.compile(r"^## Wrong\n+```lpcl\n(.*?)^```$", re.DOTALL | re.MULTILINE)
FILE = re.compile(r"^// file: (\S+)\n", re.MULTILINE)

Golden = Callable[[Path, str], None]


def wrong_example(code: str) -> str | None:
    """The wrong example on a code's page, where it is one that `lpclc check` reads."""
    found = WRONG.search((PAGES / f"{code}.md").read_text(encoding="utf-8"))
    return found.group(1) if found and CODES[code].family != "composition" else None


def checked(body: str, folder: Path, monkeypatch: pytest.MonkeyPatch, *options: str) -> str:
    """What `lpclc check` prints for an example."""
    parts = FILE.split(body)
    files = {"example.lpcl": body} if len(parts) == 1 else dict(zip(parts[1::2], parts[2::2], strict=True))
    for name, text in files.items():
        (folder / name).write_bytes(text.encode())
    (folder / "pyproject.toml").write_text("")
    monkeypatch.chdir(folder)
    shown = CliRunner().invoke(cli, ["check", *options], catch_exceptions=False).output
    return shown.replace(str(ROOT), "ROOT")


@pytest.mark.parametrize("code", [code for code in sorted(CODES) if wrong_example(code)])
def test_page(code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, golden: Golden) -> None:
    body = wrong_example(code)
    assert body is not None
    golden(HERE / "pages" / f"{code}.txt", checked(body, tmp_path, monkeypatch, "--verbose"))


CASES = {
    "tabs_and_wide_characters": (
        'package 例\n\ncontract 図書館 {\n\tcontrol\tthreads: count\tin 1..4 { default\t"四"\t}\n'
        '\t/* 説明 */ assume thread > 1 else "e\u0301"\n}\n'
    ),
    "several_labels": (
        "package p\nimport lpcl.core.*\ncontract c {\n  control n: count in 1..64 { default 4 }\n"
        "  demand memory = 32 MiB + n * 2 + 1 s\n"
        "  control m: bool { default n }\n"
        "  control n: count in 1..8 { default 2 }\n}\n"
    ),
    "windows_line_ends": "package p\r\ncontract c {\r\n  let a = nothing\r\n  let b = nobody\r\n}\r\n",
    "a_long_line": "package p\ncontract c {\n  let a = " + "1 + " * 120 + "nothing" + " + 1" * 40 + "\n}\n",
    "at_the_end_of_the_text": "package p\ncontract c {",
    "several_independent_faults": (
        "package p\n\nimport lpcl.core.*\n\n"
        "contract c {\n  control threads: count in 1..64 {\n    env C_THREADS\n"
        "    defautl 4\n  }\n  pool workers { size threads  callers queue }\n  demnad memory = 3 GiB\n"
        "  operation go { runs on wrokers }\n}\n\napplication a {\n  use c\n  run { c.goo }\n"
        "  env C_THREAD = 4\n}\n"
    ),
    "a_mistake_that_shows_elsewhere": (
        "// file: a.lpcl\npackage a\nimport b.*\ncontract mine implements shared {\n"
        '  control threads: string { default "many" }\n}\n'
        "// file: b.lpcl\npackage b\ninterface shared {\n  control threads: count\n  pool team\n}\n"
    ),
}


@pytest.mark.parametrize("name", sorted(CASES))
def test_case(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, golden: Golden) -> None:
    golden(HERE / "cases" / f"{name}.txt", checked(CASES[name], tmp_path, monkeypatch))


def test_colours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, golden: Golden) -> None:
    shown = checked(CASES["several_labels"], tmp_path, monkeypatch, "--color", "always")
    golden(HERE / "cases" / "colours.txt", shown.replace("\x1b", "ESC"))


def test_json(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, golden: Golden) -> None:
    shown = checked(CASES["several_labels"], tmp_path, monkeypatch, "--format", "json")
    golden(HERE / "cases" / "several_labels.json", shown)


@pytest.mark.parametrize("output", ["concise", "jsonl", "sarif", "github", "junit"])
def test_formats(output: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, golden: Golden) -> None:
    shown = checked(CASES["several_independent_faults"], tmp_path, monkeypatch, "--format", output)
    golden(HERE / "formats" / f"{output}.txt", shown.replace(f'"{__version__}"', '"VERSION"'))
