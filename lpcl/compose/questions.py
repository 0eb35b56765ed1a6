"""The questions over all configurations: can it happen, can it be avoided, what would be right.

For each shape of the application the amounts are terms over its knobs. That a snapshot over-commits is one
condition on knobs and placement together, so "can it happen" is a single question (`witness`). That no
snapshot does is asked lazily (`search`). Whatever is answered has been evaluated by `assess`. See
`docs/decisions/0005-questions.md`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import TypeVar

from lpcl.compose.alternatives import Alternative, at_least
from lpcl.compose.assess import Assessment
from lpcl.compose.best import Best
from lpcl.compose.components import Entangled
from lpcl.compose.elaborate import Elaborated
from lpcl.compose.knobs import Configuration, Knob, Setting
from lpcl.compose.lessons import Learnt
from lpcl.compose.meaning import TooManyOptions
from lpcl.compose.paths import Path, TooManyPaths
from lpcl.compose.search import Search
from lpcl.compose.solver import Verdict
from lpcl.compose.space import Space
from lpcl.compose.terms import Number, apply, conjunction
from lpcl.compose.witness import Answer, Witnesses

MOST_ALTERNATIVES = 8

T = TypeVar("T")


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

        def learnt(search: Search) -> tuple[list[Learnt], bool]:
            decided = search.constraints()
            return search.learnt, decided

        try:
            for path in self._space.paths():
                lessons, decided = self._searched(path, learnt)
                complete = decided and complete
                here = conjunction(*path.conditions)
                found.extend(replace(one, condition=apply("implies", here, one.condition)) for one in lessons)
        except (TooManyPaths, TooManyOptions):
            complete = False
        return tuple(found), complete

    def avoidable(self) -> Answer:
        """Is there a configuration without any finding that is more than information?"""
        undecided = False
        try:
            for path in self._space.paths():
                found = self._searched(path, lambda search: search.right())
                if not isinstance(found, Verdict):
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
        best = -1
        try:
            for path in self._space.paths():
                use, mine, decided = self._searched(path, partial(_best, least=best, most=most))
                undecided = undecided or not decided
                if use > best:
                    best, found = use, []
                found += mine if use == best else ()
        except (TooManyPaths, TooManyOptions):
            undecided = True
        found.sort(key=lambda one: (len(one.changes), _changed(one)))
        found = [one for one in found if not _exceeded(one, found)]
        verdict = Verdict.UNDECIDED if undecided else Verdict.YES if found else Verdict.NO
        return tuple(found[:most]), verdict

    def _searched(self, path: Path, ask: Callable[[Search], T]) -> T:
        """What a search of a shape gives: by components, or else whole."""
        try:
            return ask(Search(self._space, path))
        except Entangled:
            return ask(Search(self._space, path, whole=True))


def _best(search: Search, least: int, most: int) -> tuple[int, list[Alternative], bool]:
    """The best use of the CPUs in a shape, the alternatives that have it if it is `least` or better, and
    whether all of this is sure.
    """
    best = Best(search)
    use = best.best_use()
    if use is None:
        return -1, [], False
    found = list(best.alternatives(use, most)) if use >= max(least, 0) else []
    return use, found, not best.undecided


def _exceeded(one: Alternative, among: Sequence[Alternative]) -> bool:
    """Whether another of as few changes has the same workers and pools, some more and none fewer."""
    return any(
        len(other.changes) <= len(one.changes)
        and other.shape != one.shape
        and at_least(other.shape, one.shape)
        for other in among
    )


def _changed(one: Alternative) -> tuple[tuple[str, bool, Number, str], ...]:
    """What is set to what, numbers in their order."""
    return tuple((item.id, *_in_order(one.configuration[item.id])) for item in one.changes)


def _in_order(setting: Setting) -> tuple[bool, Number, str]:
    if isinstance(setting, int | Fraction):
        return False, setting, ""
    return True, 0, str(setting)
