"""How figures, clauses and reasons stand in the document of a composition."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from lpcl.compose.conditions import Checked
from lpcl.compose.findings import Entry, Finding, Remedy
from lpcl.compose.render.text import describe_reason
from lpcl.compose.stories import told
from lpcl.compose.structure import Held, PoolInstance, Resolution
from lpcl.compose.terms import Term, Value
from lpcl.model.program import Origin
from lpcl.model.quantities import BANDWIDTH, BYTES, PLAIN, TIME, Dimension

UNITS = {PLAIN: "", BYTES: "bytes", TIME: "seconds", BANDWIDTH: "bytes per second"}


def unit(dimension: Dimension) -> str:
    """The base unit of a dimension, empty for a plain number."""
    return UNITS[dimension] if dimension in UNITS else str(dimension)


def plain(amount: Value | None) -> Any:
    """A figure, a word or a truth; a fraction as text, and nothing for what is not set or open."""
    if isinstance(amount, Fraction):
        return str(amount)
    if isinstance(amount, Term):
        return None
    return amount


def origin_of(clause: Origin | None) -> dict[str, Any] | None:
    """Where a clause stands: its file and its line."""
    if clause is None:
        return None
    return {"file": clause.file.path, "line": clause.file.line(clause.span.start)}


def resolution_of(item: Resolution) -> dict[str, Any]:
    """How a control got its value, with what that rests on."""
    return {
        "control": item.control,
        "value": plain(item.value),
        "unit": unit(item.kind.dimension),
        "how": item.how,
        "text": describe_reason(item),
        "clause": origin_of(item.origin),
        "machine": {name: plain(amount) for name, amount in item.facts},
        "not_set": list(item.unset),
        "because": [resolution_of(ground) for ground in item.because],
    }


def pool_of(item: PoolInstance) -> dict[str, Any]:
    """What a pool is, whoever uses it."""
    return {
        "name": f"{item.library}.{item.name}",
        "of": item.owner,
        "callers": item.policy,
        "coupled": item.coupled,
        "clause": origin_of(item.origin),
    }


def held_of(item: Held, dimension: Dimension) -> dict[str, Any]:
    """What is held, or used at a time, of a resource."""
    return {
        "resource": item.resource,
        "low": plain(item.low),
        "high": plain(item.high),
        "unit": unit(dimension),
        "device": plain(item.device),
        "clause": origin_of(item.origin),
    }


def entry_of(entry: Entry) -> dict[str, Any]:
    """A line of a ledger."""
    return {
        "process": entry.process,
        "who": entry.who,
        "how": entry.text,
        "each": plain(entry.each),
        "copies": plain(entry.copies),
        "total": plain(entry.total),
        "clause": origin_of(entry.origin),
        "because": [resolution_of(item) for item in entry.reasons],
    }


def condition_of(item: Checked | None) -> dict[str, Any] | None:
    """A condition in figures, for other programs."""
    if item is None:
        return None
    return {
        "text": item.text,
        "with_values": item.with_values,
        "comparisons": [{"text": one.text, "holds": one.holds} for one in item.comparisons],
        "because": [resolution_of(one) for one in item.because],
    }


def remedy_of(item: Remedy) -> dict[str, Any]:
    """Something to set, for other programs."""
    return {
        "kind": item.kind,
        "name": item.name,
        "relation": item.relation,
        "values": [plain(value) for value in item.values],
        "now": plain(item.now),
        "unit": unit(item.dimension),
        "text": item.text,
        "clause": origin_of(item.origin),
    }


def steps_of(finding: Finding) -> list[dict[str, Any]]:
    """The statements that lead to it, for other programs."""
    return [
        {
            "who": step.who,
            "process": step.process,
            "what": step.what,
            "text": text,
            "clause": origin_of(step.origin),
        }
        for step, (text, _) in zip(finding.steps, told(finding.steps), strict=True)
    ]
