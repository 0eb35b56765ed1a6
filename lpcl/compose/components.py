"""A shape of an application in parts that have no knob in common, so that each is searched by itself.

What is wrong, how many CPUs are at work, and which workers and pools there are: each of these depends on some
knobs. Knobs on which one of them depends together belong to one component.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from lpcl.compose.alternatives import Figure
from lpcl.compose.knobs import Knob
from lpcl.compose.stances import PLACING
from lpcl.compose.suspects import Suspect
from lpcl.compose.terms import Value, knobs_of

PRESENCE = "set:"


class Entangled(Exception):
    """What is wrong with a configuration is in no component by itself: search all knobs together."""


@dataclass
class Component:
    """Some knobs, and all that depends on them alone.

    `required` are conditions that accepted settings meet, `suspects` what could be wrong, `uses` how many
    CPUs are at work at some place under their own `guards`, and `figures` what tells settings apart, with
    their places in the whole shape.
    """

    knobs: tuple[Knob, ...]
    required: list[Value] = field(default_factory=list)
    suspects: list[Suspect] = field(default_factory=list)
    uses: list[Value] = field(default_factory=list)
    guards: list[Value] = field(default_factory=list)
    figures: list[tuple[int, Figure]] = field(default_factory=list)

    @property
    def closed(self) -> bool:
        """Whether its conditions alone tell what is wrong; else configurations have to be assessed."""
        placed = any(name.startswith(PLACING) for use in self.uses for name in knobs_of(use))
        return all(suspect.closed for suspect in self.suspects) and not self.guards and not placed

    @property
    def truths(self) -> frozenset[str]:
        """Knobs beyond those of the application that are true or false."""
        found: set[str] = set()
        for suspect in self.suspects:
            found |= suspect.truths
        found |= {
            name
            for value in (*self.uses, *self.guards)
            for name in knobs_of(value)
            if name.startswith("serves:")
        }
        return frozenset(found)


class Components:
    """The components of a shape, in the order of their first knobs.

    `hopeless` is whether something is wrong whatever is set, and `fixed`, a component without knobs, has the
    CPUs that are at work whatever is set. With `whole`, all knobs are one component.
    """

    def __init__(
        self,
        knobs: Sequence[Knob],
        required: Iterable[Value],
        suspects: Iterable[Suspect],
        uses: Iterable[tuple[Value, Sequence[Value]]],
        shape: Sequence[Figure],
        *,
        whole: bool = False,
    ) -> None:
        self._group: dict[str, str] = {item.id: item.id for item in knobs}
        self._known = {item.id for item in knobs}
        required, suspects, uses = tuple(required), tuple(suspects), tuple(uses)
        for value in required:
            self._join(self._names(value))
        for suspect in suspects:
            self._join(self._names(*suspect.conditions))
        for use, guards in uses:
            self._join(self._names(use, *guards))
        for figure in shape:
            self._join(self._names(figure.value))
        if whole:
            self._join([item.id for item in knobs])
        members: dict[str, list[Knob]] = {}
        for item in knobs:
            members.setdefault(self._find(item.id), []).append(item)
        self.all = tuple(Component(tuple(mine)) for mine in members.values())
        self.fixed = Component(())
        of = dict(zip(members, self.all, strict=True))
        self._component = {item.id: of[self._find(item.id)] for item in knobs}
        self.hopeless = False
        for value in required:
            mine = self.of(value)
            if mine is not None:
                mine.required.append(value)
            elif value is not True:
                self.hopeless = True
        for suspect in suspects:
            mine = self.of(*suspect.conditions)
            if mine is not None:
                mine.suspects.append(suspect)
            elif suspect.closed:
                self.hopeless = True
        for use, guards in uses:
            mine = self.of(use, *guards) or self.fixed
            mine.uses.append(use)
            mine.guards.extend(guards)
        for place, figure in enumerate(shape):
            mine = self.of(figure.value)
            if mine is not None:
                mine.figures.append((place, figure))

    def of(self, *values: Value) -> Component | None:
        """The component on whose knobs some values depend; None where they depend on none.

        Raises `Entangled` where they depend on knobs of several.
        """
        found = {id(mine): mine for mine in map(self._component.__getitem__, self._names(*values))}
        if len(found) > 1:
            raise Entangled
        return next(iter(found.values()), None)

    def _names(self, *values: Value) -> list[str]:
        """The ids of the knobs that values depend on."""
        found = sorted(name for value in values for name in knobs_of(value) if not name.startswith(PLACING))
        ids = (name if name in self._known else f"env:{name.removeprefix(PRESENCE)}" for name in found)
        return list(dict.fromkeys(ids))

    def _find(self, name: str) -> str:
        while self._group[name] != name:
            self._group[name] = self._group[self._group[name]]
            name = self._group[name]
        return name

    def _join(self, names: Sequence[str]) -> None:
        for other in names[1:]:
            self._group[self._find(other)] = self._find(names[0])
