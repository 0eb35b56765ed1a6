"""`lpclc show`: what a library's contract says, in the terminal."""

from __future__ import annotations

import json
from dataclasses import asdict
from difflib import get_close_matches
from pathlib import Path

import click

from lpcl.cli.output import colour_option, wants_colour
from lpcl.cli.reading import read_sheets, record_option

VERSION = 1
"""Of the shape of the JSON object."""


@click.command("show", short_help="show what a library's contract says")
@click.argument("library")
@click.option(
    "--format",
    "output",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="How to print it.",
)
@record_option
@colour_option
def command(library: str, output: str, records: tuple[Path, ...], color: str) -> None:
    """Show what a library's contract says: how the library is recognised, what sets it and what comes first,
    its pools and what multiplies, what importing it does, what goes wrong, and what was tried.

    LIBRARY is the name of a contract, bare or with its package, or of a distribution. Where contracts differ
    by version, all of them are shown.

    Exit status: 0, or 2 where there is no such library.
    """
    found = read_sheets(records)
    named = [item for item in found if library in (item.name, item.qualified)]
    if not named:
        named = [item for item in found if library.lower() in _distributions(item.recognised)]
    if not named:
        close = get_close_matches(library, sorted({item.name for item in found}), n=3)
        hint = f" Did you mean {' or '.join(repr(item) for item in close)}?" if close else ""
        raise click.UsageError(f"there is no contract of '{library}'.{hint} 'lpclc list' shows all.")
    if output == "json":
        document = {"version": VERSION, "contracts": [asdict(item) for item in named]}
        click.echo(json.dumps(document, indent=2, ensure_ascii=False))
        return
    from lpcl.catalogue.text import render

    colour = wants_colour(color)
    click.echo("\n\n\n".join(render(item, colour=colour) for item in named), color=colour)


def _distributions(recognised: tuple[tuple[str, tuple[str, ...], str], ...]) -> set[str]:
    return {name.lower() for kind, names, _ in recognised if kind in ("pypi", "command") for name in names}
