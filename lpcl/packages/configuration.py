"""The project's own settings: `[tool.lpcl]` in the nearest `pyproject.toml`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from lpcl.cache import world
from lpcl.diagnostics.codes import CODES
from lpcl.diagnostics.diagnostic import Diagnostic, Location, Severity
from lpcl.packages.reading import display

KEYS = ("contracts", "severity")
_HAS = f"there are {' and '.join(f'`{key}`' for key in KEYS)}"
LEVELS: dict[str, Severity | None] = {"off": None, **{item.value: item for item in Severity}}
"""What a code can be set to; None is not to report it."""


@dataclass(frozen=True, slots=True)
class Configuration:
    """Where a project keeps its contracts, absolute folders in the order of the file, and its severities.

    `text` is that of the file, None where it cannot be read.
    """

    path: str | None = None
    contracts: tuple[str, ...] = ()
    findings: tuple[Diagnostic, ...] = ()
    severities: Mapping[str, Severity | None] = field(default_factory=dict)
    text: str | None = None


def nearest(start: str) -> str | None:
    """The `pyproject.toml` in the folder `start` or the closest one above it."""
    return world.project_file(start)


def load(path: str) -> Configuration:
    """Read `[tool.lpcl]` of the `pyproject.toml` at `path`; what is wrong with it is a finding."""
    import tomllib

    from lpcl.packages import toml_places

    shown = display(path)

    def finding(headline: str, place: tuple[int, int] = (0, 0), help_text: str | None = None) -> Diagnostic:
        where = Location(shown, *place)
        return Diagnostic("bad-configuration", Severity.ERROR, headline, where, help=help_text)

    try:
        text = world.contents(path).decode()
    except OSError as error:
        return Configuration(path, findings=(finding(f"cannot read `{shown}`: {error.strerror}"),))
    except UnicodeDecodeError as error:
        return Configuration(path, findings=(finding(f"`{shown}` is not TOML, which is UTF-8: {error}"),))
    try:
        tools = tomllib.loads(text).get("tool", {})
    except tomllib.TOMLDecodeError as error:
        place = toml_places.error_place(text, error)
        wrong = finding(f"`{shown}` is not TOML: {toml_places.error_reason(error)}", place)
        return Configuration(path, findings=(wrong,), text=text)

    def fault(
        headline: str, key: Sequence[str] = (), help_text: str | None = None, item: str | None = None
    ) -> Diagnostic:
        return finding(headline, toml_places.key_place(text, ("tool", *key), item), help_text)

    if not isinstance(tools, dict):
        wrong = fault(f"`tool` in `{shown}` is not a table")
        return Configuration(path, findings=(wrong,), text=text)
    table = tools.get("lpcl", {})
    if not isinstance(table, dict):
        wrong = fault(f"`tool.lpcl` in `{shown}` is not a table", ("lpcl",))
        return Configuration(path, findings=(wrong,), text=text)
    findings = [
        fault(f"`[tool.lpcl]` in `{shown}` has no `{key}`", ("lpcl", key), _close(key, KEYS) or _HAS)
        for key in table
        if key not in KEYS
    ]
    folders = _folders(table.get("contracts", []), path, fault, findings)
    severities = _severities(table.get("severity", {}), shown, fault, findings)
    return Configuration(path, folders, tuple(findings), severities, text)


Fault = Callable[..., Diagnostic]


def _folders(stated: object, path: str, fault: Fault, findings: list[Diagnostic]) -> tuple[str, ...]:
    shown = display(path)
    key = ("lpcl", "contracts")
    if not isinstance(stated, list) or not all(isinstance(item, str) for item in stated):
        findings.append(
            fault(
                f"`contracts` in `{shown}` is not a list of folders",
                key,
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
                    key,
                    "make the folder, or name the one that is meant",
                    item,
                )
            )
    return tuple(folders)


def _severities(
    stated: object, shown: str, fault: Fault, findings: list[Diagnostic]
) -> dict[str, Severity | None]:
    where = f"`[tool.lpcl.severity]` in `{shown}`"
    table = ("lpcl", "severity")
    if not isinstance(stated, dict):
        findings.append(fault(f"{where} is not a table", table, 'write `CODE = "off"` under it'))
        return {}
    found: dict[str, Severity | None] = {}
    for name, level in stated.items():
        wrong = _wrong(name, level)
        if wrong is None:
            found[name] = LEVELS[level]
        else:
            headline, help_text = wrong
            findings.append(fault(f"{where} {headline}", (*table, name), help_text))
    return found


def _wrong(name: str, level: object) -> tuple[str, str] | None:
    """What is wrong with one severity, and what to do."""
    code = CODES.get(name)
    if code is None:
        return f"names `{name}`, which is no code", _close(name, CODES) or "`lpclc explain` lists the codes"
    if code.family == "composition":
        return f"cannot change `{name}`", "what composing finds is expected in tests, or mended"
    if not isinstance(level, str) or level not in LEVELS:
        return f"sets `{name}` to `{level}`", f"a severity is {' or '.join(map(repr, LEVELS))}"
    if code.severity is Severity.ERROR and LEVELS[level] is not Severity.ERROR:
        return f"cannot make `{name}` less than an error", "what has an error means nothing"
    return None


def _close(word: str, known: Iterable[str]) -> str | None:
    from difflib import get_close_matches

    close = get_close_matches(word, known, n=1)
    return f"did you mean `{close[0]}`?" if close else None
