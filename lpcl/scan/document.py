"""The application file that describes what was seen, from what explains it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from lpcl.model.host import HostFacts
from lpcl.model.machine import FACTS
from lpcl.model.quantities import BYTES, show
from lpcl.scan import wording
from lpcl.scan.controls import Controls
from lpcl.scan.grouping import Group
from lpcl.scan.observation import Observation
from lpcl.scan.question import COMPUTE, WAIT, Explained
from lpcl.scan.recognition import Binding, Recognised
from lpcl.scan.steps import AnyStep, AtOnce, InTurn, Limited, Step, operations, statements
from lpcl.scan.writing import to_text, wrapped
from lpcl.syntax import nodes

_STEPS = (("TiB", 2**40), ("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10))


@dataclass(frozen=True)
class Setting:
    """A variable as the program was started with it, and what it decides."""

    name: str
    value: str
    remark: str

    @property
    def clause(self) -> nodes.Environment:
        """The `env` clause: a number where the value is one."""
        value: nodes.Expression = nodes.Text(self.value)
        if self.value.isascii() and self.value.isdigit() and len(self.value) < 10:
            value = nodes.Quantity(Fraction(self.value))
        return nodes.Environment(nodes.Name(self.name), value)


@dataclass
class Draft:
    """All that goes into the file. `imports` gives the qualified name of each local one."""

    package: str
    name: str
    observation: Observation
    command: str | None
    words: tuple[str, ...]
    explained: Explained
    recognised: tuple[Recognised, ...]
    bindings: tuple[Binding, ...]
    settings: tuple[Setting, ...]
    limits: Mapping[str, int]
    imports: Mapping[str, str]
    unknown: tuple[str, ...]
    processes: int
    threads: int
    remarks: dict[int, Sequence[str]] = field(default_factory=dict)

    def text(self, predicted: int | None) -> str:
        """The file; `predicted` is how many threads its composition has at once, where that is known."""
        online = self.observation.host.values.get("cpus.online", 1)
        controls = Controls(self.words, int(online), set(self.imports))
        values = {setting.name: setting.value for setting in self.settings}
        steps = controls.put_into(described(self.explained, values))
        run = nodes.Run(nodes.Block(statements(steps, self.remarks)))
        names = dict.fromkeys([item.name for item in self.recognised])
        names.update(dict.fromkeys(name.partition(".")[0] for name in operations(steps)))
        names.update(dict.fromkeys(item.provider.name for item in self.bindings))
        if self.unknown:
            self.remarks[id(run)] = ["What could not be seen:", *(f"- {item}" for item in self.unknown)]
        members: list[nodes.ApplicationMember] = [self._machine(), *self._uses(names)]
        members += self._environment()
        for name, minor in self.limits.items():
            if name in names:
                limit = nodes.Limit(nodes.Ref(f"{name}.minor"), nodes.Quantity(Fraction(minor)))
                self.remarks[id(limit)] = [f"It ran with Python 3.{minor}, on which `{name}` depends."]
                members.append(limit)
        for control in controls.found:
            clause = control.clause
            self.remarks[id(clause)] = [control.remark]
            members.append(clause)
        members.append(run)
        if self.command is not None:
            members += [nodes.Command(nodes.Text(self.command)), nodes.Measure()]
        application = nodes.Application(
            nodes.Name(self.name), (), tuple(members), doc="\n".join(self._introduction(predicted))
        )
        paths = sorted(self.imports[name] for name in names if name in self.imports)
        imports = tuple(nodes.Import(path) for path in paths)
        return to_text(nodes.File((nodes.Package(self.package), *imports, application)), self.remarks)

    def _introduction(self, predicted: int | None) -> Iterator[str]:
        seen = self.observation
        ended = {
            "duration": ", when the time was up",
            "interrupted": ", when it was interrupted",
            "left": "; what it left behind goes on",
        }.get(seen.ended, "")
        what = f"`{self.command}`" if self.command is not None else "a running process"
        text = (
            f"What was seen of {what} in {seen.duration:.1f} s{ended}: "
            f"{self.processes} {'process' if self.processes == 1 else 'processes'}, "
            f"at most {self.threads} {'thread' if self.threads == 1 else 'threads'} at once"
        )
        if predicted is not None:
            text += f"; this file predicts {predicted}"
        yield from wrapped(f"{text}.", 100)

    def _machine(self) -> nodes.MachineUse:
        facts = _facts(self.observation)
        own = _facts(replace(self.observation, host=self.observation.own_host), own=True)
        if facts == own:
            used = nodes.MachineUse(nodes.Ref("host"))
            self.remarks[id(used)] = [f"This machine, as it was then: {_told(facts)}."]
            return used
        different = [path for path in facts if facts[path] != own.get(path)]
        stated = tuple(nodes.Fact(path, _quantity(path, value)) for path, value in facts.items())
        used = nodes.MachineUse(None, stated)
        self.remarks[id(used)] = [
            "The machine as the program could use it, which is not all of this one: "
            + ", ".join(f"`{path}`" for path in different)
            + (" differs." if len(different) == 1 else " differ.")
        ]
        return used

    def _uses(self, names: Mapping[str, None]) -> Iterator[nodes.Use]:
        for item in self.recognised:
            bound = tuple(
                nodes.Binding(nodes.Name(one.uses), nodes.Ref(one.provider.name))
                for one in self.bindings
                if one.library == item.name
            )
            version = nodes.Text(item.version) if item.version is not None else None
            use = nodes.Use((nodes.UseItem(nodes.Ref(item.name), version, bound),))
            self.remarks[id(use)] = [f"Recognised by {item.why}."]
            yield use
        rest = [
            name for name in names if name in self.imports and name not in {r.name for r in self.recognised}
        ]
        if rest:
            yield nodes.Use(tuple(nodes.UseItem(nodes.Ref(name)) for name in rest))

    def _environment(self) -> Iterator[nodes.Environment]:
        for setting in self.settings:
            clause = setting.clause
            if setting.remark:
                self.remarks[id(clause)] = [setting.remark]
            yield clause


def described(
    explained: Explained, values: Mapping[str, str], start: Step | None = None
) -> tuple[AnyStep, ...]:
    """The steps of a kind of process with what was seen of it remarked; `values` are the variables that are
    set.
    """
    group = explained.group
    children = {
        step: replace(_told_start(step, child, explained), block=described(child, values, step))
        for step, child in zip(explained.starts, explained.children, strict=True)
    }
    work = tuple(_filled(step, children, explained) for step in explained.work)
    before = explained.before
    if explained.unexplained:
        rest = tuple(_unexplained(explained))
        inner = (work[0] if len(work) == 1 else InTurn(work),) if work else ()
        work = (AtOnce((*rest, *inner)),) if len(rest) + len(inner) > 1 else rest
    steps = (*before, *work) or (WAIT,)
    told = [*_about(explained, start is None), *_otherwise(group, values)]
    return (_remarked(steps[0], told), *steps[1:])


def _unexplained(explained: Explained) -> Iterator[Step]:
    """Threads that no contract accounts for, those at work and those that are idle by themselves."""
    for does, busy in ((COMPUTE, True), (WAIT, False)):
        these = {
            key: number
            for key, number in explained.unexplained.items()
            if explained.group.seen.busy(key) is busy
        }
        if these:
            told = ", ".join(f"{number} more of {wording.key_text(key)}" for key, number in these.items())
            number = sum(these.values())
            yield Step("system.threads", (("n", number),), (does,), (f"{told} than contracts account for.",))


def _about(explained: Explained, first: bool) -> Iterator[str]:
    group = explained.group
    who = f"`{wording.short_command(group.process)}`" if first or group.method == "exec" else "Each of them"
    yield f"{who}: {wording.counts(group.seen, explained.predicted, len(group.helpers))}."
    for line in wording.differences(explained):
        yield f"{line[0].upper()}{line[1:]}."
    told = wording.spread(group)
    if told:
        yield told


def _otherwise(group: Group, values: Mapping[str, str]) -> Iterator[str]:
    """The variables that a program of its own had otherwise: the language sets them for all processes."""
    own = group.process.environment
    read = {name for item in group.found for name in item.known.variables}
    for name in sorted(read) if group.method == "exec" else ():
        if own.get(name) != values.get(name):
            value = f"set to {own[name]}" if name in own else "not set"
            yield f"{name} was {value} here, which an application cannot say of one process."


def _told_start(step: Step, child: Explained, parent: Explained) -> Step:
    group = child.group
    total = len(group.members)
    more = f", {total} in all" if total > group.at_once else ""
    lines = [f"{wording.started(group)}{more}, from {group.first:.1f} s to {group.last:.1f} s."]
    others = parent.others.get(step.operation, ())
    if others:
        lines.append(f"{_listed(others)} would look the same.")
    return replace(step, remarks=tuple(lines))


def _filled(step: AnyStep, children: Mapping[Step, Step], explained: Explained) -> AnyStep:
    match step:
        case Step() if step in children:
            return children[step]
        case Step():
            others = explained.others.get(step.operation, ())
            remarks = (f"{_listed(others)} would look the same.",) if others else ()
            block = (
                None if step.block is None else tuple(_filled(one, children, explained) for one in step.block)
            )
            return replace(step, block=block, remarks=remarks)
        case AtOnce():
            return replace(step, members=tuple(_filled(one, children, explained) for one in step.members))
        case InTurn():
            return replace(step, steps=tuple(_filled(one, children, explained) for one in step.steps))
        case Limited():
            return replace(step, block=tuple(_filled(one, children, explained) for one in step.block))


def _remarked(step: AnyStep, told: Sequence[str]) -> AnyStep:
    if isinstance(step, InTurn):
        return InTurn((_remarked(step.steps[0], told), *step.steps[1:]))
    return replace(step, remarks=(*told, *step.remarks))


def _listed(names: Sequence[str]) -> str:
    marked = [f"`{name}`" for name in names[:4]]
    return marked[0] if len(marked) == 1 else ", ".join(marked[:-1]) + f" or {marked[-1]}"


def _facts(observation: Observation, own: bool = False) -> dict[str, int | Fraction]:
    """The figures of a machine that say something: those that follow from others left out."""
    host: HostFacts = observation.host
    values = dict(host.values)
    mask = observation.root.affinity
    if mask and not own:
        values["cpus.affinity"] = len(mask)
    kept: dict[str, int | Fraction] = {}
    for path, value in values.items():
        follows = FACTS[path].follows
        if follows is None or values.get(follows) != value:
            kept[path] = value
    return kept


def _told(facts: Mapping[str, int | Fraction]) -> str:
    wanted = ("cpus.online", "cpus.affinity", "cpus.quota", "cpus.physical", "memory.total", "memory.limit")
    return ", ".join(f"{path} {show(facts[path], FACTS[path].dimension)}" for path in wanted if path in facts)


def _quantity(path: str, value: int | Fraction) -> nodes.Expression:
    number = Fraction(value)
    if number.denominator != 1:
        over = nodes.Quantity(Fraction(number.numerator)), nodes.Quantity(Fraction(number.denominator))
        return nodes.Binary("/", *over)
    if FACTS[path].dimension == BYTES:
        for unit, factor in _STEPS:
            if number and number % factor == 0:
                return nodes.Quantity(number, unit)
        return nodes.Quantity(number, "B")
    return nodes.Quantity(number)
