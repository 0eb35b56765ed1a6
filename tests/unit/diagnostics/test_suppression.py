"""Comments that allow findings, and what is said about the comments themselves."""

from __future__ import annotations

from pathlib import Path

import pytest

from lpcl.service import Workspace, open_workspace

HEAD = "package p\ncontract solver { control threads: count in 1..4 { env SOLVER_THREADS  default 1 } }\n"


def opened(folder: Path, text: str, configuration: str = "") -> Workspace:
    """The workspace of a text in a project of its own."""
    (folder / "pyproject.toml").write_text(configuration)
    (folder / "a.lpcl").write_text(HEAD + text)
    return open_workspace([str(folder)])


def codes(folder: Path, text: str, configuration: str = "") -> list[str]:
    """The codes that are reported."""
    return [item.code for item in opened(folder, text, configuration).diagnostics]


def application(line: str, before: str = "", after: str = "") -> str:
    """An application with one line of its own."""
    return f"application a {{\n  use solver\n{before}  {line}\n{after}  run {{ solver.load }}\n}}\n"


@pytest.mark.parametrize(
    "text",
    [
        application("env NOBODY = 1  // lpcl: allow(unknown-variable) read by a plug-in"),
        application("env NOBODY = 1", before="  // lpcl: allow(unknown-variable) read by a plug-in\n"),
        application("env NOBODY = 1", before="  // lpcl: allow(unknown-variable): why\n\n  // more\n"),
        application("env NOBODY = 1", before="\t//lpcl:allow( unknown-variable ) – why\n"),
        "// lpcl: allow-file(unknown-variable) tried out\n" + application("env NOBODY = 1"),
        application("env NOBODY = 1", after="  // lpcl: allow-file(unknown-variable) tried out\n"),
        "// lpcl: allow(unknown-annotation) of another tool\n@odd @since\n" + application(""),
        '// lpcl: allow(unknown-annotation) of another tool\n@since("1")\n@odd\n' + application(""),
        "@odd // lpcl: allow(unknown-annotation) of another tool\n" + application(""),
    ],
)
def test_allowed(tmp_path: Path, text: str) -> None:
    found = opened(tmp_path, text.replace("@odd @since\n", "@odd\n"))
    assert found.diagnostics == ()
    (allowed,) = found.suppressed
    assert allowed.reason
    assert allowed.diagnostic.code.startswith("unknown-")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (application("env NOBODY = 1  // lpcl: allow(unknown-variable)"), ["suppression-without-reason"]),
        (application("// lpcl: allow(unknown-variable) why"), ["unused-suppression"]),
        (
            application("env NOBODY = 1", after="  // lpcl: allow(unknown-variable) below\n"),
            ["unknown-variable", "unused-suppression"],
        ),
        (
            application("env NOBODY = 1  // lpcl: allow(unknown-variable, unknown-annotation) why"),
            ["unused-suppression"],
        ),
        (
            application("env NOBODY = 1  // lpcl: allow(unknwon-variable) why"),
            ["unknown-variable", "unused-suppression"],
        ),
        (
            application("env NOBODY = nobody  // lpcl: allow(unknown-name) why", after=""),
            ["unknown-variable", "unknown-name", "unused-suppression"],
        ),
        (application("// lpcl: allow(overcommit) known"), ["unused-suppression"]),
        (application("// lpcl: ignore"), ["unused-suppression"]),
        (application("// lpcl: allow() why"), ["unused-suppression"]),
        (application("/* lpcl: allow(unknown-variable) */"), []),
        (application("/// lpcl: allow(unknown-variable)"), []),
        ('contract c { let a = "// lpcl: allow(x)" }\n', []),
    ],
)
def test_reported(tmp_path: Path, text: str, expected: list[str]) -> None:
    found = [code for code in codes(tmp_path, text) if code != "unused-let"]
    assert sorted(found) == sorted(expected)


def test_a_broken_file_has_no_unused_ones(tmp_path: Path) -> None:
    assert codes(tmp_path, application("env NOBODY =  // lpcl: allow(unknown-variable) why")) == ["syntax"]


def test_help_offers_the_code_that_was_meant(tmp_path: Path) -> None:
    found = opened(tmp_path, application("env NOBODY = 1  // lpcl: allow(unknwon-variable) why"))
    assert "did you mean `unknown-variable`?" in {item.help for item in found.diagnostics}


def test_severities_of_the_project(tmp_path: Path) -> None:
    text = application("env NOBODY = 1")
    table = "[tool.lpcl.severity]\nunknown-variable = "
    assert codes(tmp_path, text, f'{table}"off"\n') == []
    for level in ("info", "warning", "error"):
        workspace = opened(tmp_path, text, f'{table}"{level}"\n')
        assert [item.severity.value for item in workspace.diagnostics] == [level]
        assert workspace.errors == ()


def test_the_nearest_project_decides(tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    (inner / "b.lpcl").write_text(HEAD.replace("package p", "package q") + application("env NOBODY = 1"))
    (inner / "pyproject.toml").write_text("")
    outer = '[tool.lpcl.severity]\nunknown-variable = "off"\n'
    workspace = opened(tmp_path, application("env NOBODY = 1"), outer)
    assert [Path(item.location.path).name for item in workspace.diagnostics] == []
    both = open_workspace([str(tmp_path / "a.lpcl"), str(inner)])
    assert [Path(item.location.path).name for item in both.diagnostics] == ["b.lpcl"]


def test_an_allowed_finding_is_allowed_whatever_its_severity(tmp_path: Path) -> None:
    text = application("env NOBODY = 1  // lpcl: allow(unknown-variable) why")
    for level in ("off", "error"):
        assert codes(tmp_path, text, f'[tool.lpcl.severity]\nunknown-variable = "{level}"\n') == []
