"""From an observation to the application file: recognition, grouping, explanation and writing, one after
another.
"""

from __future__ import annotations

import keyword
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from lpcl import service
from lpcl.model.contracts import contract as flatten
from lpcl.scan import wording
from lpcl.scan.document import Draft, Setting
from lpcl.scan.evaluation import Evaluator
from lpcl.scan.explanation import Inexplicable, explain
from lpcl.scan.grouping import Description, Group, group_tree
from lpcl.scan.installed import Environment, environment_of
from lpcl.scan.observation import Observation, ProcessSeen, ThreadSeen, most_at_once
from lpcl.scan.program_text import NOTHING, ProgramText, program_text
from lpcl.scan.question import Explained, Source
from lpcl.scan.recognition import (
    Binding,
    Contracts,
    Key,
    Recognised,
    bindings,
    contracts_in,
    longest_spin,
    needed,
    owner_key,
    recognise,
)
from lpcl.scan.steps import Step
from lpcl.scan.unaccounted import Unaccounted, unaccounted
from lpcl.syntax import nodes
from lpcl.syntax.parser import parse

_SYSTEM = "system.system"


@dataclass(frozen=True)
class Scanned:
    """The written file and what it was made from.

    `seen` are the most threads that there were at once, in the processes that the file describes;
    `predicted` those of its composition; `unaccounted` is what it does not describe.
    """

    text: str
    name: str
    explained: Explained
    recognised: tuple[Recognised, ...]
    seen: int
    predicted: int | None
    unaccounted: Unaccounted


class Unwritable(Exception):
    """An observation from which no sound file can be made; the text says why."""


def known_contracts() -> Contracts:
    """The contracts that can be found from the current folder."""
    return contracts_in(service.known_program())


def reconstruct(
    observation: Observation, contracts: Contracts, path: str, command: Sequence[str] | None
) -> Scanned:
    """The application file, to be written at `path`, that describes an observation. Raises `Unwritable`."""
    seen = _Seen(observation, contracts)
    root = group_tree(observation, seen.describe)
    groups = list(_all(root))
    recognised = _together(needed(contracts, group.found) for group in groups)
    bound = tuple(dict.fromkeys(one for group in groups for one in bindings(contracts, group.found)))
    ambient = _ambient(contracts, groups)
    imports = {item.name: item.known.qualified for item in recognised}
    for name, qualified in ambient.items():
        imports.setdefault(name, qualified)
    imports.update({item.provider.name: item.provider.known.qualified for item in bound})
    name = _name(_called(observation.root), imports)
    package = _name(os.path.basename(path), imports)
    settings = _settings(groups, root)
    limits = _minors(groups, ambient)
    inputs = _Inputs(observation, path, package, name, imports, bound, limits)
    recognised, settings, refused = _composable(inputs, recognised, settings)
    evaluator = inputs.evaluator(recognised, settings)
    imports = {one: qualified for one, qualified in imports.items() if one not in refused}
    sources = _sources(groups, contracts, ambient, seen, refused)
    try:
        explained = explain(root, evaluator, sources)
    except Inexplicable:
        raise Unwritable("what was seen cannot be composed, whichever contracts are left out") from None
    seen_threads = most_at_once([t for process in root.everyone for t in process.threads])
    missed = unaccounted(observation, explained)
    draft = Draft(
        package,
        name,
        observation,
        None if command is None else wording.command_text(command),
        tuple(wording.concealed(command or ())),
        explained,
        recognised,
        bound,
        settings,
        limits,
        imports,
        (*_unknown(observation, explained, missed), *(f"{one}: {why}." for one, why in refused.items())),
        len({process.id for process in root.everyone}),
        seen_threads,
    )
    predicted = _total(path, draft.text(None))
    draft.remarks.clear()
    return Scanned(draft.text(predicted), name, explained, recognised, seen_threads, predicted, missed)


class _Seen:
    """What is read about each process beside what the kernel told: its distributions and its text."""

    def __init__(self, observation: Observation, contracts: Contracts) -> None:
        self.contracts = contracts
        self.environments: dict[tuple[str, ...], Environment] = {}
        self.texts: dict[int, ProgramText] = {}
        self.parents = {process.id: process.parent for process in observation.processes}

    def text(self, process: ProcessSeen) -> ProgramText:
        """The text of a process's program; one that has none of its own carries out that of its parent."""
        if process.id not in self.texts:
            self.texts[process.id] = program_text(process)
        at: int | None = process.id
        while at is not None:
            found = self.texts.get(at, NOTHING)
            if found.script is not None or found.modules:
                return found
            at = self.parents.get(at)
        return NOTHING

    def describe(self, process: ProcessSeen, told: str) -> Description:
        environment = environment_of(process, self.environments)
        text = self.text(process) if environment.minor is not None else NOTHING
        found = recognise(self.contracts, process, environment, text, told)

        def key_of(thread: ThreadSeen) -> Key:
            return owner_key(
                self.contracts, found, environment, process.executable, thread.owner, thread.name
            )

        mapped = {
            owner_key(self.contracts, found, environment, process.executable, path) for path in process.files
        }
        spins = {item.name: idle for item in found if (idle := longest_spin(item.contract)) > 0}
        return Description(found, key_of, environment.minor, frozenset(mapped), spins)


