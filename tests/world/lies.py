"""Lies seeded into the texts of contracts, one at a time, and whether the evidence refutes them: `make lies`.

Experiments are made once on the libraries that an interpreter has. What was seen is then held against the
contract with the lie in its text, read anew; what an experiment sees does not depend on what its contract
says. The lies are written here and not taken from `lpcl.verify.lies`, which says what counts as proved.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from lpcl.model.contracts import Contract
from lpcl.model.contracts import contract as flatten
from lpcl.model.host import HostFacts, read_host
from lpcl.model.program import Program, SourceFile
from lpcl.syntax import nodes
from lpcl.syntax.parser import parse
from lpcl.verify.environments import Failed, look_at
from lpcl.verify.experiments import Experiment, prepare, variables_of
from lpcl.verify.judgement import Outcome, Verdict, judge
from lpcl.verify.selection import select
from lpcl.verify.trials import carry_out

RECORDS = Path(__file__).resolve().parents[2] / "stdlib_contracts" / "verified.json"

KINDS = (
    "variable",
    "precedence",
    "default",
    "range",
    "invalid value",
    "read time",
    "size",
    "policy",
    "caller",
    "created",
    "fork",
    "idle",
    "operation",
    "workers",
    "on load",
)

WORDS: Mapping[type[nodes.Node], tuple[str, str, str, tuple[str, ...]]] = {
    nodes.Invalid: ("invalid value", "invalid", "policy", ("rejects", "clamps", "clamps above", "ignored")),
    nodes.Read: ("read time", "read at", "moment", ("load", "first use", "each call")),
    nodes.CallersPolicy: ("policy", "callers", "policy", ("fork", "queue", "submit", "join", "forbid")),
    nodes.CallerRole: ("caller", "caller", "role", ("joins", "waits")),
    nodes.Created: ("created", "created at", "moment", ("load", "first use")),
    nodes.ForkBehaviour: ("fork", "fork", "effect", ("safe", "unsafe", "resets")),
}
"""Clauses of one word: the kind of lie, how the clause begins, its attribute, and all its words."""

SAME = frozenset({"queue", "submit"})
"""Policies that come to the same number of threads."""


@dataclass(frozen=True)
class Seed:
    """A piece of a contract's text and what is said there instead; the clause is named as `verify` does."""

    kind: str
    clause: str
    file: SourceFile
    start: int
    end: int
    lie: str

    @property
    def key(self) -> tuple[str, int, str]:
        """The same for a clause that several contracts inherit."""
        return self.file.path, self.start, self.lie

    @property
    def text(self) -> str:
        """The file with the lie in it."""
        text = self.file.text
        return text[: self.start] + self.lie + text[self.end :]

    def __str__(self) -> str:
        true = " ".join(self.file.text[self.start : self.end].split())
        where = f"{Path(self.file.path).name}:{self.file.line(self.start)}"
        return f"{where}: {self.clause}: {' '.join(self.lie.split()) or 'nothing'!r} instead of {true!r}"


# ------------------------------------------------------------------ what could be said instead


def seeds(contract: Contract) -> Iterator[Seed]:
    """Lies about a contract's clauses, as its text could have them."""
    for name, control in contract.controls.items():
        yield from _of_control(name, control.node, control.file)
    for name, pool in contract.pools.items():
        join = any(isinstance(one, nodes.CallersPolicy) and one.policy == "join" for one in pool.node.clauses)
        for item in pool.node.clauses:
            if not (join and isinstance(item, nodes.CallerRole)):  # who joins a pool is among those at work
                yield from _of_pool(name, item, pool.file)
    for name, operation in contract.operations.items():
        yield from _of_operation(name, operation.node, operation.file)
    if contract.on_load is not None:
        for effect in contract.on_load.node.clauses:
            clause = f"on load.{_beginning(effect)}"
            yield _said("on load", clause, contract.on_load.file, effect, "")


def _said(kind: str, clause: str, file: SourceFile, node: nodes.Node, lie: str) -> Seed:
    return Seed(kind, clause, file, node.span.start, node.span.end, lie)


def _source(node: nodes.Node, file: SourceFile) -> str:
    return file.text[node.span.start : node.span.end]


def _of_control(name: str, node: nodes.Control, file: SourceFile) -> Iterator[Seed]:
    for item in node.clauses:
        match item:
            case nodes.EnvSource():
                names = [one.text for one in item.names]
                for one in names:
                    rest = ", ".join(other for other in names if other != one)
                    lie = f"env {rest}" if rest else ""
                    yield _said("variable", f"{name}.env {one}", file, item, lie)
                for first, second in pairwise(names):
                    swap = {first: second, second: first}
                    lie = ", ".join(swap.get(one, one) for one in names)
                    clause = f"{name}.env {first} before {second}"
                    yield _said("precedence", clause, file, item, f"env {lie}")
            case nodes.Default():
                for lie in _other_values(node.type, item.value, file):
                    yield _said("default", f"{name}.default", file, item.value, lie)
            case _:
                yield from _other_words(name, node, item, file)
    if isinstance(node.type, nodes.ValueType) and node.type.range is not None:
        low, high = node.type.range.low, node.type.range.high
        below, above = _source(low, file), _source(high, file)
        yield _said("range", f"{name}.range from", file, low, f"({below}) + 1")
        yield _said("range", f"{name}.range from", file, low, f"({below}) - 7")
        yield _said("range", f"{name}.range to", file, high, f"({above}) + 1000000000")
        if below != above:
            yield _said("range", f"{name}.range to", file, high, f"{below}")


