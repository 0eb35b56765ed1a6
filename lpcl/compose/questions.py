"""The questions over all configurations: can it happen, can it be avoided, what would be right.

For each shape of the application the amounts are terms over its knobs. That a snapshot over-commits is one
condition on knobs and placement together, so "can it happen" is a single question (`witness`). That no
snapshot does is asked lazily (`search`). Whatever is answered has been evaluated by `assess`. See
`docs/decisions/0005-questions.md`.
"""

from __future__ import annotations

from lpcl.compose.alternatives import Alternative
from lpcl.compose.assess import Assessment
from lpcl.compose.best import Best
from lpcl.compose.elaborate import Elaborated
from lpcl.compose.knobs import Configuration, Knob
from lpcl.compose.lessons import Learnt
from lpcl.compose.meaning import TooManyOptions
from lpcl.compose.paths import TooManyPaths
from lpcl.compose.search import Search
from lpcl.compose.solver import Verdict
from lpcl.compose.space import Space
from lpcl.compose.terms import Value, apply, conjunction
from lpcl.compose.witness import Answer, Witnesses

MOST_ALTERNATIVES = 8


class Questioner:
    """Asks about all configurations of one application on one machine."""

    def __init__(self, space: Space) -> None:
        self._space = space

    @property
    def knobs(self) -> tuple[Knob, ...]:
        """What can be set."""
        return self._space.knobs

    def today(self) -> Configuration:
        """What is set at present."""
        return self._space.today()

    def assessed(self, configuration: Configuration) -> Assessment | None:
        """What a configuration leads to, None where it is refused (a value that is rejected)."""
        return self._space.assessed(configuration)

    def elaborated(self, configuration: Configuration) -> Elaborated:
        """The tree of a configuration. Raises `Refusal`."""
        return self._space.elaborated(configuration)

    def can_happen(self, resource: str) -> Answer:
        """Is there a configuration that certainly over-commits the resource (its full name)?"""
        return Witnesses(self._space).can_happen(resource)

    def constraints(self) -> tuple[tuple[Learnt, ...], bool]:
        """Conditions on the knobs that hold where nothing is wrong, and whether they rule out every
        over-commit.
        """
        found: list[Learnt] = []
        complete = True
        try:
            for path in self._space.paths():
                search = Search(self._space, path)
                search.propose()
                complete = search.close() and complete
                here = conjunction(*path.conditions)
                found.extend(
                    Learnt(apply("implies", here, item.condition), item.finding) for item in search.learnt
                )
        except (TooManyPaths, TooManyOptions):
            complete = False
        return tuple(found), complete

    def avoidable(self) -> Answer:
        """Is there a configuration without any finding that is more than information?"""
        undecided = False
        try:
            for path in self._space.paths():
                search = Search(self._space, path)
                found = search.propose()
                if isinstance(found, dict):
                    return Answer(Verdict.YES, found, self._space.assessed(found))
                undecided = undecided or found is Verdict.UNDECIDED
        except (TooManyPaths, TooManyOptions):
            undecided = True
        return Answer(Verdict.UNDECIDED if undecided else Verdict.NO)

    def alternatives(self, most: int = MOST_ALTERNATIVES) -> tuple[tuple[Alternative, ...], Verdict]:
        """The configurations without a finding that use the CPUs best, those that change least first.

        One for each shape (workers and sizes of pools) that no other one of as few changes exceeds. The
        verdict is yes where there are some, no where there provably are none, and undecided where the work
        did not suffice to know that these are the best.
        """
        undecided = False
        found: list[Alternative] = []
        best: Value = -1
        try:
            searches = [Best(self._space, path) for path in self._space.paths()]
            for search in searches:
                reached = search.best_use()
                if reached is None:
                    undecided = True
                elif apply(">", reached, best) is True:
                    best = reached
            if best == -1:
                return (), Verdict.UNDECIDED if undecided else Verdict.NO
            for search in searches:
                found.extend(search.alternatives(best, most))
                undecided = undecided or search.undecided
        except (TooManyPaths, TooManyOptions):
            undecided = True
        found.sort(key=lambda one: (len(one.changes), _changed(one)))
        verdict = Verdict.UNDECIDED if undecided else Verdict.YES if found else Verdict.NO
        return tuple(found[:most]), verdict


def _changed(one: Alternative) -> tuple[str, ...]:
    return tuple(f"{item.id}={one.configuration[item.id]}" for item in one.changes)