def _all(group: Group) -> list[Group]:
    return [group, *(one for child in group.children for one in _all(child))]


def _together(parts: Iterable[Sequence[Recognised]]) -> tuple[Recognised, ...]:
    found: dict[str, Recognised] = {}
    for part in parts:
        for item in part:
            if not item.known.ambient:
                found.setdefault(item.name, item)
    return tuple(found.values())


def _ambient(contracts: Contracts, groups: Sequence[Group]) -> Mapping[str, str]:
    """The contracts that any program of its kind may use: by hand, and through its interpreter's own
    library.
    """
    found: dict[str, str] = {}
    for known in contracts.known:
        if known.ambient and known.contract.operations and any(group.python for group in groups):
            found[known.contract.name] = known.qualified
    system = contracts.program.declarations.get(_SYSTEM)
    if system:
        found["system"] = _SYSTEM
    return found


def _minors(groups: Sequence[Group], ambient: Mapping[str, str]) -> Mapping[str, int]:
    minor = next((group.minor for group in groups if group.minor is not None), None)
    return {} if minor is None else {name: minor for name in ambient if name != "system"}


def _settings(groups: Sequence[Group], root: Group) -> tuple[Setting, ...]:
    """The variables of the first process that recognised contracts read.

    Where that is a program that no contract speaks about, such as a shell, they are those of what it started,
    if these agree.
    """
    read = _read_by(groups)
    base = root.process.environment
    started = [child for child in root.children if child.method == "exec"]
    hoisted: dict[str, str] = {}
    if started and not root.found:
        for name in read:
            values = {child.process.environment.get(name) for child in started}
            if len(values) == 1 and (value := values.pop()) is not None and base.get(name) != value:
                hoisted[name] = value
    found = []
    for name, who in read.items():
        value = hoisted.get(name, base.get(name))
        if value is not None:
            where = " Set for what the first process started." if name in hoisted else ""
            found.append(Setting(name, value, f"Read by {', '.join(who)}.{where}"))
    return tuple(found)


def _read_by(groups: Sequence[Group]) -> Mapping[str, list[str]]:
    """The variables that the recognised contracts read, with the names of these."""
    found: dict[str, list[str]] = {}
    for item in {one.known.qualified: one for group in groups for one in group.found}.values():
        for name in item.known.variables:
            who = found.setdefault(name, [])
            if item.name not in who:
                who.append(item.name)
    return found


def _members(
    recognised: Sequence[Recognised],
    bound: Sequence[Binding],
    imports: Mapping[str, str],
    settings: Sequence[Setting],
    limits: Mapping[str, int],
) -> tuple[nodes.ApplicationMember, ...]:
    versions = {item.name: item.version for item in recognised}
    items = []
    for name in imports:
        version = versions.get(name)
        bindings_of = tuple(
            nodes.Binding(nodes.Name(one.uses), nodes.Ref(one.provider.name))
            for one in bound
            if one.library == name
        )
        items.append(nodes.UseItem(nodes.Ref(name), nodes.Text(version) if version else None, bindings_of))
    members: list[nodes.ApplicationMember] = [nodes.Use(tuple(items))]
    for setting in settings:
        members.append(setting.clause)
    members += [
        nodes.Limit(nodes.Ref(f"{name}.minor"), nodes.Quantity(Fraction(minor)))
        for name, minor in limits.items()
    ]
    return tuple(members)


@dataclass(frozen=True)
class _Inputs:
    """What candidates are composed from, beside the contracts and variables that may have to be left out."""

    observation: Observation
    path: str
    package: str
    name: str
    imports: Mapping[str, str]
    bound: Sequence[Binding]
    limits: Mapping[str, int]

    def evaluator(self, recognised: Sequence[Recognised], settings: Sequence[Setting]) -> Evaluator:
        """An evaluator of steps over some contracts and variables. Raises `Unwritable`."""
        lines = [f"package {self.package}", *(f"import {one}" for one in sorted(self.imports.values()))]
        text = "\n".join([*lines, f"application {self.name} {{ machine host run {{}} }}"])
        workspace = service.open_workspace((self.path,), {self.path: text})
        applications = workspace.applications()
        if not applications:
            raise Unwritable("the contracts that were found cannot be read; 'lpclc check' says why")
        named = {item.name for item in recognised}
        bound = [one for one in self.bound if one.library in named]
        extra = {name for name in self.imports if name == "system" or name in self.limits}
        used = {name: path for name, path in self.imports.items() if name in named | extra}
        used.update({one.provider.name: one.provider.known.qualified for one in bound})
        members = _members(recognised, bound, used, settings, self.limits)
        view = service.machine_view(self.observation.host)
        mask = self.observation.root.affinity
        return Evaluator(workspace, applications[0], members, view.pinned(len(mask)) if mask else view)