def _other_values(kind: nodes.Type, value: nodes.Expression, file: SourceFile) -> Iterator[str]:
    text = _source(value, file)
    if isinstance(kind, nodes.EnumType):
        if isinstance(value, nodes.Reference):
            yield from (one.text for one in kind.members if one.text != value.path)
    elif kind.first == "bool":
        yield f"not ({text})"
    elif kind.first == "string":
        yield '"another text"'
    else:
        yield f"({text}) + 1"
        for old, new in (("affinity", "online"), ("online", "affinity")):
            if f"machine.cpus.{old}" in text:
                yield text.replace(f"machine.cpus.{old}", f"machine.cpus.{new}")


def _without_bounds(kind: str, node: nodes.Node, words: set[str]) -> bool:
    """Whether both words say that an invalid value is passed over: what is no number cannot be cut down."""
    no_number = isinstance(node, nodes.Control) and (
        isinstance(node.type, nodes.EnumType) or node.type.first in ("bool", "string")
    )
    return kind == "invalid value" and no_number and "rejects" not in words


def _other_words(name: str, node: nodes.Node, item: nodes.Node, file: SourceFile) -> Iterator[Seed]:
    if type(item) not in WORDS:
        return
    kind, beginning, attribute, words = WORDS[type(item)]
    current = " ".join(str(getattr(item, attribute)).split())
    clause = f"{name}.{beginning.removesuffix(' at')}"
    for word in words:
        if word != current and {word, current} != SAME and not _without_bounds(kind, node, {word, current}):
            lie = "read at each call" if word == "each call" else f"{beginning} {word}"
            yield _said(kind, clause, file, item, lie)


def _of_pool(name: str, item: nodes.PoolClause, file: SourceFile) -> Iterator[Seed]:
    match item:
        case nodes.Size():
            yield _said("size", f"{name}.size", file, item.value, f"({_source(item.value, file)}) + 1")
        case nodes.Existing():
            yield _said("size", f"{name}.existing", file, item.value, f"({_source(item.value, file)}) + 1")
        case nodes.Idle():
            lie = "idle spins" if item.how == "blocks" else "idle blocks"
            yield _said("idle", f"{name}.idle", file, item, lie)
        case _:
            yield from _other_words(name, item, item, file)


def _of_operation(name: str, node: nodes.Operation, file: SourceFile) -> Iterator[Seed]:
    number: Counter[str] = Counter()
    for item in node.clauses:
        beginning = _beginning(item)
        number[beginning] += 1
        clause = f"{name}.{beginning}" + (f" ({number[beginning]})" if number[beginning] > 1 else "")
        match item:
            case nodes.RunsOn() | nodes.Calls() | nodes.Limit():
                yield _said("operation", clause, file, item, "")
            case nodes.Workers():
                yield from _of_workers(clause, item, file)


def _of_workers(clause: str, node: nodes.Workers, file: SourceFile) -> Iterator[Seed]:
    yield _said("workers", f"{clause} count", file, node.count, f"({_source(node.count, file)}) + 1")
    for item in node.clauses:
        if isinstance(item, nodes.SetVariable | nodes.Demand | nodes.Pin | nodes.Limit):
            yield _said("workers", f"{clause} {_beginning(item)}", file, item, "")


def _beginning(item: nodes.Node) -> str:
    match item:
        case nodes.RunsOn():
            return f"runs on {item.pool.path}"
        case nodes.Calls():
            return f"calls {item.target.path}"
        case nodes.Workers():
            return f"workers {item.kind}"
        case nodes.Limit():
            return f"limit {item.target.path}"
        case nodes.SetVariable():
            return f"set {item.name.text}"
        case nodes.Pin():
            return "pin cpus"
        case nodes.Demand():
            return f"demand {item.resource.path}"
    return type(item).__name__.lower()


# ------------------------------------------------------------------ whether anybody notices


@dataclass
class Tried:
    """A lie, whether its clause is recorded as proved, and whether evidence refutes it."""

    seed: Seed
    contract: str
    recorded: bool
    refuted: bool = False


