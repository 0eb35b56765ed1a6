"""An alternative as text that one can copy: variables, the command with its arguments, the rest in words."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from lpcl.compose.render.figures import figure

Change = Mapping[str, Any]
_SHELL = re.compile(r"[|&;<>$(){}*?~#`]")
"""What a shell does not take as it stands."""


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
    words = None if command is None else _words(command)
    held = words is not None and any(_replaced(list(words), change) for change in arguments)
    if words is not None and not (held and _SHELL.search(str(command))):
        missing = [change for change in arguments if not _replaced(words, change)]
        lines.append(" ".join([_joined(words, str(command)), *map(_written, missing)]))
    elif arguments:
        what = "what starts it today" if command is None else command
        flags = " and ".join(_flag(change) for change in arguments)
        lines.append(f"# COMMAND: {what}, without {flags}")
        lines.append(" ".join(["COMMAND", *map(_written, arguments)]))
    elif command is not None:
        lines.append(command)
    return lines + inside


def _written(change: Change) -> str:
    """An argument as it stands in a command line."""
    template, value = str(change["apply"]), shlex.quote(figure(change["to"]))
    return template.replace("{}", value) if "{}" in template else f"{template} {value}"


def _words(command: str) -> list[str] | None:
    """The words of a command; None where a shell would not take it."""
    try:
        return shlex.split(command)
    except ValueError:
        return None


def _joined(words: list[str], command: str) -> str:
    """A command of these words, as it was written where they are the same."""
    return command if words == shlex.split(command) else shlex.join(words)


def _flag(change: Change) -> str:
    """The option as a word of the command line begins."""
    return re.split(r"[\s={]", str(change["apply"]))[0]


def _replaced(words: list[str], change: Change) -> bool:
    """Whether the command has the option already: its value is changed in place."""
    flag = _flag(change)
    for position, word in enumerate(words):
        if word == flag and position + 1 < len(words):
            words[position : position + 2] = shlex.split(_written(change))
            return True
        if word.startswith(f"{flag}="):
            words[position] = f"{flag}={figure(change['to'])}"
            return True
    return False
