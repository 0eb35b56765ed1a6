"""On which machines is something wrong: from applications to the answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from lpcl.compose.clauses import Decide
from lpcl.compose.composition import background_on, elaborated_on
from lpcl.compose.elaborate import Elaborated
from lpcl.compose.extent import Extent, NotDecided, Survey
from lpcl.compose.findings import Finding
from lpcl.compose.fleet import Fleet, Region
from lpcl.compose.joint import Part
from lpcl.compose.machine import MachineView
from lpcl.compose.machines import Free, Machines
from lpcl.compose.meaning import TooManyOptions
from lpcl.compose.paths import TooManyPaths
from lpcl.compose.refusal import Refusal
from lpcl.compose.resources import Resource, resources
from lpcl.compose.suspects import Key
from lpcl.compose.terms import Number
from lpcl.diagnostics.diagnostic import Diagnostic, Severity
from lpcl.model.program import Program


@dataclass(frozen=True)
class Somewhere:
    """A finding, or a refusal to be composed, with the machines on which it is there.

    `key` tells it from others, None for a refusal. `smallest` is the least machine that shows it, by the
    amounts of all its free figures, and `shown` what is found there, evaluated on that machine. `extent` is
    None where it is not decided.
    """

    key: Key | None
    shown: Finding | Diagnostic
    smallest: Mapping[str, Number]
    extent: Extent | None

    @property
    def is_alarm(self) -> bool:
        """Whether it is more than information."""
        return self.shown.severity is not Severity.INFO


@dataclass(frozen=True)
class Anywhere:
    """What is wrong with applications on the machines in range.

    `never` are the resources that they ask for and over-commit on none of them, `figures` the free figures
    that matter. It is `decided` where there is nothing else to be found.
    """

    parts: tuple[Part, ...]
    machines: Machines
    figures: tuple[Free, ...]
    found: tuple[Somewhere, ...]
    never: tuple[Resource, ...]
    decided: bool

    @property
    def title(self) -> str:
        """The names of the applications."""
        return " and ".join(part.label or part.declared.name for part in self.parts)

    @property
    def alarms(self) -> tuple[Somewhere, ...]:
        """What is more than information."""
        return tuple(one for one in self.found if one.is_alarm)


def anywhere(program: Program, parts: tuple[Part, ...], machines: Machines) -> Anywhere:
    """What is wrong with applications, and on which machines in range.

    Raises `Refusal` where they have no meaning on any of them.
    """
    declared = resources(program)

    def build(machine: MachineView, decide: Decide) -> Elaborated:
        return elaborated_on(program, parts, machine, decide)

    fleet = Fleet(machines, build, declared, lambda machine: background_on(program, parts, machine))
    survey = Survey(fleet)
    found: list[Somewhere] = []
    over: set[str | None] = set()
    asked: dict[str, Resource] = {}
    read: frozenset[str] = frozenset()
    decided = True
    try:
        if not fleet.shapes():
            fleet.refuse()
        for path in fleet.shapes():
            asked |= {item.resource.qualified: item.resource for item in fleet.sums_of(path)}
            read |= fleet.read(path)
        for region in fleet.regions():
            one, sure = _somewhere(fleet, survey, region)
            decided = decided and sure
            if one is not None:
                found.append(one)
            if one is not None or not sure:
                over.add(None if region.key is None else region.key.resource)
    except (TooManyPaths, TooManyOptions):
        decided, asked = False, {}
    never = tuple(resource for name, resource in asked.items() if name not in over)
    figures = tuple(item for item in machines.figures if item.id in read)
    return Anywhere(parts, machines, figures, tuple(sorted(found, key=_rank)), never, decided)


def _somewhere(fleet: Fleet, survey: Survey, region: Region) -> tuple[Somewhere | None, bool]:
    """A region told, None where it holds no machine, and whether this is sure."""
    try:
        extent: Extent | None = survey.extent(region.holds)
        assert extent is not None
        if extent.holds == "nowhere":
            return None, region.decided
        steps = survey.smallest(region.holds)
    except NotDecided:
        return None, False
    shown = fleet.finding(region.key, steps, explain=True)
    if shown is None:  # what has been said of these machines is not so: say nothing of them
        return None, False
    if not region.decided:
        extent = None
    told = shown.diagnostic if isinstance(shown, Refusal) else shown
    return Somewhere(region.key, told, fleet.machines.named(steps), extent), region.decided


def _rank(one: Somewhere) -> tuple[object, ...]:
    shown = one.shown
    if isinstance(shown, Finding):
        return (1, *shown.sort_key())
    return (0, shown.headline)
