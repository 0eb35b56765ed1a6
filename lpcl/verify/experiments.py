"""What the evidence of contracts proposes to try, made ready for this machine."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from lpcl.compose.evaluate import evaluate
from lpcl.compose.machine import MachineView
from lpcl.compose.refusal import Refusal
from lpcl.compose.terms import Value
from lpcl.model.contracts import Clause, Contract
from lpcl.model.contracts import contract as flatten
from lpcl.model.host import HostFacts
from lpcl.model.program import Declared, Origin, Program, SourceFile
from lpcl.syntax import nodes
from lpcl.verify.distributions import Distribution, needed
from lpcl.verify.names import Names
from lpcl.verify.presence import absent
from lpcl.verify.values import shown

TIME_LIMIT = Fraction(60)
"""Seconds that an experiment without a `timeout` gets."""

_OPENING = re.compile(r'"+\s*')

NodeT = TypeVar("NodeT", bound=nodes.Node)


class Unfit(Exception):
    """Raised while an experiment is prepared that makes no sense anywhere, with what is wrong with it."""


class Impossible(Exception):
    """Raised while an experiment is prepared that this machine cannot carry out, with the reason."""


@dataclass(frozen=True, slots=True)
class Setup:
    """How an experiment is run: its variables, the CPUs that it is pinned to, its seconds, its code.

    `cpus` is None where it is not pinned. `path` is the file that the code stands in, whose lines it has.
    `machine` is the machine as the experiment sees it.
    """

    variables: Mapping[str, str]
    cpus: int | None
    seconds: Fraction
    code: str
    path: str
    machine: MachineView


@dataclass(frozen=True, eq=False)
class Experiment:
    """One `evidence` of a contract: how to run it, or why it cannot be.

    Of `setup`, `obstacle` and `fault` one is given: an obstacle is something that this machine or what is
    installed lacks, a fault is a mistake in the evidence itself.
    """

    contract: Contract
    clause: Clause[nodes.Evidence]
    distributions: tuple[Distribution, ...]
    setup: Setup | None = None
    obstacle: str | None = None
    fault: str | None = None

    @property
    def title(self) -> str:
        """What the evidence is to show."""
        return self.clause.node.title.value

    @property
    def label(self) -> str:
        """Contract and title, as a person reads them."""
        return f"{self.contract.name}: {self.title}"

    @property
    def origin(self) -> Origin:
        """Where the evidence stands."""
        return Origin(self.clause.file, self.clause.node.title.span)

    @property
    def expectations(self) -> tuple[nodes.ExpectValue, ...]:
        """What is expected, in order."""
        return tuple(item for item in self.clause.node.clauses if isinstance(item, nodes.ExpectValue))


def prepare(program: Program, contracts: Iterable[Declared], host: HostFacts) -> tuple[Experiment, ...]:
    """The experiments of the contracts, in order.

    Evidence that several of them inherit is tried once: for the first of them that can be tried, those that
    name a library before those that do not.
    """
    flat = sorted((flatten(program, item) for item in contracts), key=lambda item: item.library is None)
    chosen: dict[int, Experiment] = {}
    for contract in flat:
        for clause in contract.evidence:
            known = chosen.get(id(clause.node))
            if known is None or known.obstacle is not None:
                made = _experiment(contract, clause, host)
                if known is None or made.obstacle is None:
                    chosen[id(clause.node)] = made
    return tuple(
        sorted(chosen.values(), key=lambda item: (item.clause.file.path, item.clause.node.span.start))
    )


def variables_of(program: Program) -> frozenset[str]:
    """The environment variables that controls of some contract read: an experiment must not inherit them."""
    return frozenset(_variables(program))


def _variables(program: Program) -> Iterator[str]:
    for items in program.declarations.values():
        for item in items:
            if isinstance(item.node, nodes.Contract | nodes.Interface):
                for member in item.node.members:
                    for clause in member.clauses if isinstance(member, nodes.Control) else ():
                        if isinstance(clause, nodes.EnvSource):
                            yield from (name.text for name in clause.names)


def _experiment(contract: Contract, clause: Clause[nodes.Evidence], host: HostFacts) -> Experiment:
    distributions, obstacle = needed(contract, clause.node)
    obstacle = obstacle or absent(clause.node)
    if obstacle is not None:
        return Experiment(contract, clause, distributions, obstacle=obstacle)
    try:
        return Experiment(contract, clause, distributions, setup=_setup(clause, host))
    except Impossible as reason:
        return Experiment(contract, clause, distributions, obstacle=str(reason))
    except Unfit as fault:
        return Experiment(contract, clause, distributions, fault=str(fault))


def _setup(clause: Clause[nodes.Evidence], host: HostFacts) -> Setup:
    machine = MachineView("host", host.values, {})
    cpus: int | None = None
    for pin in _of(clause, nodes.Pin):
        cpus = _pinned(_value(pin.value, Names(clause.file, machine, host)), machine)
    seen = machine if cpus is None else machine.pinned(cpus)
    names = Names(clause.file, seen, host)
    variables: dict[str, str] = {}
    for setting in _of(clause, nodes.SetVariable):
        if setting.guard is not None and _value(setting.guard, names) is not True:
            continue
        if not (setting.weak and setting.name.text in variables):
            variables[setting.name.text] = _text(setting, _value(setting.value, names))
    seconds = TIME_LIMIT
    for timeout in _of(clause, nodes.Timeout):
        seconds = _seconds(_value(timeout.value, names))
    code = next(_of(clause, nodes.PythonCode), None)
    if code is None:
        raise Unfit("it has no `python` code to run")
    if next(_of(clause, nodes.ExpectValue), None) is None:
        raise Unfit("it expects nothing: it has no `expect`")
    return Setup(variables, cpus, seconds, _code(code.code, clause.file), clause.file.path, seen)


def _code(text: nodes.Text, file: SourceFile) -> str:
    """The code, with blank lines in front: a traceback then counts its lines as the contract's file does."""
    start = text.span.start
    opening = _OPENING.match(file.text, start)
    line = file.line(opening.end() if opening is not None else start)
    return "\n" * (line - 1) + text.value + "\n"


def _of(clause: Clause[nodes.Evidence], kind: type[NodeT]) -> Iterator[NodeT]:
    return (item for item in clause.node.clauses if isinstance(item, kind))


def _value(expression: nodes.Expression, names: Names) -> Value:
    try:
        return evaluate(expression, names)
    except Refusal as refusal:
        headline = refusal.diagnostic.headline
        if refusal.diagnostic.code == "machine-fact-missing":
            raise Impossible(headline) from None
        raise Unfit(headline) from None


def _pinned(value: Value, machine: MachineView) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise Unfit(f"it is to be pinned to {shown(value)} CPUs, which runs nothing")
    usable = machine.fact("cpus.affinity")
    if isinstance(usable, int) and value > usable:
        raise Impossible(f"it needs {value} CPUs, and {usable} can be used here")
    return value


def _seconds(value: Value) -> Fraction:
    if isinstance(value, bool) or not isinstance(value, int | Fraction) or value <= 0:
        raise Unfit(f"its time limit is {shown(value)}, which is no time")
    return Fraction(value)


def _text(setting: nodes.SetVariable, value: Value) -> str:
    """A value as an environment variable holds it."""
    if isinstance(value, Fraction) and "/" in shown(value):
        raise Unfit(
            f"`{setting.name.text}` is to be set to {shown(value)}, which no variable can hold exactly"
        )
    text = value if isinstance(value, str) else shown(value)
    if "\0" in text:
        raise Unfit(f"`{setting.name.text}` is to be set to a text with a NUL character")
    return text
