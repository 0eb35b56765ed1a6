"""Controls for the numbers of workers and threads that were inferred: compositions can ask what others would
do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import zip_longest

from lpcl.scan.steps import AnyStep, AtOnce, InTurn, Limited, Step
from lpcl.syntax import nodes

WAITING = Step("system.wait")


@dataclass(frozen=True, slots=True)
class Inferred:
    """A control: its name, the value that was seen, and the option of the command that seems to set it."""

    name: str
    value: int
    most: int
    option: str | None

    @property
    def clause(self) -> nodes.Control:
        """Its declaration."""
        kind = nodes.ValueType(
            "count", (), nodes.Range(nodes.Quantity(Fraction(1)), nodes.Quantity(Fraction(self.most)))
        )
        clauses: list[nodes.ControlClause] = []
        if self.option is not None:
            clauses.append(nodes.ArgumentSource(nodes.Text(self.option)))
        clauses.append(nodes.Default(nodes.Quantity(Fraction(self.value))))
        return nodes.Control(nodes.Name(self.name), kind, (), tuple(clauses))

    @property
    def remark(self) -> str:
        """Where its value comes from."""
        if self.option is not None:
            return f"`{self.option}` of the command has this value; whether it sets it is a guess."
        return (
            "As many were seen; the program may have asked for all CPUs, or otherwise. If an option of the "
            'command sets it, say so here: argument "--option".'
        )


@dataclass
class Controls:
    """Collects the controls of the steps that it has gone through."""

    command: Sequence[str]
    cpus: int
    taken: set[str]
    found: list[Inferred] = field(default_factory=list)

    def put_into(self, steps: tuple[AnyStep, ...]) -> tuple[AnyStep, ...]:
        """The steps with names in the place of the numbers of workers and threads."""
        return tuple(self._step(step) for step in steps)

    def _step(self, step: AnyStep) -> AnyStep:
        match step:
            case Step():
                block = None if step.block is None else self.put_into(step.block)
                if _idle(step):
                    return replace(step, block=block)
                arguments = tuple(
                    (name, self._name(step, name, value) if isinstance(value, int) else value)
                    for name, value in step.arguments
                )
                return replace(step, block=block, arguments=arguments)
            case AtOnce():
                return replace(step, members=self.put_into(step.members))
            case InTurn():
                return replace(step, steps=self.put_into(step.steps))
            case Limited():
                value = self._named(step.control, step.value) if isinstance(step.value, int) else step.value
                return replace(step, value=value, block=self.put_into(step.block))

    def _name(self, step: Step, parameter: str, value: int) -> str | int:
        library, _, operation = step.operation.partition(".")
        if parameter == "cpus":
            return value
        return self._named(operation if library == "system" or len(parameter) == 1 else parameter, value)

    def _named(self, wanted: str, value: int) -> str | int:
        """A control for a number that the program chose; the last part of `wanted` is its name."""
        if value < 2:
            return value
        wanted = wanted.rpartition(".")[2]
        name, number = wanted, 2
        while name in self.taken:
            name, number = f"{wanted}_{number}", number + 1
        self.taken.add(name)
        options = list(dict.fromkeys(_options(self.command, value)))
        option = options[0] if len(options) == 1 else None
        if option is not None and any(one.option == option for one in self.found):
            option = None
        self.found.append(Inferred(name, value, max(2 * value, self.cpus), option))
        return name


def _idle(step: Step) -> bool:
    """Whether a step's workers only wait: their number is nobody's choice."""
    inner = step.block or ()
    return step.operation == "system.threads" and all(
        isinstance(one, Step) and one.operation == WAITING.operation for one in inner
    )


def _options(command: Sequence[str], value: int) -> Iterator[str]:
    """The options of a command that have a value."""
    for word, following in zip_longest(command[1:], command[2:], fillvalue=""):
        if not word.startswith("-"):
            continue
        name, given, text = word.partition("=")
        if (text if given else following) == str(value) and len(name) > 1:
            yield name
