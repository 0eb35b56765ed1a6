"""What an application is once its names, settings and guards are resolved: a tree of processes and
activities.

`lpcl.compose.elaborate` builds it, everything else in `lpcl.compose` reads it. Amounts are `Value`s: plain
under a given configuration, terms where knobs are left open.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from lpcl.compose.figures import COUNTED, FigureKind
from lpcl.compose.machine import Pinning
from lpcl.compose.said import Said
from lpcl.compose.settings import EnvValue
from lpcl.compose.terms import Value
from lpcl.model.contracts import Contract
from lpcl.model.program import Origin
from lpcl.model.quantities import Dimension


@dataclass(frozen=True, slots=True)
class Resolution:
    """How a control got its value: `how` in words, the clause that says so, and what that rests on.

    `variables` could give it another value, the most direct first; those of its own asked before what
    counts, and are not set, are `unset`. `facts` are the figures of the machine that were read. What is
    `given` is handed on by the program, as an argument. `set_with` are arguments of a command that set it.
    `figures` is the expression of `how` with the values of its names put in, where it reckons something.
    `stated` is whether anything sets it at all: its default does not, of which `said` is the expression.
    """

    control: str
    value: Value
    how: str
    origin: Origin | None = None
    variables: tuple[str, ...] = ()
    kind: FigureKind = COUNTED
    because: tuple[Resolution, ...] = ()
    facts: tuple[tuple[str, Value], ...] = ()
    unset: tuple[str, ...] = ()
    given: bool = False
    set_with: tuple[str, ...] = ()
    figures: str = ""
    stated: Value = True
    said: Said | None = field(default=None, compare=False, repr=False)

    @property
    def dimension(self) -> Dimension:
        """The dimension of the value."""
        return self.kind.dimension


@dataclass(frozen=True, slots=True)
class Place:
    """An operation where it is carried out: the participant of a conflict.

    `id` is unique in the application and stable for a given structure; `library` is the name of the contract,
    and `application` the application that it is in, where there are several. `imports` tells that all it does
    is import the library (`lib.load`).
    """

    id: str
    library: str
    operation: str
    origin: Origin
    application: str = ""
    imports: bool = False

    def __str__(self) -> str:
        return f"{self.library}.{self.operation}" if self.operation else self.library


@dataclass(frozen=True, slots=True)
class Held:
    """A demand: between `low` and `high` of `resource` (its qualified name), on `device` if it has several.

    `device` is None for a resource that has no devices, an index, or ``all``. `said` are the expressions of
    the two bounds.
    """

    resource: str
    low: Value
    high: Value
    origin: Origin
    device: Value | None = None
    reasons: tuple[Resolution, ...] = ()
    said: tuple[Said, Said] | None = None

    def expression(self, bound: str) -> Said | None:
        """How the clause reckons the ``low`` or the ``high`` amount."""
        return None if self.said is None else self.said[0 if bound == "low" else 1]


class Load(NamedTuple):
    """A CPU demand per caller, as bounds, with the clause that declares it and what that rests on."""

    low: Value
    high: Value
    held: Held | None = None


@dataclass(frozen=True, eq=False)
class PoolInstance:
    """A pool of one runtime in one process. `spins` is None, ``always`` or ``for a time``.

    `owner` is the library that carries the runtime for itself, None where it is shared.
    """

    key: str
    name: str
    library: str
    policy: str
    joins: bool
    coupled: bool
    spins: str | None
    created_at_load: bool
    fork: str
    nested: bool
    origin: Origin
    owner: str | None = None

    def __str__(self) -> str:
        mine = f"`{self.library}.{self.name}`"
        return mine if self.owner is None else f"{mine} of {self.owner}"


@dataclass(frozen=True, slots=True)
class PoolUse:
    """An activity's use of a pool.

    `size` threads at work, the caller among them where it joins; `existing` threads that the pool really has
    besides its callers, `at_load` of which it has since its library was loaded. `own_thread` where the caller
    is one of the pool's threads and the pool does not nest.
    """

    pool: PoolInstance
    size: Value
    existing: Value
    own_thread: bool
    reasons: tuple[Resolution, ...] = ()
    origin: Origin | None = None
    at_load: Value = 0
    said: Said | None = None


@dataclass(frozen=True, slots=True)
class ThreadWorkers:
    count: Value
    joins: bool
    origin: Origin
    reasons: tuple[Resolution, ...] = ()
    said: Said | None = None


@dataclass(frozen=True, slots=True)
class ProcessWorkers:
    count: Value
    process: Process
    origin: Origin
    reasons: tuple[Resolution, ...] = ()
    said: Said | None = None


@dataclass(frozen=True, eq=False)
class Activity:
    """An operation at its place. `cpu` is its declared CPU demand per caller, or None.

    `body` is what its executors go through: the threads of `pool`, those of `workers`, else its callers. An
    activity whose workers are processes has its body in the process. Where worker threads are given nothing
    to do, each of them counts as a caller at work. `condition` is when it is there at all, where knobs are
    open.
    """

    place: Place
    demands: tuple[Held, ...] = ()
    cpu: Load | None = None
    pool: PoolUse | None = None
    workers: ThreadWorkers | ProcessWorkers | None = None
    body: Sequence | None = None
    condition: Value = True
    grounds: tuple[Resolution, ...] = ()


@dataclass(frozen=True, eq=False)
class Together:
    members: tuple[Statement, ...]


@dataclass(frozen=True, eq=False)
class Sequence:
    statements: tuple[Statement, ...]


@dataclass(frozen=True, eq=False)
class Variant:
    """An operation that is carried out in one of two ways, as open knobs decide. Given settings leave
    none.
    """

    condition: Value
    then: Statement
    otherwise: Statement


Statement = Activity | Together | Sequence | Variant


@dataclass(frozen=True, eq=False)
class Loaded:
    """A library that a process has loaded: what it holds there, its pools that exist at once, and who loads
    it.

    `holders` are the ids of the places through which it is loaded: taken out of the application, all of them,
    the library is not there.
    """

    contract: Contract
    key: str
    holders: frozenset[str]
    demands: tuple[Held, ...]
    pools: tuple[tuple[PoolInstance, Value, tuple[Resolution, ...]], ...]
    condition: Value = True

    @property
    def owner(self) -> str | None:
        """The library that carries this copy for itself, None where it is shared."""
        return self.key.partition("@")[2] or None

    def __str__(self) -> str:
        return f"`{self.contract.name}`" + (f" of {self.owner}" if self.owner else "")


@dataclass(frozen=True, slots=True)
class Condition:
    """A clause to hold (`assume`) or to be avoided (`hazard`), evaluated where it applies.

    `value` may depend on the knob ``callers <place id>``: how many executors are at the place at one moment.
    `said` is its expression, and `runtime` the key of the library's copy.
    """

    kind: str
    value: Value
    message: str
    effect: str | None
    library: str
    origin: Origin
    place: Place | None
    process: str
    said: Said | None = None
    runtime: str = ""


@dataclass(frozen=True, eq=False)
class Process:
    """A class of like processes, as each one of them is.

    `name` tells it to a reader; `starter` is the place that starts it, None for the root. `cpus` is what its
    threads may use, and `pinned` whether that is less than what its parent may use. `condition` is when
    there is such a process at all. `parent_used` are the pools that its parent has when it starts it, and
    when. `environment` are its variables once its libraries are loaded, and `pins` what has narrowed its
    affinity. `asked` are the variables from which anything in it is read, and `questioned` those of which it
    is asked whether they are set. A process that is `imaginary` stands for a machine on which several
    applications run: it counts for nothing itself.
    """

    name: str
    starter: Place | None
    method: str | None
    cpus: Value
    pinned: bool
    loaded: tuple[Loaded, ...]
    held: tuple[Held, ...]
    body: Sequence
    conditions: tuple[Condition, ...] = ()
    parent_used: Mapping[str, Value] = field(default_factory=dict)
    condition: Value = True
    imaginary: bool = False
    environment: Mapping[str, EnvValue] = field(default_factory=dict)
    pins: tuple[Pinning, ...] = ()
    asked: tuple[str, ...] = ()
    questioned: tuple[str, ...] = ()

    @cached_property
    def index(self) -> Mapping[str, Activity]:
        """Its activities by the ids of their places, those of child processes not among them."""
        return {activity.place.id: activity for activity in activities(self.body)}


def activities(statement: Statement) -> Iterator[Activity]:
    """The activities of one process below a statement, those of child processes not among them, in order."""
    left: list[Statement] = [statement]
    while left:
        one = left.pop()
        if isinstance(one, Activity):
            yield one
            if one.body is not None:
                left.append(one.body)
        else:
            left.extend(reversed(members(one)))


def members(statement: Together | Sequence | Variant) -> tuple[Statement, ...]:
    """The statements that one of several is made of."""
    if isinstance(statement, Together):
        return statement.members
    if isinstance(statement, Sequence):
        return statement.statements
    return statement.then, statement.otherwise


def own_activities(statement: Statement, present: frozenset[str] | None = None) -> list[Activity]:
    """The activities that an executor carries out itself, not through workers or a pool's threads, in order.

    A participant that is not `present` (None: all are) has no pool, and its callers go through its block.
    """
    if isinstance(statement, Activity):
        found = [statement]
        pool = statement.pool if present is None or statement.place.id in present else None
        inline = statement.workers is None and (pool is None or pool.own_thread)
        if inline and statement.body is not None:
            found.extend(own_activities(statement.body, present))
        return found
    return [activity for member in members(statement) for activity in own_activities(member, present)]


def processes(root: Process) -> Iterator[Process]:
    """The root and all processes below it, parents first."""
    yield root
    for activity in activities(root.body):
        if isinstance(activity.workers, ProcessWorkers):
            yield from processes(activity.workers.process)


def all_activities(root: Process) -> Iterator[Activity]:
    """Every activity of every process, in order."""
    for process in processes(root):
        yield from activities(process.body)


def starter_id(process: Process) -> str:
    """The key of a process class: the id of the place that starts it, '' for the root."""
    return process.starter.id if process.starter is not None else ""


def process_of(root: Process, starter: str | None) -> Process:
    """The process class that a place starts; the root for None."""
    if starter is None:
        return root
    return next(process for process in processes(root) if starter_id(process) == starter)
