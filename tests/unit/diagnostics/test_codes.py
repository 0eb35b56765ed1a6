"""The registry holds every code that is used, and nothing else."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from lpcl.diagnostics.codes import CODES

ROOT = Path(__file__).resolve().parents[3]
REPORTING = {"report", "_report", "Diagnostic", "Refusal", "Problem"}
INDIRECT = {"overcommit", "hazard", "assumption", "serialized", "underuse"}
"""The kinds of finding of `lpcl.compose.findings.Kind`."""


def used_codes() -> set[str]:
    """The codes that the source passes to what makes diagnostics."""
    codes: set[str] = set()
    for top in ("lpcl", "lsp_server"):
        for path in sorted((ROOT / top).rglob("*.py")):
            if path.parent.name == "compat":
                continue  # changes between versions have names of their own
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call):
                    name = getattr(node.func, "attr", getattr(node.func, "id", ""))
                    if name in REPORTING:
                        codes.update(_texts(node.args[:3]))
    return codes


def _texts(arguments: list[ast.expr]) -> set[str]:
    found: set[str] = set()
    for argument in arguments:
        choices = [argument.body, argument.orelse] if isinstance(argument, ast.IfExp) else [argument]
        found.update(
            item.value
            for item in choices
            if isinstance(item, ast.Constant)
            and isinstance(item.value, str)
            and re.fullmatch(r"[a-z]+(-[a-z]+)+|syntax|encoding|nesting|naming", item.value)
        )
    return found


def test_used_codes_are_registered() -> None:
    assert used_codes() - set(CODES) == set()


def test_registered_codes_are_used() -> None:
    by_faults = {"syntax", "unclosed", "unterminated", "malformed-number", "nesting"}
    passed_on = {name for name in CODES if name.startswith("cyclic-")}
    assert set(CODES) - used_codes() - INDIRECT - by_faults - passed_on == set()


def test_names_are_slugs() -> None:
    assert all(re.fullmatch(r"[a-z]+(-[a-z]+)*", name) for name in CODES)


def test_every_finding_of_a_rule_says_what_to_do() -> None:
    silent = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in sorted((ROOT / "lpcl" / "check").rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and getattr(node.func, "attr", "") == "report"
        and "help_text" not in {keyword.arg for keyword in node.keywords}
    ]
    assert silent == []
