"""`lpclc build`: write the plan."""

from __future__ import annotations

from pathlib import Path

import click

from lpcl import service
from lpcl.cli.composing import BROKEN, chosen, machine_option, refuse, set_option, show, write
from lpcl.cli.output import colour_option, wants_colour


@click.command("build", short_help="write the plan of what a tuner may try")
@click.argument("app", metavar="APP")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Where to write the plan [default: standard output].",
)
@machine_option
@set_option
@colour_option
def command(app: str, output: Path | None, machine: str | None, choices: tuple[str, ...], color: str) -> None:
    """Write the plan of an application: what can be set, what must hold, what is wrong, and what to try.

    APP is as for 'lpclc compose'. The plan is JSON; its schema is in the package, lpcl/plan/plan.schema.json.

    Exit status: 0 the plan is written, 2 the application cannot be composed.
    """
    from lpcl.plan import plan_to_text

    colour = wants_colour(color)
    try:
        workspace, application = chosen(app, colour, machine)
        made = service.plan_application(workspace, application, machine, choices)
    except service.Unanswerable as problem:
        refuse("build", problem)
    if isinstance(made, tuple):
        show(made, workspace, colour)
        raise SystemExit(BROKEN)
    text = plan_to_text(made)
    if output is None:
        click.echo(text, nl=False)
        return
    write("build", output, text)
    counts = (
        _count(len(made.hypotheses), "hypothesis", "hypotheses"),
        _count(len(made.knobs), "knob", "knobs"),
        _count(len(made.candidates), "candidate", "candidates"),
    )
    click.echo(f"{output}: {', '.join(counts)}")


def _count(number: int, one: str, more: str) -> str:
    return f"{number} {one if number == 1 else more}"
