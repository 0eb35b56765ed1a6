"""`lpclc compose`: who asks for too much, why, and what would be right."""

from __future__ import annotations

from pathlib import Path

import click

from lpcl import service
from lpcl.cli.composing import BROKEN, chosen_together, machine_option, refuse, set_option, show, write
from lpcl.cli.output import colour_option, wants_colour


@click.command("compose", short_help="say what an application asks of a machine, and what is too much")
@click.argument("apps", metavar="APP...", nargs=-1, required=True)
@machine_option
@set_option
@click.option(
    "--format",
    "shape",
    type=click.Choice(["text", "json", "html", "dot", "mermaid"]),
    default="text",
    show_default=True,
    help="How to give the answers: text, json, html (a page that stands alone), or the structure with its "
    "loads for Graphviz (dot) or Mermaid.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Where to write the answers [default: standard output].",
)
@colour_option
def command(
    apps: tuple[str, ...],
    machine: str | None,
    choices: tuple[str, ...],
    shape: str,
    output: Path | None,
    color: str,
) -> None:
    """Say what an application asks of a machine, who over-commits what and why, and what would be right.

    APP is a file with one application, FILE:NAME, or the name of an application of the current project.
    Several run at the same time on one machine. Nothing of an application or its libraries is run.

    Exit status: 0 nothing is wrong, 1 there are findings, 2 it cannot be composed.
    """
    colour = wants_colour(color)
    try:
        workspace, applications = chosen_together(apps, colour)
        outcome = service.compose_applications(workspace, applications, machine, choices)
    except service.Unanswerable as problem:
        refuse("compose", problem)
    if outcome.composition is None:
        show(outcome.diagnostics, workspace, colour)
        raise SystemExit(BROKEN)
    told = service.answers_of(outcome.composition)
    from lpcl.compose.render import forms, words

    text = forms.render(told, shape, colour=colour and output is None)
    if output is None:
        click.echo(text, nl=False, color=colour)
    else:
        write("compose", output, text)
        click.echo(f"{output}: {words.verdict(told)}")
    raise SystemExit(1 if told.alarms else 0)
