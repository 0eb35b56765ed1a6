"""A configuration of an application: what can be set from outside, and its knobs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from lpcl.compose.terms import Value
from lpcl.model.program import Origin


@dataclass(frozen=True, slots=True)
class EnvValue:
    """What an environment variable holds: whether it is set at all, and to what; either may be open."""

    present: Value
    value: Value
    origin: Origin | None
    how: str


@dataclass(frozen=True, slots=True)
class Settings:
    """What is set beside, and before, what the application file says.

    `env` maps a variable to its value, or to None for "not set". `controls` are the application's own, by
    name.
    `arguments` are those of calls, by where the call's operation is named in the application's file and the
    argument's name.
    `library` maps (qualified contract or interface, control) to a value that every process sets by a call.
    `limits` are the values of its `limit` clauses, by where what is limited is named in its file.
    """

    env: Mapping[str, EnvValue | None] = field(default_factory=dict)
    controls: Mapping[str, Value] = field(default_factory=dict)
    library: Mapping[tuple[str, str], Value] = field(default_factory=dict)
    arguments: Mapping[tuple[int, str], Value] = field(default_factory=dict)
    limits: Mapping[int, Value] = field(default_factory=dict)
