"""What can be set about an application from outside, and within which bounds."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Literal

from lpcl.compose.evaluate import evaluate
from lpcl.compose.linker import Runtime
from lpcl.compose.machine import MachineView
from lpcl.compose.refusal import Refusal
from lpcl.compose.settings import EnvValue, Settings
from lpcl.compose.terms import Number, Plain, Term, Value, apply, choose, knob, whole
from lpcl.compose.texts import read, written_out
from lpcl.model.program import Origin, SourceFile
from lpcl.syntax import nodes

NOT_SET = None
WIDEST = 4096
MIB = 2**20

Setting = Plain | None


@dataclass(frozen=True, slots=True)
class Knob:
    """One thing to set. `kind` is ``argument`` (a control of the application) or ``env``.

    Its values are the whole numbers `low`..`high`, or `choices`; a variable can also be left unset (None).
    `current` is what the application file says today. `readers` are the libraries whose controls read it.
    `application` is the one whose knob it is, where there are several.
    """

    name: str
    kind: Literal["argument", "env"]
    current: Setting
    low: int = 0
    high: int = 0
    choices: tuple[Plain, ...] = ()
    apply_with: str | None = None
    origin: Origin | None = None
    readers: tuple[str, ...] = ()
    application: str = ""

    @property
    def foreign(self) -> bool:
        """Whether what it is set to today is none of its values, so that it cannot be chosen again."""
        if self.current is None:
            return not self.may_be_unset
        if self.choices:
            return not any(self.current == one and type(self.current) is type(one) for one in self.choices)
        if not isinstance(self.current, int) or isinstance(self.current, bool):
            return True
        return not self.low <= self.current <= self.high

    @property
    def may_be_unset(self) -> bool:
        """Whether "not set" is one of its values."""
        return self.kind == "env"

    @property
    def id(self) -> str:
        """The name under which terms and plans know it."""
        return f"{self.kind}:{self._own}{self.name}"

    @property
    def presence(self) -> str:
        """The name under which terms know whether it is set at all."""
        return f"set:{self._own}{self.name}"

    @property
    def _own(self) -> str:
        return f"{self.application}/" if self.application else ""

    def term(self) -> Term:
        """Its value, open."""
        return knob(self.id) if self.choices else knob(self.id, self.low, self.high)

    def domain(self) -> tuple[Setting, ...]:
        """Every value, "not set" first where it is one."""
        values: tuple[Setting, ...] = self.choices or tuple(range(self.low, self.high + 1))
        return (NOT_SET, *values) if self.may_be_unset else values

    def takes(self, setting: Setting) -> bool:
        """Whether a setting, not "not set", is one of its values: a truth is no number here."""
        truth = isinstance(setting, bool)
        return any(isinstance(one, bool) is truth and one == setting for one in self.domain())

    def __str__(self) -> str:
        return self.name


Configuration = Mapping[str, Setting]
"""What each knob is set to, by its id."""


def application_knobs(
    node: nodes.Application, file: SourceFile, machine: MachineView, current: Mapping[str, Value]
) -> tuple[Knob, ...]:
    """The application's own controls, in order; one without a range reaches to four times the CPUs."""
    found: list[Knob] = []
    earlier: dict[str, Value] = {}
    for member in node.members:
        if not isinstance(member, nodes.Control):
            continue
        name = member.name.text
        now = current[name]
        assert not isinstance(now, Term)
        argument = next((c.text.value for c in member.clauses if isinstance(c, nodes.ArgumentSource)), None)
        origin = Origin(file, member.span)
        if isinstance(member.type, nodes.EnumType):
            members = tuple(m.text for m in member.type.members)
            found.append(Knob(name, "argument", now, choices=members, apply_with=argument, origin=origin))
        elif member.type.first == "bool":
            found.append(
                Knob(name, "argument", now, choices=(False, True), apply_with=argument, origin=origin)
            )
        elif member.type.first in ("int", "count") and isinstance(now, int) and abs(now) <= WIDEST:
            low, high = _range(member.type, PlainScope(file, machine, earlier), now)
            found.append(Knob(name, "argument", now, low, high, apply_with=argument, origin=origin))
        elif choices := _steps(((file, member.type),), machine, now):
            found.append(Knob(name, "argument", now, choices=choices, apply_with=argument, origin=origin))
        earlier[name] = found[-1].term() if found and found[-1].name == name else now
    return tuple(found)


def _range(kind: nodes.ValueType, scope: PlainScope, now: int) -> tuple[int, int]:
    """The whole numbers to try; where a bound depends on other knobs, all that it can leave."""
    low, high = min(1, now), min(max(4 * cpu_count(scope.machine), now), WIDEST)
    if kind.range is None:
        return low, high
    least, _ = scope.extremes(kind.range.low)
    _, most = scope.extremes(kind.range.high)
    low = low if least is None else math.ceil(least)
    high = high if most is None else min(math.floor(most), WIDEST)
    return low, max(low, high)


