"""The project's own settings: `[tool.lpcl]` in the nearest `pyproject.toml`."""

from __future__ import annotations

import os
from dataclasses import dataclass

from lpcl.diagnostics.diagnostic import Diagnostic, Location, Severity
from lpcl.packages.reading import display


@dataclass(frozen=True, slots=True)
class Configuration:
    """Where a project keeps its contracts: absolute folders, in the order of the file."""

    path: str | None = None
    contracts: tuple[str, ...] = ()
    findings: tuple[Diagnostic, ...] = ()


def nearest(start: str) -> str | None:
    """The `pyproject.toml` in the folder `start` or the closest one above it."""
    folder = os.path.abspath(start)
    while True:
        candidate = os.path.join(folder, "pyproject.toml")
        if os.path.isfile(candidate):
            return candidate
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above


def load(path: str) -> Configuration:
    """Read `[tool.lpcl]` of the `pyproject.toml` at `path`; what is wrong with it is a finding."""
    import tomllib

    shown = display(path)

    def fault(headline: str, help_text: str | None = None) -> Diagnostic:
        place = Location(shown, 0, 0)
        return Diagnostic("bad-configuration", Severity.ERROR, headline, place, help=help_text)

    try:
        with open(path, "rb") as file:
            tools = tomllib.load(file).get("tool", {})
    except OSError as error:
        return Configuration(path, findings=(fault(f"cannot read `{shown}`: {error.strerror}"),))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        return Configuration(path, findings=(fault(f"`{shown}` is not TOML: {error}"),))
    if not isinstance(tools, dict):
        return Configuration(path, findings=(fault(f"`tool` in `{shown}` is not a table"),))
    table = tools.get("lpcl", {})
    stated = table.get("contracts", []) if isinstance(table, dict) else None
    if not isinstance(stated, list) or not all(isinstance(item, str) for item in stated):
        found = fault(
            f"`contracts` in `{shown}` is not a list of folders",
            'write `contracts = ["contracts"]` under `[tool.lpcl]`',
        )
        return Configuration(path, findings=(found,))
    base = os.path.dirname(path)
    folders = [os.path.normpath(os.path.join(base, item)) for item in stated]
    findings = tuple(
        fault(f"`{shown}` names `{item}` as a place of contracts, which does not exist")
        for item, folder in zip(stated, folders, strict=True)
        if not os.path.exists(folder)
    )
    return Configuration(path, tuple(folder for folder in folders if os.path.exists(folder)), findings)
