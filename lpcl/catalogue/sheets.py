"""What a contract says, as a reader wants it: in order, in words, with its sources and its evidence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from lpcl.catalogue import phrases, reach
from lpcl.catalogue.phrases import text
from lpcl.model.contracts import Clause, Contract, lineage
from lpcl.model.contracts import contract as flatten
from lpcl.model.program import Declared, Program, SourceFile
from lpcl.syntax import nodes
from lpcl.verify.coverage import Coverage, State, coverage
from lpcl.verify.records import Record, key_of


@dataclass(frozen=True, slots=True)
class Source:
    """A page where a fact can be read."""

    title: str
    address: str


@dataclass(frozen=True, slots=True)
class Notes:
    """What annotations say: pages, and what it was measured with."""

    sources: tuple[Source, ...] = ()
    measured: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Way:
    """One way to set a control. `kind` is the clause's word: argument, api, config or env."""

    kind: str
    name: str


@dataclass(frozen=True, slots=True)
class ControlSheet:
    """A control; `ways` are in order of precedence. Expressions are as they are written; `values` and
    `default_words` say the type and the default in words."""

    name: str
    doc: str | None
    type: str
    values: str
    ways: tuple[Way, ...]
    default: str | None
    default_words: str
    counts: str | None
    read: str | None
    invalid: str | None
    scope: str
    notes: Notes


@dataclass(frozen=True, slots=True)
class LetSheet:
    """A value that is computed; `counts` says which CPUs go into it."""

    name: str
    value: str
    words: str
    counts: str | None
    doc: str | None


@dataclass(frozen=True, slots=True)
class PoolSheet:
    """A pool; what is called `_words` is in words, the rest as it is written."""

    name: str
    doc: str | None
    size: str | None
    size_words: str | None
    existing: str | None
    existing_words: str | None
    callers: str
    caller: str
    threads: str
    created: str
    idle: str
    idle_words: str
    fork: str
    nested: bool
    counts: str | None
    notes: Notes


@dataclass(frozen=True, slots=True)
class Borrowed:
    """A pool of another library on which operations run: the library's name, as whose `alias` it is used,
    whether it is a copy of its own, and the size in words where the operations ask for one.

    `controls` are those of the library that make that size, `lets` the values that its pool's clauses name.
    """

    library: str
    alias: str
    private: bool
    pool: PoolSheet
    operations: tuple[str, ...]
    size: str | None
    controls: tuple[ControlSheet, ...]
    lets: tuple[LetSheet, ...]


@dataclass(frozen=True, slots=True)
class Brought:
    """A library that is loaded with this one: the pools that start then, and what else that does."""

    library: str
    pools: tuple[str, ...]
    on_load: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Effect:
    """A clause of an operation as it is written, and in words; `inner` is what workers get.

    `kind` is the clause's name in the grammar; `subject` is the resource of a demand, the message of a
    hazard, the name that a `let` gives, or what is counted out into workers.
    """

    kind: str
    text: str
    words: str
    subject: str = ""
    inner: tuple[str, ...] = ()
    inner_words: tuple[str, ...] = ()

    @property
    def is_workers(self) -> bool:
        """Whether it starts workers, which multiply what runs in them."""
        return self.kind == "workers"


@dataclass(frozen=True, slots=True)
class OperationSheet:
    """An operation with its parameters and what it does, clause by clause as written; `arguments` are the
    parameters in words."""

    name: str
    doc: str | None
    parameters: tuple[str, ...]
    arguments: tuple[str, ...]
    does: tuple[Effect, ...]
    notes: Notes


@dataclass(frozen=True, slots=True)
class DemandSheet:
    resource: str
    text: str
    words: str
    doc: str | None
    notes: Notes


@dataclass(frozen=True, slots=True)
class HazardSheet:
    message: str
    effect: str | None
    condition: str
    doc: str | None
    notes: Notes


@dataclass(frozen=True, slots=True)
class AssumeSheet:
    """What the contract, or the library, needs to be so."""

    message: str
    condition: str
    doc: str | None
    notes: Notes


