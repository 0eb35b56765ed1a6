"""What to change, as text to copy."""

from __future__ import annotations

from typing import Any

import pytest

from lpcl.compose.render.recipe import recipe


def env(name: str, to: Any) -> dict[str, Any]:
    return {"kind": "env", "name": name, "to": to, "apply": None, "application": None}


def argument(name: str, to: Any, apply: str | None, application: str | None = None) -> dict[str, Any]:
    return {"kind": "argument", "name": name, "to": to, "apply": apply, "application": application}


def application(command: str | None, label: str = "app") -> dict[str, Any]:
    return {"name": f"example.{label}", "label": label, "about": None, "command": command}


CASES: dict[str, tuple[list[dict[str, Any]], str | None, str]] = {
    "a variable": ([env("A", 4)], None, "export A=4"),
    "a variable to leave unset": ([env("A", None)], None, "unset A"),
    "a word with a space": ([env("A", "a b")], None, "export A='a b'"),
    "a truth": ([env("A", True)], None, "export A=true"),
    "a variable and a command": ([env("A", 4)], "python x.py", "export A=4\npython x.py"),
    "an argument to add": ([argument("jobs", 2, "--jobs")], "python x.py", "python x.py --jobs 2"),
    "an argument with a template": ([argument("jobs", 2, "--jobs={}")], "x", "x --jobs=2"),
    "an argument that is there": (
        [argument("jobs", 2, "--jobs")],
        "python x.py --jobs=8",
        "python x.py --jobs=2",
    ),
    "an argument that is there with its value": (
        [argument("jobs", 2, "--jobs")],
        "python 'my x.py' --jobs 8 -v",
        "python 'my x.py' --jobs 2 -v",
    ),
    "an argument in a line that a shell reads": (
        [argument("jobs", 2, "--jobs")],
        "cd x && python x.py --jobs 8",
        "# COMMAND: cd x && python x.py --jobs 8, without --jobs\nCOMMAND --jobs 2",
    ),
    "an argument and no command": (
        [argument("jobs", 2, "-j")],
        None,
        "# COMMAND: what starts it today, without -j\nCOMMAND -j 2",
    ),
    "a command that is no shell's": (
        [argument("jobs", 2, "-j")],
        "python 'x",
        "# COMMAND: python 'x, without -j\nCOMMAND -j 2",
    ),
    "inside the program": (
        [argument("jobs", 2, None)],
        "python x.py",
        "python x.py\n# in the program: jobs = 2",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_recipes(case: str) -> None:
    changes, command, expected = CASES[case]
    assert recipe(changes, [application(command)]) == expected


def test_of_several_applications_each_has_its_lines() -> None:
    changes = [argument("jobs", 2, "--jobs", "one"), {**env("A", 1), "application": "two"}]
    shown = recipe(changes, [application("x", "one"), application(None, "two"), application("z", "three")])
    assert shown == "# one\nx --jobs 2\n# two\nexport A=1"
