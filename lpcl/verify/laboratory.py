"""Carries out one experiment in a fresh Python process and says what was seen.

The process gets the variables of the user's environment, except those that contracts know and those that
steer Python itself, and the ones that the experiment sets; an empty working folder; nothing to read. Whatever
it starts is ended with it.
"""

from __future__ import annotations

import json
import os
import re
import signal
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from lpcl.compose.terms import Value, whole
from lpcl.tune.runner import RunOutcome, RunSpec, run, supported
from lpcl.verify import quotas
from lpcl.verify.experiments import Setup
from lpcl.verify.prelude import OBSTACLE

REPORT_LIMIT = 1024 * 1024
"""Bytes that all the reports of an experiment may have."""

_KEPT_OF_PYTHON = frozenset({"PYTHONPATH", "PYTHONHOME", "PYTHONUSERBASE", "PYTHONNOUSERSITE"})
"""Variables that say where modules are found; other `PYTHON*` change how Python behaves, and are left out."""


@dataclass(frozen=True, slots=True)
class Observation:
    """What was seen of an experiment.

    - `exit_code`: as the process returned it, or minus the number of the signal that ended it.
    - `timed_out`: whether it was ended because its time was up; `exit_code` is then that of SIGKILL.
    - `reported`: the values that it reported, the last one where a name was reported twice.
    - `fault`: what is wrong with the reports as a whole, or None.
    - `seconds`: from its start to its end.
    - `output`: the last lines that it wrote to standard error, or else to standard output.
    - `leftovers`: processes that it left behind, and that were ended.
    - `failure`: why it could not be watched to its end, or None.
    """

    exit_code: int
    timed_out: bool
    reported: Mapping[str, Value]
    fault: str | None
    seconds: float
    output: str
    leftovers: int
    failure: str | None = None


def unsupported() -> str | None:
    """Why experiments cannot be carried out on this system, or None where they can."""
    reason = supported()
    return None if reason is None else f"processes cannot be watched here: {reason}"


def observe(setup: Setup, foreign: frozenset[str], python: str = sys.executable) -> Observation:
    """Carry out one run with an interpreter; `foreign` are variables that it must not inherit.

    An exception that arrives meanwhile (KeyboardInterrupt) ends all of its processes before it goes on.
    """
    if setup.quota is None:
        return _observe(setup, foreign, python, None)
    try:
        with quotas.group(setup.quota) as group:
            return _observe(setup, foreign, python, group)
    except quotas.Unavailable as reason:
        return _not_made(str(reason))


def _not_made(reason: str) -> Observation:
    """What is seen of a run that could not be made."""
    return Observation(0, False, {}, None, 0.0, "", 0, reason)


def _observe(setup: Setup, foreign: frozenset[str], python: str, group: quotas.Group | None) -> Observation:
    with tempfile.TemporaryDirectory(prefix="lpcl-verify-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        work = folder / "work"
        work.mkdir()
        code = folder / "evidence.py"
        code.write_text(setup.code, encoding="utf-8")
        reports = folder / "reports"
        prelude = str(Path(__file__).with_name("prelude.py"))
        arguments = (prelude, str(code), str(reports), str(setup.cpus or 0), _given(setup), _entry(group))
        outcome = run(
            RunSpec(
                executable=python,
                argv=(python, "-P", *arguments),
                env={**inherited(os.environ, foreign), **setup.variables},
                cwd=work,
                limit=float(setup.seconds),
                stdout=folder / "stdout",
                stderr=folder / "stderr",
            )
        )
        reported, fault = _reported(reports)
    if OBSTACLE in reported:
        return _not_made(str(reported[OBSTACLE]))
    return Observation(
        exit_code=_exit_code(outcome),
        timed_out=outcome.end == "timed_out",
        reported=reported,
        fault=fault,
        seconds=outcome.wall,
        output=(outcome.stderr_tail or outcome.stdout_tail).replace(str(code), setup.path),
        leftovers=outcome.leftovers,
        failure=outcome.note or None if outcome.end == "unstartable" or outcome.signals is None else None,
    )


def _entry(group: quotas.Group | None) -> str:
    """The control group that the run is to enter, as JSON."""
    return json.dumps(None if group is None else group.for_the_process())


def _given(setup: Setup) -> str:
    """What the code is given, as JSON; a fraction as the nearest double."""
    values = {
        name: float(value) if isinstance(value, Fraction) else value for name, value in setup.given.items()
    }
    return json.dumps(values)


def inherited(environment: Mapping[str, str], foreign: frozenset[str]) -> dict[str, str]:
    """What an experiment takes over of an environment; relative folders of modules become absolute."""
    kept = {
        name: value
        for name, value in environment.items()
        if name not in foreign and (name in _KEPT_OF_PYTHON or not name.startswith("PYTHON"))
    }
    if kept.get("PYTHONPATH"):
        folders = kept["PYTHONPATH"].split(os.pathsep)
        kept["PYTHONPATH"] = os.pathsep.join(os.path.abspath(folder) for folder in folders if folder)
    return kept


def _exit_code(outcome: RunOutcome) -> int:
    if outcome.exit_code is not None:
        return outcome.exit_code
    if outcome.signal is None:
        return -signal.SIGKILL
    number = re.fullmatch(r"signal (\d+)", outcome.signal)
    return -int(number[1]) if number is not None else -signal.Signals[outcome.signal].value


def _reported(file: Path) -> tuple[dict[str, Value], str | None]:
    """What is in the file of reports, and what is wrong with it."""
    try:
        with file.open("rb") as stream:
            data = stream.read(REPORT_LIMIT + 1)
    except FileNotFoundError:
        return {}, None
    if len(data) > REPORT_LIMIT:
        return {}, f"it reported more than {REPORT_LIMIT} bytes"
    found: dict[str, Value] = {}
    try:
        for line in data.decode().splitlines():
            for name, (kind, text) in json.loads(line).items():
                found[name or OBSTACLE] = _decoded(kind, text)
    except (ValueError, TypeError, AttributeError, KeyError):
        return found, "what it reported is damaged: it was not written by `report` alone"
    return found, None


def _decoded(kind: str, text: str) -> Value:
    if kind == "bool":
        return text == "true"
    if kind in ("text", OBSTACLE):
        return text
    return int(text) if kind == "int" else whole(Fraction(text))
