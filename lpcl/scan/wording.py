"""The words of what was seen: commands, counts and reasons, as they stand in the written file and the
summary.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator, Sequence
from itertools import pairwise

from lpcl.scan.evaluation import Predicted
from lpcl.scan.grouping import Group, Seen
from lpcl.scan.observation import ProcessSeen
from lpcl.scan.question import Explained, mismatch
from lpcl.scan.recognition import ALLOCATORS, OWN, UNKNOWN, Key

HIDDEN = "***"
_SECRET = re.compile(
    r"(?i)(?P<name>[\w.-]*(?:pass(?:word|wd)?|secret|token|api[-_]?key|credentials?)[\w.-]*)(?P<sign>[=:])(?P<value>.+)"
)
_SECRET_OPTION = re.compile(r"(?i)--?[\w-]*(?:pass(?:word|wd)?|secret|token|api[-_]?key|credentials?)$")
_IN_ADDRESS = re.compile(r"(?P<scheme>\w+://[^/:@\s]*):[^@/\s]+@")

_METHODS = {
    "fork": "by fork",
    "spawn": "by spawn",
    "forkserver": "by a fork server",
    "loky": "by loky",
}


def command_text(command: Sequence[str]) -> str:
    """A command line as a shell would take it, without what looks like a secret."""
    return shlex.join(concealed(command))


def concealed(command: Sequence[str]) -> list[str]:
    """The words of a command line, with `***` for values that look like secrets."""
    words: list[str] = []
    next_is_secret = False
    for word in command:
        if next_is_secret and not word.startswith("-"):
            word = HIDDEN
        else:
            word = _SECRET.sub(lambda found: f"{found['name']}{found['sign']}{HIDDEN}", word)
            word = _IN_ADDRESS.sub(lambda found: f"{found['scheme']}:{HIDDEN}@", word)
        next_is_secret = bool(_SECRET_OPTION.fullmatch(word))
        words.append(word)
    return words


def short_command(process: ProcessSeen) -> str:
    """What a process runs, in a few words: the program and its script or module."""
    words = concealed(process.command) or [os.path.basename(process.executable) or "?"]
    told = [os.path.basename(words[0]) or words[0]]
    for before, word in pairwise(words[:3]):
        if before == "-c":
            told.append("...")
        elif word in ("-c", "-m", "-u", "-B", "-x", "-e", "-ex") or not word.startswith("-"):
            told.append(os.path.basename(word))
    text = " ".join(told[:3] if len(told) > 1 and told[1].startswith("-") else told[:2])
    return text if len(text) <= 48 else text[:45] + "..."


def started(group: Group) -> str:
    """How many processes a group is, and how they were started."""
    if group.method == "exec":
        return "A program of its own" if group.at_once == 1 else f"{group.at_once} programs of their own"
    return f"{_number(group.at_once, 'process', 'processes')} {_METHODS[group.method or 'fork']}"


def counts(seen: Seen, predicted: Predicted, helpers: int) -> str:
    """The threads of one process, seen and predicted, by whose they are."""
    parts = ["the main one"]
    for key, number in seen.counts.items():
        parts.append(f"{number} {_whose(key, seen, helpers)}")
    same = seen.total == predicted.total
    told = "as predicted" if same else f"{predicted.total} predicted"
    apart = ""
    if 1 + sum(seen.counts.values()) > seen.total:
        apart = "; not all of them at once"
        apart += f": {gone(seen)} when there were most" if seen.missing else ""
    return f"{_number(seen.total, 'thread', 'threads')} seen, {told}: {', '.join(parts)}{apart}"


def _whose(key: Key, seen: Seen, helpers: int) -> str:
    run = seen.run.get(key, 0.0)
    worked = f"{seconds(run)} s of CPU" if seen.busy(key) else "idle"
    if key == OWN:
        beside = (
            f", those of {_number(helpers, 'helper process', 'helper processes')} among them"
            if helpers
            else ""
        )
        return f"of the program's own ({worked}{beside})"
    if key == UNKNOWN:
        names = ", ".join(seen.names.get(key, ())[:3])
        return f"whose owner cannot be told ({worked}; called {names})"
    return f"of {key_text(key)} ({worked})"


def key_text(key: Key) -> str:
    """A runtime by name, with the library that carries it for itself."""
    if key == OWN:
        return "the program's own"
    if key == UNKNOWN:
        return "unknown owners"
    what = f"the allocator {key[0]}" if key[0] in ALLOCATORS.values() else key[0]
    return what if key[1] is None else f"{what} in {key[1]}"


def seconds(value: float) -> str:
    """Seconds in two figures, or in whole ones."""
    return f"{value:.0f}" if value >= 10 else f"{value:.2g}"


def differences(explained: Explained) -> Iterator[str]:
    """Where prediction and observation differ, runtime by runtime."""
    if not mismatch(explained.group.seen, explained.predicted):
        return  # threads of unknown owners may be those that are missing
    seen, predicted = explained.group.seen.counts, explained.predicted.counts
    for key in dict.fromkeys([*seen, *predicted]):
        there, said = seen.get(key, 0), predicted.get(key, 0)
        if there != said:
            was = "thread was" if there == 1 else "threads were"
            yield f"{there} {was} seen of {key_text(key)}, {said} predicted"


def gone(seen: Seen) -> str:
    """The threads that were not there when a process had most."""
    told = ", ".join(f"{number} of {key_text(key)}" for key, number in seen.missing.items())
    return f"{told} {'was' if sum(seen.missing.values()) == 1 else 'were'} not there"


def not_at_once(explained: Explained) -> Iterator[str]:
    """Why there were fewer threads at once than processes of a kind may have."""
    group = explained.group
    if group.seen.missing and explained.predicted.total > group.seen.total:
        yield f"{gone(group.seen)} when there were most"
    totals = group.spread[: group.at_once]
    if len(set(totals)) > 1:
        had = f"its {group.at_once} processes had {_several(totals)} threads"
        yield f"{had}, and {totals[0]} each are predicted"


def _several(totals: Sequence[int]) -> str:
    told = [str(one) for one in totals[:8]]
    return ", ".join(told) + ", ..." if len(totals) > 8 else f"{', '.join(told[:-1])} and {told[-1]}"


def spread(group: Group) -> str:
    """The threads of each of several processes, where they differ."""
    if len(set(group.spread)) < 2:
        return ""
    told = ", ".join(map(str, group.spread[:8])) + (", ..." if len(group.spread) > 8 else "")
    return f"They are not alike: {told} threads; the first is described."


def _number(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
