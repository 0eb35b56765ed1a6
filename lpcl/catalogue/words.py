"""What words of clauses mean, in a reader's terms."""

from __future__ import annotations

import re
from collections.abc import Mapping

from lpcl.catalogue.phrases import code
from lpcl.catalogue.sheets import PoolSheet, Way

MEANING: Mapping[str, Mapping[str, str]] = {
    "invalid": {
        "clamps": "moved to the nearest bound",
        "clamps above": "the upper bound where it is larger, passed over where it is smaller",
        "rejects": "an error",
        "ignored": "passed over",
    },
    "caller": {
        "joins": "the caller is one of them",
        "waits": "the caller waits beside them",
    },
    "threads": {
        "coupled": "they wait for each other: too many of them collapse",
        "independent": "each works by itself: too many of them only queue",
    },
    "fork": {
        "safe": "a forked child can use it",
        "unsafe": "a forked child that uses it hangs or ends",
        "resets": "a forked child starts it anew",
    },
    "read": {
        "load": "when the library is loaded, so a later change has no effect",
        "first use": "when it is first used, so a change after that has no effect",
        "each call": "at each call, so a change has its effect at the next one",
    },
    "created": {
        "load": "when the library is loaded",
        "first use": "when it is first used",
    },
}


def multiplies(pool: PoolSheet) -> str:
    """What k callers at once come to."""
    match pool.callers:
        case "fork":
            return "each caller gets a team of its own: k callers are k times as many threads at work"
        case "queue":
            return "one caller at a time has it, the others wait: k callers are no more threads at work"
        case "join":
            return "callers work beside its threads: k callers are k - 1 more threads at work"
        case "forbid":
            return "a second caller at the same time is an error"
    return "callers hand over work to one pool: k callers are no more threads at work"


def exists(pool: PoolSheet, size: str | None = None) -> str:
    """How many threads there are beside the callers, in Markdown; `size` in words is that of a call."""
    if pool.existing_words is not None:
        return f"{pool.existing_words} beside its callers"
    many = size or pool.size_words or "as many as its operations say"
    every = "for each caller, " if pool.callers == "fork" else ""
    if pool.caller == "joins":
        return f"{every}one less than {many}, as the caller is one of them"
    return f"{every}{many}"


def way(item: Way) -> str:
    """A way to set a control."""
    return {"argument": f"argument {item.name}", "api": item.name, "config": f"setting {item.name}"}.get(
        item.kind, item.name
    )


_PLAIN = {
    "default": "the default",
    "range from": "the lower bound",
    "range to": "the upper bound",
    "read": "when it is read",
    "invalid": "what invalid values do",
    "by call": "setting it by a call",
    "size": "how many threads work",
    "existing": "how many threads exist",
    "callers": "what several callers at once do",
    "caller": "what the caller does",
    "threads": "whether its threads wait for each other",
    "idle": "what idle threads do",
    "created": "when it is made",
    "fork": "what a fork does to it",
    "nested": "what a call from one of its threads does",
}
_SHAPES = (
    (r"env (\S+) before (\S+)", r"that `\1` goes before `\2`"),
    (r"env (\S+)", r"`\1`"),
    (r"value (\S+)", r"the value `\1`"),
    (r"runs on (\S+) with size", r"how many threads of `\1`"),
    (r"runs on (\S+)", r"that it runs on `\1`"),
    (r"calls (\S+)", r"that it does what `\1` does"),
    (r"demand (\S+)", r"how much `\1`"),
    (r"signal (\S+)", r"the measurement `\1`"),
    (r"limit (\S+)", r"that it holds `\1`"),
    (r"set (\S+)", r"that it sets `\1`"),
    (r"pin cpus", "that they are bound to CPUs"),
    (r"start", "how they start"),
    (r"count", "how many they are"),
)


def clause(name: str) -> str:
    """A clause of a member by the name that `verify` gives it, in Markdown."""
    name, _, number = name.partition(" (")
    which = f" ({number}" if number else ""
    if name in _PLAIN:
        return _PLAIN[name] + which
    workers = re.fullmatch(r"workers (processes|threads)(?: (.+))?", name)
    if workers is not None:
        if workers[2] is None:
            return f"that it starts {workers[1]}{which}"
        kind = "worker processes" if workers[1] == "processes" else "worker threads"
        return f"of its {kind}{which}, {clause(workers[2])}"
    if name.startswith("hazard "):
        return f"the danger {name.removeprefix('hazard ')}"
    for shape, words in _SHAPES:
        found = re.fullmatch(shape, name)
        if found is not None:
            return found.expand(words) + which
    return code(name) + which
