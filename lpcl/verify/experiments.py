"""What the evidence of contracts proposes to try, made ready for this machine."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
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
from lpcl.verify import quotas
from lpcl.verify.distributions import Distribution, Installed, needed
from lpcl.verify.names import Names
from lpcl.verify.presence import absent
from lpcl.verify.promises import Call, Promises
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
    """How a run is made: its variables, the CPUs that it is pinned to, its seconds, its code.

    `cpus` is None where it is not pinned, `quota` where no control group of its own bounds its CPU time.
    `path` is the file that the code stands in, whose lines it has. `machine` is the machine as the run sees
    it. `lets` are its named values, `calls` the controls that its code sets by a call: it is given both.
    """

    variables: Mapping[str, str]
    cpus: int | None
    seconds: Fraction
    code: str
    path: str
    machine: MachineView
    lets: Mapping[str, Value] = field(default_factory=dict)
    calls: tuple[Call, ...] = ()
    quota: Fraction | None = None

    @property
    def given(self) -> Mapping[str, Value]:
        """What the code is given by name: its named values, and controls with the value to set."""
        return {**self.lets, **{call.node.target.path: call.value for call in self.calls}}


@dataclass(frozen=True, eq=False)
class Trial:
    """One run of an experiment, and what is expected of it. `setup` or `obstacle` is given.

    `title` says which of several it is; None where there is only one.
    """

    title: str | None
    expectations: tuple[nodes.ExpectValue, ...]
    setup: Setup | None = None
    obstacle: str | None = None


@dataclass(frozen=True, eq=False)
class Experiment:
    """One `evidence` of a contract: its runs, or why there can be none.

    Of `trials`, `obstacle` and `fault` one is given: an obstacle is something that this machine or what is
    installed lacks, a fault is a mistake in the evidence itself. Some of the trials may have obstacles of
    their own.
    """

    program: Program
    contract: Contract
    clause: Clause[nodes.Evidence]
    distributions: tuple[Distribution, ...]
    trials: tuple[Trial, ...] = ()
    obstacle: str | None = None
    fault: str | None = None
    lacks: bool = False
    """Whether what is in its way is the version of a distribution, which another environment may have."""

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
    def setup(self) -> Setup | None:
        """How the first run that is possible is made."""
        return next((trial.setup for trial in self.trials if trial.setup is not None), None)


def prepare(
    program: Program, contracts: Iterable[Declared], host: HostFacts, installed: Installed | None = None
) -> tuple[Experiment, ...]:
    """The experiments of the contracts, in order, for what is installed beside LPCL unless `installed` says.

    Evidence that several of them inherit is tried once: for the one that states it where that names a library
    and can be tried, else for the first that can, those that name a library before those that do not.
    """
    flat = sorted((flatten(program, item) for item in contracts), key=lambda item: item.library is None)
    chosen: dict[int, Experiment] = {}
    for contract in flat:
        for clause in contract.evidence:
            known = chosen.get(id(clause.node))
            node = contract.declared.node
            stated = isinstance(node, nodes.Contract) and any(item is clause.node for item in node.members)
            own = stated and contract.library is not None
            if known is None or known.obstacle is not None or own:
                made = experiment(program, contract, clause, host, installed)
                if known is None or made.obstacle is None:
                    chosen[id(clause.node)] = made
    return tuple(
        sorted(chosen.values(), key=lambda item: (item.clause.file.path, item.clause.node.span.start))
    )


def every(program: Program, contract: Contract, host: HostFacts) -> tuple[Experiment, ...]:
    """The experiments of a contract as they would be made where all that they need is installed."""
    return tuple(
        _made(program, contract, clause, (), host)
        for clause in sorted(contract.evidence, key=lambda item: (item.file.path, item.node.span.start))
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


def experiment(
    program: Program,
    contract: Contract,
    clause: Clause[nodes.Evidence],
    host: HostFacts,
    installed: Installed | None = None,
) -> Experiment:
    """One piece of evidence of a contract, made ready for what is installed in some environment."""
    distributions, lacking = needed(contract, clause.node, installed)
    obstacle = lacking or absent(clause.node)
    if obstacle is not None:
        return Experiment(
            program, contract, clause, distributions, obstacle=obstacle, lacks=lacking is not None
        )
    return _made(program, contract, clause, distributions, host)


def _made(
    program: Program,
    contract: Contract,
    clause: Clause[nodes.Evidence],
    distributions: tuple[Distribution, ...],
    host: HostFacts,
) -> Experiment:
    try:
        trials = _trials(clause, host)
        for setup in (trial.setup for trial in trials):
            if setup is not None:
                _promises(program, contract, clause, setup).check_calls()
    except Unfit as fault:
        return Experiment(program, contract, clause, distributions, fault=str(fault))
    except Refusal as refusal:
        return Experiment(program, contract, clause, distributions, fault=refusal.diagnostic.headline)
    if all(trial.setup is None for trial in trials):
        return Experiment(program, contract, clause, distributions, obstacle=trials[0].obstacle)
    return Experiment(program, contract, clause, distributions, trials)


def _promises(program: Program, contract: Contract, clause: Clause[nodes.Evidence], setup: Setup) -> Promises:
    """What the contract says in one run."""
    return Promises(
        program, contract, clause, clause.file, setup.machine, setup.variables, setup.calls, setup.lets
    )


def _trials(clause: Clause[nodes.Evidence], host: HostFacts) -> tuple[Trial, ...]:
    own = clause.node.clauses
    common = tuple(_of(own, nodes.ExpectValue))
    tries = tuple(_of(own, nodes.Try))
    if next(_of(own, nodes.PythonCode), None) is None:
        raise Unfit("it has no `python` code to run")
    if not common and not any(next(_of(item.clauses, nodes.ExpectValue), None) for item in tries):
        raise Unfit("it expects nothing: it has no `expect`")
    if not tries:
        return (_trial(None, clause, (), common, host),)
    return tuple(_trial(_title(item, clause.file), clause, item.clauses, common, host) for item in tries)


def _trial(
    title: str | None,
    clause: Clause[nodes.Evidence],
    further: tuple[nodes.TryClause, ...],
    common: tuple[nodes.ExpectValue, ...],
    host: HostFacts,
) -> Trial:
    expected = (*common, *_of(further, nodes.ExpectValue))
    try:
        return Trial(title, expected, _setup(clause, further, host))
    except Impossible as reason:
        return Trial(title, expected, obstacle=str(reason))


def _title(item: nodes.Try, file: SourceFile) -> str:
    """The title of a `try`, or else its settings."""
    if item.title is not None:
        return item.title.value
    settings = [
        " ".join(file.text[one.span.start : one.span.end].split()).removeprefix("set ")
        for one in item.clauses
        if not isinstance(one, nodes.ExpectValue)
    ]
    return ", ".join(settings) or "nothing set"


def _setup(clause: Clause[nodes.Evidence], further: tuple[nodes.TryClause, ...], host: HostFacts) -> Setup:
    """The setup of one run: the clauses of the evidence, those of the `try` after them."""
    machine = MachineView("host", host.values, {})
    clauses = (*clause.node.clauses, *further)
    lets: dict[str, Value] = {}
    for let in _of(clauses, nodes.Let):
        lets[let.name.text] = _value(let.value, Names(clause.file, machine, host, lets=lets))
    cpus: int | None = None
    for pin in _of(clauses, nodes.Pin):
        cpus = _pinned(_value(pin.value, Names(clause.file, machine, host, lets=lets)), machine)
    quota: Fraction | None = None
    for bound in _of(clauses, nodes.Quota):
        quota = _quota(_value(bound.value, Names(clause.file, machine, host, lets=lets)))
    seen = machine if cpus is None else machine.pinned(cpus)
    seen = seen if quota is None else seen.with_quota(quota)
    names = Names(clause.file, seen, host, lets=lets)
    variables: dict[str, str] = {}
    for setting in _of(clauses, nodes.SetVariable):
        if setting.guard is not None and _value(setting.guard, names) is not True:
            continue
        if not (setting.weak and setting.name.text in variables):
            variables[setting.name.text] = _text(setting, _value(setting.value, names))
    calls: dict[str, Call] = {}
    for limit in _of(clauses, nodes.Limit):
        if limit.guard is None or _value(limit.guard, names) is True:
            calls[limit.target.path] = Call(limit, _word_or_value(limit.value, names))
    seconds = TIME_LIMIT
    for timeout in _of(clauses, nodes.Timeout):
        seconds = _seconds(_value(timeout.value, names))
    code = next(_of(clauses, nodes.PythonCode))
    text = _code(code.code, clause.file)
    path, called = clause.file.path, tuple(calls.values())
    return Setup(variables, cpus, seconds, text, path, seen, dict(lets), called, quota)


def _word_or_value(expression: nodes.Expression, names: Names) -> Value:
    """A value to set a control to; a bare word that names nothing is a word of its enumeration."""
    if isinstance(expression, nodes.Reference) and "." not in expression.path:
        return names.lets.get(expression.path, expression.path)
    return _value(expression, names)


def _code(text: nodes.Text, file: SourceFile) -> str:
    """The code, with blank lines in front: a traceback then counts its lines as the contract's file does."""
    start = text.span.start
    opening = _OPENING.match(file.text, start)
    line = file.line(opening.end() if opening is not None else start)
    return "\n" * (line - 1) + text.value + "\n"


def _of(clauses: Iterable[nodes.Node], kind: type[NodeT]) -> Iterator[NodeT]:
    return (item for item in clauses if isinstance(item, kind))


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


def _quota(value: Value) -> Fraction:
    if isinstance(value, bool) or not isinstance(value, int | Fraction) or value < quotas.LEAST:
        least = shown(quotas.LEAST)
        raise Unfit(f"its control group is to allow {shown(value)} CPUs, and the least quota is {least}")
    return Fraction(value)


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
