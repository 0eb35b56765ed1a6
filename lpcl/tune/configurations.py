"""Turns the plan's settings into what is really started: a list of arguments and an environment."""

from __future__ import annotations

import os
import re
import shlex
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from lpcl.plan.expressions import EvaluationError, holds
from lpcl.plan.integrity import PRESENT
from lpcl.plan.model import Candidate, Knob, Plan, Value
from lpcl.tune.errors import TuneError


@dataclass(frozen=True, slots=True)
class Configuration:
    """One way to run the application.

    `id` is the candidate's, or ``now``; `text` is the plan's description, `short` what differs from today in
    the fewest words; `settings` gives every knob of the plan a value, None for "not set";
    `changes` are the knobs whose value is not the present one. `argv` is the command, `env` what differs from
    the environment of the tuner: variables to set, and None for variables to remove. `obstacle` says why it
    cannot be run, None where it can.
    """

    id: str
    text: str
    short: str
    settings: Mapping[str, Value | None]
    changes: tuple[str, ...]
    argv: tuple[str, ...]
    env: Mapping[str, str | None]
    obstacle: str | None = None

    def environment(self, base: Mapping[str, str]) -> dict[str, str]:
        """The environment to run in, made of that of the tuner."""
        kept = {name: value for name, value in base.items() if name not in self.env}
        return {**kept, **{name: value for name, value in self.env.items() if value is not None}}


def configurations(plan: Plan, command: Sequence[str]) -> tuple[Configuration, ...]:
    """The present configuration and all candidates, in the plan's order."""
    present = _configuration(plan, command, PRESENT, "as it is run today", plan.present(), None)
    return (present, *(_candidate(plan, command, candidate) for candidate in plan.candidates))


def command_of(plan: Plan, override: Sequence[str]) -> tuple[str, ...]:
    """The words of the command to run. Raises TuneError where there is none."""
    if override:
        return tuple(override)
    if plan.command is None:
        raise TuneError(
            "the plan has no command: add 'command \"...\"' to the application, or give one after '--'"
        )
    if isinstance(plan.command, tuple):
        return plan.command
    try:
        words = tuple(shlex.split(plan.command))
    except ValueError as error:
        raise TuneError(f"the plan's command cannot be split into words: {error}") from None
    if not words:
        raise TuneError("the plan's command is empty")
    return words


def executable(name: str, environment: Mapping[str, str], cwd: Path) -> Path:
    """The program that a command's first word starts. Raises TuneError where there is none."""
    if os.sep in name:
        path = cwd / name
        if not path.exists():
            raise TuneError(f"the command {name!r} does not exist (looked for {path})")
        if not path.is_file() or not os.access(path, os.X_OK):
            raise TuneError(f"the command {name!r} is not an executable file")
        return path
    found = shutil.which(name, path=environment.get("PATH", os.defpath)) if name else None
    if found is None:
        raise TuneError(f"the command {name!r} does not exist: it was not found on PATH")
    return cwd / found


def surprises(plan: Plan, base: Mapping[str, str]) -> Iterator[str]:
    """Where the tuner's own environment differs from what the plan takes for the present configuration."""
    for knob in plan.knobs:
        if knob.kind != "env" or knob.apply is None:
            continue
        planned = None if knob.current is None else value_text(knob.current)
        here = base.get(knob.apply)
        if here is not None and here != planned:
            now = "not set" if planned is None else planned
            yield f"{knob.apply} is {here} in this shell, but {now} in the plan; measured as the plan says"


