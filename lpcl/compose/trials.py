"""An application with one thing changed: an argument, a limit, a control, a variable, a machine's figure."""

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

    `arguments`, `limits` and `library` are as in `Settings`; a variable that is None is not set.
    """

    application: str = ""
    arguments: Mapping[tuple[int, str], Value] = field(default_factory=dict)
    limits: Mapping[int, Value] = field(default_factory=dict)
    library: Mapping[tuple[str, str], Value] = field(default_factory=dict)
    controls: Mapping[str, Value] = field(default_factory=dict)
    env: Mapping[str, Value | None] = field(default_factory=dict)
    facts: Mapping[str, Value] = field(default_factory=dict)

    def settings(self, part: Part) -> Settings:
        """The settings of one application with the change."""
        own = part.settings
        if part.label != self.application:
            return own
        env = {
            name: None if value is None else EnvValue(True, value, None, " (tried)")
            for name, value in self.env.items()
        }
        return replace(
            own,
            env={**own.env, **env},
            controls={**own.controls, **self.controls},
            library={**own.library, **self.library},
            arguments={**own.arguments, **self.arguments},
            limits={**own.limits, **self.limits},
        )


Trying = Callable[[Trial], Elaborated]
"""Lays an application out with a change. Raises `Refusal` where it then has no meaning."""
