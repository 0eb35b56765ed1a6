"""The syntax tree of LPCL: one frozen node for each rule of `grammar/lpcl.tx`, with its attribute names.

A node carries the `Span` of the text that it came from. Attributes that the grammar makes optional are `None`
where the text leaves them out; repeated ones are tuples. Names stay text here: `lpcl.model.symbols` says what
they refer to. Expressions are binary trees (`Binary`), built from the grammar's flat `Expression` by
`lpcl.syntax.build`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field, fields
from fractions import Fraction
from operator import attrgetter
from typing import Any

from lpcl.syntax.record import Record, keyword_record, record
from lpcl.syntax.span import Span

NOWHERE = Span(0, 0)


@keyword_record
class Node(Record):
    """What every node has: where it stands, and the documentation (`///`) in front of it."""

    span: Span = field(default=NOWHERE, compare=False)
    doc: str | None = field(default=None, compare=False)

    def children(self) -> Iterator[Node]:
        """The nodes directly below, in the order of the text."""
        for value in reversed(_values(self)):
            if value.__class__ is tuple:
                yield from value
            elif value is not None:
                yield value

    def walk(self) -> Iterator[Node]:
        """This node and all below it, outermost first."""
        stack: list[Any] = [self]
        while stack:
            node = stack.pop()
            yield node
            for value in _values(node):
                if value.__class__ is tuple:
                    stack += value[::-1]
                elif value is not None:
                    stack.append(value)


def by_kind(top: Node) -> Mapping[type, list[Any]]:
    """A node and all below it by their class, those of each in the order of the text."""
    kinds: dict[type, list[Any]] = {}
    stack: list[Any] = [top]
    while stack:
        node = stack.pop()
        cls = node.__class__
        if cls in kinds:
            kinds[cls].append(node)
        else:
            kinds[cls] = [node]
        values = _VALUES.get(cls)
        if values is _nothing:
            continue
        for value in _values(node) if values is None else values(node):
            if value.__class__ is tuple:
                if value:
                    stack += value[::-1]
            elif value is not None:
                stack.append(value)
    return kinds


_VALUES: dict[type, Callable[[Any], tuple[Any, ...]]] = {}
_PLAIN = frozenset({"str", "str | None", "bool", "Fraction", "Span"})


def _values(node: Node) -> tuple[Any, ...]:
    """What its fields hold, the last first: nodes, tuples of nodes, or None; `_PLAIN` ones left out."""
    cls = type(node)
    values = _VALUES.get(cls)
    if values is None:
        names = [f.name for f in reversed(fields(cls)) if f.type not in _PLAIN]
        values = _VALUES[cls] = _getter(names)
    return values(node)


def _nothing(_: Node) -> tuple[Any, ...]:
    return ()


def _getter(names: list[str]) -> Callable[[Any], tuple[Any, ...]]:
    if not names:
        return _nothing
    if len(names) == 1:
        get = attrgetter(names[0])
        return lambda node: (get(node),)
    return attrgetter(*names)


# ------------------------------------------------------------------ names, strings, annotations


@record
class Name(Node):
    """A name where it is declared, or an environment variable's."""

    text: str


@record
class Ref(Node):
    """A dotted name that refers to a declaration."""

    path: str


@record
class Text(Node):
    """A string literal; `value` is what it stands for, without quotes and escapes."""

    value: str


@record
class Annotation(Node):
    name: Name
    args: tuple[Text, ...] = ()


@record
class Package(Node):
    path: str


@record
class Import(Node):
    """`import a.b.name`, `import a.b.*`, `import a.b.{c, d}`, `import a.b.name as other`."""

    path: str
    star: bool = False
    names: tuple[Name, ...] = ()
    alias: Name | None = None


# ------------------------------------------------------------------ expressions


@record
class Quantity(Node):
    """A number with its unit; `value` is exact and in the base unit (1, bytes, seconds, bytes per second)."""

    value: Fraction
    unit: str | None = None


@record
class Boolean(Node):
    value: bool


@record
class Reference(Node):
    """A dotted name in an expression."""

    path: str