def _composable(
    inputs: _Inputs, recognised: tuple[Recognised, ...], settings: tuple[Setting, ...]
) -> tuple[tuple[Recognised, ...], tuple[Setting, ...], dict[str, str]]:
    """The contracts and variables with which there is a composition at all, and why others are left out."""

    def composes(some: Sequence[Recognised], values: Sequence[Setting]) -> bool:
        loads = tuple(Step(f"{item.name}.load") for item in some)
        return inputs.evaluator(some, values).predict(loads) is not None

    if composes(recognised, settings):
        return recognised, settings, {}
    refused: dict[str, str] = {}
    kept: list[Recognised] = []
    for item in recognised:
        if composes([*kept, item], ()):
            kept.append(item)
        else:
            refused[item.name] = "recognised, but its contract does not compose with what was seen"
    values: list[Setting] = []
    for setting in settings:
        if composes(kept, [*values, setting]):
            values.append(setting)
        else:
            refused[setting.name] = "set to a value that a contract refuses, and left out"
    return tuple(kept), tuple(values), refused


def _sources(
    groups: Sequence[Group],
    contracts: Contracts,
    ambient: Mapping[str, str],
    seen: _Seen,
    refused: Mapping[str, str],
) -> Mapping[int, Source]:
    named = {known.qualified: known.contract for known in contracts.known}
    system = contracts.program.declarations.get(_SYSTEM, ())
    found = {}
    for group in groups:
        mine = [item for item in needed(contracts, group.found) if not item.known.ambient]
        mine = [item for item in mine if item.name not in refused]
        own = {item.name: item.contract for item in mine}
        for name, qualified in ambient.items():
            if name == "system" or not group.python:
                continue
            own.setdefault(name, named[qualified])
        if system:
            own.setdefault("system", flatten(contracts.program, system[0]))
        loads = tuple(item.name for item in mine)
        extra = frozenset(name for name in ambient if name != "system")
        found[group.process.id] = Source(loads, own, extra, seen.text(group.process))
    return found


def _unknown(observation: Observation, explained: Explained, missed: Unaccounted) -> list[str]:
    """What a reader has to know about how far this can be trusted."""
    gap = f"{observation.longest_gap:.2g} s, the longest time between two looks"
    told = [
        "which operation of a library ran: the ones here are those whose threads are as many as were seen,",
        "calls that change a setting while the program runs, and variables that it sets for itself,",
        f"some threads and processes that lived for less than {gap}.",
    ]
    told += _passed_over(observation, list(explained.group.everyone))
    told += [f"not explained: {line}." for line in missed.told()]
    withheld = {one for process in observation.processes for one in process.withheld}
    if withheld:
        told.append(f"{' and '.join(sorted(withheld))} of some processes: the kernel did not allow it.")
    if any(("?", None) in group.seen.counts for group in _all(explained.group)):
        told.append("whose some of the threads are.")
    return told


def _passed_over(observation: Observation, kept: Sequence[ProcessSeen]) -> Iterator[str]:
    names = {process.id for process in kept}
    processes = sum(process.id not in names for process in observation.processes)
    before = sum(len(process.threads) for process in observation.processes if process.id in names)
    threads = before - sum(len(process.threads) for process in {one.id: one for one in kept}.values())
    for number, one, many in ((processes, "process", "processes"), (threads, "thread", "threads")):
        if number:
            yield f"what {number} short-lived {f'{one} was' if number == 1 else f'{many} were'} for."


def _total(path: str, text: str) -> int | None:
    """How many threads the file's composition has at once at most; None where that is not decided."""
    workspace = service.open_workspace((path,), {path: text})
    if workspace.errors:
        first = workspace.errors[0]
        raise Unwritable(f"what was seen cannot be put into a file that means something: {first.headline}")
    return service.most_threads(workspace, workspace.applications()[0])


def _called(process: ProcessSeen) -> str:
    """What a program is called: its script, else the program itself."""
    words = [word for word in process.command[1:] if not word.startswith("-")]
    base = os.path.basename(process.command[0] if process.command else process.executable)
    scripted = base.startswith(("python", "bash", "sh", "dash", "pypy", "Rscript", "perl", "ruby"))
    return os.path.basename(words[0]) if words and scripted else base


def _name(called: str, imports: Mapping[str, str]) -> str:
    """A name for what is called so, that the language takes and that nothing else in the file has."""
    stem = called.rpartition(".")[0] or called
    word = re.sub(r"\W", "_", stem, flags=re.ASCII).strip("_").lower()[:40].strip("_")
    if not word or not word[0].isalpha():
        word = f"program_{word}".strip("_")
    taken = {*imports, *(path.partition(".")[0] for path in imports.values()), "lpcl", "system"}
    if word in taken or keyword.iskeyword(word) or not _is_name(word):
        word += "_run"
    return word


def _is_name(word: str) -> bool:
    """Whether the language takes a word as the name of an application."""
    parsed = parse(f"package {word}\napplication {word} {{ machine host run {{}} }}\n")
    return not parsed.faults
