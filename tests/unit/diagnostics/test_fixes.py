"""Fixes: safe ones are made and never make things worse; renamings say what was meant."""

from __future__ import annotations

import os
import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from lpcl import service
from lpcl.cli import cli
from lpcl.diagnostics.diagnostic import Diagnostic, Edit, Fix, FixGrade, Location, Severity
from lpcl.diagnostics.fixes import apply, edited
from lpcl.packages.writing import replace
from lpcl.service.mending import _harmless

PAGES = Path(__file__).resolve().parents[3] / "docs" / "diagnostics"


def change(start: int, end: int, text: str, grade: FixGrade = FixGrade.SAFE) -> Fix:
    """A fix of one edit."""
    return Fix("", grade, (Edit(Location("a", start, end), text),))


def test_edits_are_made_where_they_were_found() -> None:
    edits = [Edit(Location("a", 0, 1), "xyz"), Edit(Location("a", 2, 4), "")]
    assert edited("abcdef", edits) == "xyzbef"


def test_fixes_that_touch_wait() -> None:
    found = apply(
        [change(0, 2, "x"), change(1, 3, "y"), change(2, 3, "z"), change(4, 5, "")], {"a": "abcdef"}
    )
    assert (found.number, found.texts) == (2, {"a": "xcdf"})


@pytest.mark.parametrize("seed", range(20))
def test_fixes_wait_for_what_touches_them_alone(seed: int) -> None:
    chance = random.Random(seed)
    text = "".join(chance.choices("abcdef", k=60))
    fixes = []
    for number in range(40):
        start = chance.randrange(60)
        fixes.append(change(start, start + chance.randrange(min(5, 60 - start)), str(number)))
    taken: list[Edit] = []
    for fix in fixes:
        (edit,) = fix.edits
        place = edit.location
        if all(place.start > other.location.end or other.location.start > place.end for other in taken):
            taken.append(edit)
    expected = text
    for edit in sorted(taken, key=lambda item: item.location.start, reverse=True):
        expected = expected[: edit.location.start] + edit.text + expected[edit.location.end :]
    found = apply(fixes, {"a": text})
    assert (found.number, found.texts) == (len(taken), {"a": expected})


@pytest.mark.parametrize("bad", [{0}, {511}, {700, 701}, {3, 400, 999}])
def test_fixes_that_do_harm_are_found_in_few_attempts(bad: set[int]) -> None:
    fixes = [change(place, place + 1, "") for place in range(1000)]
    attempts = 0

    def attempt(some: Sequence[Fix]) -> object:
        nonlocal attempts
        attempts += 1
        return None if any(fix.edits[0].location.start in bad for fix in some) else "done"

    assert _harmless(attempt, fixes) == [fix for number, fix in enumerate(fixes) if number not in bad]
    assert attempts <= 20 * len(bad)


def test_only_safe_fixes_of_known_files_are_made() -> None:
    fixes = [
        change(0, 1, "x", FixGrade.UNSAFE),
        change(0, 1, "x", FixGrade.SHOWN),
        change(3, 99, "x"),
        Fix("", FixGrade.SAFE, (Edit(Location("a", 0, 1), "x"), Edit(Location("b", 0, 1), "x"))),
        Fix("", FixGrade.SAFE, ()),
    ]
    found = apply(fixes, {"a": "abcdef"})
    assert (found.number, found.texts) == (0, {})


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project."""
    (tmp_path / "pyproject.toml").write_text("")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*words: str) -> Result:
    """Run `lpclc check --fix`."""
    return CliRunner().invoke(cli, ["check", "--fix", *words], catch_exceptions=False)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("package p\n\nimport lpcl.core.*\n\ncontract c { }\n", "package p\n\ncontract c { }\n"),
        ("package p\r\n\r\nimport lpcl.core.*\r\n\r\ncontract c { }", "package p\r\n\r\ncontract c { }"),
        ("package p\nimport lpcl.core.*", "package p\n"),
        ("import lpcl.core.*\ncontract c { }\n", "contract c { }\n"),
        ("package p import lpcl.core.* contract c { }\n", "package p  contract c { }\n"),
        ("package p\nimport lpcl.core.* // why\ncontract c { }\n", "package p\n // why\ncontract c { }\n"),
        (
            "package p\nimport lpcl.interfaces.{blas, openmp}\ncontract c { uses openmp }\n",
            "package p\nimport lpcl.interfaces.{openmp}\ncontract c { uses openmp }\n",
        ),
        (
            "package p\nimport lpcl.interfaces.{blas, openmp}\ncontract c { uses blas }\n",
            "package p\nimport lpcl.interfaces.{blas}\ncontract c { uses blas }\n",
        ),
        (
            "package p\nimport lpcl.interfaces.{blas, openmp} import lpcl.core.*\ncontract c { }\n",
            "package p\n \ncontract c { }\n",
        ),
        (
            "package p\n// lpcl: allow(unused-let) old\ncontract c { }  // lpcl: allow(unused-let) old\n",
            "package p\ncontract c { }\n",
        ),
    ],
)
def test_what_is_not_needed_goes(folder: Path, before: str, after: str) -> None:
    (folder / "a.lpcl").write_bytes(before.encode())
    shown = run()
    assert (folder / "a.lpcl").read_bytes().decode() == after
    assert shown.exit_code == 0
    assert "1 file checked, nothing to report." in shown.stdout


def test_an_import_that_another_declaration_hides_is_kept_until_it_is_not_needed(folder: Path) -> None:
    text = "package p\nimport lpcl.core.*\ncontract c { demand memroy = 1 GiB }\n"
    (folder / "a.lpcl").write_text(text)
    assert run().exit_code == 1
    assert (folder / "a.lpcl").read_text() == text  # the import is needed once the name is right


SLIPS = """\
package p

