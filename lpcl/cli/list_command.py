"""`lpclc list`: the contracts that can be found, and which of them apply."""

from __future__ import annotations

import json
from typing import Any

import click

from lpcl import service
from lpcl.cli.composing import chosen, refuse

VERSION = 1
"""Of the shape of the JSON object."""

_WIDEST = 44


@click.command("list", short_help="show the contracts that can be found")
@click.option("--for", "application", metavar="APP", help="Only those that this application leads to.")
@click.option(
    "--format",
    "output",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="How to print them.",
)
def command(application: str | None, output: str) -> None:
    """Show the contracts that can be found: of the project, of installed packages, of the standard library.

    Each with the versions that it speaks about and where it comes from. Of several with one name, a star
    marks the one that applies to what is installed, or to the version that the application states.

    Exit status: 0, or 2 for an application that does not exist or has errors.
    """
    if application is None:
        entries = service.contracts()
    else:
        try:
            workspace, declared = chosen(application, colour=False)
        except service.Unanswerable as problem:
            refuse("list", problem)
        entries = service.contracts_of(workspace, declared)
    if output == "json":
        listed = [_plain(entry) for entry in entries]
        click.echo(json.dumps({"version": VERSION, "contracts": listed}, indent=2, ensure_ascii=False))
        return
    if not entries:
        click.echo("There are no contracts here.")
        return
    rows = [("*" if entry.chosen else " ", entry.name, _versions(entry), entry.origin) for entry in entries]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row, entry in zip(rows, entries, strict=True):
        cells = (f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True))
        click.echo(f"{'  '.join(cells)}  {entry.reason}")


def _versions(entry: service.Entry) -> str:
    listed = ", ".join(f"{need.distribution} {need.versions}".strip() for need in entry.requirements)
    return listed if len(listed) <= _WIDEST else f"{len(entry.requirements)} distributions"


def _plain(entry: service.Entry) -> dict[str, Any]:
    file = entry.declared.file
    return {
        "name": entry.name,
        "origin": entry.origin,
        "path": file.path,
        "line": file.line(entry.declared.node.name.span.start),
        "requirements": [
            {"distribution": need.distribution, "versions": need.versions, "installed": need.installed}
            for need in entry.requirements
        ],
        "chosen": entry.chosen,
        "reason": entry.reason,
    }
