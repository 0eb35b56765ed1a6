"""The syntax tree of LPCL: one frozen node for each rule of `grammar/lpcl.tx`, with the rule's attribute names.

A node carries the `Span` of the text that it came from. Attributes that the grammar makes optional are `None`
where the text leaves them out; repeated ones are tuples. Names stay text here: `lpcl.model.symbols` says what
they refer to. Expressions are binary trees (`Binary`), built from the grammar's flat `Expression` by
`lpcl.syntax.build`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from fractions import Fraction

from lpcl.syntax.span import Span

NOWHERE = Span(0, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """What every node has: where it stands, and the documentation (`///`) in front of it."""

    span: Span = field(default=NOWHERE, compare=False)
    doc: str | None = field(default=None, compare=False)

    def children(self) -> Iterator[Node]:
        """The nodes directly below, in the order of the text."""
        for name in _child_names(type(self)):
            value = getattr(self, name)
            if isinstance(value, Node):
                yield value
            elif isinstance(value, tuple):
                for item in value:
                    if isinstance(item, Node):
                        yield item

    def walk(self) -> Iterator[Node]:
        """This node and all below it, outermost first."""
        stack: list[Node] = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(list(node.children())))


_CHILD_NAMES: dict[type, tuple[str, ...]] = {}


def _child_names(cls: type[Node]) -> tuple[str, ...]:
    names = _CHILD_NAMES.get(cls)
    if names is None:
        names = tuple(f.name for f in fields(cls) if f.name not in ("span", "doc"))
        _CHILD_NAMES[cls] = names
    return names


# ------------------------------------------------------------------ names, strings, annotations


@dataclass(frozen=True, slots=True)
class Name(Node):
    """A name where it is declared, or an environment variable's."""

    text: str


@dataclass(frozen=True, slots=True)
class Ref(Node):
    """A dotted name that refers to a declaration."""

    path: str


@dataclass(frozen=True, slots=True)
class Text(Node):
    """A string literal; `value` is what it stands for, without quotes and escapes."""

    value: str


@dataclass(frozen=True, slots=True)
class Annotation(Node):
    name: Name
    args: tuple[Text, ...] = ()


@dataclass(frozen=True, slots=True)
class Package(Node):
    path: str


@dataclass(frozen=True, slots=True)
class Import(Node):
    """`import a.b.name`, `import a.b.*`, `import a.b.{c, d}`, `import a.b.name as other`."""

    path: str
    star: bool = False
    names: tuple[Name, ...] = ()
    alias: Name | None = None


# ------------------------------------------------------------------ expressions


@dataclass(frozen=True, slots=True)
class Quantity(Node):
    """A number with its unit; `value` is exact and in the base unit (1, bytes, seconds, bytes per second)."""

    value: Fraction
    unit: str | None = None


@dataclass(frozen=True, slots=True)
class Boolean(Node):
    value: bool


@dataclass(frozen=True, slots=True)
class Reference(Node):
    """A dotted name in an expression."""

    path: str


@dataclass(frozen=True, slots=True)
class Call(Node):
    """A function's value, or with `member` a part of it: `threadpool("openblas").num_threads`."""

    function: str
    args: tuple[Expression, ...] = ()
    member: str | None = None


@dataclass(frozen=True, slots=True)
class Unary(Node):
    """`-` or `not`."""

    op: str
    operand: Expression


@dataclass(frozen=True, slots=True)
class Binary(Node):
    """`op` is one of * / div mod + - == != < <= > >= and or implies; `op_span` is the operator's own place."""

    op: str
    left: Expression
    right: Expression
    op_span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Conditional(Node):
    condition: Expression
    then: Expression
    otherwise: Expression


@dataclass(frozen=True, slots=True)
class Parenthesis(Node):
    inner: Expression


Expression = Quantity | Boolean | Text | Reference | Call | Unary | Binary | Conditional | Parenthesis


@dataclass(frozen=True, slots=True)
class Range(Node):
    low: Expression
    high: Expression


# ------------------------------------------------------------------ types


@dataclass(frozen=True, slots=True)
class EnumType(Node):
    members: tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class TypeFactor(Node):
    op: str
    name: str


