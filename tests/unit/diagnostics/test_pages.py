"""Each code has a page whose wrong example gives that code alone, and whose right example is clean."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from lpcl.diagnostics.codes import CODES
from lpcl.diagnostics.diagnostic import Severity
from lpcl.service import answers_of, compose_application, open_workspace, select_application

PAGES = Path(__file__).resolve().parents[3] / "docs" / "diagnostics"
NOT_A_TEXT = {"encoding", "unreadable-file", "bad-configuration"}
"""Codes that no LPCL text can give: `test_reading.py` and `test_configuration.py` have their tests."""
COMPOSED = {name for name, code in CODES.items() if code.family == "composition"}
"""Codes that only composing an application gives."""

_BLOCK = re.compile(r"^## (Wrong|Right)\n+```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_FILE = re.compile(r"^// file: (\S+)\n", re.MULTILINE)


def examples(code: str) -> dict[str, tuple[str, str]]:
    """The examples of a page by title, each with the language of its fence."""
    text = (PAGES / f"{code}.md").read_text(encoding="utf-8")
    return {title: (language, body) for title, language, body in _BLOCK.findall(text)}


def files(body: str) -> dict[str, str]:
    """An example's files; one without `// file:` lines is a file of its own."""
    parts = _FILE.split(body)
    if len(parts) == 1:
        return {"example.lpcl": body}
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def codes_of(body: str, folder: Path, code: str) -> list[str]:
    """The codes that checking an example gives; of those that only remark, no more than `code`."""
    for name, text in files(body).items():
        (folder / name).write_text(text, encoding="utf-8")
    found = open_workspace([str(folder)]).all_diagnostics
    return [item.code for item in found if item.severity is not Severity.INFO or item.code == code]


def composed(body: str, folder: Path) -> list[str]:
    """The codes that composing the application of an example gives, refusals and findings."""
    (folder / "example.lpcl").write_text(body, encoding="utf-8")
    workspace, application = select_application(str(folder / "example.lpcl"))
    assert workspace.diagnostics == ()
    outcome = compose_application(workspace, application)
    if outcome.composition is None:
        return [item.code for item in outcome.diagnostics]
    return [item.kind.value for item in answers_of(outcome.composition).findings]


def test_every_code_has_a_page_and_every_page_a_code() -> None:
    pages = {path.stem for path in PAGES.glob("*.md")} - {"index"}
    assert pages == set(CODES)


@pytest.mark.parametrize("code", sorted(CODES))
def test_page_says_what_the_registry_says(code: str) -> None:
    text = (PAGES / f"{code}.md").read_text(encoding="utf-8")
    known = CODES[code]
    summary = known.summary[0].upper() + known.summary[1:]
    assert text.startswith(f"# {code}\n\n")
    assert f"{summary}. Family: {known.family}. Severity: {known.severity.value}.\n" in text
    assert set(examples(code)) == {"Wrong", "Right"}


@pytest.mark.parametrize("code", sorted(set(CODES) - NOT_A_TEXT - COMPOSED))
def test_wrong_example_gives_the_code_alone(code: str, tmp_path: Path) -> None:
    language, body = examples(code)["Wrong"]
    assert language == "lpcl"
    assert codes_of(body, tmp_path, code) == [code]


@pytest.mark.parametrize("code", sorted(set(CODES) - NOT_A_TEXT - COMPOSED))
def test_right_example_is_clean(code: str, tmp_path: Path) -> None:
    assert codes_of(examples(code)["Right"][1], tmp_path, code) == []


@pytest.mark.parametrize("code", sorted(COMPOSED))
def test_composing_the_wrong_example_gives_the_code_alone(code: str, tmp_path: Path) -> None:
    assert composed(examples(code)["Wrong"][1], tmp_path) == [code]


@pytest.mark.parametrize("code", sorted(COMPOSED))
def test_composing_the_right_example_finds_nothing(code: str, tmp_path: Path) -> None:
    assert composed(examples(code)["Right"][1], tmp_path) == []


def test_the_index_lists_every_code(golden: Callable[[Path, str], None]) -> None:
    lines = [
        "# Diagnostic codes",
        "",
        "What `lpclc` reports, by family. `lpclc explain CODE` prints a page.",
        "",
    ]
    for family in dict.fromkeys(code.family for code in CODES.values()):
        lines += [f"## {family}", "", "| code | severity | what it is |", "|---|---|---|"]
        lines += [
            f"| [{code.name}]({code.name}.md) | {code.severity.value} | {code.summary} |"
            for code in CODES.values()
            if code.family == family
        ]
        lines.append("")
    golden(PAGES / "index.md", "\n".join(lines))
