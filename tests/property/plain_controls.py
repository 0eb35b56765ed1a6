"""How controls get their values: a model of contracts and an application, its LPCL text, and its values.

Written from the language reference, "A control's value", and what it says about children, imports and limits.
It shares nothing with `lpcl.compose`. Every `probe` in an application reports the controls of its library.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import floor

VARIABLES = ("A", "B", "C")
FACTS = ("machine.cpus.online", "machine.cpus.affinity", "floor(machine.cpus)")
CONTROLS = ("threads", "other")
INTERFACE = "knob"


class Rejected(Exception):
    """A variable holds what a control rejects, or a process is pinned to no CPU at all."""


# ---------------------------------------------------------------------- the model


@dataclass(frozen=True)
class Expression:
    """A number, a fact, a name, or one of these with an upper bound."""

    text: str
    most: int | None = None

    def __str__(self) -> str:
        return self.text if self.most is None else f"min({self.text}, {self.most})"


@dataclass(frozen=True)
class Set:
    """`set V = e` or `set default V = e`, at least so many CPUs being online."""

    variable: str
    value: Expression
    weak: bool
    least: int = 0

    def __str__(self) -> str:
        return f"set {'default ' if self.weak else ''}{self.variable} = {self.value}{_guard(self.least)}"


@dataclass(frozen=True)
class Limit:
    """`limit target.control = e`. `target` is a library, a name of a `uses`, the interface, or nothing."""

    target: str
    control: str
    value: Expression
    least: int = 0

    def __str__(self) -> str:
        target = f"{self.target}.{self.control}" if self.target else self.control
        return f"limit {target} = {self.value}{_guard(self.least)}"


@dataclass(frozen=True)
class Pin:
    """`pin cpus = e`."""

    value: Expression

    def __str__(self) -> str:
        return f"pin cpus = {self.value}"


Clause = Set | Limit | Pin


@dataclass(frozen=True)
class Control:
    """A control of type `int`, from `low` to `high`; `read`, `scope` and `invalid` may be unsaid."""

    name: str
    low: int | None
    high: int | None
    variables: tuple[str, ...]
    invalid: str | None
    default: Expression
    read: str | None
    scope: str | None

    def __str__(self) -> str:
        span = "" if self.low is None else f" in {self.low}..{self.high}"
        words = [f"env {', '.join(self.variables)}"] if self.variables else []
        words += [f"default {self.default}"]
        words += [f"read at {self.read}"] if self.read else []
        words += [f"invalid {self.invalid}"] if self.invalid else []
        words += [f"scope {self.scope}"] if self.scope else []
        return f"control {self.name}: int{span} {{ {' '.join(words)} }}"


@dataclass(frozen=True)
class Library:
    """A contract. `narrow`, `spread` and `start` are what its operations of that name do for their blocks."""

    name: str
    controls: tuple[Control, ...]
    implements: bool
    uses: tuple[tuple[str, str, bool], ...]
    on_load: tuple[Clause, ...]
    narrow: tuple[Limit, ...]
    spread: tuple[Limit, ...]
    start: tuple[Clause, ...]
    method: str
    passed_on: Expression | None

    def __str__(self) -> str:
        lines = [f"contract {self.name}{f' implements {INTERFACE}' if self.implements else ''} {{"]
        lines += [f"  {control}" for control in self.controls]
        lines += [f"  uses {name} = {of}{' private' if private else ''}" for name, of, private in self.uses]
        lines += [f"  on load {{ {_together(self.on_load)} }}"] if self.on_load else []
        demands = " ".join(f"demand m_{control.name} = {control.name}" for control in self.controls)
        lines += [f"  operation probe {{ {demands} }}"]
        lines += [f"  operation narrow {{ {_together(self.narrow)} }}"]
        lines += [f"  operation spread(n: int) {{ workers threads n {{ {_together(self.spread)} }} }}"]
        start = f"start {self.method} {_together(self.start)}"
        lines += [f"  operation start(n: int) {{ workers processes n {{ {start} }} }}"]
        if self.uses:
            argument = "" if self.passed_on is None else f"(threads = {self.passed_on})"
            lines += [f"  operation below {{ calls {self.uses[0][0]}.probe{argument} }}"]
        return "\n".join([*lines, "}"])


@dataclass(frozen=True)
class Call:
    """An operation of a library, with a block or, for `probe`, perhaps with one of its controls given."""

    library: str
    operation: str
    argument: tuple[str, int] | None = None
    block: tuple[Statement, ...] | None = None

    def __str__(self) -> str:
        argument = "" if self.argument is None else f"({self.argument[0]} = {self.argument[1]})"
        return f"{self.library}.{self.operation}{argument}{_block(self.block)}"


@dataclass(frozen=True)
class Within:
    """Statements in a block, in a `together`, or under a limit."""

    head: Limit | str
    block: tuple[Statement, ...]

    def __str__(self) -> str:
        return f"{self.head}{_block(self.block)}"


Statement = Call | Within


@dataclass(frozen=True)
class Application:
    """Libraries and an application that uses them. `affinity` and `quota` may be unsaid."""

    libraries: tuple[Library, ...]
    online: int
    affinity: int | None
    quota: str | None
    environment: Mapping[str, int | str]
    limits: tuple[Limit, ...]
    run: tuple[Statement, ...]

    def __str__(self) -> str:
        facts = f"cpus.online = {self.online}"
        facts += "" if self.affinity is None else f" cpus.affinity = {self.affinity}"
        facts += "" if self.quota is None else f" cpus.quota = {self.quota}"
        members = [f"env {name} = {_quoted(value)}" for name, value in self.environment.items()] + [
            str(limit) for limit in self.limits
        ]
        return "\n".join(
            [
                "package random",
                *(
                    f"resource m_{name}: count {{ capacity 1 sharing space exceed fails }}"
                    for name in CONTROLS
                ),
                f"interface {INTERFACE} {{ control threads: int }}",
                *map(str, self.libraries),
                f"machine m {{ {facts} }}",
                "application app {",
                "  machine m",
                *(f"  {member}" for member in members),
                f"  run{_block(self.run)}",
                "}",
            ]
        )


def _guard(least: int) -> str:
    return f" when machine.cpus.online >= {least}" if least else ""


def _together(clauses: tuple[Clause, ...]) -> str:
    return " ".join(map(str, clauses))


def _block(block: tuple[Statement, ...] | None) -> str:
    return "" if block is None else f" {{ {' '.join(map(str, block))} }}"


def _quoted(value: int | str) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)


# ---------------------------------------------------------------------- what it means


@dataclass(frozen=True)
class Copy:
    """A library as it is loaded: the one that all share, or the private one of `owner`."""

    library: Library
    owner: str = ""

    @property
    def key(self) -> str:
        """What tells it from other copies."""
        return f"{self.library.name}@{self.owner}"


@dataclass
class Process:
    """A process at one moment. `calls` are limits that hold from its start, `imported` those of imports.

    `at_load` and `at_use` are the environments that libraries and controls saw when they were loaded or used.
    """

    environment: dict[str, int | str]
    affinity: int
    calls: list[tuple[str, str, int]] = field(default_factory=list)
    imported: list[tuple[str, str, int]] = field(default_factory=list)
    at_load: dict[str, dict[str, int | str]] = field(default_factory=dict)
    at_use: dict[tuple[str, str], dict[str, int | str]] = field(default_factory=dict)


Frames = tuple[tuple[str, str, int], ...]


class Plain:
    """The values of an application's controls. Use `values`."""

    def __init__(self, application: Application) -> None:
        self.application = application
        self.libraries = {library.name: library for library in application.libraries}
        self.quota = application.online if application.quota is None else float(application.quota)

    def values(self) -> list[tuple[int, ...]]:
        """The controls at each `probe`, in the order in which one executor meets them. Raises `Rejected`."""
        app = self.application
        root = Process(dict(app.environment), app.online if app.affinity is None else app.affinity)
        for limit in app.limits:
            if app.online >= limit.least:
                root.calls.append(
                    (limit.target, limit.control, self._evaluate(limit.value, None, root, (), {}))
                )
        return [found for statement in app.run for found in self._statement(statement, root, ())]

    def _statement(self, statement: Statement, process: Process, frames: Frames) -> Iterator[tuple[int, ...]]:
        if isinstance(statement, Within):
            if isinstance(statement.head, Limit):
                limit = statement.head
                value = self._evaluate(limit.value, None, process, frames, {})
                frames = (*frames, (limit.target, limit.control, value))
            for inner in statement.block:
                yield from self._statement(inner, process, frames)
            return
        copy = Copy(self.libraries[statement.library])
        self._load(copy, process, frames)
        block = statement.block or ()
        given = dict([statement.argument]) if statement.argument else {}
        library = copy.library
        match statement.operation:
            case "probe":
                yield self._probe(copy, process, frames, given)
                return
            case "below":
                used = self._used(copy, library.uses[0][0])
                argument: dict[str, int] = {}
                if library.passed_on is not None:
                    argument = {"threads": self._evaluate(library.passed_on, copy, process, frames, {})}
                yield self._probe(used, process, frames, argument)
                return
            case "narrow":
                frames += self._limits(library.narrow, copy, process, frames, given)
            case "spread":
                kept = tuple(frame for frame in frames if not self._of_thread(frame))
                frames = kept + self._limits(library.spread, copy, process, frames, given)
            case "start":
                process, frames = self._started(copy, process, frames, given)
        for inner in block:
            yield from self._statement(inner, process, frames)

    def _probe(
        self, copy: Copy, process: Process, frames: Frames, given: Mapping[str, int]
    ) -> tuple[int, ...]:
        return tuple(
            self._control(copy, control.name, process, frames, given) for control in copy.library.controls
        )

    def _started(
        self, copy: Copy, parent: Process, frames: Frames, given: Mapping[str, int]
    ) -> tuple[Process, Frames]:
        """A worker process: what it has of its parent, and what its workers' clauses add."""
        library, forked = copy.library, copy.library.method == "fork"
        child = Process(dict(parent.environment), parent.affinity, list(parent.calls))
        if forked:
            child.imported = list(parent.imported)
            child.at_load = dict(parent.at_load)
        for clause in library.start:
            if isinstance(clause, Pin):
                child.affinity = self._pinned(clause, copy, parent, frames, given, child.affinity)
            elif isinstance(clause, Set):
                self._set(clause, copy, parent, frames, given, child.environment)
        limits = self._limits(library.start, copy, parent, frames, given)
        if forked:
            child.at_use = dict(parent.at_use)
        inside = (frames if forked else ()) + limits
        self._load(copy, child, inside)
        return child, inside

    def _pinned(
        self,
        pin: Pin,
        copy: Copy,
        process: Process,
        frames: Frames,
        given: Mapping[str, int],
        affinity: int,
    ) -> int:
        cpus = self._evaluate(pin.value, copy, process, frames, given)
        if cpus < 1:
            raise Rejected
        return min(affinity, cpus)

    def _set(
        self,
        clause: Set,
        copy: Copy,
        process: Process,
        frames: Frames,
        given: Mapping[str, int],
        environment: dict[str, int | str],
    ) -> None:
        if self.application.online >= clause.least and not (clause.weak and clause.variable in environment):
            environment[clause.variable] = self._evaluate(clause.value, copy, process, frames, given)

    def _limits(
        self,
        clauses: tuple[Clause, ...],
        copy: Copy,
        process: Process,
        frames: Frames,
        given: Mapping[str, int],
    ) -> Frames:
        return tuple(
            (
                self._target(copy, clause.target),
                clause.control,
                self._evaluate(clause.value, copy, process, frames, given),
            )
            for clause in clauses
            if isinstance(clause, Limit) and self.application.online >= clause.least
        )

    def _target(self, copy: Copy, target: str) -> str:
        """The library or interface that a limit in a contract names."""
        if not target:
            return copy.library.name
        return next((of for name, of, _ in copy.library.uses if name == target), target)

    def _of_thread(self, frame: tuple[str, str, int]) -> bool:
        library = self.libraries.get(frame[0])
        if library is None:
            return False
        return next(one for one in library.controls if one.name == frame[1]).scope in ("thread", "call")

    def _used(self, copy: Copy, name: str) -> Copy:
        of, private = next((of, private) for used, of, private in copy.library.uses if used == name)
        return Copy(self.libraries[of], copy.key if private else "")

    def _load(self, copy: Copy, process: Process, frames: Frames) -> None:
        """What a library uses is loaded before it; importing a library changes its process once."""
        for name, _, _ in copy.library.uses:
            self._load(self._used(copy, name), process, frames)
        if copy.key in process.at_load:
            return
        for clause in copy.library.on_load:
            if isinstance(clause, Pin):
                process.affinity = self._pinned(clause, copy, process, frames, {}, process.affinity)
            elif isinstance(clause, Set):
                self._set(clause, copy, process, frames, {}, process.environment)
            else:
                process.imported += self._limits((clause,), copy, process, frames, {})
        process.at_load[copy.key] = dict(process.environment)

    def _control(
        self, copy: Copy, name: str, process: Process, frames: Frames, given: Mapping[str, int]
    ) -> int:
        """The call's argument; else the innermost limit; else the first variable; else the default."""
        if name in given:
            return given[name]
        mine = {copy.library.name, INTERFACE} if copy.library.implements else {copy.library.name}
        for target, limited, value in (
            *reversed(frames),
            *reversed(process.calls),
            *reversed(process.imported),
        ):
            if target in mine and limited == name:
                return value
        control = next(one for one in copy.library.controls if one.name == name)
        environment = process.environment
        if control.read == "load":
            environment = process.at_load.get(copy.key, environment)
        elif control.read in (None, "first use"):
            environment = process.at_use.setdefault((copy.key, name), dict(environment))
        for variable in control.variables:
            if variable in environment:
                admitted = _admitted(control, environment[variable])
                if admitted is not None:
                    return admitted
        return self._evaluate(control.default, copy, process, frames, given)

    def _evaluate(
        self,
        expression: Expression,
        copy: Copy | None,
        process: Process,
        frames: Frames,
        given: Mapping[str, int],
    ) -> int:
        value = self._name(expression.text, copy, process, frames, given)
        return value if expression.most is None else min(value, expression.most)

    def _name(
        self, text: str, copy: Copy | None, process: Process, frames: Frames, given: Mapping[str, int]
    ) -> int:
        if text.isdigit():
            return int(text)
        match text:
            case "machine.cpus.online":
                return self.application.online
            case "machine.cpus.affinity":
                return process.affinity
            case "floor(machine.cpus)":
                return floor(min(process.affinity, self.quota))
        assert copy is not None
        if "." in text:
            used, _, control = text.partition(".")
            return self._control(self._used(copy, used), control, process, frames, {})
        return self._control(copy, text, process, frames, given)


def _admitted(control: Control, held: int | str) -> int | None:
    """What a control takes from a variable; None where it goes on to the next one. Raises `Rejected`."""
    value: int | None
    try:
        value = int(held)
    except ValueError:
        value = None
    low, high = control.low, control.high
    if value is not None and low is not None and high is not None and not low <= value <= high:
        value = max(low, min(high, value)) if control.invalid == "clamps" else None
    if value is None and control.invalid == "rejects":
        raise Rejected
    return value
