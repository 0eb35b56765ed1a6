"""A contract alone: what its names stand for where the machine and all settings are open."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, partial

from lpcl.check.names import Names
from lpcl.compose.evaluate import evaluate
from lpcl.compose.refusal import Refusal
from lpcl.compose.terms import Number, Plain, Term, Value, apply, disjunction
from lpcl.model import types
from lpcl.model.contracts import Clause, Contract
from lpcl.model.program import Origin, SourceFile
from lpcl.model.quantities import PLAIN
from lpcl.ranges.figures import FIGURES, SIZES
from lpcl.ranges.space import OTHER_TEXT, Free, Group, Space, bound
from lpcl.syntax import nodes

DEEPEST = 150
"""Expressions nested deeper than this, through the `let`s that they read, are not looked into."""

LARGEST = 4096
"""Numbers of more binary digits than this are not worked with."""

_COUNTS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 0, -1)


_OTHER_WAYS = (nodes.ApiSource, nodes.ArgumentSource, nodes.ConfigSource)


class TooLarge(Exception):
    """An expression is nested too deep, or has too large a value, to be looked into."""


def depth(expression: nodes.Node) -> int:
    """How many nodes lie between an expression and its innermost one."""
    deepest = 0
    stack: list[tuple[nodes.Node, int]] = [(expression, 1)]
    while stack:
        node, level = stack.pop()
        deepest = max(deepest, level)
        stack.extend((child, level + 1) for child in node.children())
    return deepest


class Notes:
    """What was found out about the clauses of contracts, for all worlds over these contracts to share."""

    def __init__(self, *contracts: Contract) -> None:
        self._contracts = contracts
        self._depths: dict[int, tuple[nodes.Node, int]] = {}

    @cached_property
    def texts(self) -> frozenset[str]:
        """The texts in the clauses, with which values may be compared."""
        return frozenset(
            node.value
            for contract in self._contracts
            for top in _clauses(contract)
            for node in top.walk()
            if isinstance(node, nodes.Text)
        )

    def depth(self, expression: nodes.Expression) -> int:
        """How many nodes lie between an expression and its innermost one."""
        found = self._depths.get(id(expression))
        if found is None:
            found = self._depths[id(expression)] = (expression, depth(expression))
        return found[1]


class World:
    """The names of one contract or interface over a `space`. Those of other libraries have worlds beneath.

    Two worlds over one space, those of two versions of a contract, share what has the same name. `notes` are
    those of all contracts that are compared. What is in `unset`, controls as ``control:NAME``, variables as
    ``defined:NAME`` and parameters as ``argument:OPERATION.NAME``, is not open but what it is where nothing
    sets it.
    """

    def __init__(
        self,
        space: Space,
        names: Names,
        contract: Contract,
        prefix: str = "",
        notes: Notes | None = None,
        unset: frozenset[str] = frozenset(),
    ) -> None:
        self.space = space
        self.contract = contract
        self.names = names
        self._prefix = prefix
        self._notes = Notes(contract) if notes is None else notes
        self._unset_names = unset
        self._mine: set[str] = set()
        self._others: dict[str, World | None] = {}
        self._busy: list[str] = []
        self._lets: dict[tuple[int, str | None, int], tuple[nodes.Let, Value]] = {}

    # -------------------------------------------------------------- values

    def value(self, expression: nodes.Expression, place: Place) -> Value:
        """What an expression is at a place. Raises `Refusal` where it means nothing, and `TooLarge`."""
        levels = self._notes.depth(expression)
        self.space.depth += levels
        try:
            if self.space.depth > DEEPEST:
                raise TooLarge
            found = evaluate(expression, place)
        finally:
            self.space.depth -= levels
        ends = (found.low, found.high) if isinstance(found, Term) else (found,)
        for end in ends:
            if isinstance(end, int | Fraction) and _digits(end) > LARGEST:
                raise TooLarge
        return found

    def let(self, path: str, let: Clause[nodes.Let], place: Place, origin: Origin) -> Value:
        """The value of a `let` that is read at a place; it is worked out once for each operation."""
        key = (id(let.node), place.operation, id(place.size))
        found = self._lets.get(key)
        if found is None:
            made = self.value(let.node.value, place.inside(path, let, origin))
            found = self._lets[key] = (let.node, made)
        return found[1]

    def place(self, file: SourceFile, operation: Clause[nodes.Operation] | None = None) -> Place:
        """Where the clauses of the contract, or of one of its operations, are read."""
        if operation is None:
            return Place(self, file)
        node = operation.node
        lets = {c.name.text: Clause(c, operation.file) for c in node.clauses if isinstance(c, nodes.Let)}
        parameters: dict[str, nodes.Parameter] = {item.name.text: item for item in node.parameters}
        return Place(self, operation.file, node.name.text, parameters, lets)

    def figure(self, path: str) -> Value:
        """A figure of the machine."""
        if path == "cpus":
            return apply("min", self.figure("cpus.affinity"), self.figure("cpus.quota"))
        known = self.space.known(f"machine.{path}")
        if known is not None:
            return known
        figure = FIGURES[path]
        fact = figure.type

        def usual() -> Value | None:
            follows = None if path == "gpu.memory.free" else fact.follows
            return None if follows is None else self.figure(follows)

        made = self.space.value(
            Free(
                f"machine.{path}",
                f"machine.{path}",
                "machine",
                "whole" if fact.whole else "fraction",
                figure.low,
                figure.high,
                fact.dimension,
                first=figure.first,
                usual=usual,
            )
        )
        if figure.below is not None:
            most = figure.below
            self.space.bind(lambda: apply("<=", made, self.figure(most)))
        return made

    def control(self, name: str) -> Value:
        """A control's value: anything in its range."""
        key = f"control:{self._prefix}{name}"
        known = self.space.known(key)
        if known is not None and key in self._mine:
            return known
        clause = self.contract.controls[name]
        self._enter(key, clause.origin)
        if key in self._unset_names and (usual := self.default(name)) is not None:
            self._busy.pop()
            return usual
        made = self._typed(
            key,
            f"{self._prefix}{name}",
            "control",
            clause.node.type,
            self.place(clause.file),
            lambda: self.default(name),
        )
        self._busy.pop()
        return made

    def default(self, name: str) -> Value | None:
        """What a control is where nothing sets it; None where it has no default, or none that means
        something.
        """
        clause = self.contract.controls[name]
        node = next((c for c in clause.node.clauses if isinstance(c, nodes.Default)), None)
        if node is None:
            return None
        try:
            return self.value(node.value, self.place(clause.file))
        except (Refusal, TooLarge):
            return None

    def is_set(self, name: str) -> Value:
        """Whether anything sets a control; where nothing does, it is its default."""
        if f"control:{self._prefix}{name}" in self._unset_names:
            return False
        key = f"set:{self._prefix}{name}"
        known = self.space.known(key)
        if known is not None:
            return known
        made = self.space.value(Free(key, f"{self._prefix}{name} is set", "circumstance", "truth"))
        self.space.bind(lambda: self._unset(name, made))
        return made

    def is_defined(self, variable: str) -> Value:
        """Whether an environment variable is set. What only variables can set is its default without them."""
        key = f"defined:{variable}"
        if key in self._unset_names:
            return False
        known = self.space.known(key)
        if known is not None:
            return known
        made = self.space.value(Free(key, f"{variable} is set", "circumstance", "truth"))
        for name, clause in self.contract.controls.items():
            variables = [
                v.text for c in clause.node.clauses if isinstance(c, nodes.EnvSource) for v in c.names
            ]
            if variable in variables and not any(isinstance(c, _OTHER_WAYS) for c in clause.node.clauses):
                self.space.bind(partial(self._by_variables, name, variables))
        return made

    def _by_variables(self, name: str, variables: list[str]) -> Value:
        default = self.default(name)
        if default is None:
            return True
        return disjunction(*map(self.is_defined, variables), apply("==", self.control(name), default))

    def _unset(self, name: str, is_set: Value) -> Value:
        default = self.default(name)
        return True if default is None else disjunction(is_set, apply("==", self.control(name), default))

    def parameter(self, operation: str, node: nodes.Parameter, place: Place) -> Value:
        """An operation's parameter: anything in its range."""
        key = f"argument:{self._prefix}{operation}.{node.name.text}"
        known = self.space.known(key)
        if known is not None and key in self._mine:
            return known

        def usual() -> Value | None:
            if node.default is None:
                return None
            try:
                return self.value(node.default, place)
            except (Refusal, TooLarge):
                return None

        if key in self._unset_names and (found := usual()) is not None:
            return found
        outer = self.place(place.file)
        return self._typed(key, node.name.text, "argument", node.type, outer, usual)

    def _typed(
        self,
        key: str,
        label: str,
        group: Group,
        kind: nodes.Type,
        place: Place,
        usual: Callable[[], Value | None],
    ) -> Value:
        shared = self.space.known(key) is not None
        self._mine.add(key)
        found = types.of(kind)
        free = partial(Free, key, label, group, usual=usual)
        if isinstance(found, types.BoolType):
            return self.space.value(free(kind="truth"))
        if isinstance(found, types.EnumType):
            made = self.space.value(free(kind="word", words=found.members))
            if shared:
                self.space.bind(lambda: disjunction(*(apply("==", made, word) for word in found.members)))
            return made
        if isinstance(found, types.StringType):
            words = (*sorted(self._notes.texts), OTHER_TEXT)
            return self.space.value(free(kind="word", words=words, text=True))
        if not isinstance(found, types.NumberType):
            raise Refusal(
                "invalid-type", f"`{label}` is of no type that has values", Origin(place.file, kind.span)
            )
        low, high = self.ends(kind, place)
        first: tuple[Plain, ...] = _COUNTS if found.dimension == PLAIN else SIZES
        made = self.space.value(
            free(
                kind="whole" if found.whole else "fraction",
                low=_end(low, 0),
                high=_end(high, 1),
                dimension=found.dimension,
                first=first,
            )
        )
        for op, end in ((">=", low), ("<=", high)):
            if end is not None and (shared or isinstance(end, Term)):
                self.space.bind(partial(bound, op, made, end))
        return made

    def ends(self, kind: nodes.Type, place: Place) -> tuple[Value | None, Value | None]:
        """The ends of a number's range, None where there is none."""
        found = types.of(kind)
        if not isinstance(found, types.NumberType) or not isinstance(kind, nodes.ValueType):
            return None, None
        least = 0 if kind.first in ("count", "bytes", "time", "bandwidth", "share") else None
        low: Value | None = least
        high: Value | None = 1 if kind.first == "share" else None
        if kind.range is not None:
            stated = self.value(kind.range.low, place)
            low = stated if low is None else apply("max", low, stated)
            stated = self.value(kind.range.high, place)
            high = stated if high is None else apply("min", high, stated)
        return low, high

    def circumstance(self, key: str, label: str) -> Value:
        """Something about where the library is used that is true or not."""
        known = self.space.known(key)
        if known is not None:
            return known
        return self.space.value(Free(key, label, "circumstance", "truth"))

    def callers(self, operation: str) -> Value:
        """How many executors are in an operation at one moment."""
        key = f"callers:{self._prefix}{operation}"
        known = self.space.known(key)
        if known is not None:
            return known
        item = Free(key, "callers", "circumstance", "whole", 1, 2**20, first=_COUNTS)
        return self.space.value(item)

    def other(self, holder: str, file: SourceFile) -> World | None:
        """The world of a library that the contract uses, or that `file` imports, by that name."""
        if holder not in self._others:
            found = self._library(holder, file)
            self._others[holder] = (
                None
                if found is None
                else World(self.space, self.names, found, f"{self._prefix}{holder}.", self._notes)
            )
        return self._others[holder]

    def _library(self, holder: str, file: SourceFile) -> Contract | None:
        clause = self.contract.uses.get(holder)
        found = self.names.find(file, holder) if clause is None else self.names.dependency(clause).seen
        if found is None or not isinstance(found.node, nodes.Contract | nodes.Interface):
            return None
        return self.names.contract(found)

    def _enter(self, what: str, origin: Origin) -> None:
        if what in self._busy:
            raise Refusal("cyclic-value", f"the range of `{what}` depends on itself", origin)
        self._busy.append(what)


