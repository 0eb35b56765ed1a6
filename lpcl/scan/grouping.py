"""Like processes put together: who started how many of what, by which way, and which of them were there at
once.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from lpcl.scan.observation import Observation, ProcessSeen, ThreadSeen, fullest, most_at_once
from lpcl.scan.recognition import OWN, Key, Recognised

_HELPER = re.compile(r"from \S*(?:resource_tracker|semaphore_tracker) import main")
_SERVER = re.compile(r"from multiprocessing\.forkserver import main")
_SPAWNED = re.compile(r"from multiprocessing\.spawn import spawn_main")
_LOKY = re.compile(r"loky\.backend\.popen_loky")

BUSY = 0.06
"""CPU seconds above which a pool's threads are thought to have worked: starting and a few spins take less."""

SLIGHT = 0.05
"""The part of what a process's busiest thread used that a pool has to reach to be thought at work."""

_MOMENT = 0.15
"""Seconds of processes that came and went, as a program starts them to ask something: they are passed
over.
"""


@dataclass(frozen=True)
class Seen:
    """The threads of one process (with its helpers) at its busiest, by whose they are; CPU seconds of each
    kind, and of the busiest thread of it.

    `spins` are the CPU seconds that a thread of a kind may use before it first goes to sleep, without work.
    `missing` are the threads of each kind that were not there when the process had most, but before or after.
    """

    total: int
    counts: Mapping[Key, int]
    run: Mapping[Key, float]
    names: Mapping[Key, tuple[str, ...]]
    main_run: float
    asleep: Mapping[Key, str]
    busiest: Mapping[Key, float] = field(default_factory=dict)
    spins: Mapping[Key, float] = field(default_factory=dict)
    missing: Mapping[Key, int] = field(default_factory=dict)

    def busy(self, key: Key) -> bool:
        """Whether threads of a kind are thought to have worked, and not only to have started and spun."""
        run = self.run.get(key, 0.0)
        hardest = max((self.main_run, *self.busiest.values()))
        spun = key in self.spins and self.busiest.get(key, 0.0) <= self.spins[key]
        return run > BUSY and run >= SLIGHT * hardest and not spun


@dataclass(frozen=True, eq=False)
class Group:
    """Processes of one kind that one parent started: `at_once` of them at most at one moment, `members` in
    all.

    `method` is ``fork``, ``spawn``, ``forkserver``, ``loky``, ``exec``, or None for the first process.
    `helpers` are the processes that such a start needs beside the workers. `key_of` tells whose a thread is,
    by the id of its process.
    """

    method: str | None
    members: tuple[ProcessSeen, ...]
    at_once: int
    first: float
    last: float
    helpers: tuple[ProcessSeen, ...]
    found: tuple[Recognised, ...]
    seen: Seen
    children: tuple[Group, ...]
    spread: tuple[int, ...] = ()
    minor: int | None = None
    mapped: frozenset[Key] = frozenset()
    key_of: Mapping[int, Callable[[ThreadSeen], Key]] = field(default_factory=dict)

    @property
    def everyone(self) -> Iterator[ProcessSeen]:
        """All processes of the group and below it, helpers among them, those that were passed over not."""
        yield from self.members
        yield from self.helpers
        for child in self.children:
            yield from child.everyone

    @property
    def process(self) -> ProcessSeen:
        """The member that shows most."""
        return self.members[0]

    @property
    def python(self) -> bool:
        return self.minor is not None


@dataclass(frozen=True)
class Description:
    """What is known of a process beside what was seen: the contracts that speak about it, whose a thread
    is, the minor version of its Python, the runtimes that it has mapped, and for how long idle threads of a
    runtime spin, in seconds.
    """

    found: tuple[Recognised, ...]
    key_of: Callable[[ThreadSeen], Key]
    minor: int | None
    mapped: frozenset[Key]
    spins: Mapping[str, float] = field(default_factory=dict)


Describe = Callable[[ProcessSeen, str], Description]
"""Of a process, given the command lines of its helpers."""


@dataclass
class _Tree:
    children: Mapping[int, list[ProcessSeen]]
    describe: Describe
    moment: float
    known: dict[int, Description] = field(default_factory=dict)


def group_tree(observation: Observation, describe: Describe) -> Group:
    """The tree of like processes below the one that was watched; those that were there for a moment are
    left out.
    """
    children: dict[int, list[ProcessSeen]] = {}
    moment = min(_MOMENT, 0.05 * observation.duration)
    root, *others = (_lasting(process, moment) for process in observation.processes)
    ids = {process.id for process in observation.processes}
    for process in others:
        # What an ended parent has left behind is the first process's; so is a second process without a
        # parent.
        parent = process.parent if process.parent in ids and process.parent != process.id else root.id
        children.setdefault(parent, []).append(process)
    return _group(_Tree(children, describe, moment), None, (root,))


def _lasting(process: ProcessSeen, moment: float) -> ProcessSeen:
    """A process with those of its threads that did something or were there for more than a moment."""
    threads = (t for t in process.threads if t.main or t.last - t.first >= moment or t.run >= BUSY)
    return replace(process, threads=tuple(threads))


