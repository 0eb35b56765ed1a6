"""What was too short-lived to be described, and the CPU time that the threads of the file do not account
for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from lpcl.scan.grouping import BUSY, SLIGHT
from lpcl.scan.observation import Observation, ProcessSeen, ThreadSeen, most_at_once
from lpcl.scan.question import Explained
from lpcl.scan.recognition import UNKNOWN, Key
from lpcl.scan.wording import seconds

MANY = 8
"""Short-lived threads or processes from which on they are told even where they used next to no CPU time."""

LARGE = 0.25
"""The part of the CPU time above which it is told that nobody accounts for it."""

_LEAST = 0.2
"""CPU seconds below which no part of them is told: the kernel counts a process's in steps of 10 ms."""


@dataclass(frozen=True, slots=True)
class Brief:
    """Threads, or processes, that were there for a moment and that no contract explains; CPU in seconds."""

    number: int = 0
    at_once: int = 0
    cpu: float = 0.0

    def matters(self, total: float) -> bool:
        """Whether they are many, or used some of all the CPU time."""
        return self.number >= MANY or (self.number > 0 and self.cpu >= max(SLIGHT * total, BUSY))


@dataclass(frozen=True, slots=True)
class Unaccounted:
    """What the written file does not describe. `cpu` of the `total` CPU seconds of all processes were used by
    threads that no contract explains, whether they were short-lived or more than predicted.
    """

    threads: Brief = Brief()
    processes: Brief = Brief()
    cpu: float = 0.0
    total: float = 0.0

    def told(self) -> Iterator[str]:
        """What of it a reader has to know."""
        for brief, one, many in (
            (self.threads, "thread", "threads"),
            (self.processes, "process", "processes"),
        ):
            if brief.matters(self.total):
                what = one if brief.number == 1 else many
                used = f"{seconds(brief.cpu)} s of CPU"
                yield f"{brief.number} {what} that lived for a moment (about {brief.at_once} at once, {used})"
        if self.cpu > max(LARGE * self.total, _LEAST):
            part = f"{seconds(self.cpu)} of {seconds(self.total)} s of CPU"
            yield f"{part}, used by threads that no contract accounts for"


@dataclass(frozen=True)
class _Part:
    """Of one process: its unexplained short-lived threads, and the CPU seconds of these and of others."""

    brief: tuple[ThreadSeen, ...]
    brief_cpu: float
    other_cpu: float


def unaccounted(observation: Observation, explained: Explained) -> Unaccounted:
    """Compares all that was seen with the processes and threads that an explanation describes."""
    originals = {process.id: process for process in observation.processes}
    gap = observation.duration / max(1, observation.samples)
    parts = [
        _part(originals[member.id], member, one, gap)
        for one in _all(explained)
        for member in one.group.members
        if member.id in originals
    ]
    kept = {process.id for process in explained.group.everyone}
    passed = [process for process in observation.processes if process.id not in kept]
    threads = [thread for part in parts for thread in part.brief]
    processes = Brief(len(passed), most_at_once(passed), sum(process.used for process in passed))
    brief = Brief(len(threads), most_at_once(threads), sum(part.brief_cpu for part in parts))
    return Unaccounted(
        brief,
        processes,
        brief.cpu + processes.cpu + sum(part.other_cpu for part in parts),
        sum(process.used for process in observation.processes),
    )


def _all(explained: Explained) -> Iterator[Explained]:
    yield explained
    for child in explained.children:
        yield from _all(child)


def _part(original: ProcessSeen, member: ProcessSeen, explained: Explained, gap: float) -> _Part:
    """Of one process, as it was seen (`original`) and without what was short-lived (`member`).

    CPU time that no thread was seen to use is that of threads which came and went between two looks: of
    short-lived ones like those that were seen. The last of what a longer thread used, after the last look at
    it, about a `gap`, is not taken for such.
    """
    key_of = explained.group.key_of[member.id]
    keys = {thread: key_of(thread) for thread in original.threads if not thread.main}
    lasting = set(member.threads)
    short = [thread for thread in keys if thread not in lasting]
    brief = _unexplained(keys, lasting, explained.predicted.counts)
    ended = [t for t in member.threads if not t.main and t.last < original.last]
    last = sum(min(1.0, t.run / max(t.last - t.first, gap)) * gap for t in ended)
    unseen = max(0.0, original.used - original.run - last)
    seen = sum(thread.run for thread in brief)
    part = len(brief) / len(short) if short else 0.0
    more = sum(
        number / explained.group.seen.counts[key] * sum(t.run for t in lasting if keys.get(t) == key)
        for key, number in explained.unexplained.items()
    )
    return _Part(brief, seen + unseen * part, more + (0.0 if short else unseen))


def _unexplained(
    keys: Mapping[ThreadSeen, Key], lasting: set[ThreadSeen], predicted: Mapping[Key, int]
) -> tuple[ThreadSeen, ...]:
    """The short-lived threads that came when all that is predicted of their kind was there already.

    One of unknown owner stands for any that is predicted and not there.
    """
    lives = list(keys)
    moments = sorted(
        [(one.first, 0, one not in lasting, at) for at, one in enumerate(lives)]
        + [(one.last, 1, False, at) for at, one in enumerate(lives)]
    )
    there: Counter[Key] = Counter()
    found: list[ThreadSeen] = []
    for _, ended, brief, at in moments:
        key = keys[lives[at]]
        there[key] += -1 if ended else 1
        if not ended and brief and there[key] > _room(key, there, predicted):
            found.append(lives[at])
    return tuple(found)


def _room(key: Key, there: Mapping[Key, int], predicted: Mapping[Key, int]) -> int:
    if key != UNKNOWN:
        return predicted.get(key, 0)
    return sum(max(0, number - there.get(other, 0)) for other, number in predicted.items())
