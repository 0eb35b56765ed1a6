"""A configuration of an application: what can be set from outside, and its knobs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from lpcl.compose.terms import Value, choose, conjunction, disjunction, negation
from lpcl.model.program import Origin


@dataclass(frozen=True, slots=True)
class EnvValue:
    """What an environment variable holds: whether it is set at all, and to what; either may be open."""

    present: Value
    value: Value
    origin: Origin | None
    how: str


class Seen:
    """Environments as something found them at the places where it looked, each under its condition; only the
    first that is reached counts.
    """

    def __init__(self) -> None:
        self._moments: list[tuple[list[Value], Mapping[str, EnvValue]]] = []
        self.settled = False

    def look(self, env: Mapping[str, EnvValue], condition: Value) -> None:
        """Note what is there at one more place, which is reached under a condition."""
        if self.settled or condition is False:
            return
        self.settled = condition is True
        if self._moments:
            conditions, last = self._moments[-1]
            if len(last) == len(env) and all(env.get(name) is value for name, value in last.items()):
                if conditions[-1] is not condition:
                    conditions.append(condition)
                return
        self._moments.append(([condition], dict(env)))

    def held(self, name: str, now: EnvValue | None) -> EnvValue | None:
        """What a variable held where it counts; `now` where no place has been reached."""
        found = now
        for conditions, env in reversed(self._moments):
            before = env.get(name)
            if before is not found:
                found = _either(disjunction(*conditions), before, found)
        return found

    def handed_on(self) -> Seen:
        """The same for a forked child, which goes on by itself."""
        other = Seen()
        other._moments = [(list(conditions), env) for conditions, env in self._moments]
        other.settled = self.settled
        return other


def _either(condition: Value, one: EnvValue | None, other: EnvValue | None) -> EnvValue | None:
    """What a variable holds: as `one` has it where the condition holds, else as `other` has it."""
    if condition is True or other is None:
        return one if condition is True or one is None else _where(condition, one)
    if one is None:
        return _where(negation(condition), other)
    present = choose(condition, one.present, other.present)
    return EnvValue(present, choose(condition, one.value, other.value), one.origin, one.how)


def _where(condition: Value, held: EnvValue) -> EnvValue:
    return EnvValue(conjunction(condition, held.present), held.value, held.origin, held.how)


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
