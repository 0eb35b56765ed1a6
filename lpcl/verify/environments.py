"""Environments for experiments: one for each set of requirements, made once and kept outside of any project.

An environment is a virtual environment of the interpreter that runs LPCL, filled from the package index by uv
where that is on the search path, by pip otherwise. Code of packages runs only when an experiment does, except
for what their installation runs: wheels run nothing, and nothing but wheels is installed.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib.metadata import distributions
from pathlib import Path

from lpcl.model.host import HostFacts, Reading
from lpcl.model.promises import INTERPRETER
from lpcl.verify.distributions import Requirement, plain_name

PATIENCE = 900
"""Seconds that one installation may take."""

_DONE = "lpcl-requirements.json"
_SHOWN = 300


@dataclass(frozen=True, slots=True)
class Environment:
    """An environment that is ready: its interpreter, and what was asked for."""

    folder: Path
    requirements: tuple[Requirement, ...]

    @property
    def python(self) -> str:
        """The interpreter."""
        return str(self.folder / "bin" / "python")

    def installed(self, distribution: str) -> str | None:
        """The version of a distribution in it, or None."""
        found = distributions(name=distribution, path=self._sites())
        return next((str(item.version) for item in found), None)

    def _sites(self) -> list[str]:
        return [str(path) for path in self.folder.glob("lib/python*/site-packages")]


@dataclass(frozen=True, slots=True)
class Failed:
    """Why an environment could not be made."""

    reason: str


def default_folder() -> Path:
    """Where environments are kept: in the user's cache folder."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(base) / "lpcl" / "environments"


Needs = tuple[Requirement, ...]
"""What one environment has to have, in order of name."""


def merged(wanted: Iterable[Needs]) -> dict[Needs, Needs]:
    """Sets of requirements to those of the environments that serve them: as few as go together.

    Two sets go together where each distribution that both name has the same constraint, or one of them none.
    """
    groups: list[dict[str, str]] = []
    served: dict[Needs, dict[str, str]] = {}
    for needs in sorted(set(wanted), key=lambda item: (-len(item), item)):
        group = next((known for known in groups if _fits(known, needs)), None)
        if group is None:
            group = {}
            groups.append(group)
        for one in needs:
            group[one.name] = group.get(one.name) or one.constraint
        served[needs] = group
    return {
        needs: tuple(sorted(Requirement(*item) for item in group.items())) for needs, group in served.items()
    }


def _fits(group: dict[str, str], needs: Needs) -> bool:
    return all(group.get(one.name, "") in ("", one.constraint) or not one.constraint for one in needs)


class Environments:
    """Makes environments in a folder, each once. `say` is told what is installed and where, before it is."""

    def __init__(self, folder: Path, say: Callable[[str], None]) -> None:
        self._folder = folder.absolute()
        self._say = say
        self._known: dict[Needs, Environment | Failed] = {}

    def get(self, requirements: Needs) -> Environment | Failed:
        """The environment with these distributions."""
        known = self._known.get(requirements)
        if known is None:
            known = self._known[requirements] = self._made(requirements)
        return known

    def _made(self, requirements: Needs) -> Environment | Failed:
        folder = self._folder / _key(requirements)
        environment = Environment(folder, requirements)
        if (folder / _DONE).is_file():
            return environment
        what = ", ".join(map(str, requirements)) or "nothing"
        self._say(f"Installing {what} into {folder}")
        shutil.rmtree(folder, ignore_errors=True)
        for command in _commands(folder, requirements):
            reason = _run(command)
            if reason is not None:
                shutil.rmtree(folder, ignore_errors=True)
                return Failed(f"{what} could not be installed: {reason}")
        (folder / _DONE).write_text(json.dumps([str(item) for item in requirements]), encoding="utf-8")
        return environment


def _key(requirements: Needs) -> str:
    """A folder name that stands for the requirements and the interpreter."""
    version = f"{sys.implementation.cache_tag}-{sys.base_prefix}"
    text = json.dumps([version, *map(str, requirements)])
    first = requirements[0].name if requirements else "empty"
    return f"{first}-{hashlib.sha256(text.encode()).hexdigest()[:12]}"


def _commands(folder: Path, requirements: Needs) -> list[list[str]]:
    wanted = [str(item) for item in requirements]
    uv = shutil.which("uv")
    if uv is not None:
        made = [uv, "venv", "--quiet", "--python", sys.executable, str(folder)]
        filled = [uv, "pip", "install", "--quiet", "--python", str(folder / "bin" / "python")]
        return [made, [*filled, "--only-binary", ":all:", *wanted]] if wanted else [made]
    made = [sys.executable, "-m", "venv", str(folder)]
    filled = [str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", "--no-input"]
    filled += ["--disable-pip-version-check", "--only-binary", ":all:"]
    return [made, [*filled, *wanted]] if wanted else [made]


def _run(command: list[str]) -> str | None:
    """Run an installer; the reason why it failed, or None."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    try:
        done = subprocess.run(
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"it took longer than {PATIENCE} s"
    except OSError as problem:
        return str(problem)
    if done.returncode == 0:
        return None
    lines = [line.strip() for line in (done.stderr or done.stdout).splitlines() if line.strip()]
    last = next((line for line in reversed(lines) if "error" in line.lower()), lines[-1] if lines else "")
    return last[:_SHOWN] or f"exit code {done.returncode}"


@dataclass(frozen=True, slots=True)
class Interpreter:
    """An interpreter that is there: its minor version, and the distributions that it finds, by plain name."""

    minor: int
    distributions: Mapping[str, str]

    def installed(self, distribution: str) -> str | None:
        """The version of a distribution that it has, or None."""
        return self.distributions.get(plain_name(distribution))

    def told(self, host: HostFacts) -> HostFacts:
        """The host, with the version of this interpreter for those who ask."""
        reading = Reading(self.minor, "the interpreter")
        return HostFacts({**host.readings, INTERPRETER: reading}, host.absent)


_ASKED = """
import importlib.metadata, json, sys
found = {item.metadata["Name"]: item.version for item in importlib.metadata.distributions()}
print(json.dumps([sys.version_info[1], {name: version for name, version in found.items() if name}]))
"""


def look_at(python: str) -> Interpreter | Failed:
    """What an interpreter has. It is run, without the user's start-up files."""
    try:
        done = subprocess.run(
            [python, "-I", "-c", _ASKED], capture_output=True, text=True, timeout=60, check=False
        )
        minor, found = json.loads(done.stdout)
    except (OSError, subprocess.TimeoutExpired, ValueError, TypeError):
        return Failed("it is no Python that tells what is installed")
    return Interpreter(int(minor), {plain_name(name): str(version) for name, version in found.items()})
