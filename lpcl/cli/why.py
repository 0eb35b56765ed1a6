"""`lpclc why`: where a value comes from, and what would change it."""

from __future__ import annotations

import click

from lpcl import service
from lpcl.cli.composing import BROKEN, chosen_together, machine_option, refuse, set_option, show
from lpcl.cli.output import colour_option, wants_colour


@click.command("why", short_help="say where a value comes from, and what would change it")
@click.argument("apps", metavar="APP...", nargs=-1, required=True)
@click.argument("value", metavar="VALUE")
@machine_option
@set_option
@click.option(
    "--format",
    "shape",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="How to print the explanation.",
)
@colour_option
def command(
    apps: tuple[str, ...], value: str, machine: str | None, choices: tuple[str, ...], shape: str, color: str
) -> None:
    """Say where a value comes from in each process, what counts before what, and what would change it.

    VALUE is a control or a pool of a library (openblas.threads), a control of the application (jobs), a
    variable (OMP_NUM_THREADS), a figure of the machine (machine.cpus), or a resource (cpu). APP is as for
    'lpclc compose'. Changes are found by composing again with each of them; nothing is run.

    Exit status: 0 it is explained, 2 it cannot be composed, or there is no such value.
    """
    try:
        workspace, applications = chosen_together(apps, wants_colour(color), machine)
        outcome = service.compose_applications(workspace, applications, machine, choices)
        if outcome.composition is None:
            show(outcome.diagnostics, workspace, wants_colour(color))
            raise SystemExit(BROKEN)
        explained, changes = service.explain_value(outcome.composition, value)
    except service.Unanswerable as problem:
        refuse("why", problem)
    from lpcl.compose.render import why

    render = why.render_json if shape == "json" else why.render_text
    click.echo(render(outcome.composition, explained, changes), nl=False)
