"""Several applications on one machine at once, as one tree: each is a process under the machine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from lpcl.compose.elaborate import Elaborated
from lpcl.compose.machine import MachineView
from lpcl.compose.scopes import Here
from lpcl.compose.settings import Settings
from lpcl.compose.structure import Activity, Place, Process, ProcessWorkers, Together
from lpcl.compose.structure import Sequence as Statements
from lpcl.compose.terms import Value
from lpcl.model.program import Declared
from lpcl.syntax import nodes


@dataclass(frozen=True)
class Part:
    """One of the applications that run at once. `label` is its name among them, '' where it is alone."""

    declared: Declared
    settings: Settings
    label: str = ""

    @property
    def node(self) -> nodes.Application:
        """The application's declaration."""
        assert isinstance(self.declared.node, nodes.Application)
        return self.declared.node


def parts(applications: Sequence[tuple[Declared, Settings]]) -> tuple[Part, ...]:
    """The applications with labels that tell them apart: their names, numbered where one is there twice."""
    if len(applications) == 1:
        return (Part(*applications[0]),)
    total = Counter(declared.name for declared, _ in applications)
    seen: Counter[str] = Counter()
    found: list[Part] = []
    for declared, settings in applications:
        seen[declared.name] += 1
        several = total[declared.name] > 1
        label = f"{declared.name}#{seen[declared.name]}" if several else declared.name
        found.append(Part(declared, settings, label))
    return tuple(found)


def join(applications: Sequence[tuple[Part, Elaborated]], machine: MachineView) -> Elaborated:
    """One tree of all of them. The process above them counts for nothing itself."""
    if len(applications) == 1:
        return applications[0][1]
    members: list[Activity] = []
    requirements: list[Value] = []
    built: list[Here] = []
    for part, elaborated in applications:
        origin = part.declared.origin
        place = Place(part.label, part.label, "", origin, part.label)
        process = replace(elaborated.root, starter=place)
        members.append(Activity(place, workers=ProcessWorkers(1, process, origin, ())))
        requirements.extend(elaborated.requirements)
        built.extend(elaborated.built)
    cpus = machine.fact("cpus")
    assert cpus is not None, "each of them has been laid out on it"
    root = Process(
        machine.name, None, None, cpus, False, (), (), Statements((Together(tuple(members)),)), imaginary=True
    )
    return Elaborated(root, tuple(requirements), tuple(built))
