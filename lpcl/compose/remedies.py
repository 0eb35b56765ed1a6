"""What would make a condition hold: each value in it that can be set, and from where on, all of it tried."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from lpcl.compose.conditions import deciding_comparisons
from lpcl.compose.elaborate import Elaborated
from lpcl.compose.figures import figure_of
from lpcl.compose.findings import Remedy
from lpcl.compose.grounds import reads
from lpcl.compose.kinds import Names
from lpcl.compose.meaning import TooManyOptions
from lpcl.compose.nearest import Bound, nearest, readable
from lpcl.compose.ranges import bounds
from lpcl.compose.reckoning import COMPARING
from lpcl.compose.refusal import Refusal
from lpcl.compose.settable import CHOSEN, Settable, fact_of
from lpcl.compose.starts import FREE
from lpcl.compose.stories import is_own
from lpcl.compose.structure import Place, Resolution
from lpcl.compose.supposing import slope, value_under
from lpcl.compose.terms import Number, Plain, Term, Value, whole
from lpcl.compose.trials import Trial, Trying
from lpcl.model.machine import FACTS
from lpcl.syntax import nodes

_WHOLE = ("int", "count")


@dataclass(frozen=True)
class Remedies:
    """Looks for what would make a condition hold that does not.

    `place` is the call that it is about, None where there is none, and `solved` tells of an application laid
    out anew whether all is well there.
    """

    condition: nodes.Expression
    names: Names
    place: Place | None
    trying: Trying
    solved: Callable[[Elaborated], bool]

    def found(self) -> tuple[Remedy, ...]:
        """Every single value that can be set so that it holds, with from where on, each tried."""
        order = ("call", "argument", "env", "machine")
        settable = sorted(self._settable(), key=lambda one: order.index(one.kind))
        remedies = (self._of(one) for one in settable)
        return tuple({one.text: one for one in remedies if one is not None}.values())

    # -------------------------------------------------------------- what can be set

    def _settable(self) -> Iterator[Settable]:
        seen: set[str] = set()
        for path, names in _paths(self.condition, self.names, seen):
            if path.startswith("machine."):
                yield from self._fact(path)
            elif names.parameter(path) is not None:
                yield from self._parameter(path)
            elif names.control(path) is not None:
                yield from self._control(path, names)

    def _parameter(self, path: str) -> Iterator[Settable]:
        place, scope = self.place, self.names.scope
        if place is None or not is_own(place):
            return
        found = self.names.parameter(path)
        assert found is not None
        kind, now = found[0].type, scope.parameters[path]
        given = scope.given.get(path)
        figure, step = figure_of(kind), _step(kind)
        control = None if given is None else _control_of(given)
        if control is not None:
            name = control.set_with[0] if control.set_with else control.control

            def set_control(value: Value) -> Trial:
                assert control is not None
                return Trial(place.application, controls={control.control: value})

            yield Settable("argument", name, name, now, figure, control.origin, set_control, step, kind, path)
            return
        start = place.origin.span.start

        def set_argument(value: Value) -> Trial:
            return Trial(place.application, arguments={(start, path): value})

        called = f"{path} of `{place}`"
        yield Settable("call", path, called, now, figure, place.origin, set_argument, step, kind, path)

    def _control(self, path: str, names: Names) -> Iterator[Settable]:
        clause = names.control(path)
        assert clause is not None
        variables = [
            one.text
            for item in clause.node.clauses
            if isinstance(item, nodes.EnvSource)
            for one in item.names
        ]
        if not variables:
            return
        kind, variable = clause.node.type, variables[0]
        application = names.scope.here.state.application

        def set_variable(value: Value) -> Trial:
            return Trial(application, env={variable: value})

        now = names.value(nodes.Reference(path, span=clause.node.name.span))
        held = names.scope.here.state.env.get(variable)
        yield Settable(
            "env",
            variable,
            variable,
            now,
            figure_of(kind),
            clause.origin,
            set_variable,
            _step(kind),
            kind,
            path,
            unset=held is None or held.present is False,
        )

    def _fact(self, path: str) -> Iterator[Settable]:
        fact = path.removeprefix("machine.")
        machine = self.names.scope.here.state.machine
        if fact == FREE or fact not in FACTS or machine.pins:
            return
        stated = fact
        while stated not in machine.facts and (follows := FACTS[stated].follows) is not None:
            stated = follows
        if stated in machine.facts and stated in CHOSEN:
            yield fact_of(machine, stated, path)

    # -------------------------------------------------------------- what to set it to

    def _of(self, one: Settable) -> Remedy | None:
        if isinstance(one.type, nodes.EnumType):
            words: list[Plain] = [member.text for member in one.type.members]
            return self._among(one, words)
        if isinstance(one.now, bool):
            return self._among(one, [True, False])
        if isinstance(one.now, str):
            return self._among(one, list(_texts(self.condition, one.path)))
        if isinstance(one.now, Term):
            return None
        return self._number(one, one.now)

    def _among(self, one: Settable, values: list[Plain]) -> Remedy | None:
        good = tuple(value for value in values if value != one.now and self._tried(one, value))
        return one.remedy("is", good) if good else None

    def _number(self, one: Settable, now: Number) -> Remedy | None:
        way = slope(self.condition, self.names, one.path)
        if way == 0:
            return None
        low: Value | None = 0
        high: Value | None = None
        if isinstance(one.type, nodes.ValueType):
            low, high = bounds(one.type, self.names.afresh())
        for direction in (way,) if way is not None else (1, -1):
            end = high if direction > 0 else low
            if isinstance(end, Term | str):
                continue
            bound = nearest(now, direction, end, one.step, lambda x: self._holds(one, x), self._gap(one.path))
            if bound is None:
                continue
            bound = readable(bound, direction, one.figure)
            beyond = _beyond(bound, direction, end, one.step)
            first = bound.value if bound.itself else beyond[0] if beyond else None
            if first is None or not self._tried(one, first):
                continue
            if bound.itself and bound.value == end:
                return one.remedy("is", (bound.value,))
            if way is not None and all(self._tried(one, value) is not False for value in beyond):
                up, down = ("at least", "at most") if bound.itself else ("above", "below")
                return one.remedy(up if direction > 0 else down, (bound.value,))
            if bound.itself:
                last = self._last(one, bound.value, direction, end)
                if last == bound.value:
                    return one.remedy("is", (last,))
                return one.remedy("from", (min(bound.value, last), max(bound.value, last)))
        return None

    def _last(self, one: Settable, first: Number, direction: int, end: Number | None) -> Number:
        """The farthest value up to which all seems well, from the first one for which it is."""
        if one.step is None:
            return first
        ill = nearest(first, direction, end, one.step, lambda x: not self._holds(one, x), lambda _: None)
        if ill is None:
            return first
        last = whole(Fraction(ill.value - direction * one.step))
        middle = whole((first + last) / Fraction(2) // one.step * one.step)
        return last if all(self._tried(one, value) for value in (middle, last)) else first

    def _holds(self, one: Settable, value: Value) -> bool:
        return value_under(self.condition, self.names, one.path, value) is True

    def _gap(self, path: str) -> Callable[[Number], Number | None]:
        """By how much the one comparison that decides is missed, as far as there is just one."""
        deciding = list(deciding_comparisons(self.condition, self.names, truth=False))
        sides = deciding[0] if len(deciding) == 1 else None
        if sides is None or not isinstance(sides[0], nodes.Binary) or sides[0].op not in COMPARING:
            return lambda _: None
        node, names = sides
        assert isinstance(node, nodes.Binary)

        def gap(value: Number) -> Number | None:
            left = value_under(node.left, names, path, value)
            right = value_under(node.right, names, path, value)
            if isinstance(left, int | Fraction) and isinstance(right, int | Fraction):
                return left - right
            return None

        return gap

    def _tried(self, one: Settable, value: Value) -> bool | None:
        """Whether the application, laid out with the value, has the condition met; None where the value is
        refused.
        """
        if not self._holds(one, value):
            return False
        try:
            return self.solved(self.trying(one.trial(value)))
        except (Refusal, TooManyOptions):
            return None


def _paths(node: nodes.Expression, names: Names, seen: set[str]) -> Iterator[tuple[str, Names]]:
    """The names in an expression and in those that its `let`s stand for, each once."""
    for one in reads(node, names.scope):
        if isinstance(one, nodes.Reference) and one.path not in seen:
            seen.add(one.path)
            let = names.scope.let(one.path)
            if let is None:
                yield one.path, names
            else:
                yield from _paths(let.node.value, names.at(let.file), seen)


def _texts(node: nodes.Expression, path: str) -> Iterator[str]:
    """The texts with which an expression compares a name."""
    for one in node.walk():
        if isinstance(one, nodes.Binary) and one.op in ("==", "!="):
            sides = (one.left, one.right)
            if any(isinstance(side, nodes.Reference) and side.path == path for side in sides):
                yield from (side.value for side in sides if isinstance(side, nodes.Text))


def _step(kind: nodes.Type) -> Number | None:
    """What a figure of a type moves by, None where that is any amount."""
    whole_only = isinstance(kind, nodes.ValueType) and kind.first in _WHOLE and not kind.rest
    return 1 if whole_only else None


def _control_of(given: Resolution) -> Resolution | None:
    """The application's control that an argument hands on as it is."""
    (first, *others) = given.because or (None,)
    same = first is not None and not others and given.how.endswith(f": {first.control}")
    return first if same else None


def _beyond(bound: Bound, direction: int, end: Value | None, least: Number | None) -> list[Number]:
    """A value just beyond a bound, and one far beyond it, within the range."""
    step = Fraction(least) if least is not None else abs(Fraction(bound.value)) / 1000 or Fraction(1, 1000)
    found: list[Number] = []
    for times in (1, 64):
        value: Fraction | int = bound.value + direction * step * times
        if isinstance(end, int | Fraction) and (value - end) * direction > 0:
            value = Fraction(bound.value + end) / 2 if times == 1 and least is None else end
        if value != bound.value:
            found.append(int(value) if value == int(value) else value)
    return found


def in_words(remedies: tuple[Remedy, ...], begin: str) -> str | None:
    """What to set, in a sentence without its full stop; None where there is nothing."""
    texts = [one.text for one in remedies]
    if not texts:
        return None
    *others, last = texts
    return f"{begin} {', or '.join([*others, last])}" + (", each by itself" if others else "")
