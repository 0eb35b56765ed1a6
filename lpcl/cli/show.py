"""`lpclc show`: what a library's contract says, in the terminal."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import click

from lpcl.cli.output import colour_option, wants_colour
from lpcl.cli.reading import read_sheets, record_option

VERSION = 2
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
    named = read_sheets(records, (library,))
    if output == "json":
        document = {"version": VERSION, "contracts": [asdict(item) for item in named]}
        click.echo(json.dumps(document, indent=2, ensure_ascii=False))
        return
    from lpcl.catalogue.text import render

    colour = wants_colour(color)
    click.echo("\n\n\n".join(render(item, colour=colour) for item in named), color=colour)
