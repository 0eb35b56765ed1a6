"""The few lines that a scan ends with."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from lpcl.scan import wording
from lpcl.scan.observation import Observation
from lpcl.scan.question import Explained
from lpcl.scan.reconstruction import Scanned

_ENDED = {
    "duration": "watched until its time was up",
    "interrupted": "interrupted",
    "left": "ended, and what it left behind goes on",
}


def summary(observation: Observation, scanned: Scanned, path: str) -> Iterator[str]:
    """What was seen, how well it is explained, what was written, and what to do next."""
    processes = len(observation.processes)
    yield (
        f"{_number(processes, 'process', 'processes')}, at most "
        f"{_number(scanned.seen, 'thread', 'threads')} at once, in {observation.duration:.1f} s"
        + (f"; {_ENDED[observation.ended]}" if observation.ended in _ENDED else "")
    )
    if observation.left_running:
        yield f"{_number(observation.left_running, 'process', 'processes')} of it still running"
    names = [item.name + (f" {item.version}" if item.version else "") for item in scanned.recognised]
    yield f"recognised: {', '.join(names) if names else 'no library that a contract speaks about'}"
    if scanned.predicted is None:
        yield "how many threads the file predicts is not decided"
    else:
        yield f"threads predicted by the file: {scanned.predicted}, seen: {scanned.seen}"
    for one in _all(scanned.explained):
        for line in wording.differences(one):
            yield f"not explained: {line} (`{wording.short_command(one.group.process)}`)"
    for line in scanned.unaccounted.told():
        yield f"not explained: {line}"
    if scanned.predicted is not None and scanned.predicted > scanned.seen:
        for one in _all(scanned.explained):
            for line in wording.not_at_once(one):
                yield f"not at once: {line} (`{wording.short_command(one.group.process)}`)"
    if path != "-":
        yield f"written: {path}"
        yield f"next: lpclc compose {shlex.quote(str(path))}"


def _all(explained: Explained) -> Iterator[Explained]:
    yield explained
    for child in explained.children:
        yield from _all(child)


def _number(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
