"""What is made of an edited text step by step is what is made of it from scratch.

Texts are edited as people do it, and as they never would; after each edit the tree, with every position, the
comments, the faults and all findings are held against those of a fresh parse and a fresh check. Long runs:
LPCL_EXAMPLES=N.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lpcl.service import Session, Workspace, open_workspace
from lpcl.syntax import nodes
from lpcl.syntax.incremental import reparse
from lpcl.syntax.parser import Parsed, parse
from lpcl.syntax.span import Span

EXAMPLES = os.environ.get("LPCL_EXAMPLES")
ROOT = Path(__file__).resolve().parents[2]
CORPUS = [
    text
    for path in (
        *sorted((ROOT / "stdlib_contracts").rglob("*.lpcl")),
        *sorted((ROOT / "tests").rglob("*.lpcl")),
    )
    if len(text := path.read_text(encoding="utf-8")) < 6000
]

PROJECT = {
    "base.lpcl": """\
package own.base

import lpcl.core.*

/// Buffers of a fixed table.
resource buffers: count { capacity 64  sharing space  exceed fails }

interface store {
  control size: bytes
  operation put(n: count = 1)
}

@since("1.0")
contract disk implements store {
  library { pypi "disk" ">=1" }
  control size: bytes { env DISK_SIZE, CACHE_SIZE  default 64 MiB  invalid clamps }
  control depth: count in 1..8 { api "disk.depth"  default 2 }
  pool writers { size depth  callers queue  created at load }
  demand memory = size
  operation put(n: count = 1) { runs on writers with size = n  demand buffers = n }
  signal waiting: share = process.run_delay / process.run_time
    indicates cpu when waiting > 20%
}
""",
    "lib.lpcl": """\
package own.lib

import lpcl.core.*
import own.base.{disk, store, buffers}
import own.base.*

contract fast {
  uses disk: store = disk
  // lpcl: allow(unused-let) kept for a moment
  let spare = 3
  control jobs: count in 1..64 { env JOBS  default min(machine.cpus.online, 64) }
  control mode: {eager, lazy} { env FAST_MODE  default lazy }
  demand memory = 2 MiB * jobs  // each holds two
  on load { set default CACHE_SIZE = 32 MiB  limit disk.size = 16 MiB }
  operation go(n: count, block: bytes = 64 KiB) {
    let each = max(1, jobs div n)
    workers processes each when mode == eager { set JOBS = 1  limit disk.size = block }
    calls disk.put(n = each)
  }
}

contract faster extends fast {
  control jobs: count in 1..8 { env JOBS  default 4 }
  hazard "too fast" hangs when jobs > 6
}

resource lanes: count { capacity 4  sharing time  exceed degrades }
""",
    "app.lpcl": """\
package own.app

import own.lib.fast
import own.lib.{faster, lanes}
import own.base.disk

machine small { cpus.online = 4  memory.total = 8 GiB }

application main {
  machine small
  use fast { disk = disk }, disk
  env JOBS = 4
  control n: count in 1..16 { argument "-n"  default 8 }
  run {
    fast.load
    fast.go(n = n) { disk.put(n = 2) }
    together { disk.put  disk.put }
  }
  command "python main.py"
  measure time
}

test "it fits" {
  check main
  env FAST_MODE = lazy
  expect clean
  expect value fast.jobs = 4
}
""",
}

TOKEN = re.compile(r'"""(?s:.*?)"""|"[^"\n]*"|//[^\n]*|\w+|[ \t]+|\n|[^\w\s]')
SNIPPETS = [
    *'{}"().,:=@*/-+<>\n x1',
    '"""',
    "/*",
    "*/",
    "//",
    "/// ",
    "// lpcl: allow(unused-control) so it is\n",
    "\r\n",
    "\ufeff",
    "} contract other {",
    "contract other {}\n",
    "control more: count { default 3 }\n",
    "demand memory = 3 MiB\n",
    "demand buffers = jobs\n",
    "let more = more\n",
    "extends faster ",
    "import own.base.*\n",
    "import own.nothing.*\n",
    "package own.base\n",
    '@deprecated("no more")\n',
    "uses fast: fast = faster\n",
    'assume jobs > 1 else "no"\n',
    "env CACHE_SIZE, JOBS\n",
    'test "it fits" { check main  expect clean }\n',
    "resource memory: bytes { capacity 1 B  sharing space  exceed fails }\n",
    "pool p { size 1 }\n",
    "limit disk.size = 1 MiB\n",
]
NAMES = ["disk", "fast", "faster", "jobs", "size", "store", "buffers", "put", "go", "main", "lanes", "mode"]

KINDS = [
    "insert",
    "delete",
    "replace",
    "token",
    "double",
    "line",
    "repeat",
    "swap",
    "rename",
    "block",
    "undo",
    "write",
]