@dataclass(frozen=True, slots=True)
class ValueType(Node):
    """`bytes`, `count in 1..64`, `bytes / time`."""

    first: str
    rest: tuple[TypeFactor, ...] = ()
    range: Range | None = None


Type = EnumType | ValueType


# ------------------------------------------------------------------ resources and machines


@dataclass(frozen=True, slots=True)
class Capacity(Node):
    value: Expression


@dataclass(frozen=True, slots=True)
class Sharing(Node):
    mode: str


@dataclass(frozen=True, slots=True)
class Exceed(Node):
    effect: str


@dataclass(frozen=True, slots=True)
class Resource(Node):
    name: Name
    type: Type
    annotations: tuple[Annotation, ...] = ()
    per: str | None = None
    clauses: tuple[Capacity | Sharing | Exceed, ...] = ()


@dataclass(frozen=True, slots=True)
class Fact(Node):
    """One figure of a machine, or the range in which it lies."""

    path: str
    value: Expression | None = None
    range: Range | None = None


@dataclass(frozen=True, slots=True)
class Machine(Node):
    name: Name
    annotations: tuple[Annotation, ...] = ()
    facts: tuple[Fact, ...] = ()


# ------------------------------------------------------------------ contracts


@dataclass(frozen=True, slots=True)
class PypiEntry(Node):
    distribution: Text
    versions: Text | None = None


@dataclass(frozen=True, slots=True)
class FileEntry(Node):
    patterns: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class CommandEntry(Node):
    patterns: tuple[Text, ...]
    versions: Text | None = None


@dataclass(frozen=True, slots=True)
class Library(Node):
    entries: tuple[PypiEntry | FileEntry | CommandEntry, ...] = ()


@dataclass(frozen=True, slots=True)
class EnvSource(Node):
    """Environment variables, in order: the first that is set wins."""

    names: tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class ApiSource(Node):
    text: Text


@dataclass(frozen=True, slots=True)
class ArgumentSource(Node):
    text: Text


@dataclass(frozen=True, slots=True)
class ConfigSource(Node):
    text: Text


@dataclass(frozen=True, slots=True)
class Default(Node):
    value: Expression


@dataclass(frozen=True, slots=True)
class Read(Node):
    moment: str


@dataclass(frozen=True, slots=True)
class Invalid(Node):
    policy: str


@dataclass(frozen=True, slots=True)
class Scope(Node):
    reach: str


ControlClause = EnvSource | ApiSource | ArgumentSource | ConfigSource | Default | Read | Invalid | Scope


@dataclass(frozen=True, slots=True)
class Control(Node):
    name: Name
    type: Type
    annotations: tuple[Annotation, ...] = ()
    clauses: tuple[ControlClause, ...] = ()


@dataclass(frozen=True, slots=True)
class Size(Node):
    value: Expression


@dataclass(frozen=True, slots=True)
class Existing(Node):
    """How many threads the pool really has, where that is not its size (helpers, monitors)."""

    value: Expression


@dataclass(frozen=True, slots=True)
class CallersPolicy(Node):
    policy: str


@dataclass(frozen=True, slots=True)
class CallerRole(Node):
    role: str


@dataclass(frozen=True, slots=True)
class Coupling(Node):
    kind: str


@dataclass(frozen=True, slots=True)
class Created(Node):
    moment: str


@dataclass(frozen=True, slots=True)
class Idle(Node):
    how: str
    duration: Expression | None = None


@dataclass(frozen=True, slots=True)
class ForkBehaviour(Node):
    effect: str


@dataclass(frozen=True, slots=True)
class Nested(Node):
    word: str = "nested"


PoolClause = (
    Size | Existing | CallersPolicy | CallerRole | Coupling | Created | Idle | ForkBehaviour | Nested
)


@dataclass(frozen=True, slots=True)
class Pool(Node):
    name: Name
    annotations: tuple[Annotation, ...] = ()
    clauses: tuple[PoolClause, ...] = ()


@dataclass(frozen=True, slots=True)
class Parameter(Node):
    name: Name
    type: Type
    default: Expression | None = None


@dataclass(frozen=True, slots=True)
class RunsOn(Node):
    pool: Ref
    size: Expression | None = None
    guard: Expression | None = None