@record
class Call(Node):
    """A function's value, or with `member` a part of it: `threadpool("openblas").num_threads`."""

    function: str
    args: tuple[Expression, ...] = ()
    member: str | None = None


@record
class Unary(Node):
    """`-` or `not`."""

    op: str
    operand: Expression


@record
class Binary(Node):
    """`op` is one of * / div mod + - == != < <= > >= and or implies; `op_span` is where it stands."""

    op: str
    left: Expression
    right: Expression
    op_span: Span = field(default=NOWHERE, compare=False)


@record
class Conditional(Node):
    condition: Expression
    then: Expression
    otherwise: Expression


@record
class Parenthesis(Node):
    inner: Expression


Expression = Quantity | Boolean | Text | Reference | Call | Unary | Binary | Conditional | Parenthesis


@record
class Range(Node):
    low: Expression
    high: Expression


# ------------------------------------------------------------------ types


@record
class EnumType(Node):
    members: tuple[Name, ...]


@record
class TypeFactor(Node):
    op: str
    name: str


@record
class ValueType(Node):
    """`bytes`, `count in 1..64`, `bytes / time`."""

    first: str
    rest: tuple[TypeFactor, ...] = ()
    range: Range | None = None


Type = EnumType | ValueType


# ------------------------------------------------------------------ resources and machines


@record
class Capacity(Node):
    value: Expression


@record
class Sharing(Node):
    mode: str


@record
class Exceed(Node):
    effect: str


@record
class Resource(Node):
    name: Name
    type: Type
    annotations: tuple[Annotation, ...] = ()
    per: str | None = None
    clauses: tuple[Capacity | Sharing | Exceed, ...] = ()


@record
class Fact(Node):
    """One figure of a machine, or the range in which it lies."""

    path: str
    value: Expression | None = None
    range: Range | None = None


@record
class Machine(Node):
    name: Name
    annotations: tuple[Annotation, ...] = ()
    facts: tuple[Fact, ...] = ()


# ------------------------------------------------------------------ contracts


@record
class PypiEntry(Node):
    distribution: Text
    versions: Text | None = None


@record
class FileEntry(Node):
    patterns: tuple[Text, ...]


@record
class CommandEntry(Node):
    patterns: tuple[Text, ...]
    versions: Text | None = None


@record
class Library(Node):
    entries: tuple[PypiEntry | FileEntry | CommandEntry, ...] = ()


@record
class EnvSource(Node):
    """Environment variables, in order: the first that is set wins."""

    names: tuple[Name, ...]


@record
class ApiSource(Node):
    text: Text


@record
class ArgumentSource(Node):
    text: Text


@record
class ConfigSource(Node):
    text: Text


@record
class Default(Node):
    value: Expression


@record
class Read(Node):
    moment: str


@record
class TextForm(Node):
    form: str


@record
class Invalid(Node):
    policy: str


@record
class Scope(Node):
    reach: str


ControlClause = (
    EnvSource | ApiSource | ArgumentSource | ConfigSource | Default | Read | TextForm | Invalid | Scope
)


@record
class Control(Node):
    name: Name
    type: Type
    annotations: tuple[Annotation, ...] = ()
    clauses: tuple[ControlClause, ...] = ()


@record
class Size(Node):
    value: Expression


@record
class Existing(Node):
    """How many threads the pool really has, where that is not its size (helpers, monitors)."""

    value: Expression


@record
class CallersPolicy(Node):
    policy: str


@record
class CallerRole(Node):
    role: str


@record
class Coupling(Node):
    kind: str


@record
class Created(Node):
    moment: str


@record
class Idle(Node):
    how: str
    duration: Expression | None = None


@record
class ForkBehaviour(Node):
    effect: str


@record
class Nested(Node):
    word: str = "nested"


PoolClause = Size | Existing | CallersPolicy | CallerRole | Coupling | Created | Idle | ForkBehaviour | Nested


@record
class Pool(Node):
    name: Name
    annotations: tuple[Annotation, ...] = ()
    clauses: tuple[PoolClause, ...] = ()


