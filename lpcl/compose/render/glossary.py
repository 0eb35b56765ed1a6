"""The few words that a page about a composition needs, for somebody who has never met them."""

from __future__ import annotations

import re
from collections.abc import Collection

WORDS: tuple[tuple[str, str, str], ...] = (
    (
        "runnable",
        r"runnable",
        "A thread is runnable at a moment when it is at work on a CPU, or would be if a CPU were free. One "
        "that sleeps, or has done its part and waits for other threads, is not: it needs no CPU then.",
    ),
    (
        "error, warning",
        r"error|warning",
        "An error is what fails, hangs, or is outside what a contract speaks about; a warning is what goes "
        "on, but slower than it could, and what may turn into an error. How much slower, `mild`, `slow` and "
        "`collapse` tell.",
    ),
    (
        "existing",
        r"existing threads?|threads? would exist|threads",
        "A thread exists from when it is started until it ends, whether it is runnable or not. The resource "
        "`threads` counts these, the resource `cpu` those that are runnable.",
    ),
    (
        "the busiest moment",
        r"busiest moment|that moment",
        "Of all the states that the application can be in, the one that asks for most. Another resource may "
        "have its busiest moment at another time.",
    ),
    (
        "capacity",
        r"capacity|available",
        "How much of a resource there is: the least of all that limits it.",
    ),
    (
        "copies",
        r"copies|copy",
        "Like processes, such as the workers of a pool, are counted once and multiplied.",
    ),
    (
        "caller",
        r"callers?",
        "A thread that has called an operation and is in it.",
    ),
    (
        "pool, team",
        r"pools?|teams?",
        "Threads that a library keeps to share out work. A team (OpenMP's word) is one that every caller "
        "gets for itself, so that callers and threads multiply; other pools exist once in a process.",
    ),
    (
        "spinning",
        r"spin(?:s|ning)?",
        "A thread without work that keeps asking for some instead of sleeping. It takes a CPU all the same.",
    ),
    ("knob", r"knobs?", "Something that can be set from outside: a variable or an argument of the program."),
    (
        "contract",
        r"contracts?|said by",
        "A text that says what a library asks of the machine. File and line tell which clause of it a figure "
        "comes from.",
    ),
)

TAGS: tuple[tuple[str, str], ...] = (
    (
        "collapse",
        "A team goes on only when all its threads are done. More of its threads are runnable than there are "
        "CPUs, so that each one without a CPU holds up all others; often many times slower.",
    ),
    (
        "slow",
        "Teams in several processes take CPUs from each other, and a team goes on only when all its threads "
        "are done.",
    ),
    ("mild", "More is asked for than there is, but each thread has work of its own and holds up no other."),
    ("overcommit", "More of a resource is asked for than there is."),
    (
        "possible",
        "Only bounds are known. It goes wrong if each takes as much as it is allowed to.",
    ),
    ("serialized", "Several callers want a pool that serves one after the other."),
    (
        "hazard",
        "Something goes wrong although no resource runs out, such as a program that hangs.",
    ),
    ("assumption", "What a contract takes for granted about the machine or the settings."),
    (
        "underuse",
        "CPUs that could be used stay idle because a limit or a setting keeps them so.",
    ),
)


def needed(text: str, tags: Collection[str]) -> list[tuple[str, str]]:
    """The words that occur in a text or are tags of findings, with what they mean, in a fixed order."""
    found = [
        (word, meaning)
        for word, pattern, meaning in WORDS
        if re.search(rf"\b(?:{pattern})\b", text, re.IGNORECASE)
    ]
    return found + [(word, meaning) for word, meaning in TAGS if word in tags]
