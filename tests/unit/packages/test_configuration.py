"""`[tool.lpcl]` in pyproject.toml."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import lpcl
from lpcl.diagnostics.codes import CODES
from lpcl.diagnostics.diagnostic import Severity
from lpcl.packages.configuration import KEYS, LEVELS, load, nearest

SCHEMA = Path(lpcl.__file__).parent / "packages" / "pyproject.schema.json"


def test_the_nearest_file_counts(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    assert nearest(str(inner)) is None or not nearest(str(inner)).startswith(str(tmp_path))  # type: ignore[union-attr]
    (tmp_path / "pyproject.toml").write_text("")
    assert nearest(str(inner)) == str(tmp_path / "pyproject.toml")
    (tmp_path / "a" / "pyproject.toml").write_text("")
    assert nearest(str(inner)) == str(tmp_path / "a" / "pyproject.toml")


def test_folders_are_read_from_the_file_s_own_place(tmp_path: Path) -> None:
    (tmp_path / "contracts").mkdir()
    path = tmp_path / "pyproject.toml"
    path.write_text('[tool.lpcl]\ncontracts = ["contracts"]\n')
    found = load(str(path))
    assert found.contracts == (str(tmp_path / "contracts"),)
    assert found.findings == ()


def test_a_file_without_our_table(tmp_path: Path) -> None:
    path = tmp_path / "pyproject.toml"
    path.write_text("[project]\nname = 'x'\n")
    assert load(str(path)).contracts == ()
    assert load(str(path)).findings == ()


@pytest.mark.parametrize(
    ("text", "part", "marked"),
    [
        ("[tool.lpcl", "is not TOML", ""),
        ("# Größe\n[tool.lpcl]\nx = [1\ny = 3\n", "is not TOML", "y"),
        ('[tool.lpcl]\ncontracts = "here"\n', "is not a list of folders", "contracts"),
        ("[tool.lpcl]\ncontracts = [1]\n", "is not a list of folders", "contracts"),
        ("[tool]\nlpcl = 3\n", "is not a table", "lpcl"),
        ("tool.lpcl = 3\n", "is not a table", "tool.lpcl"),
        ("[tool.lpcl]\nseverity = 3\n", "is not a table", "severity"),
        ("[other]\ncontract = 1\n[tool.lpcl]\ncontract = []\n", "has no `contract`", "contract"),
        ('[tool.lpcl.severity]\nunknwon-variable = "off"\n', "which is no code", "unknwon-variable"),
        ('[tool.lpcl.severity]\n"quite other" = "off"\n', "which is no code", '"quite other"'),
        ('[tool.lpcl]\nseverity.quite-other = "off"\n', "which is no code", "severity.quite-other"),
        ('[tool.lpcl]\nseverity = { quite-other = "off" }\n', "which is no code", "severity"),
        ('[tool.lpcl.severity]\nunknown-variable = "quiet"\n', "to `quiet`", "unknown-variable"),
        ("[tool.lpcl.severity]\nunknown-variable = false\n", "to `False`", "unknown-variable"),
        ('[tool.lpcl.severity]\nunknown-name = "warning"\n', "less than an error", "unknown-name"),
        ('[tool . "lpcl" . severity]\novercommit = "off"\n', "cannot change `overcommit`", "overcommit"),
        ('[tool.lpcl]\ncontracts = [\n  "missing",\n]\n', "names `missing`", "missing"),
        ('[tool.lpcl]\ncontracts = ["miss\\u0069ng"]\n[z]\na="missing"', "names `missing`", "contracts"),
        ("tool = 3\n", "is not a table", "tool"),
    ],
)
def test_what_is_wrong_is_a_finding_at_its_place(tmp_path: Path, text: str, part: str, marked: str) -> None:
    path = tmp_path / "pyproject.toml"
    path.write_text(text, encoding="utf-8")
    found = load(str(path))
    (finding,) = found.findings
    assert finding.code == "bad-configuration"
    assert part in finding.headline
    assert found.text == text
    at = text.rindex(marked)
    assert (finding.location.start, finding.location.end) == (at, at + len(marked))


def test_a_file_that_is_not_utf_8(tmp_path: Path) -> None:
    path = tmp_path / "pyproject.toml"
    path.write_bytes(b"[tool.lpcl]\nx = '\xff'\n")
    (finding,) = load(str(path)).findings
    assert "UTF-8" in finding.headline


def test_severities(tmp_path: Path) -> None:
    path = tmp_path / "pyproject.toml"
    path.write_text('[tool.lpcl.severity]\nunknown-variable = "error"\nunknown-annotation = "off"\n')
    found = load(str(path))
    assert found.findings == ()
    assert found.severities == {"unknown-variable": Severity.ERROR, "unknown-annotation": None}


def schema() -> dict[str, Any]:
    """The JSON Schema of `[tool.lpcl]`."""
    described = {"type": "array", "items": {"type": "string"}}
    described["description"] = "Files and folders with contracts, from the folder of pyproject.toml."
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": "urn:lpcl:pyproject:1",
        "title": "[tool.lpcl] of pyproject.toml",
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "contracts": described,
            "severity": {
                "description": "How grave the findings of a code are; off leaves them out.",
                "type": "object",
                "additionalProperties": False,
                "properties": {
                    code.name: {
                        "description": code.summary,
                        "enum": ["error"] if code.severity is Severity.ERROR else list(LEVELS),
                    }
                    for code in CODES.values()
                    if code.family != "composition"
                },
            },
        },
    }


def test_the_schema_is_current(golden: Callable[[Path, str], None]) -> None:
    assert set(schema()["properties"]) == set(KEYS)
    golden(SCHEMA, json.dumps(schema(), indent=2) + "\n")


def test_the_schema_says_what_is_read() -> None:
    shipped = json.loads(SCHEMA.read_text(encoding="utf-8"))
    jsonschema.Draft7Validator.check_schema(shipped)
    jsonschema.validate({"contracts": ["a"], "severity": {"unknown-variable": "off"}}, shipped)
    for wrong in ({"contracts": "a"}, {"other": 1}, {"severity": {"unknown-name": "off"}}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(wrong, shipped)
