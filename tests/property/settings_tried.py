"""Machines, settings and arguments to try on two versions of a contract."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice, product
from math import prod

from lpcl.compose.terms import Plain
from lpcl.model.quantities import BYTES, PLAIN
from lpcl.syntax import nodes
from lpcl.syntax.parser import parse
from tests.property.clauses import TRIED
from tests.property.plain_broken import shown
from tests.property.plain_values import Setting, Version, value_of, variables_of

ONLINE = "cpus.online"
_CPUS: tuple[Plain, ...] = (1, 2, 3, 4, 5)
_ARGUMENTS: Mapping[str, tuple[Plain, ...]] = {"n": (0, 1, 2, 3), "k": (0, 1, 2)}
_DEVICES = (0, 1, 2, 3)

Witness = Mapping[str, str]
"""What a witness says, in its words."""


def read(witness: str) -> Witness:
    """The parts of a witness such as ``a = 3, B is set = false``."""
    parts = [part.partition(" = ") for part in witness.split(", ") if " = " in part]
    return {name: value for name, _, value in parts}


@dataclass(frozen=True)
class Tried:
    """The settings of an old contract, for it and a new one. `witness` fixes some of what is open.

    What is in `unset` nobody sets, beside what only the new one has.
    """

    old: nodes.Contract
    new: nodes.Contract
    witness: Witness = field(default_factory=dict)
    unset: frozenset[str] = frozenset()

    def settings(self, most: int, chance: int = 0) -> Iterator[Setting]:
        """Up to so many of them, in random order."""
        open_to = [self._open(name, values) for name, values in self._values.items()]
        dice = random.Random(chance)
        every: Iterator[Sequence[Plain]]
        if prod(map(len, open_to)) <= most:
            listed = list(product(*open_to))
            dice.shuffle(listed)
            every = iter(listed)
        else:
            every = ([dice.choice(values) for values in open_to] for _ in range(most))
        for chosen in islice(every, most):
            yield self._setting(dict(zip(self._values, chosen, strict=True)))

    def versions(self, setting: Setting) -> tuple[Version, Version]:
        """Both contracts under a setting."""
        return Version(self.old, setting, self.unset), Version(self.new, setting, self._unknown | self.unset)

    # -------------------------------------------------------------- what is open

    @cached_property
    def _values(self) -> Mapping[str, Sequence[Plain]]:
        """By the name that a witness has for it, the values of all that is open."""
        names = [
            one.name.text for one in (*self.old.members, *self.new.members) if isinstance(one, nodes.Control)
        ]
        found: dict[str, Sequence[Plain]] = {f"machine.{ONLINE}": _CPUS, "on device": _DEVICES}
        found.update({name: TRIED[name] for name in sorted(set(names) & TRIED.keys())})
        found.update(_ARGUMENTS)
        found.update({f"{name} is set": (False, True) for name in sorted(self._asked)})
        return found

    @cached_property
    def _asked(self) -> frozenset[str]:
        """The controls and variables of which either version asks whether they are set."""
        calls = [one for side in (self.old, self.new) for one in side.walk() if isinstance(one, nodes.Call)]
        asked = [one.args[0] for one in calls if one.function == "defined"]
        return frozenset(one.path for one in asked if isinstance(one, nodes.Reference))

    @cached_property
    def _unknown(self) -> frozenset[str]:
        """The controls of the new one, and their variables, that who uses the old one cannot know."""
        before, after = Version(self.old, Setting()).controls, Version(self.new, Setting()).controls
        added = [control for name, control in after.items() if name not in before]
        known = {one.text for one in self.old.walk() if isinstance(one, nodes.Name)} | {
            one.path for one in self.old.walk() if isinstance(one, nodes.Reference)
        }
        variables = {variable for control in added for variable in variables_of(control)}
        return frozenset({control.name.text for control in added} | (variables - known))

    def _open(self, name: str, values: Sequence[Plain]) -> Sequence[Plain]:
        """The values that are left where the witness says what something is."""
        told = self.witness.get(name)
        if told is None:
            return values
        text = told.strip('"')
        same = [one for one in values if text in (shown(one, PLAIN), shown(one, BYTES))]
        return same or [_value(told)]

    def _setting(self, chosen: Mapping[str, Plain]) -> Setting:
        controls = {name: value for name, value in chosen.items() if name in TRIED}
        unset = frozenset(
            name.removesuffix(" is set")
            for name, value in chosen.items()
            if name.endswith(" is set") and not value
        )
        setting = Setting(
            {ONLINE: chosen[f"machine.{ONLINE}"]},
            controls,
            {name: chosen[name] for name in _ARGUMENTS},
            unset & TRIED.keys(),
            unset - TRIED.keys(),
            int(chosen["on device"]),
        )
        version, _ = self.versions(setting)
        for name, control in version.controls.items():
            default = version.default(name)
            if default is not None and name not in self.witness and not version.is_set_to(control):
                setting = replace(setting, controls={**setting.controls, name: default})
        return setting


def _value(text: str) -> Plain:
    """The value of a figure as it is told."""
    made = parse(f"package p\ncontract k {{ let told = {text.removeprefix('~')} }}\n").file.items[1]
    assert isinstance(made, nodes.Contract)
    let = made.members[0]
    assert isinstance(let, nodes.Let)
    return value_of(let.value, Version(made, Setting()))
