"""The action and the hooks call commands that exist, with options that they have."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
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


def examples() -> list[dict[str, object]]:
    """The hooks that the how-to shows, each as it stands there."""
    text = (ROOT / "docs/how-to/run-in-ci.md").read_text(encoding="utf-8")
    found = []
    for block in re.findall(r"```yaml\n(.*?)```", text, re.DOTALL):
        shown = yaml.safe_load(block)
        items = shown.get("repos", []) if isinstance(shown, dict) else shown
        for item in items:
            found += item.get("hooks", [item] if "id" in item else [])
    return found


def test_the_how_to_installs_every_stage_that_a_hook_runs_at() -> None:
    text = (ROOT / "docs/how-to/run-in-ci.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```yaml\n(default_install_hook_types.*?)```", text, re.DOTALL)
    shown = yaml.safe_load(block)
    hooks = {
        hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    }
    used = [hook["id"] for repo in shown["repos"] for hook in repo["hooks"]]
    assert set(used) == set(hooks)
    for name in used:
        assert set(hooks[name].get("stages", ["pre-commit"])) <= set(shown["default_install_hook_types"])


def test_the_hooks_of_the_how_to_are_as_strict_as_its_ci() -> None:
    checks = [hook for hook in examples() if hook["id"] == "lpclc-check"]
    assert len(checks) == 3
    for hook in checks:
        assert "--strict" in f"{hook.get('entry', '')} {hook.get('args', '')}"


def test_each_hook_of_the_how_to_is_given_the_same_contracts() -> None:
    given = [hook["additional_dependencies"] for hook in examples() if "additional_dependencies" in hook]
    assert len(given) == 2
    assert given[0] == given[1]


def test_the_action_runs_every_application_and_fails_where_one_has_findings(tmp_path: Path) -> None:
    steps = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))["runs"]["steps"]
    (step,) = [one for one in steps if one["name"] == "Compose"]
    stand_in = tmp_path / "lpclc"
    stand_in.write_text('#!/bin/sh\necho "$@"\ncase "$4" in *bad*) exit 1;; esac\n')
    stand_in.chmod(0o755)

    def run(applications: str) -> tuple[int, list[str]]:
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            env={"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}", "LPCL_COMPOSE": applications},
            capture_output=True,
            text=True,
            check=False,
        )
        return done.returncode, done.stdout.splitlines()

    assert run("a.lpcl:one bad two") == (
        1,
        [f"compose --format github {name}" for name in ("a.lpcl:one", "bad", "two")],
    )
    assert run("one two")[0] == 0


@pytest.mark.parametrize("command", ["check", "test", "compose"])
def test_what_the_action_runs_is_annotated(command: str) -> None:
    runs = [step["run"] for step in yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))["runs"]["steps"]]
    shown = CliRunner().invoke(cli, [command, "--help"], terminal_width=200).output
    assert "github" in shown
    assert any(f"lpclc {command} " in run and "--format github" in run for run in runs)