def cpu_count(machine: MachineView) -> int:
    """The CPUs of the machine in whole numbers, at least 1 and at most as many as a knob can have values."""
    cpus = machine.fact("cpus")
    return 1 if cpus is None or isinstance(cpus, Term | str) else min(max(1, math.floor(cpus)), WIDEST)


@dataclass(frozen=True)
class PlainScope:
    """Names where only the machine is known, and what `values` gives."""

    file: SourceFile
    machine: MachineView
    values: Mapping[str, Value] = field(default_factory=dict)

    def extremes(self, expression: nodes.Expression) -> tuple[Number | None, Number | None]:
        """The least and the largest number that an expression can be, None where that is not known."""
        try:
            value = evaluate(expression, self)
        except Refusal:  # it reads a control, of which nothing is known here
            return None, None
        if isinstance(value, Term):
            return value.low, value.high
        return (None, None) if isinstance(value, str) else (value, value)

    def name(self, path: str, origin: Origin) -> Value:
        """A fact of the machine."""
        if path in self.values:
            return self.values[path]
        value = self.machine.fact(path.removeprefix("machine."))
        return path if value is None else value

    def question(self, function: str, path: str, origin: Origin) -> Value:
        """Nothing is defined or loaded here."""
        return False


def environment_knobs(
    runtimes: Sequence[Runtime],
    machine: MachineView,
    env: Mapping[str, EnvValue],
    rank: Mapping[str, tuple[int, int]],
    questioned: Iterable[str] = (),
) -> tuple[Knob, ...]:
    """The variables that decide figures, the best one to change last. Thread counts reach to the CPUs.

    `rank` gives them, each with how directly it decides: the place of its control among those that a figure
    is computed from, and its own place among the control's variables. Of equally direct ones, the one that
    fewest libraries read is best. Of `questioned` ones it counts whether they are set, whoever reads them.
    """
    readers: dict[str, list[tuple[Runtime, nodes.Control, Origin]]] = {}
    for runtime in runtimes:
        for clause in runtime.contract.controls.values():
            for source in clause.node.clauses:
                if isinstance(source, nodes.EnvSource):
                    for name in source.names:
                        if name.text in rank:
                            reader = (runtime, clause.node, Origin(clause.file, name.span))
                            readers.setdefault(name.text, []).append(reader)
    order = sorted(
        readers,
        key=lambda name: (
            [-place for place in rank[name]],
            -len({runtime.name for runtime, _, _ in readers[name]}),
            name,
        ),
    )
    found = [
        Knob(name, "env", now, choices=("1" if now is None else now,))
        for name in dict.fromkeys(questioned)
        if name not in readers
        for now in (_now(env.get(name), ()),)
    ]
    for variable in order:
        made = _environment_knob(variable, readers[variable], machine, env.get(variable))
        if made is not None:
            found.append(made)
    return tuple(found)


def _now(held: EnvValue | None, readers: Sequence[nodes.Control]) -> Setting:
    """What a variable holds today, as the number or truth that all its readers take its text for."""
    if held is None or held.present is not True or isinstance(held.value, Term):
        return None
    kinds = {"word" if isinstance(one.type, nodes.EnumType) else one.type.first for one in readers}
    found: Value | None = None
    if kinds == {"bool"} and not isinstance(held.value, bool):
        found = read(written_out(held.value), "bool")
    elif kinds <= {"int", "count", "bytes", "share"} and isinstance(held.value, str):
        found = read(held.value, "real")
    return held.value if found is None or isinstance(found, Term) else found


def _environment_knob(
    name: str,
    readers: Sequence[tuple[Runtime, nodes.Control, Origin]],
    machine: MachineView,
    held: EnvValue | None,
) -> Knob | None:
    now = _now(held, [control for _, control, _ in readers])
    names = tuple(dict.fromkeys(runtime.name for runtime, _, _ in readers))
    origin = readers[0][2]
    kinds = [control.type for _, control, _ in readers]
    if all(isinstance(kind, nodes.EnumType) for kind in kinds):
        members = tuple(
            dict.fromkeys(m.text for kind in kinds if isinstance(kind, nodes.EnumType) for m in kind.members)
        )
        return Knob(name, "env", now, choices=members, origin=origin, readers=names)
    values = [kind for kind in kinds if isinstance(kind, nodes.ValueType)]
    if len(values) != len(kinds):
        return None
    if all(kind.first in ("bytes", "share") for kind in values):
        files = [runtime.contract.declared.file for runtime, _, _ in readers]
        steps = _steps(tuple(zip(files, values, strict=True)), machine, now)
        return Knob(name, "env", now, choices=steps, origin=origin, readers=names) if steps else None
    if all(kind.first == "bool" for kind in values):
        return Knob(name, "env", now, choices=(False, True), origin=origin, readers=names)
    if any(kind.first not in ("int", "count") for kind in values):
        return None
    low, high = 1, cpu_count(machine)
    for (runtime, _, _), kind in zip(readers, values, strict=True):
        if kind.range is not None:
            least, _ = PlainScope(runtime.contract.declared.file, machine).extremes(kind.range.low)
            if least is not None:
                low = max(low, math.ceil(least))
    if isinstance(now, int) and 0 <= now <= WIDEST:
        low, high = min(low, now), max(high, now)
    return Knob(name, "env", now, low, max(low, high), origin=origin, readers=names)