@dataclass(frozen=True, slots=True)
class SignalSheet:
    name: str
    text: str
    words: str
    doc: str | None
    notes: Notes


@dataclass(frozen=True, slots=True)
class UsedSheet:
    """A library that this one uses: as it is told, and the name of its contract where it is one."""

    text: str
    library: str


@dataclass(frozen=True, slots=True)
class ResourceSheet:
    """A resource of the library's own that its demands are about."""

    name: str
    doc: str | None


@dataclass(frozen=True, slots=True)
class EvidenceSheet:
    title: str
    doc: str | None
    about: tuple[str, ...]
    needs: tuple[str, ...]
    measured: tuple[str, ...]
    line: int
    path: str
    record: Record | None


@dataclass(frozen=True, slots=True)
class Held:
    """What experiments said of the clauses of one member: those that they proved, and those that are left.

    `date` is that of the last of them, `versions` what they were made with; both are empty where none is.
    """

    proved: tuple[str, ...]
    left: tuple[str, ...]
    date: str = ""
    versions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CoverageSheet:
    """How many clauses there are, how many of them evidence covers, and what became of each."""

    clauses: int
    covered: int
    named: tuple[str, ...]
    open: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A contract. `recognised` are its library's entries, `texts` the other clauses as they are written."""

    name: str
    qualified: str
    path: str
    line: int
    doc: str | None
    base: tuple[str, ...]
    implements: tuple[str, ...]
    recognised: tuple[tuple[Literal["pypi", "file", "command"], tuple[str, ...], str], ...]
    uses: tuple[UsedSheet, ...]
    controls: tuple[ControlSheet, ...]
    lets: tuple[LetSheet, ...]
    pools: tuple[PoolSheet, ...]
    borrowed: tuple[Borrowed, ...]
    brought: tuple[Brought, ...]
    operations: tuple[OperationSheet, ...]
    on_load: tuple[str, ...]
    on_load_words: tuple[str, ...]
    on_load_doc: str | None
    on_load_notes: Notes
    demands: tuple[DemandSheet, ...]
    resources: tuple[ResourceSheet, ...]
    hazards: tuple[HazardSheet, ...]
    assumes: tuple[AssumeSheet, ...]
    signals: tuple[SignalSheet, ...]
    evidence: tuple[EvidenceSheet, ...]
    coverage: CoverageSheet
    notes: Notes
    held: Mapping[str, Held]
    """By a member's name; for what has none, by what `verify` calls it: `on load`, `demand memory`."""

    @property
    def versions(self) -> str:
        """The distributions and versions that it speaks about, in a line."""
        return ", ".join(
            f"{name} {constraint}".strip()
            for kind, names, constraint in self._named
            for name in names
            if kind == "pypi" or not any(name in others for one, others, _ in self._named if one == "pypi")
        )

    @property
    def sets(self) -> tuple[str, ...]:
        """The environment variables that it sets, for itself or for the workers that it starts."""
        clauses = [*self.on_load, *(one for item in self.operations for do in item.does for one in do.inner)]
        found = [re.match(r"set (?:default )?([\w, ]+) =", one) for one in clauses]
        return tuple(dict.fromkeys(name for one in found if one is not None for name in one[1].split(", ")))

    @property
    def is_program(self) -> bool:
        """Whether it is run, and not imported or linked."""
        return bool(self.recognised) and all(kind == "command" for kind, *_ in self.recognised)

    @property
    def _named(self) -> tuple[tuple[str, tuple[str, ...], str], ...]:
        return tuple(one for one in self.recognised if one[0] != "file")


def sheets(
    program: Program, contracts: Iterable[Declared], records: Mapping[str, Record]
) -> tuple[Sheet, ...]:
    """The sheets of contracts, in their order; `records` are what was tried, by `records.key_of`."""
    chosen = tuple(contracts)
    covered = {id(item.contract.declared.node): item for item in coverage(program, chosen)}
    return tuple(
        _sheet(program, flatten(program, item), covered.get(id(item.node)), records) for item in chosen
    )