@record
class Parameter(Node):
    name: Name
    type: Type
    default: Expression | None = None


@record
class RunsOn(Node):
    pool: Ref
    size: Expression | None = None
    guard: Expression | None = None


@record
class Argument(Node):
    name: Name
    value: Expression


@record
class Calls(Node):
    target: Ref
    arguments: tuple[Argument, ...] = ()
    passes_block: bool = False
    guard: Expression | None = None


@record
class SetVariable(Node):
    """`set V = e`; `weak` is `set default`, which only counts where the variable is not set."""

    name: Name
    value: Expression
    weak: bool = False
    guard: Expression | None = None


@record
class Start(Node):
    method: Expression


@record
class Pin(Node):
    value: Expression


@record
class AllDevices(Node):
    word: str = "all"


@record
class Demand(Node):
    resource: Ref
    annotations: tuple[Annotation, ...] = ()
    device: Expression | AllDevices | None = None
    amount: Expression | None = None
    range: Range | None = None
    guard: Expression | None = None


@record
class Limit(Node):
    target: Ref
    value: Expression
    annotations: tuple[Annotation, ...] = ()
    guard: Expression | None = None


WorkerClause = SetVariable | Limit | Start | Pin | CallerRole | Demand


@record
class Workers(Node):
    kind: str
    count: Expression
    guard: Expression | None = None
    clauses: tuple[WorkerClause, ...] = ()


@record
class Let(Node):
    name: Name
    value: Expression


@record
class Assume(Node):
    condition: Expression
    message: Text
    annotations: tuple[Annotation, ...] = ()


@record
class Hazard(Node):
    message: Text
    condition: Expression
    annotations: tuple[Annotation, ...] = ()
    effect: str | None = None


@record
class Scales(Node):
    control: Ref
    fraction: Expression


OperationClause = RunsOn | Calls | Workers | Demand | Let | Assume | Hazard | Limit | Scales


@record
class Operation(Node):
    name: Name
    annotations: tuple[Annotation, ...] = ()
    parameters: tuple[Parameter, ...] = ()
    clauses: tuple[OperationClause, ...] = ()


@record
class Uses(Node):
    name: Name
    annotations: tuple[Annotation, ...] = ()
    interface: Ref | None = None
    provider: Ref | None = None
    private: bool = False


@record
class OnLoad(Node):
    annotations: tuple[Annotation, ...] = ()
    clauses: tuple[SetVariable | Limit | Pin | Demand, ...] = ()


@record
class LogSource(Node):
    pattern: Text


@record
class PythonSource(Node):
    code: Text


@record
class Indication(Node):
    resource: Ref
    condition: Expression


@record
class Signal(Node):
    name: Name
    type: Type
    source: LogSource | PythonSource | Expression
    annotations: tuple[Annotation, ...] = ()
    indications: tuple[Indication, ...] = ()


@record
class Block(Node):
    statements: tuple[Statement, ...] = ()


@record
class Together(Node):
    members: tuple[Statement, ...] = ()


@record
class LimitBlock(Node):
    target: Ref
    value: Expression
    block: Block


@record
class Invocation(Node):
    """An operation of a library, carried out by the application."""

    operation: Ref
    arguments: tuple[Argument, ...] = ()
    block: Block | None = None


Statement = Together | LimitBlock | Block | Invocation


@record
class Run(Node):
    block: Block


@record
class Needs(Node):
    distribution: Text
    versions: Text | None = None


@record
class NeedsOfSystem(Node):
    kind: str
    name: Text


@record
class Quota(Node):
    """CPU time that an experiment's own control group allows, in CPUs."""

    value: Expression


@record
class Timeout(Node):
    value: Expression


@record
class PythonCode(Node):
    code: Text


@record
class ExpectValue(Node):
    condition: Expression


TryClause = SetVariable | Pin | Quota | Limit | Let | ExpectValue


@record
class Try(Node):
    """One run of an experiment, with settings and expectations of its own."""

    title: Text | None = None
    clauses: tuple[TryClause, ...] = ()


