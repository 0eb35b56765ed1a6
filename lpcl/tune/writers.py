"""Writes what a session found into its folder: the reports, and the winner in forms that can be used."""

from __future__ import annotations

import json
import os
import re
import shlex
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from lpcl.plan import plan_sha256
from lpcl.plan.reader import value_to_json
from lpcl.tune.report import (
    ENV_FILE,
    REPORT,
    REPORT_JSON,
    SCRIPT,
    WINNER,
    result_to_json,
    text_report,
)
from lpcl.tune.result import Result


def write_results(result: Result) -> None:
    """Writes all files of a session into its folder, each at once or not at all. Raises OSError.

    The winner's files are written once a session is complete and something was measured; else those of an
    earlier session are removed, because they would be taken for this one's.
    """
    write_atomically(result.out / REPORT, text_report(result))
    write_atomically(result.out / REPORT_JSON, _json(result_to_json(result)))
    if result.interrupted or result.status == "nothing":
        for name in (SCRIPT, ENV_FILE, WINNER):
            (result.out / name).unlink(missing_ok=True)
        return
    write_atomically(result.out / SCRIPT, export_script(result))
    write_atomically(result.out / ENV_FILE, env_file(result))
    write_atomically(result.out / WINNER, _json(winner_to_json(result)))


def write_atomically(path: Path, text: str) -> None:
    """Replaces a file by a new text such that a reader sees the old one or the new one. Raises OSError."""
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", errors="backslashreplace") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def export_script(result: Result) -> str:
    """The winner's environment as lines for ``source`` in a POSIX shell."""
    lines = [f"# {line}" for line in _headlines(result)]
    for name, value in _environment(result):
        lines.append(f"unset {name}" if value is None else f"export {name}={shlex.quote(value)}")
    return "\n".join(lines) + "\n"


def env_file(result: Result) -> str:
    """The winner's environment as an ``.env`` file. It cannot remove a variable: a comment says so."""
    lines = [f"# {line}" for line in _headlines(result)]
    for name, value in _environment(result):
        lines.append(f"# {name} must not be set" if value is None else f"{name}={_env_quoted(value)}")
    return "\n".join(lines) + "\n"


def winner_to_json(result: Result) -> dict[str, Any]:
    """The winner: its settings by knob, and the environment and command line that they make."""
    config = result.of(result.winner).config
    return {
        "application": result.plan.application.name,
        "plan_sha256": plan_sha256(result.plan),
        "status": result.status,
        "configuration": config.id,
        "text": config.text,
        "settings": {knob: value_to_json(value) for knob, value in config.settings.items()},
        "environment": dict(config.env),
        "command": list(config.argv),
    }


def _headlines(result: Result) -> Iterator[str]:
    config = result.of(result.winner).config
    yield _one_line(
        f"{result.plan.application.name}: {config.id} ({config.short}), found by lpclc tune: {result.status}"
    )
    present = result.configs[0].config
    if config.argv != present.argv:
        yield _one_line(f"run it as: {shlex.join(config.argv)}")


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _environment(result: Result) -> Iterator[tuple[str, str | None]]:
    """What the winner sets, and what it removes that is set today."""
    present = result.configs[0].config.env
    for name, value in result.of(result.winner).config.env.items():
        if value is not None or present.get(name) is not None:
            yield name, value


def _env_quoted(value: str) -> str:
    if re.fullmatch(r"[\w.,:/@%+-]*", value):
        return value
    escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("$", "\\$")
    return f'"{escaped}"'


def _json(document: dict[str, Any]) -> str:
    return json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
