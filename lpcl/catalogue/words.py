"""What words of clauses mean, in a reader's terms."""

from __future__ import annotations

from collections.abc import Mapping

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


def way(item: Way) -> str:
    """A way to set a control."""
    return {"argument": f"argument {item.name}", "api": item.name, "config": f"setting {item.name}"}.get(
        item.kind, item.name
    )
