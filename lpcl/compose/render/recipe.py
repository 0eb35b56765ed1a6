"""An alternative as text that one can copy: variables, the command with its arguments, the rest in words."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from lpcl.compose.render.figures import figure

Change = Mapping[str, Any]


def recipe(changes: Sequence[Change], applications: Sequence[Mapping[str, Any]]) -> str:
    """Lines for a shell that make the changes; comments say what a shell cannot do."""
    if len(applications) == 1:
        return "\n".join(_lines(changes, applications[0]["command"]))
    shown: list[str] = []
    for application in applications:
        own = [change for change in changes if change["application"] == application["label"]]
        if own:
            shown += [f"# {application['label']}", *_lines(own, application["command"])]
    return "\n".join(shown)


def _lines(changes: Sequence[Change], command: str | None) -> list[str]:
    lines: list[str] = []
    arguments: list[Change] = []
    inside: list[str] = []
    for change in changes:
        value, name = figure(change["to"]), change["name"]
        if change["kind"] == "env":
            lines.append(f"unset {name}" if change["to"] is None else f"export {name}={shlex.quote(value)}")
        elif change["apply"] is not None:
            arguments.append(change)
        else:
            inside.append(f"# in the program: {name} = {value}")
    added = " ".join(_written(change) for change in arguments)
    if arguments and (command is None or any(_holds(command, change) for change in arguments)):
        lines += ["# in the command line of the program:", added]
    elif command is not None:
        lines.append(f"{command} {added}".strip())
    return lines + inside


def _written(change: Change) -> str:
    """An argument as it stands in a command line."""
    template, value = str(change["apply"]), shlex.quote(figure(change["to"]))
    return template.replace("{}", value) if "{}" in template else f"{template} {value}"


def _holds(command: str, change: Change) -> bool:
    """Whether the command has the option already, so that it must be changed, not added."""
    try:
        words = shlex.split(command)
    except ValueError:
        return True
    flag = re.split(r"[\s={]", str(change["apply"]))[0]
    return any(word == flag or word.startswith(flag + "=") for word in words)
