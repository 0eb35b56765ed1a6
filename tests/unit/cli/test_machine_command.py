"""`lpclc machine`: the figures of the host in three shapes that agree with each other."""

from __future__ import annotations

import json
import os
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner

from lpcl import service
from lpcl.cli import cli, machine
from lpcl.compose.evaluate import evaluate
from lpcl.compose.machine import MachineView
from lpcl.model.host import Absent, HostFacts, Reading, read_host
from lpcl.model.machine import FACTS
from lpcl.syntax import nodes
from lpcl.verify.names import Names

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads Linux's /proc and /sys")


def output(*arguments: str) -> str:
    result = CliRunner().invoke(cli, ["machine", *arguments])
    assert result.exit_code == 0, result.output
    return result.output


@linux
def test_text_has_a_line_for_each_figure() -> None:
    lines = output().splitlines()
    assert [line.split()[0] for line in lines] == list(FACTS)
    assert lines[0].split()[1] == str(os.cpu_count())


@linux
def test_json() -> None:
    document = json.loads(output("--format", "json"))
    assert document["version"] == 1
    assert document["facts"]["cpus.online"]["value"] == os.cpu_count()
    assert {*document["facts"], *document["absent"]} == {*FACTS}


STATED = {
    "cpus.online": 64,
    "cpus.quota": Fraction(7, 3),
    "memory.total": 3 * 2**30,
    "memory.limit": 2**30 + 1,
    "shm": 0,
    "limits.files": 1024,
}
CONTAINER = HostFacts(
    {path: Reading(value, "somewhere") for path, value in STATED.items()},
    {path: Absent("nobody knows") for path in FACTS if path not in STATED},
)


@pytest.mark.parametrize("facts", [read_host(), CONTAINER], ids=["host", "container"])
def test_the_declaration_means_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, facts: HostFacts
) -> None:
    """What is pasted into a file passes the checker and has exactly the figures that were read."""
    monkeypatch.setattr("lpcl.model.host.read_host", lambda: facts)
    file = tmp_path / "m.lpcl"
    file.write_text(output("--format", "lpcl"))
    workspace = service.open_workspace([str(file)])
    assert [item.headline for item in workspace.diagnostics] == []
    node = workspace.program.declarations["here"][0].node
    assert isinstance(node, nodes.Machine)
    names = Names(workspace.program.files[0], MachineView("none", {}, {}), facts)
    stated = {fact.path: evaluate(fact.value, names) for fact in node.facts if fact.value is not None}
    assert stated == facts.values


def test_help_of_the_group_names_the_command() -> None:
    assert machine.command.name == "machine"
    assert "machine" in CliRunner().invoke(cli, ["--help"]).output
