"""Two versions of a contract over the same machines, settings and arguments."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial

from lpcl.check.names import Names
from lpcl.compat.change import Change, Level
from lpcl.compose.refusal import Refusal
from lpcl.compose.solver import Verdict
from lpcl.compose.terms import Plain, Term, Value, apply, conjunction, disjunction
from lpcl.model import types
from lpcl.model.contracts import Clause, Contract, lineage
from lpcl.model.program import Origin, SourceFile
from lpcl.model.quantities import PLAIN, Dimension, show
from lpcl.ranges.ask import Answer, can
from lpcl.ranges.readings import assumptions
from lpcl.ranges.space import Space
from lpcl.ranges.world import Notes, TooLarge, World
from lpcl.syntax import nodes

Ask = Callable[[World], Value]
"""A value on one side."""


@dataclass(frozen=True, eq=False)
class Side:
    """One version of a contract or interface, with the program that it stands in."""

    names: Names
    contract: Contract

    @cached_property
    def named(self) -> frozenset[str]:
        """What it names, itself or in what it extends: variables among these are known to its users."""
        line = lineage(self.names.program, self.contract.declared)
        parts = [part for declared in line for part in declared.node.walk()]
        names = {part.text for part in parts if isinstance(part, nodes.Name)}
        return frozenset(names | {part.path for part in parts if isinstance(part, nodes.Reference)})

    def find(self, clause: Clause[nodes.Node], path: str) -> str:
        """The full name of what a path in a clause refers to; the path itself where it leads nowhere."""
        found = self.names.find(clause.file, path)
        return path if found is None else found.qualified


@dataclass(frozen=True, eq=False)
class Pair:
    """Old and new, and the changes that have been found between them.

    `strict` tells that what the old side leaves out means what the language says; an interface leaves it
    open.
    """

    old: Side
    new: Side
    strict: bool = True
    changes: list[Change] = field(default_factory=list)

    @property
    def subject(self) -> str:
        """The full name of the contract."""
        return self.old.contract.declared.qualified

    def report(
        self,
        level: Level,
        rule: str,
        headline: str,
        old: Clause[nodes.Node] | Origin | None = None,
        new: Clause[nodes.Node] | Origin | None = None,
        witness: str = "",
    ) -> None:
        """Add a change."""
        places = [one.origin if isinstance(one, Clause) else one for one in (old, new)]
        self.changes.append(Change(level, rule, self.subject, headline, witness, *places))

    def breaks(
        self,
        rule: str,
        headline: str,
        old: Clause[nodes.Node] | Origin | None = None,
        new: Clause[nodes.Node] | Origin | None = None,
        witness: str = "",
    ) -> None:
        """Add a broken promise."""
        self.report(Level.BREAKS, rule, headline, old, new, witness)

    # -------------------------------------------------------------- questions

    def can(
        self, ask: Callable[[World, World], Value], operation: str | None = None, *, taken: bool = True
    ) -> Answer:
        """Whether something can be, on a machine and with settings that both take, where the old one's
        assumptions hold, those of an operation among them. Without `taken`, what one of the two reads alone
        need not be in the range of the other.
        """

        def build(space: Space) -> Value:
            old, new = self.worlds(space)
            space.bind(lambda: self.assumed(old, operation))
            if taken:
                space.bind(lambda: self._take(space, old, new, operation))
            return ask(old, new)

        try:
            return can(build)
        except (Refusal, TooLarge):
            return Answer(Verdict.UNDECIDED)

    def _take(self, space: Space, old: World, new: World, operation: str | None) -> bool:
        """Bind what was met to both ranges, and the controls that nothing sets to both defaults."""
        if operation is not None:
            _take_arguments(space, operation, old, new)
        for name in self._of_other_ranges:
            if space.known(f"control:{name}") is not None:
                old.control(name)
                new.control(name)
        for name, variables in self._of_other_defaults.items():
            is_set = space.known(f"set:{name}")
            if is_set is not None:
                space.bind(partial(_default_unless, name, (is_set,), old, new))
            if any(space.known(f"defined:{variable}") is not None for variable in variables):
                space.bind(partial(_default_unless, name, tuple(map(old.is_defined, variables)), old, new))
        return True

    @cached_property
    def _of_other_defaults(self) -> Mapping[str, list[str]]:
        """The controls of both whose defaults differ, with the variables that alone can set them in both."""
        found: dict[str, list[str]] = {}
        for name, clause in self.old.contract.controls.items():
            other = self.new.contract.controls.get(name)
            if other is None or types.of(clause.node.type) != types.of(other.node.type):
                continue
            if clause_of(clause.node, nodes.Default) != clause_of(other.node, nodes.Default):
                by_others = any(
                    isinstance(one, OTHER_WAYS) for one in (*clause.node.clauses, *other.node.clauses)
                )
                found[name] = [] if by_others else sorted({*variables_of(clause), *variables_of(other)})
        return found

    @cached_property
    def _of_other_ranges(self) -> tuple[str, ...]:
        """The numbers among the controls of both whose types differ, or read something."""
        found: list[str] = []
        for name, clause in self.old.contract.controls.items():
            other = self.new.contract.controls.get(name)
            if other is None or f"control:{name}" in self._added:
                continue
            kinds = clause.node.type, other.node.type
            read = any(isinstance(part, nodes.Reference) for kind in kinds for part in kind.walk())
            if (kinds[0] != kinds[1] or read) and all(
                isinstance(types.of(kind), types.NumberType) for kind in kinds
            ):
                found.append(name)
        return tuple(found)

    def assumed(self, world: World, operation: str | None = None) -> Value:
        """That what the old one assumes holds, with what it assumes of an operation."""
        within = None if operation is None else self.old.contract.operations.get(operation)
        return conjunction(
            *(
                world.value(clause.node.condition, world.place(clause.file, of))
                for clause, of in assumptions(self.old.contract, within)
            )
        )

    def worlds(self, space: Space) -> tuple[World, World]:
        """Both sides over one space."""
        old = World(space, self.old.names, self.old.contract, notes=self._notes)
        new = World(space, self.new.names, self.new.contract, notes=self._notes, unset=self._added)
        return old, new

    @cached_property
    def _notes(self) -> Notes:
        return Notes(self.old.contract, self.new.contract)

    @cached_property
    def _added(self) -> frozenset[str]:
        """What only the new one has, which its users so far do not set."""
        before, after = self.old.contract, self.new.contract
        found = {f"control:{name}" for name in after.controls if name not in before.controls}
        read = self.old.names.readers()
        named = self.old.named
        found |= {
            f"defined:{variable}"
            for name, clause in after.controls.items()
            if name not in before.controls
            for variable in variables_of(clause)
            if variable not in read and variable not in named
        }
        for name, clause in after.operations.items():
            if name in before.operations:
                known = {item.name.text for item in before.operations[name].node.parameters}
                found |= {
                    f"argument:{name}.{item.name.text}"
                    for item in clause.node.parameters
                    if item.name.text not in known
                }
        return frozenset(found)

    def figures(self, answer: Answer, old: Ask, new: Ask, dimension: Dimension = PLAIN) -> tuple[str, str]:
        """Both values under the values that show an answer, for the reader."""
        assert answer.values is not None
        a, b = self.worlds(Space(answer.values))
        return told(old(a), dimension), told(new(b), dimension)

    # -------------------------------------------------------------- the two kinds of comparison

    def grows(
        self,
        rule: str,
        what: str,
        old: Ask,
        new: Ask,
        places: tuple[Clause[nodes.Node] | Origin | None, Clause[nodes.Node] | Origin | None],
        dimension: Dimension = PLAIN,
        operation: str | None = None,
        under: Callable[[World, World], Value] | None = None,
        *,
        less: bool = True,
    ) -> Level | None:
        """Report an amount that can be larger than it was, else, with `less`, one that can be smaller.

        Tells how grave it is, None where there was nothing to report.
        """
        for op, level, verb in ((">", Level.BREAKS, "grows"), ("<", Level.NEUTRAL, "shrinks")):
            if level is Level.NEUTRAL and not less:
                break

            def changed(a: World, b: World, op: str = op) -> Value:
                reach = True if under is None else under(a, b)
                return conjunction(reach, apply(op, new(b), old(a)))

            answer = self.can(changed, operation)
            if answer.yes:
                before, after = self.figures(answer, old, new, dimension)
                headline = f"{what} {verb} from {before} to {after}"
                self.report(level, rule, headline, *places, str(answer))
                return level
            if not answer.no and level is Level.BREAKS:
                self.report(Level.UNDECIDED, rule, f"whether {what} grows is not decided", *places)
                return Level.UNDECIDED
        return None

    def differs(
        self,
        rule: str,
        what: str,
        old: Ask,
        new: Ask,
        places: tuple[Clause[nodes.Node] | Origin | None, Clause[nodes.Node] | Origin | None],
        dimension: Dimension = PLAIN,
        operation: str | None = None,
        under: Callable[[World, World], Value] | None = None,
    ) -> bool:
        """Report a value that can be another than it was; whether it can."""

        def changed(a: World, b: World) -> Value:
            reach = True if under is None else under(a, b)
            return conjunction(reach, apply("!=", new(b), old(a)))

        answer = self.can(changed, operation)
        if answer.yes:
            before, after = self.figures(answer, old, new, dimension)
            self.breaks(rule, f"{what} was {before} and is {after}", *places, str(answer))
        elif not answer.no:
            self.report(Level.UNDECIDED, rule, f"whether {what} stays the same is not decided", *places)
        return answer.yes


OTHER_WAYS = (nodes.ApiSource, nodes.ArgumentSource, nodes.ConfigSource)
"""What sets a control beside environment variables."""


def _take_arguments(space: Space, operation: str, old: World, new: World) -> None:
    """Bind the numbers among the arguments that were met to the ranges of both versions of an operation."""
    held = [(world, world.contract.operations.get(operation)) for world in (old, new)]
    if any(clause is None for _, clause in held):
        return
    for world, clause in held:
        assert clause is not None
        for item in clause.node.parameters:
            met = space.known(f"argument:{operation}.{item.name.text}") is not None
            others = [
                other
                for _, one in held
                if one is not None
                for other in one.node.parameters
                if other.name.text == item.name.text
            ]
            if (
                met
                and len(others) > 1
                and all(isinstance(types.of(other.type), types.NumberType) for other in others)
            ):
                world.parameter(operation, item, world.place(clause.file, clause))


def _default_unless(name: str, ways: tuple[Value, ...], old: World, new: World) -> Value:
    """That a control is what either version has where nothing sets it, unless one of some ways does."""
    held: list[Value] = []
    for world in (old, new):
        default = world.default(name)
        if default is not None:
            held.append(disjunction(*ways, apply("==", world.control(name), default)))
    return conjunction(*held)


def told(value: Value | Plain, dimension: Dimension = PLAIN) -> str:
    """A plain value for the reader."""
    assert not isinstance(value, Term)
    if isinstance(value, bool):
        return "true" if value else "false"
    return (value or '""') if isinstance(value, str) else show(value, dimension)


def variables_of(clause: Clause[nodes.Control]) -> list[str]:
    """The environment variables that set a control, in order of precedence."""
    return [
        name.text for item in clause.node.clauses if isinstance(item, nodes.EnvSource) for name in item.names
    ]


def clause_of(node: nodes.Control | nodes.Pool, kind: type[nodes.Node]) -> nodes.Node | None:
    """The clause of a kind in a control or pool."""
    return next((item for item in node.clauses if isinstance(item, kind)), None)


def reading(
    expression: nodes.Expression, clause: Clause[nodes.Node], operation: Clause[nodes.Operation] | None = None
) -> Ask:
    """An expression of a clause, as a value on its side."""
    return lambda world: world.value(expression, world.place(clause.file, operation))


def stated(node: nodes.Node, file: SourceFile) -> Clause[nodes.Node]:
    """Any clause with the file that it stands in."""
    return Clause(node, file)
