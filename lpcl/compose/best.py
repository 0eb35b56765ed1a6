"""What would be right: of the configurations without a finding, those that use the CPUs best.

The best use is found by bisection. Of the configurations that reach it, one is shown for each shape (workers
and sizes of pools) that no other one of as few changes equals or exceeds everywhere. Components are searched
one by one and their best settings put together, those with the fewest changes in all first.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import islice, product

from lpcl.compose.alternatives import ABSENT, Alternative
from lpcl.compose.components import Entangled
from lpcl.compose.knobs import Knob, Setting, assignment
from lpcl.compose.meaning import number, peak
from lpcl.compose.resources import CPU
from lpcl.compose.search import AT_WORK, Part, Search, Settings
from lpcl.compose.solver import Verdict
from lpcl.compose.terms import DivisionByZero, Term, Value, apply, conjunction, disjunction, negation, settle

Shape = tuple[Value, ...]


class Best:
    """The best configurations of one shape of an application."""

    def __init__(self, search: Search) -> None:
        self._search = search
        self._space = search.space

    @property
    def undecided(self) -> bool:
        """Whether something has been left undecided."""
        return self._search.undecided

    def best_use(self) -> int | None:
        """The most CPUs that a configuration without a finding has at work; -1 if there is none, None if
        unknown.
        """
        base = self._search.right()
        if isinstance(base, Verdict):
            return -1 if base is Verdict.NO else None
        low = math.floor(peak(self._space.elaborated(base).root, AT_WORK).amount)
        high = self._most()
        for part in self._search.parts:
            if low >= high:
                break
            low = max(low, self._most_of(part, low, high))
        return low

    def _most_of(self, part: Part, low: int, high: int) -> int:
        """The most CPUs up to `high` that a part can have at work, if that is more than `low`."""
        if not part.component.uses or apply("<=", part.use, low) is True:
            return low
        for goal in (low + 1, high):
            found = part.propose(apply(">=", part.use, goal))
            if isinstance(found, Verdict):
                high = goal - 1
                break
            low = max(goal, part.used(found))
        while low < high:
            middle = (low + high + 1) // 2
            found = part.propose(apply(">=", part.use, middle))
            if isinstance(found, Verdict):
                high = middle - 1
            else:
                low = max(middle, part.used(found))
        return low

    def _most(self) -> int:
        sums = self._space.sums_of(self._search.path)
        cpu = next((one for one in sums if one.resource.qualified == CPU and one.starter is None), None)
        capacity = self._space.context.machine.fact("cpus") if cpu is None else cpu.capacity
        return math.floor(number(capacity)) if capacity is not None else 0

    def alternatives(self, use: int, most: int) -> Iterator[Alternative]:
        """The distinct shapes that have `use` CPUs at work, each with the fewest changes: those first that
        change least.
        """
        if isinstance(self._search.right(), Verdict):
            return
        for settings in islice(_Combined(self._search, use, most).settings(), most):
            candidate = {item.id: settings[item.id] for item in self._space.knobs}
            assessment = self._space.assessed(candidate)
            if assessment is None or assessment.alarms:
                if self._search.whole:
                    raise AssertionError("what was put together has been assessed as it was found")
                raise Entangled
            at_work = peak(self._space.elaborated(candidate).root, AT_WORK).amount
            values = assignment(self._space.knobs, candidate)
            known: dict[Term, Value] = {}
            figures = (replace(item, value=settle(item.value, values, known)) for item in self._search.shape)
            there = tuple(item for item in figures if item.value != ABSENT)
            changes = tuple(item for item in self._space.knobs if candidate[item.id] != item.current)
            yield Alternative(candidate, changes, at_work, there)


@dataclass(frozen=True)
class Option:
    """Settings of a part to choose, their shape, and whether they have the wanted use by themselves."""

    settings: Settings
    shape: Shape
    carries: bool


class _Combined:
    """Options of all parts put together, those with the fewest changes first.

    At least one part must have `use` CPUs at work, unless they are at work whatever is set.
    """

    def __init__(self, search: Search, use: int, most: int) -> None:
        self._plain = [Options(part, use, most) for part in search.parts]
        self._carrying = [Options(part, use, most, carry=True) for part in search.parts]
        self._always = search.fixed.carries({}, use)
        able = [place for place, one in enumerate(self._carrying) if one.possible]
        # With one part that can have the use, what else it can be set to is of no interest.
        self._sole = able[0] if len(able) == 1 and not self._always else None

    def settings(self) -> Iterator[Settings]:
        """The settings of all knobs together, each shape once."""
        seen: set[tuple[Shape, ...]] = set()
        spare = 0
        while True:
            for options in self._with(spare):
                shapes = tuple(option.shape for option in options)
                if shapes not in seen:
                    seen.add(shapes)
                    yield {name: value for option in options for name, value in option.settings.items()}
            if spare >= sum(one.most for one in self._lists()):
                return
            spare += 1

    def _lists(self) -> list[Options]:
        """The options that are put together."""
        if self._sole is not None:
            return [*self._plain[: self._sole], self._carrying[self._sole], *self._plain[self._sole + 1 :]]
        return self._plain if self._always else [*self._plain, *self._carrying]

    def _with(self, spare: int) -> Iterator[tuple[Option, ...]]:
        """Combinations with `spare` changes more than the fewest of each part by itself."""
        if self._always or self._sole is not None:
            yield from _spread([(one, one.least) for one in self._lists()], spare)
            return
        for carrier, carrying in enumerate(self._carrying):
            lists = [(one, one.least) for one in self._plain]
            lists[carrier] = (carrying, self._plain[carrier].least)
            for options in _spread(lists, spare):
                others = any(one.carries for place, one in enumerate(options) if place != carrier)
                if not others or self._plain[carrier].has(options[carrier].shape):
                    yield options


def _spread(lists: Sequence[tuple[Options, int]], spare: int) -> Iterator[tuple[Option, ...]]:
    """One option of each, with `spare` changes beyond those that go with each list."""

    def with_more(first: int, left: int, more: dict[int, int]) -> Iterator[tuple[Option, ...]]:
        if left == 0:
            levels = (one.at(least + more.get(place, 0)) for place, (one, least) in enumerate(lists))
            yield from _product(levels)
            return
        for place in range(first, len(lists)):
            for extra in range(1, left + 1):
                one, least = lists[place]
                if one.at(least + extra):
                    yield from with_more(place + 1, left - extra, {**more, place: extra})

    yield from with_more(0, spare, {})


def _product(levels: Iterator[Sequence[Option]]) -> Iterator[tuple[Option, ...]]:
    """Every choice of one from each, as far as each has any."""
    found: list[Sequence[Option]] = []
    for one in levels:
        if not one:
            return
        found.append(one)
    yield from product(*found)


class Options:
    """The settings of a part that are worth showing, by how many changes they are.

    They are right, and no others of as few changes have as many workers and as large pools everywhere. With
    `carry`, only those that have `use` CPUs at work are looked at. Of more than `enough` with as many changes
    some are left out.
    """

    def __init__(self, part: Part, use: int, enough: int, *, carry: bool = False) -> None:
        self._enough = enough
        self._part = part
        self._use = use
        self._wanted: tuple[Value, ...] = (apply(">=", part.use, use),) if carry else ()
        self._shape = tuple(figure for _, figure in part.component.figures)
        self._seen: list[Value] = []
        self._levels: list[list[Option]] = []
        self._exhausted = False in self._wanted

    @property
    def possible(self) -> bool:
        """Whether the bounds of the knobs leave any of these settings."""
        return False not in self._wanted

    @cached_property
    def least(self) -> int:
        """The fewest changes of an option, there being one."""
        level = 0
        while not self.at(level) and not self._exhausted:
            level += 1
        return level

    @property
    def most(self) -> int:
        """The most changes that an option can be, as far as is known."""
        return len(self._levels) - 1 if self._exhausted else len(self._part.component.knobs)

    def at(self, level: int) -> Sequence[Option]:
        """The options of just so many changes."""
        while len(self._levels) <= level and not self._exhausted:
            self._levels.append(self._next(len(self._levels)))
        return self._levels[level] if level < len(self._levels) else ()

    def has(self, shape: Shape) -> bool:
        """Whether an option that is known has a shape."""
        return any(option.shape == shape for level in self._levels for option in level)

    def _next(self, level: int) -> list[Option]:
        part = self._part
        if level > len(part.component.knobs):
            self._exhausted = True
            return []
        found: list[Option] = []
        if level == 0:
            today = part.today
            foreign = any(item.foreign for item in part.component.knobs)
            if not foreign and part.right(today) and (not self._wanted or part.carries(today, self._use)):
                found.append(self._option(today))
        else:
            few = apply("<=", part.changes, level)
            while not self._exhausted and len(found) < self._enough:
                candidate = part.propose(*self._wanted, *self._seen, few)
                if isinstance(candidate, Verdict):
                    break
                found.append(self._option(self._canonical(self._largest(candidate, few))))
        if not self._exhausted and not found and level > 0:
            self._exhausted = isinstance(part.propose(*self._wanted, *self._seen), Verdict)
        return found

    def _option(self, settings: Settings) -> Option:
        shape = self._shape_at(settings)
        self._seen.append(negation(self._at_most(shape)))
        self._exhausted = not self._shape
        return Option(settings, shape, self._part.carries(settings, self._use))

    def _largest(self, candidate: Settings, few: Value) -> Settings:
        """Settings of as few changes whose workers and pools no others of these exceed."""
        while True:
            pairs = list(zip((item.value for item in self._shape), self._shape_at(candidate), strict=True))
            larger = [apply("==" if value == ABSENT else ">=", term, value) for term, value in pairs]
            one_more = disjunction(*(apply(">", term, value) for term, value in pairs if value != ABSENT))
            if one_more is False or False in larger:
                return candidate
            found = self._part.propose(*self._wanted, *self._seen, few, *larger, one_more)
            if isinstance(found, Verdict):
                return candidate
            candidate = found

    def _at_most(self, shape: Shape) -> Value:
        """Whether no worker count or pool size exceeds that of a shape, with the same ones there."""
        return conjunction(
            *(
                apply("==", figure.value, ABSENT)
                if value == ABSENT
                else conjunction(apply(">=", figure.value, 0), apply("<=", figure.value, value))
                for figure, value in zip(self._shape, shape, strict=True)
            )
        )

    def _canonical(self, candidate: Settings) -> Settings:
        """Of the settings of the same shape with as few changes, always the same ones.

        One knob after the other, the best one to change last, is set back to what it is today, else hands
        its value to a better one, else takes the least value that leads to the same; of arguments and
        amounts, the one nearest to today's, or the largest where none is set today.
        """
        knobs = self._part.component.knobs
        shape, use = self._shape_at(candidate), self._part.used(candidate)
        for position, item in enumerate(knobs):
            for other in _simpler(candidate, item, knobs[:position:-1]):
                alike = self._has_shape(other, shape) and self._part.right(other)
                if alike and self._part.used(other) == use:
                    candidate = other
                    break
        return candidate

    def _has_shape(self, settings: Settings, shape: Shape) -> bool:
        try:
            return self._shape_at(settings) == shape
        except DivisionByZero:  # they are not accepted at all
            return False

    def _shape_at(self, settings: Settings) -> Shape:
        values = assignment(self._part.component.knobs, settings)
        known: dict[Term, Value] = {}
        return tuple(settle(item.value, values, known) for item in self._shape)


def _simpler(candidate: Settings, item: Knob, better: Sequence[Knob]) -> Iterator[Settings]:
    """Settings to prefer to others, as far as one knob goes, the most preferred first."""
    value = candidate[item.id]
    if value == item.current:
        return
    if not item.foreign:
        yield {**candidate, item.id: item.current}
    for other in better:
        free = not item.foreign and candidate[other.id] == other.current
        if free and other.kind == item.kind and other.takes(value):
            yield {**candidate, item.id: item.current, other.id: value}
    for other_value in _preferred(item):
        if other_value == value:
            return
        if other_value != item.current:
            yield {**candidate, item.id: other_value}


def _preferred(item: Knob) -> Sequence[Setting]:
    """The values of a knob, those to prefer first."""
    values = item.domain()
    amounts = [one for one in values if isinstance(one, int | Fraction) and not isinstance(one, bool)]
    counted_today = item.kind == "argument" and isinstance(item.current, int)
    if not amounts or not (item.choices or counted_today):
        return values
    today = Fraction(item.current if isinstance(item.current, int | Fraction) else max(amounts))
    others = [one for one in values if one is None]
    return (*others, *sorted(amounts, key=lambda one: abs(one - today)))