contract c {
  control threads: count in 1..8 { env C_THREADS  default 1 }
  pool team { size thraeds  callers fork }
  operation go { runs on taem }
}
"""


def test_changes_that_may_change_the_meaning_are_made_if_they_are_wanted(folder: Path) -> None:
    file = folder / "a.lpcl"
    file.write_text(SLIPS)
    shown = run()
    assert shown.exit_code == 1
    assert "2 may be mended with --unsafe-fixes." in shown.output
    assert file.read_text() == SLIPS
    mended = run("--unsafe-fixes")
    assert mended.exit_code == 0, mended.output
    assert "2 changes in 1 file." in mended.output
    assert file.read_text() == SLIPS.replace("thraeds", "threads").replace("taem", "team")


def test_a_change_that_leads_to_a_new_error_is_not_made(folder: Path) -> None:
    text = (
        'package p\ncontract c {\n  control text: string { env C_TEXT  default "a" }\n  let a = txet + 1\n}\n'
    )
    (folder / "a.lpcl").write_text(text)
    assert run("--unsafe-fixes").exit_code == 1
    assert (folder / "a.lpcl").read_text() == text


def test_a_broken_file_does_not_hide_what_is_wrong_with_others(folder: Path) -> None:
    for name in "abc":
        (folder / f"{name}.lpcl").write_text(
            f"package p\nimport lpcl.core.*\ncontract {name} {{ let x = 1 }}\n"
        )
    (folder / "b.lpcl").write_bytes(b"package p\ncontract b { let a = \xff \x00 {{{ demnad\n")
    (folder / "d.lpcl").write_text("package p\ncontract d { let x = nobody  uses e }\n")
    found = CliRunner().invoke(cli, ["check", "--format", "concise"]).output
    for place in ("a.lpcl:2:1: warning[unused-import]", "a.lpcl:3:18: warning[unused-let]",
                  "c.lpcl:3:18: warning[unused-let]", "d.lpcl:2:22: error[unknown-name]"):  # fmt: skip
        assert place in found
    assert "b.lpcl:2:" in found


def test_a_fix_that_would_do_harm_is_not_made(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (
        "package p\nimport lpcl.core.*\nimport lpcl.interfaces.blas\ncontract c { demand memory = 1 GiB }\n"
    )
    (folder / "a.lpcl").write_text(text)
    real = service.Workspace.diagnostics.func  # type: ignore[attr-defined]

    def with_a_bad_fix(workspace: service.Workspace) -> object:
        found = list(real(workspace))
        text = workspace.texts["a.lpcl"]
        if "import lpcl.core.*" in text:
            start = text.index("import lpcl.core.*")
            bad = Fix("", FixGrade.SAFE, (Edit(Location("a.lpcl", start, start + 18), ""),))
            place = Location("a.lpcl", start, start + 18)
            found.append(Diagnostic("unused-import", Severity.WARNING, "wrong", place, fix=bad))
        return tuple(found)

    monkeypatch.setattr(service.Workspace, "diagnostics", property(with_a_bad_fix))
    mended = service.mend()
    assert mended.texts == {"a.lpcl": text.replace("import lpcl.interfaces.blas\n", "")}
    assert mended.number == 1


def test_a_file_is_replaced_as_a_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.lpcl"
    path.write_bytes(b"\xef\xbb\xbfone\r\n")
    path.chmod(0o640)
    link = tmp_path / "link.lpcl"
    link.symlink_to(path)
    assert replace(str(link), "one\r\n", "zwei\r\n") is None
    assert path.read_bytes() == b"\xef\xbb\xbfzwei\r\n"
    assert path.stat().st_mode & 0o777 == 0o640
    assert link.is_symlink()
    assert replace(str(path), "one\r\n", "three") == "it has changed in the meantime"
    assert replace(str(tmp_path / "gone"), "", "") == "No such file or directory"
    assert sorted(os.listdir(tmp_path)) == ["a.lpcl", "link.lpcl"]


def test_a_file_that_cannot_be_written_is_said(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "a.lpcl").write_text("package p\nimport lpcl.core.*\n")

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "replace", refuse)
    shown = run()
    assert shown.exit_code == 2
    assert "a.lpcl is left as it was: Permission denied" in shown.stderr
    assert sorted(os.listdir(folder)) == ["a.lpcl", "pyproject.toml"]


def test_renamings_mend_what_they_are_for(tmp_path: Path) -> None:
    """Each renaming that a wrong example of a page offers takes its finding away."""
    number = 0
    for page in sorted(PAGES.glob("*.md")):
        text = page.read_text(encoding="utf-8")
        if "## Wrong\n\n```lpcl\n" not in text or "// file:" in text:
            continue
        body = text.partition("## Wrong\n\n```lpcl\n")[2].partition("```\n")[0]
        path = tmp_path / "example.lpcl"
        path.write_text(body, encoding="utf-8")
        for item in service.open_workspace([str(path)]).diagnostics:
            if item.fix is None or item.fix.grade is not FixGrade.UNSAFE:
                continue
            number += 1
            assert item.fix.title.startswith(("write `", "import `"))
            path.write_text(edited(body, item.fix.edits), encoding="utf-8")
            after = service.open_workspace([str(path)]).diagnostics
            assert (item.code, item.headline) not in {(one.code, one.headline) for one in after}, page.stem
    assert number >= 5