EvidenceClause = (
    SetVariable
    | Pin
    | Quota
    | Limit
    | Let
    | Needs
    | NeedsOfSystem
    | Timeout
    | Run
    | Try
    | PythonCode
    | ExpectValue
)


@record
class Evidence(Node):
    title: Text
    annotations: tuple[Annotation, ...] = ()
    subjects: tuple[Ref, ...] = ()
    clauses: tuple[EvidenceClause, ...] = ()


ContractMember = (
    Library
    | Control
    | Pool
    | Operation
    | Uses
    | OnLoad
    | Demand
    | Let
    | Assume
    | Hazard
    | Signal
    | Evidence
    | Scales
)


@record
class Contract(Node):
    name: Name
    annotations: tuple[Annotation, ...] = ()
    base: Ref | None = None
    interfaces: tuple[Ref, ...] = ()
    members: tuple[ContractMember, ...] = ()


@record
class Interface(Node):
    name: Name
    annotations: tuple[Annotation, ...] = ()
    base: Ref | None = None
    members: tuple[Control | Pool | Operation, ...] = ()


# ------------------------------------------------------------------ applications


@record
class MachineUse(Node):
    """`machine host`, `machine node`, or the figures themselves."""

    name: Ref | None = None
    facts: tuple[Fact, ...] = ()


@record
class Binding(Node):
    name: Name
    provider: Ref
    private: bool = False


@record
class UseItem(Node):
    library: Ref
    version: Text | None = None
    bindings: tuple[Binding, ...] = ()


@record
class Use(Node):
    items: tuple[UseItem, ...]


@record
class Environment(Node):
    name: Name
    value: Expression


@record
class Command(Node):
    text: Text


@record
class Measure(Node):
    """What the tuner improves: wall time where `goal` is None, else a metric that the program prints."""

    goal: str | None = None
    pattern: Text | None = None


@record
class Background(Node):
    resource: Ref
    amount: Expression


ApplicationMember = (
    MachineUse | Use | Environment | Control | Let | Limit | Run | Command | Measure | Background
)


@record
class Application(Node):
    name: Name
    annotations: tuple[Annotation, ...] = ()
    members: tuple[ApplicationMember, ...] = ()


# ------------------------------------------------------------------ tests


@record
class Check(Node):
    applications: tuple[Ref, ...]


@record
class ExpectOvercommit(Node):
    """`expect overcommit cpu 64 / 8 as collapse by a, b`; `figures` is the division as it is written."""

    resource: Ref
    possible: bool = False
    figures: Expression | None = None
    grade: str | None = None
    participants: tuple[Ref, ...] = ()


@record
class ExpectSerialized(Node):
    pool: Ref | None = None
    participants: tuple[Ref, ...] = ()


@record
class ExpectHazard(Node):
    message: Text | None = None


@record
class ExpectAssumption(Node):
    message: Text | None = None


@record
class ExpectUnderuse(Node):
    word: str = "underuse"


@record
class ExpectClean(Node):
    word: str = "clean"


@record
class ExpectNo(Node):
    kind: str
    resource: Ref | None = None


@record
class Setting(Node):
    target: Ref
    value: Expression


@record
class ExpectSafe(Node):
    resource: Ref | None = None
    settings: tuple[Setting, ...] = ()


@record
class ExpectDemand(Node):
    resource: Ref
    amount: Expression


@record
class ExpectAvoidable(Node):
    verdict: str


@record
class ExpectResolved(Node):
    target: Ref
    value: Expression


Expectation = (
    ExpectOvercommit
    | ExpectSerialized
    | ExpectHazard
    | ExpectAssumption
    | ExpectUnderuse
    | ExpectClean
    | ExpectNo
    | ExpectSafe
    | ExpectDemand
    | ExpectAvoidable
    | ExpectResolved
)


@record
class Test(Node):
    title: Text
    annotations: tuple[Annotation, ...] = ()
    clauses: tuple[MachineUse | Check | Environment | Expectation, ...] = ()


Declaration = Resource | Machine | Interface | Contract | Application | Test
Item = Package | Import | Declaration


@record
class File(Node):
    items: tuple[Item, ...] = ()
