"""`docs/reports.md` says of every field report where it is written, or why it cannot be said yet.

`pytest --update-golden` writes the page anew.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[2]
REPORTS = ROOT / "tests" / "reports"
PAGE = ROOT / "docs" / "reports.md"
SECTION = re.compile(r"^// -{8,} (\S+)$", re.MULTILINE)
APPLICATION = re.compile(r"^((?:/// .*\n)*)(?:@source\([^)]*\)\n)?application (\w+)", re.MULTILINE)
TEST = re.compile(r'^test "([^"]+)"', re.MULTILINE)

NOT_YET: dict[str, str] = {}
"""Reports whose verdict cannot be had yet, each with the reason."""

HEAD = """# Field reports

What went wrong, or was feared and did not, on real machines: issues, answers and manuals that name
libraries, a machine, a configuration and what came of it. Each report that the language can say is an
application with the report's own machine and configuration, and a test of what LPCL has to find in it;
`lpclc test tests/reports` runs them all. Reports whose verdict is `no_conflict` look like trouble and are
none: there, no alarm may be raised. Where a report gives no figures, the application says which ones it
assumes.

The verdict is the report's. `tests/reports/reports.yaml` has its symptom, its arithmetic and the right
answer.

"""


def places() -> dict[str, tuple[str, dict[str, str], list[str]]]:
    """For each report that is written: its file, its applications and what they are, its tests."""
    found: dict[str, tuple[str, dict[str, str], list[str]]] = {}
    for path in sorted(REPORTS.glob("*.lpcl")):
        _, *parts = SECTION.split(path.read_text(encoding="utf-8"))
        for name, body in zip(parts[::2], parts[1::2], strict=True):
            assert name not in found, f"{name} is written twice"
            applications = {
                application: " ".join(doc.replace("///", " ").split())
                for doc, application in APPLICATION.findall(body)
            }
            found[name] = (path.name, applications, TEST.findall(body))
    return found


def first_sentence(text: str) -> str:
    """What an application is, in its first sentence."""
    return re.split(r"(?<=[A-Za-z)0-9])\. (?=[A-Z])", text, maxsplit=1)[0].rstrip(".") + "."


def page(reports: list[dict[str, Any]]) -> str:
    """The page as it has to be."""
    written = places()
    rows = [
        "| what it is | resource | verdict | application | report |",
        "|---|---|---|---|---|",
    ]
    for report in sorted(reports, key=lambda item: (item["resource"], item["id"])):
        name = report["id"]
        if name in NOT_YET:
            continue
        file, applications, _ = written[name]
        shown = ", ".join(f"`{item}`" for item in applications)
        about = first_sentence(next(iter(applications.values())))
        rows.append(
            f"| {about} | {report['resource']} | {report['verdict']} | {shown} in "
            f"[{file}](../tests/reports/{file}) | [{name}]({report['source']['url']}) |"
        )
    said = len(reports) - len(NOT_YET)
    count = f"{said} of the {len(reports)} reports are said, {len(NOT_YET)} not yet.\n\n"
    later = ["| report | why it cannot be said |", "|---|---|"]
    later += [f"| {name} | {reason} |" for name, reason in sorted(NOT_YET.items())]
    rest = "\n".join(later) if NOT_YET else "None: every report can be said."
    return HEAD + count + "\n".join(rows) + "\n\n## Not yet\n\n" + rest + "\n"


def collected() -> list[dict[str, Any]]:
    """The reports as they were collected."""
    found: list[dict[str, Any]] = yaml.safe_load((REPORTS / "reports.yaml").read_text(encoding="utf-8"))
    return found


def test_every_report_is_written_or_has_a_reason() -> None:
    names = {report["id"] for report in collected()}
    assert names - set(places()) - set(NOT_YET) == set()
    assert {*places(), *NOT_YET} <= names


def test_every_written_report_has_an_application_and_a_test() -> None:
    bare = [name for name, (_, applications, tests) in places().items() if not applications or not tests]
    assert bare == []


def test_every_application_says_what_it_is() -> None:
    applications = [one for _, mine, _ in places().values() for one in mine.items()]
    assert [name for name, about in applications if not about] == []
    relative = ("The same", "With", "Without", "On a machine of", "The other", "After", "One copy")
    assert [name for name, about in applications if about.startswith(relative) and len(about) < 60] == []


def test_page_is_current(golden: Callable[[Path, str], None]) -> None:
    golden(PAGE, page(collected()))