def about(program: Program, contracts: Iterable[Declared], library: str) -> tuple[Declared, ...]:
    """The contracts of a name, bare or with its package; where there are none, those of a distribution."""
    every = tuple(contracts)
    named = tuple(item for item in every if library in (item.name, item.qualified))
    return named or tuple(
        item
        for item in every
        if any(
            kind != "file" and library.lower() in map(str.lower, names)
            for kind, names, _ in _recognised(flatten(program, item))
        )
    )


def _sheet(
    program: Program, contract: Contract, covered: Coverage | None, records: Mapping[str, Record]
) -> Sheet:
    declared = contract.declared
    node = declared.node
    assert isinstance(node, nodes.Contract)
    line = lineage(program, declared)
    docs = [item.node.doc for item in reversed(line) if item.node.doc]
    evidence = tuple(_evidence(contract, item, records) for item in contract.evidence)
    return Sheet(
        declared.name,
        declared.qualified,
        _place(declared.file),
        declared.file.line(node.name.span.start),
        "\n\n".join(dict.fromkeys(docs)) or None,
        tuple(item.name for item in line[:-1]),
        tuple(item.name for item in contract.interfaces),
        _recognised(contract),
        tuple(_uses(program, contract, clause) for clause in contract.uses.values()),
        tuple(_control(clause) for clause in contract.controls.values()),
        tuple(_let(clause) for clause in contract.lets.values()),
        tuple(_pool(clause) for clause in contract.pools.values()),
        tuple(_borrowed(item) for item in reach.pools(program, contract)),
        tuple(_brought(item) for item in reach.loaded(program, contract)),
        tuple(_operation(clause) for clause in contract.operations.values()),
        _lines(contract.on_load.file, contract.on_load.node.clauses) if contract.on_load else (),
        _on_load(contract),
        contract.on_load.node.doc if contract.on_load else None,
        notes(contract.on_load.node) if contract.on_load else Notes(),
        tuple(_demand(item) for item in contract.demands),
        tuple(_resources(program, contract)),
        tuple(_hazard(item) for item in contract.hazards),
        tuple(
            AssumeSheet(
                item.node.message.value,
                text(item.file, item.node.condition),
                item.node.doc,
                notes(item.node),
            )
            for item in contract.assumes
        ),
        tuple(_signal(item) for item in contract.signals.values()),
        evidence,
        _coverage(covered),
        notes(*(item.node for item in line)),
        _held(covered, [item.record for item in evidence if item.record is not None]),
    )


def notes(*found: nodes.Node) -> Notes:
    """What the annotations of declarations say, each once."""
    sources: dict[Source, None] = {}
    measured: dict[str, None] = {}
    for node in found:
        annotations: tuple[nodes.Annotation, ...] = getattr(node, "annotations", ())
        for annotation in annotations:
            args = [item.value for item in annotation.args]
            if annotation.name.text == "source" and len(args) == 2:
                sources[Source(args[0], args[1])] = None
            elif annotation.name.text == "measured":
                measured.update(dict.fromkeys(args))
    return Notes(tuple(sources), tuple(measured))


def _place(file: SourceFile) -> str:
    """A file as a reader finds it: the path of a project's own, else its end and where that comes from."""
    if file.origin == "project":
        return file.path
    end = "/".join(file.path.replace("\\", "/").split("/")[-2:])
    return f"{end} of {'the standard library' if file.origin == 'stdlib' else file.origin}"


def _without_annotations(file: SourceFile, node: nodes.Node) -> str:
    annotations: tuple[nodes.Annotation, ...] = getattr(node, "annotations", ())
    start = max((item.span.end for item in annotations), default=node.span.start)
    return " ".join(file.text[start : node.span.end].split())


def _lines(file: SourceFile, clauses: Iterable[nodes.Node]) -> tuple[str, ...]:
    return tuple(_without_annotations(file, item) for item in clauses)