def value_text(value: Value) -> str:
    """A value as an environment variable or an argument holds it; fractions as decimals of 12 digits."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{float(value):.12g}" if isinstance(value, Fraction) else str(value)


def _candidate(plan: Plan, command: Sequence[str], candidate: Candidate) -> Configuration:
    settings = plan.assignment(candidate)
    obstacle = _obstacle(plan, candidate, settings)
    return _configuration(plan, command, candidate.id, candidate.text, settings, obstacle)


def _obstacle(plan: Plan, candidate: Candidate, settings: Mapping[str, Value | None]) -> str | None:
    for knob_id, value in candidate.settings.items():
        knob = plan.knob(knob_id)
        if knob.kind == "control" and value != knob.current:
            wanted = "left unset" if value is None else f"set to {value_text(value)}"
            return f"the program itself must be changed: {knob_id} has to be {wanted} inside it"
    for constraint in plan.constraints:
        try:
            if not holds(constraint.expression, settings):
                return f"it violates a constraint of the plan: {constraint.text}"
        except EvaluationError as error:
            return f"a constraint of the plan ({constraint.text}) has no value: {error}"
    return None


def _configuration(
    plan: Plan,
    command: Sequence[str],
    identifier: str,
    text: str,
    settings: Mapping[str, Value | None],
    obstacle: str | None,
) -> Configuration:
    argv = tuple(command)
    env: dict[str, str | None] = {}
    for knob in plan.knobs:
        value = settings[knob.id]
        shown = None if value is None else value_text(value)
        if knob.kind == "env" and knob.apply is not None:
            env[knob.apply] = shown
        elif knob.kind == "argument" and knob.apply is not None:
            argv = with_argument(argv, knob.apply, shown)
    changes = tuple(knob.id for knob in plan.knobs if settings[knob.id] != knob.current)
    short = "now" if identifier == PRESENT else _settings_text(plan, settings)
    return Configuration(identifier, text or short, short, settings, changes, argv, env, obstacle)


def _settings_text(plan: Plan, settings: Mapping[str, Value | None]) -> str:
    changed = [knob for knob in plan.knobs if settings[knob.id] != knob.current]
    return ", ".join(setting_text(knob, settings[knob.id]) for knob in changed) or "no change"


def setting_text(knob: Knob, value: Value | None) -> str:
    """A knob's setting as a person writes it: ``OMP_NUM_THREADS=1``, ``--jobs 4``, ``X not set``."""
    name = knob.apply or knob.id
    if knob.kind == "argument":
        return f"no {_option(name)}" if value is None else name.replace("{}", value_text(value))
    return f"{name} not set" if value is None else f"{name}={value_text(value)}"


def _option(template: str) -> str:
    return template.replace("{}", "").rstrip("= ") or template


def with_argument(argv: Sequence[str], template: str, value: str | None) -> tuple[str, ...]:
    """The arguments with the option of a template set to a value, or without it where the value is None.

    The option is looked for in the spelling of the template and, for ``--name {}`` and ``--name={}``, in the
    other one too. It takes the place of its first occurrence, or the end.
    """
    shapes = [_shape(template)]
    if match := re.fullmatch(r"(--?[\w-]+)(?:=|\s+)\{\}", template):
        shapes = [(match[1], "{}"), (f"{match[1]}={{}}",)]
        shapes = shapes if _shape(template) == shapes[0] else shapes[::-1]
    kept: list[str] = list(argv[:1])
    place: int | None = None
    index = 1
    while index < len(argv):
        length = next(
            (len(shape) for shape in shapes if _matches(argv[index : index + len(shape)], shape)), 0
        )
        if length:
            place = len(kept) if place is None else place
            index += length
        else:
            kept.append(argv[index])
            index += 1
    if value is not None:
        place = len(kept) if place is None else place
        kept[place:place] = [part.replace("{}", value) for part in shapes[0]]
    return tuple(kept)


def _shape(template: str) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(template))
    except ValueError:
        return (template,)


def _matches(words: Sequence[str], shape: Sequence[str]) -> bool:
    if len(words) != len(shape) or all(part == "{}" for part in shape):
        return False
    for word, part in zip(words, shape, strict=True):
        before, hole, after = part.partition("{}")
        if not hole:
            if word != part:
                return False
        elif not (len(word) >= len(before) + len(after) and word.startswith(before) and word.endswith(after)):
            return False
    return True
