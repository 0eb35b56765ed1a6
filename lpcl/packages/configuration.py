"""The project's own settings: `[tool.lpcl]` in the nearest `pyproject.toml`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from lpcl.cache import world
from lpcl.diagnostics.codes import CODES
from lpcl.diagnostics.diagnostic import Diagnostic, Location, Severity
from lpcl.packages.reading import display

KEYS = ("contracts", "severity")
LEVELS: dict[str, Severity | None] = {"off": None, **{item.value: item for item in Severity}}
"""What a code can be set to; None is not to report it."""


@dataclass(frozen=True, slots=True)
class Configuration:
    """Where a project keeps its contracts, absolute folders in the order of the file, and its severities."""

    path: str | None = None
    contracts: tuple[str, ...] = ()
    findings: tuple[Diagnostic, ...] = ()
    severities: Mapping[str, Severity | None] = field(default_factory=dict)


def nearest(start: str) -> str | None:
    """The `pyproject.toml` in the folder `start` or the closest one above it."""
    return world.project_file(start)


def load(path: str) -> Configuration:
    """Read `[tool.lpcl]` of the `pyproject.toml` at `path`; what is wrong with it is a finding."""
    import tomllib

    shown = display(path)

    def fault(headline: str, help_text: str | None = None) -> Diagnostic:
        place = Location(shown, 0, 0)
        return Diagnostic("bad-configuration", Severity.ERROR, headline, place, help=help_text)

    try:
        tools = tomllib.loads(world.contents(path).decode()).get("tool", {})
    except OSError as error:
        return Configuration(path, findings=(fault(f"cannot read `{shown}`: {error.strerror}"),))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        return Configuration(path, findings=(fault(f"`{shown}` is not TOML: {error}"),))
    if not isinstance(tools, dict):
        return Configuration(path, findings=(fault(f"`tool` in `{shown}` is not a table"),))
    table = tools.get("lpcl", {})
    if not isinstance(table, dict):
        return Configuration(path, findings=(fault(f"`tool.lpcl` in `{shown}` is not a table"),))
    findings = [
        fault(f"`[tool.lpcl]` in `{shown}` has no `{key}`", _offered(key, KEYS))
        for key in table
        if key not in KEYS
    ]
    folders = _folders(table.get("contracts", []), path, fault, findings)
    severities = _severities(table.get("severity", {}), shown, fault, findings)
    return Configuration(path, folders, tuple(findings), severities)


Fault = Callable[[str, str | None], Diagnostic]


def _folders(stated: object, path: str, fault: Fault, findings: list[Diagnostic]) -> tuple[str, ...]:
    shown = display(path)
    if not isinstance(stated, list) or not all(isinstance(item, str) for item in stated):
        findings.append(
            fault(
                f"`contracts` in `{shown}` is not a list of folders",
                'write `contracts = ["contracts"]` under `[tool.lpcl]`',
            )
        )
        return ()
    base = os.path.dirname(path)
    folders: list[str] = []
    for item in stated:
        folder = os.path.normpath(os.path.join(base, item))
        if world.exists(folder):
            folders.append(folder)
        else:
            findings.append(
                fault(
                    f"`{shown}` names `{item}` as a place of contracts, which does not exist",
                    "make the folder, or name the one that is meant",
                )
            )
    return tuple(folders)


def _severities(
    stated: object, shown: str, fault: Fault, findings: list[Diagnostic]
) -> dict[str, Severity | None]:
    where = f"`[tool.lpcl.severity]` in `{shown}`"
    if not isinstance(stated, dict):
        findings.append(fault(f"{where} is not a table", 'write `CODE = "off"` under it'))
        return {}
    found: dict[str, Severity | None] = {}
    for name, level in stated.items():
        code = CODES.get(name)
        if code is None:
            findings.append(fault(f"{where} names `{name}`, which is no code", _offered(name, CODES)))
        elif code.family == "composition":
            findings.append(
                fault(
                    f"{where} cannot change `{name}`", "what composing finds is expected in tests, or mended"
                )
            )
        elif not isinstance(level, str) or level not in LEVELS:
            findings.append(
                fault(
                    f"{where} sets `{name}` to `{level}`", f"a severity is {' or '.join(map(repr, LEVELS))}"
                )
            )
        elif code.severity is Severity.ERROR and LEVELS[level] is not Severity.ERROR:
            findings.append(
                fault(f"{where} cannot make `{name}` less than an error", "what has an error means nothing")
            )
        else:
            found[name] = LEVELS[level]
    return found


def _offered(word: str, known: Iterable[str]) -> str:
    from difflib import get_close_matches

    close = get_close_matches(word, known, n=1)
    return f"did you mean `{close[0]}`?" if close else f"there are {', '.join(f'`{item}`' for item in known)}"
