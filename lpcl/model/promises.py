"""What the expectations of evidence can ask of the contract itself: `self.` and `predicted.`."""

from __future__ import annotations

from collections.abc import Mapping

from lpcl.model import types
from lpcl.syntax import nodes

OWN = "self"
"""The contract that the evidence stands in, under the settings of the run."""

PREDICTED = "predicted"
"""What the composer says of the program in the evidence's `run`."""

CONTROL_PARTS: Mapping[str, types.Type] = {
    "accepted": types.BOOL,
    "default": types.UNKNOWN,
    "invalid": types.STRING,
    "read": types.STRING,
    "scope": types.STRING,
}
"""After a control: whether its variables are accepted, its default whatever is set, words of its clauses."""

POOL_PARTS: Mapping[str, types.Type] = {
    "caller": types.STRING,
    "callers": types.STRING,
    "created": types.STRING,
    "existing": types.COUNT,
    "fork": types.STRING,
    "idle": types.STRING,
    "nested": types.BOOL,
    "size": types.COUNT,
    "spinning": types.DURATION,
    "threads": types.STRING,
}
"""After a pool: its figures, and the words of its clauses."""

CONTROL_WORDS: Mapping[str, tuple[str, ...]] = {
    "invalid": ("rejects", "clamps", "clamps above", "ignored"),
    "read": ("load", "first use", "each call"),
    "scope": ("process", "thread", "call"),
}
"""Of the parts of a control that are texts: all that they can be."""

POOL_WORDS: Mapping[str, tuple[str, ...]] = {
    "caller": ("joins", "waits"),
    "callers": ("fork", "queue", "submit", "join", "forbid"),
    "created": ("load", "first use"),
    "fork": ("safe", "unsafe", "resets"),
    "idle": ("blocks", "spins", "spins for a time"),
    "threads": ("coupled", "independent"),
}
"""Of the parts of a pool that are texts: all that they can be."""

POOL_FUNCTIONS: Mapping[str, types.Type] = {"active": types.COUNT, "exist": types.COUNT}
"""After a pool, with a number of callers: threads at work, and threads that exist beside the callers."""

LOAD = "load"
"""`self.load.VARIABLE`: what importing the library leaves in a variable."""

DEMAND = "demand"
"""`self.demand.RESOURCE`: what the loaded library holds."""

ENVIRONMENT = "env"
"""`predicted.env.VARIABLE`: what the process that is started last has in a variable."""

INTERPRETER = "python.minor"
"""The minor version of the Python that experiments run with."""

HAZARDS = "hazards"
"""`predicted.hazards`: how many hazards the composer finds."""

UNSET = "null"
"""The text of a variable that is not set, as `report(value=None)` gives it."""


def plain(kind: types.Type) -> types.Type:
    """The type of a value where words of an enumeration are texts, as an experiment reports them."""
    if isinstance(kind, types.EnumType):
        return types.STRING
    return kind.unbounded if isinstance(kind, types.NumberType) else kind


def acted_out(evidence: nodes.Evidence, name: str) -> nodes.Application | None:
    """The program in an experiment's `run` as an application that uses what it names; None without `run`."""
    run = next((item for item in evidence.clauses if isinstance(item, nodes.Run)), None)
    if run is None:
        return None
    holders = dict.fromkeys(
        node.operation.path.rpartition(".")[0] for node in run.walk() if isinstance(node, nodes.Invocation)
    )
    items = tuple(nodes.UseItem(nodes.Ref(path, span=run.span), span=run.span) for path in holders if path)
    uses = (nodes.Use(items, span=run.span),) if items else ()
    return nodes.Application(nodes.Name(name, span=evidence.title.span), (), (*uses, run), span=run.span)


def asked(path: str) -> str:
    """What an expectation asks about, without `self.` or `predicted.` in front; any other name as it is."""
    head, _, rest = path.partition(".")
    return rest if rest and head in (OWN, PREDICTED) else path