def edited(text: str, before: str, kind: str, place: int, size: int, snippet: str) -> str:
    """The text after one edit; `place` and `size` are any numbers, `before` is what it was an edit ago."""
    at = place % (len(text) + 1)
    if kind == "insert":
        return text[:at] + snippet + text[at:]
    if kind == "delete":
        return text[:at] + text[at + size % 40 + 1 :]
    if kind == "replace":
        return text[:at] + snippet[:1] + text[at + 1 :]
    if kind == "undo":
        return before
    if kind == "rename":
        name = NAMES[size % len(NAMES)]
        return re.sub(rf"\b{name}\b", snippet.strip() or "other", text, count=place % 3)
    if kind == "write":
        return text.replace(snippet, "") if snippet.strip() else text + snippet
    if kind in ("line", "repeat", "swap", "block"):
        lines = text.splitlines(keepends=True) or [""]
        first, second = place % len(lines), size % len(lines)
        if kind == "line":
            del lines[first]
        elif kind == "block":
            del lines[first : first + size % 12 + 2]
        elif kind == "repeat":
            lines.insert(second, lines[first])
        else:
            lines[first], lines[second] = lines[second], lines[first]
        return "".join(lines)
    tokens = list(TOKEN.finditer(text))
    if not tokens:
        return snippet
    found = tokens[place % len(tokens)]
    return text[: found.start()] + (found[0] * 2 if kind == "double" else "") + text[found.end() :]


edits = st.tuples(
    st.sampled_from(KINDS), st.integers(0, 9999), st.integers(0, 9999), st.sampled_from(SNIPPETS)
)


def tree(value: object) -> object:
    """A node with all its fields, also those that comparing nodes leaves out."""
    if isinstance(value, nodes.Node):
        return type(value).__name__, *(tree(getattr(value, name)) for name in type(value)._every)
    if isinstance(value, tuple):
        return tuple(tree(item) for item in value)
    return (value.start, value.end) if isinstance(value, Span) else value


def whole(parsed: Parsed) -> tuple[object, ...]:
    return tree(parsed.file), parsed.comments, parsed.faults, parsed.lost


@given(st.data())
@settings(max_examples=int(EXAMPLES or 40))
def test_trees(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from([*CORPUS, *PROJECT.values()]), label="text")
    if data.draw(st.booleans()):
        text += "\n" + data.draw(st.sampled_from(CORPUS))
    parsed, before = parse(text), text
    for edit in data.draw(st.lists(edits, min_size=1, max_size=12), label="edits"):
        now = edited(text, before, *edit)
        parsed = reparse(parsed, text, now)
        assert whole(parsed) == whole(parse(now))
        text, before = now, text


FOUND = {
    "what was first on its line is so no more": (
        "/// Words.\ncontract a {}\ncontract b {}\n",
        "contract z {}/// Words.\ncontract a {}\ncontract b {}\n",
    ),
    "what was not first on its line is so now": (
        "contract y {}\ncontract z {} /// Words.\ncontract a {}\ncontract b {}\n",
        "contract y {}\n /// Words.\ncontract a {}\ncontract b {}\n",
    ),
    "documentation that lies in what is read again": (
        "contract a { let }\n/// Words.\ncontract b {}\ncontract c {}\n",
        "contract a { let \n/// Words.\ncontract b {}\ncontract c {}\n",
    ),
    "a declaration right behind a fault": (
        "contract a {}\ncontract b { let }contract c {}\n",
        "contract a {}\ncontract b { let } /// c\ncontract c {}\n",
    ),
    "a line that is indented otherwise": (
        "contract a {}\ncontract b {}  contract c { let = 1\n  let y = 2 }\n",
        "contract a {} contract b {}  contract c { let = 1\n  let y = 2 }\n",
    ),
    "the mark of an encoding": ("/// a\ncontract a {}\n", "\ufeff/// a\ncontract a {}\n"),
    "a text that is closed later": (
        'contract a { api """x"""\n}\ncontract b { api """y"""\n}\n',
        'contract a { api """x""\n}\ncontract b { api """y"""\n}\n',
    ),
}
"""Edits that once came out otherwise, and their kin."""


@pytest.mark.parametrize("name", FOUND)
def test_edits_that_came_out_otherwise(name: str) -> None:
    before, after = FOUND[name]
    assert whole(reparse(parse(before), before, after)) == whole(parse(after))
    assert whole(reparse(parse(after), after, before)) == whole(parse(before))


def states(workspace: Workspace) -> Iterator[object]:
    yield workspace.diagnostics
    yield workspace.suppressed
    for file in workspace.files:
        yield file.path, file.text, whole(file.parsed)
    yield workspace.missing


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("project")
    for name, text in PROJECT.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@given(
    first=st.sampled_from([None, *CORPUS]),
    steps=st.lists(st.tuples(st.sampled_from(sorted(PROJECT)), edits), min_size=1, max_size=10),
)
@settings(max_examples=int(EXAMPLES or 25))
def test_findings(
    project: Path, first: str | None, steps: list[tuple[str, tuple[str, int, int, str]]]
) -> None:
    session = Session()
    texts = {str(project / name): text for name, text in PROJECT.items()}
    if first is not None:
        texts[str(project / "lib.lpcl")] += re.sub(r"(?m)^(package|import) .*", "", first)
    before = dict(texts)
    for roots in ([str(project)], [str(project / "app.lpcl")]):
        assert list(states(session.open(roots, texts))) == list(states(open_workspace(roots, texts)))
    for name, edit in steps:
        path = str(project / name)
        texts[path], before[path] = edited(texts[path], before[path], *edit), texts[path]
        for roots in ([str(project)], [str(project / "app.lpcl")]):
            assert list(states(session.open(roots, texts))) == list(states(open_workspace(roots, texts)))