def _recognised(
    contract: Contract,
) -> tuple[tuple[Literal["pypi", "file", "command"], tuple[str, ...], str], ...]:
    found: list[tuple[Literal["pypi", "file", "command"], tuple[str, ...], str]] = []
    for item in contract.library.node.entries if contract.library is not None else ():
        match item:
            case nodes.PypiEntry():
                found.append(
                    ("pypi", (item.distribution.value,), item.versions.value if item.versions else "")
                )
            case nodes.FileEntry():
                found.append(("file", tuple(one.value for one in item.patterns), ""))
            case nodes.CommandEntry():
                names = tuple(one.value for one in item.patterns)
                found.append(("command", names, item.versions.value if item.versions else ""))
    return tuple(found)


def _uses(program: Program, contract: Contract, clause: Clause[nodes.Uses]) -> UsedSheet:
    node = clause.node
    provider = node.provider.path if node.provider else node.interface.path if node.interface else ""
    own = " (a copy of its own)" if node.private else ""
    told = node.name.text + own
    if provider not in ("", node.name.text):
        told = f"{node.name.text}: {provider}{own}"
    found = reach.provider(program, contract, node.name.text)
    return UsedSheet(told, found.name if found is not None else "")


def _resources(program: Program, contract: Contract) -> Iterator[ResourceSheet]:
    """The resources that are not everybody's."""
    of_core = {item.name for item in program.packages.get(CORE, ())}
    clauses: list[Clause[Any]] = [*contract.demands, *contract.operations.values()]
    found: dict[str, ResourceSheet] = {}
    for clause in clauses:
        for node in clause.node.walk():
            if not isinstance(node, nodes.Demand) or node.resource.path in of_core:
                continue
            declared = program.find(clause.file, node.resource.path)
            if declared is not None:
                found[declared.name] = ResourceSheet(declared.name, getattr(declared.node, "doc", None))
    yield from found.values()


CORE = "lpcl.core"
"""The package of the resources that all libraries share."""


def _on_load(contract: Contract) -> tuple[str, ...]:
    found = contract.on_load
    return tuple(phrases.inner(found.file, found.node.clauses)) if found is not None else ()


def _borrowed(item: reach.Reached) -> Borrowed:
    pool = _pool(item.pool)
    controls = [_control(one) for name, one in item.library.controls.items() if name in item.controls]
    written = f"{pool.size or ''} {pool.existing or ''} {pool.idle}"
    names = set(re.findall(r"[A-Za-z_]\w*", written))
    lets = [_let(one) for name, one in item.library.lets.items() if name in names]
    return Borrowed(
        item.library.name,
        item.alias,
        item.private,
        pool,
        item.operations,
        item.size,
        tuple(one for one in controls if one.ways),
        tuple(lets),
    )


def _brought(item: Contract) -> Brought:
    made = [_pool(one) for one in item.pools.values()]
    return Brought(item.name, tuple(one.name for one in made if one.created == "load"), _on_load(item))


def _let(clause: Clause[nodes.Let]) -> LetSheet:
    node, file = clause.node, clause.file
    return LetSheet(
        node.name.text,
        text(file, node.value),
        phrases.value(file, node.value),
        _counts(node.value),
        node.doc,
    )


def _signal(clause: Clause[nodes.Signal]) -> SignalSheet:
    node = clause.node
    return SignalSheet(
        node.name.text,
        _without_annotations(clause.file, node),
        phrases.signal(clause.file, node),
        node.doc,
        notes(node),
    )


_CALLS: Mapping[type[nodes.ArgumentSource | nodes.ApiSource | nodes.ConfigSource], str] = {
    nodes.ArgumentSource: "argument",
    nodes.ApiSource: "api",
    nodes.ConfigSource: "config",
}


