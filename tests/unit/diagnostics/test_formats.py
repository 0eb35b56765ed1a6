"""The formats for programs: each is well formed, whatever the findings are, and says where they stand."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree

import jsonschema
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from lpcl.cli import cli
from lpcl.diagnostics.codes import CODES
from lpcl.diagnostics.diagnostic import Diagnostic, Edit, Fix, FixGrade, Label, Location, Severity
from lpcl.diagnostics.lines import Lines
from lpcl.diagnostics.render import concise, github, junit, sarif
from lpcl.diagnostics.render import json as as_json
from tests.golden.test_check import checked, wrong_example

TEXT = "first line\nsecond 𝔸 line\n\nlast"
START = TEXT.index("line", 12)
PLACE = Location("a b.lpcl", START, START + 4)
FOUND = Diagnostic(
    "unknown-name",
    Severity.WARNING,
    "100% wrong: a, b",
    PLACE,
    labels=(Label(Location("a b.lpcl", 0, 5), "declared here"),),
    notes=("a note",),
    help="do\nbetter",
    fix=Fix("rename it", FixGrade.UNSAFE, (Edit(PLACE, "row"),)),
)
UNREAD = Diagnostic(
    "unreadable-file", Severity.ERROR, "cannot read `gone.lpcl`", Location("/x/gone.lpcl", 0, 0)
)
TEXTS = {"a b.lpcl": TEXT}

SARIF = json.loads((Path(__file__).parent / "data" / "sarif-2.1.0-rtm.5.json").read_text(encoding="utf-8"))


def valid_sarif(log: dict[str, Any]) -> None:
    """Hold a log against the schema of SARIF, and against what code scanning needs besides."""
    jsonschema.Draft4Validator(SARIF, format_checker=jsonschema.FormatChecker()).validate(log)
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert all({"shortDescription", "help"} <= rule.keys() for rule in rules)
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["locations"]
        assert result["partialFingerprints"]


def test_the_schema_refuses_what_is_not_sarif() -> None:
    log = sarif.document([FOUND], TEXTS, "1")
    log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] = 0
    with pytest.raises(jsonschema.ValidationError):
        valid_sarif(log)


def test_columns_in_utf16() -> None:
    assert Lines(TEXT).place(START) == (2, 10)
    assert Lines(TEXT).utf16(START) == (2, 11)


def test_concise() -> None:
    assert concise.render([FOUND, UNREAD], TEXTS).splitlines() == [
        "a b.lpcl:2:10: warning[unknown-name] 100% wrong: a, b",
        "/x/gone.lpcl: error[unreadable-file] cannot read `gone.lpcl`",
    ]


def test_github() -> None:
    assert github.render([FOUND, UNREAD], TEXTS).splitlines() == [
        "::warning file=a b.lpcl,line=2,endLine=2,col=10,endColumn=14,title=warning[unknown-name]"
        "::100%25 wrong: a, b%0Anote: a note%0Ahelp: do%0Abetter",
        "::error file=/x/gone.lpcl,title=error[unreadable-file]::cannot read `gone.lpcl`",
    ]


def test_github_escapes_properties() -> None:
    odd = Diagnostic("syntax", Severity.INFO, "x", Location("a:b,c%.lpcl", 0, 12))
    shown = github.render([odd], {"a:b,c%.lpcl": TEXT})
    assert shown == "::notice file=a%3Ab%2Cc%25.lpcl,line=1,endLine=2,col=1,title=info[syntax]::x"


def test_json_lines_are_the_findings_of_the_document() -> None:
    lines = as_json.render_lines([FOUND, UNREAD], TEXTS).splitlines()
    assert [json.loads(line) for line in lines] == as_json.document([FOUND, UNREAD], TEXTS, 1)["findings"]


def test_sarif() -> None:
    log = sarif.document([FOUND, UNREAD], TEXTS, "1.2.3")
    valid_sarif(log)
    first, second = log["runs"][0]["results"]
    region = {"startLine": 2, "startColumn": 11, "endLine": 2, "endColumn": 15}
    assert first["locations"] == [
        {"physicalLocation": {"artifactLocation": {"uri": "a%20b.lpcl"}, "region": region}}
    ]
    assert first["fixes"][0]["artifactChanges"][0]["replacements"][0]["deletedRegion"] == region
    assert first["relatedLocations"][0]["message"] == {"text": "declared here"}
    assert second["locations"] == [{"physicalLocation": {"artifactLocation": {"uri": "file:///x/gone.lpcl"}}}]
    rules = log["runs"][0]["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["unknown-name", "unreadable-file"]
    assert rules[0]["help"]["markdown"].startswith("# unknown-name")


def fingerprints(found: list[Diagnostic], text: str) -> list[str]:
    """The fingerprints of findings in a text."""
    results = sarif.document(found, {"a.lpcl": text}, "1")["runs"][0]["results"]
    return [result["partialFingerprints"][sarif.FINGERPRINT] for result in results]


def test_fingerprints_outlive_other_lines() -> None:
    def at(text: str) -> Diagnostic:
        start = text.index("wrong")
        return Diagnostic("unknown-name", Severity.ERROR, "x", Location("a.lpcl", start, start + 5))

    before, after = "let a = wrong\n", "// more\n\n  let a = wrong\n"
    assert fingerprints([at(before)], before) == fingerprints([at(after)], after)
    other = "let b = wrong\n"
    assert fingerprints([at(before)], before) != fingerprints([at(other)], other)
    twice = fingerprints([at(before), at(before)], before)
    assert len(set(twice)) == 2


def test_junit() -> None:
    root = ElementTree.fromstring(junit.render([FOUND, UNREAD], TEXTS, ["a b.lpcl", "fine.lpcl"]))
    assert root.attrib == {"name": "lpclc check", "tests": "3", "failures": "1", "errors": "0"}
    assert [suite.get("name") for suite in root] == ["/x/gone.lpcl", "a b.lpcl", "fine.lpcl"]
    warning = root[1][0]
    assert warning.find("failure") is None
    assert (warning.get("name"), warning.get("line")) == ("unknown-name at 2:10", "2")
    assert (warning.findtext("system-out") or "").splitlines()[1] == "a b.lpcl:1:1: declared here"
    strict = ElementTree.fromstring(junit.render([FOUND], TEXTS, [], Severity.WARNING))
    failure = strict[0][0].find("failure")
    assert failure is not None
    assert failure.get("message") == FOUND.headline


places = st.integers(0, 40)


@given(
    st.text(max_size=60), st.text(min_size=1, max_size=20), places, places, st.text(min_size=1, max_size=20)
)
def test_any_text_can_be_shown(text: str, headline: str, start: int, end: int, path: str) -> None:
    item = Diagnostic("syntax", Severity.ERROR, headline, Location(path, min(start, end), max(start, end)))
    texts = {path: text}
    assert len(concise.render([item], texts).splitlines()) <= 1 + len(path.splitlines())
    shown = github.render([item], texts)
    assert re.fullmatch(r"::error file=[^\n\r]*::[^\n\r]*", shown)
    valid_sarif(json.loads(sarif.render([item], texts, "1")))
    ElementTree.fromstring(junit.render([item], texts, []))


def test_every_finding_that_is_documented_is_valid_sarif(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = set()
    for code in CODES:
        example = wrong_example(code)
        if example is not None:
            folder = tmp_path / code
            folder.mkdir()
            log = json.loads(checked(example, folder, monkeypatch, "--format", "sarif"))
            valid_sarif(log)
            told.update(result["ruleId"] for result in log["runs"][0]["results"])
    assert len(told) > 50


@pytest.mark.parametrize("output", ["sarif", "json"])
def test_nothing_found_is_a_document_too(output: str) -> None:
    if output == "sarif":
        valid_sarif(sarif.document([], {}, "1"))
    else:
        assert as_json.document([], {}, 0)["findings"] == []


ODD = {
    "dïr 名 %#?/a 😀:b.lpcl": (
        "package p\r\ncontract c {\r\n\t/* 😀 */ control\tn: count in 1..4 { default 9 }\r\n"
        '  let t = 1 +\r\n   "é"\r\n}\r\n'
    ).encode(),
    "bytes.lpcl": b'package p\ncontract d { let a = "\xff\xfe" }\n',
    "returns.lpcl": b"package q\rcontract e {\r  let a = nobody\r}\r",
    "nothing.lpcl": b"",
}


def test_odd_files_in_every_format(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Names, line ends, characters and a path that does not exist: all formats say the same."""
    for name, data in ODD.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(data)
    monkeypatch.chdir(tmp_path)

    def shown(output: str) -> str:
        run = CliRunner().invoke(cli, ["check", "--format", output, ".", "gone.lpcl"], catch_exceptions=False)
        assert run.exit_code == 2
        return run.stdout

    document = json.loads(shown("sarif"))
    valid_sarif(document)
    results = document["runs"][0]["results"]
    assert {item["ruleId"] for item in results} >= {
        "out-of-range",
        "unknown-name",
        "encoding",
        "unreadable-file",
    }
    (range_,) = [item for item in results if item["ruleId"] == "out-of-range"]
    physical = range_["locations"][0]["physicalLocation"]
    assert unquote(physical["artifactLocation"]["uri"]) == "dïr 名 %#?/a 😀:b.lpcl"
    line = "\t/* 😀 */ control\tn: count in 1..4 { default "
    column = len(line.encode("utf-16-le")) // 2 + 1
    assert (physical["region"]["startLine"], physical["region"]["startColumn"]) == (3, column)
    (missing,) = [item for item in results if item["ruleId"] == "unreadable-file"]
    assert "region" not in missing["locations"][0]["physicalLocation"]

    codes = [item["ruleId"] for item in results]
    assert [item["code"] for item in json.loads(shown("json"))["findings"]] == codes
    assert [json.loads(item)["code"] for item in shown("jsonl").splitlines()] == codes
    graver = [item["ruleId"] for item in results if item["level"] != "note"]
    assert re.findall(r"^[^\n]*?(?:error|warning)\[([a-z-]+)\]", shown("concise"), re.MULTILINE) == graver
    assert re.findall(r"^::\w+ file=[^\n]*title=\w+\[([a-z-]+)\]", shown("github"), re.MULTILINE) == graver
    assert sorted(re.findall(r"^\w+\[([a-z-]+)\]", shown("text"), re.MULTILINE)) == sorted(graver)
    suites = ElementTree.fromstring(shown("junit"))
    assert {suite.get("name") for suite in suites} >= {*ODD, "gone.lpcl"}