@dataclass
class Trial:
    """What was seen of a contract's evidence with one interpreter."""

    contract: Contract
    program: Program
    host: HostFacts
    outcomes: list[Outcome] = field(default_factory=list)

    def refutes(self, seed: Seed) -> bool | None:
        """Whether an experiment refutes a lie; None for a text that means nothing."""
        parsed = parse(seed.text)
        if parsed.faults:
            return None
        lying = SourceFile(seed.file.path, seed.text, parsed, seed.file.origin)
        files = tuple(lying if file is seed.file else file for file in self.program.files)
        program, own = Program(files), self.contract.declared
        same = [item for item in self.program.declarations[own.qualified] if item.file is own.file]
        file = lying if own.file is seed.file else own.file
        declared = [item for item in program.declarations[own.qualified] if item.file is file][
            same.index(own)
        ]
        contract = flatten(program, declared)
        return any(self._refuted(program, contract, outcome) for outcome in self.outcomes)

    def _refuted(self, program: Program, contract: Contract, outcome: Outcome) -> bool:
        clause = next(one for one in contract.evidence if one.node.title.value == outcome.experiment.title)
        moved = Experiment(
            program, contract, clause, outcome.experiment.distributions, outcome.experiment.trials
        )
        seen = [attempt.observation for attempt in outcome.attempts]
        return judge(moved, seen, self.host).verdict is Verdict.REFUTED


def recorded() -> dict[str, set[str]]:
    """The clauses that are recorded as proved, by contract."""
    found: dict[str, set[str]] = {}
    for record in json.loads(RECORDS.read_text(encoding="utf-8"))["records"].values():
        found.setdefault(record["contract"], set()).update(record["proves"])
    return found


def tried(python: str, names: list[str]) -> Iterator[Trial]:
    """The contracts of that name whose evidence can be tried with an interpreter, after it was."""
    host, installed = read_host(), None
    if python != sys.executable:
        about = look_at(python)
        if isinstance(about, Failed):
            raise SystemExit(f"{python}: {about.reason}")
        installed, host = about.installed, about.told(host)
    for chosen in select(names).chosen:
        program = chosen.workspace.program
        foreign = variables_of(program)
        made: dict[int, list[Experiment]] = {}
        for one in prepare(program, chosen.contracts, host, installed):
            made.setdefault(id(one.contract), []).append(one)
        for experiments in made.values():
            trial = Trial(experiments[0].contract, program, host)
            for one in experiments:
                outcome = carry_out(one, foreign, host, python)
                if outcome.verdict is Verdict.PROVED:
                    trial.outcomes.append(outcome)
                elif outcome.verdict is not Verdict.NOT_TRIED:
                    print(f"the truth is {outcome.verdict.value}: {one.label}", file=sys.stderr)
            if trial.outcomes:
                yield trial


def try_all(pythons: Iterable[str], names: list[str], found: dict[tuple[str, int, str], Tried]) -> None:
    """Every lie about the contracts that can be tried with one of the interpreters, put into `found`."""
    proved = recorded()
    for python in pythons:
        for trial in tried(python, names):
            name = trial.contract.declared.qualified
            for seed in seeds(trial.contract):
                known = found.get(seed.key)
                if known is not None and known.refuted:
                    continue
                refuted = trial.refutes(seed)
                if refuted is None:
                    continue
                if known is None:
                    known = found[seed.key] = Tried(seed, name, seed.clause in proved.get(name, ()))
                known.recorded = known.recorded or seed.clause in proved.get(name, ())
                known.refuted = refuted
            told = [one for one in found.values() if one.contract == name]
            print(f"{name}: {sum(one.refuted for one in told)} of {len(told)} refuted", file=sys.stderr)


def report(found: list[Tried]) -> str:
    """The share refuted, by kind, of proved clauses and of the others, and what nobody notices."""
    lines = [f"{'':16}{'proved clauses':>18}{'other clauses':>18}"]
    for kind in (*KINDS, "all"):
        cells = []
        for state in (True, False):
            these = [one for one in found if one.recorded is state and kind in (one.seed.kind, "all")]
            share = f"{sum(one.refuted for one in these)} of {len(these)}" if these else "-"
            cells.append(f"{share:>18}")
        lines.append(f"{kind:16}{''.join(cells)}")
    missed = [one for one in found if not one.refuted]
    for title, state in (("proved clauses", True), ("other clauses", False)):
        these = sorted(f"  {one.contract}: {one.seed}" for one in missed if one.recorded is state)
        if these:
            lines += ["", f"not refuted, of {title}:", *these]
    return "\n".join(lines)


def main() -> None:
    """Seed, try and report."""
    options = argparse.ArgumentParser(description="Seed lies into contracts and let evidence refute them.")
    options.add_argument("contracts", nargs="*", help="names of contracts; all of them without any")
    options.add_argument("--python", action="append", help="an interpreter that has the libraries")
    given = options.parse_args()
    found: dict[tuple[str, int, str], Tried] = {}
    try:
        try_all(given.python or [sys.executable], given.contracts, found)
    except KeyboardInterrupt:
        print("interrupted; what was tried until then:", file=sys.stderr)
    print(report(list(found.values())))


if __name__ == "__main__":
    main()
