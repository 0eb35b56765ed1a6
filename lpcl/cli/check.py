"""`lpclc check`: find mistakes."""

from __future__ import annotations

import click

from lpcl import service
from lpcl.cli.output import colour_option, wants_colour
from lpcl.diagnostics.diagnostic import Diagnostic, Severity


@click.command("check", short_help="find mistakes in contracts, applications and tests")
@click.argument("paths", nargs=-1, metavar="[PATHS]...")
@click.option(
    "--format",
    "output",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="How to print the findings.",
)
@colour_option
@click.option("--strict", is_flag=True, help="Let warnings count as errors do.")
def command(paths: tuple[str, ...], output: str, color: str, strict: bool) -> None:
    """Find mistakes in files and folders: names, types, units, arguments, interfaces.

    Without PATHS: the folders that [tool.lpcl] in pyproject.toml names, else the current folder.

    Exit status: 0 no errors, 1 errors, 2 a path that does not exist or cannot be read.
    """
    workspace = service.open_workspace(paths)
    found = workspace.diagnostics
    number = len(workspace.targets)
    if output == "json":
        from lpcl.diagnostics.render import json

        click.echo(json.render(found, workspace.texts, number))
    else:
        _print(found, workspace, wants_colour(color))
    raise SystemExit(_status(found, missing=workspace.missing, strict=strict))


def _print(found: tuple[Diagnostic, ...], workspace: service.Workspace, colour: bool) -> None:
    from lpcl.diagnostics.render import text

    if found:
        click.echo(text.render(found, workspace.texts, colour=colour), color=colour)
    if not workspace.targets and not workspace.missing:
        click.echo("There are no .lpcl files here.")
    else:
        click.echo(text.summary(found, len(workspace.targets)))


def _status(found: tuple[Diagnostic, ...], *, missing: bool, strict: bool) -> int:
    if missing:
        return 2
    least = Severity.WARNING if strict else Severity.ERROR
    return 1 if any(item.severity.rank <= least.rank for item in found) else 0
