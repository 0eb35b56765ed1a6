"""An operation whose work can be left to nobody: a pool of 0 threads, or 0 workers, under no condition."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lpcl.check.context import label
from lpcl.compose.terms import Value, apply, conjunction, disjunction, knobs_of, negation
from lpcl.diagnostics.diagnostic import Label
from lpcl.model import types
from lpcl.model.contracts import Clause
from lpcl.ranges.readings import Guard, Reading, earlier_ways, ways_of
from lpcl.ranges.rules.subject import Subject
from lpcl.ranges.space import Space
from lpcl.ranges.world import Place, World
from lpcl.syntax import nodes


def check(subject: Subject) -> None:
    """Judge the operations of a contract; a pool is told of once."""
    node = subject.declared.node
    told: set[object] = set()
    for member in node.members if isinstance(node, nodes.Contract) else ():
        if isinstance(member, nodes.Operation):
            earlier = earlier_ways(member)
            for clause in ways_of(member):
                guards = earlier[id(clause)]
                if clause.guard is not None:
                    guards = (*guards, (clause.guard, True))
                way = _Way(subject, Clause(member, subject.file), clause, guards)
                if way.key not in told and way.judge():
                    told.add(way.key)


@dataclass(frozen=True)
class _Way:
    """A clause that says who does the work of an operation, and the conditions that it stands under."""

    subject: Subject
    operation: Clause[nodes.Operation]
    clause: nodes.RunsOn | nodes.Workers
    guards: tuple[Guard, ...]

    @property
    def key(self) -> object:
        """The pool, unless the operation has a size of its own for it."""
        if isinstance(self.clause, nodes.RunsOn) and self.clause.size is None:
            return self.clause.pool.path
        return self.clause.span

    def judge(self) -> bool:
        """Tell of it if nobody may do its work, or if that cannot be decided; whether it was told of."""
        answer = self.subject.can(self._nobody)
        if answer.no:
            return False
        clause = self.clause
        labels: list[Label] = []
        if isinstance(clause, nodes.Workers):
            stated, what = Clause(clause.count, self.subject.file), "there can be 0 workers"
        else:
            found = self._size(self.subject.world(Space()))
            assert found is not None, "without a size there is no answer but no"
            stated, what = found[0], f"the pool `{clause.pool.path}` can be of 0 threads"
            if clause.size is None:
                labels.append(label(stated.file, stated.node.span, "its size"))
        own = isinstance(clause, nodes.Workers) or clause.size is not None
        span = stated.node.span if own else clause.span
        if not answer.yes:
            self.subject.undecided(span, f"whether {what}")
            return True
        size = " ".join(stated.file.text[stated.node.span.start : stated.node.span.end].split())
        read = isinstance(stated.node, nodes.Reference)
        self.subject.report(
            "nobody-at-work",
            span,
            f"{what}: who does the work of `{self.operation.node.name.text}` then?",
            answer,
            labels=labels,
            help_text=f"where the callers do it, say `when {size if read else '...'} > 0`; where the library "
            "refuses, a `hazard`, an `assume` or a range; else `max(1, ...)`",
        )
        return True

    def _nobody(self, world: World) -> Value:
        """That the clause counts, nothing goes wrong, and there is nobody."""
        if isinstance(self.clause, nodes.Workers):
            count = Reading(self.clause.count, "count", self.clause, self.operation, self.guards)
            amount = world.value(count.expression, self.subject.place(count, world))
        else:
            found = self._size(world)
            if found is None:
                return False
            size, place = found
            count = Reading(size.node, "size", self.clause, self.operation, self.guards)
            amount = place.world.value(size.node, place)
        reached = self.subject.reached(count, world, world.place(self.subject.file, self.operation))
        nobody = apply("<=", amount, 0)
        asked = self._asked(world, conjunction(reached, nobody))
        return conjunction(reached, nobody, *asked, *self._works(world))

    def _asked(self, world: World, read: Value) -> Iterator[Value]:
        """That nobody asks for it: an argument that is read is what it is left out, or at least 1."""
        place = world.place(self.subject.file, self.operation)
        for parameter in self.operation.node.parameters:
            if not isinstance(types.of(parameter.type), types.NumberType):
                continue
            given = world.parameter(self.operation.node.name.text, parameter, place)
            if not knobs_of(given) & knobs_of(read):
                continue
            least = apply(">=", given, 1)
            if parameter.default is None:
                yield least
            else:
                yield disjunction(least, apply("==", given, world.value(parameter.default, place)))

    def _size(self, world: World) -> tuple[Clause[nodes.Expression], Place] | None:
        """Where the number of threads is stated, and where its names are looked up."""
        assert isinstance(self.clause, nodes.RunsOn)
        if self.clause.size is not None:
            return Clause(self.clause.size, self.subject.file), world.place(self.subject.file, self.operation)
        head, _, name = self.clause.pool.path.rpartition(".")
        owner = world.other(head, self.subject.file) if head else world
        pool = None if owner is None else owner.contract.pools.get(name)
        if owner is None or pool is None:
            return None
        node = next((c.value for c in pool.node.clauses if isinstance(c, nodes.Size)), None)
        return None if node is None else (Clause(node, pool.file), owner.place(pool.file))

    def _works(self, world: World) -> Iterator[Value]:
        """That no hazard occurs, of the library or of the one whose pool it is, and that this one's
        assumptions hold.
        """
        within = world.place(self.subject.file, self.operation)
        for clause in self.operation.node.clauses:
            if isinstance(clause, nodes.Hazard):
                yield negation(world.value(clause.condition, within))
        owners = [world]
        if isinstance(self.clause, nodes.RunsOn) and "." in self.clause.pool.path:
            owner = world.other(self.clause.pool.path.rpartition(".")[0], self.subject.file)
            if owner is not None:
                owners.append(owner)
                for assume in owner.contract.assumes:
                    yield owner.value(assume.node.condition, owner.place(assume.file))
        for owner in owners:
            for hazard in owner.contract.hazards:
                yield negation(owner.value(hazard.node.condition, owner.place(hazard.file)))