def _control(clause: Clause[nodes.Control]) -> ControlSheet:
    node, file = clause.node, clause.file
    ways: list[Way] = []
    for kind, word in _CALLS.items():
        ways += [Way(word, item.text.value) for item in node.clauses if isinstance(item, kind)]
    for item in node.clauses:
        if isinstance(item, nodes.EnvSource):
            ways += [Way("env", name.text) for name in item.names]
    default = next((item for item in node.clauses if isinstance(item, nodes.Default)), None)
    read = next((item.moment for item in node.clauses if isinstance(item, nodes.Read)), None)
    invalid = next((item.policy for item in node.clauses if isinstance(item, nodes.Invalid)), None)
    scope = next((item.reach for item in node.clauses if isinstance(item, nodes.Scope)), "process")
    return ControlSheet(
        node.name.text,
        node.doc,
        text(file, node.type),
        phrases.kind(file, node.type),
        tuple(ways),
        text(file, default.value) if default is not None else None,
        phrases.default(file, node, default.value) if default is not None else "nothing",
        _counts(default.value) if default is not None else None,
        " ".join(read.split()) if read else None,
        invalid,
        scope,
        notes(node),
    )


def _counts(expression: nodes.Expression) -> str | None:
    """Which CPUs a default counts, where it counts some."""
    read = {node.path for node in expression.walk() if isinstance(node, nodes.Reference)}
    mask, quota = "machine.cpus.affinity" in read, "machine.cpus.quota" in read
    if "machine.cpus" in read or (mask and quota):
        return "the affinity mask and the CPU quota count"
    if mask:
        return "the affinity mask counts, a CPU quota does not"
    if quota:
        return "the CPU quota counts, the affinity mask does not"
    if "machine.cpus.online" in read:
        return "neither the affinity mask nor a CPU quota counts"
    if "machine.cpus.physical" in read:
        return "physical cores, whatever the affinity mask and the CPU quota"
    return None


def _pool(clause: Clause[nodes.Pool]) -> PoolSheet:
    node, file = clause.node, clause.file
    words = {"callers": "submit", "caller": "waits", "threads": "independent", "created": "first use"}
    size = existing = size_words = existing_words = counts = None
    idle, idle_words, fork, nested = "blocks", "they sleep", "safe", False
    for item in node.clauses:
        match item:
            case nodes.Size():
                size, size_words = text(file, item.value), phrases.value(file, item.value)
                counts = _counts(item.value)
            case nodes.Existing():
                existing, existing_words = text(file, item.value), phrases.value(file, item.value)
            case nodes.CallersPolicy():
                words["callers"] = item.policy
            case nodes.CallerRole():
                words["caller"] = item.role
            case nodes.Coupling():
                words["threads"] = item.kind
            case nodes.Created():
                words["created"] = " ".join(item.moment.split())
            case nodes.Idle():
                duration = f" for {text(file, item.duration)}" if item.duration is not None else ""
                idle = f"{item.how}{duration}"
                if item.how == "spins":
                    idle_words = "they spin, each keeping a CPU busy, for good"
                    if item.duration is not None:
                        lasting = phrases.value(file, item.duration)
                        idle_words = f"they spin, each keeping a CPU busy, for {lasting}; then they sleep"
            case nodes.ForkBehaviour():
                fork = item.effect
            case nodes.Nested():
                nested = True
    return PoolSheet(
        node.name.text,
        node.doc,
        size,
        size_words,
        existing,
        existing_words,
        words["callers"],
        "joins" if words["callers"] == "join" else words["caller"],
        words["threads"],
        words["created"],
        idle,
        idle_words,
        fork,
        nested,
        counts,
        notes(node),
    )


def _operation(clause: Clause[nodes.Operation]) -> OperationSheet:
    node, file = clause.node, clause.file
    return OperationSheet(
        node.name.text,
        node.doc,
        tuple(text(file, item) for item in node.parameters),
        tuple(phrases.argument(file, item) for item in node.parameters),
        tuple(_effect(file, item) for item in node.clauses),
        notes(node),
    )