@dataclass(frozen=True, slots=True)
class Argument(Node):
    name: Name
    value: Expression


@dataclass(frozen=True, slots=True)
class Calls(Node):
    target: Ref
    arguments: tuple[Argument, ...] = ()
    passes_block: bool = False
    guard: Expression | None = None


@dataclass(frozen=True, slots=True)
class SetVariable(Node):
    """`set V = e`; `weak` is `set default`, which only counts where the variable is not set."""

    name: Name
    value: Expression
    weak: bool = False
    guard: Expression | None = None


@dataclass(frozen=True, slots=True)
class Start(Node):
    method: Expression


@dataclass(frozen=True, slots=True)
class Pin(Node):
    value: Expression


@dataclass(frozen=True, slots=True)
class AllDevices(Node):
    word: str = "all"


@dataclass(frozen=True, slots=True)
class Demand(Node):
    resource: Ref
    annotations: tuple[Annotation, ...] = ()
    device: Expression | AllDevices | None = None
    amount: Expression | None = None
    range: Range | None = None
    guard: Expression | None = None


@dataclass(frozen=True, slots=True)
class Limit(Node):
    target: Ref
    value: Expression
    annotations: tuple[Annotation, ...] = ()
    guard: Expression | None = None


WorkerClause = SetVariable | Limit | Start | Pin | CallerRole | Demand


@dataclass(frozen=True, slots=True)
class Workers(Node):
    kind: str
    count: Expression
    guard: Expression | None = None
    clauses: tuple[WorkerClause, ...] = ()


@dataclass(frozen=True, slots=True)
class Let(Node):
    name: Name
    value: Expression


@dataclass(frozen=True, slots=True)
class Assume(Node):
    condition: Expression
    message: Text
    annotations: tuple[Annotation, ...] = ()


@dataclass(frozen=True, slots=True)
class Hazard(Node):
    message: Text
    condition: Expression
    annotations: tuple[Annotation, ...] = ()
    effect: str | None = None


@dataclass(frozen=True, slots=True)
class Scales(Node):
    control: Ref
    fraction: Expression


OperationClause = RunsOn | Calls | Workers | Demand | Let | Assume | Hazard | Limit | Scales


@dataclass(frozen=True, slots=True)
class Operation(Node):
    name: Name
    annotations: tuple[Annotation, ...] = ()
    parameters: tuple[Parameter, ...] = ()
    clauses: tuple[OperationClause, ...] = ()


@dataclass(frozen=True, slots=True)
class Uses(Node):
    name: Name
    annotations: tuple[Annotation, ...] = ()
    interface: Ref | None = None
    provider: Ref | None = None
    private: bool = False


@dataclass(frozen=True, slots=True)
class OnLoad(Node):
    annotations: tuple[Annotation, ...] = ()
    clauses: tuple[SetVariable | Limit | Pin | Demand, ...] = ()


@dataclass(frozen=True, slots=True)
class LogSource(Node):
    pattern: Text


@dataclass(frozen=True, slots=True)
class PythonSource(Node):
    code: Text


@dataclass(frozen=True, slots=True)
class Indication(Node):
    resource: Ref
    condition: Expression


@dataclass(frozen=True, slots=True)
class Signal(Node):
    name: Name
    type: Type
    source: LogSource | PythonSource | Expression
    annotations: tuple[Annotation, ...] = ()
    indications: tuple[Indication, ...] = ()


@dataclass(frozen=True, slots=True)
class Needs(Node):
    distribution: Text
    versions: Text | None = None


@dataclass(frozen=True, slots=True)
class Timeout(Node):
    value: Expression


@dataclass(frozen=True, slots=True)
class PythonCode(Node):
    code: Text


@dataclass(frozen=True, slots=True)
class ExpectValue(Node):
    condition: Expression


EvidenceClause = SetVariable | Pin | Needs | Timeout | PythonCode | ExpectValue


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class Contract(Node):
    name: Name
    annotations: tuple[Annotation, ...] = ()
    base: Ref | None = None
    interfaces: tuple[Ref, ...] = ()
    members: tuple[ContractMember, ...] = ()


@dataclass(frozen=True, slots=True)
class Interface(Node):
    name: Name
    annotations: tuple[Annotation, ...] = ()
    base: Ref | None = None
    members: tuple[Control | Pool | Operation, ...] = ()