def _group(tree: _Tree, method: str | None, members: tuple[ProcessSeen, ...]) -> Group:
    described = {member.id: _described(tree, member) for member in members}
    helpers = {member.id: tuple(_helpers(tree, member)) for member in members}
    seen = {member.id: _seen(member, helpers[member.id], described[member.id]) for member in members}
    order = sorted(members, key=lambda member: (-seen[member.id].total, -member.run, member.id))
    best = order[0]
    known = described[best.id]
    below = [child for member in members for child in _offspring(tree, member)]
    return Group(
        method,
        tuple(order),
        most_at_once(members),
        min(member.first for member in members),
        max(member.last for member in members),
        helpers[best.id],
        known.found,
        seen[best.id],
        tuple(_groups(tree, below)),
        tuple(seen[member.id].total for member in order),
        known.minor,
        known.mapped,
        {member.id: described[member.id].key_of for member in members},
    )


def _described(tree: _Tree, process: ProcessSeen) -> Description:
    if process.id not in tree.known:
        lines = [process, *tree.children.get(process.id, ())]
        told = "\n".join(" ".join(item.command) for item in lines if not _is_script(item))
        tree.known[process.id] = tree.describe(process, told)
    return tree.known[process.id]


def _is_script(process: ProcessSeen) -> bool:
    """Whether a command line names a script: its other words are the script's own affair."""
    return len(process.command) > 1 and not process.command[1].startswith("-")


def _line(process: ProcessSeen) -> str:
    return " ".join(process.command)


def _helpers(tree: _Tree, process: ProcessSeen) -> Iterator[ProcessSeen]:
    """The trackers and fork servers of a process."""
    for child in tree.children.get(process.id, ()):
        line = _line(child)
        if _HELPER.search(line) or (_SERVER.search(line) and not child.forked):
            yield child


def _offspring(tree: _Tree, process: ProcessSeen) -> Iterator[tuple[ProcessSeen, str]]:
    """The children of a process that do its work, with how each was started."""
    for child in tree.children.get(process.id, ()):
        line = _line(child)
        if _HELPER.search(line):
            continue
        if _SERVER.search(line) and not child.forked:
            yield from ((grandchild, "forkserver") for grandchild in tree.children.get(child.id, ()))
        elif child.forked:
            yield child, "fork"
        elif _LOKY.search(line):
            yield child, "loky"
        elif _SPAWNED.search(line):
            yield child, "spawn"
        else:
            yield child, "exec"


def _groups(tree: _Tree, below: Sequence[tuple[ProcessSeen, str]]) -> Iterator[Group]:
    kinds: dict[tuple[object, ...], list[ProcessSeen]] = {}
    methods: dict[tuple[object, ...], str] = {}
    for child, method in below:
        found = _described(tree, child).found if method == "exec" else ()
        names = tuple(sorted({item.name for item in found}))
        key: tuple[object, ...] = (method, *_shape(child, method), names)
        methods[key] = method
        kinds.setdefault(key, []).append(child)
    groups = []
    moment = tree.moment
    for key, members in kinds.items():
        if (
            methods[key] == "fork"
        ):  # what is about to start another program looks like its parent for a moment
            members = [one for one in members if one.last - one.first >= moment or one.run >= BUSY]
        lived = sum(one.last - one.first for one in members)
        if not members or (lived < moment and sum(one.run for one in members) < BUSY):
            continue
        made = _group(tree, methods[key], tuple(members))
        # What several like parents start counts for each of them.
        most = max(Counter(member.parent for member in members).values())
        groups.append(replace(made, at_once=min(made.at_once, most)))
    yield from sorted(groups, key=lambda group: (group.first, group.last))


def _shape(process: ProcessSeen, method: str) -> tuple[str, ...]:
    """What processes of one kind have in common: their command without its figures, and their variables."""
    if method in ("fork", "spawn", "forkserver", "loky"):
        return (method,)
    words = tuple(re.sub(r"\d+", "#", word) for word in process.command)
    environment = tuple(sorted(process.environment.items()))
    return (os.path.basename(process.executable), *words, repr(environment), str(len(process.affinity)))


def _seen(process: ProcessSeen, helpers: Sequence[ProcessSeen], known: Description) -> Seen:
    keys = {thread: known.key_of(thread) for thread in process.threads if not thread.main}
    counts: dict[Key, int] = {}
    for key in dict.fromkeys(keys.values()):
        counts[key] = most_at_once([thread for thread in process.threads if keys.get(thread) == key])
    run: dict[Key, float] = {}
    names: dict[Key, Counter[str]] = {}
    asleep: dict[Key, Counter[str]] = {}
    busiest: dict[Key, float] = {}
    for thread, key in keys.items():
        run[key] = run.get(key, 0.0) + thread.run
        busiest[key] = max(busiest.get(key, 0.0), thread.run)
        names.setdefault(key, Counter())[thread.name] += 1
        if thread.asleep:
            asleep.setdefault(key, Counter())[thread.asleep] += 1
    there = Counter(keys[thread] for thread in fullest(process.threads) if thread in keys)
    missing = {key: number - there[key] for key, number in counts.items() if number > there[key]}
    beside = sum(helper.most() for helper in helpers)
    if beside:
        counts[OWN] = counts.get(OWN, 0) + beside
    return Seen(
        process.most() + beside,
        counts,
        run,
        {key: tuple(name for name, _ in counter.most_common(4)) for key, counter in names.items()},
        sum(thread.run for thread in process.threads if thread.main),
        {key: counter.most_common(1)[0][0] for key, counter in asleep.items()},
        busiest,
        {key: known.spins[key[0]] for key in counts if key[0] in known.spins},
        missing,
    )
