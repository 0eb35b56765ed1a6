"""Renaming, and finding all places of a name."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types

from lpcl.service import open_workspace
from lsp_server.documents import Documents
from lsp_server.features.rename import Refused, place, references, rename
from lsp_server.views import View, Views
from tests.lsp.conftest import APPLICATION, BLAS, Editor
from tests.lsp.test_actions import applied

SHARED = """\
package shared

interface pooled { control width: count  operation go(n: count) }
contract one implements pooled {
  control width: count in 1..8 { env ONE_WIDTH  default 1 }
  operation go(n: count) { workers threads width * n }
}
contract two extends one {
  control width: count in 1..4 { env TWO_WIDTH  default 1 }
}
contract user {
  uses helper: pooled = one
  let width = 3
  operation run { let n = 2  calls helper.go(n = n + width)  limit helper.width = 2 }
}
contract other { control width: count { env OTHER_WIDTH  default 1 }  operation go { workers threads width } }
"""


class Project:
    """Files on disk, the first of them open, with the cursor at `|` in it."""

    def __init__(self, folder: Path, **texts: str) -> None:
        self.texts: dict[str, str] = {}
        (folder / "pyproject.toml").write_text("[tool.lpcl]\n")
        for name, marked in texts.items():
            self.texts[name] = marked.replace("|", "")
            (folder / f"{name}.lpcl").write_text(self.texts[name], encoding="utf-8")
        first = next(iter(texts))
        self.offset = texts[first].index("|")
        self.documents = Documents()
        self.documents.put((folder / f"{first}.lpcl").as_uri(), 1, self.texts[first])
        self.views = Views(self.documents)
        view = self.views.view(str(folder / f"{first}.lpcl"))
        assert view is not None
        self.view: View = view
        self.folder = folder

    def rename(self, name: str) -> dict[str, str]:
        """The texts after it, of those files that change; the program means what it meant."""
        edit = rename(
            self.view,
            lambda texts: self.views.project(self.view, texts),
            self.offset,
            name,
            self.documents.uri,
        )
        assert edit.changes is not None
        after = {}
        for uri, edits in edit.changes.items():
            file = Path(self.documents.path(uri))
            after[file.stem] = applied(self.texts[file.stem], list(edits))
            file.write_text(after[file.stem], encoding="utf-8")
        assert [item.headline for item in open_workspace([str(self.folder)]).errors] == []
        return after

    def references(self, *, declaring: bool = True) -> list[str]:
        found = references(
            self.view,
            lambda texts: self.views.project(self.view, texts),
            self.offset,
            self.documents.uri,
            declaring=declaring,
        )
        return [f"{Path(item.uri).stem}:{item.range.start.line + 1}" for item in found]


def marked(text: str, piece: str, inside: int = 0) -> str:
    """The text with the cursor in a piece."""
    at = text.index(piece) + inside
    return f"{text[:at]}|{text[at:]}"


def test_a_control_from_where_it_is_declared(tmp_path: Path) -> None:
    project = Project(tmp_path, blas=marked(BLAS, "threads: count"), app=APPLICATION)
    after = project.rename("team")
    assert after["app"] == APPLICATION.replace("openblas.threads", "openblas.team")
    wanted = BLAS.replace("control threads", "control team").replace("size threads", "size team")
    assert after["blas"] == wanted.replace("threads div 2", "team div 2").replace("* threads", "* team")


def test_a_control_from_where_it_is_used(tmp_path: Path) -> None:
    project = Project(tmp_path, app=marked(APPLICATION, "openblas.threads = 2 {", 10), blas=BLAS)
    assert set(project.rename("team")) == {"app", "blas"}


def test_a_contract_with_its_import_and_uses(tmp_path: Path) -> None:
    project = Project(tmp_path, app=marked(APPLICATION, "use openblas", 5), blas=BLAS)
    after = project.rename("fast_blas")
    assert after["app"] == APPLICATION.replace("openblas", "fast_blas")
    assert after["blas"] == BLAS.replace("contract openblas", "contract fast_blas")


def test_what_is_promised_and_inherited_goes_along(tmp_path: Path) -> None:
    after = Project(tmp_path, a=marked(SHARED, "width: count")).rename("size_of_team")
    head, tail = SHARED.split("contract user")
    user, other = tail.split("contract other")
    assert after["a"] == (
        head.replace(" width", " size_of_team")
        + "contract user"
        + user.replace("helper.width", "helper.size_of_team")
        + "contract other"
        + other
    )


def test_a_let_and_a_parameter_stay_within_their_operation(tmp_path: Path) -> None:
    after = Project(tmp_path, a=marked(SHARED, "n = 2")).rename("number")
    assert after["a"] == SHARED.replace("let n = 2", "let number = 2").replace(
        "n = n + width", "n = number + width"
    )


@pytest.mark.parametrize(
    ("text", "piece", "inside", "name", "says"),
    [
        (SHARED, "width = 3", 0, "helper helper", "is not a name"),
        (SHARED, "width = 3", 0, "if", "cannot be called"),
        (SHARED, "one implements", 0, "two", "cannot be called"),
        (SHARED, "n: count) { workers", 0, "width", "cannot be called"),
        (SHARED, "n = 2", 0, "width", "cannot be called"),
        (SHARED, "package shared", 0, "x", "is not named by the project"),
        (SHARED, "ONE_WIDTH", 0, "x", "is not named by the project"),
        (BLAS, "memory = 32", 0, "ram", "is not part of this project"),
    ],
)  # fmt: skip
def test_refused(tmp_path: Path, text: str, piece: str, inside: int, name: str, says: str) -> None:
    project = Project(tmp_path, a=marked(text, piece, inside))
    with pytest.raises(Refused, match=says):
        project.rename(name)


@pytest.mark.parametrize("home", ["site-packages", "dist-packages"])
def test_what_is_installed_keeps_its_names(tmp_path: Path, home: str) -> None:
    folder = tmp_path / "venv" / "lib" / home / "offering"
    folder.mkdir(parents=True)
    project = Project(folder, a="package a\ncontract a { control |width: count { env W  default 1 } }\n")
    project.documents.root = str(tmp_path)
    with pytest.raises(Refused, match="it is part of an installed package"):
        project.rename("height")


def test_the_same_name_changes_nothing(tmp_path: Path) -> None:
    assert Project(tmp_path, a=marked(SHARED, "width = 3")).rename("width") == {}


def test_what_can_be_renamed(tmp_path: Path) -> None:
    project = Project(tmp_path, a=marked(SHARED, "width = 3", 2))
    found = place(project.view, project.offset)
    assert found is not None
    assert project.view.positions.offset(found.start) == SHARED.index("width = 3")
    assert place(project.view, SHARED.index("package")) is None


def test_references(tmp_path: Path) -> None:
    project = Project(tmp_path, blas=marked(BLAS, "matmul("), app=APPLICATION)
    assert project.references() == ["app:14", "blas:24", "blas:25"]
    assert project.references(declaring=False) == ["app:14", "blas:25"]


def test_files_that_were_never_saved_count(tmp_path: Path) -> None:
    _, view, documents = Editor(tmp_path).view("blas.lpcl", BLAS)
    documents.put((tmp_path / "app.lpcl").as_uri(), 1, APPLICATION)
    views = Views(documents)
    found = rename(
        view,
        lambda texts: views.project(view, texts),
        BLAS.index("threads: count"),
        "team",
        documents.uri,
    )
    assert found.changes is not None
    assert {Path(uri).name for uri in found.changes} == {"blas.lpcl", "app.lpcl"}
    assert isinstance(found, types.WorkspaceEdit)
