"""All configurations of an application on a machine: its knobs, its shapes, and what each one leads to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from lpcl.compose.assess import Assessment, Context, assess
from lpcl.compose.clauses import Decide
from lpcl.compose.elaborate import Elaborated
from lpcl.compose.knobs import Configuration, Knob, Setting, within
from lpcl.compose.paths import Path, paths
from lpcl.compose.refusal import Refusal
from lpcl.compose.solver import Solver, Verdict
from lpcl.compose.sums import Sum, sums
from lpcl.compose.terms import Value


class Space:
    """What can be set about an application, and what each choice leads to.

    `open_build` makes its tree with knobs open and guards answered by a `Decide`, `build` under given
    settings.
    """

    def __init__(
        self,
        knobs: Sequence[Knob],
        open_build: Callable[[Decide], Elaborated],
        build: Callable[[Configuration], Elaborated],
        context: Context,
    ) -> None:
        self.knobs = tuple(knobs)
        self.context = context
        self._open_build = open_build
        self._build = build
        self._assessed: dict[tuple[Setting, ...], Assessment | None] = {}
        self._paths: tuple[Path, ...] | None = None
        self._last: tuple[Configuration, Elaborated] | None = None

    def today(self) -> Configuration:
        """What is set at present."""
        return {item.id: item.current for item in self.knobs}

    def assessed(self, configuration: Configuration) -> Assessment | None:
        """What a configuration leads to, None where it is refused (a value that is rejected)."""
        key = tuple(configuration[item.id] for item in self.knobs)
        if key not in self._assessed:
            try:
                self._assessed[key] = assess(self.elaborated(configuration), self.context, explain=False)
            except Refusal:
                self._assessed[key] = None
        return self._assessed[key]

    def elaborated(self, configuration: Configuration) -> Elaborated:
        """The tree of a configuration; the last one is kept, to be asked for again. Raises `Refusal`."""
        if self._last is None or self._last[0] != configuration:
            self._last = dict(configuration), self._build(configuration)
        return self._last[1]

    def paths(self) -> tuple[Path, ...]:
        """The shapes of the application over all its settings. Raises `TooManyPaths`."""
        if self._paths is None:
            solver: Solver | None = None

            def feasible(conditions: tuple[Value, ...]) -> bool:
                nonlocal solver
                solver = solver or self.solver()
                return solver.check(*conditions) is not Verdict.NO

            self._paths = tuple(paths(self._open_build, feasible))
        return self._paths

    def solver(
        self,
        truths: frozenset[str] = frozenset(),
        knobs: Sequence[Knob] | None = None,
        beside: Solver | None = None,
    ) -> Solver:
        """A solver in which every knob (or each of these) lies in its domain.

        `truths` are further ones, true or false. It shares what it can with the solver `beside`.
        """
        mine = self.knobs if knobs is None else knobs
        unset = {item.presence for item in mine if item.may_be_unset}
        booleans = {item.id for item in mine if item.choices and isinstance(item.choices[0], bool)}
        words = {item.id for item in mine if item.choices and isinstance(item.choices[0], str)}
        shares = {item.id for item in mine if any(isinstance(one, Fraction) for one in item.choices)}
        solver = Solver(
            truths | unset | booleans, frozenset(words), fractions=frozenset(shares), beside=beside
        )
        for item in mine:
            solver.add(within(item))
        return solver

    def read(self, solver: Solver, knobs: Sequence[Knob] | None = None) -> dict[str, Setting]:
        """What the knobs (or these) are in the configuration that a solver has just found."""
        return {
            item.id: None
            if item.may_be_unset and solver.value(item.presence) is False
            else solver.value(item.id)
            for item in (self.knobs if knobs is None else knobs)
        }

    def path_solver(self, path: Path, truths: frozenset[str] = frozenset()) -> Solver:
        """A solver of the configurations of one shape that are accepted."""
        solver = self.solver(truths)
        for condition in (*path.conditions, *path.elaborated.requirements):
            solver.add(condition)
        return solver

    def sums_of(self, path: Path) -> tuple[Sum, ...]:
        """Every sum of a shape."""
        return sums(path.elaborated.root, self.context.machine, self.context.declared)

    def background(self, item: Sum) -> Value:
        """What others use of a sum's capacity."""
        return self.context.background.get(item.resource.qualified, 0) if item.starter is None else 0
