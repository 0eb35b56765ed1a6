"""An application with one thing changed: an argument, a control, a variable, a figure of the machine."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from lpcl.compose.elaborate import Elaborated
from lpcl.compose.joint import Part
from lpcl.compose.settings import EnvValue, Settings
from lpcl.compose.terms import Value


@dataclass(frozen=True)
class Trial:
    """What is changed, in the application of that label where there are several.

    `arguments` are those of calls, by where the call stands in the application's file and their names.
    """

    application: str = ""
    arguments: Mapping[tuple[int, str], Value] = field(default_factory=dict)
    controls: Mapping[str, Value] = field(default_factory=dict)
    env: Mapping[str, Value] = field(default_factory=dict)
    facts: Mapping[str, Value] = field(default_factory=dict)

    def settings(self, part: Part) -> Settings:
        """The settings of one application with the change."""
        own = part.settings
        if part.label != self.application:
            return own
        env = {name: EnvValue(True, value, None, " (tried)") for name, value in self.env.items()}
        return replace(
            own,
            env={**own.env, **env},
            controls={**own.controls, **self.controls},
            arguments={**own.arguments, **self.arguments},
        )


Trying = Callable[[Trial], Elaborated]
"""Lays an application out with a change. Raises `Refusal` where it then has no meaning."""
