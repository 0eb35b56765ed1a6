"""Quick fixes as an editor gets them."""

from __future__ import annotations

from pathlib import Path

from lsprotocol import types

from lsp_server.features.actions import FIX_ALL, actions
from lsp_server.features.diagnostics import findings
from lsp_server.positions import Positions
from tests.lsp.conftest import BLAS, Editor

UNUSED = "import lpcl.interfaces.openmp\n"


def applied(text: str, edits: list[types.TextEdit]) -> str:
    positions = Positions(text)
    for edit in sorted(edits, key=lambda item: positions.offset(item.range.start), reverse=True):
        start, end = positions.offset(edit.range.start), positions.offset(edit.range.end)
        text = text[:start] + edit.new_text + text[end:]
    return text


def offered(
    folder: Path, text: str, piece: str, *only: str
) -> tuple[list[types.CodeAction], dict[str, str], list[types.Diagnostic]]:
    """The actions at a piece of a text, and the text after each of them by its title."""
    _, view, documents = Editor(folder).view("a.lpcl", text)
    start = text.index(piece)
    positions = Positions(text)
    place = types.Range(positions.position(start), positions.position(start + len(piece)))
    shown = list(findings(view, documents.uri)[view.path])
    found = actions(view, place, types.CodeActionContext(shown, list(only) or None), documents.uri)
    after = {}
    for item in found:
        assert item.edit is not None
        assert item.edit.changes is not None
        ((uri, edits),) = item.edit.changes.items()
        assert uri == documents.uri(view.path)
        after[item.title] = applied(text, list(edits))
    return found, after, shown


def test_a_safe_fix_is_preferred_and_belongs_to_its_finding(tmp_path: Path) -> None:
    text = BLAS.replace("import lpcl.core.*\n", f"import lpcl.core.*\n{UNUSED}")
    found, after, shown = offered(tmp_path, text, UNUSED.strip())
    assert [item.title for item in found] == ["Remove the import", "Make all safe changes"]
    assert after["Remove the import"] == after["Make all safe changes"] == BLAS
    assert found[0].is_preferred
    assert found[0].diagnostics == [item for item in shown if item.code == "unused-import"]


def test_a_fix_that_may_change_the_meaning_says_so(tmp_path: Path) -> None:
    text = BLAS.replace("size threads", "size thraeds")
    found, after, _ = offered(tmp_path, text, "thraeds")
    assert [item.title for item in found] == ["Write `threads` (may change the meaning)"]
    assert not found[0].is_preferred
    assert after == {found[0].title: BLAS}


def test_behind_an_emoji(tmp_path: Path) -> None:
    text = BLAS.replace("pool workers { size threads", "/* \U0001f600é */ pool workers { size thraeds")
    _, after, _ = offered(tmp_path, text, "thraeds")
    assert list(after.values()) == [text.replace("thraeds", "threads")]


def test_nothing_elsewhere(tmp_path: Path) -> None:
    text = BLAS.replace("size threads", "size thraeds")
    assert offered(tmp_path, text, "let half")[0] == []


def test_only_the_kinds_that_are_asked_for(tmp_path: Path) -> None:
    text = BLAS.replace("import lpcl.core.*\n", f"import lpcl.core.*\n{UNUSED}")
    quick = offered(tmp_path, text, UNUSED.strip(), "quickfix")[0]
    assert [item.kind for item in quick] == [types.CodeActionKind.QuickFix]
    for kind in ("source", "source.fixAll", FIX_ALL):
        assert [item.kind for item in offered(tmp_path, text, "let half", kind)[0]] == [FIX_ALL]
    assert offered(tmp_path, text, UNUSED.strip(), "refactor")[0] == []