Readers = Sequence[tuple[SourceFile, nodes.ValueType]]
"""The types of the controls that read a knob, and where they stand."""


def _steps(readers: Readers, machine: MachineView, now: Setting) -> tuple[Plain, ...]:
    """The values to try of what takes amounts of bytes, or shares; none for any other type."""
    if all(kind.first == "bytes" and not kind.rest for _, kind in readers):
        return _amounts(readers, machine, now)
    if all(kind.first == "share" and not kind.rest for _, kind in readers):
        return _shares(readers, machine, now)
    return ()


def _amounts(readers: Readers, machine: MachineView, now: Setting) -> tuple[Plain, ...]:
    """Amounts of bytes to try: the powers of two that every reader takes, the bounds, and today's."""
    low, high = MIB, machine.fact("memory.limit")
    for file, kind in readers:
        if kind.range is not None:
            bounds = PlainScope(file, machine)
            (least, _), (_, most) = bounds.extremes(kind.range.low), bounds.extremes(kind.range.high)
            if isinstance(least, int) and isinstance(most, int):
                low, high = max(low, least), most if not isinstance(high, int) else min(high, most)
    if not isinstance(high, int) or high < low:
        return ()
    found = {low, high, *(2**power for power in range(low.bit_length(), high.bit_length()))}
    if isinstance(now, int) and not isinstance(now, bool):
        found.add(now)
    return tuple(sorted(one for one in found if low <= one <= high or one == now))


def _shares(readers: Readers, machine: MachineView, now: Setting) -> tuple[Plain, ...]:
    """Shares to try: the tenths that every reader takes, from 10% on, the bounds, and today's."""
    low, high = Fraction(1, 10), Fraction(1)
    for file, kind in readers:
        if kind.range is not None:
            bounds = PlainScope(file, machine)
            (least, _), (_, most) = bounds.extremes(kind.range.low), bounds.extremes(kind.range.high)
            if isinstance(least, int | Fraction) and isinstance(most, int | Fraction):
                low, high = max(low, Fraction(least)), min(high, Fraction(most))
    found = {low, high, *(Fraction(tenths, 10) for tenths in range(1, 11))}
    if isinstance(now, int | Fraction) and not isinstance(now, bool):
        found.add(Fraction(now))
    return tuple(whole(one) for one in sorted(found) if low <= one <= high or one == now)


def open_settings(knobs: Sequence[Knob], base: Settings) -> Settings:
    """Settings in which every knob is left open."""
    env: dict[str, EnvValue | None] = dict(base.env)
    controls: dict[str, Value] = dict(base.controls)
    for item in knobs:
        if item.kind == "env":
            env[item.name] = EnvValue(knob(item.presence), item.term(), None, "")
        else:
            controls[item.name] = item.term()
    return replace(base, env=env, controls=controls)


def chosen_settings(knobs: Sequence[Knob], configuration: Configuration, base: Settings) -> Settings:
    """Settings in which the knobs have the values of `configuration`."""
    env: dict[str, EnvValue | None] = dict(base.env)
    controls: dict[str, Value] = dict(base.controls)
    for item in knobs:
        value = configuration[item.id]
        if item.kind == "env":
            env[item.name] = None if value is None else EnvValue(True, value, None, "")
        else:
            assert value is not None
            controls[item.name] = value
    return replace(base, env=env, controls=controls)


def assignment(knobs: Sequence[Knob], configuration: Configuration) -> Mapping[str, Plain]:
    """The same configuration as values of the knobs of terms; an unset variable's value is its least."""
    values: dict[str, Plain] = {}
    for item in knobs:
        value = configuration[item.id]
        if item.kind == "env":
            values[item.presence] = value is not None
            values[item.id] = (item.choices[0] if item.choices else item.low) if value is None else value
        else:
            assert value is not None
            values[item.id] = value
    return values


def within(item: Knob) -> Value:
    """The condition that a knob's value lies in its domain; an unset one has its least, so that it has just
    one.
    """
    value = knob(item.id)
    if item.choices:
        first: Value = apply("==", value, item.choices[0])
        inside: Value = False
        for choice in item.choices:
            inside = apply("or", inside, apply("==", value, choice))
    else:
        first = apply("==", value, item.low)
        inside = apply("and", apply(">=", value, item.low), apply("<=", value, item.high))
    if item.may_be_unset:
        return choose(knob(item.presence), inside, first)
    return inside


def differs(item: Knob) -> Value:
    """1 where the knob is set to something else than today, else 0."""
    value = knob(item.id)
    if item.foreign:
        return 1
    if item.kind == "argument":
        assert item.current is not None
        return choose(apply("==", value, item.current), 0, 1)
    if item.current is None:
        return choose(knob(item.presence), 1, 0)
    return choose(apply("and", knob(item.presence), apply("==", value, item.current)), 0, 1)
