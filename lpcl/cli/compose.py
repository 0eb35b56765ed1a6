"""`lpclc compose`: who asks for too much, why, and what would be right."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from lpcl import service
from lpcl.cli.composing import BROKEN, chosen_together, machine_option, refuse, set_option, show, write
from lpcl.cli.output import colour_option, wants_colour

if TYPE_CHECKING:
    from lpcl.compose.anywhere import Anywhere
    from lpcl.compose.composition import Composition
    from lpcl.diagnostics.diagnostic import Diagnostic


@click.command("compose", short_help="say what an application asks of a machine, and what is too much")
@click.argument("apps", metavar="APP...", nargs=-1, required=True)
@machine_option
@click.option(
    "--range",
    "ranges",
    multiple=True,
    metavar="FIGURE=LOW..HIGH",
    help="Ask about all machines whose FIGURE (see 'lpclc machine') lies in a range, or has one value.",
)
@set_option
@click.option(
    "--question",
    "questions",
    type=click.Choice(["stands", "who", "happen", "avoid", "right"]),
    multiple=True,
    help="Answer only this: what is wrong as it stands, who is in it, whether it can happen under other "
    "settings, whether it can be avoided, what would be right. May be given more than once.",
)
@click.option(
    "--format",
    "shape",
    type=click.Choice(["text", "json", "html", "dot", "mermaid", "github"]),
    default="text",
    show_default=True,
    help="How to give the answers: text, json, html (a page that stands alone), or the structure with its "
    "loads for Graphviz (dot) or Mermaid, or annotations of the findings (github).",
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
    ranges: tuple[str, ...],
    choices: tuple[str, ...],
    questions: tuple[str, ...],
    shape: str,
    output: Path | None,
    color: str,
) -> None:
    """Say what an application asks of a machine, who over-commits what and why, and what would be right.

    APP is a file with one application, FILE:NAME, or the name of an application of the current project.
    Several run at the same time on one machine. Nothing of an application or its libraries is run.

    With '--machine any', or a machine some of whose figures are ranges, it says on which machines what is too
    much, and the smallest machine that shows it.

    Exit status: 0 nothing is wrong, 1 there are findings, 2 it cannot be composed.
    """
    colour = wants_colour(color)
    try:
        workspace, applications = chosen_together(apps, colour, machine)
        if questions and shape not in ("text", "json"):
            raise service.Unanswerable(f"'--question' is told as text or json, not as {shape}")
        everywhere = service.compose_anywhere(workspace, applications, machine, choices, ranges)
        if everywhere is not None:
            if questions:
                raise service.Unanswerable(
                    "'--question' is about one machine: leave it out, or name a machine without ranges"
                )
            raise SystemExit(_anywhere(everywhere, workspace, shape, output, colour=colour))
        outcome = service.compose_applications(workspace, applications, machine, choices)
    except service.Unanswerable as problem:
        refuse("compose", problem)
    if outcome.composition is None:
        if shape == "github":
            from lpcl.diagnostics.render import github

            click.echo(github.render(outcome.diagnostics, workspace.texts))
        else:
            show(outcome.diagnostics, workspace, colour)
        raise SystemExit(BROKEN)
    if questions:
        raise SystemExit(_some(outcome.composition, questions, shape, output, colour=colour))
    told = service.answers_of(outcome.composition)
    from lpcl.compose.render import forms, words

    text = forms.render(told, shape, colour=colour and output is None)
    if output is None:
        click.echo(text, nl=False, color=colour)
    else:
        write("compose", output, text)
        click.echo(f"{output}: {words.verdict(told)}")
    raise SystemExit(1 if told.alarms else 0)


def _anywhere(
    told: Anywhere | tuple[Diagnostic, ...],
    workspace: service.Workspace,
    shape: str,
    output: Path | None,
    *,
    colour: bool,
) -> int:
    """Say on which machines something is wrong; the exit status."""
    from lpcl.compose.render import anywhere

    if isinstance(told, tuple):
        show(told, workspace, colour)
        return BROKEN
    if shape not in ("text", "json", "html"):
        refuse(
            "compose", f"on which machines something is wrong is told as text, json or html, not as {shape}"
        )
    if shape == "html":
        from lpcl.compose.render import anywhere_page

        text = anywhere_page.render(told)
    elif shape == "json":
        text = anywhere.render_json(told)
    else:
        text = anywhere.render(told, colour=colour and output is None)
    _give(text, output, colour=colour)
    return 1 if told.alarms else 0


def _some(
    composition: Composition, questions: tuple[str, ...], shape: str, output: Path | None, *, colour: bool
) -> int:
    """Answer some of the questions; the exit status."""
    from lpcl.compose.render import single

    told = service.tell(composition, questions)
    if shape == "json":
        text = single.render_json(told)
    else:
        text = single.render(told, colour=colour and output is None)
    _give(text, output, colour=colour)
    return 1 if told.alarms else 0


def _give(text: str, output: Path | None, *, colour: bool) -> None:
    """Print a text, or write it to a file."""
    if output is None:
        click.echo(text, nl=False, color=colour)
    else:
        write("compose", output, text)