def _effect(file: SourceFile, node: nodes.Node) -> Effect:
    words = phrases.effect(file, node)
    kind = _CLAUSES.get(type(node), type(node).__name__.lower())
    match node:
        case nodes.Workers():
            ends = node.count.span.end if node.guard is None else node.guard.span.end
            return Effect(
                kind,
                " ".join(file.text[node.span.start : ends].split()),
                words,
                text(file, node.count),
                tuple(_grouped(file, node.clauses)),
                tuple(phrases.inner(file, node.clauses)),
            )
        case nodes.Demand():
            return Effect(kind, _without_annotations(file, node), words, node.resource.path)
        case nodes.Let():
            return Effect(kind, text(file, node), words, node.name.text)
        case nodes.Hazard():
            return Effect(kind, _without_annotations(file, node), words, node.message.value)
    return Effect(kind, _without_annotations(file, node), words)


_CLAUSES: Mapping[type[nodes.Node], str] = {nodes.RunsOn: "runs on"}
"""The names of clauses that are not those of their nodes."""


def _grouped(file: SourceFile, clauses: Iterable[nodes.Node]) -> Iterator[str]:
    """Clauses as they are written; variables that are set alike one after another are named together."""
    for first, *others in phrases.groups(file, clauses):
        written = _without_annotations(file, first)
        if isinstance(first, nodes.SetVariable) and others:
            names = [item.name.text for item in (first, *others) if isinstance(item, nodes.SetVariable)]
            keyword = "set default " if first.weak else "set "
            rest = written.removeprefix(keyword).removeprefix(names[0])
            written = f"{keyword}{', '.join(names)}{rest}"
        yield written


def _evidence(
    contract: Contract, clause: Clause[nodes.Evidence], records: Mapping[str, Record]
) -> EvidenceSheet:
    node = clause.node
    return EvidenceSheet(
        node.title.value,
        node.doc,
        tuple(item.path for item in node.subjects),
        tuple(_needs(node)),
        notes(node).measured,
        clause.file.line(node.title.span.start),
        _place(clause.file),
        records.get(key_of(contract.declared.qualified, clause)),
    )


def _demand(clause: Clause[nodes.Demand]) -> DemandSheet:
    node = clause.node
    return DemandSheet(
        node.resource.path,
        _without_annotations(clause.file, node),
        phrases.effect(clause.file, node),
        node.doc,
        notes(node),
    )


def _hazard(clause: Clause[nodes.Hazard]) -> HazardSheet:
    node = clause.node
    condition = text(clause.file, node.condition)
    return HazardSheet(node.message.value, node.effect, condition, node.doc, notes(node))


def _held(covered: Coverage | None, records: Sequence[Record]) -> Mapping[str, Held]:
    """What was proved of the clauses of each member, by what was tried of the contract."""
    members: dict[str, list[str]] = {}
    for item in covered.clauses if covered is not None else ():
        members.setdefault(_member(item.clause), []).append(item.clause)
    found: dict[str, Held] = {}
    for member, clauses in members.items():
        tried = [
            one for one in records if one.outcome == "proved" and not set(clauses).isdisjoint(one.proves)
        ]
        proved = {clause for one in tried for clause in one.proves}
        found[member] = Held(
            tuple(one for one in clauses if one in proved),
            tuple(one.removeprefix(f"{member}.") for one in clauses if one not in proved),
            max((one.date for one in tried), default=""),
            tuple(dict.fromkeys(version for one in tried for version in one.versions)),
        )
    return found


def _member(clause: str) -> str:
    """The member that a clause belongs to, or the clause where it is one by itself."""
    return clause if clause.startswith(("demand ", "hazard ", "signal ")) else clause.partition(".")[0]


def _needs(node: nodes.Evidence) -> Iterator[str]:
    for item in node.clauses:
        if isinstance(item, nodes.Needs):
            versions = item.versions.value if item.versions is not None else ""
            yield f"{item.distribution.value} {versions}".strip()
        elif isinstance(item, nodes.NeedsOfSystem):
            yield f"{item.kind} {item.name.value}"


def _coverage(found: Coverage | None) -> CoverageSheet:
    if found is None:
        return CoverageSheet(0, 0, (), ())
    by_state = {state: tuple(one.clause for one in found.clauses if one.state is state) for state in State}
    return CoverageSheet(
        len(found.clauses), len(by_state[State.COVERED]), by_state[State.NAMED], by_state[State.OPEN]
    )
