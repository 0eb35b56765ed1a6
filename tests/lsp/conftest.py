"""A small project and the features of the server, asked without a process."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from lsprotocol import types

from lsp_server.documents import Documents
from lsp_server.features.completion import completion
from lsp_server.features.definition import definition
from lsp_server.features.hover import hover, word_help
from lsp_server.views import View, Views

BLAS = """\
package blasy

import lpcl.core.*

/// OpenBLAS with its own `pthreads` pool.
@source("OpenBLAS: runtime variables", "https://www.openblas.net")
contract openblas {
  library { pypi "numpy" ">=1.22" }

  /// Threads of the pool.
  control threads: count in 1..64 {
    env     OPENBLAS_NUM_THREADS, OMP_NUM_THREADS
    api     "openblas_set_num_threads"
    default min(machine.cpus.affinity, 64)
    read    at load
    invalid clamps
  }
  control mode: {static, dynamic} { env BLAS_MODE default static }
  let half = threads div 2
  pool workers { size threads  callers queue  caller joins }
  demand memory = 32 MiB * threads

  /// One product.
  operation matmul(n: count = 100, how: {fast, exact} = fast) { runs on workers with size = half }
  operation both { calls matmul(n = 3) }
  signal waiting: share = process.run_delay / process.run_time
    indicates cpu when waiting > 20%
}
// lpcl: allow-file(unused-control, contract-without-evidence) a sketch
"""

APPLICATION = """\
package app

import lpcl.core.*
import blasy.openblas

machine node { cpus.online = 8 }

application search {
  machine host
  use openblas
  env OMP_NUM_THREADS = 4
  control jobs: count in 1..16 { argument "-j" default 8 }
  run {
    openblas.matmul(n = jobs, how = exact)
    limit openblas.threads = 2 { openblas.both }
  }
}

test "it is safe" {
  check search
  expect safe with { jobs = 1, openblas.threads = 2, OMP_NUM_THREADS = 3 }
}
// lpcl: allow-file(unused-import) a sketch
"""


@dataclass(frozen=True)
class Editor:
    """A project on disk, one document of which is open with the text that a test gives, the cursor at `|`."""

    folder: Path

    def view(self, name: str, text: str) -> tuple[Views, View, Documents]:
        documents = Documents()
        path = documents.put((self.folder / name).as_uri(), 1, text).path
        views = Views(documents)
        view = views.view(path)
        assert view is not None
        return views, view, documents

    def at(self, name: str, marked: str) -> tuple[Views, View, Documents, int]:
        offset = marked.index("|")
        return (*self.view(name, marked[:offset] + marked[offset + 1 :]), offset)

    def hover(self, name: str, marked: str) -> str:
        _, view, _, offset = self.at(name, marked)
        found = hover(view, offset) or word_help(view, offset)
        if found is None:
            return ""
        assert isinstance(found.contents, types.MarkupContent)
        return found.contents.value

    def definition(self, name: str, marked: str) -> list[str]:
        """The places as `file:line:column`, from 1."""
        _, view, documents, offset = self.at(name, marked)
        return [
            f"{place.uri.rpartition('/')[2]}:{place.range.start.line + 1}:{place.range.start.character + 1}"
            for place in definition(view, offset, documents.uri)
        ]

    def completion(self, name: str, marked: str) -> list[str]:
        """The labels, the best first."""
        views, view, _, offset = self.at(name, marked)
        found = sorted(completion(views, view, offset), key=lambda item: item.sort_text or "")
        return [item.label for item in found]


@pytest.fixture(scope="session")
def editor(tmp_path_factory: pytest.TempPathFactory) -> Editor:
    """The project in a folder of its own."""
    folder = tmp_path_factory.mktemp("project")
    (folder / "blas.lpcl").write_text(BLAS, encoding="utf-8")
    (folder / "app.lpcl").write_text(APPLICATION, encoding="utf-8")
    return Editor(folder)


@pytest.fixture(scope="session")
def blas() -> Callable[[str, str], str]:
    """The contract with one piece replaced."""
    return lambda old, new: replaced(BLAS, old, new)


@pytest.fixture(scope="session")
def application() -> Callable[[str, str], str]:
    """The application with one piece replaced."""
    return lambda old, new: replaced(APPLICATION, old, new)


def replaced(text: str, old: str, new: str) -> str:
    """The text with the first `old` replaced, which has to be there."""
    assert old in text, old
    return text.replace(old, new, 1)
