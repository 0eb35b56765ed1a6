"""The action and the hooks call commands that exist, with options that they have."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from lpcl.cli import cli

ROOT = Path(__file__).resolve().parents[3]


def commands() -> list[str]:
    """What the action and the hooks run."""
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    found = [hook["entry"] for hook in hooks]
    for step in action["runs"]["steps"]:
        found += re.findall(r"^\s*(lpclc [^$\n>\"]*)", step["run"], re.MULTILINE)
    return found


@pytest.mark.parametrize("line", commands())
def test_command_exists(line: str) -> None:
    words = shlex.split(line)
    assert words[0] == "lpclc"
    shown = CliRunner().invoke(cli, [*words[1:], "--help"])
    assert shown.exit_code == 0


def test_the_options_that_the_action_puts_together_exist() -> None:
    text = (ROOT / "action.yml").read_text(encoding="utf-8")
    shown = CliRunner().invoke(cli, ["check", "--help"], terminal_width=200).output
    for option in re.findall(r"options\+?=\((--\w+)", text):
        assert option in shown


def test_every_input_of_the_action_is_used() -> None:
    text = (ROOT / "action.yml").read_text(encoding="utf-8")
    assert all(f"inputs.{name}" in text for name in yaml.safe_load(text)["inputs"])
