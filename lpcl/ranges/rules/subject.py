"""What each rule is given: a declaration, its contract, and how to ask and to report."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

from lpcl.check.context import Context
from lpcl.compose.refusal import Refusal
from lpcl.compose.solver import Verdict
from lpcl.compose.terms import Plain, Value, conjunction
from lpcl.diagnostics.diagnostic import Label
from lpcl.model.contracts import Clause, Contract
from lpcl.model.program import Declared, SourceFile
from lpcl.model.quantities import PLAIN, Dimension, show
from lpcl.ranges.ask import Answer, can
from lpcl.ranges.common import Common
from lpcl.ranges.readings import Reading, assumptions, guarded, place_of, readings
from lpcl.ranges.references import References
from lpcl.ranges.space import Space
from lpcl.ranges.world import Notes, Place, TooLarge, World
from lpcl.syntax import nodes
from lpcl.syntax.span import Span

Ask = Callable[[World], Value]


@dataclass(frozen=True)
class Subject:
    """A declaration under judgement. Findings go to `context`; `read` is what all of the program reads."""

    context: Context
    declared: Declared
    read: References

    @cached_property
    def contract(self) -> Contract:
        """The declaration with what it inherits."""
        return self.context.contract(self.declared)

    @cached_property
    def readings(self) -> tuple[Reading, ...]:
        """The expressions that the declaration states itself."""
        return tuple(readings(self.declared))

    @property
    def file(self) -> SourceFile:
        """The file of the declaration."""
        return self.declared.file

    def text(self, span: Span) -> str:
        """A part of the file, in one line."""
        return " ".join(self.file.text[span.start : span.end].split())

    def can(self, ask: Ask, *, witness: bool = True) -> Answer:
        """Whether something can be true of the contract.

        What has no meaning, or is nested too deep to be looked into, is not decided.
        """
        plainly = self._plainly(ask)
        if plainly is Verdict.NO or (plainly is Verdict.YES and not witness):
            return Answer(plainly)
        return self.can_by_itself(ask, witness=witness)

    def can_by_itself(self, ask: Ask, *, witness: bool = True) -> Answer:
        """The same over a space where nothing else has been asked."""
        try:
            return can(lambda space: ask(self.world(space)), witness=witness)
        except (Refusal, TooLarge):
            return Answer(Verdict.UNDECIDED)

    def _plainly(self, ask: Ask) -> Verdict:
        common, world = self._common
        if not common.failed:
            try:
                verdict = common.plainly(ask(world))
            except (Refusal, TooLarge):
                common.failed = True
            else:
                return Verdict.UNDECIDED if common.failed else verdict
        return Verdict.UNDECIDED

    @cached_property
    def _common(self) -> tuple[Common, World]:
        common = Common()
        return common, self.world(common.space)

    def world(self, space: Space) -> World:
        """The contract over a space."""
        return World(space, self.context, self.contract, notes=self._notes)

    @cached_property
    def _notes(self) -> Notes:
        return Notes(self.contract)

    def place(self, reading: Reading, world: World) -> Place:
        """Where a reading's names are looked up."""
        return place_of(reading, world, self.declared)

    def reached(self, reading: Reading, world: World, place: Place) -> Value:
        """The condition under which an expression counts: its guards, and what is assumed beside it.

        Assumptions that cannot hold together are reported by themselves, and do not count here.
        """
        held = guarded(reading, world, place)
        if not self._assumable(reading.operation):
            return held
        return conjunction(held, self._assumed(world, reading.operation, reading.clause))

    def _assumed(
        self, world: World, operation: Clause[nodes.Operation] | None, without: nodes.Node | None = None
    ) -> Value:
        return conjunction(
            *(
                world.value(clause.node.condition, world.place(clause.file, within))
                for clause, within in assumptions(self.contract, operation)
                if clause.node is not without
            )
        )

    def _assumable(self, operation: Clause[nodes.Operation] | None) -> bool:
        key = "" if operation is None else operation.node.name.text
        if key not in self._possible:
            answer = self.can(lambda world: self._assumed(world, operation), witness=False)
            self._possible[key] = not answer.no
        return self._possible[key]

    @cached_property
    def _possible(self) -> dict[str, bool]:
        return {}

    def at(self, answer: Answer, ask: Ask, dimension: Dimension = PLAIN) -> str:
        """A figure under the values that show an answer, for the reader."""
        assert answer.values is not None
        return told(ask(self.world(Space(answer.values))), dimension)

    def report(
        self,
        code: str,
        span: Span,
        headline: str,
        answer: Answer | None = None,
        *,
        label: str = "",
        labels: Iterable[Label] = (),
        help_text: str | None = None,
    ) -> None:
        """A finding with the values that show it."""
        shown = str(answer) if answer is not None else ""
        notes = (f"so it is with {shown}",) if shown else ()
        self.context.report(
            code, self.file, span, headline, label=label, labels=labels, notes=notes, help_text=help_text
        )

    def undecided(self, span: Span, question: str) -> None:
        """A remark that a question is open."""
        self.context.report(
            "not-decided",
            self.file,
            span,
            f"{question} is not decided",
            help_text="say it with fewer products of figures; nothing else depends on the answer",
        )


def told(value: Value | Plain, dimension: Dimension) -> str:
    """A plain value for the reader."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    assert not hasattr(value, "op")
    return show(value, dimension)
