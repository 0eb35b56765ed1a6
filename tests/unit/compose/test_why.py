"""Where values come from, and that each change that is told makes just the difference that is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from lpcl.cli import cli

APPLICATIONS = Path(__file__).resolve().parents[2] / "golden" / "compose" / "applications.lpcl"
NAMES = [
    "multiplied",
    "waiting",
    "fitting",
    "spinning",
    "many",
    "engines",
    "capped",
    "held_back",
    "bound",
    "calm",
]
VALUES = [
    "teams.threads",
    "teams.team",
    "queued.threads",
    "cache.cap",
    "TEAM_THREADS",
    "machine.cpus",
    "jobs",
    "cpu",
    "threads",
    "memory",
]


def why(name: str, value: str, *words: str) -> dict[str, object] | None:
    """`lpclc why` as an object; None where there is no such value."""
    result = CliRunner().invoke(
        cli, ["why", f"{APPLICATIONS}:{name}", value, "--format", "json", *words], catch_exceptions=False
    )
    if result.exit_code:
        assert result.exit_code == 2
        assert result.output.startswith("lpclc why: ")
        return None
    told: dict[str, object] = json.loads(result.output)
    return told


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("value", VALUES)
def test_a_change_makes_the_difference_that_is_told(name: str, value: str) -> None:
    told = why(name, value)
    if told is None:
        return
    assert told["readings"]
    for change in told["changes"]:  # type: ignore[attr-defined]
        setting = change["change"]
        if "=" not in setting or setting.startswith("a machine"):
            continue
        after = why(name, value, "--set", setting)
        assert after is not None
        values = {reading["where"]: reading["value"] for reading in after["readings"]}  # type: ignore[attr-defined]
        for reading in change["readings"]:
            assert values[reading["where"]] == reading["value"]


def test_some_of_each_kind_is_explained() -> None:
    """The test above tests something: every value has an explanation and most have a change somewhere."""
    explained = {value: [told for name in NAMES if (told := why(name, value))] for value in VALUES}
    assert all(explained.values())
    assert sum(any(told["changes"] for told in several) for several in explained.values()) >= 8


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("", "nothing here is called '': "),
        ("teams.", "teams has no control or pool '': "),
        ("machine.gpu.memory.free", "machine.gpu.memory.free is what others have left when something starts"),
    ],
)
def test_what_is_no_value_is_told_as_such(value: str, said: str) -> None:
    result = CliRunner().invoke(cli, ["why", f"{APPLICATIONS}:multiplied", value], catch_exceptions=False)
    assert result.exit_code == 2
    assert result.output.startswith(f"lpclc why: {said}")


def test_several_applications_state_their_machine() -> None:
    name = f"{APPLICATIONS}:multiplied"
    result = CliRunner().invoke(cli, ["why", name, name, "machine.cpus"], catch_exceptions=False)
    assert result.exit_code == 0
    assert result.output.startswith("machine.cpus in multiplied#1 and multiplied#2 on ")
    assert "it states" not in result.output