# ------------------------------------------------------------------ applications


@dataclass(frozen=True, slots=True)
class MachineUse(Node):
    """`machine host`, `machine node`, or the figures themselves."""

    name: Ref | None = None
    facts: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True)
class Binding(Node):
    name: Name
    provider: Ref
    private: bool = False


@dataclass(frozen=True, slots=True)
class UseItem(Node):
    library: Ref
    version: Text | None = None
    bindings: tuple[Binding, ...] = ()


@dataclass(frozen=True, slots=True)
class Use(Node):
    items: tuple[UseItem, ...]


@dataclass(frozen=True, slots=True)
class Environment(Node):
    name: Name
    value: Expression


@dataclass(frozen=True, slots=True)
class Block(Node):
    statements: tuple[Statement, ...] = ()


@dataclass(frozen=True, slots=True)
class Together(Node):
    members: tuple[Statement, ...] = ()


@dataclass(frozen=True, slots=True)
class LimitBlock(Node):
    target: Ref
    value: Expression
    block: Block


@dataclass(frozen=True, slots=True)
class Invocation(Node):
    """An operation of a library, carried out by the application."""

    operation: Ref
    arguments: tuple[Argument, ...] = ()
    block: Block | None = None


Statement = Together | LimitBlock | Block | Invocation


@dataclass(frozen=True, slots=True)
class Run(Node):
    block: Block


@dataclass(frozen=True, slots=True)
class Command(Node):
    text: Text


@dataclass(frozen=True, slots=True)
class Measure(Node):
    """What the tuner improves: wall time where `goal` is None, else a metric that the program prints."""

    goal: str | None = None
    pattern: Text | None = None


@dataclass(frozen=True, slots=True)
class Background(Node):
    resource: Ref
    amount: Expression


ApplicationMember = (
    MachineUse | Use | Environment | Control | Let | Limit | Run | Command | Measure | Background
)


@dataclass(frozen=True, slots=True)
class Application(Node):
    name: Name
    annotations: tuple[Annotation, ...] = ()
    members: tuple[ApplicationMember, ...] = ()


# ------------------------------------------------------------------ tests


@dataclass(frozen=True, slots=True)
class Check(Node):
    applications: tuple[Ref, ...]


@dataclass(frozen=True, slots=True)
class ExpectOvercommit(Node):
    """`expect overcommit cpu 64 / 8 as collapse by a, b`; `figures` is the division as it is written."""

    resource: Ref
    possible: bool = False
    figures: Expression | None = None
    grade: str | None = None
    participants: tuple[Ref, ...] = ()


@dataclass(frozen=True, slots=True)
class ExpectSerialized(Node):
    pool: Ref | None = None
    participants: tuple[Ref, ...] = ()


@dataclass(frozen=True, slots=True)
class ExpectHazard(Node):
    message: Text | None = None


@dataclass(frozen=True, slots=True)
class ExpectAssumption(Node):
    message: Text | None = None


@dataclass(frozen=True, slots=True)
class ExpectUnderuse(Node):
    word: str = "underuse"


@dataclass(frozen=True, slots=True)
class ExpectClean(Node):
    word: str = "clean"


@dataclass(frozen=True, slots=True)
class ExpectNo(Node):
    kind: str
    resource: Ref | None = None


@dataclass(frozen=True, slots=True)
class Setting(Node):
    target: Ref
    value: Expression


@dataclass(frozen=True, slots=True)
class ExpectSafe(Node):
    resource: Ref | None = None
    settings: tuple[Setting, ...] = ()


@dataclass(frozen=True, slots=True)
class ExpectDemand(Node):
    resource: Ref
    amount: Expression


@dataclass(frozen=True, slots=True)
class ExpectAvoidable(Node):
    verdict: str


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class Test(Node):
    title: Text
    annotations: tuple[Annotation, ...] = ()
    clauses: tuple[MachineUse | Check | Environment | Expectation, ...] = ()


Declaration = Resource | Machine | Interface | Contract | Application | Test
Item = Package | Import | Declaration


@dataclass(frozen=True, slots=True)
class File(Node):
    items: tuple[Item, ...] = ()