def _digits(number: Number) -> int:
    """The binary digits of a number."""
    return max(number.numerator.bit_length(), number.denominator.bit_length())


def _end(value: Value | None, which: int) -> Number | None:
    """The plain bound that an end of a range gives: itself, or the outermost that it can be."""
    if isinstance(value, Term):
        return value.low if which == 0 else value.high
    return None if isinstance(value, bool | str) else value


@dataclass(frozen=True)
class Place:
    """Names at one place of a contract; see `lpcl.compose.evaluate.Scope`."""

    world: World
    file: SourceFile
    operation: str | None = None
    parameters: Mapping[str, nodes.Parameter] = field(default_factory=dict)
    lets: Mapping[str, Clause[nodes.Let]] = field(default_factory=dict)
    size: nodes.Expression | None = None
    resolving: tuple[str, ...] = ()

    def at(self, file: SourceFile) -> Place:
        """The same names read from a clause in `file`."""
        return self if file is self.file else replace(self, file=file)

    def over(self, world: World) -> Place:
        """The same place of the same contract over another space."""
        return replace(self, world=world)

    def let(self, path: str) -> Clause[nodes.Let] | None:
        """The `let` that a name stands for here."""
        return self.lets.get(path) or self.world.contract.lets.get(path)

    def name(self, path: str, origin: Origin) -> Value:
        """See `Scope.name`."""
        world = self.world
        if path.startswith("machine."):
            figure = path.removeprefix("machine.")
            if figure != "cpus" and figure not in FIGURES:
                raise Refusal("unknown-figure", f"a machine has no `{figure}`", origin)
            return world.figure(figure)
        if path in self.parameters:
            assert self.operation is not None
            return world.parameter(self.operation, self.parameters[path], self)
        if path == "callers" and self.operation is not None:
            return world.callers(self.operation)
        if path == "size" and self.size is not None:
            return world.value(self.size, replace(self, size=None))
        let = self.let(path)
        if let is not None:
            return world.let(path, let, self, origin)
        if path in world.contract.controls:
            return world.control(path)
        if "." in path:
            holder, _, name = path.rpartition(".")
            other = world.other(holder, self.file)
            if other is not None and name in other.contract.controls:
                return other.control(name)
            raise Refusal("unknown-name", f"`{path}` is nothing that is known here", origin)
        return path

    def inside(self, path: str, let: Clause[nodes.Let], origin: Origin) -> Place:
        """Where the value of a `let` is read."""
        if path in self.resolving:
            raise Refusal("cyclic-value", f"the value of `{path}` depends on itself", origin)
        return replace(self, file=let.file, resolving=(*self.resolving, path))

    def question(self, function: str, path: str, origin: Origin) -> Value:
        """See `Scope.question`."""
        if function == "loaded":
            return self.world.circumstance(f"loaded:{path}", f"{path} is loaded")
        if path in self.world.contract.controls:
            return self.world.is_set(path)
        return self.world.is_defined(path)


def _clauses(contract: Contract) -> Iterator[nodes.Node]:
    for group in (contract.controls, contract.pools, contract.operations, contract.lets):
        yield from (clause.node for clause in group.values())
    for several in (contract.demands, contract.assumes, contract.hazards):
        yield from (clause.node for clause in several)
    if contract.on_load is not None:
        yield contract.on_load.node
