"""`lpclc machine`: show what `machine host` means here."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from lpcl.model.host import HostFacts

_STEPS = (("TiB", 2**40), ("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10))


@click.command("machine", short_help="show the figures of this machine")
@click.option(
    "--format",
    "output",
    type=click.Choice(["text", "json", "lpcl"]),
    default="text",
    show_default=True,
    help="How to print them; lpcl gives a declaration to paste into a file.",
)
def command(output: str) -> None:
    """Show the figures of this machine that contracts can read, and where they come from.

    They are what an application with 'machine host' is composed for: CPUs, quotas and limits as they bind
    this very process, control groups of both versions included.
    """
    from lpcl.model.host import read_host

    facts = read_host()
    click.echo({"text": _text, "json": _json, "lpcl": _declaration}[output](facts))


def _text(facts: HostFacts) -> str:
    from lpcl.model.machine import FACTS
    from lpcl.model.quantities import show

    rows = []
    for path, kind in FACTS.items():
        if path in facts.readings:
            reading = facts.readings[path]
            rows.append((path, show(reading.value, kind.dimension), reading.source))
        else:
            rows.append((path, "-", facts.absent[path].reason))
    widths = [max(len(row[column]) for row in rows) for column in (0, 1)]
    return "\n".join(f"{path:<{widths[0]}}  {value:>{widths[1]}}  {source}" for path, value, source in rows)


def _json(facts: HostFacts) -> str:
    import json

    document = {
        "version": 1,
        "facts": {
            path: {
                "value": float(item.value) if isinstance(item.value, Fraction) else item.value,
                "source": item.source,
            }
            for path, item in facts.readings.items()
        },
        "absent": {path: item.reason for path, item in facts.absent.items()},
    }
    return json.dumps(document, indent=2, ensure_ascii=False)


def _declaration(facts: HostFacts) -> str:
    from lpcl.model.machine import FACTS
    from lpcl.model.quantities import BYTES

    lines = ["machine here {"]
    for path, kind in FACTS.items():
        if path in facts.readings:
            item = facts.readings[path]
            value = _bytes(item.value) if kind.dimension == BYTES else _exact(item.value)
            lines.append(f"  {path} = {value}  // {item.source}")
        else:
            lines.append(f"  // {path}: {facts.absent[path].reason}")
    return "\n".join([*lines, "}"])


def _bytes(value: int | Fraction) -> str:
    """The figure in the largest unit that leaves it whole."""
    for unit, factor in _STEPS:
        if value > 0 and value % factor == 0:
            return f"{value // factor} {unit}"
    return f"{value} B"


def _exact(value: int | Fraction) -> str:
    return f"{value.numerator} / {value.denominator}" if isinstance(value, Fraction) else str(value)
