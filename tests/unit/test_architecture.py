"""The walls of the house: which part may import which, and what must not be loaded at the start."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
OURS = ("lpcl", "lsp_server")

ALLOWED: dict[str, set[str]] = {
    "lpcl.syntax": {"lpcl.grammar"},
    "lpcl.diagnostics": {"lpcl.cache"},
    "lpcl.model": {"lpcl.cache", "lpcl.syntax"},
    "lpcl.cache": set(),
    "lpcl.packages": {"lpcl.cache", "lpcl.syntax", "lpcl.model", "lpcl.diagnostics"},
    "lpcl.check": {"lpcl.syntax", "lpcl.model", "lpcl.diagnostics", "lpcl.packages"},
}
"""What the parts at the bottom may import of ours, besides themselves."""

FRONTS = ("lpcl.cli", "lsp_server")
BEHIND = (
    "lpcl.check",
    "lpcl.packages",
    "lpcl.syntax.parser",
    "lpcl.compose.elaborate",
    "lpcl.compose.meaning",
    "lpcl.ranges",
    "lpcl.compat.compare",
    "lpcl.compat.sides",
)
"""What the fronts reach through `lpcl.service` alone."""

STARTERS = ("lpcl.tune", "lpcl.verify", "lpcl.scan.watching", "lpcl.compat.revision")
"""Who starts processes: the last one `git`, to read, and never anything of a contract or an application."""

STARTING = {"subprocess", "multiprocessing", "pty", "concurrent.futures"}
SOLVING = ("lpcl.compose", "lpcl.compat")


def module_name(path: Path) -> str:
    """The dotted name of a source file."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def sources() -> dict[str, Path]:
    """All modules of ours by name."""
    return {module_name(path): path for top in OURS for path in sorted((ROOT / top).rglob("*.py"))}


def imports(name: str, *, top_only: bool = False) -> Iterator[str]:
    """The modules that a module imports; with `top_only` those that it imports when it is loaded itself."""
    tree = ast.parse(sources()[name].read_text(encoding="utf-8"))
    package = name if sources()[name].name == "__init__.py" else name.rpartition(".")[0]
    stack: list[ast.AST] = [tree]
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*above, *([base] if base else [])])
            for alias in node.names:
                full = f"{base}.{alias.name}"
                yield full if full in sources() else base
        elif top_only and isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        elif top_only and isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            stack.extend(node.orelse)
            continue
        stack.extend(ast.iter_child_nodes(node))


def within(name: str, part: str) -> bool:
    """Whether a module belongs to a part."""
    return name == part or name.startswith(part + ".")


@pytest.mark.parametrize("part", sorted(ALLOWED))
def test_lower_parts_import_only_what_is_below_them(part: str) -> None:
    wrong = [
        f"{name} imports {target}"
        for name in sources()
        if within(name, part)
        for target in imports(name)
        if any(within(target, top) for top in OURS)
        and target != "lpcl"
        and not any(within(target, allowed) for allowed in (part, *ALLOWED[part]))
    ]
    assert wrong == []


@pytest.mark.parametrize("front", FRONTS)
def test_fronts_go_through_the_service(front: str) -> None:
    wrong = [
        f"{name} imports {target}"
        for name in sources()
        if within(name, front)
        for target in imports(name)
        if any(within(target, part) for part in BEHIND)
    ]
    assert wrong == []


def test_rules_and_questions_go_one_way() -> None:
    below = ("lpcl.check", "lpcl.compose", "lpcl.packages", "lpcl.model", "lpcl.syntax")
    wrong = [
        f"{name} imports {target}"
        for name in sources()
        if any(within(name, part) for part in below)
        for target in imports(name)
        if within(target, "lpcl.ranges") or within(target, "lpcl.compat")
    ]
    assert wrong == []


def test_nothing_imports_the_fronts() -> None:
    wrong = [
        f"{name} imports {target}"
        for name in sources()
        for target in imports(name)
        if any(within(target, front) and not within(name, front) for front in FRONTS)
        and name != "lpcl.__main__"
    ]
    assert wrong == []


def test_the_solver_stays_with_the_composer() -> None:
    wrong = [
        name
        for name in sources()
        if any(within(target, "z3") for target in imports(name))
        and not any(within(name, part) for part in SOLVING)
    ]
    assert wrong == []


def test_the_solver_is_loaded_when_it_is_asked() -> None:
    assert [name for name in sources() if "z3" in set(imports(name, top_only=True))] == []


@pytest.mark.parametrize(
    ("library", "part"), [("pygls", "lsp_server"), ("lsprotocol", "lsp_server"), ("textx", "lpcl.syntax")]
)
def test_a_library_stays_in_its_part(library: str, part: str) -> None:
    wrong = [
        name
        for name in sources()
        if any(within(target, library) for target in imports(name)) and not within(name, part)
    ]
    assert wrong == []


def test_only_what_is_there_to_run_programs_starts_processes() -> None:
    wrong = [
        f"{name} imports {target}"
        for name in sources()
        for target in imports(name)
        if target in STARTING and within(name, "lpcl") and not any(within(name, part) for part in STARTERS)
    ]
    assert wrong == []


OF_WORDS = {f"os.path.{word}" for word in ("abspath", "dirname", "join", "normpath", "relpath")}
OF_WORDS |= {"os", "os.path", "os.sep", "os.getcwd"}
"""What is told from the words of a path, and the current folder, which is part of each command."""


def test_a_check_learns_of_the_world_where_it_is_remembered() -> None:
    parts = ("lpcl.check", "lpcl.packages", "lpcl.model", "lpcl.syntax", "lpcl.diagnostics")
    fronts = ("lpcl.service", "lpcl.cli.check")
    unused = ("lpcl.packages.writing", "lpcl.model.host", "lpcl.model.cgroups", "lpcl.syntax.generate")
    counted = ("lpcl.diagnostics.pages",)  # the tool's own files, which are part of each command
    wrong = [
        f"{name} uses {used}"
        for name, path in sources().items()
        if any(within(name, part) for part in (*parts, *fronts)) and name not in (*unused, *counted)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        for used in [ast.unparse(node) if isinstance(node, ast.Name | ast.Attribute) else ""]
        if "(" not in used and used not in OF_WORDS and (used in ("open", "Path") or within(used, "os"))
    ]
    assert wrong == []


def test_no_modules_import_each_other_in_a_circle() -> None:
    graph = {
        name: {target for target in imports(name, top_only=True) if target in sources() and target != name}
        for name in sources()
    }
    done: set[str] = set()
    path: list[str] = []

    def visit(name: str) -> None:
        if name in path:
            pytest.fail("circle: " + " -> ".join([*path[path.index(name) :], name]))
        if name not in done:
            path.append(name)
            for target in sorted(graph[name]):
                visit(target)
            path.pop()
            done.add(name)

    for name in graph:
        visit(name)


@pytest.mark.parametrize(
    ("statement", "kept_out"),
    [
        ("import lpcl.__main__", {"click", "typing", "re", "dataclasses", "json", "hashlib", "lpcl.cli"}),
        ("import lpcl.cli", {"z3", "textx", "networkx", "rich", "pygls", "psutil", "lpcl.service"}),
        (
            "import lpcl.cli.check",
            {"z3", "textx", "networkx", "rich", "pygls", "psutil", "lpcl.compose.meaning"},
        ),
    ],
)
def test_little_is_loaded_at_the_start(statement: str, kept_out: set[str]) -> None:
    code = f"import sys; {statement}; print(' '.join(sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert kept_out & set(run.stdout.split()) == set()
